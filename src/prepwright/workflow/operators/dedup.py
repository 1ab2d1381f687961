"""Dedup: keep one row for each distinct key."""

from collections.abc import Iterable, Iterator
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
    Passes,
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
            inner = (
                exp.select(*shown, *helpers).from_(source.table(), copy=False).subquery("ranked")
            )
        select = exp.select(*shown).from_(inner, copy=False)
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
        if self.keep == "none":
            several: exp.Select = self._repeated(source)
        else:
            items = [named(key, f"k{n}") for n, key in enumerate(self._key(source))]
            several = exp.select(*items, named(column(_ROWS), "n")).from_(
                result.table(), copy=False
            )
            several = several.where(exp.GT(this=column(_ROWS), expression=exp.Literal.number(1)))
        yield from self._told(several, label, len(self._key(source)))

    def _repeated(self, source: Relation) -> exp.Select:
        """Return the keys that occur more than once, as `k0`, `k1`, …, with their rows `n`."""
        items = [named(key, f"k{n}") for n, key in enumerate(self._key(source))]
        count = exp.Count(this=exp.Star())
        several = exp.select(*items, named(count, "n")).from_(source.table(), copy=False)
        several = several.group_by(*[exp.Literal.number(n + 1) for n in range(len(items))])
        return several.having(exp.GT(this=count.copy(), expression=exp.Literal.number(1)))

    def _told(self, several: exp.Select, label: str, width: int) -> Iterator[Fact]:
        total = named(exp.Count(this=exp.Star()), label)
        yield Fact(exp.select(total).from_(several.subquery("g"), copy=False))
        shown = [column(f"k{n}") for n in range(width)]
        terms = [ordered(column("n"), descending=True), *[ordered(key.copy()) for key in shown]]
        worst = exp.select(*shown, column("n")).from_(several.subquery("g"), copy=False)
        yield Fact(worst.order_by(*terms).limit(5), examples=label, when=label)

    def passes(self, *sources: Relation) -> Passes | None:
        source = sources[0]
        names = (f"{RESERVED}repeated_{self.id}", f"{RESERVED}dropped_{self.id}")
        repeated, dropped = (Relation(name, source.schema, ()) for name in names)
        key, identity = [k.name for k in self._key(source)], [k.column for k in source.order]
        helpers, order = ordering.ranked(self.order, source)
        sorted_by = [k.column for k in order if k.column not in {h.alias for h in helpers}]
        read = [column(name) for name in dict.fromkeys([*key, *identity, *sorted_by])]
        rows = exp.select(*read, *helpers).from_(source.table(), copy=False).subquery("rows")
        pairs = [(column(name, "rows"), column(f"k{n}", "keys")) for n, name in enumerate(key)]
        some = exp.select(*[column(name, "rows") for name in identity]).from_(rows, copy=False)
        some = some.join(repeated.table("keys"), on=_same(pairs), join_type="semi")
        if self.keep != "none":
            rank = exp.Window(
                this=exp.RowNumber(), partition_by=[column(name, "rows") for name in key],
                order=self._within(order),
            )  # fmt: skip
            some = some.qualify(exp.GT(this=rank, expression=exp.Literal.number(1)))
        pairs = [(column(name, "rows"), column(name, "gone")) for name in identity]
        shown = [
            named(column(c.name, "rows"), c.name) for c in (*source.columns(), *source.helpers())
        ]
        left = exp.select(*shown).from_(source.table("rows"), copy=False)
        left = left.join(dropped.table("gone"), on=_same(pairs), join_type="anti")
        told = tuple(
            self._told(
                exp.select("*").from_(repeated.table(), copy=False), "keys_repeated", len(key)
            )
        )
        return Passes(names, self._repeated(source), some, left, told)


def _same(pairs: Iterable[tuple[exp.Expr, exp.Expr]]) -> exp.Expr:
    return exp.and_(*[exp.NullSafeEQ(this=one, expression=other) for one, other in pairs])
