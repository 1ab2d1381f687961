"""Do a workflow again: on named files, or from a folder of results alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from prepwright import __version__
from prepwright.errors import InputError
from prepwright.export.account import Entry
from prepwright.preparing.folder import (
    RECORD,
    WORKFLOW,
    Means,
    Told,
    Written,
    recorded,
    write_folder,
)
from prepwright.preparing.inputs import Options, bound
from prepwright.tables import Table
from prepwright.workflow import Workflow
from prepwright.workflow.operators.input import Input

_WORDS = ("id", "kind", "question", "chosen", "by", "evidence")


@dataclass(frozen=True)
class Repeat:
    """A workflow with the paths of its inputs, and what a record says of them."""

    workflow: Workflow
    paths: Mapping[str, Path]
    record: Mapping[str, Any]
    folder: Path | None = None


def load_workflow(path: Path) -> Workflow:
    """Return the workflow in a file.

    Raises: `InputError` when the file cannot be read, `WorkflowError` when it holds no workflow.
    """
    return Workflow.from_json(workflow_text(path), where=str(path))


def workflow_text(path: Path) -> str:
    """Return the text of a workflow file.

    Raises: `InputError` when it cannot be read, or is no text.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            "the workflow cannot be read",
            where=str(path),
            found=error.strerror or str(error),
            fix="give a workflow file, or the folder of an earlier run",
        ) from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(
            "the workflow is not UTF-8 text",
            where=str(path),
            found=f"{len(data):,} bytes",
            fix="give a workflow file such as workflow.json",
        ) from None


def repeat_from(path: Path, given: Mapping[str, Path]) -> Repeat:
    """Return what to do again: a workflow file with its inputs, or a folder of results.

    In a folder, inputs that are not given are those that its record names.
    """
    if not path.is_dir():
        return Repeat(load_workflow(path), given, {})
    workflow = load_workflow(path / WORKFLOW)
    record = recorded(path)
    if record is None:
        wanted = [step.table for step in workflow.steps if isinstance(step, Input)]
        if set(wanted) - set(given):
            raise InputError(
                f"there is no {RECORD} that names the inputs",
                where=str(path),
                found="a workflow alone",
                fix="give --input NAME=FILE for each table",
            )
        return Repeat(workflow, given, {}, path)
    paths = {**_paths(record, path), **given}
    return Repeat(workflow, paths, record, path)


def _inputs(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    listed = record.get("inputs")
    items = cast("list[Any]", listed) if isinstance(listed, list) else []
    return [one for one in items if isinstance(one, dict) and isinstance(one.get("name"), str)]


def _paths(record: Mapping[str, Any], folder: Path) -> dict[str, Path]:
    made: dict[str, Path] = {}
    for item in _inputs(record):
        stated, relative = item.get("path"), item.get("relative")
        if not isinstance(stated, str):
            continue
        path = Path(stated)
        near = folder / relative if isinstance(relative, str) else path
        made[item["name"]] = near if not path.exists() and near.exists() else path
    return made


def again(repeat: Repeat, out: Path, means: Means, options: Options | None = None) -> Written:
    """Run a workflow again and write a folder of results; the ledger says what has drifted."""
    tables = bound(repeat.workflow, repeat.paths, options)
    drift = drifted(repeat, tables, out, means)
    told = Told(verb="run", entries=_entries(repeat.record), drift=drift)
    return write_folder(out, repeat.workflow, tables, means, told)


def _entries(record: Mapping[str, Any]) -> tuple[Entry, ...]:
    """Return the choices of the recorded run, which the workflow keeps to."""
    listed = record.get("choices")
    made: list[Entry] = []
    for item in cast("list[Any]", listed) if isinstance(listed, list) else []:
        if not isinstance(item, dict):
            continue
        words = {name: str(item.get(name, "")) for name in _WORDS}
        pairs = (one for one in item.get("others", ()) if len(one) == 2)
        others = tuple((str(label), str(effect)) for label, effect in pairs)
        made.append(Entry(**words, others=others, reason="settled when the workflow was made"))
    return tuple(made)


def drifted(
    repeat: Repeat, tables: Mapping[str, Table], out: Path, means: Means
) -> tuple[str, ...]:
    """Return what differs from the recorded run: files, columns, versions."""
    lines: list[str] = []
    for item in _inputs(repeat.record):
        table = tables.get(item["name"])
        if table is None:
            continue
        if str(table.reading.path.absolute() if table.reading.path else "") != item.get("path"):
            lines.append(f"{item['name']} is read from {table.reading.path}")
        if table.reading.sha256 != item.get("sha256"):
            lines.append(f"the content of {item['name']} has changed")
        lines += _columns(item, table)
    stated = repeat.record.get("prepwright")
    if repeat.record and stated != __version__:
        lines.append(f"prepwright was {stated} and is {__version__}")
    return tuple(lines)


def _columns(item: Mapping[str, Any], table: Table) -> list[str]:
    stated = item.get("columns")
    known = cast("list[Any]", stated) if isinstance(stated, list) else []
    before = [str(one.get("name")) for one in known if isinstance(one, dict)]
    gone = [name for name in before if name not in table.schema]
    new = [name for name in table.schema.names if name not in before]
    lines: list[str] = []
    if gone:
        lines.append(f"{item['name']} has no column {', '.join(gone)} any more")
    if new:
        lines.append(f"{item['name']} has new columns: {', '.join(new)}")
    return lines


def changed_outputs(repeat: Repeat, written: Written) -> list[str]:
    """Return the outputs whose bytes are not those of the record."""
    listed = repeat.record.get("outputs")
    items = cast("list[Any]", listed) if isinstance(listed, list) else []
    before = {one.get("name"): one.get("sha256") for one in items if isinstance(one, dict)}
    outputs = written.account.outputs
    return [one.name for one in outputs if before.get(one.name) != one.sha256]
