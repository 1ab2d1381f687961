"""Order entries, such as `fee DESC NULLS FIRST`, of the operators that rank rows."""

from collections.abc import Iterator, Sequence

from sqlglot import exp

from prepwright.errors import WorkflowError
from prepwright.tables import RESERVED
from prepwright.workflow.expressions import checking
from prepwright.workflow.expressions.canonical import canonical
from prepwright.workflow.operator import Key, Operator, Relation, fresh, named


def entry(text: str) -> tuple[str, bool, bool]:
    """Return the expression of an order entry, if it descends, and if nulls come first."""
    words = text.rstrip()
    nulls_first = False
    for ending, first in ((" NULLS FIRST", True), (" NULLS LAST", False)):
        if words.upper().endswith(ending):
            words, nulls_first = words[: -len(ending)].rstrip(), first
    for ending, descending in ((" DESC", True), (" ASC", False)):
        if words.upper().endswith(ending):
            return words[: -len(ending)].rstrip(), descending, nulls_first
    return words, False, nulls_first


def faults(step: Operator, entries: Sequence[str], source: Relation) -> Iterator[WorkflowError]:
    """Yield every fault of the order entries of a step."""
    for text in entries:
        yield from checking.faults(step, entry(text)[0], {"": source}, what="order")


def ranked(entries: Sequence[str], source: Relation) -> tuple[list[exp.Expr], tuple[Key, ...]]:
    """Return the helper columns that order entries need, and the total order that they make.

    Ties keep the order of the source's rows.
    """
    taken = {*source.schema.names, *source.hidden.names}
    helpers: list[exp.Expr] = []
    keys: list[Key] = []

    def helper(value: exp.Expr, *, descending: bool) -> None:
        name = fresh(f"{RESERVED}sort", taken)
        taken.add(name)
        helpers.append(named(value, name))
        keys.append(Key(name, descending))

    for text in entries:
        value, descending, nulls_first = entry(text)
        tree = canonical(value, {"": source})
        if nulls_first:
            helper(exp.Not(this=exp.Is(this=tree.copy(), expression=exp.Null())), descending=False)
        if isinstance(tree, exp.Column):
            keys.append(Key(tree.name, descending))
        else:
            helper(tree, descending=descending)
    return helpers, (*keys, *source.order)
