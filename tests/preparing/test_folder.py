"""A folder of results is written whole or not at all, and holds what its run needs."""

import json
from pathlib import Path

import pytest

from prepwright.errors import WorkflowError
from prepwright.preparing.folder import Means, Told, Written, recorded, write_folder
from prepwright.preparing.inputs import gathered
from prepwright.preparing.repeat import again, changed_outputs, repeat_from
from prepwright.workflow import Workflow


def passed_on(*names: str, where: str = "true") -> Workflow:
    outputs = [
        {"id": f"o{number}", "operator": "output", "input": "f", "name": name}
        for number, name in enumerate(names)
    ]
    return Workflow.model_validate({"version": 1, "steps": [
        {"id": "t", "operator": "input", "table": "t"},
        {"id": "f", "operator": "filter", "input": "t", "where": where},
        *outputs,
    ]})  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "t.csv"
    path.write_text("a\n1\n2\n")
    return path


def written(out: Path, data: Path, workflow: Workflow) -> Written:
    return write_folder(out, workflow, gathered([data]), Means(), Told())


def test_the_record_says_what_the_run_was_made_of(tmp_path: Path, data: Path) -> None:
    made = written(tmp_path / "out", data, passed_on("a.csv"))
    record = json.loads((tmp_path / "out" / "run.json").read_text())
    assert record["inputs"][0]["path"] == str(data)
    assert record["inputs"][0]["relative"] == "../t.csv"
    assert record["inputs"][0]["rows"] == 2
    assert record["outputs"][0]["sha256"] == made.account.outputs[0].sha256
    assert [step["rows"] for step in record["steps"]] == [2, 2, 2]
    assert {"prepwright", "python", "engine", "request", "answers", "seconds"} <= set(record)


def test_the_workflow_keeps_how_its_files_were_read(tmp_path: Path, data: Path) -> None:
    data.write_text("Title\n\na;b\n1;2\n")
    written(tmp_path / "out", data, passed_on("a.csv"))
    step = json.loads((tmp_path / "out" / "workflow.json").read_text())["steps"][0]
    assert (step["reading"]["header_line"], step["reading"]["delimiter"]) == (3, ";")
    assert [column["name"] for column in step["columns"]] == ["a", "b"]


def test_outputs_of_the_former_run_go_when_they_are_made_no_more(
    tmp_path: Path, data: Path
) -> None:
    out = tmp_path / "out"
    written(out, data, passed_on("a.csv", "b.csv"))
    (out / "mine.csv").write_text("kept")
    made = written(out, data, passed_on("a.csv"))
    assert made.removed == ("b.csv",)
    assert (out / "mine.csv").read_text() == "kept"
    assert not (out / "b.csv").exists()


def test_a_record_cannot_name_files_elsewhere(tmp_path: Path, data: Path) -> None:
    out = tmp_path / "out"
    written(out, data, passed_on("a.csv"))
    precious = tmp_path / "precious.txt"
    precious.write_text("x")
    record = recorded(out)
    assert record is not None
    names = ["../precious.txt", str(precious), "workflow.json", 7, None]
    record["outputs"] = [{"name": name} for name in names]
    (out / "run.json").write_text(json.dumps(record))
    assert written(out, data, passed_on("a.csv")).removed == ()
    assert precious.exists()


def test_a_run_that_fails_leaves_the_folder_as_it_was(tmp_path: Path, data: Path) -> None:
    out = tmp_path / "out"
    written(out, data, passed_on("a.csv"))
    before = {one.name: one.read_bytes() for one in out.iterdir()}
    with pytest.raises(WorkflowError):
        written(out, data, passed_on("a.csv", "b.csv", where="CAST(a AS INTEGER) / 0 = error_"))
    data.write_text("a\nx\n")
    with pytest.raises(WorkflowError):
        written(out, data, passed_on("b.csv", where="CAST(a AS INTEGER) > 0"))
    assert {one.name: one.read_bytes() for one in out.iterdir()} == before


def test_a_run_that_fails_at_once_leaves_no_folder(tmp_path: Path, data: Path) -> None:
    with pytest.raises(WorkflowError):
        written(tmp_path / "new", data, passed_on("a.csv", where="nothing > 0"))
    assert not (tmp_path / "new").exists()


def test_an_output_cannot_take_the_name_of_a_file_of_the_run(tmp_path: Path, data: Path) -> None:
    made = Workflow.model_validate({"version": 1, "steps": [
        {"id": "t", "operator": "input", "table": "t"},
        {"id": "o", "operator": "output", "input": "t", "name": "Run.json"},
    ]})  # fmt: skip
    with pytest.raises(WorkflowError, match="cannot be called"):
        written(tmp_path / "out", data, made)


def test_a_folder_alone_repeats_its_run_to_the_byte(tmp_path: Path, data: Path) -> None:
    first = written(tmp_path / "out", data, passed_on("a.csv"))
    repeat = repeat_from(tmp_path / "out", {})
    second = again(repeat, tmp_path / "second", Means())
    assert second.account.drift == ()
    assert changed_outputs(repeat, second) == []
    name = first.account.outputs[0].name
    assert (tmp_path / "second" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


def test_a_moved_folder_finds_the_files_that_moved_with_it(tmp_path: Path, data: Path) -> None:
    written(tmp_path / "out", data, passed_on("a.csv"))
    there = tmp_path / "there"
    there.mkdir()
    (tmp_path / "out").rename(there / "out")
    data.rename(there / "t.csv")
    made = again(repeat_from(there / "out", {}), there / "out", Means())
    assert made.account.outputs[0].rows == 2


def test_what_has_changed_since_is_said(tmp_path: Path, data: Path) -> None:
    written(tmp_path / "out", data, passed_on("a.csv"))
    data.write_text("a,new\n1,x\n")
    repeat = repeat_from(tmp_path / "out", {})
    made = again(repeat, tmp_path / "out", Means())
    assert made.account.drift == ("the content of t has changed", "t has new columns: new")
    assert changed_outputs(repeat, made) == ["a.csv"]
    assert "Changed since the recorded run" in made.ledger


@pytest.mark.parametrize("record", ["", "[]", "{}", '{"inputs": 3, "outputs": [1]}', "[" * 99_999])
def test_a_broken_record_is_no_traceback(tmp_path: Path, data: Path, record: str) -> None:
    out = tmp_path / "out"
    written(out, data, passed_on("a.csv"))
    (out / "run.json").write_text(record)
    assert written(out, data, passed_on("a.csv")).removed == ()
    (out / "run.json").write_text(record)
    assert again(repeat_from(out, {"t": data}), out, Means()).account.outputs[0].rows == 2
