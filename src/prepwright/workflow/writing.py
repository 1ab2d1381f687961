"""Writing: the text form that values have in files, the same on every engine."""

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlglot import exp

from prepwright.engines import Engine
from prepwright.errors import EngineError, Unsupported
from prepwright.tables import Schema
from prepwright.workflow.compile import RESULT
from prepwright.workflow.operator import Relation, column, named

_MOST_EXACT = "1e15"
_SHEET_ROWS = 1_048_575
_SHEET_CELL = 32_767
_FRACTION = re.compile(r"DECIMAL\((\d+),\s*(\d+)\)")


def write(engine: Engine, query: exp.Select, relation: Relation, path: Path, form: str) -> int:
    """Write a table to a new file and return its number of rows.

    `query` gives the visible columns in order. Text formats write numbers in plain notation with at
    most 15 significant digits and no `.0`, dates in ISO form, booleans as true and false, and null
    as an empty cell; a text that is empty is written in quotes.
    """
    if form == "xlsx":
        return _sheet(engine, query, path)
    if form in ("csv", "tsv"):
        query = as_text(query, relation.schema)
    return engine.write(query, path, form)


def as_text(query: exp.Select, schema: Schema) -> exp.Select:
    """Return a query made by `in_order` with every value in the text form that files have."""
    made = query.copy()
    alone = len(schema) == 1
    made.set("expressions", [_item(c.name, c.type, alone=alone) for c in schema.columns])
    # ORDER BY keeps meaning the typed columns, not the text that is shown under their names
    order = made.args.get("order")
    for term in order.expressions if order else []:
        for found in term.find_all(exp.Column):
            found.set("table", exp.to_identifier(RESULT, quoted=True))
    return made


def _item(name: str, kind: str, *, alone: bool) -> exp.Expr:
    value: exp.Expr = column(name, RESULT)
    if kind in ("DOUBLE", "FLOAT"):
        value = _plain(value)
    elif kind == "BOOLEAN" or kind.startswith("TIMESTAMP"):
        value = exp.cast(value, "VARCHAR")
    elif (digits := _FRACTION.fullmatch(kind)) and digits[1] == digits[2] != "38":
        # a type without a place before the point would be written as .5
        value = exp.cast(value, f"DECIMAL({int(digits[1]) + 1},{digits[2]})")
    if alone:
        # a blank line would be no row: null is written as "" where it is the only cell
        empty = exp.Literal.string("")
        value = exp.Coalesce(this=exp.cast(value, "VARCHAR"), expressions=[empty])
    return named(value, name)


def _plain(value: exp.Expr) -> exp.Expr:
    most = exp.Literal.number(_MOST_EXACT)
    whole = exp.and_(
        exp.EQ(
            this=value.copy(), expression=exp.Anonymous(this="trunc", expressions=[value.copy()])
        ),
        exp.LT(this=exp.Abs(this=value.copy()), expression=most),
    )
    digits = exp.Anonymous(
        this="printf", expressions=[exp.Literal.string("%.15g"), exp.cast(value.copy(), "DOUBLE")]
    )
    integer = exp.cast(exp.cast(value.copy(), "BIGINT"), "VARCHAR")
    empty = exp.Is(this=value.copy(), expression=exp.Null())
    return exp.Case(
        ifs=[exp.If(this=empty, true=exp.Null()), exp.If(this=whole, true=integer)], default=digits
    )


def _sheet(engine: Engine, query: exp.Query, path: Path) -> int:
    try:
        from openpyxl import Workbook
        from openpyxl.cell import WriteOnlyCell
        from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
    except ImportError:
        raise Unsupported(
            "Excel files need an extra",
            where=path.name,
            found="the package openpyxl is absent",
            fix="install prepwright[xlsx], or end the output's name in .csv",
        ) from None
    data = engine.fetch(query)
    if data.num_rows > _SHEET_ROWS:
        raise EngineError(
            "the table does not fit on a sheet",
            where=path.name,
            found=f"{data.num_rows:,} rows",
            fix="end the output's name in .csv",
        )
    book = Workbook(write_only=True)
    sheet: Any = book.create_sheet("Sheet1")

    def cell(value: Any) -> Any:
        if isinstance(value, str):
            # the format's own way to write characters that it cannot hold
            held = ILLEGAL_CHARACTERS_RE.sub(lambda found: f"_x{ord(found[0]):04X}_", value)
            made = WriteOnlyCell(sheet, value=held[:_SHEET_CELL])
            made.data_type = "s"  # a text that begins with = stays a text
            return made
        return value if isinstance(value, int | float) or value is None else str(value)

    try:
        sheet.append([cell(name) for name in data.column_names])
        for batch in data.to_batches():
            for row in batch.to_pylist():
                sheet.append([cell(value) for value in row.values()])
        book.save(path)
    except OSError:
        # else the half-written sheet would fail once more when it is forgotten, on the terminal
        for part in (sheet._rows, sheet._writer and sheet._writer.xf):
            with suppress(Exception):
                part.close()
        raise
    return data.num_rows
