"""The delimiter is the one that gives most lines the same number of cells."""

from pathlib import Path

import pytest

from prepwright.errors import InputError
from tests.reading.read_rows import read_again, read_text, rows_of

CASES = [
    ("comma", "a,b\n1,2\n", ",", [("1", "2")]),
    ("tab", "a\tb\n1\t2\n", "\t", [("1", "2")]),
    ("semicolon", "a;b\n1;2\n", ";", [("1", "2")]),
    ("pipe", "a|b\n1|2\n", "|", [("1", "2")]),
    ("decimal commas", "Datum;Wert\n2024;1,5\n2025;2,5\n", ";", [("2024", "1,5"), ("2025", "2,5")]),
    ("commas in quotes", 'a;b\n"x,y";"p,q"\n', ";", [("x,y", "p,q")]),
    ("lists in cells", "id,tags\n1,a;b;c\n2,d;e;f\n", ",", [("1", "a;b;c"), ("2", "d;e;f")]),
    ("title above", "Sales 2024, all regions, net\na;b;c\n1;2;3\n4;5;6\n", ";",
     [("1", "2", "3"), ("4", "5", "6")]),
    ("declared", "sep=;\na;b\n1;2\n", ";", [("1", "2")]),
]  # fmt: skip


@pytest.mark.parametrize(("content", "delimiter", "rows"), [case[1:] for case in CASES])
def test_delimiter_is_found(
    content: str, delimiter: str, rows: list[tuple[str, ...]], tmp_path: Path
) -> None:
    table = read_text(tmp_path, content)
    assert table.reading.options["delimiter"] == delimiter
    assert rows_of(table) == rows
    assert rows_of(read_again(table)) == rows


def test_an_unusual_delimiter_is_noted_with_its_evidence(tmp_path: Path) -> None:
    table = read_text(tmp_path, "a;b\n1;2\n3;4\n")
    assert table.reading.notes == ("delimiter semicolon (2 cells in 3 of the first 3 lines)",)


def test_plain_sentences_are_one_column(tmp_path: Path) -> None:
    table = read_text(tmp_path, "Tweet\nhello world\ngood morning, all\nbye\nsee you\n")
    assert table.schema.names[0] == "Tweet"
    assert rows_of(table)[0][0] == "hello world"


def test_a_given_delimiter_is_used(tmp_path: Path) -> None:
    table = read_text(tmp_path, "a^b,c\n1^2,3\n", delimiter="^")
    assert rows_of(table) == [("1", "2,3")]


def test_a_tsv_file_prefers_the_tab(tmp_path: Path) -> None:
    table = read_text(tmp_path, "a,b\tc\n1,2\t3\n", name="t.tsv")
    assert table.schema.names == ("a,b", "c")


@pytest.mark.parametrize("delimiter", ["", "ab", '"', "\n"])
def test_what_cannot_divide_cells_is_refused(delimiter: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="delimiter"):
        read_text(tmp_path, "a\n1\n", delimiter=delimiter)
