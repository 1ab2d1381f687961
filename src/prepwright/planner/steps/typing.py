"""Type a column when a clause needs a number or a date, in a step of its own that says why."""

from prepwright.errors import listed
from prepwright.planner.facts.columns import Col, Facts
from prepwright.planner.outcome import IRREGULARITY
from prepwright.planner.steps.draft import Draft, Refusal, ident, literal

_FEW = 3
_MOST = 0.5


def column(draft: Draft, name: str) -> Col:
    """Return a column of the draft's table."""
    found = draft.view.find(name)
    if found is None:
        raise Refusal(f"no column {name!r} at this point; columns: {listed(draft.view.names)}")
    return found


def as_number(draft: Draft, name: str) -> str:
    """Return a column as a number, after a step that parses it when it is text."""
    col = column(draft, name)
    if col.type != "VARCHAR":
        if col.kind != "number":
            raise Refusal(f"{name} is a {col.kind}, not a number")
        return ident(name)
    if col.facts is not None and not _mostly(col.facts, col.facts.odd_numbers):
        raise Refusal(f"{name} holds no numbers: {listed(col.facts.real[:_FEW])}")
    comma = bool(col.facts and col.facts.decimal_comma)
    marks = ", ',', '.'" if comma else ""
    _retype(draft, name, f"parse_number({ident(name)}{marks})", "DOUBLE", f"{name} as numbers")
    if col.facts:
        _say_lost(draft, name, col.facts, col.facts.odd_numbers, "numbers")
    return ident(name)


def as_date(draft: Draft, name: str) -> str:
    """Return a column as a date, after a step that parses it by the formats that fit every row."""
    col = column(draft, name)
    if col.type != "VARCHAR":
        if col.kind != "date":
            raise Refusal(f"{name} is a {col.kind}, not a date")
        return ident(name)
    formats = formats_for(draft, col)
    why = f"{name} as dates"
    _retype(draft, name, f"parse_date({ident(name)}, {formats})", "DATE", why)
    if col.facts:
        _say_lost(draft, name, col.facts, col.facts.dates.unparsed, "dates")
    return ident(name)


def as_text(draft: Draft, name: str) -> str:
    """Return a column as text, written inside the expression."""
    col = column(draft, name)
    return ident(name) if col.type == "VARCHAR" else f"CAST({ident(name)} AS VARCHAR)"


def formats_for(draft: Draft, col: Col) -> str:
    """Return the list of date formats of a text column, as an expression writes it."""
    facts = col.facts
    if facts is None or not facts.dates.parsed or not _mostly(facts, facts.dates.unparsed):
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


def _mostly(facts: Facts, odd: tuple[str, ...]) -> bool:
    rows = facts.touched(facts.real)
    return not rows or facts.touched(odd) < rows * _MOST


def _retype(draft: Draft, name: str, value: str, kind: str, why: str) -> None:
    draft.derive({name: value}, {name: kind}, f"{name}_typed", why=why)


def _say_lost(draft: Draft, name: str, facts: Facts, odd: tuple[str, ...], what: str) -> None:
    lost = odd + tuple(text for text in facts.tokens if text.strip())
    if lost:
        count = facts.touched(lost)
        rows = "row holds" if count == 1 else "rows hold"
        draft.notice(
            f"{count:,} {rows} no {what} in {name} ({listed(lost[:_FEW])}): left empty",
            step=draft.view.step,
        )
