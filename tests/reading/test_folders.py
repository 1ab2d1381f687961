"""A folder or a pattern is one table, with the file's name in front."""

from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from prepwright.errors import InputError
from prepwright.reading import fingerprint, read
from tests.reading.read_rows import read_again, rows_of, written


def test_files_are_united_by_header_name_in_order_of_their_names(tmp_path: Path) -> None:
    written(tmp_path, "b,a\n2,1\n", "may.csv")
    written(tmp_path, "a,B,c\n3,4,5\n", "june.csv")
    table = read(tmp_path)
    assert table.schema.names == ("file_name", "a", "B", "c")
    assert rows_of(table) == [("june.csv", "3", "4", "5"), ("may.csv", "1", "2", None)]
    assert "'c' is absent from may.csv" in table.reading.notes
    assert rows_of(read_again(table)) == rows_of(table)


def test_each_file_is_read_in_its_own_way(tmp_path: Path) -> None:
    written(tmp_path, "a;b\n1,5;2\n", "1.csv")
    written(tmp_path, "Title\nid,name\n", "2.csv")
    written(tmp_path, "a,b\n3,4\na,b\n5,6\n", "3.csv")
    table = read(tmp_path / "*.csv")
    assert [row[:3] for row in rows_of(table)] == [
        ("1.csv", "1,5", "2"), ("3.csv", "3", "4"), ("3.csv", "5", "6")]  # fmt: skip
    assert [table.reading.line_of(row) for row in (1, 2, 3)] == [2, 2, 4]
    assert table.reading.options == {
        "format": "csv", "encoding": "utf-8", "quote": '"', "repeated_header": "drop"}  # fmt: skip


def test_a_pattern_may_go_into_folders(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        written(tmp_path / name, f"v\n{name}\n", "t.csv")
    assert rows_of(read(tmp_path / "*" / "t.csv")) == [("a/t.csv", "a"), ("b/t.csv", "b")]


def test_a_column_called_file_name_is_kept(tmp_path: Path) -> None:
    written(tmp_path, "file_name\nx\n")
    assert read(tmp_path).schema.names == ("file_name", "file_name_2")
    assert rows_of(read(tmp_path)) == [("table.csv", "x")]


def test_hidden_and_foreign_files_are_passed_over(tmp_path: Path) -> None:
    for name in (".hidden.csv", "~$lock.csv", "readme.md"):
        written(tmp_path, "z\n9\n", name)
    written(tmp_path, "a\n1\n")
    assert rows_of(read(tmp_path)) == [("table.csv", "1")]


def test_a_file_whose_name_looks_like_a_pattern_is_itself(tmp_path: Path) -> None:
    written(tmp_path, "a\n1\n", "t[1].csv")
    assert rows_of(read(tmp_path / "t[1].csv")) == [("1",)]


def test_types_that_differ_become_text(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"v": [1], "w": [1]}), tmp_path / "1.parquet")
    parquet.write_table(pa.table({"v": ["x"]}), tmp_path / "2.parquet")
    table = read(tmp_path)
    assert [column.type for column in table.schema.columns] == ["VARCHAR", "VARCHAR", "BIGINT"]
    assert rows_of(table) == [("1.parquet", "1", 1), ("2.parquet", "x", None)]


def test_files_of_two_formats_are_refused(tmp_path: Path) -> None:
    written(tmp_path, "a\n1\n")
    written(tmp_path, '[{"a": 1}]', "t.json")
    with pytest.raises(InputError) as error:
        read(tmp_path)
    assert error.value.found == "1 csv, 1 json"


def test_the_fingerprint_follows_every_file(tmp_path: Path) -> None:
    path = written(tmp_path, "a\n1\n")
    assert fingerprint(path) == read(path).reading.sha256
    before = fingerprint(tmp_path)
    assert before == read(tmp_path).reading.sha256
    written(tmp_path, "a\n2\n")
    assert fingerprint(tmp_path) != before
