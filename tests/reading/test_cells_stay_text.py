"""Every cell of a text file is kept as it was written; only an empty one is null."""

from pathlib import Path

import pytest

from tests.reading.read_rows import read_text, rows_of

CELLS = [
    "007", "1234567890123456789", "NA", "null", "None", "N/A", "-", "1.234,56", "1e5", "TRUE",
    "2024-02-30", " padded ", "\\N", "#x", "'q'", "naïve", "日本", "nan",
]  # fmt: skip


@pytest.mark.parametrize("cell", CELLS)
def test_cell_is_kept_to_the_letter(cell: str, tmp_path: Path) -> None:
    table = read_text(tmp_path, f'id,v\n1,"{cell}"\n')
    assert rows_of(table) == [("1", cell)]
    assert [column.type for column in table.schema.columns] == ["VARCHAR", "VARCHAR"]


def test_empty_cells_are_null_quoted_or_not(tmp_path: Path) -> None:
    assert rows_of(read_text(tmp_path, 'a,b,c\n,"",x\n')) == [(None, None, "x")]


def test_quotes_hold_delimiters_line_ends_and_doubled_quotes(tmp_path: Path) -> None:
    table = read_text(tmp_path, 'a,b\n"x,y","l1\nl2"\n"say ""hi""",z\n')
    assert rows_of(table) == [("x,y", "l1\nl2"), ('say "hi"', "z")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [True, False])
def test_any_line_end_divides_rows(end: str, last: bool, tmp_path: Path) -> None:
    content = end.join(["a,b", "1,2", "3,4"]) + (end if last else "")
    assert rows_of(read_text(tmp_path, content)) == [("1", "2"), ("3", "4")]


def test_a_header_alone_is_a_table_without_rows(tmp_path: Path) -> None:
    table = read_text(tmp_path, "a,b\n")
    assert table.schema.names == ("a", "b")
    assert rows_of(table) == []


def test_a_nul_in_a_cell_is_kept(tmp_path: Path) -> None:
    assert rows_of(read_text(tmp_path, "a,b\n1,x\0y\n")) == [("1", "x\0y")]


def test_a_quote_that_nothing_closes_is_a_plain_character_in_even_rows(tmp_path: Path) -> None:
    table = read_text(tmp_path, 'size,n\n"5 inch,1\n6 inch,2\n')
    assert rows_of(table) == [('"5 inch', "1"), ("6 inch", "2")]
    assert table.reading.options["quote"] == ""
    assert "line 2" in table.reading.notes[0]
