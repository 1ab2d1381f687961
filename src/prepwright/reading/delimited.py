"""Text with a character between its cells: which one it is, and the rows."""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from prepwright.reading.encoding import Encoding
from prepwright.reading.structure import Row

QUOTE = '"'
CELL_LIMIT = 1 << 27
CANDIDATES = (",", "\t", ";", "|")
SAMPLE_LINES = 200

_ENOUGH = 0.5
_NAMES = {",": "comma", "\t": "tab", ";": "semicolon", "|": "pipe"}
_DECLARED = re.compile(r"sep=(.)\r?\n?", re.IGNORECASE)
_END = "\0end of the file\0"


class OpenQuote(Exception):
    """A quote opens on `line` and nothing closes it."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


@dataclass(frozen=True)
class Text:
    """A text file and how its cells are told apart."""

    path: Path
    encoding: Encoding
    delimiter: str
    quote: str = QUOTE
    first_line: int = 1

    def lines(self) -> Iterator[str]:
        """Yield the lines with their ends, from the first line on."""
        codec = self.encoding.codec
        with self.path.open(encoding=codec, errors="replace", newline="") as file:
            yield from islice(file, self.first_line - 1, None)

    def rows(self) -> Iterator[Row]:
        """Yield each row's line and cells.

        Raises: `OpenQuote` when a quoted cell never ends, or grows beyond 128 million characters.
        """
        csv.field_size_limit(CELL_LIMIT)
        lines = chain(self.lines(), [_END])
        quoting = csv.QUOTE_MINIMAL if self.quote else csv.QUOTE_NONE
        reader = csv.reader(
            lines, delimiter=self.delimiter, quotechar=self.quote or None, quoting=quoting
        )
        line = self.first_line
        try:
            for cells in reader:
                if cells and cells[-1].endswith(_END):
                    if cells == [_END]:
                        return
                    break
                yield line, cells
                line = self.first_line + reader.line_num
        except csv.Error:
            pass
        raise OpenQuote(line)


@dataclass(frozen=True)
class Delimiter:
    """The character between cells, with its evidence. `declared` says that line 1 names it."""

    character: str
    notes: tuple[str, ...] = ()
    declared: bool = False
    share: float = 0.0


@dataclass(frozen=True)
class _Trial:
    character: str
    columns: int
    share: float
    lines: int
    present: float


def find_delimiter(lines: Sequence[str], usual: str = ",") -> Delimiter:
    """Return the delimiter that gives most of the lines the same number of cells.

    `usual` is taken when two do equally well or none does: a file may have one column only.
    """
    declared = _DECLARED.fullmatch(lines[0]) if lines else None
    if declared:
        note = f"delimiter {_called(declared[1])}, named by line 1"
        return Delimiter(declared[1], (note,), declared=True, share=1.0)
    order = sorted(CANDIDATES, key=lambda one: one != usual)
    trials = [_try(lines, character) for character in order]
    best = max(trials, key=lambda trial: round(trial.share, 3))
    if best.share < _ENOUGH:
        best = max(trials, key=lambda trial: trial.present)
        if best.present < _ENOUGH:
            return Delimiter(usual)
    if best.character == usual:
        return Delimiter(usual, share=best.share)
    found = (
        f"{best.columns} cells in {round(best.share * best.lines)} of the first {best.lines} lines"
    )
    note = f"delimiter {_called(best.character)} ({found})"
    return Delimiter(best.character, (note,), share=best.share)


def _called(character: str) -> str:
    return _NAMES.get(character, repr(character))


def _try(lines: Sequence[str], character: str) -> _Trial:
    csv.field_size_limit(CELL_LIMIT)
    rows = [cells for cells in csv.reader(lines, delimiter=character) if any(cells)]
    widths = Counter(len(cells) for cells in rows if len(cells) > 1)
    if not widths:
        return _Trial(character, 1, 0.0, len(rows), 0.0)
    columns, count = max(widths.items(), key=lambda item: (item[1], item[0]))
    return _Trial(character, columns, count / len(rows), len(rows), widths.total() / len(rows))
