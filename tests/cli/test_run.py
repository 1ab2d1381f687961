"""prepwright run, explain, validate and schema: the workflow after it was made."""

import json
import shutil
from pathlib import Path

import pytest

from prepwright import prepare
from tests.cli.conftest import Command


@pytest.fixture(scope="module")
def prepared(registrations: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("made") / "fees"
    prepare(registrations[0], registrations[1:], out=out)
    return out


@pytest.fixture
def made(prepared: Path, tmp_path: Path) -> Path:
    """A folder of results of the example, to be changed at will."""
    return Path(shutil.copytree(prepared, tmp_path / "fees"))


def test_a_folder_is_repeated_to_the_byte(command: Command, made: Path, tmp_path: Path) -> None:
    said = command("run", made, "-o", tmp_path / "again", "--json")
    assert said.status == 0
    assert (said.data["drift"], said.data["changed_outputs"]) == ([], [])
    before = (made / "output_01.csv").read_bytes()
    assert (tmp_path / "again" / "output_01.csv").read_bytes() == before
    assert command("run", made).out.count("1 output to the byte as recorded") == 1
    assert (made / "ledger.md").read_text(encoding="utf-8").count("## Run of") == 2


def test_a_workflow_runs_on_other_files(command: Command, made: Path, tmp_path: Path) -> None:
    later = tmp_path / "later.csv"
    later.write_text("x\ndate,name,track,amount\n2025-01-01,Zoe,Demo,90\n")
    inputs = ["--input", f"workshop_reg={later}", "--reading", "workshop_reg.header_line=2"]
    said = command("run", made, "-o", tmp_path / "next", *inputs)
    assert said.status == 0
    assert "Changed   the content of workshop_reg has changed" in said.out
    assert "2025Q1,Demo,90" in (tmp_path / "next" / "output_01.csv").read_text()


def test_a_workflow_file_wants_its_inputs_and_a_folder(command: Command, made: Path) -> None:
    flow = made / "workflow.json"
    assert "--out" in command("run", flow).err
    said = command("run", flow, "-o", made.parent / "x")
    assert said.status == 2
    assert "--input main_reg=FILE" in said.err


@pytest.mark.parametrize("form", ["text", "mermaid", "json", "all"])
def test_a_workflow_is_explained(command: Command, made: Path, form: str) -> None:
    said = command("explain", made / "workflow.json", "--format", form)
    assert said.status == 0
    if form == "json":
        assert len(said.data["steps"]) == 15
    else:
        assert ("keep rows where fee IS NOT NULL" in said.out) is (form != "x")
        assert ("flowchart TD" in said.out) is (form != "text")


def test_an_explanation_shows_rows_when_it_is_given_files(
    command: Command, made: Path, registrations: list[str]
) -> None:
    inputs = [
        "--input",
        f"main_reg={registrations[1]}",
        "--input",
        f"workshop_reg={registrations[2]}",
    ]
    said = command("explain", made, "--format", "text", *inputs)
    assert "9 → 8 rows" in said.out


def test_a_sound_workflow_has_no_fault(
    command: Command, made: Path, registrations: list[str]
) -> None:
    assert command("validate", made).out == "15 steps, no fault\n"
    said = command("validate", made, "--input", f"main_reg={registrations[1]}", "--json")
    assert said.data == {"status": "done", "steps": 15, "faults": [], "unseen": []}


def test_every_fault_is_found_at_once(command: Command, made: Path) -> None:
    data = json.loads((made / "workflow.json").read_text(encoding="utf-8"))
    data["steps"][6]["where"] = "feee IS NOT NULL"
    data["steps"][13]["columns"][0]["value"] = "avg(fe)"
    (made / "workflow.json").write_text(json.dumps(data))
    said = command("validate", made)
    assert (said.status, len(said.err.strip().split("\n"))) == (2, 6)
    assert len(command("validate", made, "--json").data["faults"]) == 2


def test_the_schema_and_the_functions_are_printed(command: Command) -> None:
    schema = command("schema").data
    assert {"input", "join", "pivot", "output"} <= set(schema["$defs"])
    assert "parse_date(t, formats)" in command("schema", "--functions").out
    assert "sum" in command("schema", "--functions", "--json").data["functions"]
