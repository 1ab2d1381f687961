"""Values that look at other rows: rank, running total, change from the row before."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from prepwright.planner.language.grammar import RULES
from prepwright.planner.outcome import GROUP_CONCEPT, INCOMPLETE, INCONSISTENT
from prepwright.planner.phrases.sort import SortKey, order_of
from prepwright.planner.steps.draft import Draft, ident
from prepwright.planner.steps.meaning import Action
from prepwright.planner.steps.spelling import unify
from prepwright.planner.steps.typing import as_number, column

_PER = (
    "[(per | for each | for every | within each | within | by | of each | in each | over) <cols>]"
)


_ORDER = "[, | and] [(ordered by | in order of | by | sorted by | over | along) <sortkeys>]"


_NAMED = "[%called [column | field] <newname>]"


_ADD = "(%derive | %aggregate)"


def _part(cols: tuple[str, ...]) -> str:
    return f"PARTITION BY {', '.join(ident(name) for name in cols)}" if cols else ""


def _over(cols: tuple[str, ...], order: list[str]) -> str:
    pieces = [_part(cols), f"ORDER BY {', '.join(order)}" if order else ""]
    return " ".join(piece for piece in pieces if piece)


def _unified(draft: Draft, cols: tuple[str, ...]) -> None:
    for name in cols:
        unify(draft, name)


def _add(draft: Draft, name: str, value: str, kind: str) -> str:
    draft.derive({name: value}, {name: kind}, f"with_{name}".lower())
    return f"{name} = {value}"


def _free(draft: Draft, wanted: str, given: str) -> str:
    name = given or wanted
    return name if given or draft.view.find(name) is None else f"{name}_2"


@RULES.rule(
    "clause",
    "rank [<rownoun> | <what:col>] by <sortkeys> [(within | per | for each | within each | in "
    f"each | inside) <cols>] {_NAMED}",
    f"{_ADD} [a | the] rank [column] (by | of | based on | on | for) <sortkeys> [(within | per | "
    f"for each | within each | in each) <cols>] {_NAMED}",
    "(for each | per | within each) <cols> [,] rank [<rownoun> | <what:col>] by <sortkeys> "
    f"{_NAMED}",
    f"rank <sortkeys> [(within | per | for each | within each | in each) <cols>] {_NAMED}",
    f"{_ADD} [a] column <newname> with [the] rank (by | of) <sortkeys> [(within | per | for each "
    "| within each) <cols>]",
)
def rank(
    sortkeys: tuple[SortKey, ...],
    cols: tuple[str, ...] = (),
    newname: str = "",
    what: str = "",
    rownoun: str = "",
) -> Action:
    def action(draft: Draft) -> str:
        _unified(draft, cols)
        keys = tuple((name, down or _unsaid(draft, name)) for name, down in sortkeys)
        order = order_of(draft, keys)
        chosen = draft.choose(
            "rank_ties",
            INCONSISTENT,
            "Which rank do equal values get?",
            [
                ("gaps", "the same, then a gap: 1, 1, 3"),
                ("dense", "the same, no gap: 1, 1, 2"),
                ("order", "one each, in file order: 1, 2, 3"),
            ],
            default="gaps",
            evidence=f"ranked by {', '.join(order)}",
        )
        function = {"gaps": "rank", "dense": "dense_rank", "order": "row_number"}[chosen]
        value = f"{function}() OVER ({_over(cols, order)})"
        return _add(draft, _free(draft, "rank", newname), value, "BIGINT")

    return action


def _unsaid(draft: Draft, name: str) -> bool:
    """Return whether rank 1 is the largest: settled by a choice when the request does not say."""
    if column(draft, name).kind != "number":
        return False
    chosen = draft.choose(
        f"rank_{name}",
        GROUP_CONCEPT,
        f"Is rank 1 the highest or the lowest {name}?",
        [("highest", "the highest"), ("lowest", "the lowest")],
        default="highest",
        evidence="the request does not say ascending or descending",
    )
    return chosen == "highest"


@RULES.rule(
    "clause",
    f"{_ADD} [a] (row number | sequence number | running number | index | row index) [column] "
    f"{_PER} {_ORDER} {_NAMED}",
    "number [the] <rownoun> [(within | per | for each | within each | of each) <cols>] [(by | in "
    "order of | ordered by) <sortkeys>] [%called <newname>]",
)
def number_rows(
    cols: tuple[str, ...] = (),
    sortkeys: tuple[SortKey, ...] = (),
    newname: str = "",
    rownoun: str = "",
) -> Action:
    def action(draft: Draft) -> str:
        value = f"row_number() OVER ({_over(cols, order_of(draft, sortkeys))})"
        return _add(draft, _free(draft, "row_number", newname), value, "BIGINT")

    return action


@RULES.rule(
    "clause",
    f"{_ADD} [a | the] (running total | cumulative sum | cumulative total | running sum | "
    f"cumulative) (of | for) <numcol> {_PER} {_ORDER} {_NAMED}",
    f"{_ADD} [a | the] (running total | cumulative sum | cumulative total | running sum) [column] "
    f"(of | for) <numcol> {_ORDER} {_PER} {_NAMED}",
    f"(for each | per | within each) <cols> [,] {_ADD} [a | the] (running total | cumulative sum "
    f"| cumulative total | running sum) of <numcol> {_ORDER} {_NAMED}",
    f"{_ADD} [a | the] cumulative <numcol> {_PER} {_ORDER} {_NAMED}",
)
def running_total(
    numcol: str, cols: tuple[str, ...] = (), sortkeys: tuple[SortKey, ...] = (), newname: str = ""
) -> Action:
    def action(draft: Draft) -> str:
        parts, keys = _parts_and_order(draft, cols, sortkeys)
        keys = _in_order(draft, keys, numcol)
        value = as_number(draft, numcol)
        order = order_of(draft, keys)
        name = _free(draft, f"running_{numcol}", newname)
        frame = "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"
        return _add(
            draft,
            name,
            f"sum({value}) OVER ({(_over(parts, order) + ' ' + frame).strip()})",
            "DOUBLE",
        )

    return action


def _in_order(draft: Draft, keys: tuple[SortKey, ...], numcol: str) -> tuple[SortKey, ...]:
    """Return the order that rows are looked at in; by file or by date is a choice when unsaid."""
    date = next((col.name for col in draft.view.columns if col.kind == "date"), "")
    if keys or not date:
        return keys
    chosen = draft.choose(
        f"order_{numcol}",
        INCOMPLETE,
        f"In which order are the rows when {numcol} is compared or added up?",
        [("file", "as they stand"), ("date", f"by {date}")],
        default="file",
        evidence=f"{date} holds dates",
    )
    return ((date, False),) if chosen == "date" else keys


def _parts_and_order(
    draft: Draft, cols: tuple[str, ...], keys: tuple[SortKey, ...]
) -> tuple[tuple[str, ...], tuple[SortKey, ...]]:
    """Tell groups from order: `by date` orders, `by region` groups."""
    _unified(draft, cols)
    if keys or not cols:
        return cols, keys
    dated = tuple(name for name in cols if column(draft, name).kind == "date")
    return tuple(name for name in cols if name not in dated), tuple((name, False) for name in dated)


@RULES.rule(
    "clause",
    f"{_ADD} [a | the] (difference | change | increase) [in | of | between] <numcol> (from | with "
    "| to | versus | compared to | compared with | and | since | against) [the] (previous | "
    "preceding | prior | last) (<rownoun> | one | value | month | year | day | week | quarter | "
    f"period | date) {_PER} {_ORDER} {_NAMED}",
    f"{_ADD} [a | the] (row over row | month over month | year over year | day over day | period "
    "over period | quarter over quarter | week over week) (change | difference | growth) [in | "
    f"of] <numcol> {_PER} {_ORDER} {_NAMED}",
    f"(for each | per | within each) <cols> [,] {_ADD} [a | the] (difference | change | increase) "
    "[in | of] <numcol> (from | with | to | compared to) [the] (previous | preceding | prior) "
    f"(<rownoun> | one | value | month | year | day | week | quarter | period | date) {_ORDER} "
    f"{_NAMED}",
)
def change(
    numcol: str,
    cols: tuple[str, ...] = (),
    sortkeys: tuple[SortKey, ...] = (),
    newname: str = "",
    rownoun: str = "",
) -> Action:
    def action(draft: Draft) -> str:
        parts, keys = _parts_and_order(draft, cols, sortkeys)
        keys = _in_order(draft, keys, numcol)
        value = as_number(draft, numcol)
        over = _over(parts, order_of(draft, keys))
        name = _free(draft, f"{numcol}_change", newname)
        return _add(draft, name, f"{value} - lag({value}) OVER ({over})", "DOUBLE")

    return action


@RULES.rule(
    "clause",
    f"{_ADD} [the | a] (previous | preceding | prior) [<rownoun> | value of] <numcol> {_PER} "
    f"{_ORDER} {_NAMED}",
)
def previous_value(
    numcol: str,
    cols: tuple[str, ...] = (),
    sortkeys: tuple[SortKey, ...] = (),
    newname: str = "",
    rownoun: str = "",
) -> Action:
    def action(draft: Draft) -> str:
        parts, keys = _parts_and_order(draft, cols, sortkeys)
        keys = _in_order(draft, keys, numcol)
        value = as_number(draft, numcol)
        over = _over(parts, order_of(draft, keys))
        return _add(
            draft,
            _free(draft, f"previous_{numcol}", newname),
            f"lag({value}) OVER ({over})",
            "DOUBLE",
        )

    return action
