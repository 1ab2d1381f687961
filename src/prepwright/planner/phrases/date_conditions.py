"""Conditions on dates: `before March 2024`, `in Q1 2024`, `between 1 May 2024 and 15 May 2024`."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from prepwright.planner.language.grammar import RULES
from prepwright.planner.language.literals import Period
from prepwright.planner.outcome import REFERENCE
from prepwright.planner.steps.draft import Draft, Refusal
from prepwright.planner.steps.meaning import Condition, TailCondition
from prepwright.planner.steps.typing import as_date, is_timed

RELATIONS = {
    "before": ("before", "earlier than", "prior to", "older than", "<", "until before"),
    "after": ("after", "later than", "newer than", ">", "past"),
    "since": ("on or after", "since", "from", "starting", "starting from", ">=", "starting on",
              "not before",
              "starting in", "from on"),
    "until": ("on or before", "until", "up to", "<=", "by", "through", "no later than", "not after",
              "up to and including"),
    "in": ("in", "during", "within", "on", "of", "dated", "for", "falls in", "fall in",
           "falling in", "=",
           "is", "are", "made in", "placed in", "falls on", "lies in", "is from", "was in"),
}  # fmt: skip


PLACED = (
    "[%be | that %be | which %be] (placed | made | dated | created | registered | taken | "
    "received | recorded | issued | ordered | happening)"
)
"""Verbs that stand between a row and its date."""


def date_of(draft: Draft, name: str) -> str:
    """Return a date column as a date: the named one, or the table's only one."""
    return as_date(draft, name or only_date(draft))


def only_date(draft: Draft) -> str:
    """Return the date column of the table; which of several is a choice."""
    names = [col.name for col in draft.view.columns if col.kind == "date"]
    names = names or [col.name for col in draft.view.columns if "date" in col.kinds]
    if not names:
        raise Refusal("no column of the table holds dates")
    if len(names) == 1:
        return names[0]
    return draft.choose(
        "column_date",
        REFERENCE,
        "Which date counts?",
        [(name, name) for name in names],
        default=names[0],
        evidence=f"{len(names)} columns hold dates: {', '.join(names)}",
    )


def _relation(relation: str, date: str, period: Period, *, timed: bool) -> str:
    start, end = f"DATE '{period.start}'", f"DATE '{period.end}'"
    if period.single and relation == "in" and not timed:
        return f"{date} = {start}"
    tests = {
        "before": f"{date} < {start}",
        "after": f"{date} >= {end}",
        "since": f"{date} >= {start}",
        "until": f"{date} < {end}",
        "in": f"({date} >= {start} AND {date} < {end})",
    }
    return tests[relation]


def _condition(relation: str, datecol: str, period: Period) -> Condition:
    def sql(draft: Draft) -> str:
        name = datecol or only_date(draft)
        timed = is_timed(draft, name)
        return _relation(relation, as_date(draft, name), period, timed=timed)

    return Condition(sql, datecol)


def _register(relation: str, phrases: tuple[str, ...]) -> None:
    words = " | ".join(phrases)

    @RULES.rule(
        "atom",
        f"<datecol> [%be] ({words}) <period>",
        f"({words}) <period>",
        f"{PLACED} ({words}) <period>",
    )
    def relate(period: Period, datecol: str = "") -> Condition:
        return _condition(relation, datecol, period)

    @RULES.rule("tail", f"[%be] ({words}) <period>")
    def relate_tail(period: Period) -> TailCondition:
        return lambda col: _condition(relation, col, period)


for _name, _phrases in RELATIONS.items():
    _register(_name, _phrases)


@RULES.rule("atom", "<datecol> <period>", "<period>", cost=0.2)
def within(period: Period, datecol: str = "") -> Condition:
    return _condition("in", datecol, period)


@RULES.rule(
    "atom",
    "<datecol> [%be | fall | falls] (between | from) <low:period> (and | to | until | through) "
    "<high:period> [inclusive]",
    f"[{PLACED}] (between | from) <low:period> (and | to | until | through) <high:period> "
    "[inclusive]",
)
def between_dates(low: Period, high: Period, datecol: str = "") -> Condition:
    def sql(draft: Draft) -> str:
        date = date_of(draft, datecol)
        return f"({date} >= DATE '{low.start}' AND {date} < DATE '{high.end}')"

    return Condition(sql, datecol)


@RULES.rule(
    "atom",
    "<datecol> [%be | falls] in <monthname>",
    f"[{PLACED}] (in | during | from | of) <monthname>",
    cost=0.1,
)
def in_month(monthname: int, datecol: str = "") -> Condition:
    return Condition(lambda draft: f"month({date_of(draft, datecol)}) = {monthname}", datecol)


@RULES.rule(
    "atom",
    "<datecol> [%be | falls] on [a] weekend",
    "on [a] weekend",
    "on weekends",
    "<datecol> is [a] weekend",
)
def on_weekend(datecol: str = "") -> Condition:
    return Condition(lambda draft: f"isodow({date_of(draft, datecol)}) >= 6", datecol)


@RULES.rule("atom", "<datecol> [%be | falls] on [a] weekday", "on [a] weekday", "on weekdays")
def on_weekday(datecol: str = "") -> Condition:
    return Condition(lambda draft: f"isodow({date_of(draft, datecol)}) <= 5", datecol)
