"""prepare.sql: the whole preparation for DuckDB, one WITH statement for each output."""

from prepwright.export import statements, steps
from prepwright.export.escaping import comment
from prepwright.export.statements import Compiled, literal, quoted
from prepwright.tables import Source, Table
from prepwright.workflow.operators.input import Input
from prepwright.workflow.operators.output import Output


def sql(compiled: Compiled) -> str:
    """Return the script: macros that are used, the files as tables, then every output."""
    outputs = "\n".join(_output(compiled, output) for output in compiled.outputs)
    inputs = "\n".join(_input(step, compiled.tables[step.table]) for step in compiled.inputs)
    macros = [f"{definition};\n" for definition in statements.macros(outputs)]
    parts = [_head(compiled), "SET TimeZone = 'UTC';\n"]
    if macros:
        parts += ["-- Macros: what DuckDB has no function for\n", "\n".join(macros)]
    return "\n".join([*parts, inputs, outputs])


def _head(compiled: Compiled) -> str:
    lines = ['-- Made by prepwright. Run it in DuckDB: duckdb -c ".read prepare.sql"']
    lines.append("-- It reads the files named below and writes into the current folder.")
    if compiled.workflow.request:
        lines.append(f"-- Request: {comment(compiled.workflow.request)}")
    return "\n".join(lines) + "\n"


def _input(step: Input, table: Table) -> str:
    rows, _ = statements.views(step)
    columns = ", ".join(f"CAST({quoted(c.name)} AS {c.type}) AS {quoted(c.name)}"
                        for c in table.schema.columns)  # fmt: skip
    lines = [f"-- {step.table}: {comment(statements.path_of(table) or 'a table in memory')}"]
    lines += [f"--   {comment(note)}" for note in table.reading.notes]
    reads = [_read(source, table, lines) for source in table.sources]
    selects = "\nUNION ALL\n".join(f"SELECT {columns} FROM {read}" for read in reads)  # noqa: S608
    lines.append(f"CREATE OR REPLACE TEMP TABLE {quoted(rows)} AS\n{selects};")
    lines.append(statements.row_view(step, table.schema.names) + ";\n")
    return "\n".join(lines)


def _read(source: Source, table: Table, lines: list[str]) -> str:
    exact = statements.scan(source)
    if exact:
        return exact
    if table.reading.path is None:
        lines.append("--   It was no file: save it in Parquet format under this name.")
        return f"read_parquet({literal(f'{table.name}.parquet')})"
    lines.append("--   This file is not regular: prepare.py reads it to the letter, this as near")
    lines.append("--   as DuckDB's own reader comes.")
    return _near(table)


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


def regular(table: Table) -> bool:
    """Return whether DuckDB reads the table's files to the letter."""
    return all(statements.scan(source) for source in table.sources)


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
