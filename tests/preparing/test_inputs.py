"""Files get names, options reach the file that they are meant for, and slips are named."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from prepwright.errors import InputError
from prepwright.preparing.inputs import bindings, bound, gathered, named_path, overrides
from prepwright.workflow import Workflow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.csv").write_text("Title\n\nx,y\n1,2\n")
    (tmp_path / "b=c.csv").write_text("x\n1\n")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "a.csv").write_text("x\n1\n")
    return tmp_path


def test_a_name_may_stand_before_a_path(folder: Path) -> None:
    assert named_path(f"t={folder}/a.csv") == ("t", folder / "a.csv")
    assert named_path(folder / "a.csv") == (None, folder / "a.csv")


def test_a_file_with_an_equals_sign_in_its_name_is_a_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert named_path("b=c.csv") == (None, Path("b=c.csv"))


def test_tables_of_one_file_name_get_names_of_their_own(folder: Path) -> None:
    assert list(gathered([folder / "a.csv", folder / "more" / "a.csv"])) == ["a", "a_2"]
    assert list(gathered([f"a={folder}/more/a.csv", folder / "a.csv"])) == ["a", "a_2"]


def test_a_folder_and_a_pattern_are_named_after_the_folder(folder: Path) -> None:
    assert list(gathered([folder / "more"])) == ["more"]
    assert list(gathered([str(folder / "more" / "*.csv")])) == ["more"]


def test_tables_in_memory_are_taken_as_they_are() -> None:
    tables = gathered({"t": pa.table({"n": [1]})})
    assert tables["t"].schema.columns[0].type == "BIGINT"


@pytest.mark.parametrize("many", [True, False])
def test_a_table_in_memory_without_a_name_is_refused(many: bool) -> None:
    frame: Any = pa.table({"a": [1]})
    with pytest.raises(InputError, match="needs a name"):
        gathered([frame] if many else frame)


def test_two_tables_of_one_name_are_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="two tables"):
        gathered([f"t={folder}/a.csv", f"T={folder}/more/a.csv"])


def test_reading_options_reach_their_table(folder: Path) -> None:
    options = overrides(["a.header_line=4", "a.repeated_header=keep"])
    assert options == {"a": {"header_line": 4, "repeated_header": "keep"}}
    assert gathered([folder / "a.csv"], options)["a"].schema.names == ("1", "2")


def test_options_for_a_table_that_is_not_there_are_a_slip(folder: Path) -> None:
    with pytest.raises(InputError) as caught:
        gathered([f"orders={folder}/a.csv"], {"order": {"header": False}})
    assert "'orders'" in caught.value.fix


@pytest.mark.parametrize("text", ["a.header", "header=1", "=x"])
def test_an_option_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        overrides([text])
    with pytest.raises(InputError):
        bindings([text, text])


READS = Workflow.model_validate({"version": 1, "steps": [
    {"id": "a", "operator": "input", "table": "a", "reading": {"format": "csv", "header_line": 4}},
    {"id": "o", "operator": "output", "input": "a", "name": "o.csv"},
]})  # fmt: skip


def test_a_workflow_reads_its_file_as_it_says(folder: Path) -> None:
    assert bound(READS, {"a": folder / "a.csv"})["a"].schema.names == ("1", "2")


def test_a_file_of_another_format_is_read_in_its_own_way(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('[{"q": 1}]')
    assert bound(READS, {"a": tmp_path / "a.json"})["a"].schema.names == ("q",)


def test_a_workflow_wants_each_of_its_tables_and_no_other(folder: Path) -> None:
    with pytest.raises(InputError, match="'a' has no file"):
        bound(READS, {})
    with pytest.raises(InputError, match="no table 'b'"):
        bound(READS, {"a": folder / "a.csv", "b": folder / "a.csv"})
