"""A table is called after its file, as an identifier of its own."""

from pathlib import Path

import pytest

from prepwright.errors import InputError
from prepwright.reading import identifier, read, read_all
from tests.reading.read_rows import written

STEMS = [
    ("orders", "orders"),
    ("Orders 2024-05", "Orders_2024_05"),
    ("2024 sales", "t_2024_sales"),
    ("café", "cafe"),
    ("订单", "table"),
    ("__x", "x"),
    ("-", "table"),
]


@pytest.mark.parametrize(("stem", "name"), STEMS)
def test_stem_becomes_an_identifier(stem: str, name: str) -> None:
    assert identifier(stem) == name


def test_names_are_unique_in_any_case(tmp_path: Path) -> None:
    paths = []
    for number, name in enumerate(["orders.csv", "Orders.csv", "x.csv"]):
        (tmp_path / str(number)).mkdir()
        paths.append(written(tmp_path / str(number), "a\n1\n", name))
    tables = read_all(paths, ["Orders_2", None, None])
    assert list(tables) == ["Orders_2", "Orders", "x"]
    assert [table.name for table in read_all(paths).values()] == ["orders", "Orders_2", "x"]


def test_one_name_for_two_tables_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "a\n1\n")
    with pytest.raises(InputError, match="two tables are called"):
        read_all([path, path], ["t", "T"])


def test_a_name_may_be_given(tmp_path: Path) -> None:
    assert read(written(tmp_path, "a\n1\n"), name="mine").name == "mine"


def test_folders_and_patterns_are_called_after_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "may files"
    folder.mkdir()
    written(folder, "a\n1\n")
    assert read(folder).name == "may_files"
    assert read(folder / "*.csv").name == "may_files"
