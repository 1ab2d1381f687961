"""Read a column as numbers or dates where a clause needs them, without a change to its cells."""

import re
from collections.abc import Callable

from prepwright.errors import listed
from prepwright.planner.facts.columns import Col, Facts
from prepwright.planner.facts.numbers import is_large_whole, is_plain_number, is_whole
from prepwright.planner.outcome import IRREGULARITY
from prepwright.planner.steps.draft import Draft, Refusal, ident, literal

_FEW = 3
_MOST_DIGITS = 38
_ISO_DATE = re.compile(r"[1-9]\d{3}-\d{2}-\d{2}")
_ISO_TIME = re.compile(r"[1-9]\d{3}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}")


def column(draft: Draft, name: str) -> Col:
    """Return a column of the draft's table."""
    found = draft.view.find(name)
    if found is None:
        raise Refusal(f"no column {name!r} at this point; columns: {listed(draft.view.names)}")
    return found


def as_number(draft: Draft, name: str) -> str:
    """Return a column as a number, to be written inside an expression.

    A text column whose cells are written as numbers are gets that type in a step of its own, which
    changes no cell. Any other keeps its cells, and the expression reads them.
    """
    col = column(draft, name)
    if col.type == "VARCHAR" and not _plain(col.facts, is_plain_number):
        value = _number(col)
        _say_lost(draft, name, col.facts, "numbers")
        return value
    return number_column(draft, name)


def number_column(draft: Draft, name: str) -> str:
    """Return a column as a number, after a step that makes numbers of its cells."""
    col = column(draft, name)
    if col.type != "VARCHAR":
        if col.kind != "number":
            raise Refusal(f"{name} is a {col.kind}, not a number")
        return ident(name)
    draft.derive({name: _number(col)}, {name: "DOUBLE"}, f"{name}_typed", why=f"{name} as numbers")
    _say_lost(draft, name, col.facts, "numbers", typed=True)
    return ident(name)


def _number(col: Col) -> str:
    name, facts = ident(col.name), col.facts
    if facts is None:
        return f"parse_number({name})"
    if facts.real and not facts.could_be("number"):
        raise Refusal(f"{col.name} holds no numbers: {listed(facts.real[:_FEW])}")
    if any(map(is_large_whole, facts.real)):
        return _large(col.name, facts)
    marks = ", ',', '.'" if facts.decimal_comma else ""
    return f"parse_number({name}{marks})"


def _large(name: str, facts: Facts) -> str:
    """Return whole numbers to their last digit; a double would round them."""
    digits = max(sum(map(str.isdigit, text)) for text in facts.real)
    if digits > _MOST_DIGITS or not all(map(is_whole, facts.real)):
        raise Refusal(
            f"{name} has numbers of {digits} digits beside others: they cannot be kept exact"
        )
    marked = any(not text.strip().lstrip("-+").isdigit() for text in facts.real)
    bare = f"regexp_replace({ident(name)}, '[, ]', '', 'g')" if marked else ident(name)
    return f"TRY_CAST({bare} AS HUGEINT)"


def is_timed(draft: Draft, name: str) -> bool:
    """Return whether a column of dates has times of day that a date would lose."""
    col = column(draft, name)
    if col.type != "VARCHAR" or col.facts is None:
        return col.type.startswith("TIMESTAMP")
    return col.facts.dates.clock


def as_date(draft: Draft, name: str) -> str:
    """Return a column as a date, or date with time, to be written inside an expression.

    A text column of ISO dates gets that type in a step of its own, which changes no cell. Any other
    keeps its cells, and the expression reads them.
    """
    col = column(draft, name)
    form = _ISO_TIME if is_timed(draft, name) else _ISO_DATE
    if col.type == "VARCHAR" and not _plain(col.facts, lambda text: bool(form.fullmatch(text))):
        value, _ = _date(draft, col)
        _say_lost(draft, name, col.facts, "dates")
        return value
    return date_column(draft, name)


def date_column(draft: Draft, name: str) -> str:
    """Return a column as a date, after a step that parses its cells by the formats that fit."""
    col = column(draft, name)
    if col.type != "VARCHAR":
        if col.kind != "date":
            raise Refusal(f"{name} is a {col.kind}, not a date")
        return ident(name)
    value, kind = _date(draft, col)
    draft.derive({name: value}, {name: kind}, f"{name}_typed", why=f"{name} as dates")
    _say_lost(draft, name, col.facts, "dates", typed=True)
    return ident(name)


def _date(draft: Draft, col: Col) -> tuple[str, str]:
    formats = formats_for(draft, col)
    if is_timed(draft, col.name):
        return f"parse_timestamp({ident(col.name)}, {formats})", "TIMESTAMP"
    return f"parse_date({ident(col.name)}, {formats})", "DATE"


def is_plain(draft: Draft, name: str) -> bool:
    """Return whether every cell of a text column is a number as a number is written."""
    return _plain(column(draft, name).facts, is_plain_number)


def _plain(facts: Facts | None, written: Callable[[str], bool]) -> bool:
    """Return whether a type would write every cell of a column as it stands."""
    return facts is not None and facts.complete and all(map(written, facts.counts))


def as_text(draft: Draft, name: str) -> str:
    """Return a column as text, written inside the expression."""
    col = column(draft, name)
    return ident(name) if col.type == "VARCHAR" else f"CAST({ident(name)} AS VARCHAR)"


def formats_for(draft: Draft, col: Col) -> str:
    """Return the list of date formats of a text column, as an expression writes it."""
    facts = col.facts
    if facts is None or not facts.could_be("date"):
        found = listed(facts.real[:_FEW]) if facts else "a derived text"
        raise Refusal(f"{col.name} holds no dates: {found}")
    known = facts.dates
    formats = known.formats
    if known.open_order:
        chosen = draft.choose(
            f"day_month_{col.name}",
            IRREGULARITY,
            f"In {col.name}, is {known.example} day/month or month/day?",
            [("day_first", "day/month/year"), ("month_first", "month/day/year")],
            default="day_first",
            evidence=f"both orders parse all {facts.rows - facts.nulls:,} values",
        )
        formats = known.formats if chosen == "day_first" else known.swapped
    return "[" + ", ".join(literal(form) for form in formats) + "]"


def _say_lost(
    draft: Draft, name: str, facts: Facts | None, what: str, *, typed: bool = False
) -> None:
    if facts is None:
        return
    odd = facts.odd_numbers if what == "numbers" else facts.dates.unparsed
    lost = odd + tuple(text for text in facts.tokens if text.strip())
    if lost:
        count = facts.touched(lost)
        rows = "row holds" if count == 1 else "rows hold"
        draft.notice(
            f"{count:,} {rows} no {what} in {name} ({listed(lost[:_FEW])}): "
            + ("left empty" if typed else "taken as missing"),
            step=draft.view.step if typed else "",
        )
