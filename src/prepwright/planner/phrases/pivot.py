"""Turn rows into columns and columns into rows."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from dataclasses import replace

from prepwright.planner.facts.columns import Col, merged_facts
from prepwright.planner.facts.dates import month_number
from prepwright.planner.language.grammar import RULES
from prepwright.planner.outcome import INCOMPLETE, INCONSISTENT
from prepwright.planner.phrases.aggregate import GroupKey
from prepwright.planner.phrases.derive import derived
from prepwright.planner.steps.draft import Draft, Refusal
from prepwright.planner.steps.duplicates import spelt_twice
from prepwright.planner.steps.meaning import Action, Measure
from prepwright.planner.steps.spelling import unify
from prepwright.planner.steps.typing import as_number, column, is_plain, number_column

_WITH = "(with | showing | using | containing | and | , | holding | filled with | for)"
_PER = (
    "(per | by | for each | for every | and one row (per | for each) | with one row (per | "
    "for each) | with a row (per | for each) | and a row (per | for each) | one row (per | "
    "for each))"
)
_ONE = (
    "(one column (per | for each | for every) | each | every | one column by | separate "
    "column (per | for | for each) | a column (per | for each | for every))"
)


def widened(draft: Draft, names: GroupKey, measure: Measure, by: tuple[GroupKey, ...]) -> str:
    """Add the step that makes one column of each value of a column."""
    for key in (names, *by):
        if key.term is not None:
            derived(draft, key.name, key.term)
        else:
            unify(draft, key.name)
    if spelt_twice(column(draft, names.name)):
        said = unify(draft, names.name, asked=True)
        draft.notice(f"column names cannot differ in case alone: {said}", step=draft.view.step)
    measure.sql(draft)
    value = measure.sql(draft)
    rows = [key.name for key in by] or _others(draft, names.name, measure.column)
    texts = sorted(_known_texts(draft, names.name))
    columns = [column(draft, name) for name in rows] + [Col(text, measure.type) for text in texts]
    draft.step(
        "pivot", f"{names.name}_columns".lower(), columns,
        direction="wider", by=rows, names=names.name, values=[{"name": "", "value": value}],
    )  # fmt: skip
    draft.replace_view(replace(draft.view, grouped=True, deduped=True))
    return f"one column per {names.name} with {value}, one row per {', '.join(rows) or 'table'}"


def _known_texts(draft: Draft, name: str) -> list[str]:
    col = column(draft, name)
    return list(col.texts)


def _others(draft: Draft, names: str, values: str) -> list[str]:
    return [col.name for col in draft.view.columns if col.name not in (names, values)]


@RULES.rule("cellvalue", "<measure>")
def measured_cell(measure: tuple[Measure, ...]) -> Measure | None:
    return measure[0] if len(measure) == 1 and measure[0].function != "share" else None


@RULES.rule(
    "cellvalue",
    "<numcol> [as value]",
    "[value (from | of)] <numcol> as [the] value",
    "value (from | of) <numcol>",
    cost=0.05,
)
def plain_cell(numcol: str) -> Measure:
    def sql(draft: Draft) -> str:
        chosen = draft.choose(
            f"cells_{numcol}",
            INCONSISTENT,
            f"When several rows fall into one cell, what is its {numcol}?",
            [
                ("sum", "their total"),
                ("avg", "their average"),
                ("first", "the first"),
                ("max", "the highest"),
            ],
            default="sum",
            evidence="the request does not say",
        )
        return f"{chosen}({as_number(draft, numcol)})"

    return Measure(sql, "DOUBLE", numcol, numcol, "sum")


@RULES.rule(
    "clause",
    "%pivot [<rownoun> | data | table | it | result] [so that | such that | to have | to get | "
    f"into | with | to] {_ONE} <names:bykey> [becomes a column | is a column | gets a column | "
    f"gets its own column | has its own column] [{_WITH}] <cellvalue> [[,] {_PER} <by:bykeys>]",
    f"%pivot <names:bykey> [value] (into | to) [separate | its own | own] column [{_WITH}] "
    f"<cellvalue> [[,] {_PER} <by:bykeys>]",
    f"[create | make | build | produce | show | give me | get | have] {_ONE} <names:bykey> "
    f"{_WITH} <cellvalue> [[,] {_PER} <by:bykeys>]",
    f"{_PER} <by:bykeys> [,] (create | make | build | produce | show) {_ONE} <names:bykey> "
    f"{_WITH} <cellvalue>",
    f"%pivot <names:bykey> {_WITH} <cellvalue> [[,] {_PER} <by:bykeys>]",
    f"%pivot [the] [data | table] on <names:bykey> {_WITH} <cellvalue> [[,] {_PER} <by:bykeys>]",
    "(create | make | build | produce) [a] (pivot table | crosstab | cross table | matrix | "
    f"cross tabulation) of <by:bykeys> (by | against | and | versus) <names:bykey> {_WITH} "
    "<cellvalue>",
    "(create | make | build | produce) [a] (pivot table | crosstab | cross table | matrix) of "
    "<cellvalue> (by | with) <by:bykey> (and | by | as row and) <names:bykey> [as column]",
    "(create | make | build | produce) [a] (pivot table | crosstab | matrix) with <by:bykeys> "
    "(as row | in [the] row) [,] [and] <names:bykey> (as column | in [the] column) [,] [and] "
    f"{_WITH} <cellvalue> [as (value | cell)]",
    "(show | display) <cellvalue> (per | by | for each) <by:bykeys> [,] with [one | a] column "
    "(per | for each) <names:bykey>",
)
def pivot_wider(
    names: GroupKey, cellvalue: Measure, by: tuple[GroupKey, ...] | GroupKey = ()
) -> Action:
    keys = (by,) if isinstance(by, GroupKey) else by
    return lambda draft: widened(draft, names, cellvalue, keys)


_NAMES = (
    "[(called | named | into | with | as | ,) [column] [called | named] <names:newname> (and "
    "| ,) <values:newname> [column]]"
)


@RULES.rule(
    "clause",
    "%unpivot [the] [column] <first:col> (to | through | until | - | up to) <last:col> [into row "
    f"| to row | into long format | down] {_NAMES}",
    f"%unpivot [the] [column] <cols> [(into | to) (row | long format | a long format)] {_NAMES}",
    "(turn | convert | transpose | reshape) [the] [column] <first:col> (to | through | until | "
    f"-) <last:col> (into | to) (row | [two] column) {_NAMES}",
)
def pivot_longer(
    cols: tuple[str, ...] = (),
    first: str = "",
    last: str = "",
    names: str = "name",
    values: str = "value",
) -> Action | None:
    return lambda draft: lengthened(draft, cols or _range(draft, first, last), names, values)


@RULES.rule(
    "clause",
    f"%unpivot [the | every] month column [into | to] [row] {_NAMES}",
)
def pivot_months(names: str = "month", values: str = "value") -> Action:
    def action(draft: Draft) -> str:
        months = tuple(name for name in draft.view.names if month_number(name.strip()))
        return lengthened(draft, months, names, values)

    return action


@RULES.rule(
    "clause",
    "%unpivot [every | all] [other | remaining] [column] (except | but | apart from | other than "
    f"| keeping | while keeping) [for] <cols> [fixed | as id] [(into | to) row] {_NAMES}",
    "%unpivot [the] [data | table | it] (keeping | by keeping | with | except) <cols> [fixed | "
    f"as id | as identifier | as the identifier] {_NAMES}",
    "%unpivot [the] [data | table | it] [from wide] to [a] long [format | form] (with | keeping | "
    f"using) <cols> [as (id | identifier | key) | fixed] {_NAMES}",
)
def pivot_rest(cols: tuple[str, ...], names: str = "name", values: str = "value") -> Action:
    def action(draft: Draft) -> str:
        rest = tuple(col.name for col in draft.view.columns if col.name not in cols)
        return lengthened(draft, rest, names, values)

    return action


def _range(draft: Draft, first: str, last: str) -> tuple[str, ...]:
    all_names = list(draft.view.names)
    start, end = all_names.index(first), all_names.index(last)
    if end <= start:
        raise Refusal(f"{last} stands before {first}")
    return tuple(all_names[start : end + 1])


def lengthened(draft: Draft, cols: tuple[str, ...], names: str, values: str) -> str:
    """Add the step that makes rows of some columns."""
    if len(cols) < 2:
        raise Refusal('say which columns become rows: two at least, or "January to December"')
    kinds = {column(draft, name).kind for name in cols}
    texts = all(column(draft, name).type == "VARCHAR" for name in cols)
    if kinds == {"number"} and not (texts and not all(is_plain(draft, name) for name in cols)):
        texts = False
        for name in cols:
            number_column(draft, name)
    rest = [col for col in draft.view.columns if col.name not in cols]
    clash = [col.name for col in rest if col.name in (names, values)]
    if clash:
        raise Refusal(
            f"there is a column {clash[0]!r} already: name the new ones, "
            'as in "called month and amount"'
        )
    kind = "DOUBLE" if kinds == {"number"} and not texts else column(draft, cols[0]).type
    facts = merged_facts([column(draft, name) for name in cols]) if texts else None
    columns = [*rest, Col(names), Col(values, kind, facts)]
    chosen = draft.choose(
        "empty_cells",
        INCOMPLETE,
        "Do empty cells become rows?",
        [("drop", "no, they are left out"), ("keep", "yes, with an empty value")],
        default="drop",
        evidence=f"{len(cols)} columns become rows",
    )
    draft.step(
        "pivot", f"{draft.view.name}_rows", columns, direction="longer", columns=list(cols),
        names=names, values=values, nulls=chosen == "keep",
    )  # fmt: skip
    return f"{', '.join(cols)} as rows: {names}, {values}"
