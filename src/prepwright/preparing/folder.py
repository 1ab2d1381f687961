"""The folder of results: tables, workflow, code, ledger and record, all of them or none."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from prepwright import __version__, engines
from prepwright.errors import WorkflowError
from prepwright.export.account import Account, OutputFile
from prepwright.export.ledger import ledger, with_former
from prepwright.export.program import program
from prepwright.export.record import record
from prepwright.export.sql import sql
from prepwright.export.statements import compiled
from prepwright.preparing.tracing import lost_rows
from prepwright.preparing.trials import SampleTrials
from prepwright.tables import Table
from prepwright.workflow import Progress, Run, Settings, Workflow, run, staged
from prepwright.workflow.operators.input import Input, InputColumn
from prepwright.workflow.operators.output import Output

WORKFLOW, RECORD, LEDGER = "workflow.json", "run.json", "ledger.md"
PROGRAM, SQL = "prepare.py", "prepare.sql"
OWN = (WORKFLOW, PROGRAM, SQL, LEDGER, RECORD)


def _silent(_event: Progress) -> None:
    return None


@dataclass(frozen=True)
class Means:
    """What a run is done with."""

    engine: str = "duckdb"
    settings: engines.EngineSettings = field(default_factory=engines.EngineSettings)
    progress: Callable[[Progress], None] = _silent


@dataclass(frozen=True)
class Told:
    """What was decided before the run, for the ledger: see `Account` for each field."""

    verb: str = "run"
    answers: Mapping[str, str] = field(default_factory=dict[str, str])
    entries: tuple[Any, ...] = ()
    notices: tuple[str, ...] = ()
    sentences: tuple[tuple[str, str], ...] = ()
    strange: tuple[tuple[str, str], ...] = ()
    drift: tuple[str, ...] = ()


@dataclass(frozen=True)
class Written:
    """A finished folder."""

    out: Path
    run: Run
    account: Account
    ledger: str
    removed: tuple[str, ...] = ()


def bound_workflow(workflow: Workflow, tables: Mapping[str, Table]) -> Workflow:
    """Return the workflow with the columns and the reading options of its inputs written down."""

    def stated(step: Input) -> Input:
        table = tables[step.table]
        columns = tuple(InputColumn(name=c.name, type=c.type) for c in table.schema.columns)
        reading = dict(table.reading.options) or dict(step.reading)
        return step.model_copy(update={"columns": columns, "reading": reading})

    steps = tuple(
        stated(step) if isinstance(step, Input) and step.table in tables else step
        for step in workflow.steps
    )
    return workflow.model_copy(update={"steps": steps})


def write_folder(
    out: Path, workflow: Workflow, tables: Mapping[str, Table], means: Means, told: Told
) -> Written:
    """Run a workflow and write everything that it leaves, in one go.

    Outputs of the former run in the same folder that this one does not make are removed.
    Raises: `WorkflowError` or `EngineError`; then `out` is as it was before.
    """
    _check_names(workflow)
    former = _former_outputs(out)
    settings = Settings(progress=means.progress)
    with engines.opened(means.engine, means.settings) as engine, staged(out) as staging:
        done = run(
            bound_workflow(workflow, tables), tables, engine, staging=staging, settings=settings
        )
        outputs = tuple(_output_file(done, step, staging) for step in _outputs(done))
        trials = SampleTrials(tables, means.engine, means.settings)
        account = Account(
            verb=told.verb, version=__version__, when=_now(), run=done, tables=tables,
            outputs=outputs,
            answers=told.answers, entries=told.entries, notices=told.notices,
            sentences=told.sentences, strange=told.strange, drift=told.drift,
            lost=lost_rows(done, tables, trials),
        )  # fmt: skip
        code = compiled(done.workflow, tables, engine)
        section = ledger(account)
        for name, text in (
            (WORKFLOW, done.workflow.to_json()),
            (PROGRAM, program(code)),
            (SQL, sql(code)),
            (LEDGER, with_former(section, out / LEDGER)),
            (RECORD, record(account, out)),
        ):
            (staging / name).write_text(
                text, encoding="utf-8", errors="surrogatepass", newline="\n"
            )
    removed = _remove(out, former - {output.name for output in outputs})
    return Written(out, done, account, section, removed)


def run_in_memory(workflow: Workflow, tables: Mapping[str, Table], means: Means) -> Run:
    """Run a workflow with its outputs in memory."""
    import tempfile

    with (
        engines.opened(means.engine, means.settings) as engine,
        tempfile.TemporaryDirectory() as folder,
    ):
        return run(
            bound_workflow(workflow, tables), tables, engine, staging=Path(folder),
            in_memory=True, settings=Settings(progress=means.progress),
        )  # fmt: skip


def recorded(out: Path) -> dict[str, Any] | None:
    """Return the record in a folder of results, or None when there is none that can be read."""
    try:
        data = json.loads((out / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _check_names(workflow: Workflow) -> None:
    for step in workflow.steps:
        if isinstance(step, Output) and step.name.casefold() in OWN:
            raise WorkflowError(
                f"an output cannot be called {step.name!r}",
                where=f"step {step.id} output",
                found=f"{step.name!r} is a file that every run leaves",
                fix="give the output another name",
            )


def _outputs(done: Run) -> list[Output]:
    return [step for step in done.workflow.steps if isinstance(step, Output)]


def _output_file(done: Run, step: Output, staging: Path) -> OutputFile:
    path = staging / step.name
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    columns = tuple(column.name for column in done.step(step.id).columns)
    return OutputFile(step.name, done.rows[step.name], columns, path.stat().st_size, digest)


def _former_outputs(out: Path) -> set[str]:
    listed = (recorded(out) or {}).get("outputs")
    names = (
        [one.get("name") for one in listed if isinstance(one, dict)]
        if isinstance(listed, list)
        else []
    )
    plain = {name for name in names if isinstance(name, str) and Path(name).name == name}
    return {name for name in plain if name not in OWN and not name.startswith(".")}


def _remove(out: Path, names: set[str]) -> tuple[str, ...]:
    gone: list[str] = []
    for name in sorted(names):
        path = out / name
        if path.is_file() and not path.is_symlink():
            path.unlink()
            gone.append(name)
    return tuple(gone)


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def with_verb(told: Told, verb: str) -> Told:
    """Return what was decided, for another verb."""
    return replace(told, verb=verb)
