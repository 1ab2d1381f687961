"""Matching: what the keys of two tables say about joining them, before and after."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from prepwright.errors import WorkflowError, listed
from prepwright.workflow.operator import Fact, Operator, Relation, column, named, ordered

_GROWTH = 10
"""A join that promised nothing stops when it would make more than this many times the rows."""
_SMALL = 100_000
"""Units: rows. Joins that make fewer rows are never stopped."""
_SHOWN = 5


@dataclass(frozen=True)
class Side:
    """One side of a join: its name (`left` or `right`), its table, and its key expressions."""

    name: str
    relation: Relation
    keys: tuple[exp.Expr, ...]

    def table(self) -> exp.Table:
        """Return the table under the name of the side."""
        return self.relation.table(self.name)

    def qualified(self) -> list[exp.Expr]:
        """Return the keys with their columns named by side."""
        return [qualified(key, self.name) for key in self.keys]

    def grouped(self, *, nulls: bool) -> exp.Select:
        """Return each key with its number of rows `n`; null keys only where `nulls`."""
        items = [named(key.copy(), f"k{place}") for place, key in enumerate(self.keys)]
        select = exp.select(*items, named(_rows(), "n")).from_(self.relation.table(), copy=False)
        if not nulls:
            there = [exp.Not(this=exp.Is(this=k.copy(), expression=exp.Null())) for k in self.keys]
            select = select.where(*there)
        return select.group_by(*[exp.Literal.number(n + 1) for n in range(len(self.keys))])


def qualified(tree: exp.Expr, table: str) -> exp.Expr:
    """Return the expression with its plain columns taken from the table of that name."""
    made = tree.copy()
    for node in made.find_all(exp.Column):
        if not node.table:
            node.set("table", exp.to_identifier(table, quoted=True))
    return made


def forecast(left: Side, right: Side, *, nulls: bool, promise: str) -> Iterator[Fact]:
    """Yield how many keys occur more than once on each side, and the rows that will be made."""
    for side in (right, left):
        several = side.grouped(nulls=nulls)
        several = several.having(exp.GT(this=_rows(), expression=exp.Literal.number(1)))
        label = f"{side.name}_keys_repeated"
        # repeated keys on the left are ordinary, unless they meet repeated ones or a promise
        needed = side is right or promise.startswith("1")
        count = exp.select(named(_rows(), label)).from_(several.subquery("g"), copy=False)
        yield Fact(count, when="" if needed else "right_keys_repeated")
        shown = [column(f"k{place}") for place in range(len(side.keys))]
        worst = exp.select(*shown, column("n")).from_(several.subquery("g"), copy=False)
        order = [ordered(column("n"), descending=True), *[ordered(key.copy()) for key in shown]]
        yield Fact(worst.order_by(*order).limit(_SHOWN), examples=label, when=label)
    one, other = (s.grouped(nulls=nulls).subquery(s.name) for s in (left, right))
    same = exp.NullSafeEQ if nulls else exp.EQ
    on = [
        same(this=column(f"k{place}", "left"), expression=column(f"k{place}", "right"))
        for place in range(len(left.keys))
    ]
    wide = exp.cast(column("n", "left"), "HUGEINT")
    made = exp.Sum(this=exp.Mul(this=wide, expression=column("n", "right")))
    total = exp.cast(exp.Coalesce(this=made, expressions=[exp.Literal.number(0)]), "DOUBLE")
    query = (
        exp.select(named(total, "rows_to_come"))
        .from_(one, copy=False)
        .join(other, on=exp.and_(*on))
    )
    yield Fact(query, when="left_keys_repeated")


def judged(
    step: Operator, figures: Mapping[str, Any], rows: Sequence[int], *, promise: str
) -> WorkflowError | None:
    """Return the fault of a broken promise, or of a blow-up that nobody promised, or None."""
    for side, kind in (("left", promise[:1]), ("right", promise[2:])):
        repeated = figures.get(f"{side}_keys_repeated") or 0
        if kind == "1" and repeated:
            return step.fault(
                f"{repeated:,} keys of the {side} table occur more than once",
                found=f"promised {promise}; keys with their rows: {_keys(figures, side)}",
                fix=f"dedup the {side} table by its key first, or change the cardinality",
            )
    made, largest = float(figures.get("rows_to_come") or 0), max(*rows, 1)
    if promise != "n:n" and made > _SMALL and made > _GROWTH * largest:
        return step.fault(
            f"the join would make {made:,.0f} rows of {largest:,}",
            found=f"keys repeated on both sides, with right rows: {_keys(figures, 'right')}",
            fix='dedup one side first, add a key, or promise it with "cardinality": "n:n"',
        )
    return None


def unmatched(sides: Sequence[Side], others: Sequence[Side], condition: exp.Expr) -> Iterator[Fact]:
    """Yield for each side its rows without a match, with examples of their keys."""
    for side, other in zip(sides, others, strict=True):
        label = f"{side.name}_unmatched"
        count = exp.select(named(_rows(), label)).from_(side.table(), copy=False)
        yield Fact(count.join(other.table(), on=condition.copy(), join_type="anti"))
        if side.keys:
            shown = [named(key, f"k{place}") for place, key in enumerate(side.qualified())]
            some = exp.select(*shown).from_(side.table(), copy=False)
            some = some.join(other.table(), on=condition.copy(), join_type="anti")
            some = some.order_by(*side.relation.ordering(side.name)).limit(_SHOWN)
            yield Fact(some, examples=label, when=label)


def _rows() -> exp.Expr:
    return exp.Count(this=exp.Star())


def _keys(figures: Mapping[str, Any], side: str) -> str:
    rows = figures.get(f"{side}_keys_repeated_examples") or []
    return listed([" / ".join(str(value) for value in row.values()) for row in rows])
