"""The workflow language is enough: the files beside this one solve real cases, without a script.

Each is a workflow written by hand from the words of a PrepBench development case. The cases are no
part of this repository; where they are not at hand, these tests are skipped.
"""

import json
from pathlib import Path

import pytest

from prepwright import engines, reading
from prepwright.engines import EngineSettings
from prepwright.tables import Table
from prepwright.workflow import Workflow, run, staged
from prepwright.workflow.operators.input import Input
from tests.workflows.strict import differences

CASES = Path(__file__).resolve().parents[3] / "shared" / "bench" / "prepbench"
WORKFLOWS = sorted(Path(__file__).parent.glob("case_*.json"))

ORDERED = frozenset({
    "case_003/output_01.csv", "case_006/output_01.csv", "case_007/output_01.csv",
    "case_024/output_01.csv", "case_026/output_01.csv", "case_046/output_02.csv",
    "case_054/output_02.csv", "case_058/output_01.csv", "case_062/output_01.csv",
    "case_069/output_01.csv", "case_119/output_01.csv", "case_119/output_02.csv",
    "case_119/output_03.csv", "case_126/output_01.csv",
})  # fmt: skip
"""Outputs whose request states an order of rows that the truth keeps."""

every_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
with_cases = pytest.mark.skipif(not CASES.is_dir(), reason=f"no PrepBench cases in {CASES}")


def read_inputs(workflow: Workflow, case: str) -> dict[str, Table]:
    folder = CASES / "data" / case / "inputs"
    return {
        step.table: reading.read(
            folder / f"{step.table}.csv", name=step.table, options=step.reading
        )
        for step in workflow.steps
        if isinstance(step, Input)
    }


def results(path: Path, out: Path, threads: int = 2) -> dict[str, bytes]:
    """Run a workflow on its case; return what it wrote by file name."""
    workflow = Workflow.from_json(path.read_text(encoding="utf-8"), where=path.name)
    tables = read_inputs(workflow, path.stem)
    limits = EngineSettings(threads=threads)
    with engines.opened("duckdb", limits) as engine, staged(out) as staging:
        run(workflow, tables, engine, staging=staging)
    return {file.name: file.read_bytes() for file in sorted(out.iterdir())}


@with_cases
@every_workflow
def test_a_workflow_gives_exactly_the_tables_that_were_asked_for(
    path: Path, tmp_path: Path
) -> None:
    truth = CASES / "gt" / path.stem
    files = json.loads((truth / "config.json").read_text(encoding="utf-8"))["files"]
    assert sorted(results(path, tmp_path)) == sorted(files)
    for name, wanted in files.items():
        ordered = f"{path.stem}/{name}" in ORDERED
        faults = differences(tmp_path / name, truth / name, wanted["columns"], ordered=ordered)
        assert not faults, f"{path.stem}/{name}: " + "\n".join(faults)


@with_cases
@every_workflow
def test_a_workflow_writes_the_same_bytes_with_one_thread_and_with_two(
    path: Path, tmp_path: Path
) -> None:
    assert results(path, tmp_path / "one", threads=1) == results(path, tmp_path / "two", threads=2)


@every_workflow
def test_a_workflow_needs_no_script(path: Path) -> None:
    workflow = Workflow.from_json(path.read_text(encoding="utf-8"), where=path.name)
    assert [step.id for step in workflow.steps if step.operator == "script"] == []


@every_workflow
def test_a_workflow_file_is_written_as_workflows_are_written(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert Workflow.from_json(text, where=path.name).to_json() == text
