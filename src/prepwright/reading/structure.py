"""Where the header of a table is, and what its columns are called."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from prepwright.reading.reader import ReaderOptions
from prepwright.tables import RESERVED

Row = tuple[int, list[str]]
"""The line of the file on which a row starts, and its cells."""

SAMPLE_ROWS = 1000
TITLE_LINES = 50

_FILLED = 0.75
_WIDE = 4
_SHOWN = 3
_NUMBER = re.compile(r"[-+(]?[$€£¥]?\s*\d[\d\s.,:/%-]*\)?(?:e[-+]?\d+)?", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")


class HeaderOptions(ReaderOptions):
    """Settings of readers whose files have a header row."""

    header: bool = Field(default=True, description="false: every row is data, none is the header")
    header_line: int | None = Field(
        default=None, ge=1, description="The line of the header, counted from 1; found by default"
    )
    repeated_header: Literal["drop", "keep"] = Field(
        default="drop", description="What happens to data rows that repeat the header: drop or keep"
    )
    blank_lines: Literal["drop", "keep"] = Field(
        default="drop", description="Whether blank lines in the data become rows: drop or keep"
    )

    def settled(self, header: "Header") -> dict[str, str | int | bool]:
        """Return the settings that read the same header and rows again."""
        start = {"header_line": header.line} if self.header else {"header": False}
        return {
            **start,
            "repeated_header": self.repeated_header,
            **({"blank_lines": "keep"} if self.blank_lines == "keep" else {}),
        }


@dataclass(frozen=True)
class Header:
    """The header of a table. `line` is 0 when there is none; `above` are the lines over it."""

    line: int
    cells: tuple[str, ...]
    titles: tuple[int, ...] = ()

    @property
    def width(self) -> int:
        return len(self.cells)

    def notes(self) -> list[str]:
        """Return what was decided about the header, in words."""
        if not self.line:
            return ["no header, columns are numbered"]
        if self.line == 1:
            return []
        aside = [f"title {lines_text(self.titles)} set aside"] if self.titles else []
        return [*aside, f"header on line {self.line}"]


def lines_text(lines: Sequence[int]) -> str:
    """Return `line 4` or `lines 4, 9` in words."""
    return f"line {lines[0]}" if len(lines) == 1 else f"lines {', '.join(map(str, lines))}"


def trimmed(cells: Sequence[str]) -> int:
    """Return how many cells there are up to the last one that holds something."""
    width = len(cells)
    while width and not cells[width - 1]:
        width -= 1
    return width


def find_header(rows: Sequence[Row]) -> Header | None:
    """Return the header among the first rows, or None when they are all blank.

    It is the first row that is not blank, unless that is a title: a single cell over a wider table
    whose first full row consists of distinct names.
    """
    filled = [(line, cells) for line, cells in rows if any(cell.strip() for cell in cells)]
    if not filled:
        return None
    width = _usual_width(filled)
    for index, (line, cells) in enumerate(filled[:TITLE_LINES]):
        if _title(cells, width):
            continue
        if index and not _names(cells, width):
            break
        return Header(line, tuple(cells), tuple(line for line, _ in filled[:index]))
    line, cells = filled[0]
    return Header(line, tuple(cells))


def take_header(rows: Sequence[Row], options: HeaderOptions) -> Header | None:
    """Return the header that the options ask for, or the one that is found."""
    if not options.header:
        width = max((trimmed(cells) for _, cells in rows), default=0)
        return Header(0, ("",) * width) if width else None
    if options.header_line is None:
        return find_header(rows)
    asked = options.header_line
    above = tuple(line for line, cells in rows if line < asked and any(cells))
    below = ((line, cells) for line, cells in rows if line >= asked and any(cells))
    return next((Header(line, tuple(cells), above) for line, cells in below), None)


def column_names(cells: Iterable[str], width: int) -> tuple[tuple[str, ...], list[str]]:
    """Return one name for each of `width` columns, unique in any case, and notes on changed ones.

    Names are kept to the letter. A blank one becomes `column_3`, a second `a` becomes `a_2`.
    """
    given = [_clean(cell) for cell in cells]
    written = len(given)
    given += [""] * (width - written)
    reserved = {name.casefold() for name in given if name.strip()}
    taken: set[str] = set()
    names: list[str] = []
    notes: list[str] = []
    for position, wanted in enumerate(given, 1):
        blank = not wanted.strip()
        name = _free(f"column_{position}" if blank else wanted, taken, reserved, fresh=blank)
        taken.add(name.casefold())
        names.append(name)
        if name != wanted and not blank:
            notes.append(f"the second {wanted!r} is named {name!r} (column {position})")
    blanks = [names[at] for at in range(written) if not given[at].strip()]
    return tuple(names), [*_blank_note(blanks), *_shorten(notes)]


def _blank_note(blanks: Sequence[str]) -> list[str]:
    if not blanks:
        return []
    more = f" and {len(blanks) - _SHOWN} more" if len(blanks) > _SHOWN else ""
    plural = "s" if len(blanks) > 1 else ""
    return [f"no name in {len(blanks)} column{plural}: {', '.join(blanks[:_SHOWN])}{more}"]


def _shorten(notes: list[str]) -> list[str]:
    more = len(notes) - _SHOWN
    return notes if more <= 0 else [*notes[:_SHOWN], f"{more} more repeated names are numbered"]


def _clean(name: str) -> str:
    name = name.replace("\0", "")
    return f"_{name.lstrip('_')}" if name.startswith(RESERVED) else name


def _free(name: str, taken: set[str], reserved: set[str], *, fresh: bool) -> str:
    if name.casefold() not in taken and not (fresh and name.casefold() in reserved):
        return name
    number = 2
    while f"{name}_{number}".casefold() in taken | reserved:
        number += 1
    return f"{name}_{number}"


def _usual_width(rows: Sequence[Row]) -> int:
    widths = Counter(trimmed(cells) for _, cells in rows)
    most = max(widths.values())
    return max(width for width, count in widths.items() if count == most)


def _title(cells: Sequence[str], width: int) -> bool:
    filled = [index for index, cell in enumerate(cells) if cell.strip()]
    if width < 2:
        return False
    return len(filled) == 1 or (width >= _WIDE and filled == [0, 1])


def _names(cells: Sequence[str], width: int) -> bool:
    filled = [cell.strip() for cell in cells if cell.strip()]
    if len(filled) < max(2, _FILLED * width) or len(set(filled)) < len(filled):
        return False
    numbers = [cell for cell in filled if _NUMBER.fullmatch(cell)]
    return not numbers or (
        all(_YEAR.fullmatch(cell) for cell in numbers) and not _NUMBER.fullmatch(filled[0])
    )
