"""Every operator on every engine: its examples hold, and so does what any operator promises."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from prepwright import engines
from prepwright.engines import EngineSettings
from prepwright.tables import Rows
from prepwright.workflow import OPERATORS, Workflow, run, staged, validate
from prepwright.workflow.operator import Example
from tests.workflow.running import NAMES, around, named, ran

EXAMPLES = [
    pytest.param(name, example, id=f"{name}-{number}")
    for name, operator in OPERATORS.items()
    for number, example in enumerate(operator.examples, 1)
]
every_example = pytest.mark.parametrize(("operator", "example"), EXAMPLES)

ROOT = Path(__file__).resolve().parents[2]


def of(operator: str, example: Example) -> Workflow:
    return around(operator, example.settings, len(example.before))


def result(operator: str, before: list[pa.Table | Rows], example: Example, engine: str) -> pa.Table:
    done = ran(of(operator, example), named(before), engine)
    return next(iter(done.outputs.values()))


def arrow(example: Example) -> list[pa.Table]:
    made = named(example.before)
    return [pa.Table.from_batches(made[name].batches()) for name in NAMES if name in made]


@pytest.mark.parametrize("operator", OPERATORS)
def test_an_operator_has_an_example_unless_it_cannot_be_executed(operator: str) -> None:
    executable = getattr(OPERATORS[operator], "executable", True)
    assert bool(OPERATORS[operator].examples) is executable


@every_example
def test_an_example_holds(operator: str, example: Example, engine_name: str) -> None:
    made = result(operator, list(example.before), example, engine_name)
    assert made.to_pylist() == example.after


@every_example
def test_the_names_rule_gives_the_columns_that_the_engine_returns(
    operator: str, example: Example, engine_name: str
) -> None:
    workflow, tables = of(operator, example), named(example.before)
    schemas = {name: table.schema for name, table in tables.items()}
    with engines.opened(engine_name) as engine:
        compilation = validate(workflow, schemas, engine)
    step = workflow.step("step")
    if operator == "input":
        sources = [compilation.relations["__in_step"]]
    else:
        sources = [compilation.relations[source] for source in step.sources()]
    promised = step.output_names(*sources)
    assert (
        list(promised) == result(operator, list(example.before), example, engine_name).schema.names
    )
    assert promised == compilation.relations["step"].schema.names


@every_example
def test_the_types_of_validation_are_those_of_the_run(
    operator: str, example: Example, engine_name: str
) -> None:
    workflow, tables = of(operator, example), named(example.before)
    schemas = {name: table.schema for name, table in tables.items()}
    with engines.opened(engine_name) as engine:
        before = validate(workflow, schemas, engine).relations["step"].schema.columns
    assert ran(workflow, tables, engine_name).step("step").columns == before


@every_example
def test_the_json_of_a_workflow_gives_the_same_workflow(operator: str, example: Example) -> None:
    workflow = of(operator, example)
    again = Workflow.from_json(workflow.to_json())
    assert again == workflow
    assert again.to_json() == workflow.to_json()
    assert Workflow.from_data(workflow.to_data()) == workflow


@every_example
def test_empty_tables_give_a_table_of_the_same_columns(
    operator: str, example: Example, engine_name: str
) -> None:
    full = arrow(example)
    made = result(operator, [one.slice(0, 0) for one in full], example, engine_name)
    wanted = result(operator, list(full), example, engine_name)
    assert made.schema.names == wanted.schema.names
    assert made.schema.types == wanted.schema.types
    one_row = operator == "aggregate" and not example.settings.get("by")
    assert made.num_rows == (1 if one_row else 0)


@every_example
def test_tables_of_nulls_give_a_table_of_the_same_columns(
    operator: str, example: Example, engine_name: str
) -> None:
    full = arrow(example)
    empty = [
        pa.table([pa.nulls(3, kind) for kind in one.schema.types], names=one.schema.names)
        for one in full
    ]
    made = result(operator, list(empty), example, engine_name)
    wanted = result(operator, list(full), example, engine_name)
    assert made.schema.names == wanted.schema.names
    assert made.schema.types == wanted.schema.types


def every_result(threads: int, engine: str, folder: Path) -> str:
    """Return one hash over the files that all examples make."""
    found = hashlib.sha256()
    for name, operator in OPERATORS.items():
        for number, example in enumerate(operator.examples):
            out = folder / f"{name}-{number}-{threads}"
            tables = named(example.before)
            limits = EngineSettings(threads=threads)
            with engines.opened(engine, limits) as opened, staged(out) as staging:
                run(of(name, example), tables, opened, staging=staging)
            for file in sorted(out.iterdir()):
                found.update(file.name.encode() + file.read_bytes())
    return found.hexdigest()


def test_another_process_and_any_number_of_threads_give_the_same_bytes(
    engine_name: str, tmp_path: Path
) -> None:
    call = (
        "import pathlib, sys; from tests.conformance.test_operators import every_result; "
        "print(every_result(2, sys.argv[1], pathlib.Path(sys.argv[2])))"
    )
    command = [sys.executable, "-c", call, engine_name, str(tmp_path / "other")]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = {every_result(threads, engine_name, tmp_path / "own") for threads in (1, 2, 4)}
    assert found == {done.stdout.strip()}


@every_example
def test_an_example_fits_the_published_json_schema(operator: str, example: Example) -> None:
    schema = Workflow.json_schema()
    step = json.loads(of(operator, example).to_json())["steps"][-1 if operator == "output" else -2]
    described = schema["$defs"][operator]
    assert set(step) <= set(described["properties"])
    assert set(described["required"]) <= set(step)
