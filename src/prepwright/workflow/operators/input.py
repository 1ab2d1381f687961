"""Input: bring a table into the workflow."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field
from sqlglot import exp

from prepwright.errors import WorkflowError
from prepwright.tables import ROW, Column, ColumnName, Schema
from prepwright.workflow.operator import Compiled, Example, Key, Operator, Relation, Setting, column


class InputColumn(Setting):
    """A column as it was when the workflow was written."""

    name: str
    type: str = "VARCHAR"


class Input(Operator):
    """Read a table that the run is given by name.

    Rows: all, in file order. Columns: the table's.
    """

    operator: Literal["input"] = "input"
    table: str = Field(description="name of the table, bound to a file when the workflow is run")
    columns: tuple[InputColumn, ...] = Field(
        default=(), description="the columns as they were when the workflow was written"
    )
    reading: Mapping[str, Any] = Field(
        default_factory=dict[str, Any], description="how the file is read: header line, encoding, …"
    )

    fused: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        Example(before=([{"a": "1"}, {"a": None}],), settings={}, after=[{"a": "1"}, {"a": None}]),
        Example(before=([{"rowid": "7"}],), settings={}, after=[{"rowid": "7"}]),
    )

    def sources(self) -> tuple[str, ...]:
        return ()

    def declared(self) -> Schema | None:
        """Return the columns that the workflow states, or None when it states none."""
        stated = tuple(Column(item.name, item.type) for item in self.columns)
        return Schema(stated) if stated else None

    def output_names(self, *sources: Relation) -> tuple[ColumnName, ...]:
        return sources[0].schema.names

    def rows_of(self, *rows: int) -> int | None:
        return rows[0]

    def check(self, *sources: Relation) -> Iterator[WorkflowError]:
        yield from self.clashing(sources[0].schema.names)

    def query(self, *sources: Relation) -> Compiled:
        # the loaded table stands in as the one source of an input
        source = sources[0]
        selected = [*source.columns(), column(ROW)]
        return Compiled(exp.select(*selected).from_(source.table(), copy=False), (Key(ROW),))
