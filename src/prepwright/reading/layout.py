"""One pass over all rows: how wide the table is, and which lines are not data."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from prepwright.reading.structure import Header, HeaderOptions, Row, column_names, trimmed

_LINES_SHOWN = 5
_TWO = 2


@dataclass
class Tally:
    """How many lines something happened on, and the first of them."""

    count: int = 0
    first: list[int] = field(default_factory=list[int])

    def add(self, line: int) -> None:
        self.count += 1
        if self.count <= _LINES_SHOWN:
            self.first.append(line)

    def __str__(self) -> str:
        more = "" if self.count <= _LINES_SHOWN else f" and {self.count - _LINES_SHOWN:,} more"
        word = "line" if self.count == 1 else "lines"
        return f"{word} {', '.join(map(str, self.first))}{more}"


@dataclass
class LineMap:
    """The line of every row, kept as the rows at which the distance between the two changes."""

    rows: list[int] = field(default_factory=list[int])
    shifts: list[int] = field(default_factory=list[int])

    def add(self, row: int, line: int) -> None:
        if not self.shifts or self.shifts[-1] != line - row:
            self.rows.append(row)
            self.shifts.append(line - row)

    def __call__(self, row: int) -> int:
        index = max(bisect_right(self.rows, row) - 1, 0)
        return row + (self.shifts[index] if self.shifts else 0)


@dataclass(frozen=True)
class Layout:
    """What a pass over all rows of a table found."""

    names: tuple[str, ...]
    header: Header
    notes: tuple[str, ...]
    line_of: Callable[[int], int]
    ragged: bool = False
    aside: bool = False


def body(rows: Iterable[Row], header: Header, options: HeaderOptions) -> Iterator[Row]:
    """Yield the data rows: what stands below the header, without repeats of it and blank lines."""
    aside = _sieve(header, options)
    start = header.line
    for line, cells in rows:
        if line > start and not aside(cells):
            yield line, cells


def lay_out(rows: Iterable[Row], header: Header, options: HeaderOptions, *, grid: bool) -> Layout:
    """Go over all rows once and return the table's layout. In a `grid` no row can be too short."""
    blank, repeats, short, long, trailing = Tally(), Tally(), Tally(), Tally(), Tally()
    lines = LineMap()
    sieve = _sieve(header, options)
    expected = width = header.width
    start = header.line
    number = 0
    for line, cells in rows:
        if line <= start:
            continue
        aside = sieve(cells)
        if aside:
            (blank if aside == "blank" else repeats).add(line)
            continue
        number += 1
        lines.add(number, line)
        if len(cells) < expected:
            short.add(line)
        elif len(cells) > expected:
            reach = trimmed(cells)
            (long if reach > expected else trailing).add(line)
            width = max(width, reach)
    names, naming = column_names(header.cells, width)
    notes = [*header.notes(), *(naming if header.line else []), *_aside_notes(blank, repeats)]
    if header.line and not grid:
        notes += _width_notes(short, trailing)
    if header.line:
        notes += _extra_note(long, names[expected:])
    ragged = bool(short.count or long.count or trailing.count)
    aside_any = bool(blank.count or repeats.count)
    return Layout(names, header, tuple(notes), lines, ragged, aside_any)


def _sieve(header: Header, options: HeaderOptions) -> Callable[[Sequence[str]], str]:
    """Return what says of a row whether it is `blank`, a `repeat` of the header, or data."""
    known = list(header.cells[: trimmed(header.cells)])
    first = known[0] if known else ""
    repeats = options.repeated_header == "drop" and header.line > 0 and len(known) >= _TWO
    blanks = options.blank_lines == "drop"
    several = header.width > 1

    def aside(cells: Sequence[str]) -> str:
        if len(cells) <= 1 and blanks and (not cells or (several and not cells[0].strip())):
            return "blank"
        if repeats and cells and cells[0] == first and cells[: trimmed(cells)] == known:
            return "repeat"
        return ""

    return aside


def _aside_notes(blank: Tally, repeats: Tally) -> list[str]:
    notes: list[str] = []
    if repeats.count:
        verb = "repeats" if repeats.count == 1 else "repeat"
        notes.append(f"{repeats} {verb} the header, set aside")
    if blank.count:
        notes.append(f"{_counted(blank, 'blank line')} set aside ({blank})")
    return notes


def _width_notes(short: Tally, trailing: Tally) -> list[str]:
    notes: list[str] = []
    if short.count:
        notes.append(f"{_counted(short, 'short row')} filled up with empty cells ({short})")
    if trailing.count:
        notes.append(f"{_counted(trailing, 'row')} with empty cells beyond the header ({trailing})")
    return notes


def _extra_note(long: Tally, names: Sequence[str]) -> list[str]:
    if not long.count:
        return []
    kept = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    return [f"{_counted(long, 'row')} longer than the header, kept in {kept} ({long})"]


def _counted(tally: Tally, thing: str) -> str:
    return f"{tally.count:,} {thing}{'' if tally.count == 1 else 's'}"
