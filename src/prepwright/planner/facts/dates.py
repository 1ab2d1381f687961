"""Tell which date formats parse which texts."""

import datetime
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_PIECE = re.compile(r"\d+|[^\W\d_]+|[\W_]+")
_TIME = re.compile(
    r"^(.*?\d)(T|\s+)(\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(\s?[ap]m)?(Z|\s?[+-]\d{2}(?::?\d{2})?|)$",
    re.I,
)
_DAY_FIRST = "dm"
_MONTH_FIRST = "md"


@dataclass(frozen=True)
class DateFormats:
    """The formats that parse a column. `order` is open when day and month may be swapped.

    `clock` says that some time of day is not midnight, so that a date would lose it.
    """

    formats: tuple[str, ...]
    swapped: tuple[str, ...]
    open_order: bool
    clock: bool
    unparsed: tuple[str, ...]
    parsed: int
    example: str = ""


def month_number(word: str) -> int:
    """Return 1-12 for the name of a month, full or cut to three letters or more; 0 otherwise."""
    folded = word.casefold().rstrip(".")
    if len(folded) < 3:
        return 0
    if folded == "sept":
        return 9
    return next((at for at, name in enumerate(MONTHS, 1) if folded in (name, name[:3])), 0)


@lru_cache(maxsize=200_000)
def formats_of(text: str) -> tuple[str, ...]:
    """Return every date format that parses the text, day-first before month-first."""
    bare = text.strip()
    if not 6 <= len(bare) <= 40 or not any(character.isdigit() for character in bare):
        return ()
    day, tail = bare, ""
    if found := _TIME.match(bare):
        day, tail = found.group(1), _time_format(found)
    pieces = tuple(_PIECE.findall(day))
    return tuple(form + tail for form in _date_formats(pieces))


def _time_format(found: re.Match[str]) -> str:
    clock, noon = found.group(3), found.group(4)
    gap = "T" if found.group(2) == "T" else found.group(2)
    hours = "%I" if noon else "%H"
    rest = ":%M" + (":%S" if clock.count(":") == 2 else "") + (".%f" if "." in clock else "")
    ending = "" if not noon else (" %p" if noon[0] == " " else "%p")
    if zone := found.group(5):
        ending += zone if zone == "Z" else zone[: len(zone) - len(zone.lstrip())] + "%z"
    return gap + hours + rest + ending


def _date_formats(pieces: tuple[str, ...]) -> list[str]:
    lead = ""
    if pieces and (form := _weekday(pieces[0])):
        lead, pieces = form + (pieces[1] if len(pieces) > 1 else ""), pieces[2:]
    if len(pieces) == 5:
        return [lead + form for form in _three_parts(pieces)]
    if len(pieces) == 3 and not lead:
        return _two_parts(pieces)
    if len(pieces) == 1 and re.fullmatch(r"(19|20)\d{6}", pieces[0]):
        year, month, day = int(pieces[0][:4]), int(pieces[0][4:6]), int(pieces[0][6:])
        return ["%Y%m%d"] if _exists(year, month, day) else []
    return []


def _weekday(piece: str) -> str:
    folded = piece.casefold()
    if folded in WEEKDAYS:
        return "%A"
    return "%a" if any(folded == name[:3] for name in WEEKDAYS) else ""


def _month_formats(piece: str) -> list[str]:
    if not month_number(piece) or piece.casefold() == "sept":
        return []
    short, full = len(piece) == 3, piece.casefold() in MONTHS
    return ["%b"] * short + ["%B"] * full


def _three_parts(pieces: tuple[str, ...]) -> list[str]:
    a, gap, b, gap2, c = pieces
    if not (a.isdigit() or b.isdigit()) or not c.isdigit():
        return []
    if a.isdigit() and b.isdigit():
        return _numeric(a, b, c, gap, gap2)
    month, day = (a, b) if b.isdigit() else (b, a)
    year_form, year = _year(c)
    if not year_form or len(day) > 2 or not _exists(year, month_number(month), int(day)):
        return []
    forms = _month_formats(month)
    if b.isdigit():
        return [f"{form}{gap}%d{gap2}{year_form}" for form in forms]
    return [f"%d{gap}{form}{gap2}{year_form}" for form in forms]


def _numeric(a: str, b: str, c: str, gap: str, gap2: str) -> list[str]:
    if gap != gap2 or gap.strip() not in ("-", "/", ".", ""):
        return []
    if len(a) == 4:
        good = len(c) <= 2 and len(b) <= 2 and _exists(int(a), int(b), int(c))
        return [f"%Y{gap}%m{gap}%d"] if good else []
    year_form, year = _year(c)
    if not year_form or max(len(a), len(b)) > 2:
        return []
    forms: list[str] = []
    if _exists(year, int(b), int(a)):
        forms.append(f"%d{gap}%m{gap}{year_form}")
    if _exists(year, int(a), int(b)):
        forms.append(f"%m{gap}%d{gap}{year_form}")
    return forms


def _year(piece: str) -> tuple[str, int]:
    if len(piece) == 4:
        return "%Y", int(piece)
    return ("%y", 2000 + int(piece)) if len(piece) == 2 else ("", 0)


def _two_parts(pieces: tuple[str, ...]) -> list[str]:
    a, gap, b = pieces
    if b.isdigit() and not a.isdigit() and len(b) == 4:
        return [f"{form}{gap}%Y" for form in _month_formats(a)]
    if a.isdigit() and b.isdigit() and gap in "-/" and len(a) == 4 and len(b) <= 2:
        return [f"%Y{gap}%m"] if 1 <= int(b) <= 12 else []
    return []


def _exists(year: int, month: int, day: int) -> bool:
    try:
        datetime.date(year, month, day)
    except ValueError:
        return False
    return True


def _order(form: str) -> str:
    day, month = form.find("%d"), form.find("%m")
    if day < 0 or month < 0 or form.startswith("%Y"):
        return ""
    return _DAY_FIRST if day < month else _MONTH_FIRST


def date_formats(texts: Iterable[str], *, month_first: bool = False) -> DateFormats:
    """Return the shortest list of formats that parses every text, most used first.

    When nothing in the texts tells day from month, both orders are given and `open_order` is set.
    """
    found = [(text, formats_of(text)) for text in texts]
    unparsed = tuple(text for text, forms in found if not forms)
    wanted = [(text, forms) for text, forms in found if forms]
    only = {order for _, forms in wanted for order in [_only_order(forms)] if order}
    both = any(
        {_order(form) for form in forms} >= {_DAY_FIRST, _MONTH_FIRST} for _, forms in wanted
    )
    first = (
        _MONTH_FIRST if (month_first and len(only) != 1) or only == {_MONTH_FIRST} else _DAY_FIRST
    )
    second = _DAY_FIRST if first == _MONTH_FIRST else _MONTH_FIRST
    forms = [forms for _, forms in wanted]
    example = next((text for text, names in wanted if len({_order(n) for n in names}) > 1), "")
    return DateFormats(
        formats=_cover(forms, first),
        swapped=_cover(forms, second),
        open_order=both and len(only) != 1,
        clock=any(_has_clock(text) for text, _ in wanted),
        unparsed=unparsed,
        parsed=len(wanted),
        example=example,
    )


def _has_clock(text: str) -> bool:
    found = _TIME.match(text.strip())
    if not found:
        return False
    midnight = "12:00" if (found.group(4) or "").strip().casefold() == "am" else "00:00"
    hours, _, rest = found.group(3).partition(":")
    return f"{hours:0>2}:{rest[:2]}" != midnight or bool(re.search("[1-9]", rest[2:]))


def moments(texts: Iterable[str], formats: Iterable[str]) -> tuple[datetime.datetime, ...]:
    """Return the moments of texts, in UTC; a text that no format reads is left out."""
    known = tuple(formats)
    found = (_moment(text.strip(), known) for text in texts)
    return tuple(moment for moment in found if moment is not None)


def _moment(text: str, formats: tuple[str, ...]) -> datetime.datetime | None:
    for form in formats:
        try:
            read = datetime.datetime.strptime(text, form)
        except ValueError:
            continue
        return read if read.tzinfo else read.replace(tzinfo=datetime.UTC)
    return None


def _only_order(forms: tuple[str, ...]) -> str:
    orders = {_order(form) for form in forms}
    return orders.pop() if len(orders) == 1 else ""


def _cover(rows: list[tuple[str, ...]], first: str) -> tuple[str, ...]:
    rest = [_preferred(forms, first) for forms in rows]
    chosen: list[str] = []
    while rest:
        counts: dict[str, int] = {}
        for forms in rest:
            for form in forms:
                counts[form] = counts.get(form, 0) + 1
        best = max(counts, key=lambda form: counts[form])
        chosen.append(best)
        rest = [forms for forms in rest if best not in forms]
    return tuple(sorted(chosen, key=lambda form: _order(form) not in ("", first)))


def _preferred(forms: tuple[str, ...], first: str) -> tuple[str, ...]:
    kept = tuple(form for form in forms if _order(form) in ("", first))
    return kept or forms
