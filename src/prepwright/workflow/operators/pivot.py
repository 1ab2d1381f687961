"""Pivot: turn rows into columns, or columns into rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import Field
from sqlglot import exp

from prepwright.errors import WorkflowError, listed
from prepwright.tables import RESERVED, ColumnName, Rows
from prepwright.workflow.expressions import checking
from prepwright.workflow.expressions.canonical import canonical, only_where
from prepwright.workflow.operator import (
    Compiled,
    Example,
    Key,
    NamedValue,
    Operator,
    Relation,
    SourceId,
    carried,
    column,
    exact,
    fresh,
    named,
)  # fmt: skip

_WIDEST = 2_000
"""Units: columns. A wider result is refused: it is a mistake far more often than a wish."""


@dataclass(frozen=True)
class _Cell:
    name: ColumnName
    of: str
    value: str


class Pivot(Operator):
    """Make a table longer (columns become rows) or wider (values become columns).

    Rows: longer gives one for each row and turned column, without null ones unless `nulls`;
    wider gives one for each `by`, ordered by it. Columns: longer keeps the rest, then `names`,
    `values`; wider gives `by`, then one for each value of `domain` and each of the values.
    """

    operator: Literal["pivot"] = "pivot"
    input: SourceId
    direction: Literal["longer", "wider"] = Field(description="which way the table turns")
    names: ColumnName = Field(description="longer: new column of names; wider: column of names")
    values: ColumnName | tuple[NamedValue, ...] = Field(
        description="longer: new column of values; wider: aggregates such as sum(amount)"
    )
    columns: tuple[ColumnName, ...] = Field(default=(), description="longer: the columns to turn")
    keep: tuple[ColumnName, ...] = Field(
        default=(), alias="except", description="longer: turn all columns but these"
    )
    nulls: bool = Field(default=False, description="longer: keep the rows of empty cells")
    by: tuple[ColumnName, ...] = Field(default=(), description="wider: the columns that stay")
    domain: tuple[str, ...] | None = Field(
        default=None,
        description="wider: the names that become columns; found in the data if absent",
    )

    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            before=([{"id": 1, "jan": 5, "feb": None}, {"id": 2, "jan": 6, "feb": 7}],),
            settings={"direction": "longer", "except": ["id"], "names": "month", "values": "n"},
            after=[{"id": 1, "month": "jan", "n": 5}, {"id": 2, "month": "jan", "n": 6},
                   {"id": 2, "month": "feb", "n": 7}],
        ),
        Example(
            before=([{"id": 2, "m": "jan", "n": 6}, {"id": 1, "m": "feb", "n": 7},
                     {"id": 1, "m": "feb", "n": 1}],),
            settings={"direction": "wider", "by": ["id"], "names": "m", "domain": ["jan", "feb"],
                      "values": [{"name": "", "value": "sum(n)"}]},
            after=[{"id": 1, "jan": None, "feb": 8}, {"id": 2, "jan": 6, "feb": None}],
        ),
    )  # fmt: skip

    def sources(self) -> tuple[str, ...]:
        return (self.input,)

    def _turned(self, source: Relation) -> list[ColumnName]:
        if self.columns:
            return [exact(name, source) for name in self.columns]
        kept = {exact(name, source) for name in self.keep}
        return [name for name in source.schema.names if name not in kept]

    def _rest(self, source: Relation) -> list[ColumnName]:
        turned = set(self._turned(source))
        return [name for name in source.schema.names if name not in turned]

    def _cells(self) -> list[_Cell]:
        """Return the columns that a wider table gets beside `by`."""
        values = self.values if isinstance(self.values, tuple) else ()
        return [
            _Cell(f"{name}_{item.name}" if item.name else name, name, item.value)
            for item in values
            for name in self.domain or ()
        ]

    def output_names(self, *sources: Relation) -> tuple[ColumnName, ...]:
        if self.direction == "longer":
            return (*self._rest(sources[0]), self.names, str(self.values))
        return (*(exact(n, sources[0]) for n in self.by), *(cell.name for cell in self._cells()))

    def check(self, *sources: Relation) -> Iterator[WorkflowError]:
        source = sources[0]
        wider = self.direction == "wider"
        for name in (*self.by, self.names) if wider else (*self.columns, *self.keep):
            if fault := self.absent(name, source):
                yield fault
        if wider:
            yield from self._wider_faults(source)
        elif isinstance(self.values, tuple):
            yield self.fault(
                "values names one new column here",
                found="a list of aggregates",
                fix='give one column name, or use "direction": "wider"',
            )
        elif not self._turned(source):
            yield self.fault(
                "no column is left to turn into rows",
                found="an empty list",
                fix='name them in "columns", or fewer in "except"',
            )
        yield from self.clashing(self.output_names(source))

    def _wider_faults(self, source: Relation) -> Iterator[WorkflowError]:
        if not isinstance(self.values, tuple) or not self.values:
            yield self.fault(
                "values lists aggregates here",
                found=repr(self.values),
                fix='write [{"name": "", "value": "sum(amount)"}]',
            )
            return
        for item in self.values:
            yield from checking.faults(self, item.value, {"": source}, what="value")
        wide = len(self.domain or ()) * len(self.values)
        if wide > _WIDEST:
            yield self.fault(
                f"the table would get {wide:,} columns",
                found=listed(self.domain or ()),
                fix=f"stay under {_WIDEST:,}: group the names first, or filter them",
            )

    def unsettled(self, *sources: Relation) -> exp.Query | None:
        """Return the query for the names that become columns, when the settings leave them out."""
        if self.direction == "longer" or self.domain is not None:
            return None
        name = column(exact(self.names, sources[0]))
        there = exp.Not(this=exp.Is(this=name.copy(), expression=exp.Null()))
        items = [named(exp.cast(name.copy(), "VARCHAR"), "name"), named(name, "value")]
        found = exp.select(*items).from_(sources[0].table(), copy=False).where(there).distinct()
        ordering = exp.Ordered(this=column("value"), nulls_first=False)
        return found.order_by(ordering).limit(_WIDEST + 1)

    def settled(self, rows: Rows) -> Operator:
        names = dict.fromkeys(str(row["name"]) for row in rows)
        return self.model_copy(update={"domain": tuple(names)})

    def query(self, *sources: Relation) -> Compiled:
        return self._longer(sources[0]) if self.direction == "longer" else self._wider(sources[0])

    def _longer(self, source: Relation) -> Compiled:
        rest, turned = self._rest(source), self._turned(source)
        common = self._common_type(source, turned)
        part = fresh(f"{RESERVED}part", [*source.schema.names, *source.hidden.names])
        helpers, order = carried(
            source, {n: n for n in rest}, [*rest, self.names, str(self.values)]
        )
        names = exp.Array(expressions=[exp.Literal.string(name) for name in turned])
        cells: list[exp.Expr] = [column(name) for name in turned]
        if common:
            cells = [exp.cast(cell, common) for cell in cells]
        places = exp.Array(expressions=[exp.Literal.number(n) for n in range(len(turned))])
        shown = [named(column(name), name) for name in rest]
        inner = exp.select(
            *shown,
            named(exp.Explode(this=names), self.names),
            named(exp.Explode(this=exp.Array(expressions=cells)), str(self.values)),
            *helpers,
            named(exp.Explode(this=places), part),
        ).from_(source.table(), copy=False)
        outer = exp.select(*[column(name) for name in inner.named_selects])
        outer = outer.from_(inner.subquery("turned"), copy=False)
        if not self.nulls:
            there = exp.Is(this=column(str(self.values)), expression=exp.Null())
            outer = outer.where(exp.Not(this=there))
        return Compiled(outer, (*order, Key(part)))

    def _common_type(self, source: Relation, turned: list[ColumnName]) -> str:
        """Return a type that holds the cells of all turned columns."""
        found = [source.schema.find(name) for name in turned]
        kinds = {item.type for item in found if item}
        if len(kinds) <= 1 or not source.typed:
            return ""
        numeric = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "DOUBLE", "FLOAT", "HUGEINT"}
        if all(kind in numeric or kind.startswith("DECIMAL") for kind in kinds):
            return "DOUBLE"
        return "TIMESTAMP" if kinds <= {"DATE", "TIMESTAMP"} else "VARCHAR"

    def _wider(self, source: Relation) -> Compiled:
        by = [exact(name, source) for name in self.by]
        name = column(exact(self.names, source))
        selected: list[exp.Expr] = [named(column(n), n) for n in by]
        for cell in self._cells():
            value = canonical(cell.value, {"": source})
            text = exp.cast(name.copy(), "VARCHAR")
            wanted = exp.EQ(this=text, expression=exp.Literal.string(cell.of))
            selected.append(named(only_where(value, wanted), cell.name))
        if not selected:
            selected = [named(exp.Count(this=exp.Star()), f"{RESERVED}rows")]
        select = exp.select(*selected).from_(source.table(), copy=False)
        if by:
            select = select.group_by(*[column(n) for n in by])
        return Compiled(select, tuple(Key(n) for n in by))
