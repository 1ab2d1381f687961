"""Sort: put rows in order, and keep the first ones."""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar, Literal

from pydantic import Field
from sqlglot import exp

from prepwright.errors import WorkflowError
from prepwright.tables import ColumnName
from prepwright.workflow.expressions import ordering
from prepwright.workflow.operator import (
    Compiled,
    Example,
    Key,
    Operator,
    Relation,
    SourceId,
    column,
    exact,
)  # fmt: skip


class Sort(Operator):
    """Order rows by expressions; ties keep the order they had.

    Rows: unchanged, or the first `limit` after `offset`, of each group when `per` is given.
    Columns: unchanged. Nulls: last, in both directions, unless an entry says NULLS FIRST.
    """

    operator: Literal["sort"] = "sort"
    input: SourceId
    order: tuple[str, ...] = Field(default=(), description="expressions, each with DESC or not")
    limit: int | None = Field(default=None, ge=0, description="keep at most this many rows")
    offset: int = Field(default=0, ge=0, description="leave out this many rows first")
    per: tuple[ColumnName, ...] = Field(default=(), description="limit and offset count per group")

    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            before=([{"a": 1, "b": "x"}, {"a": None, "b": "y"}, {"a": 3, "b": "z"}],),
            settings={"order": ["a DESC"]},
            after=[{"a": 3, "b": "z"}, {"a": 1, "b": "x"}, {"a": None, "b": "y"}],
        ),
        Example(
            before=([{"g": "p", "a": 2}, {"g": "q", "a": 9}, {"g": "p", "a": 1}],),
            settings={"order": ["a"], "limit": 1, "per": ["g"]},
            after=[{"g": "p", "a": 1}, {"g": "q", "a": 9}],
        ),
    )

    def sources(self) -> tuple[str, ...]:
        return (self.input,)

    def output_names(self, *sources: Relation) -> tuple[ColumnName, ...]:
        return sources[0].schema.names

    def keeps_own_table(self) -> bool:
        return self.limit is not None or self.offset > 0

    def rows_of(self, *rows: int) -> int | None:
        return None if self.keeps_own_table() else rows[0]

    def check(self, *sources: Relation) -> Iterator[WorkflowError]:
        yield from ordering.faults(self, self.order, sources[0])
        for name in self.per:
            if fault := self.absent(name, sources[0]):
                yield fault
        if self.per and self.limit is None and not self.offset:
            yield self.fault(
                "per needs a limit",
                found="no limit and no offset",
                fix="set the limit, or leave out per",
            )

    def query(self, *sources: Relation) -> Compiled:
        source = sources[0]
        helpers, order = ordering.ranked(self.order, source)
        selected = [*source.columns(), *source.helpers(), *helpers]
        select = exp.select(*selected).from_(source.table(), copy=False)
        if not self.keeps_own_table():
            return Compiled(select, order)
        return Compiled(self._first(select, source, order), order)

    def _first(self, select: exp.Select, source: Relation, order: tuple[Key, ...]) -> exp.Query:
        inner = replace(source, order=order)
        outer = exp.select(*[column(name) for name in select.named_selects])
        if self.per:
            groups = [column(exact(name, source)) for name in self.per]
            place: exp.Expr = exp.Window(
                this=exp.RowNumber(), partition_by=groups,
                order=exp.Order(expressions=inner.ordering()),
            )  # fmt: skip
            last = exp.Literal.number(self.offset + (self.limit or 0))
            wanted = exp.GT(this=place, expression=exp.Literal.number(self.offset))
            if self.limit is not None:
                wanted = exp.and_(wanted, exp.LTE(this=place.copy(), expression=last))
            return outer.from_(select.subquery("sorted"), copy=False).qualify(wanted)
        top = outer.from_(select.subquery("sorted"), copy=False).order_by(*inner.ordering())
        if self.limit is not None:
            top = top.limit(self.limit)
        return top.offset(self.offset) if self.offset else top
