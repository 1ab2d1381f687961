"""Values of a row beside its group: share of a total, the average of the group."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from prepwright.planner.language.grammar import RULES
from prepwright.planner.steps.draft import Draft, ident
from prepwright.planner.steps.meaning import Action
from prepwright.planner.steps.spelling import unify
from prepwright.planner.steps.typing import as_number

_NAMED = "[%called [column | field] <newname>]"


_ADD = "(%derive | %aggregate)"


def _part(cols: tuple[str, ...]) -> str:
    return f"PARTITION BY {', '.join(ident(name) for name in cols)}" if cols else ""


def _unified(draft: Draft, cols: tuple[str, ...]) -> None:
    for name in cols:
        unify(draft, name)


def _add(draft: Draft, name: str, value: str, kind: str) -> str:
    draft.derive({name: value}, {name: kind}, f"with_{name}".lower())
    return f"{name} = {value}"


def _free(draft: Draft, wanted: str, given: str) -> str:
    name = given or wanted
    return name if given or draft.view.find(name) is None else f"{name}_2"


_WHOLE = "[(within | per | in | by | for each | within each | of each | for) [each] <cols>]"


@RULES.rule(
    "clause",
    f"{_ADD} [a | the | each] <kind:sharekind> [column] [of each <rownoun>] (of | in) [the] "
    f"[grand | overall] [total] <numcol> {_WHOLE} {_NAMED}",
    f"{_ADD} [a | the] <numcol> as [a] <kind:sharekind> of [the] [grand | overall] total {_WHOLE} "
    f"{_NAMED}",
    f"{_ADD} [each] <rownoun> <kind:sharekind> of [the] [total] <numcol> {_WHOLE} {_NAMED}",
    f"{_ADD} <numcol> <kind:sharekind> [column] {_WHOLE} {_NAMED}",
    cost=0.05,
)
def share(
    numcol: str, kind: str, cols: tuple[str, ...] = (), newname: str = "", rownoun: str = ""
) -> Action:
    def action(draft: Draft) -> str:
        _unified(draft, cols)
        value = as_number(draft, numcol)
        factor = "100 * " if kind == "percent" else ""
        sql = f"{factor}{value} / nullif(sum({value}) OVER ({_part(cols)}), 0)"
        return _add(draft, _free(draft, f"{numcol}_{kind}", newname), sql, "DOUBLE")

    return action


@RULES.rule(
    "clause",
    f"{_ADD} [a | the | each] share [of each <rownoun>] (of | in) [the] [grand | overall] [total] "
    f"<numcol> {_WHOLE} (as | in) [a] <kind:sharekind> {_NAMED}",
    f"{_ADD} [each] <rownoun> share of [the] [total] <numcol> {_WHOLE} (as | in) [a] "
    f"<kind:sharekind> {_NAMED}",
    f"{_ADD} <numcol> share [column] {_WHOLE} (as | in) [a] <kind:sharekind> {_NAMED}",
    cost=0.02,
)
def share_as(
    numcol: str, kind: str, cols: tuple[str, ...] = (), newname: str = "", rownoun: str = ""
) -> Action:
    return share(numcol=numcol, kind=kind, cols=cols, newname=newname, rownoun=rownoun)


@RULES.rule("sharekind", "share", "proportion", "fraction")
def fraction_kind() -> str:
    return "share"


@RULES.rule(
    "sharekind", "percentage", "percent", "%percentsign", "percentage share", "percent share"
)
def percent_kind() -> str:
    return "percent"


@RULES.rule(
    "clause",
    "(%derive) [a | the] [column with] [the] <aggregation> [of] <numcol> (of each | within each "
    f"| of its | over its) <cols> [to (each | every) <rownoun>] {_NAMED}",
    "%derive <aggregation> <numcol> (per | by | for each | of each | within each) <cols> (to | "
    f"on | as a column to) (each | every) <rownoun> {_NAMED}",
    "%derive <cols> <aggregation> <numcol> as [a] [%new] column [%called <newname>]",
    cost=0.02,
)
def group_value(
    aggregation: str, numcol: str, cols: tuple[str, ...], newname: str = "", rownoun: str = ""
) -> Action | None:
    prefix = {"avg": "avg", "sum": "total", "min": "min", "max": "max", "median": "median"}.get(
        aggregation
    )
    if prefix is None:
        return None

    def action(draft: Draft) -> str:
        _unified(draft, cols)
        value = as_number(draft, numcol)
        name = _free(draft, f"{prefix}_{numcol}", newname)
        return _add(draft, name, f"{aggregation}({value}) OVER ({_part(cols)})", "DOUBLE")

    return action
