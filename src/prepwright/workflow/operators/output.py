"""Output: name a table as a result of the workflow."""

from collections.abc import Iterator
from pathlib import PurePath
from typing import ClassVar, Literal

from pydantic import Field
from sqlglot import exp

from prepwright.errors import WorkflowError
from prepwright.tables import ColumnName
from prepwright.workflow.operator import (
    Compiled,
    Example,
    Operator,
    Relation,
    SourceId,
    carried,
    column,
    exact,
    named,
)  # fmt: skip

FORMS = {".csv": "csv", ".tsv": "tsv", ".json": "json", ".jsonl": "jsonl", ".parquet": "parquet",
         ".xlsx": "xlsx"}  # fmt: skip


class Output(Operator):
    """Write the table as a file; the suffix of the name says in which format.

    Rows: unchanged, in order. Columns: unchanged, or `columns` in that order.
    """

    operator: Literal["output"] = "output"
    input: SourceId
    name: str = Field(description="file name, such as output_01.csv")
    columns: tuple[ColumnName, ...] = Field(default=(), description="columns to write, in order")

    fused: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            before=([{"a": 1, "b": "x"}],),
            settings={"name": "result.csv", "columns": ["b"]},
            after=[{"b": "x"}],
        ),
    )

    def sources(self) -> tuple[str, ...]:
        return (self.input,)

    @property
    def form(self) -> str:
        """Return the format that the suffix of the name stands for."""
        return FORMS.get(PurePath(self.name).suffix.lower(), "")

    def _names(self, source: Relation) -> list[ColumnName]:
        return [exact(name, source) for name in self.columns] or list(source.schema.names)

    def output_names(self, *sources: Relation) -> tuple[ColumnName, ...]:
        return tuple(self._names(sources[0]))

    def rows_of(self, *rows: int) -> int | None:
        return rows[0]

    def check(self, *sources: Relation) -> Iterator[WorkflowError]:
        for name in self.columns:
            if fault := self.absent(name, sources[0]):
                yield fault
        yield from self.clashing(self.columns)
        if PurePath(self.name).name != self.name or "\\" in self.name or "\0" in self.name:
            yield self.fault(
                f"{self.name!r} is not a plain file name",
                found="a folder in the name",
                fix="give the file name alone; the run says into which folder",
            )
        elif not self.form:
            yield self.fault(
                f"{self.name!r} has no known format",
                found=PurePath(self.name).suffix,
                fix=f"end the name in one of {', '.join(FORMS)}",
            )

    def query(self, *sources: Relation) -> Compiled:
        source = sources[0]
        names = self._names(source)
        helpers, order = carried(source, {name: name for name in names}, names)
        selected = [named(column(name), name) for name in names]
        return Compiled(exp.select(*selected, *helpers).from_(source.table(), copy=False), order)
