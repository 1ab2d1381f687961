"""Tell which texts are numbers, and which marks they use."""

import re
from collections.abc import Iterable

NULL_TOKENS = frozenset(
    ["", "n/a", "na", "-", "--", "null", "none", "nan", "?", "tbc", "tbd", "missing", "#n/a", "nil"]
)
"""Texts that stand for a missing number or date, casefolded."""

_BODY = r"(?:\d{1,3}(?:[, ]\d{3})+|\d+)(?:\.\d+)?|\.\d+"
_COMMA_BODY = r"(?:\d{1,3}(?:[. ]\d{3})+|\d+)(?:,\d+)?"
_CURRENCY = r"(?:[$£€¥₹]|usd|eur|gbp|chf)?"
_SIGN = r"[-−+]?"
_POINT = re.compile(
    rf"\(?{_SIGN}\s*{_CURRENCY}\s*{_SIGN}(?:{_BODY})\s*{_CURRENCY}\s*(?:%|[kmb])?\)?", re.I
)
_COMMA = re.compile(
    rf"\(?{_SIGN}\s*{_CURRENCY}\s*{_SIGN}(?:{_COMMA_BODY})\s*{_CURRENCY}\s*(?:%|[kmb])?\)?", re.I
)
_EXPONENT = re.compile(r"[-+]?\d+(?:\.\d+)?e[-+]?\d+", re.I)
_PLAIN = re.compile(r"-?[1-9]\d*(?:\.\d*[1-9])?|-?0\.\d*[1-9]|0")
_WHOLE = re.compile(r"[-+]?\d{1,3}(?:[, ]\d{3})+|[-+]?\d+")
_EXACT_DIGITS = 15
_DECIMAL_COMMA = re.compile(r"(?:^|\D)\d*,\d{1,2}(?:\D*$)|\.\d{3},\d|,\d{4,}\D*$")


def is_number(text: str, *, decimal_comma: bool = False) -> bool:
    """Return whether a text is one number, with separators, currency, percent or magnitude."""
    bare = text.strip()
    pattern = _COMMA if decimal_comma else _POINT
    return bool(pattern.fullmatch(bare) or _EXPONENT.fullmatch(bare))


def uses_decimal_comma(texts: Iterable[str]) -> bool:
    """Return whether the texts can only be read with a comma as the decimal mark."""
    seen = False
    for text in texts:
        if is_number(text) and not _DECIMAL_COMMA.search(text.strip()):
            if "." in text:
                return False
            continue
        if is_number(text, decimal_comma=True):
            seen = True
    return seen


def is_plain_number(text: str) -> bool:
    """Return whether a number is written back as it stands: no marks, no zeros to spare."""
    return bool(_PLAIN.fullmatch(text)) and sum(map(str.isdigit, text)) <= _EXACT_DIGITS


def is_whole(text: str) -> bool:
    """Return whether a text is a whole number, with separators or without."""
    return bool(_WHOLE.fullmatch(text.strip()))


def is_large_whole(text: str) -> bool:
    """Return whether a text is a whole number with more digits than a double surely holds."""
    return is_whole(text) and sum(map(str.isdigit, text)) > _EXACT_DIGITS


def is_null_token(text: str) -> bool:
    """Return whether a text is one of those that people write for a missing value."""
    return text.strip().casefold() in NULL_TOKENS
