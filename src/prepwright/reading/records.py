"""Nested records as rows: objects flattened with dots, lists kept as JSON text."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO, cast

import pyarrow as pa

from prepwright.errors import InputError, shown
from prepwright.reading.arrow_text import Cells, text_batches
from prepwright.reading.encoding import Encoding
from prepwright.reading.layout import LineMap
from prepwright.reading.structure import column_names
from prepwright.reading.survey import file_hash
from prepwright.tables import Reading, Schema, Table

Record = tuple[int, Mapping[str, Any]]
"""The line of the file on which an object starts, and the object."""

Keys = tuple[str, ...]

DEPTH = 100
CHUNK = 1 << 20

_SPACE = " \t\r\n"
_NEAR_THE_END = 1 << 12


class Number(str):
    """A number of a JSON text, to the letter."""

    __slots__ = ()


DECODER = json.JSONDecoder(parse_int=Number, parse_float=Number, parse_constant=Number)


def cells_of(record: Mapping[str, Any], above: Keys = ()) -> Iterator[tuple[Keys, str | None]]:
    """Yield the path and the text of every value in a record."""
    for key, value in record.items():
        path = (*above, key)
        if isinstance(value, dict) and value and len(path) < DEPTH:
            yield from cells_of(cast("dict[str, Any]", value), path)
        else:
            yield path, text_of(value)


def text_of(value: Any) -> str | None:
    """Return a value as a cell: text and numbers to the letter, the rest as JSON."""
    if value is None:
        return None
    if isinstance(value, str):
        return str(value)
    return _json(value)


def _json(value: Any) -> str:
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value).items()
        return f"{{{', '.join(f'{_json(key)}: {_json(item)}' for key, item in pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_json, cast('list[Any]', value)))}]"
    return json.dumps(value, ensure_ascii=False)


def broken(path: Path, line: int, column: int, message: str, found: str) -> InputError:
    """Return the error for a text that is not JSON."""
    return InputError(
        f"this is not JSON: {message[:1].lower()}{message[1:]}",
        where=f"{path} line {line} column {column}",
        found=shown(found) if found else "the end of the file",
        fix="mend the file at this place, or write it anew with a JSON library",
    )


def not_an_object(path: Path, line: int, value: object) -> InputError:
    """Return the error for an element that cannot be a row."""
    return InputError(
        "each row must be a JSON object",
        where=f"{path} line {line}",
        found=shown(_json(value)),
        fix='write each row as {"column": value, …}',
    )


def too_deep(path: Path, line: int) -> InputError:
    """Return the error for a text that is nested beyond all use."""
    return InputError(
        "the JSON is nested too deeply",
        where=f"{path} line {line}",
        found="hundreds of levels",
        fix="give a file whose rows are objects",
    )


def decoded_lines(path: Path, encoding: Encoding) -> Iterator[Record]:
    """Yield the objects of a JSON Lines file.

    Raises: `InputError` with line and column for a line that is not a JSON object.
    """
    with path.open(encoding=encoding.codec, errors="replace") as file:
        for number, text in enumerate(file, 1):
            if not text.strip():
                continue
            try:
                value = DECODER.decode(text.rstrip())
            except json.JSONDecodeError as error:
                rest = text[error.pos :].rstrip()
                raise broken(path, number, error.pos + 1, error.msg, rest) from None
            except RecursionError:
                raise too_deep(path, number) from None
            if not isinstance(value, dict):
                raise not_an_object(path, number, value)
            yield number, cast("dict[str, Any]", value)


class _Window:
    """The part of a text that is looked at, and where in the file it stands."""

    def __init__(self, path: Path, file: TextIO) -> None:
        self._path = path
        self._file = file
        self.text = ""
        self.at = 0
        self._marked = 0
        self._line = 1
        self._before = 0
        """Characters of the first line of the window that were dropped."""

    def grow(self) -> bool:
        """Drop what is done with and read more; return whether there was more."""
        self.here()
        last = self.text.rfind("\n", 0, self.at)
        self._before = self.at - last - 1 if last >= 0 else self._before + self.at
        rest = self.text[self.at :]
        more = self._file.read(max(CHUNK, len(rest)))
        self.text, self.at, self._marked = rest + more, 0, 0
        return bool(more)

    def skip_space(self) -> str:
        """Go to the next character that is not a space and return it; nothing at the end."""
        while True:
            text = self.text
            while self.at < len(text) and text[self.at] in _SPACE:
                self.at += 1
            if self.at < len(text):
                return text[self.at]
            if not self.grow():
                return ""

    def take(self) -> tuple[int, Any]:
        """Return the line and the value of the JSON value that starts here, and go behind it."""
        while True:
            try:
                value, end = DECODER.raw_decode(self.text, self.at)
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated") or (
                    len(self.text) - error.pos < _NEAR_THE_END
                )
                behind = error.pos - self.at
                if cut and self.grow():
                    continue
                raise self.fault(error.msg, self.at + behind) from None
            except RecursionError:
                raise too_deep(self._path, self.here()) from None
            line = self.here()
            self.at = end
            return line, value

    def here(self) -> int:
        """Return the line of the current place."""
        self._line += self.text.count("\n", self._marked, self.at)
        self._marked = self.at
        return self._line

    def fault(self, message: str, position: int) -> Exception:
        """Return the error for a place in the text."""
        self.at = position
        last = self.text.rfind("\n", 0, position)
        column = position - last if last >= 0 else self._before + position + 1
        return broken(
            self._path, self.here(), column, message, self.text[position : position + 80].rstrip()
        )


def decoded_array(path: Path, encoding: Encoding) -> Iterator[Record]:
    """Yield the objects of a file that holds one JSON array, in bounded memory.

    Raises: `InputError` with line and column where the text is not an array of objects.
    """
    with path.open(encoding=encoding.codec, errors="replace") as file:
        window = _Window(path, file)
        window.skip_space()
        window.at += 1
        if window.skip_space() == "]":
            return
        while True:
            if not window.skip_space():
                raise window.fault("the array does not end", window.at)
            line, value = window.take()
            if not isinstance(value, dict):
                raise not_an_object(path, line, value)
            yield line, cast("dict[str, Any]", value)
            mark = window.skip_space()
            if mark not in (",", "]"):
                raise window.fault("expecting ',' or ']'", window.at)
            window.at += 1
            if mark == "]":
                break
        if window.skip_space():
            raise window.fault("text after the end of the array", window.at)


@dataclass(frozen=True)
class RecordRows:
    """Records that are read anew each time; a record without a column has a null there."""

    records: Callable[[], Iterable[Record]] = field(compare=False, repr=False)
    paths: tuple[Keys, ...]
    names: tuple[str, ...]

    def batches(self) -> Iterator[pa.RecordBatch]:
        return text_batches(self._rows(), self.names)

    def _rows(self) -> Iterator[Cells]:
        for _, record in self.records():
            cells = dict(cells_of(record))
            yield [cells.get(path) for path in self.paths]


def table_of(
    path: Path,
    records: Callable[[], Iterable[Record]],
    *,
    notes: Iterable[str],
    options: Mapping[str, Any],
) -> Table:
    """Go over all records once and return the table of them; columns in order of appearance."""
    paths: dict[Keys, int] = {}
    lines = LineMap()
    count = 0
    for count, (line, record) in enumerate(records(), 1):
        lines.add(count, line)
        for key, _ in cells_of(record):
            paths[key] = paths.get(key, 0) + 1
    if not paths:
        raise InputError(
            "there are no rows with columns",
            where=str(path),
            found=f"{count:,} objects" if count else "no object",
            fix="give a file with at least one object that has a key",
        )
    joined = [".".join(key) for key in paths]
    names, naming = column_names(joined, len(joined))
    reading = Reading(
        path=path,
        sha256=file_hash(path),
        notes=(*notes, *naming, *_shape_notes(paths, count)),
        options=dict(options),
        line_of=lines,
    )
    source = RecordRows(records, tuple(paths), names)
    return Table(path.stem, Schema.text(*names), (source,), reading)


def _shape_notes(paths: Mapping[Keys, int], count: int) -> list[str]:
    nested = sum(len(key) > 1 for key in paths)
    partial = sum(seen < count for seen in paths.values())
    notes: list[str] = []
    if nested:
        notes.append(f"nested objects flattened into {nested} columns with dots in their names")
    if partial:
        notes.append(f"{partial} of {len(paths)} columns are not in every object")
    return notes
