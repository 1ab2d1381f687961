"""Union: put the rows of several tables below each other."""

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field
from sqlglot import exp

from prepwright.errors import WorkflowError, listed
from prepwright.tables import RESERVED, AnyColumns, ColumnName
from prepwright.workflow.operator import (
    Compiled,
    Example,
    Key,
    Operator,
    Relation,
    SourceId,
    column,
    named,
)  # fmt: skip

_PART, _POSITION = f"{RESERVED}part", f"{RESERVED}position"


class Union(Operator):
    """Append tables, matching their columns by name or by position.

    Rows: all, the first table's first; with `distinct` each different row once, where first.
    Columns: every name that occurs, in order of first use; the first table's when by position.
    """

    operator: Literal["union"] = "union"
    inputs: tuple[SourceId, ...] = Field(min_length=2, description="the tables, in order")
    by: Literal["name", "position"] = Field(
        default="name", description="how columns find each other"
    )
    missing: Literal["null", "error"] = Field(
        default="null", description="what a column that a table lacks gives"
    )
    distinct: bool = Field(default=False, description="keep each different row once")
    source: str | None = Field(default=None, description="column to hold the id of the row's table")

    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            before=([{"a": 1, "b": "x"}], [{"b": "y", "a": 2}, {"b": "x", "a": 1}]),
            settings={"distinct": True},
            after=[{"a": 1, "b": "x"}, {"a": 2, "b": "y"}],
        ),
        Example(
            before=([{"a": 1}], [{"c": "z"}]),
            settings={"source": "table"},
            after=[{"a": 1, "c": None, "table": "first"}, {"a": None, "c": "z", "table": "second"}],
        ),
    )

    def sources(self) -> tuple[str, ...]:
        return self.inputs

    def _columns(self, sources: tuple[Relation, ...]) -> list[ColumnName]:
        if self.by == "position":
            return list(sources[0].schema.names)
        names: dict[str, str] = {}
        for source in sources:
            for name in source.schema.names:
                names.setdefault(name.casefold(), name)
        return list(names.values())

    def output_names(self, *sources: Relation) -> tuple[ColumnName, ...]:
        return (*self._columns(sources), *([self.source] if self.source else []))

    def keeps_own_table(self) -> bool:
        return self.distinct

    def rows_of(self, *rows: int) -> int | None:
        return None if self.distinct else sum(rows)

    def check(self, *sources: Relation) -> Iterator[WorkflowError]:
        names = self._columns(sources)
        known = not any(isinstance(source.schema, AnyColumns) for source in sources)
        for step, source in zip(self.inputs, sources, strict=True) if known else ():
            if self.by == "position" and len(source.schema) != len(names):
                yield self.fault(
                    f"{step!r} has another number of columns than {self.inputs[0]!r}",
                    found=f"{len(source.schema)} and {len(names)}",
                    fix='match them by name ("by": "name") or select the same number first',
                )
            lacking = [n for n in names if n not in source.schema]
            if self.by == "name" and self.missing == "error" and lacking:
                yield self.fault(
                    f"{step!r} lacks columns",
                    found=listed(lacking),
                    fix='rename or derive them first, or set "missing": "null"',
                )
        yield from self.clashing(self.output_names(*sources))

    def query(self, *sources: Relation) -> Compiled:
        names = self._columns(sources)
        parts = [self._part(n, source, names, {}) for n, source in enumerate(sources)]
        casts = self._common_types(sources, parts, names)
        if casts:
            parts = [self._part(n, source, names, casts) for n, source in enumerate(sources)]
        stacked = _stacked(parts)
        order = (Key(_PART), Key(_POSITION))
        if not self.distinct:
            return Compiled(stacked, order)
        shown = [column(name) for name in self.output_names(*sources)]
        rank = exp.Window(
            this=exp.RowNumber(),
            partition_by=shown,
            order=exp.Order(expressions=[
                exp.Ordered(this=column(key.column), nulls_first=False) for key in order
            ]),
        )  # fmt: skip
        first = exp.EQ(this=rank, expression=exp.Literal.number(1))
        inner = stacked.subquery("stacked")
        select = exp.select(*shown, column(_PART), column(_POSITION)).from_(inner, copy=False)
        return Compiled(select.qualify(first), order)

    def _part(
        self, number: int, source: Relation, names: list[str], casts: dict[str, str]
    ) -> exp.Select:
        selected: list[exp.Expr] = []
        for place, name in enumerate(names):
            found = (
                source.schema.columns[place] if self.by == "position" else source.schema.find(name)
            )
            value: exp.Expr = column(found.name) if found else exp.Null()
            if name in casts:
                value = exp.cast(value, casts[name])
            selected.append(named(value, name))
        if self.source:
            selected.append(named(exp.Literal.string(self.inputs[number]), self.source))
        selected.append(named(exp.Literal.number(number), _PART))
        # one number stands for the row order of each part, whatever its own keys are
        keys = source.order
        if len(keys) == 1 and not keys[0].descending and keys[0].column in source.hidden.names:
            position: exp.Expr = column(keys[0].column)
        else:
            order = exp.Order(expressions=source.ordering())
            position = exp.Window(this=exp.RowNumber(), order=order)
        selected.append(named(position, _POSITION))
        return exp.select(*selected).from_(source.table(), copy=False)

    def _common_types(
        self, sources: tuple[Relation, ...], parts: list[exp.Select], names: list[str]
    ) -> dict[str, str]:
        if not all(source.typed for source in sources):
            return {}
        result = sources[0].describe(_stacked(parts))
        return {
            name: kind.type
            for name, kind in zip(names, result.columns, strict=False)
            if any(self._type_in(source, place, name) != kind.type
                   for source in sources for place in [names.index(name)])
        }  # fmt: skip

    def _type_in(self, source: Relation, place: int, name: str) -> str:
        found = source.schema.columns[place] if self.by == "position" else source.schema.find(name)
        return found.type if found else ""


def _stacked(parts: list[exp.Select]) -> exp.Query:
    stacked: exp.Query = parts[0]
    for part in parts[1:]:
        stacked = exp.union(stacked, part, distinct=False, copy=False)
    return stacked
