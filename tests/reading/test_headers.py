"""Titles above the header and repeats below it are set aside, and said so."""

from pathlib import Path
from typing import Any

import pytest

from tests.reading.read_rows import read_again, read_text, rows_of

TITLES = [
    ("one title", "VLDB 2024 Main Registration\na,b,c,d\n1,x,y,2\n", 2),
    ("padded title", "Report,,\nid,name,city\n1,x,y\n", 2),
    ("title and blank lines", "Report\n\n\nid,name\n1,x\n", 4),
    ("two titles", "Report\nof May\nid,name\n1,x\n", 3),
    ("name and value pairs", "Source,Bank,,\nDate,01/03/2023,,\nid,name,city,fee\n1,x,y,2\n", 3),
    ("years as names", "Report\nCountry,2019,2020\nAT,1,2\n", 2),
    ("title of several lines", '"Report\nof May"\nid,name\n1,x\n', 3),
]
NO_TITLES = [
    ("plain", "id,name\n1,x\n"),
    ("one column", "Scaffold\n1\n2\n"),
    ("a sparse header over numbers", "id,,\n1,2,3\n4,5,6\n"),
    ("a sparse header over equal words", "word,,\nx,x,y\nx,y,y\n"),
    ("a gap in the header", "id,,name\n1,2,x\n"),
]


@pytest.mark.parametrize(("content", "line"), [case[1:] for case in TITLES])
def test_titles_are_set_aside(content: str, line: int, tmp_path: Path) -> None:
    table = read_text(tmp_path, content)
    assert table.reading.options["header_line"] == line
    assert f"header on line {line}" in table.reading.notes
    assert len(rows_of(table)) == 1
    assert table.reading.line_of(1) == line + 1
    assert rows_of(read_again(table)) == rows_of(table)


@pytest.mark.parametrize("content", [case[1] for case in NO_TITLES])
def test_without_a_title_the_first_line_is_the_header(content: str, tmp_path: Path) -> None:
    assert read_text(tmp_path, content).reading.options["header_line"] == 1


def test_the_notes_say_which_lines(tmp_path: Path) -> None:
    table = read_text(tmp_path, "Main Registration\nday,name,track\n1,x,y\nday,name,track\n2,z,w\n")
    assert table.reading.notes == (
        "title line 1 set aside",
        "header on line 2",
        "line 4 repeats the header, set aside",
    )
    assert rows_of(table) == [("1", "x", "y"), ("2", "z", "w")]
    assert [table.reading.line_of(row) for row in (1, 2)] == [3, 5]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "9,z"])
def test_a_repeat_beyond_the_first_thousand_rows_is_found(
    end: str, last: str, tmp_path: Path
) -> None:
    lines = [
        "id,name",
        *(f"{number},x" for number in range(200_000)),
        "id,name",
        *[last] * bool(last),
    ]
    table = read_text(tmp_path, end.join(lines))
    assert len(rows_of(table)) == 200_000 + bool(last)
    assert "line 200002 repeats the header, set aside" in table.reading.notes


def test_words_of_the_header_inside_a_row_are_data(tmp_path: Path) -> None:
    table = read_text(tmp_path, "id,name\nxid,name\nid,name2\nid,other\n")
    assert len(rows_of(table)) == 3


def test_the_name_of_the_only_column_may_be_a_value(tmp_path: Path) -> None:
    assert rows_of(read_text(tmp_path, "Name\nName\nx\n")) == [("Name",), ("x",)]


KEPT: list[tuple[dict[str, Any], list[tuple[str | None, str | None]]]] = [
    ({"header_line": 2}, [("id", "n"), ("1", "2")]),
    ({"repeated_header": "keep"}, [("x", "y"), ("id", "n"), ("1", "2")]),
    ({"header": False}, [("id", "n"), ("x", "y"), ("id", "n"), ("1", "2")]),
    ({"blank_lines": "keep"}, [("x", "y"), (None, None), ("1", "2")]),
]


@pytest.mark.parametrize(("options", "rows"), KEPT)
def test_each_decision_can_be_overruled(
    options: dict[str, Any], rows: list[tuple[str, str]], tmp_path: Path
) -> None:
    table = read_text(tmp_path, "id,n\nx,y\n\nid,n\n1,2\n", **options)
    assert rows_of(table) == rows
    again = read_again(table)
    assert (again.schema, rows_of(again)) == (table.schema, rows)
    assert again.reading.options == table.reading.options


def test_without_a_header_columns_are_numbered(tmp_path: Path) -> None:
    table = read_text(tmp_path, "1,2\n3,4,5\n", header=False)
    assert table.schema.names == ("column_1", "column_2", "column_3")
    assert rows_of(table) == [("1", "2", None), ("3", "4", "5")]


def test_blank_lines_are_set_aside_in_one_column_too(tmp_path: Path) -> None:
    table = read_text(tmp_path, "Value\n1\n\n2\n\n\n")
    assert rows_of(table) == [("1",), ("2",)]
    assert table.reading.notes == ("3 blank lines set aside (lines 3, 5, 6)",)
    assert table.reading.line_of(2) == 4
