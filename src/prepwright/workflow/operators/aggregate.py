"""Aggregate: one row for each group."""

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field
from sqlglot import exp

from prepwright.errors import WorkflowError
from prepwright.tables import ColumnName
from prepwright.workflow.expressions import checking
from prepwright.workflow.expressions.canonical import canonical
from prepwright.workflow.operator import (
    Compiled,
    Example,
    Key,
    NamedValue,
    Operator,
    Relation,
    SourceId,
    column,
    exact,
    named,
)  # fmt: skip


class Aggregate(Operator):
    """Compute values over each group of rows that have the same `by` columns.

    Rows: one for each group, ordered by the group columns; without `by`, exactly one.
    Columns: the group columns, then `columns`. Nulls: null is a group of its own.
    """

    operator: Literal["aggregate"] = "aggregate"
    input: SourceId
    by: tuple[ColumnName, ...] = Field(default=(), description="the group columns")
    columns: tuple[NamedValue, ...] = Field(
        default=(), description="result columns with their aggregate expression, such as sum(fee)"
    )

    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            before=([{"g": "b", "x": 1}, {"g": "a", "x": 2}, {"g": "b", "x": None}],),
            settings={"by": ["g"], "columns": [{"name": "n", "value": "count(*)"},
                                               {"name": "total", "value": "sum(x)"}]},
            after=[{"g": "a", "n": 1, "total": 2}, {"g": "b", "n": 2, "total": 1}],
        ),
        Example(
            before=([{"g": "a", "x": 1}, {"g": "a", "x": 5}, {"g": "b", "x": 2}],),
            settings={"by": ["g"],
                      "columns": [{"name": "large", "value": "count(*) FILTER (WHERE x > 2)"}]},
            after=[{"g": "a", "large": 1}, {"g": "b", "large": 0}],
        ),
        Example(
            before=([{"x": "p"}, {"x": "q"}],),
            settings={"columns": [{"name": "all", "value": "string_agg(x, '-')"}]},
            after=[{"all": "p-q"}],
        ),
        Example(
            before=([{"x": "p"}, {"x": "q"}],),
            settings={"columns": [{"name": "year", "value": "2024"}]},
            after=[{"year": 2024}],
        ),
    )  # fmt: skip

    def sources(self) -> tuple[str, ...]:
        return (self.input,)

    def output_names(self, *sources: Relation) -> tuple[ColumnName, ...]:
        by = [exact(name, sources[0]) for name in self.by]
        return (*by, *(item.name for item in self.columns))

    def check(self, *sources: Relation) -> Iterator[WorkflowError]:
        source = sources[0]
        for name in self.by:
            if fault := self.absent(name, source):
                yield fault
        for item in self.columns:
            what = f"column {item.name!r}"
            yield from checking.faults(self, item.value, {"": source}, what=what)
        if not self.by and not self.columns:
            yield self.fault(
                "nothing to compute",
                found="neither by nor columns",
                fix="name a group column or a value such as count(*)",
            )
        yield from self.clashing(self.output_names(source))

    def query(self, *sources: Relation) -> Compiled:
        source = sources[0]
        by = [exact(name, source) for name in self.by]
        values = [named(canonical(item.value, {"": source}), item.name) for item in self.columns]
        select = exp.select(*[named(column(n), n) for n in by], *values).from_(
            source.table(), copy=False
        )
        if by:
            select = select.group_by(*[column(name) for name in by])
        elif not any(value.find(exp.AggFunc) and not value.find(exp.Window) for value in values):
            # values such as 1 or a window would give one row for each of the input
            select = select.having(exp.true())
        return Compiled(select, tuple(Key(name) for name in by))
