"""Values of dates: year, quarter, weekday, the days between two dates."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from prepwright.planner.facts.columns import Facts
from prepwright.planner.language.grammar import RULES
from prepwright.planner.outcome import ROW_CONCEPT
from prepwright.planner.phrases.date_conditions import only_date
from prepwright.planner.steps.draft import Draft, Refusal
from prepwright.planner.steps.meaning import Term
from prepwright.planner.steps.typing import as_date, column, is_timed

_PARTS = {
    "year": ("year({})", "BIGINT"),
    "month": ("month({})", "BIGINT"),
    "day": ("day({})", "BIGINT"),
    "week": ("week({})", "BIGINT"),
    "quarter": ("quarter_label({})", "VARCHAR"),
    "weekday": ("dayname({})", "VARCHAR"),
    "month_name": ("monthname({})", "VARCHAR"),
}


_OPEN_PARTS = {
    "quarter": (
        ("year_quarter", "with its year, as 2024Q1", "quarter_label({})"),
        ("quarter", "the quarter alone, as Q1", "'Q' || quarter({})"),
        ("number", "its number, 1 to 4", "quarter({})"),
    ),
    "month": (
        ("year_month", "with its year, as 2024-03", "strftime({}, '%Y-%m')"),
        ("number", "its number, 1 to 12", "month({})"),
        ("name", "its name, as March", "monthname({})"),
    ),
}


_OPEN_GROUPS = {
    "week": (
        ("start", "as the Monday it starts on", "CAST(date_trunc('week', {}) AS DATE)"),
        ("number", "its number in the year, years put together", "week({})"),
    ),
    "day": (
        ("date", "each calendar day, as 2024-01-29", "CAST({} AS DATE)"),
        ("number", "its number in the month, months put together", "day({})"),
    ),
}
"""Parts that are open only where rows are grouped by them."""


def date_part(part: str, datecol: str = "", *, groups: bool = False) -> Term:
    """Return a part of a date; how a quarter, month, week or day is written is a choice."""
    open_parts = _OPEN_PARTS | _OPEN_GROUPS if groups else _OPEN_PARTS

    def sql(draft: Draft) -> str:
        date = as_date(draft, datecol or only_date(draft))
        if part not in open_parts:
            return _PARTS[part][0].format(date)
        options = open_parts[part]
        chosen = draft.choose(
            f"{part}_format",
            ROW_CONCEPT,
            f"How is a {part} written?",
            [(name, label) for name, label, _ in options],
            default=options[0][0],
            evidence=f"the request says only {part!r}",
        )
        return next(value for name, _, value in options if name == chosen).format(date)

    if groups and part in _OPEN_GROUPS:
        return Term(sql, "DATE", part)
    return Term(sql, _PARTS[part][1] if part not in _OPEN_PARTS else "VARCHAR", part)


@RULES.rule(
    "factor", "<datepart> [(of | from | in | for | part of) <datecol>]", "<datecol> <datepart>"
)
def part_of_date(datepart: str, datecol: str = "") -> Term:
    return date_part(datepart, datecol)


@RULES.rule(
    "factor",
    "[number of | count of] <timeunit> [elapsed | passed] (between | from) <a:datecol> (and | to "
    "| until) <b:datecol>",
    "(duration | time | difference | length | interval | age | gap) [in <timeunit>] (between | "
    "from) <a:datecol> (and | to | until) <b:datecol> [in <timeunit>]",
)
def duration(a: str, b: str, timeunit: str = "day") -> Term:
    def sql(draft: Draft) -> str:
        one, other = _in_time(draft, a, b)
        if timeunit != "hour":
            function = "datediff" if timeunit == "day" else "datesub"
            return f"{function}('{timeunit}', {as_date(draft, one)}, {as_date(draft, other)})"
        if not (is_timed(draft, one) or is_timed(draft, other)):
            raise Refusal("hours need times of day; days, weeks, months and years work")
        return f"datediff('second', {as_date(draft, one)}, {as_date(draft, other)}) / 3600"

    return Term(sql, "DOUBLE" if timeunit == "hour" else "BIGINT", f"{timeunit}s")


def _in_time(draft: Draft, a: str, b: str) -> tuple[str, str]:
    """Return where a duration starts and ends: `between end and start` may name the end first."""
    first, second = (column(draft, name).facts for name in (a, b))
    if first is None or second is None or not _later(first, second):
        return a, b
    chosen = draft.choose(
        f"between_{a}_{b}",
        ROW_CONCEPT,
        f"From {b} to {a}, or from {a} to {b}?",
        [("forward", f"from {b} to {a}, {a} being later"), ("said", f"from {a} to {b}, as said")],
        default="forward",
        evidence=f"{a} is the later of the two, by its first and its last date",
    )
    return (b, a) if chosen == "forward" else (a, b)


def _later(one: Facts, other: Facts) -> bool:
    ends = [(min(found), max(found)) for found in (one.moments, other.moments) if found]
    return len(ends) == 2 and ends[0][0] > ends[1][0] and ends[0][1] > ends[1][1]
