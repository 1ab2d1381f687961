"""Values of a group: `average fee`, `number of customers`, `share of total sales`."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from collections.abc import Iterable

from prepwright.planner.language.grammar import RULES, Match, Reader
from prepwright.planner.language.terms import listing
from prepwright.planner.outcome import GROUP_CONCEPT
from prepwright.planner.steps.draft import Draft, ident
from prepwright.planner.steps.meaning import Measure
from prepwright.planner.steps.typing import as_date, as_number

_PREFIX = {
    "avg": "avg",
    "sum": "total",
    "min": "min",
    "max": "max",
    "median": "median",
    "stddev": "stddev",
}


_EDGES = {"first_date": ("min", "first"), "last_date": ("max", "last")}


def _measure(function: str, col: str) -> Measure:
    if function in _EDGES:
        sql_name, prefix = _EDGES[function]
        return Measure(
            lambda draft: f"{sql_name}({as_date(draft, col)})",
            "DATE",
            f"{prefix}_{col}",
            col,
            function,
        )
    return Measure(
        lambda draft: f"{function}({as_number(draft, col)})",
        "DOUBLE",
        f"{_PREFIX[function]}_{col}",
        col,
        function,
    )


@RULES.rule("measure", "<aggregation> [of | value of] <numcol>", "<numcol> <aggregation>")
def number_measure(aggregation: str, numcol: str) -> tuple[Measure, ...] | None:
    return None if aggregation in _EDGES else (_measure(aggregation, numcol),)


RULES.term("aggregations")(
    listing("aggregation", (", and", ",", "and", "as well as", "/", "&", "plus"))
)


@RULES.rule("measure", "<aggregations> [of | value of] <numcols>", cost=0.03)
def number_measures(
    aggregations: tuple[str, ...], numcols: tuple[str, ...]
) -> tuple[Measure, ...] | None:
    if len(aggregations) * len(numcols) < 2 or any(one in _EDGES for one in aggregations):
        return None
    return tuple(_measure(one, col) for col in numcols for one in aggregations)


@RULES.rule("measure", "<aggregations> [of] <datecol>", cost=0.03)
def date_measures(aggregations: tuple[str, ...], datecol: str) -> tuple[Measure, ...] | None:
    found = [date_measure(aggregation=one, datecol=datecol) for one in aggregations]
    if len(found) < 2:
        return None
    known = [one for group in found if group for one in group]
    return tuple(known) if len(known) == len(found) else None


@RULES.rule("measured", "<measure> [,] (ignoring | excluding | skipping) [any] %missing [value]")
def without_missing(measure: tuple[Measure, ...]) -> tuple[Measure, ...]:
    """Read what is so anyway: a missing value is in no sum, mean or count of values."""
    return measure


@RULES.rule("measure", "<aggregation> [of] <datecol>", "[date of] <aggregation> <datecol>")
def date_measure(aggregation: str, datecol: str) -> tuple[Measure, ...] | None:
    edge = {"min": "first_date", "max": "last_date"}.get(aggregation, aggregation)
    return (_measure(edge, datecol),) if edge in _EDGES else None


COUNTED = Measure(lambda draft: "count(*)", "BIGINT", "count", "", "count")


@RULES.rule(
    "measure",
    "(number | count | total number | total count | amount) of <rownoun>",
    "count [the] (number | amount) of <rownoun>",
    "[count] how many <rownoun> %be (placed | made | there | taken | received)",
    "how many <rownoun> [there are | are there | we have | exist]",
    "(row | record) count",
    "count [<rownoun>]",
    "<rownoun> count",
    "(number | count) of (them | each | occurrence | time | entries | item)",
)
def row_count(rownoun: str = "") -> tuple[Measure, ...]:
    return (COUNTED,)


@RULES.rule(
    "measure",
    "[total] (number | count) of (distinct | unique | different) <col>",
    "(distinct | unique) count of <col>",
    "count [of] (distinct | unique | different) <col>",
    "how many (distinct | unique | different) <col> [there are | are there]",
    "(distinct | unique) (number | count) of <col>",
    "(distinct | unique | different) <col> count",
)
def distinct_count(col: str) -> tuple[Measure, ...]:
    value = f"count(DISTINCT {ident(col)})"
    return (Measure(lambda draft: value, "BIGINT", f"distinct_{col}", col, "distinct"),)


@RULES.rule(
    "measure",
    "(number | count) of <col>",
    "how many <col> [there are | are there]",
    "count [of] <col>",
    cost=0.1,
)
def open_count(col: str) -> tuple[Measure, ...]:
    def sql(draft: Draft) -> str:
        chosen = draft.choose(
            f"count_{col}",
            GROUP_CONCEPT,
            f"Does each different {col} count once, or each row with a {col}?",
            [("distinct", f"each different {col} once"), ("rows", "each row")],
            default="distinct",
            evidence=f"{col} can be in several rows",
        )
        return f"count(DISTINCT {ident(col)})" if chosen == "distinct" else f"count({ident(col)})"

    return (Measure(sql, "BIGINT", f"count_{col}", col, "count"),)


@RULES.rule(
    "measure",
    "[weighted] (average | mean) [of] <a:numcol> [,] weighted by <b:numcol>",
    "<b:numcol> weighted (average | mean) [of] <a:numcol>",
)
def weighted(a: str, b: str) -> tuple[Measure, ...]:
    def sql(draft: Draft) -> str:
        value, weight = as_number(draft, a), as_number(draft, b)
        weights = f"sum(CASE WHEN {value} IS NOT NULL THEN {weight} END)"
        return f"sum({value} * {weight}) / nullif({weights}, 0)"

    return (Measure(sql, "DOUBLE", f"avg_{a}", a, "weighted"),)


@RULES.rule(
    "measure",
    "(share | proportion | fraction) of [the] [grand | overall] [total] <numcol>",
    "(percentage | percent) of [the] [grand | overall] [total] <numcol>",
    "<numcol> (share | percentage | percent | proportion) [of total | of the total]",
)
def share_measure(numcol: str) -> tuple[Measure, ...]:
    return (
        Measure(
            lambda draft: f"sum({as_number(draft, numcol)})",
            "DOUBLE",
            f"{numcol}_share",
            numcol,
            "share",
        ),
    )


@RULES.rule("measured", "<measure>")
def unnamed_measure(measure: tuple[Measure, ...]) -> tuple[Measure, ...]:
    return measure


@RULES.rule(
    "measured",
    "<measure> %called <newname>",
    "<newname> (= | : | as) <measure>",
    "<newname> %open <measure> %close",
    cost=0.02,
)
def named_measure(measure: tuple[Measure, ...], newname: str) -> tuple[Measure, ...] | None:
    return (measure[0].named(newname),) if len(measure) == 1 else None


@RULES.term("measures")
def measures(reader: Reader, at: int) -> Iterable[Match]:
    glue = (
        ", and",
        ",",
        "and",
        "as well as",
        "along with",
        "together with",
        "plus",
        "& ",
        "and also",
        ", as well as",
        "with",
        "and find",
        "and compute",
        "and calculate",
        "and count",
        "and get",
        ", and find",
        ", and compute",
        "and show",
        "and determine",
    )
    for match in listing("measured", glue)(reader, at):
        flat = tuple(one for group in match.value for one in group)
        yield Match(match.end, flat, match.cost, match.choices)
