"""The parts that code is written from: macros, loaded tables, one SELECT a step, one for a file."""

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlglot import exp

from prepwright.engines import Engine
from prepwright.functions import MACROS
from prepwright.tables import ROW, DelimitedFile, ParquetFile, Source, Table
from prepwright.workflow import Operator, Workflow, validate
from prepwright.workflow.compile import Compilation, ancestors, chain, in_order, loaded_name
from prepwright.workflow.compile import sorted_steps as in_reading_order
from prepwright.workflow.operators.input import Input
from prepwright.workflow.operators.output import Output
from prepwright.workflow.writing import as_text

DIALECT = "duckdb"

COPY = {
    "csv": "FORMAT csv, HEADER, DELIMITER ','",
    "tsv": "FORMAT csv, HEADER, DELIMITER '\\t'",
    "json": "FORMAT json, ARRAY true",
    "jsonl": "FORMAT json, ARRAY false",
    "parquet": "FORMAT parquet, COMPRESSION zstd",
}


@dataclass(frozen=True)
class Compiled:
    """A workflow compiled for its tables, with every name that the data decided."""

    workflow: Workflow
    tables: Mapping[str, Table]
    compilation: Compilation

    @property
    def steps(self) -> list[Operator]:
        """Return the steps that an output rests on, each after those it reads."""
        outputs = [step.id for step in self.workflow.steps if isinstance(step, Output)]
        wanted = ancestors(self.workflow, outputs)
        return [step for step in in_reading_order(self.workflow) if step.id in wanted]

    @property
    def inputs(self) -> list[Input]:
        return [step for step in self.steps if isinstance(step, Input)]

    @property
    def outputs(self) -> list[Output]:
        return [step for step in self.steps if isinstance(step, Output)]

    def select(self, step: Operator, indent: int = 0) -> str:
        """Return the SELECT of a step over the steps it reads."""
        return written(self.compilation.queries[step.id], indent)

    def needed(self, output: Output) -> list[str]:
        """Return the ids of the steps that an output rests on, in order, without itself."""
        query = chain(self.compilation.queries, output.id)
        return [cte.alias for cte in query.ctes]

    def result(self, output: Output, indent: int = 0) -> str:
        """Return the SELECT that gives the rows of an output file over its own step."""
        relation = self.compilation.relations[output.id]
        query = in_order(self.compilation.queries[output.id].copy(), relation)
        if output.form in ("csv", "tsv"):
            query = as_text(query, relation.schema)
        return written(query, indent)


def compiled(workflow: Workflow, tables: Mapping[str, Table], engine: Engine) -> Compiled:
    """Compile a workflow whose names are settled; the engine is asked for types only."""
    schemas = {name: table.schema for name, table in tables.items()}
    return Compiled(workflow, tables, validate(workflow, schemas, engine))


def written(query: exp.Expr, indent: int = 0) -> str:
    """Return a tree as text that reads well, indented unless a text in it spans lines."""
    made = query.copy()
    for select in list(made.find_all(exp.Select)):
        # all at once: replacing them one by one takes the square of their number
        select.set("expressions", [_bare(item) for item in select.expressions])
    text = made.sql(dialect=DIALECT, pretty=True, normalize_functions="lower")
    spans = any("\n" in node.name for node in query.find_all(exp.Literal, exp.Identifier))
    return text if spans else textwrap.indent(text, " " * indent)


def _bare(item: exp.Expr) -> exp.Expr:
    """Return a column that is shown under its own name without saying so."""
    inner = item.this if isinstance(item, exp.Alias) else None
    own = isinstance(inner, exp.Column) and not inner.table and inner.name == item.alias
    return inner if inner is not None and own else item


def macros(text: str) -> list[str]:
    """Return the definitions of the macros that some SQL calls, each after those it calls."""
    done: dict[str, str] = {}

    def add(name: str) -> None:
        if name in done:
            return
        for inner in MACROS[name].inside:
            add(inner)
        macro = MACROS[name]
        body = textwrap.indent(textwrap.dedent(macro.body).strip(), "  ")
        head = f"CREATE OR REPLACE TEMP MACRO {macro.signature} AS"
        done[name] = f"-- {macro.says}\n{head}\n{body}"

    for name in MACROS:
        if re.search(rf"(?i)(?<![\w.]){name}\s*\(", text):
            add(name)
    return list(done.values())


def quoted(name: str) -> str:
    """Return a name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Return a text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def scan(source: Source) -> str | None:
    """Return the table function that reads a file exactly as it was read, or None."""
    if isinstance(source, ParquetFile):
        return f"read_parquet({literal(str(source.path.absolute()))})"
    if isinstance(source, DelimitedFile):
        return csv_scan(source, str(source.path.absolute()))
    return None


def csv_scan(source: DelimitedFile, path: str) -> str:
    """Return the call that reads a regular delimited file, every option said."""
    columns = ",\n    ".join(f"{literal(name)}: 'VARCHAR'" for name in source.columns)
    quote = literal(source.quote)
    return (
        f"read_csv(\n  {literal(path)}, auto_detect = false, header = false, "
        f"skip = {source.skip_lines},\n  delim = {literal(source.delimiter)}, quote = {quote}, "
        f"escape = {quote}, nullstr = '', max_line_size = 67108864,\n"
        f"  columns = {{\n    {columns}\n  }})"
    )


def views(step: Input) -> tuple[str, str]:
    """Return the names of an input's rows, without and with the row number."""
    return f"{loaded_name(step)}_rows", loaded_name(step)


def row_view(step: Input, columns: Sequence[str]) -> str:
    """Return the statement that numbers the rows of a loaded table in file order."""
    rows, name = views(step)
    shown = ", ".join(quoted(column) for column in columns)
    hidden = any(column.casefold() == "rowid" for column in columns)
    row = "row_number() OVER ()" if hidden else "rowid + 1"
    return (
        f"CREATE OR REPLACE TEMP VIEW {quoted(name)} AS\n"
        f"SELECT {shown}, {row} AS {quoted(ROW)} FROM {quoted(rows)}"
    )


def path_of(table: Table) -> Path | None:
    """Return the file, folder or pattern of a table, or None for one in memory."""
    return table.reading.path.absolute() if table.reading.path else None


def options_of(table: Table) -> dict[str, Any]:
    """Return how a table was read, as plain data."""
    return dict(table.reading.options)
