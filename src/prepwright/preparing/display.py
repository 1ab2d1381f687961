"""How a result shows itself: as text, and as HTML in a notebook. Nothing in a cell is markup."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from prepwright.asking.effect import cell_text
from prepwright.export import steps
from prepwright.export.account import Account, Entry, OutputFile
from prepwright.export.escaping import one_line
from prepwright.export.ledger import ledger
from prepwright.tables import Table
from prepwright.workflow import Run

if TYPE_CHECKING:
    from prepwright.preparing.folder import Told

_ROWS, _COLUMNS, _WIDTH = 10, 20, 60


def preview(rows: list[list[str]], names: list[str]) -> list[str]:
    """Return a table as lines of text, columns aligned, numbers to the right."""
    shown = [names, *rows]
    widths = [max(len(row[at]) for row in shown) for at in range(len(names))]
    right = [
        bool(rows) and all(_number(row[at]) for row in rows if row[at]) for at in range(len(names))
    ]
    return [
        "  ".join(
            cell.rjust(width) if flush else cell.ljust(width)
            for cell, width, flush in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in shown
    ]


def _number(text: str) -> bool:
    return text.replace("-", "", 1).replace(".", "", 1).isdigit()


def grid(table: pa.Table, most: int = _ROWS) -> tuple[list[str], list[list[str]]]:
    """Return the names and the first rows of a table as texts of one line."""
    head = table.slice(0, most).select(table.column_names[:_COLUMNS])
    names = [one_line(name, _WIDTH) for name in head.column_names]
    columns = [column.to_pylist() for column in head.columns]
    rows = [[_cell(value) for value in row] for row in zip(*columns, strict=True)]
    return names, rows


def _cell(value: Any) -> str:
    said = cell_text(value)
    return "" if said is None else one_line(said, _WIDTH)


def as_text(run: Run, tables: Mapping[str, pa.Table], entries: Sequence[Entry]) -> str:
    """Return the tables, steps and choices of a result as text."""
    lines: list[str] = []
    for name, table in tables.items():
        lines.append(f"{one_line(name)}   {table.num_rows:,} rows × {table.num_columns} columns")
        names, rows = grid(table)
        lines += [f"  {line}" for line in preview(rows, names)]
        if table.num_rows > len(rows):
            lines.append("  …")
    lines += ["", f"{len(run.workflow.steps)} steps: see .explain()"]
    for entry in entries:
        lines.append(f"choice {entry.id}: {one_line(entry.chosen)} ({entry.by})")
    return "\n".join(lines)


def as_html(run: Run, tables: Mapping[str, pa.Table], entries: Sequence[Entry]) -> str:
    """Return the tables, steps and choices of a result as HTML, every text escaped."""
    return "".join(
        ["<div class='prepwright'>", *_tables(tables), *_steps(run), *_choices(entries), "</div>"]
    )


def _row(tag: str, cells: list[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def _tables(tables: Mapping[str, pa.Table]) -> Iterator[str]:
    for name, table in tables.items():
        size = f"{table.num_rows:,} rows × {table.num_columns} columns"
        names, rows = grid(table)
        yield f"<p><b>{escape(one_line(name))}</b> {size}</p>"
        yield f"<table><thead>{_row('th', names)}</thead>"
        yield f"<tbody>{''.join(_row('td', row) for row in rows)}</tbody></table>"


def _steps(run: Run) -> Iterator[str]:
    rows = {facts.id: facts.rows for facts in run.steps}
    yield f"<details><summary>{len(run.workflow.steps)} steps</summary><table>"
    yield f"<thead>{_row('th', ['', 'operator', 'step', 'what', 'why', 'rows'])}</thead><tbody>"
    for number, step in steps.numbered(run.workflow):
        count = f"{rows[step.id]:,}" if step.id in rows else ""
        cells = [str(number), step.operator, step.id, steps.what(step), one_line(step.why), count]
        yield _row("td", cells)
    yield "</tbody></table></details>"


def _choices(entries: Sequence[Entry]) -> Iterator[str]:
    if not entries:
        return
    yield f"<details><summary>{len(entries)} choices</summary><table>"
    yield f"<thead>{_row('th', ['what was open', 'chosen', 'by', 'otherwise'])}</thead><tbody>"
    for entry in entries:
        others = "; ".join(f"{label}: {effect}" for label, effect in entry.others)
        cells = [one_line(entry.question), one_line(entry.chosen), entry.by, one_line(others)]
        yield _row("td", cells)
    yield "</tbody></table></details>"


def ledger_text(run: Run, tables: Mapping[str, Table], told: "Told") -> str:
    """Return the ledger of a run whose outputs are in memory."""
    outputs = tuple(
        OutputFile(name, table.num_rows, tuple(table.column_names), table.nbytes, "")
        for name, table in run.outputs.items()
    )
    account = Account(
        verb=told.verb, version="", when="now", run=run, tables=tables, outputs=outputs,
        answers=told.answers,
        entries=told.entries, notices=told.notices, sentences=told.sentences, strange=told.strange,
        drift=told.drift,
    )  # fmt: skip
    return ledger(account)
