"""Tables: columns with types, and where their rows are read from."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from prepwright.arrow_types import type_name
from prepwright.errors import closest

ColumnName = str
Rows = list[dict[str, Any]]

ROW = "__row"
"""The row identity that every engine adds to a loaded table: 1, 2, 3, … in file order."""

RESERVED = "__"
"""No column of a user's table starts with this: such names hold row identity and row order."""

TEXT = "VARCHAR"


@dataclass(frozen=True)
class Column:
    """One column. `type` is a type name of the expression dialect (DuckDB's), such as `VARCHAR`."""

    name: ColumnName
    type: str = TEXT


@dataclass(frozen=True)
class Schema:
    """The columns of a table, in order. Names are unique whatever their case."""

    columns: tuple[Column, ...]

    @classmethod
    def text(cls, *names: ColumnName) -> "Schema":
        """Return a schema in which every column is text."""
        return cls(tuple(Column(name) for name in names))

    @property
    def names(self) -> tuple[ColumnName, ...]:
        return tuple(column.name for column in self.columns)

    def find(self, name: str) -> Column | None:
        """Return the column of that name, in whatever case it is written, or None."""
        exact, folded = self._index
        return exact.get(name) or folded.get(name.casefold())

    @cached_property
    def _index(self) -> tuple[dict[str, Column], dict[str, Column]]:
        columns = list(reversed(self.columns))
        return {c.name: c for c in columns}, {c.name.casefold(): c for c in columns}

    def suggest(self, name: str) -> ColumnName | None:
        """Return the column name that `name` was most likely meant to be, or None."""
        return closest(name, self.names)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.find(name) is not None

    def __len__(self) -> int:
        return len(self.columns)


@dataclass(frozen=True)
class AnyColumns(Schema):
    """The columns of a table that is not known yet: every name may be one of them."""

    def find(self, name: str) -> Column | None:
        return super().find(name) or Column(name, "")


NO_COLUMNS = Schema(())


_BLOCK_BYTES = 4 * 2**20


class Source(Protocol):
    """A place that gives the rows of a table, in order, as often as it is asked."""

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows as Arrow batches that hold the table's columns, in the table's order."""
        ...


@dataclass(frozen=True)
class ArrowRows:
    """Rows in memory."""

    data: pa.Table

    def batches(self) -> Iterator[pa.RecordBatch]:
        yield from self.data.to_batches()


@dataclass(frozen=True)
class DelimitedFile:
    """A UTF-8 text file with a delimiter, so regular that an engine may scan it by itself.

    `skip_lines` lines stand before the first data row (a header among them). Empty cells are null.
    `tolerant` reads the same rows slowly and forgives what a scanner refuses; a scanner that fails
    on the file after all is followed by it.
    """

    path: Path
    delimiter: str
    quote: str
    skip_lines: int
    columns: tuple[ColumnName, ...]
    tolerant: Callable[[], Iterator[pa.RecordBatch]] = field(compare=False, repr=False)

    def batches(self) -> Iterator[pa.RecordBatch]:
        given = 0
        try:
            for batch in self._scanned():
                yield batch
                given += batch.num_rows
        except pa.ArrowInvalid:
            yield from _after(given, self.tolerant())

    def _scanned(self) -> Iterator[pa.RecordBatch]:
        import pyarrow.csv as scanner

        names = list(self.columns)
        reading = scanner.ReadOptions(
            column_names=names, skip_rows=self.skip_lines, block_size=_BLOCK_BYTES
        )
        parsing = scanner.ParseOptions(
            delimiter=self.delimiter,
            quote_char=self.quote,
            newlines_in_values=True,
            ignore_empty_lines=False,
        )
        converting = scanner.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()),
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=True,
        )
        try:
            opened = scanner.open_csv(self.path, reading, parsing, converting)
        except pa.ArrowInvalid as error:
            if "Empty CSV file" in str(error):
                return
            raise
        with opened:
            yield from opened


def _after(rows: int, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the batches without their first rows."""
    for batch in batches:
        if batch.num_rows > rows:
            yield batch.slice(rows)
        rows = max(0, rows - batch.num_rows)


@dataclass(frozen=True)
class ParquetFile:
    """A Parquet file, with its own types. `columns` names what is read, in order."""

    path: Path
    columns: tuple[ColumnName, ...]

    def batches(self) -> Iterator[pa.RecordBatch]:
        from pyarrow import parquet

        with parquet.ParquetFile(self.path) as file:
            yield from file.iter_batches(columns=list(self.columns))


@dataclass(frozen=True)
class Reading:
    """How a file was read: each decision with its evidence, as plain data.

    `notes` are sentences for people. `options` hold what an input step needs to read the same file
    the same way again. `line_of` gives the line (or sheet row) of the n-th row, counted from 1.
    """

    path: Path | None = None
    sha256: str = ""
    notes: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    line_of: Callable[[int], int] = field(default=lambda row: row, compare=False, repr=False)


@dataclass(frozen=True)
class Table:
    """A named table: its columns, where its rows are, and how it was read."""

    name: str
    schema: Schema
    sources: tuple[Source, ...]
    reading: Reading = Reading()

    @classmethod
    def from_arrow(
        cls, name: str, data: pa.Table, types: Mapping[str, str] | None = None
    ) -> "Table":
        """Return a table over rows in memory; a column's type is taken from Arrow unless given."""
        known = types or {}
        columns = tuple(
            Column(item.name, known.get(item.name) or type_name(item.type)) for item in data.schema
        )
        return cls(name, Schema(columns), (ArrowRows(data),))

    @classmethod
    def from_rows(cls, name: str, rows: Sequence[Mapping[str, Any]]) -> "Table":
        """Return a table over Python rows; types are what Arrow makes of the values."""
        return cls.from_arrow(name, pa.Table.from_pylist([dict(row) for row in rows]))

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield every row, in order, as Arrow batches."""
        for source in self.sources:
            yield from source.batches()
