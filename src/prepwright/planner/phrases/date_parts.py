"""Values of dates: year, quarter, weekday, the days between two dates."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from prepwright.planner.language.grammar import RULES
from prepwright.planner.outcome import ROW_CONCEPT
from prepwright.planner.phrases.date_conditions import only_date
from prepwright.planner.steps.draft import Draft, Refusal
from prepwright.planner.steps.meaning import Term
from prepwright.planner.steps.typing import as_date

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


def date_part(part: str, datecol: str = "") -> Term:
    """Return a part of a date; how a quarter or month is written is a choice."""

    def sql(draft: Draft) -> str:
        date = as_date(draft, datecol or only_date(draft))
        if part not in _OPEN_PARTS:
            return _PARTS[part][0].format(date)
        options = _OPEN_PARTS[part]
        chosen = draft.choose(
            f"{part}_format",
            ROW_CONCEPT,
            f"How is a {part} written?",
            [(name, label) for name, label, _ in options],
            default=options[0][0],
            evidence=f"the request says only {part!r}",
        )
        return next(value for name, _, value in options if name == chosen).format(date)

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
    if timeunit == "hour":
        return Term(_no_hours, "BIGINT", "hours")

    def sql(draft: Draft) -> str:
        function = "datediff" if timeunit == "day" else "datesub"
        return f"{function}('{timeunit}', {as_date(draft, a)}, {as_date(draft, b)})"

    return Term(sql, "BIGINT", f"{timeunit}s")


def _no_hours(draft: Draft) -> str:
    raise Refusal("hours need times of day; days, weeks, months and years between dates work")
