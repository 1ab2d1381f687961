"""Rows of text as Arrow batches of bounded size."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from prepwright.errors import InputError, shown
from prepwright.reading.structure import Row, trimmed

Cells = Sequence[str | None]

BATCH_ROWS = 65_536
FIRST_ROWS = 1_000
"""Units: rows. The first batch is small, so that a look at a table costs little."""

BATCH_CELLS = 1_000_000
BATCH_CHARACTERS = 1 << 25


@dataclass(frozen=True)
class TextRows:
    """Rows of text that are read anew each time. Empty cells are null, short rows filled up."""

    where: str
    rows: Callable[[], Iterator[Row]] = field(compare=False, repr=False)
    names: tuple[str, ...]

    def batches(self) -> Iterator[pa.RecordBatch]:
        return text_batches(self._fitted(), self.names, empty=None)

    def _fitted(self) -> Iterator[Cells]:
        width = len(self.names)
        for line, cells in self.rows():
            if len(cells) == width:
                yield cells
                continue
            if trimmed(cells) > width:
                raise InputError(
                    "a row has more cells than the file had when it was opened",
                    where=f"{self.where} line {line}",
                    found=shown(cells[width]),
                    fix="read the file again; something is still writing it",
                )
            yield [*cells[:width], *[""] * (width - len(cells))]


def text_batches(
    rows: Iterable[Cells], names: Sequence[str], *, empty: str | None = ""
) -> Iterator[pa.RecordBatch]:
    """Yield rows of text as Arrow batches of bounded size; without rows, one empty batch.

    Nulls: `None`, and where `empty` is None the empty text too.
    """
    largest = max(1, min(BATCH_ROWS, BATCH_CELLS // max(1, len(names))))
    most = min(FIRST_ROWS, largest)
    pending: list[Cells] = []
    size = 0
    first = True
    for row in rows:
        pending.append(row)
        size += sum([len(cell) for cell in row if cell])
        if len(pending) >= most or size >= BATCH_CHARACTERS:
            yield _batch(pending, names, empty)
            first = False
            pending, size, most = [], 0, largest
    if pending or first:
        yield _batch(pending, names, empty)


def _batch(rows: Sequence[Cells], names: Sequence[str], empty: str | None) -> pa.RecordBatch:
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    arrays = [
        _column([cell or empty for cell in cells] if empty is None else cells) for cells in columns
    ]
    return pa.RecordBatch.from_arrays(arrays, names=list(names))


def _column(cells: Cells) -> "pa.Array[Any]":
    try:
        return pa.array(cells, pa.string())
    except UnicodeEncodeError:
        # JSON can escape half a character ("\\ud83d"), which no UTF-8 text can hold.
        return pa.array([None if cell is None else _whole(cell) for cell in cells], pa.string())


def _whole(cell: str) -> str:
    return cell.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def as_text(column: "pa.Array[Any]") -> "pa.Array[Any]":
    """Return a column as text: JSON for what is nested, else the value's usual text."""
    return pa.array([_value_text(value) for value in column.to_pylist()], pa.string())


def _value_text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)
