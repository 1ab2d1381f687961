"""A row that is too short is filled up; what a longer row holds is kept in columns of its own."""

from pathlib import Path

from tests.reading.read_rows import read_again, read_text, rows_of


def test_short_rows_are_filled_up_with_nulls(tmp_path: Path) -> None:
    table = read_text(tmp_path, "a,b,c\n1\n1,2\n1,2,3\n")
    assert rows_of(table) == [("1", None, None), ("1", "2", None), ("1", "2", "3")]
    assert table.reading.notes == ("2 short rows filled up with empty cells (lines 2, 3)",)


def test_long_rows_lose_nothing(tmp_path: Path) -> None:
    table = read_text(tmp_path, "a,b\n1,2\n1,2,3,4\n1,2,3\n")
    assert table.schema.names == ("a", "b", "column_3", "column_4")
    assert rows_of(table)[1:] == [("1", "2", "3", "4"), ("1", "2", "3", None)]
    assert table.reading.notes == (
        "2 rows longer than the header, kept in column_3 to column_4 (lines 3, 4)",
    )
    assert read_again(table).schema == table.schema


def test_empty_cells_beyond_the_header_make_no_column(tmp_path: Path) -> None:
    table = read_text(tmp_path, "a,b\n1,2,,\n3,4\n")
    assert table.schema.names == ("a", "b")
    assert table.reading.notes == ("1 row with empty cells beyond the header (line 2)",)


def test_a_short_and_a_long_row_deep_in_the_file_do_not_cancel_out(tmp_path: Path) -> None:
    lines = ["a,b,c", *["1,2,3"] * 300_000, "1,2", *["1,2,3"] * 300_000, "1,2,3,4"]
    table = read_text(tmp_path, "\n".join(lines))
    assert table.schema.names == ("a", "b", "c", "column_4")
    assert table.reading.notes[0].endswith("(line 300002)")
    assert table.reading.notes[1].endswith("(line 600003)")


def test_blank_lines_are_no_rows(tmp_path: Path) -> None:
    table = read_text(tmp_path, "a,b\n\n1,2\n   \n3,4\n\n")
    assert rows_of(table) == [("1", "2"), ("3", "4")]
    assert table.reading.notes == ("3 blank lines set aside (lines 2, 4, 6)",)


def test_a_row_of_empty_cells_is_a_row(tmp_path: Path) -> None:
    assert rows_of(read_text(tmp_path, "a,b\n,\n1,2\n")) == [(None, None), ("1", "2")]


def test_a_row_knows_its_line_after_cells_of_several_lines(tmp_path: Path) -> None:
    table = read_text(tmp_path, 'a,b\n"x\ny",1\nz,2\n"p\nq\nr",3\ns,4\n')
    assert [table.reading.line_of(row) for row in range(1, 5)] == [2, 4, 5, 8]
