"""prepare.py: the whole preparation as a program that needs DuckDB and pandas alone."""

import inspect
import textwrap
from collections.abc import Mapping
from typing import Any, cast

from prepwright.export import portable, statements, steps
from prepwright.export.escaping import comment
from prepwright.export.program_text import IMPORTS, LOADING, MAIN
from prepwright.export.statements import Compiled, quoted
from prepwright.reading.folder import PartRows
from prepwright.tables import DelimitedFile, Table
from prepwright.workflow import Operator
from prepwright.workflow.operators.input import Input
from prepwright.workflow.operators.output import Output

_CARRIED = {
    "csv": (portable.csv_rows, portable.below_header, portable.trimmed),
    "excel": (portable.sheet_rows, portable.below_header, portable.trimmed, portable.cell_text),
    "json": (
        portable.Number,
        portable.json_rows,
        portable.flattened,
        portable.json_text,
        portable.nested_text,
    ),
    "jsonl": (
        portable.Number,
        portable.json_rows,
        portable.flattened,
        portable.json_text,
        portable.nested_text,
    ),
}
"""What reads the rows of a format that DuckDB does not read to the letter."""

_WIDTH = 88
_PAD = "    "


def program(compiled: Compiled) -> str:
    """Return the program: how the files are read, one view for each step, the outputs."""
    body = f"{_prepare(compiled)}\n\n\n{_write(compiled)}\n"
    macros = statements.macros(body)
    inputs = {step.table: _given(compiled.tables[step.table]) for step in compiled.inputs}
    formats = {str(given["options"]["format"]) for given in inputs.values()}
    carried = [portable.files_of]
    for name in sorted(formats):
        carried += [one for one in _CARRIED.get(name, ()) if one not in carried]
    parts = [
        _head(compiled) + IMPORTS,
        f"INPUTS: dict[str, dict[str, Any]] = {_pretty(inputs)}",
        "MACROS = [\n"
        + "".join(f"    {_sql(textwrap.indent(macro, _PAD))},\n" for macro in macros)
        + "]\n",
        body,
        LOADING.strip() + "\n",
        *(inspect.getsource(item).rstrip() + "\n" for item in carried),
        MAIN.strip(),
    ]
    return "\n\n".join(parts) + "\n"


def _head(compiled: Compiled) -> str:
    request = comment(compiled.workflow.request) or "A prepared workflow."
    lines = [
        *textwrap.wrap(request, 96),
        "",
        "Made by prepwright; runs without it, with DuckDB and pandas alone:",
        "",
        "    python prepare.py                         the same files, into the current folder",
        "    python prepare.py -o OUT NAME=FILE ...    other files, another folder",
    ]
    said = "\n".join(lines).replace("\\", "\\\\").replace('"""', "'''")
    return f'"""{said}\n"""\n\nfrom __future__ import annotations\n'


def _given(table: Table) -> dict[str, Any]:
    only = table.sources[0] if len(table.sources) == 1 else None
    parts = [source.part for source in table.sources if isinstance(source, PartRows)]
    files: Mapping[str, Any] = {part.label: dict(part.table.reading.options) for part in parts}
    return {
        "path": str(statements.path_of(table) or ""),
        "columns": {column.name: column.type for column in table.schema.columns},
        "options": {
            "format": "csv" if table.reading.path else "parquet",
            **statements.options_of(table),
        },
        "regular": isinstance(only, DelimitedFile),
        "skip": only.skip_lines if isinstance(only, DelimitedFile) else 0,
        "many": bool(parts),
        "files": files,
    }


def _pretty(data: object, depth: int = 0) -> str:
    """Return plain data as a Python literal that reads well."""
    flat = repr(data)
    if not isinstance(data, dict) or len(flat) + 4 * depth <= _WIDTH:
        return flat
    pad = "    " * (depth + 1)
    items = cast("dict[str, object]", data).items()
    lines = "".join(f"{pad}{key!r}: {_pretty(value, depth + 1)},\n" for key, value in items)
    return f"{{\n{lines}{'    ' * depth}}}"


def _prepare(compiled: Compiled) -> str:
    lines = [
        "def prepare(db: Database, paths: dict[str, str]) -> None:",
        '    """Do every step, each on the results of those before it."""',
    ]
    readers: dict[str, int] = {}
    for step in compiled.steps:
        for source in step.sources():
            readers[source] = readers.get(source, 0) + 1
    numbers = {step.id: number for number, step in steps.numbered(compiled.workflow)}
    for step in compiled.steps:
        if not isinstance(step, Output):
            lines += _step(compiled, numbers[step.id], step, shared=readers.get(step.id, 0) > 1)
    return "\n".join(lines)


def _step(compiled: Compiled, number: int, step: Operator, *, shared: bool) -> list[str]:
    lines = ["", f"    # {number} {step.operator} {step.id}: {comment(steps.what(step), 140)}"]
    if step.why:
        lines.append(f"    # why: {comment(step.why)}")
    if isinstance(step, Input):
        rows, _ = statements.views(step)
        names = compiled.tables[step.table].schema.names
        lines.append(f"    load(db, {rows!r}, INPUTS[{step.table!r}], paths[{step.table!r}])")
        view = statements.row_view(step, names)
        plain = not any("\n" in name for name in names)
        lines.append(f"    db.execute({_sql(textwrap.indent(view, _PAD) if plain else view)})")
    kind = "TABLE" if shared else "VIEW"
    made = f"    CREATE TEMP {kind} {quoted(step.id)} AS\n{compiled.select(step, 4)}"
    lines.append(f"    db.execute({_sql(made)})")
    return lines


def _write(compiled: Compiled) -> str:
    lines = [
        "def write(db: Database, out: Path) -> None:",
        '    """Write the outputs, values in plain text form."""',
    ]
    for output in compiled.outputs:
        lines += ["", f"    # {comment(output.name)}", *_copy(compiled, output)]
    return "\n".join(lines)


def _copy(compiled: Compiled, output: Output) -> list[str]:
    query = f"    query = {_sql(compiled.result(output, 4))}"
    if output.form not in statements.COPY:
        return [query, f"    db.sql(query).df().to_excel(out / {output.name!r}, index=False)"]
    path = f"    path = text(str(out / {output.name!r}))"
    form = statements.COPY[output.form]
    return [query, path, f'    db.execute(f"COPY ({{query}}) TO {{path}} ({form})")']


def _sql(text: str) -> str:
    """Return SQL as a Python text over several lines, to the letter."""
    if "\\" in text and '"""' not in text and "\r" not in text:
        return f'r"""\n{text}\n    """'
    said = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"').replace("\r", "\\r")
    return f'"""\n{said}\n    """'
