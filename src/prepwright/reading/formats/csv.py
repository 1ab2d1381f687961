"""CSV, TSV and their like: text with a character between the cells."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from pathlib import Path

from pydantic import Field

from prepwright.errors import InputError, listed, shown
from prepwright.reading.arrow_text import TextRows
from prepwright.reading.delimited import (
    QUOTE,
    SAMPLE_LINES,
    Delimiter,
    OpenQuote,
    Text,
    find_delimiter,
)
from prepwright.reading.encoding import UTF8, Encoding, find_encoding, is_text
from prepwright.reading.layout import Layout, body, lay_out
from prepwright.reading.reader import describe
from prepwright.reading.structure import (
    SAMPLE_ROWS,
    Header,
    HeaderOptions,
    Row,
    column_names,
    take_header,
)
from prepwright.reading.survey import Expected, file_hash, survey
from prepwright.tables import DelimitedFile, Reading, Schema, Source, Table

_SURE_SHARE = 0.9
_SCANNED_COLUMNS = 2000


class CsvOptions(HeaderOptions):
    """Settings of the CSV reader."""

    encoding: str | None = Field(default=None, description="The text encoding, such as cp1252")
    delimiter: str | None = Field(
        default=None, min_length=1, max_length=1, description="The one character between two cells"
    )
    quote: str = Field(
        default=QUOTE, max_length=1, description="The character around quoted cells; empty for none"
    )


@dataclass
class _LazyLines:
    """The lines of rows, found by reading the file again when they are first asked for."""

    text: Text
    header: Header
    options: CsvOptions

    @cached_property
    def found(self) -> Layout:
        return lay_out(self.text.rows(), self.header, self.options, grid=False)

    def __call__(self, row: int) -> int:
        return self.found.line_of(row)


class CsvReader:
    """Read text with a comma, tab, semicolon or pipe between the cells; every cell stays text."""

    name = "csv"
    suffixes = (".csv", ".tsv", ".tab", ".txt", ".psv")
    options = CsvOptions

    def sniff(self, head: bytes) -> float:
        """Return how sure it is that this is delimited text."""
        if not is_text(head) or describe(head) == "an HTML page" or head.startswith(b"%PDF"):
            return 0.0
        lines = head.decode("latin-1").splitlines(keepends=True)[:SAMPLE_LINES]
        return 0.86 if find_delimiter(lines[:-1] or lines).share >= _SURE_SHARE else 0.2

    def read(self, path: Path, options: CsvOptions) -> Table:
        """Return the table in the file."""
        encoding = find_encoding(path, options.encoding)
        delimiter = _delimiter(path, encoding, options)
        text = Text(path, encoding, delimiter.character, options.quote)
        notes = (*encoding.notes, *delimiter.notes)
        start = Text(path, encoding, text.delimiter, text.quote, 1 + delimiter.declared)
        try:
            return _table(start, options, notes)
        except OpenQuote as fault:
            plain = Text(path, encoding, text.delimiter, "", start.first_line)
            if "quote" not in options.model_fields_set and _even(plain, options):
                note = (
                    f"quotes are ordinary characters: line {fault.line} opens one, none closes it"
                )
                return _table(plain, options, (*notes, note))
            raise InputError(
                "a quoted cell never ends",
                where=f"{path} line {fault.line}",
                found=shown(next(islice(text.lines(), fault.line - 1, None), "").rstrip()),
                fix="close the quote, or read with the option quote set to nothing",
            ) from None


def _delimiter(path: Path, encoding: Encoding, options: CsvOptions) -> Delimiter:
    lines = list(islice(Text(path, encoding, ",").lines(), SAMPLE_LINES))
    usual = {".tsv": "\t", ".tab": "\t", ".psv": "|"}.get(path.suffix.lower(), ",")
    found = find_delimiter(lines, usual)
    if options.delimiter is None:
        return found
    if options.delimiter in "\r\n\0" or options.delimiter == options.quote:
        raise InputError(
            f"the delimiter cannot be {options.delimiter!r}",
            where=str(path),
            found=listed(lines[:1]),
            fix="use the character that stands between two cells",
        )
    return Delimiter(options.delimiter, declared=found.declared)


def _table(text: Text, options: CsvOptions, notes: Sequence[str]) -> Table:
    sample = list(islice(text.rows(), SAMPLE_ROWS))
    header = take_header(sample, options)
    if header is None:
        raise _nothing(text.path, sample, options)
    with ThreadPoolExecutor(max_workers=1) as beside:
        hashed = beside.submit(file_hash, text.path)
        layout, source = _scanned(text, header, options, sample) or _walked(text, header, options)
    reading = Reading(
        path=text.path,
        sha256=hashed.result(),
        notes=(*notes, *layout.notes),
        options={
            "format": "csv",
            "encoding": text.encoding.name,
            "delimiter": text.delimiter,
            "quote": text.quote,
            **options.settled(header),
        },
        line_of=layout.line_of,
    )
    return Table(text.path.stem, Schema.text(*layout.names), (source,), reading)


def _nothing(path: Path, sample: Sequence[Row], options: CsvOptions) -> InputError:
    if options.header_line is not None and sample:
        return InputError(
            f"there is no header line {options.header_line}",
            where=str(path),
            found=f"a file that ends with line {sample[-1][0]}",
            fix="give the line of the header, or leave the option header_line out",
        )
    return InputError(
        "the file is empty",
        where=str(path),
        found="no cell in it" if path.stat().st_size else "0 bytes",
        fix="give a file that has at least a header line",
    )


def _walked(text: Text, header: Header, options: CsvOptions) -> tuple[Layout, Source]:
    layout = lay_out(text.rows(), header, options, grid=False)
    return layout, _rows(text, layout, options)


def _rows(text: Text, layout: Layout, options: CsvOptions) -> TextRows:
    def rows() -> Iterator[Row]:
        return body(text.rows(), layout.header, options)

    return TextRows(str(text.path), rows, layout.names)


def _scanned(
    text: Text, header: Header, options: CsvOptions, sample: Sequence[Row]
) -> tuple[Layout, Source] | None:
    """Return the file for an engine's own scanner, or None when it is not regular enough."""
    plain = text.encoding == Encoding(UTF8) and text.quote == QUOTE and text.delimiter.isascii()
    if not plain or header.width > _SCANNED_COLUMNS or options.blank_lines == "keep":
        return None
    known = lay_out(sample, header, options, grid=False)
    if known.ragged or known.aside:
        return None
    expected = Expected(
        text.delimiter,
        header.width,
        header.line,
        options.repeated_header == "drop" and options.header,
    )
    found = survey(text.path, expected)
    if found is None:
        return None
    names, naming = column_names(header.cells, header.width)
    notes = (*header.notes(), *(naming if header.line else []))
    line_of = _LazyLines(text, header, options) if found.multiline else partial(_below, header.line)
    layout = Layout(names, header, notes, line_of)
    tolerant = _rows(text, layout, options).batches
    source = DelimitedFile(text.path, text.delimiter, QUOTE, header.line, names, tolerant)
    return layout, source


def _below(header_line: int, row: int) -> int:
    return header_line + row


def _even(text: Text, options: CsvOptions) -> bool:
    """Return whether the rows are even and no cell is quoted when quotes mean nothing."""
    sample = list(islice(text.rows(), SAMPLE_ROWS))
    header = take_header(sample, options)
    if header is None or any(_quoted(cell) for _, cells in sample for cell in cells):
        return False
    return not lay_out(text.rows(), header, options, grid=False).ragged


def _quoted(cell: str) -> bool:
    return len(cell) > 1 and cell.startswith(QUOTE) and cell.endswith(QUOTE)


READER = CsvReader()
