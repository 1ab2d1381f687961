"""Dedup: keep one row for each distinct key."""

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field
from sqlglot import exp

from prepwright.errors import WorkflowError
from prepwright.tables import RESERVED, ColumnName
from prepwright.workflow.expressions import ordering
from prepwright.workflow.operator import (
    Compiled,
    Example,
    Fact,
    Key,
    Operator,
    Relation,
    SourceId,
    column,
    exact,
    named,
    ordered,
)  # fmt: skip

_ROWS = f"{RESERVED}rows"


class Dedup(Operator):
    """Keep the first or last row of each `key`, first by `order`, then by the order of the rows.

    Rows: one for each distinct key, where that row stood; `none` keeps keys that occur once.
    Columns: unchanged. Nulls: null equals null.
    """

    operator: Literal["dedup"] = "dedup"
    input: SourceId
    key: tuple[ColumnName, ...] = Field(default=(), description="the key; empty means all columns")
    order: tuple[str, ...] = Field(default=(), description="which row is first: order entries")
    keep: Literal["first", "last", "none"] = Field(
        default="first", description="which row of a key stays; none drops keys that repeat"
    )

    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            before=([{"id": 1, "day": 2}, {"id": 1, "day": 1}, {"id": None, "day": 3}],),
            settings={"key": ["id"], "order": ["day"]},
            after=[{"id": 1, "day": 1}, {"id": None, "day": 3}],
        ),
        Example(
            before=([{"a": 1}, {"a": 2}, {"a": 1}],), settings={"keep": "none"}, after=[{"a": 2}]
        ),
    )

    def sources(self) -> tuple[str, ...]:
        return (self.input,)

    def output_names(self, *sources: Relation) -> tuple[ColumnName, ...]:
        return sources[0].schema.names

    def _key(self, source: Relation) -> list[exp.Expr]:
        return [column(exact(name, source)) for name in self.key or source.schema.names]

    def check(self, *sources: Relation) -> Iterator[WorkflowError]:
        for name in self.key:
            if fault := self.absent(name, sources[0]):
                yield fault
        yield from ordering.faults(self, self.order, sources[0])

    def query(self, *sources: Relation) -> Compiled:
        source = sources[0]
        shown = [*source.columns(), *source.helpers()]
        key = self._key(source)
        helpers, order = ordering.ranked(self.order, source)
        inner: exp.Expr = source.table()
        if helpers:
            inner = exp.select(*shown, *helpers).from_(source.table()).subquery("ranked")
        select = exp.select(*shown).from_(inner)
        one = exp.Literal.number(1)
        if self.keep == "none":
            count = exp.Window(this=exp.Count(this=exp.Star()), partition_by=key)
            return Compiled(select.qualify(exp.EQ(this=count, expression=one)), source.order)
        rank = exp.Window(this=exp.RowNumber(), partition_by=key, order=self._within(order))
        return Compiled(select.qualify(exp.EQ(this=rank, expression=one)), source.order)

    def _within(self, order: tuple[Key, ...]) -> exp.Order:
        """Return the order of the rows of one key, the row that stays first."""
        flip = self.keep == "last"
        return exp.Order(
            expressions=[ordered(column(k.column), descending=k.descending != flip) for k in order]
        )

    def noted(self, *sources: Relation) -> list[exp.Expr]:
        """Return the number of rows that each kept row stands for."""
        if self.keep == "none":
            return []
        _, order = ordering.ranked(self.order, sources[0])
        # the same window as the rank's, so that rows are sorted once
        whole = exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING",
                               end="UNBOUNDED", end_side="FOLLOWING")  # fmt: skip
        rows = exp.Window(
            this=exp.Count(this=exp.Star()), partition_by=self._key(sources[0]),
            order=self._within(order), spec=whole,
        )  # fmt: skip
        return [named(rows, _ROWS)]

    def facts(self, result: Relation, *sources: Relation) -> Iterator[Fact]:
        """Yield how many keys occurred more than once, with examples."""
        source, label = sources[0], "keys_repeated"
        items = [named(key, f"k{n}") for n, key in enumerate(self._key(source))]
        one = exp.Literal.number(1)
        if self.keep == "none":
            count: exp.Expr = exp.Count(this=exp.Star())
            several = exp.select(*items, named(count, "n")).from_(source.table())
            several = several.group_by(*[exp.Literal.number(n + 1) for n in range(len(items))])
            several = several.having(exp.GT(this=count.copy(), expression=one))
        else:
            several = exp.select(*items, named(column(_ROWS), "n")).from_(result.table())
            several = several.where(exp.GT(this=column(_ROWS), expression=one))
        total = named(exp.Count(this=exp.Star()), label)
        yield Fact(exp.select(total).from_(several.subquery("g")))
        terms = [ordered(column("n"), descending=True)]
        terms += [ordered(column(f"k{n}")) for n in range(len(items))]
        shown = [column(f"k{n}") for n in range(len(items))]
        worst = exp.select(*shown, column("n")).from_(several.subquery("g"))
        yield Fact(worst.order_by(*terms).limit(5), examples=label, when=label)
