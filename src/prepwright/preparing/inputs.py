"""The files that a person names, as tables by name."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import pyarrow as pa

from prepwright.errors import InputError, closest, listed
from prepwright.reading import identifier, read, readers
from prepwright.tables import Table
from prepwright.workflow import Workflow
from prepwright.workflow.operators.input import Input

Files = Sequence[str | Path] | Mapping[str, "str | Path | Table | pa.Table"]
"""Paths (`name=path` gives a table its name), or tables and paths by name."""

Options = Mapping[str, Mapping[str, Any]]
"""Reading options by table name."""

_NAMED = re.compile(r"([A-Za-z]\w*)=(.+)", re.DOTALL)
_OVERRIDE = re.compile(r"([A-Za-z]\w*)\.(\w+)=(.*)", re.DOTALL)


def named_path(text: str | Path) -> tuple[str | None, Path]:
    """Return the table name and the path of `name=path`, or of a path alone."""
    found = _NAMED.fullmatch(str(text))
    if found is None or Path(str(text)).exists():
        return None, Path(text)
    return found[1], Path(found[2])


def bindings(texts: Sequence[str]) -> dict[str, Path]:
    """Return the paths of `name=path` texts by table name.

    Raises: `InputError` for a text of another form, or a name given twice.
    """
    made: dict[str, Path] = {}
    for text in texts:
        found = _NAMED.fullmatch(text)
        if found is None or found[1] in made:
            raise InputError(
                f"--input {text!r} names no table"
                if found is None
                else f"{found[1]!r} comes twice",
                where="options",
                found=text,
                fix="write --input name=file, once for each table",
            )
        made[found[1]] = Path(found[2])
    return made


def overrides(texts: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return reading options by table name from `name.option=value` texts.

    Raises: `InputError` for a text of another form.
    """
    made: dict[str, dict[str, Any]] = {}
    for text in texts:
        found = _OVERRIDE.fullmatch(text)
        if found is None:
            raise InputError(
                f"--reading {text!r} names no option",
                where="options",
                found=text,
                fix="write --reading table.option=value, such as main_reg.header_line=2",
            )
        made.setdefault(found[1], {})[found[2]] = _value(found[3])
    return made


def _value(text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, bool | int) else text


def gathered(files: Files, options: Options | None = None) -> dict[str, Table]:
    """Return the tables behind files, by name; names that are not given come from the file names.

    Raises: `InputError` when there are none, one cannot be read, or two have one name.
    """
    given = _pairs(files)
    if not given:
        raise InputError(
            "there is no input", found="no file", fix="name at least one file after the request"
        )
    fixed = [name.casefold() for name, _ in given if name]
    twice = next((name for name in fixed if fixed.count(name) > 1), None)
    if twice:
        raise InputError(
            f"two tables are called {twice!r}",
            found=listed(str(path) for _, path in given),
            fix="give each table a name of its own: name=file",
        )
    left = {name: dict(one) for name, one in (options or {}).items()}
    taken = {name for name, _ in given if name}
    tables: dict[str, Table] = {}
    for name, source in given:
        chosen = name or identifier(_stem(Path(str(source))), taken)
        taken.add(chosen)
        tables[chosen] = _table(chosen, source, left.pop(chosen, {}))
    if left:
        raise unknown_table(next(iter(left)), list(tables), "--reading")
    return tables


def _stem(path: Path) -> str:
    if path.is_dir():
        return path.resolve().name
    pattern = not path.exists() and any(mark in path.name for mark in "*?[")
    return path.parent.resolve().name if pattern else path.stem


def _pairs(files: Files) -> list[tuple[str | None, Any]]:
    if isinstance(files, Mapping):
        return list(files.items())
    alone = isinstance(files, str | Path) or hasattr(files, "__arrow_c_stream__")
    given = cast("Sequence[str | Path]", [files] if alone else files)
    unnamed = [file for file in cast("Sequence[object]", given) if not isinstance(file, str | Path)]
    if unnamed:
        raise InputError(
            "a table in memory needs a name",
            where="files",
            found=type(unnamed[0]).__name__,
            fix='give a mapping of names to tables, such as {"orders": frame}',
        )
    return [named_path(file) for file in given]


def _table(name: str, source: Any, options: Mapping[str, Any]) -> Table:
    if isinstance(source, Table):
        return source
    if isinstance(source, pa.Table):
        return Table.from_arrow(name, source)
    if isinstance(source, str | Path):
        return read(source, name=name, options=options)
    if hasattr(source, "__arrow_c_stream__"):
        return Table.from_arrow(name, pa.table(source))
    raise InputError(
        f"{name!r} is no table",
        found=type(source).__name__,
        fix="give a path, an Arrow table or a data frame",
    )


def bound(
    workflow: Workflow, paths: Mapping[str, Path], options: Options | None = None
) -> dict[str, Table]:
    """Return the tables that a workflow reads, each file read as the workflow says.

    Raises: `InputError` when a table has no file, or a file no table.
    """
    wanted = {step.table: step for step in workflow.steps if isinstance(step, Input)}
    for name in (*paths, *(options or {})):
        if name not in wanted:
            raise unknown_table(name, list(wanted), "--input")
    missing = [name for name in wanted if name not in paths]
    if missing:
        raise InputError(
            f"the table {missing[0]!r} has no file",
            where="workflow",
            found=listed(f"{name}={path}" for name, path in paths.items()),
            fix=f"give --input {missing[0]}=FILE",
        )
    extra = options or {}
    return {
        name: read(
            paths[name], name=name, options={**fitting(step, paths[name]), **extra.get(name, {})}
        )
        for name, step in wanted.items()
    }


def fitting(step: Input, path: Path) -> dict[str, Any]:
    """Return the reading options of an input step, or none for a file of another format."""
    options = dict(step.reading)
    owner = next((one for one in readers().values() if path.suffix.lower() in one.suffixes), None)
    stated = options.get("format")
    return {} if owner and stated and owner.name != stated and path.is_file() else options


def unknown_table(name: str, names: Sequence[str], option: str) -> InputError:
    """Return the error for a table name that nothing has."""
    near = closest(name, names)
    return InputError(
        f"there is no table {name!r}",
        where=option,
        found=listed(names),
        fix=f"did you mean {near!r}?" if near else "use one of these names",
    )
