"""Names are kept to the letter; blank and repeated ones get a name of their own."""

from pathlib import Path

import pytest

from prepwright.reading.structure import column_names
from tests.reading.read_rows import read_text

NAMES = [
    (["a", "b"], ("a", "b")),
    ([" a ", "b  "], (" a ", "b  ")),
    (["a", "", "c"], ("a", "column_2", "c")),
    (["a", "  "], ("a", "column_2")),
    (["a", "A", "a"], ("a", "A_2", "a_3")),
    (["a", "a", "a_2"], ("a", "a_3", "a_2")),
    (["", "column_1"], ("column_1_2", "column_1")),
    (["__row"], ("_row",)),
    (["a\0b"], ("ab",)),
    (["Ä", "ä"], ("Ä", "ä_2")),
]


@pytest.mark.parametrize(("given", "names"), NAMES)
def test_names_are_unique_in_any_case(given: list[str], names: tuple[str, ...]) -> None:
    assert column_names(given, len(given))[0] == names


def test_changed_names_are_noted(tmp_path: Path) -> None:
    table = read_text(tmp_path, "id,ID,\n1,2,3\n")
    assert table.reading.notes == (
        "no name in 1 column: column_3",
        "the second 'ID' is named 'ID_2' (column 2)",
    )


def test_spaces_around_a_name_are_kept(tmp_path: Path) -> None:
    assert read_text(tmp_path, "Name ,x\n1,2\n").schema.names == ("Name ", "x")
