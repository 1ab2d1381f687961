"""JSON: an array of objects, or an object that holds one."""

import json
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, cast

from pydantic import Field

from prepwright.errors import InputError, closest, listed
from prepwright.reading.encoding import Encoding, find_encoding, is_text
from prepwright.reading.reader import ReaderOptions
from prepwright.reading.records import (
    DECODER,
    Record,
    broken,
    decoded_array,
    decoded_lines,
    not_an_object,
    table_of,
    too_deep,
)
from prepwright.tables import Table

Records = Callable[[], Iterable[Record]]


class JsonOptions(ReaderOptions):
    """Settings of the JSON reader."""

    encoding: str | None = Field(default=None, description="The text encoding; found by default")
    rows: str | None = Field(
        default=None, description="The key that holds the array of rows, if there are several"
    )


class JsonReader:
    """Read an array of objects; numbers keep their digits, nested keys get dots."""

    name = "json"
    suffixes = (".json",)
    options = JsonOptions

    def sniff(self, head: bytes) -> float:
        """Return how sure it is that this is one JSON text."""
        start = head.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
        if not is_text(head):
            return 0.0
        if start.startswith(b"[") and start[1:].lstrip().startswith(b"{"):
            return 0.95
        return 0.88 if start.startswith(b"{") else 0.1

    def read(self, path: Path, options: JsonOptions) -> Table:
        """Return the table in the file."""
        encoding = find_encoding(path, options.encoding)
        settled = {"format": self.name, "encoding": encoding.name}
        if _first_character(path, encoding) == "[":
            records: Records = partial(decoded_array, path, encoding)
            return table_of(path, records, notes=encoding.notes, options=settled)
        value = _whole(path, encoding)
        if value is None:
            note = "one object on each line: read as JSON Lines"
            records = partial(decoded_lines, path, encoding)
            settled["format"] = "jsonl"
            return table_of(path, records, notes=(*encoding.notes, note), options=settled)
        rows, notes, key = _rows_in(path, value, options.rows)
        settled |= {"rows": key} if key else {}
        return table_of(path, lambda: rows, notes=(*encoding.notes, *notes), options=settled)


def _first_character(path: Path, encoding: Encoding) -> str:
    with path.open(encoding=encoding.codec, errors="replace") as file:
        while char := file.read(1):
            if not char.isspace():
                return char
    raise InputError(
        "the file is empty",
        where=str(path),
        found=f"{path.stat().st_size:,} bytes, all of them blank",
        fix="give a file that holds a JSON array of objects",
    )


def _whole(path: Path, encoding: Encoding) -> dict[str, Any] | None:
    """Return the object that the file is, or None when it holds one object on each line."""
    text = path.read_text(encoding=encoding.codec, errors="replace")
    try:
        value = DECODER.decode(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and text[error.pos :].startswith("{"):
            return None
        found = text[error.pos : error.pos + 80]
        raise broken(path, error.lineno, error.colno, error.msg, found) from None
    except RecursionError:
        raise too_deep(path, 1) from None
    if not isinstance(value, dict):
        raise not_an_object(path, 1, value)
    return cast("dict[str, Any]", value)


def _rows_in(
    path: Path, value: dict[str, Any], asked: str | None
) -> tuple[list[Record], list[str], str | None]:
    """Return the rows in an object: those of its one array of objects, or the object itself."""
    arrays = {key: items for key, items in value.items() if _holds_objects(items)}
    if asked is not None and asked not in arrays:
        near = closest(asked, list(arrays))
        raise InputError(
            f"there is no array of objects under {asked!r}",
            where=str(path),
            found=listed(value),
            fix=f"did you mean {near!r}?" if near else f"use one of {listed(arrays)}",
        )
    if asked is None and len(arrays) > 1:
        raise InputError(
            "the object holds several arrays of objects",
            where=str(path),
            found=listed(arrays),
            fix=f"say which one holds the rows: the option rows={next(iter(arrays))!r}",
        )
    if not arrays:
        return [(1, value)], ["one object: read as one row"], None
    key = asked if asked is not None else next(iter(arrays))
    others = [one for one in value if one != key]
    notes = [f"rows taken from {key!r}"]
    if others:
        notes.append(f"{len(others)} other keys set aside: {listed(others)}")
    return [(number, item) for number, item in enumerate(arrays[key], 1)], notes, key


def _holds_objects(items: object) -> bool:
    if not isinstance(items, list) or not items:
        return False
    return all(isinstance(item, dict) for item in cast("list[object]", items))


READER = JsonReader()
