"""Parquet keeps its types; what the expression dialect has no name for becomes text."""

import datetime
import decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from prepwright.reading import read
from prepwright.tables import ParquetFile
from tests.reading.read_rows import rows_of


def stored(folder: Path, data: dict[str, Any]) -> Path:
    parquet.write_table(pa.table(data), folder / "t.parquet")
    return folder / "t.parquet"


TYPED = [
    (pa.array([1], pa.int64()), "BIGINT"),
    (pa.array([1.5]), "DOUBLE"),
    (pa.array(["x"]), "VARCHAR"),
    (pa.array([datetime.date(2024, 1, 2)]), "DATE"),
    (pa.array([datetime.datetime(2024, 1, 2, 3)]), "TIMESTAMP"),
    (pa.array([decimal.Decimal("1.50")], pa.decimal128(10, 2)), "DECIMAL(10,2)"),
    (pa.array([["a", "b"]]), "VARCHAR[]"),
    (pa.array([True]), "BOOLEAN"),
]


@pytest.mark.parametrize(("column", "name"), TYPED)
def test_type_is_kept(column: "pa.Array[Any]", name: str, tmp_path: Path) -> None:
    table = read(stored(tmp_path, {"v": column}))
    assert table.schema.columns[0].type == name
    assert isinstance(table.sources[0], ParquetFile)
    assert rows_of(table) == [(column[0].as_py(),)]


def test_a_struct_becomes_json_text(tmp_path: Path) -> None:
    table = read(stored(tmp_path, {"id": [1], "s": [{"k": 1, "l": ["é"]}], "n": pa.nulls(1)}))
    assert [column.type for column in table.schema.columns] == ["BIGINT", "VARCHAR", "VARCHAR"]
    assert rows_of(table) == [(1, '{"k": 1, "l": ["é"]}', None)]
    assert "turned into text: s" in table.reading.notes[0]


def test_names_that_differ_only_by_case_are_told_apart(tmp_path: Path) -> None:
    table = read(stored(tmp_path, {"a": [1], "A": [2]}))
    assert table.schema.names == ("a", "A_2")
    assert rows_of(table) == [(1, 2)]
