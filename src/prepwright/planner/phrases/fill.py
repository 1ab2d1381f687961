"""Fill missing cells: with a constant, a mean, the row before, the group's own value."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from collections.abc import Iterator

from prepwright.planner.facts.columns import Facts
from prepwright.planner.facts.numbers import is_number
from prepwright.planner.language.grammar import RULES, Match, Reader
from prepwright.planner.steps.draft import Draft, Refusal, ident, literal
from prepwright.planner.steps.meaning import Action, blank
from prepwright.planner.steps.typing import as_number, column, number_column

_STATISTICS = {"avg": "avg", "median": "median", "min": "min", "max": "max"}
_GAPS = (
    "(%missing [value | cell | entry | row] | gap | null | blank | empty cell | hole | value "
    "that %be %missing)"
)


@RULES.term("mode")
def mode(reader: Reader, at: int) -> Iterator[Match]:
    phrases = (
        "mode",
        "most frequent value",
        "most common value",
        "most frequent",
        "most common",
        "most frequent one",
    )
    for end, cost, _ in reader.phrases(phrases, at):
        yield Match(end, "mode", cost)


@RULES.rule(
    "filler",
    "<aggregation> [value] [of <same:col>] [(per | by | for each | of each | within each | in "
    "each | of | for) <bycols:cols>]",
    "<aggregation> <same:col> [(per | by | for each | within each | of each | of | in each | for) "
    "<bycols:cols>]",
)
def statistic(
    aggregation: str, same: str = "", bycols: tuple[str, ...] = ()
) -> tuple[str, str, tuple[str, ...], str] | None:
    return ("statistic", aggregation, bycols, same) if aggregation in _STATISTICS else None


@RULES.rule(
    "filler", "<mode> [(per | by | for each | within each | of each | of | in each) <bycols:cols>]"
)
def most_common(mode: str, bycols: tuple[str, ...] = ()) -> tuple[str, str, tuple[str, ...], str]:
    return ("statistic", "mode", bycols, "")


@RULES.rule(
    "filler", "<number>", "<percent>", "[value | text | word | string | constant] <free>", cost=0.05
)
def constant(
    number: str = "", percent: str = "", free: str = ""
) -> tuple[str, str, tuple[str, ...], str]:
    return ("constant", number or percent or free, (), "")


@RULES.rule(
    "filler",
    "(previous | preceding | prior | last | last known | last non missing | last seen | most "
    "recent) (value | one | row | non missing value | known value | entry | non empty value) "
    "[(per | by | for each | within each | of each | in each | within) <bycols:cols>]",
    "value (above | before [it] | of (previous | preceding) row | from (previous | preceding | "
    "row above) [row]) [it] [(per | by | for each | within each) <bycols:cols>]",
    "value from the row above",
)
def previous(bycols: tuple[str, ...] = ()) -> tuple[str, str, tuple[str, ...], str]:
    return ("forward", "", bycols, "")


@RULES.rule(
    "filler",
    "(next | following) (value | one | row | non missing value | known value | entry) [(per | by "
    "| for each | within each | of each | in each) <bycols:cols>]",
    "value below [it]",
)
def following(bycols: tuple[str, ...] = ()) -> tuple[str, str, tuple[str, ...], str]:
    return ("backward", "", bycols, "")


@RULES.rule("filler", "<other:col>", cost=0.1)
def other_column(other: str) -> tuple[str, str, tuple[str, ...], str]:
    return ("column", other, (), "")


@RULES.rule(
    "clause",
    f"%fill [in] [any | every] {_GAPS} (in | of | for | from) <cols> (with | by | as | to | using "
    "| from) <filler>",
    "%fill [in] [any | every] %missing <cols> [value] (with | by | as | to | using | from) "
    "<filler>",
    "(fill | fill in | impute) <cols> (with | by | using | from) <filler>",
    f"in <cols> [,] %fill {_GAPS} (with | by | as | to | using) <filler>",
    f"(set | make | treat) [any | every] {_GAPS} (in | of | for) <cols> (to | as | equal to) "
    "<filler>",
    "(set | treat) [any] %missing <cols> [value] (to | as) <filler>",
    "(use | put) <filler> (for | where | in | when) %missing <cols>",
    f"%fill [in] [any | every] {_GAPS} (with | by | as | to | using) <filler> (in | of | for) "
    "<cols>",
    "(where | if | when | whenever) <cols> %be %missing [,] (use | put | take | fill in | fill | "
    "set | make) [it | them] [with | "
    "to] <filler>",
)
def fill(cols: tuple[str, ...], filler: tuple[str, str, tuple[str, ...], str]) -> Action | None:
    kind, what, by, same = filler
    if same and same not in cols:
        return None
    return lambda draft: "; ".join(_filled(draft, name, kind, what, by) for name in cols)


@RULES.rule(
    "clause",
    f"%fill [in] [any | every] {_GAPS} (with | by | as | using) (0 | zero | zeros)",
)
def fill_all_zero() -> Action:
    def action(draft: Draft) -> str:
        names = [col.name for col in draft.view.columns if col.kind == "number"]
        if not names:
            raise Refusal(f"no column of {draft.view.name} holds numbers")
        return "; ".join(_filled(draft, name, "constant", "0", ()) for name in names)

    return action


@RULES.rule(
    "clause",
    "(forward fill | fill forward | fill down | ffill | carry forward | propagate) <cols> [down | "
    "forward | downward] [(per | by | for each | within each | within) <bycols:cols>]",
    "(fill | carry | propagate) <cols> (down | forward | downward | downwards) [(per | by | for "
    "each | within each | within) <bycols:cols>]",
)
def forward(cols: tuple[str, ...], bycols: tuple[str, ...] = ()) -> Action:
    return lambda draft: "; ".join(_filled(draft, name, "forward", "", bycols) for name in cols)


@RULES.rule(
    "clause",
    "(backward fill | fill backward | fill up | bfill | backfill | back fill) <cols> [(per | by | "
    "for each | within each) <bycols:cols>]",
    "fill <cols> (up | backward | backwards | upward | upwards) [(per | by | for each | within "
    "each) <bycols:cols>]",
)
def backward(cols: tuple[str, ...], bycols: tuple[str, ...] = ()) -> Action:
    return lambda draft: "; ".join(_filled(draft, name, "backward", "", bycols) for name in cols)


def _filled(draft: Draft, name: str, kind: str, what: str, by: tuple[str, ...]) -> str:
    if (
        kind == "constant"
        and column(draft, name).kind in ("number", "date")
        and not is_number(what)
    ):
        raise Refusal(f"{name} holds {column(draft, name).kind}s and {what!r} is none")
    if column(draft, name).kind == "number" and kind == "statistic":
        number_column(draft, name)
    elif column(draft, name).kind == "number" and kind == "constant" and is_number(what):
        as_number(draft, name)
    test = blank(draft, name)
    cell = ident(name) if test == f"{ident(name)} IS NULL" else test.removesuffix(" IS NULL")
    value = f"coalesce({cell}, {_replacement(draft, name, cell, kind, what, by)})"
    col = column(draft, name)
    draft.derive({name: value}, {name: col.type}, f"{name}_filled".lower())
    if col.type == "VARCHAR" and col.facts is not None:
        emptied = col.facts.tokens if cell != ident(name) else ()
        draft.with_facts(name, _after(col.facts, emptied, what if kind == "constant" else ""))
    return f"{name} = {value}"


def _after(facts: Facts, emptied: tuple[str, ...], constant: str) -> Facts:
    """Return what is known of a text column once its empty cells are filled."""
    counts = {text: rows for text, rows in facts.counts.items() if text not in emptied}
    nulls = facts.nulls + facts.touched(emptied)
    if constant and nulls:
        counts[constant] = counts.get(constant, 0) + nulls
        nulls = 0
    return Facts(counts, facts.rows, nulls, facts.complete)


def _replacement(
    draft: Draft, name: str, cell: str, kind: str, what: str, by: tuple[str, ...]
) -> str:
    part = f"PARTITION BY {', '.join(ident(one) for one in by)}" if by else ""
    numeric = column(draft, name).type != "VARCHAR"
    if kind == "statistic":
        if what != "mode" and not numeric:
            raise Refusal(f"{name} holds no numbers, so it has no {what}")
        return f"{_STATISTICS.get(what, 'mode')}({cell}) OVER ({part})"
    if kind in ("forward", "backward"):
        function, frame = ("last_value", "UNBOUNDED PRECEDING AND CURRENT ROW")
        if kind == "backward":
            function, frame = ("first_value", "CURRENT ROW AND UNBOUNDED FOLLOWING")
        return f"{function}({cell} IGNORE NULLS) OVER ({part} ROWS BETWEEN {frame})".replace(
            "( ROWS", "(ROWS"
        )
    if kind == "column":
        return ident(what)
    if numeric:
        if not is_number(what):
            raise Refusal(f"{name} holds numbers and {what!r} is none")
        return what
    return literal(what)
