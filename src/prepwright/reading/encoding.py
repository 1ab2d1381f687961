"""Which encoding a text file is in."""

import codecs
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from prepwright.errors import InputError, shown
from prepwright.reading.reader import describe

UTF8 = "utf-8"

_CHUNK = 1 << 20
_SAMPLE = 1 << 16
_BOMS = (
    (codecs.BOM_UTF8, UTF8),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PREFERRED = (
    "cp932", "gb18030", "cp1252", "big5", "cp949", "euc_jp",
    "cp1251", "cp1250", "koi8_r", "cp1253", "cp1254", "latin_1",
)  # fmt: skip
_BINARY_SHARE = 0.02
_CONTROLS_ALLOWED = 2
_UTF16_BYTES = 8
_NOT_TEXT = (
    b"%PDF-",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"PK\x03\x04",
    b"\xd0\xcf\x11\xe0",
    b"\x1f\x8b",
    b"SQLite format 3\0",
)
_ZEROS_OF_UTF16 = 0.25
_GOOD_FOR_EACH_BAD = 10
_CLOSE = 0.02
_USUAL = "cp1252"
_CLOSE_TO_USUAL = 0.15
_SIGNS = frozenset("£€¥§©®°±²³µ·½¼¾–—‘’“”…•™\u00a0")
"""Signs that stand alone in Western text, too few for a statistical guess."""
_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\r\f\v\x1a\x1b")


@dataclass(frozen=True)
class Encoding:
    """The encoding of a file, and why it was taken. `strict` says that every byte of it decodes."""

    name: str
    notes: tuple[str, ...] = ()
    strict: bool = True

    @property
    def codec(self) -> str:
        """The codec that decodes the file and leaves out a byte order mark."""
        return "utf-8-sig" if self.name == UTF8 else self.name


_FOREIGN = re.compile(rb"[\x80-\xff]+")
_ACCENT = re.compile(
    rb"(?<=[A-Za-z])[\xc0-\xd6\xd8-\xf6\xf8-\xff](?![\x80-\xff])"
    rb"|(?<![\x80-\xff])[\xc0-\xd6\xd8-\xf6\xf8-\xff](?=[A-Za-z])"
)
_MOSTLY = 0.9


def is_text(head: bytes) -> bool:
    """Return whether the first bytes of a file look like text in any encoding."""
    if head.startswith(_NOT_TEXT):
        return False
    if any(head.startswith(bom) for bom, _ in _BOMS) or _wide(head):
        return True
    controls = len(head) - len(head.translate(None, _CONTROL))
    return controls <= max(_CONTROLS_ALLOWED, _BINARY_SHARE * len(head))


def find_encoding(path: Path, asked: str | None = None) -> Encoding:
    """Return the encoding of the whole file, by its evidence or as asked.

    Raises: `InputError` when the file is not text, or the asked encoding does not exist.
    """
    if asked is not None:
        return _asked(path, asked)
    with path.open("rb") as file:
        head = file.read(_SAMPLE)
    if not is_text(head):
        raise InputError(
            "this is not a text file",
            where=str(path),
            found=describe(head),
            fix="give the table as CSV, JSON, Parquet or Excel",
        )
    for bom, name in _BOMS:
        if head.startswith(bom):
            return _checked(path, Encoding(name, () if name == UTF8 else (f"encoding {name}",)))
    wide = _wide(head)
    if wide:
        return _checked(path, Encoding(wide, (f"encoding {wide}",)))
    if _decodes(path, UTF8):
        return Encoding(UTF8)
    return _guess(path)


def _asked(path: Path, asked: str) -> Encoding:
    try:
        name = codecs.lookup(asked).name
        "".encode(name)
    except LookupError:
        raise InputError(
            f"there is no encoding {asked!r}",
            where=str(path),
            found="a name that is not known",
            fix="use utf-8, utf-16, cp1252, shift_jis or gb18030, or leave the option out",
        ) from None
    name = UTF8 if name == "utf-8-sig" else name
    return _checked(path, Encoding(name, () if name == UTF8 else (f"encoding {name}",)))


def _checked(path: Path, encoding: Encoding) -> Encoding:
    if _decodes(path, encoding.name):
        return encoding
    bad = sum(piece.count("�") for piece in _pieces(path, encoding.name, "replace"))
    note = f"{bad:,} characters that are not {encoding.name} are shown as � in the text"
    return Encoding(encoding.name, (*encoding.notes, note), strict=False)


def _wide(head: bytes) -> str | None:
    half = len(head) // 2
    if len(head) < _UTF16_BYTES:
        return None
    if head[1::2].count(0) > _ZEROS_OF_UTF16 * half and not head[0::2].count(0):
        return "utf-16-le"
    if head[0::2].count(0) > _ZEROS_OF_UTF16 * half and not head[1::2].count(0):
        return "utf-16-be"
    return None


def _pieces(path: Path, name: str, errors: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(name)(errors)
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield decoder.decode(chunk)
    yield decoder.decode(b"", True)


def _decodes(path: Path, name: str) -> bool:
    try:
        for _ in _pieces(path, name, "strict"):
            pass
    except UnicodeError:
        return False
    return True


def _guess(path: Path) -> Encoding:
    sample = _foreign_lines(path)
    text = sample.decode(UTF8, "replace")
    bad = text.count("�")
    good = sum(not char.isascii() for char in text) - bad
    if good >= _GOOD_FOR_EACH_BAD * bad:
        return _checked(path, Encoding(UTF8))
    plausible = _plausible(sample)
    name = next((one for one in plausible if _decodes(path, one)), "latin_1")
    others = [one for one in plausible if one != name][:2]
    seen = next((line for line in sample.decode(name, "replace").splitlines() if line), "")
    also = f"; {' and '.join(others)} would do too" if others else ""
    return Encoding(
        name, (f"not UTF-8: encoding {name} taken, so that it reads {shown(seen)}{also}",)
    )


def _foreign_lines(path: Path) -> bytes:
    lines: list[bytes] = []
    size = 0
    with path.open("rb") as file:
        while size < _SAMPLE and (line := file.readline(_CHUNK)):
            if not line.isascii():
                lines.append(line[:_SAMPLE])
                size += len(lines[-1])
    return b"".join(lines)


def _plausible(sample: bytes) -> list[str]:
    from charset_normalizer import from_bytes

    if {char for char in sample.decode(_USUAL, "replace") if not char.isascii()} <= _SIGNS:
        return [_USUAL]
    matches = from_bytes(sample, cp_isolation=list(_PREFERRED), threshold=0.9)
    chaos: dict[str, float] = {}
    for match in matches:
        if any(unicodedata.category(char) in {"Cc", "Co", "Cn"} and char not in "\t\r\n"
               for char in str(match)):  # fmt: skip
            continue
        for name in match.could_be_from_charset:
            chaos.setdefault(codecs.lookup(name).name.replace("-", "_"), match.chaos)
    least = min(chaos.values(), default=0.0)
    likely = [
        name
        for name in _PREFERRED
        if _known(chaos, name) <= least + (_CLOSE_TO_USUAL if name == _USUAL else _CLOSE)
    ]
    return list(dict.fromkeys([_USUAL, *likely])) if _accented(sample) else likely


def _accented(sample: bytes) -> bool:
    """Tell whether nearly every foreign byte is one accented letter among plain ones.

    Writings of two bytes a character have them in pairs, or begin with lower bytes.
    """
    runs = _FOREIGN.findall(sample)
    alone = len(_ACCENT.findall(sample))
    return alone >= _MOSTLY * len(runs)


def _known(chaos: dict[str, float], name: str) -> float:
    return chaos.get(codecs.lookup(name).name.replace("-", "_"), 1.0)
