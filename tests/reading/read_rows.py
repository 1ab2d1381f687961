"""What the tests of reading share: tables written as bytes, and rows as tuples."""

from pathlib import Path
from typing import Any

from prepwright.reading import read
from prepwright.tables import Table

Rows = list[tuple[Any, ...]]


def rows_of(table: Table) -> Rows:
    rows: Rows = []
    for batch in table.batches():
        rows += zip(*(column.to_pylist() for column in batch.columns), strict=True)
    return rows


def written(folder: Path, content: str | bytes, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read_text(folder: Path, content: str | bytes, name: str = "table.csv", **options: Any) -> Table:
    return read(written(folder, content, name), options=options)


def read_again(table: Table) -> Table:
    assert table.reading.path is not None
    return read(table.reading.path, options=table.reading.options)
