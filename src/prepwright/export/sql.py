"""prepare.sql: the whole preparation for DuckDB, one WITH statement for each output."""

from collections.abc import Sequence
from typing import cast

import pyarrow as pa
from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from prepwright import engines
from prepwright.engines import QueryFailed
from prepwright.errors import PrepwrightError
from prepwright.export import statements, steps
from prepwright.export.escaping import comment
from prepwright.export.statements import Compiled, literal, quoted
from prepwright.reading.folder import PartRows
from prepwright.tables import Source, Table
from prepwright.workflow.operators.input import Input
from prepwright.workflow.operators.output import Output

_CHECKED_ROWS = 1_000_000
"""Units: rows. An irregular file of more is not read again to see if DuckDB reads it alike."""


def sql(compiled: Compiled) -> str:
    """Return the script: macros that are used, the files as tables, then every output.

    A file that DuckDB's own reader reads otherwise than it was read stops the script with an error.
    """
    outputs = "\n".join(_output(compiled, output) for output in compiled.outputs)
    reads = {step.table: _read(compiled.tables[step.table]) for step in compiled.inputs}
    refused = [name for name, read in reads.items() if read is None]
    inputs = "\n".join(
        _input(step, compiled.tables[step.table], reads[step.table]) for step in compiled.inputs
    )
    macros = [f"{definition};\n" for definition in statements.macros(outputs)]
    parts = [_head(compiled, refused), "SET TimeZone = 'UTC';\n"]
    if macros:
        parts += ["-- Macros: what DuckDB has no function for\n", "\n".join(macros)]
    return "\n".join([*parts, inputs, outputs])


def _head(compiled: Compiled, refused: list[str]) -> str:
    lines = ['-- Made by prepwright. Run it in DuckDB: duckdb -c ".read prepare.sql"']
    lines.append("-- It reads the files named below and writes into the current folder.")
    if refused:
        lines.append(
            f"-- It stops at {comment(', '.join(refused))}: DuckDB's own reader would give"
        )
        lines.append("-- other rows than those that were prepared. Run prepare.py instead.")
    if compiled.workflow.request:
        lines.append(f"-- Request: {comment(compiled.workflow.request)}")
    return "\n".join(lines) + "\n"


def _input(step: Input, table: Table, read: str | None) -> str:
    rows, _ = statements.views(step)
    path = statements.path_of(table)
    lines = [f"-- {step.table}: {comment(path or 'a table in memory')}"]
    lines += [f"--   {comment(note)}" for note in table.reading.notes]
    if path is None:
        lines.append("--   It was no file: save it in Parquet format under this name.")
    if read is None:
        said = f"{path}: DuckDB reads this file otherwise than it was read; run prepare.py"
        read = f"SELECT error({literal(said)})"
    lines.append(f"CREATE OR REPLACE TEMP TABLE {quoted(rows)} AS\n{read};")
    lines.append(statements.row_view(step, table.schema.names) + ";\n")
    return "\n".join(lines)


def _read(table: Table) -> str | None:
    """Return the query that gives a table's rows as they were read, or None where there is none."""
    if table.reading.path is None:
        read = f"read_parquet({literal(f'{table.name}.parquet')})"
        return f"SELECT {_shown(table)} FROM {read}"  # noqa: S608
    selects = [select for source in table.sources for select in _selects(source, table)]
    query = "\nUNION ALL\n".join(selects)
    exact = all(_exact(source) for source in table.sources)
    return query if exact or _reads_alike(query, table) else None


def _shown(table: Table, names: Sequence[str] | None = None) -> str:
    """Return the columns of a table by name and type; `names` are what they are called before."""
    columns = table.schema.columns
    values = names or [quoted(column.name) for column in columns]
    return ", ".join(f"CAST({value} AS {column.type}) AS {quoted(column.name)}"
                     for value, column in zip(values, columns, strict=True))  # fmt: skip


def _selects(source: Source, table: Table) -> list[str]:
    if not isinstance(source, PartRows):
        return [f"SELECT {_shown(table)} FROM {statements.scan(source) or _near(table)}"]  # noqa: S608
    part = source.part
    own = [quoted(name) for name in part.table.schema.names]
    places = ["NULL" if place is None else own[place] for place in part.places]
    shown = _shown(table, [literal(part.label), *places])
    inner = [statements.scan(one) or _near(part.table) for one in part.table.sources]
    return [f"SELECT {shown} FROM {read}" for read in inner]  # noqa: S608


def _exact(source: Source) -> bool:
    inner = source.part.table.sources if isinstance(source, PartRows) else (source,)
    return all(statements.scan(one) for one in inner)


def _reads_alike(query: str, table: Table) -> bool:
    """Tell whether DuckDB gives by a query the rows that the reader gave."""
    expected: list[pa.RecordBatch] = []
    rows = 0
    for batch in table.batches():
        expected.append(batch)
        rows += batch.num_rows
        if rows > _CHECKED_ROWS:
            return False
    try:
        with engines.opened() as engine:
            found = engine.fetch(cast(exp.Query, parse_one(query, dialect=statements.DIALECT)))
        wanted = pa.Table.from_batches(expected, expected[0].schema) if expected else None
        if wanted is None:
            return found.num_rows == 0
        return bool(found.cast(wanted.schema).equals(wanted))
    except (QueryFailed, PrepwrightError, SqlglotError, pa.ArrowException):
        return False


def _near(table: Table) -> str:
    """Return a table function that reads an irregular file, header lines in the data left out."""
    options, path = table.reading.options, literal(str(statements.path_of(table) or "?"))
    names = table.schema.names
    kind = options.get("format")
    columns = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in names)
    if kind == "csv":
        quote = literal(str(options.get("quote", '"')))
        skip = options.get("header_line", 0) if options.get("header", True) else 0
        encoding = str(options.get("encoding", "utf-8"))
        coded = "" if encoding == "utf-8" else f", encoding = {literal(encoding)}"
        read = (
            f"read_csv({path}, auto_detect = false, header = false, skip = {skip},\n"
            f"  delim = {literal(str(options.get('delimiter', ',')))}, quote = {quote}, "
            f"escape = {quote}, nullstr = '', null_padding = true, "
            f"strict_mode = false, parallel = false,\n"
            f"  columns = {{{columns}}}{coded})"
        )
        if options.get("repeated_header") == "drop" and skip:
            again = " AND ".join(f"{quoted(name)} IS NOT DISTINCT FROM {literal(name)}"
                                 for name in names)  # fmt: skip
            return f"{read}\nWHERE NOT ({again})"
        return read
    if kind in ("json", "jsonl"):
        return f"read_json({path}, columns = {{{columns}}})"
    if kind == "excel":
        return (
            f"read_xlsx({path}, sheet = {literal(str(options.get('sheet')))}, all_varchar = true)"
        )
    return f"read_parquet({path})" if kind == "parquet" else path


def _output(compiled: Compiled, output: Output) -> str:
    by_id = {step.id: step for step in compiled.steps}
    numbers = {step.id: number for number, step in steps.numbered(compiled.workflow)}
    ctes: list[str] = []
    for name in [*compiled.needed(output)]:
        step = by_id[name]
        ctes.append(f"{_said(numbers[name], step)}\n{quoted(name)} AS (\n"
                    f"{compiled.select(step, 2)}\n)")  # fmt: skip
    head = f"-- {numbers[output.id]} output: {comment(output.name)}"
    result = compiled.result(output)
    body = ("WITH\n" + ",\n".join(ctes) + "\n" if ctes else "") + result
    if output.form not in statements.COPY:
        note = "-- DuckDB writes no such file without an extension; this shows the rows."
        return f"{head}\n{note}\n{body};\n"
    form = statements.COPY[output.form].replace("\\t", "\t")
    return f"{head}\nCOPY (\n{body}\n) TO {literal(output.name)} ({form});\n"


def _said(number: int, step: object) -> str:
    operator = getattr(step, "operator", "")
    why = comment(getattr(step, "why", ""))
    return f"-- {number} {operator}" + (f": {why}" if why else "")
