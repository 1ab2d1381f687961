"""Sum up groups: `for each quarter and track, compute the average fee and count the rows`."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from dataclasses import dataclass

from prepwright.planner.facts.columns import Col
from prepwright.planner.language.grammar import RULES
from prepwright.planner.language.terms import listing
from prepwright.planner.outcome import GROUP_CONCEPT
from prepwright.planner.phrases.date_parts import date_part
from prepwright.planner.phrases.derive import derived
from prepwright.planner.phrases.measures import COUNTED
from prepwright.planner.steps.draft import Draft, Refusal, ident
from prepwright.planner.steps.duplicates import settle_entities
from prepwright.planner.steps.meaning import Action, Measure, Term
from prepwright.planner.steps.spelling import unify
from prepwright.planner.steps.typing import column, date_column, is_timed


@dataclass(frozen=True)
class GroupKey:
    """What rows are grouped by: a column, or a part of a date that is derived for it."""

    name: str
    term: Term | None = None


@RULES.rule("bykey", "<col>")
def column_key(col: str) -> GroupKey:
    return GroupKey(col)


@RULES.rule(
    "bykey",
    "<datepart> [of | from] [<datecol>]",
    "<datecol> <datepart>",
    "calendar <datepart>",
    cost=0.15,
)
def date_key(datepart: str, datecol: str = "") -> GroupKey:
    return GroupKey(datepart, date_part(datepart, datecol, groups=True))


RULES.term("bykeys")(
    listing(
        "bykey",
        (
            ", and",
            ",",
            "and",
            "&",
            "and by",
            "and per",
            "by",
            "per",
            "and each",
            "and for each",
            "/",
            "then by",
            "within",
            "and within",
        ),
    )
)


def grouped(draft: Draft, keys: tuple[GroupKey, ...], wanted: tuple[Measure, ...]) -> str:
    """Add the steps that sum up the rows of each group."""
    names: list[str] = []
    for key in keys:
        if key.term is not None:
            derived(draft, key.name, key.term)
        elif column(draft, key.name).kind == "date":
            # one day written in two ways is one group
            date_column(draft, key.name)
        else:
            unify(draft, key.name)
        if key.name in names:
            raise Refusal(f"{key.name} is named twice as a group")
        names.append(key.name)
    settle_entities(draft, tuple(names))
    values = [(one, one.sql(draft)) for one in wanted]
    values = [(one, one.sql(draft)) for one in wanted]
    named = _distinct_names(draft, names, values)
    before = draft.view
    columns = [column(draft, name) for name in names]
    columns += [
        Col(name, "TIMESTAMP" if one.type == "DATE" and is_timed(draft, one.column) else one.type)
        for name, (one, _) in zip(named, values, strict=True)
    ]
    items = [{"name": name, "value": sql} for name, (_, sql) in zip(named, values, strict=True)]
    hint = "by_" + "_".join(names) if names else "overall"
    draft.step("aggregate", hint.lower(), columns, by=names, **{"columns": items})
    _remember(draft, before)
    shares = [name for name, (one, _) in zip(named, values, strict=True) if one.function == "share"]
    if shares:
        _as_shares(draft, shares)
    said = ", ".join(f"{name} = {sql}" for name, (_, sql) in zip(named, values, strict=True))
    return f"{said} for each {', '.join(names)}" if names else f"{said} over all rows"


def _remember(draft: Draft, before: object) -> None:
    from dataclasses import replace

    draft.replace_view(replace(draft.view, grouped=True, deduped=True, detail=before))


def _as_shares(draft: Draft, names: list[str]) -> None:
    chosen = draft.choose(
        f"scale_{names[0]}",
        GROUP_CONCEPT,
        "Is a share written as a percentage or as a fraction of 1?",
        [("percent", "percentage, 0 to 100"), ("fraction", "fraction, 0 to 1")],
        default="percent",
        evidence="the request does not say",
    )
    factor = "100 * " if chosen == "percent" else ""
    values = {
        name: f"{factor}{ident(name)} / nullif(sum({ident(name)}) OVER (), 0)" for name in names
    }
    draft.derive(values, dict.fromkeys(names, "DOUBLE"), "as_shares", why="share of the total")


def _distinct_names(draft: Draft, keys: list[str], values: list[tuple[Measure, str]]) -> list[str]:
    taken = {name.casefold() for name in keys}
    made: list[str] = []
    for one, _ in values:
        name, number = one.name, 1
        while name.casefold() in taken:
            number += 1
            name = f"{one.name}_{number}"
        taken.add(name.casefold())
        made.append(name)
    return made


_FILLER = "[, | and | then | :]"


@RULES.rule(
    "clause",
    f"%each <bykeys> {_FILLER} [%aggregate] <measures>",
    "[%aggregate] <measures> %per <bykeys>",
    "%summarize [<rownoun> | data | everything | them | it | result | by | table] [by] <bykeys> "
    f"{_FILLER} [and | with | showing | to get | to find | computing | calculating | using | "
    "taking | getting | into | to compute] [%aggregate] <measures>",
    "[%keep | create | produce | make | build | return] one row (per | for each | for every) "
    "<bykeys> (with | showing | and | containing | holding) <measures>",
    "what (is | are) <measures> %per <bykeys>",
    "(aggregate | group | summarize) [<rownoun> | data | table] to (get | find | compute | "
    "calculate | "
    "show | obtain) <measures> %per <bykeys>",
    "%aggregate (each | every) <bykeys> <measures>",
    "(summary | table) of <measures> %per <bykeys>",
    "%aggregate [table | summary] (with | of | showing) <measures> %per <bykeys>",
    "(aggregate | summarize | roll up) <measures> (by | per | to) <bykeys>",
    "(aggregate | roll up | summarize) [data | to] [to] <bykeys> level (with | using | taking | "
    "and compute | by) <measures>",
    "compare <measures> (across | by | between) <bykeys>",
)
def aggregate(
    bykeys: tuple[GroupKey, ...], measures: tuple[Measure, ...], rownoun: str = ""
) -> Action:
    return lambda draft: grouped(draft, bykeys, measures)


@RULES.rule(
    "clause",
    "[%aggregate | count | see] how many <rownoun> (each | every) <bykeys> (placed | made | has | "
    "had | have)",
)
def count_each(bykeys: tuple[GroupKey, ...], rownoun: str = "") -> Action:
    return lambda draft: grouped(draft, bykeys, (COUNTED,))


@RULES.rule(
    "clause",
    "[%aggregate] <measure> %per <bykeys> %called [column] <newname>",
    "%each <bykeys> [,] [%aggregate] <measure> %called [column] <newname>",
    cost=0.01,
)
def aggregate_named(
    bykeys: tuple[GroupKey, ...], measure: tuple[Measure, ...], newname: str
) -> Action | None:
    if len(measure) != 1:
        return None
    return lambda draft: grouped(draft, bykeys, (measure[0].named(newname),))


@RULES.rule(
    "clause",
    "%aggregate [overall] <measures> [overall | across every row | over every row | across the "
    "table | of the table | in total]",
    "<measures> [overall | across every row | over every row | of the table | in total]",
    "(summarize | aggregate) [everything | data] (with | using | to | as) <measures>",
    "how many <rownoun> (are there | do we have | exist)",
    "count [every] <rownoun>",
    cost=0.3,
)
def aggregate_all(measures: tuple[Measure, ...] = (), rownoun: str = "") -> Action:
    return lambda draft: grouped(draft, (), measures or (COUNTED,))
