"""Parquet: columns with types of their own, which are kept."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from pyarrow import types as kinds

from prepwright.arrow_types import type_name
from prepwright.errors import InputError
from prepwright.reading.arrow_text import as_text
from prepwright.reading.reader import ReaderOptions
from prepwright.reading.structure import column_names
from prepwright.reading.survey import file_hash
from prepwright.tables import TEXT, Column, ParquetFile, Reading, Schema, Source, Table

MAGIC = b"PAR1"

_BATCH_ROWS = 65_536
_DECIMAL_DIGITS = 38


@dataclass(frozen=True)
class ConvertedParquet:
    """A Parquet file with other column names, or with columns that are turned into text."""

    path: Path
    names: tuple[str, ...]
    text: frozenset[int]

    def batches(self) -> Iterator[pa.RecordBatch]:
        from pyarrow import parquet

        with parquet.ParquetFile(self.path) as file:
            for batch in file.iter_batches(batch_size=_BATCH_ROWS):
                columns = [
                    as_text(column) if index in self.text else column
                    for index, column in enumerate(batch.columns)
                ]
                yield pa.RecordBatch.from_arrays(columns, names=list(self.names))


class ParquetReader:
    """Read a Parquet file with its own types; structs, maps and the like become JSON text."""

    name = "parquet"
    suffixes = (".parquet", ".parq", ".pq")
    options = ReaderOptions

    def sniff(self, head: bytes) -> float:
        """Return whether the file starts as Parquet does."""
        return 1.0 if head.startswith(MAGIC) else 0.0

    def read(self, path: Path, options: ReaderOptions) -> Table:
        """Return the table in the file."""
        schema = _schema(path)
        names, notes = column_names(schema.names, len(schema.names))
        text = frozenset(
            index for index, field in enumerate(schema) if not _expressible(field.type)
        )
        source: Source = ParquetFile(path, names)
        if text or list(names) != schema.names:
            source = ConvertedParquet(path, names, text)
        columns = tuple(
            Column(name, TEXT if index in text else type_name(field.type))
            for index, (name, field) in enumerate(zip(names, schema, strict=True))
        )
        if text:
            changed = ", ".join(f"{names[at]} ({schema.field(at).type})" for at in sorted(text)[:5])
            notes.append(f"turned into text: {changed}")
        reading = Reading(path, file_hash(path), tuple(notes), {"format": self.name})
        return Table(path.stem, Schema(columns), (source,), reading)


def _schema(path: Path) -> pa.Schema:
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            schema = file.schema_arrow
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(
            "the Parquet file is damaged or cut off",
            where=str(path),
            found=str(error),
            fix="copy or write the file anew",
        ) from None
    if not schema.names:
        raise InputError(
            "the file has no columns",
            where=str(path),
            found="an empty schema",
            fix="write the file anew with its columns",
        )
    return schema


def _expressible(kind: pa.DataType) -> bool:
    """Return whether the type has a name in the expression dialect."""
    if kinds.is_list(kind) or kinds.is_large_list(kind):
        return _expressible(kind.value_type)
    if kinds.is_dictionary(kind):
        return _expressible(kind.value_type)
    if kinds.is_decimal(kind):
        return kind.precision <= _DECIMAL_DIGITS
    textual = kinds.is_string(kind) or kinds.is_large_string(kind) or str(kind) == "string_view"
    return textual or type_name(kind) != TEXT


READER = ParquetReader()
