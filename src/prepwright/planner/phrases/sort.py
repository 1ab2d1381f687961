"""Order and cut: sort by several keys, first rows, top n, top n of each group."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from prepwright.planner.language.grammar import RULES
from prepwright.planner.language.terms import listing
from prepwright.planner.steps.draft import Draft, ident
from prepwright.planner.steps.meaning import Action
from prepwright.planner.steps.typing import as_date, as_number, column

_ROWS = "(<rownoun> | entries | one | result | value)"


SortKey = tuple[str, bool]


"""A column and whether it descends."""


@RULES.rule(
    "sortkey",
    "<col> [%ascending]",
    "<col> %open %ascending %close",
    "[%ascending] <col>",
    "[from] (lowest | smallest | earliest | oldest) [to (highest | largest | latest | newest)] "
    "<col>",
)
def rising(col: str) -> SortKey:
    return (col, False)


@RULES.rule(
    "sortkey",
    "<col> %descending",
    "<col> %open %descending %close",
    "(%descending | descending | decreasing | highest | largest | latest | newest | most recent) "
    "<col> [first]",
    "<col> (, | in | with | from) %descending",
    "(reverse | reversed) <col>",
)
def falling(col: str) -> SortKey:
    return (col, True)


RULES.term("sortkeys")(
    listing(
        "sortkey",
        (
            ", and then by",
            ", and",
            ", then by",
            ", then",
            "then by",
            "and then by",
            "then",
            ",",
            "and by",
            "and",
            "within that by",
            "followed by",
            ", followed by",
        ),
    )
)


def order_of(draft: Draft, keys: tuple[SortKey, ...]) -> list[str]:
    """Return the keys as expressions, typed so that numbers and dates sort as such."""
    made: list[str] = []
    for name, down in keys:
        kind = column(draft, name).kind
        value = ident(name)
        if kind == "number":
            value = as_number(draft, name)
        elif kind == "date":
            value = as_date(draft, name)
        made.append(f"{value} DESC" if down else value)
    return made


@RULES.rule(
    "clause",
    "%sort [<rownoun> | data | table | it | them | result | everything | output | final table] "
    "(by | on | according to | using) <sortkeys>",
    "%sort [<rownoun> | data | table | it | them | result | everything | output] %ascending by "
    "<col>",
    "sort [alphabetically | chronologically] by <sortkeys>",
    "sort <sortkeys>",
    "<sortkeys> [should] come first",
)
def sort(sortkeys: tuple[SortKey, ...] = (), col: str = "", rownoun: str = "") -> Action | None:
    return lambda draft: _sorted(draft, sortkeys or ((col, False),))


@RULES.rule(
    "clause",
    "%sort [<rownoun> | data | table | it | them | result | everything | output] %descending (by "
    "| on) <col>",
    "(sort | order) [<rownoun> | data | table | it | them | result] (by | on) <cols> %descending",
    cost=0.001,
)
def sort_down(col: str = "", cols: tuple[str, ...] = (), rownoun: str = "") -> Action | None:
    names = [name for name in (col, *cols) if name]
    return None if len(names) > 1 else lambda draft: _sorted(draft, ((names[0], True),))


@RULES.rule(
    "clause",
    "(sort | order) [<rownoun> | data | table | it | them | result] (by | on) <cols> , both "
    "%descending",
    "(sort | order) [<rownoun> | data] by <cols> (in | both) %descending",
)
def sort_all_down(cols: tuple[str, ...], rownoun: str = "") -> Action:
    return lambda draft: _sorted(draft, tuple((name, True) for name in cols))


def _sorted(draft: Draft, keys: tuple[SortKey, ...]) -> str:
    order = order_of(draft, keys)
    draft.step("sort", f"{draft.view.name}_sorted", draft.view.columns, order=order)
    return f"sorted by {', '.join(order)}"
