"""Excel and OpenDocument workbooks: one sheet is one table."""

import datetime
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from prepwright.errors import InputError, closest, listed
from prepwright.reading.arrow_text import TextRows
from prepwright.reading.files import identifier
from prepwright.reading.layout import body, lay_out
from prepwright.reading.structure import (
    SAMPLE_ROWS,
    HeaderOptions,
    Row,
    take_header,
    trimmed,
)
from prepwright.reading.survey import file_hash
from prepwright.reading.workbook import OLE, ZIP, opened_workbook
from prepwright.tables import Reading, Schema, Table

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook

_MARKS = (b"[Content_Types].xml", b"xl/", b"opendocument.spreadsheet")


class ExcelOptions(HeaderOptions):
    """Settings of the Excel reader."""

    sheet: str | None = Field(
        default=None, description="The sheet's name; by default the first one that holds something"
    )


class ExcelReader:
    """Read one sheet; numbers without '.0', dates as ISO text, formulas by their stored value."""

    name = "excel"
    suffixes = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
    options = ExcelOptions

    def sniff(self, head: bytes) -> float:
        """Return how sure it is that this is a workbook."""
        if head.startswith(ZIP):
            return 1.0 if any(mark in head for mark in _MARKS) else 0.3
        return 0.9 if head.startswith(OLE) else 0.0

    def part_called(self, path: Path, name: str) -> dict[str, str]:
        """Return the option that reads the sheet of a table's name."""
        with opened_workbook(path) as book:
            sheets = [one for one in book.sheet_names if _as_table(one) == _as_table(name)]
        return {"sheet": sheets[0]} if len(sheets) == 1 else {}

    def read(self, path: Path, options: ExcelOptions) -> Table:
        """Return the table on the sheet."""
        with opened_workbook(path) as book:
            sheet, notes = _sheet(path, book, options.sheet)
        rows = _rows_of(path, sheet)
        stream = rows()
        sample = list(islice(stream, SAMPLE_ROWS))
        header = take_header(sample, options)
        if header is None:
            raise InputError(
                f"the sheet {sheet!r} is empty",
                where=str(path),
                found="no cell with a value" if options.header_line is None else "no such line",
                fix="choose another sheet with the option sheet, or fill this one",
            )
        layout = lay_out(chain(sample, stream), header, options, grid=True)
        reading = Reading(
            path=path,
            sha256=file_hash(path),
            notes=(*notes, *layout.notes),
            options={"format": self.name, "sheet": sheet, **options.settled(header)},
            line_of=layout.line_of,
        )
        source = TextRows(f"{path} {sheet}", lambda: body(rows(), header, options), layout.names)
        return Table(path.stem, Schema.text(*layout.names), (source,), reading)


def cell_text(value: Any) -> str:
    """Return a cell's value as text; an empty cell is the empty text."""
    writer = _WRITERS.get(type(value))
    return writer(value) if writer else str(value)


def _float_text(value: float) -> str:
    if value.is_integer():
        return str(int(value))
    return f"{Decimal(repr(value)):f}" if value - value == 0 else repr(value)


def _duration_text(value: datetime.timedelta) -> str:
    seconds = int(value.total_seconds())
    sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
    return f"{sign}{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


_WRITERS: dict[type, Callable[[Any], str]] = {
    str: str,
    float: _float_text,
    bool: lambda value: "true" if value else "false",
    datetime.datetime: lambda value: value.isoformat(" "),
    datetime.date: datetime.date.isoformat,
    datetime.time: datetime.time.isoformat,
    datetime.timedelta: _duration_text,
}


def _rows_of(path: Path, sheet: str) -> Callable[[], Iterator[Row]]:
    def rows() -> Iterator[Row]:
        with opened_workbook(path) as book:
            content = book.get_sheet_by_name(sheet)
            for line, values in enumerate(content.iter_rows(), 1):
                cells = [cell_text(value) for value in values]
                yield line, cells[: trimmed(cells)]

    return rows


def _sheet(path: Path, book: "CalamineWorkbook", asked: str | None) -> tuple[str, list[str]]:
    """Return the name of the sheet to read, and a note on the others where nobody chose."""
    names = book.sheet_names
    if asked is not None and asked not in names:
        near = closest(asked, names)
        raise InputError(
            f"there is no sheet {asked!r}",
            where=str(path),
            found=listed(names),
            fix=f"did you mean {near!r}?" if near else "choose one of these sheets",
        )
    chosen = asked if asked is not None else _first_filled(book)
    others = [name for name in names if name != chosen]
    if asked is not None or not others:
        return chosen, []
    given = f"{identifier(others[0])}={path.name}"
    return chosen, [f"sheet {chosen!r} read; not read: {listed(others)} (give it as {given})"]


def _as_table(name: str) -> str:
    return identifier(name).casefold()


def _first_filled(book: "CalamineWorkbook") -> str:
    shown = [sheet.name for sheet in book.sheets_metadata if str(sheet.visible).endswith("Visible")]
    for name in shown or book.sheet_names:
        if book.get_sheet_by_name(name).height:
            return name
    return (shown or book.sheet_names)[0]


READER = ExcelReader()
