"""Text of users and files inside other languages: nothing in it is ever read as markup."""

import re
import unicodedata

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~!&$])")
_BIDI = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def one_line(text: object, width: int = 0) -> str:
    """Return text on one line without control characters, cut at `width` characters if given."""
    said = " ".join(str(text).split())
    clean = "".join(char if _visible(char) else f"\\x{ord(char):02x}" for char in said)
    return f"{clean[: width - 1]}…" if width and len(clean) > width else clean


def _visible(char: str) -> bool:
    return unicodedata.category(char) not in ("Cc", "Cs", "Zl", "Zp") and char not in _BIDI


def markdown(text: object, width: int = 0) -> str:
    """Return text for a Markdown document, shown to the letter."""
    return _MARKDOWN.sub(r"\\\1", one_line(text, width))


def code(text: object, width: int = 0) -> str:
    """Return text as Markdown code within a line, shown to the letter."""
    said = one_line(text, width)
    longest = max((len(run) for run in re.findall(r"`+", said)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if said.startswith("`") or said.endswith("`") or not said else ""
    return f"{fence}{pad}{said}{pad}{fence}"


def comment(text: object, width: int = 0) -> str:
    """Return text for a comment that ends with its line, in SQL or Python."""
    return one_line(text, width)


def mermaid(text: object, width: int = 60) -> str:
    """Return text for a quoted Mermaid label."""
    said = one_line(text, width)
    plain = (char.isalnum() or char in " .,:;-_=+/()'→…" for char in said)
    return "".join(
        char if fine else f"#{ord(char)};" for char, fine in zip(said, plain, strict=True)
    )
