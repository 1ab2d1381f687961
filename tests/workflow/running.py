"""What the tests of workflows share: a step or a few steps, run over rows or over files."""

import atexit
import hashlib
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from prepwright import engines
from prepwright.engines import Engine, EngineSettings
from prepwright.errors import WorkflowError
from prepwright.tables import Rows, Table
from prepwright.workflow import OPERATORS, Run, Settings, Workflow, run, staged, validate

NAMES = ("first", "second", "third", "fourth")
"""The names of the tables that a step reads, and of the input steps that bring them."""

RESULT = "result.csv"


def table(name: str, rows: Rows | pa.Table) -> Table:
    if isinstance(rows, pa.Table):
        return Table.from_arrow(name, rows)
    names = list(dict.fromkeys(key for row in rows for key in row))
    columns = {key: pa.array([row.get(key) for row in rows]) for key in names}
    return Table.from_arrow(name, pa.table(columns))


def reading(operator: str, count: int) -> dict[str, Any]:
    """Return the settings by which a step of this operator reads the first tables."""
    fields = OPERATORS[operator].model_fields
    if "inputs" in fields:
        return {"inputs": list(NAMES[:count])}
    if "left" in fields:
        return {"left": NAMES[0], "right": NAMES[1]}
    return {"input": NAMES[0]} if "input" in fields else {"table": NAMES[0]}


def around(operator: str, settings: Mapping[str, Any], count: int = 1) -> Workflow:
    """Return a workflow of one step, with the inputs and the output that it needs."""
    step = {"id": "step", "operator": operator, **reading(operator, count), **settings}
    if operator == "input":
        inputs = []
    else:
        inputs = [{"id": n, "operator": "input", "table": n} for n in NAMES[:count]]
    ends = [] if operator == "output" else [output("step")]
    return Workflow.from_data({"version": 1, "steps": [*inputs, step, *ends]})


def output(source: str, name: str = RESULT, **settings: Any) -> dict[str, Any]:
    return {"id": f"out_{source}", "operator": "output", "input": source, "name": name, **settings}


def chained(*steps: Mapping[str, Any], tables: Sequence[str] = ("first",)) -> Workflow:
    """Return a workflow of steps `s1`, `s2`, … that each read the one before, unless they say."""
    made: list[dict[str, Any]] = [{"id": n, "operator": "input", "table": n} for n in tables]
    for number, step in enumerate(steps, 1):
        known = {"left", "inputs", "input"} & set(step)
        source = {} if known else {"input": made[-1]["id"]}
        made.append({"id": f"s{number}", **source, **step})
    return Workflow.from_data({"version": 1, "steps": [*made, output(made[-1]["id"])]})


def named(tables: Iterable[Rows | pa.Table]) -> dict[str, Table]:
    return {name: table(name, rows) for name, rows in zip(NAMES, tables, strict=False)}


def ran(
    workflow: Workflow,
    tables: Mapping[str, Table],
    engine: str = "duckdb",
    threads: int | None = None,
    **settings: Any,
) -> Run:
    """Run a workflow in memory."""
    limits = EngineSettings(threads=threads)
    with tempfile.TemporaryDirectory() as folder, engines.opened(engine, limits) as opened:
        return run(
            workflow, tables, opened,
            staging=Path(folder), in_memory=True, settings=Settings(**settings),
        )  # fmt: skip


def after(
    operator: str, settings: Mapping[str, Any], *before: Rows | pa.Table, engine: str = "duckdb"
) -> Rows:
    """Return the rows that one step makes of the tables before."""
    done = ran(around(operator, settings, len(before)), named(before), engine)
    return next(iter(done.outputs.values())).to_pylist()


def value(expression: str, *rows: Mapping[str, Any]) -> list[Any]:
    """Return what an expression gives for each of the rows."""
    settings = {"columns": [{"name": "value", "value": expression}]}
    before = [dict(row) for row in rows] or [{"x": 1}]
    return [row["value"] for row in after("project", settings, before)]


def total(expression: str, *rows: Mapping[str, Any]) -> Any:
    """Return what an aggregate gives over the rows."""
    settings = {"columns": [{"name": "value", "value": expression}]}
    return after("aggregate", settings, [dict(row) for row in rows])[0]["value"]


def written(
    workflow: Workflow, tables: Mapping[str, Table], out: Path, threads: int | None = None
) -> dict[str, bytes]:
    """Run a workflow into a folder and return the bytes of its files by name."""
    limits = EngineSettings(threads=threads)
    with engines.opened("duckdb", limits) as engine, staged(out) as staging:
        run(workflow, tables, engine, staging=staging)
    return {file.name: file.read_bytes() for file in sorted(out.iterdir())}


def faults(workflow: Workflow, tables: Mapping[str, Table], **options: Any) -> list[WorkflowError]:
    """Return every fault that validation finds."""
    schemas = {name: one.schema for name, one in tables.items()}
    try:
        validate(workflow, schemas, checking_engine(), **options)
    except WorkflowError as error:
        return list(error.faults)
    return []


@cache
def checking_engine() -> Engine:
    """Return an engine that is never sealed: it works out types and is given no rows."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(engines.opened())


def fault(operator: str, settings: Mapping[str, Any], *before: Rows | pa.Table) -> str:
    """Return the text of every fault that validation finds in one step; empty where none."""
    tables = named(before)
    try:
        workflow = around(operator, settings, len(before))
    except WorkflowError as error:
        return str(error)
    return "\n".join(str(one) for one in faults(workflow, tables))


def three_lines(error: WorkflowError) -> bool:
    lines = str(error).split("\n")
    return len(lines) == 3 and lines[1].startswith("  found: ") and lines[2].startswith("  fix: ")


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
