"""Cut a table: first rows, top n, top n of each group."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from prepwright.planner.language.grammar import RULES
from prepwright.planner.outcome import GROUP_CONCEPT
from prepwright.planner.phrases.aggregate import GroupKey, grouped
from prepwright.planner.phrases.sort import order_of
from prepwright.planner.steps.draft import Draft, Refusal, ident
from prepwright.planner.steps.meaning import Action, Measure
from prepwright.planner.steps.spelling import unify
from prepwright.planner.steps.typing import as_number, column

_ROWS = "(<rownoun> | entries | one | result | value)"


def limited(draft: Draft, n: int, order: list[str], per: tuple[str, ...]) -> str:
    """Add the step that keeps the first rows of the table or of each group."""
    for name in per:
        unify(draft, name)
    settings: dict[str, object] = {"order": order, "limit": n}
    if per:
        settings["per"] = list(per)
    draft.step("sort", f"{draft.view.name}_top", draft.view.columns, **settings)
    said = f"the first {n} by {', '.join(order)}" if order else f"the first {n} rows"
    return said + (f" of each {', '.join(per)}" if per else "")


@RULES.rule(
    "clause",
    f"%keep [only] [the] (first | top) <n> {_ROWS} [(per | for each | for every | of each | in "
    "each | within each) <cols>]",
    "(limit | cut | restrict | truncate) [the] [data | result | table | output | it] to [the] "
    f"[first | top] <n> {_ROWS} [(per | for each | of each) <cols>]",
    "(take | show | get) [only] [the] first <n> [(per | for each | of each) <cols>]",
    f"(%keep | head) [only] [the] first {_ROWS} (per | for each | of each) <cols>",
)
def first_rows(n: int = 1, cols: tuple[str, ...] = (), rownoun: str = "") -> Action:
    return lambda draft: limited(draft, n, _first_means(draft) if cols else [], cols)


def _first_means(draft: Draft) -> list[str]:
    date = next((col.name for col in draft.view.columns if col.kind == "date"), "")
    if not date:
        return []
    chosen = draft.choose(
        "first_means",
        GROUP_CONCEPT,
        "Which row of a group is its first?",
        [("file", "the first as they stand"), ("date", f"the earliest by {date}")],
        default="file",
        evidence=f"{date} holds dates",
    )
    return order_of(draft, ((date, False),)) if chosen == "date" else []


_TOP = "(top | highest | largest | biggest | most expensive | best)"


_BOTTOM = "(bottom | lowest | smallest | cheapest | worst)"


_PER = "[(per | for each | for every | of each | in each | within each | by | of every) <cols>]"


@RULES.rule(
    "clause",
    f"%keep [only] [the] {_TOP} <n> [{_ROWS}] (by | with highest | with the highest | ranked by | "
    f"based on | according to | in terms of) <key:col> {_PER}",
    f"%keep [only] [the] <n> {_ROWS} with [the] (highest | largest | biggest | most) <key:col> "
    f"{_PER}",
    f"%keep [only] [the] <n> {_TOP} {_ROWS} (by | in) <key:col> {_PER}",
    f"%keep [only] [the] <n> {_TOP} <key:col> {_PER}",
    f"%keep [only] [the] {_TOP} <n> <key:numcol> {_PER}",
    f"(for each | per | in each) <cols> [,] %keep [only] [the] {_TOP} <n> [{_ROWS}] (by | with "
    "the highest) <key:col>",
    f"(for each | per | in each) <cols> [,] %keep [only] [the] <n> {_ROWS} with [the] (highest | "
    "largest | most) <key:col>",
)
def top(key: str, n: int, cols: tuple[str, ...] = (), rownoun: str = "") -> Action:
    return lambda draft: limited(draft, n, order_of(draft, ((key, True),)), cols)


@RULES.rule(
    "clause",
    f"%keep [only] [the] {_BOTTOM} <n> [{_ROWS}] (by | ranked by | based on) <key:col> {_PER}",
    f"%keep [only] [the] <n> {_ROWS} with [the] (lowest | smallest | least | fewest) <key:col> "
    f"{_PER}",
    f"%keep [only] [the] <n> {_BOTTOM} <key:col> {_PER}",
    f"(for each | per | in each) <cols> [,] %keep [only] [the] <n> {_ROWS} with [the] (lowest | "
    "smallest | least) <key:col>",
)
def bottom(key: str, n: int, cols: tuple[str, ...] = (), rownoun: str = "") -> Action:
    return lambda draft: limited(draft, n, order_of(draft, ((key, False),)), cols)


@RULES.rule(
    "clause",
    f"%keep [only] [the] (latest | most recent | newest | last) <n> {_ROWS} [by <key:datecol>] "
    f"{_PER}",
    f"%keep [only] [the] <n> (latest | most recent | newest) {_ROWS} [by <key:datecol>] {_PER}",
)
def latest(n: int, key: str = "", cols: tuple[str, ...] = (), rownoun: str = "") -> Action:
    from prepwright.planner.phrases.date_conditions import only_date

    return lambda draft: limited(
        draft, n, order_of(draft, ((key or only_date(draft), True),)), cols
    )


@RULES.rule(
    "clause",
    f"%keep [only] [the] {_TOP} <n> <group:col> by [total] <measured>",
    "(which | what) [<n>] <group:col> (have | has | had) [the] (highest | largest | biggest | "
    "most) "
    "<measured>",
    "%keep [only] [the] <group:col> with [the] (highest | largest | biggest) <measured>",
    "(find | show | list) [the] [<n>] <group:col> with [the] most <measured>",
    "%keep [only] [the] <n> <group:col> with [the] (highest | largest | most) <measured>",
)
def top_groups(group: str, measured: tuple[Measure, ...], n: int = 1) -> Action:
    def action(draft: Draft) -> str:
        if measured[0].function not in ("sum", "avg", "count", "distinct", "max", "min"):
            raise Refusal(
                "say what the groups are ranked by: the total, average or count of a column"
            )
        said = grouped(draft, (GroupKey(group),), measured[:1])
        name = draft.view.columns[-1].name
        return said + "; " + limited(draft, n, [f"{ident(name)} DESC"], ())

    return action


@RULES.rule("clause", f"%keep [only] [the] {_TOP} <n> <group:textcol> by <key:numcol>", cost=0.02)
def top_groups_open(n: int, group: str, key: str) -> Action:
    """Read `the top 3 tracks by fee`: groups of the largest total, or rows of the largest fee."""

    def action(draft: Draft) -> str:
        col = column(draft, group)
        if draft.view.grouped or (col.facts and len(col.facts.counts) == col.facts.rows):
            return limited(draft, n, order_of(draft, ((key, True),)), ())
        chosen = draft.choose(
            f"top_{group}",
            GROUP_CONCEPT,
            f"What makes a {group} one of the top {n} by {key}?",
            [
                ("sum", f"its total {key}"),
                ("avg", f"its average {key}"),
                ("max", f"its highest {key}"),
            ],
            default="sum",
            evidence=f"a {group} has several rows",
        )
        prefix = {"sum": "total", "avg": "avg", "max": "max"}[chosen]
        measure = Measure(
            lambda one: f"{chosen}({as_number(one, key)})", "DOUBLE", f"{prefix}_{key}", key, chosen
        )
        said = grouped(draft, (GroupKey(group),), (measure,))
        return said + "; " + limited(draft, n, [f"{ident(measure.name)} DESC"], ())

    return action
