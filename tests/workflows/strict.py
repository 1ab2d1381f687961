"""A strict comparison of a written table with the one that it has to be.

Every difference counts: columns and their order, rows and how often each occurs, blanks, and the
order of the rows when it is asked for. Only the spelling of a value is free: a date may be written
either way round, a truth value as `True` or `1`, and a number may have more digits than the truth
shows.
"""

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import product
from math import isclose
from pathlib import Path

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_DAYS = ("%d/%m/%Y", "%Y-%m-%d", "%m/%d/%Y")
_CLOCKS = ("", " %H:%M:%S", " %H:%M", "T%H:%M:%S", " %I:%M:%S %p", " %H:%M:%S.%f")
_MOMENTS = tuple(day + clock for clock, day in product(_CLOCKS, _DAYS))
_TRUE, _FALSE = {"true", "yes", "y", "t", "1"}, {"false", "no", "n", "f", "0"}
_SHOWN = 5

Cell = str | int | bool | datetime | None


@dataclass(frozen=True)
class Printed:
    """A decimal number and how many places the truth's column is printed with."""

    value: float
    places: int

    def agrees(self, other: object) -> bool:
        if not isinstance(other, Printed):
            return False
        half = 0.5 * 10.0**-self.places
        near = abs(self.value - other.value) <= half * (1 + 1e-6)
        return near or isclose(self.value, other.value, rel_tol=1e-9)


Row = tuple[Cell | Printed, ...]


def differences(
    ours: Path, truth: Path, types: Mapping[str, str], *, ordered: bool = False
) -> list[str]:
    """Return what is different between two CSV files, in words; nothing when they agree.

    `types` gives the type of each column by the names of PrepBench: `number`, `date`, `boolean`, …
    """
    our_names, our_rows = _read(ours)
    names, rows = _read(truth)
    if our_names != names:
        return [f"columns {our_names}, not {names}"]
    kinds = [types.get(name, "text_exact") for name in names]
    columns = [
        _typed([row[n] for row in our_rows], [row[n] for row in rows], kind)
        for n, kind in enumerate(kinds)
    ]
    have: list[Row] = list(zip(*[column[0] for column in columns], strict=True))
    want: list[Row] = list(zip(*[column[1] for column in columns], strict=True))
    return _out_of_order(have, want) if ordered else _unmatched(have, want)


def _read(path: Path) -> tuple[list[str], list[list[str]]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        lines = [line for line in csv.reader(file) if line]
    width = len(lines[0])
    return lines[0], [
        [cell.strip() for cell in [*line, *[""] * width][:width]] for line in lines[1:]
    ]


def _typed(
    ours: Sequence[str], truth: Sequence[str], kind: str
) -> tuple[list[Cell | Printed], list[Cell | Printed]]:
    """Return both columns as values that can be compared."""
    if kind == "number":
        places = max((_places(cell) for cell in truth), default=0)
        number = _number(places)
        return [number(cell) for cell in ours], [number(cell) for cell in truth]
    if kind in ("date", "datetime"):
        return _moments(ours), _moments(truth)
    if kind == "boolean":
        return [_truth_value(cell) for cell in ours], [_truth_value(cell) for cell in truth]
    return [cell or None for cell in ours], [cell or None for cell in truth]


def _places(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        return 0
    mantissa, _, exponent = text.lower().partition("e")
    fraction = mantissa.partition(".")[2]
    return max((0 if fraction == "0" else len(fraction)) - int(exponent or 0), 0)


def _number(places: int) -> Callable[[str], Cell | Printed]:
    def read(text: str) -> Cell | Printed:
        if not _NUMBER.fullmatch(text):
            return text or None
        if places:
            return Printed(float(text), places)
        return int(float(text)) if float(text).is_integer() else text

    return read


def _moments(cells: Sequence[str]) -> list[Cell | Printed]:
    """Read a column by the one way of writing that fits all of it; as text if none does."""
    for form in _MOMENTS:
        try:
            return [datetime.strptime(cell, form) if cell else None for cell in cells]
        except ValueError:
            continue
    return [cell or None for cell in cells]


def _truth_value(text: str) -> Cell:
    folded = text.casefold()
    if folded in _TRUE or folded in _FALSE:
        return folded in _TRUE
    return text or None


def _agree(one: Row, other: Row) -> bool:
    return all(
        a.agrees(b) if isinstance(a, Printed) else type(a) is type(b) and a == b
        for a, b in zip(one, other, strict=True)
    )


def _out_of_order(have: Sequence[Row], want: Sequence[Row]) -> list[str]:
    if len(have) != len(want):
        return [f"{len(have)} rows, not {len(want)}", *_unmatched(have, want)]
    wrong = [n for n, (a, b) in enumerate(zip(have, want, strict=True), 1) if not _agree(b, a)]
    return [f"row {n}: {_shown(have[n - 1])}, not {_shown(want[n - 1])}" for n in wrong[:_SHOWN]]


def _unmatched(have: Sequence[Row], want: Sequence[Row]) -> list[str]:
    """Pair the rows that agree, each once, and say which are left on either side."""
    waiting: dict[tuple[object, ...], list[Row]] = {}
    for row in sorted(want, key=_decimals):
        waiting.setdefault(_exact(row), []).append(row)
    extra: list[Row] = []
    for row in sorted(have, key=_decimals):
        candidates = waiting.get(_exact(row), [])
        place = next((n for n, other in enumerate(candidates) if _agree(other, row)), None)
        if place is None:
            extra.append(row)
        else:
            del candidates[place]
    lacking = [row for rows in waiting.values() for row in rows]
    return [
        *[f"row too many: {_shown(row)}" for row in extra[:_SHOWN]],
        *[f"row lacking: {_shown(row)}" for row in lacking[:_SHOWN]],
        *([f"{len(extra)} too many, {len(lacking)} lacking"] if extra or lacking else []),
    ]


def _exact(row: Row) -> tuple[object, ...]:
    return tuple(
        Printed if isinstance(cell, Printed) else (type(cell).__name__, cell) for cell in row
    )


def _decimals(row: Row) -> list[float]:
    return [cell.value for cell in row if isinstance(cell, Printed)]


def _shown(row: Row) -> str:
    cells = [cell.value if isinstance(cell, Printed) else cell for cell in row]
    return " | ".join("" if cell is None else str(cell) for cell in cells)
