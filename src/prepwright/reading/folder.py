"""Several files of one format as one table."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import compute

from prepwright.reading.arrow_text import as_text
from prepwright.reading.structure import column_names
from prepwright.tables import TEXT, Column, Reading, Schema, Table

FILE_NAME = "file_name"

_NOTES_SHOWN = 10


@dataclass(frozen=True)
class Part:
    """One file of several: its label, its table, and where its columns go.

    `places[i]` is the column of the part that fills column i of the whole, or None for nulls.
    """

    label: str
    table: Table
    places: tuple[int | None, ...]

    def rows(self) -> int:
        return sum(batch.num_rows for batch in self.table.batches())


@dataclass(frozen=True)
class PartRows:
    """The rows of one part in the columns of the whole, behind the file's name."""

    part: Part = field(repr=False)
    names: tuple[str, ...]
    text: tuple[bool, ...]
    types: tuple[pa.DataType, ...]

    def batches(self) -> Iterator[pa.RecordBatch]:
        for batch in self.part.table.batches():
            label = pa.array([self.part.label] * batch.num_rows, pa.string())
            columns = [label, *(self._column(batch, index) for index in range(len(self.types)))]
            yield pa.RecordBatch.from_arrays(columns, names=list(self.names))

    def _column(self, batch: pa.RecordBatch, index: int) -> "pa.Array[Any]":
        place = self.part.places[index]
        if place is None:
            return pa.array([None] * batch.num_rows, self.types[index])
        column = batch.column(place)
        return _text(column) if self.text[index] else column


@dataclass
class _PartLines:
    """The line of a row of the whole, within its own file."""

    parts: Sequence[Part]
    counts: dict[int, int] = field(default_factory=dict[int, int])

    def __call__(self, row: int) -> int:
        for index, part in enumerate(self.parts):
            if index == len(self.parts) - 1:
                return part.table.reading.line_of(row)
            if index not in self.counts:
                self.counts[index] = part.rows()
            if row <= self.counts[index]:
                return part.table.reading.line_of(row)
            row -= self.counts[index]
        return row


def gathered(
    path: Path,
    labels: Sequence[str],
    tables: Sequence[Table],
    options: Mapping[str, Any],
) -> Table:
    """Return the tables of several files as one.

    Rows: all, file after file. Columns: `file_name`, then the union by header name, in any case;
    those that differ in type from file to file become text.
    """
    order = _union(tables)
    places = [_places(table, order) for table in tables]
    wanted, notes = column_names([FILE_NAME, *order.values()], len(order) + 1)
    parts = [
        Part(label, table, place)
        for label, table, place in zip(labels, tables, places, strict=True)
    ]
    types, text = _types(parts, len(order))
    columns = (Column(wanted[0]), *map(Column, wanted[1:], types))
    arrow = _arrow_types(parts, text)
    reading = Reading(
        path=path,
        sha256=combined_hash((part.label, part.table.reading.sha256) for part in parts),
        notes=(f"{len(parts)} files as one table", *notes, *_notes(parts, wanted, text)),
        options=_common(tables, options),
        line_of=_PartLines(parts),
    )
    sources = tuple(PartRows(part, wanted, text, arrow) for part in parts)
    return Table(path.stem, Schema(columns), sources, reading)


def combined_hash(parts: "Iterator[tuple[str, str]]") -> str:
    """Return one SHA-256 over the names and hashes of several files."""
    digest = hashlib.sha256()
    for label, sha256 in parts:
        digest.update(f"{label}\0{sha256}\n".encode())
    return digest.hexdigest()


def _union(tables: Sequence[Table]) -> dict[str, str]:
    order: dict[str, str] = {}
    for table in tables:
        for name in table.schema.names:
            order.setdefault(name.casefold(), name)
    return order


def _places(table: Table, order: Mapping[str, str]) -> tuple[int | None, ...]:
    own = {name.casefold(): index for index, name in enumerate(table.schema.names)}
    return tuple(own.get(folded) for folded in order)


def _types(parts: Sequence[Part], width: int) -> tuple[list[str], tuple[bool, ...]]:
    """Return each column's type, and whether parts of other types must become text."""
    types: list[str] = []
    mixed: list[bool] = []
    for index in range(width):
        known = {
            part.table.schema.columns[place].type
            for part in parts
            if (place := part.places[index]) is not None
        }
        mixed.append(len(known) > 1)
        types.append(TEXT if len(known) > 1 else known.pop())
    return types, tuple(mixed)


def _arrow_types(parts: Sequence[Part], text: Sequence[bool]) -> tuple[pa.DataType, ...]:
    """Return the Arrow type of each column, for the nulls of parts that lack it."""
    schemas: dict[int, pa.Schema] = {}

    def kind(index: int) -> pa.DataType:
        if text[index]:
            return pa.string()
        for number, part in enumerate(parts):
            place = part.places[index]
            if place is None:
                continue
            if part.table.schema.columns[place].type == TEXT:
                return pa.string()
            if number not in schemas:
                schemas[number] = next(iter(part.table.batches())).schema
            return schemas[number].field(place).type
        return pa.string()

    return tuple(kind(index) for index in range(len(text)))


def _text(column: "pa.Array[Any]") -> "pa.Array[Any]":
    try:
        return compute.cast(column, pa.string())
    except pa.ArrowNotImplementedError:
        return as_text(column)


def _common(tables: Sequence[Table], asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options on which all files agree, those asked for among them."""
    first = tables[0].reading.options
    agreed = {
        key: value
        for key, value in first.items()
        if all(table.reading.options.get(key) == value for table in tables)
    }
    return {**agreed, **asked}


def _notes(parts: Sequence[Part], names: Sequence[str], text: Sequence[bool]) -> list[str]:
    notes: list[str] = []
    for index, name in enumerate(names[1:]):
        absent = [part.label for part in parts if part.places[index] is None]
        if absent:
            more = f" and {len(absent) - 1} more" if len(absent) > 1 else ""
            notes.append(f"{name!r} is absent from {absent[0]}{more}")
        if text[index]:
            notes.append(f"{name!r} has other types in other files and became text")
    notes += [f"{part.label}: {note}" for part in parts for note in part.table.reading.notes]
    more = len(notes) - _NOTES_SHOWN
    return notes if more <= 0 else [*notes[:_NOTES_SHOWN], f"{more} more notes on single files"]
