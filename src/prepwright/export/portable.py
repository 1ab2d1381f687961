"""Functions that an exported program carries in it, word for word: they use the library alone.

They read irregular files as the readers do. A test holds the two against each other.
"""

import csv
import datetime
import decimal
import json
from pathlib import Path
from typing import Any

Read = tuple[list[str], list[list[str | None]]]
"""The header of a table and its rows."""


def csv_rows(path: Path, options: dict[str, Any], width: int) -> Read:
    """Read delimited text: cells stay text, empty ones are None, short rows are filled up."""
    encoding = options.get("encoding", "utf-8")
    quote = options.get("quote", '"')
    csv.field_size_limit(1 << 27)
    with path.open(
        encoding="utf-8-sig" if encoding == "utf-8" else encoding, errors="replace", newline=""
    ) as file:
        reader = csv.reader(
            file,
            delimiter=options.get("delimiter", ","),
            quotechar=quote or None,
            quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
        )
        rows, line = [], 1
        for cells in reader:
            rows.append((line, cells))
            line = reader.line_num + 1
    return below_header(rows, options, width)


def below_header(rows: list[tuple[int, list[str]]], options: dict[str, Any], width: int) -> Read:
    """Take the header and the rows below it, without repeats of it and blank lines."""
    wanted = options.get("header_line", 0) if options.get("header", True) else 0
    at = next((n for n, (line, cells) in enumerate(rows) if line >= wanted and any(cells)), -1)
    header = rows[at][1] if wanted and at >= 0 else []
    full = len(header) or width
    kept: list[list[str | None]] = []
    for _, cells in rows[at + 1 if header else 0 :]:
        lone = cells[0] if cells else ""
        blank = len(cells) <= 1 and (not cells or (full > 1 and not lone.strip()))
        if blank and options.get("blank_lines", "drop") == "drop":
            continue
        again = len(header) > 1 and len(cells) >= len(header) and trimmed(cells) == trimmed(header)
        if again and options.get("repeated_header", "drop") == "drop":
            continue
        row: list[str | None] = [cell or None for cell in cells[: width or full]]
        kept.append(row + [None] * ((width or full) - len(row)))
    return header, kept


def trimmed(cells: list[str]) -> list[str]:
    """Leave out the empty cells at the end."""
    end = len(cells)
    while end and not cells[end - 1]:
        end -= 1
    return cells[:end]


class Number(str):
    """A number of a JSON text, to the letter."""


def json_rows(path: Path, options: dict[str, Any]) -> Read:
    """Read JSON or JSON Lines: numbers keep their digits, nested keys get dots."""
    decoder = json.JSONDecoder(parse_int=Number, parse_float=Number, parse_constant=Number)
    encoding = options.get("encoding", "utf-8")
    text = path.read_text("utf-8-sig" if encoding == "utf-8" else encoding, errors="replace")
    if options["format"] == "jsonl":
        records = [decoder.decode(line.rstrip()) for line in text.split("\n") if line.strip()]
    else:
        value = decoder.decode(text.strip())
        records = value if isinstance(value, list) else value.get(options.get("rows"), [value])
    flat = [flattened(record, ()) for record in records]
    paths = list(dict.fromkeys(key for record in flat for key in record))
    return [".".join(key) for key in paths], [[record.get(key) for key in paths] for record in flat]


def flattened(record: dict[str, Any], above: tuple[str, ...]) -> dict[tuple[str, ...], str | None]:
    """Give every value of a nested object with the keys that lead to it."""
    made: dict[tuple[str, ...], str | None] = {}
    for key, value in record.items():
        if isinstance(value, dict) and value:
            made.update(flattened(value, (*above, key)))
        else:
            made[*above, key] = None if value is None else json_text(value)
    return made


def json_text(value: Any) -> str:
    """Write a JSON value as a cell: text as it is, numbers to the letter, the rest as JSON."""
    return str(value) if isinstance(value, str) else nested_text(value)


def nested_text(value: Any) -> str:
    """Write a JSON value as JSON with its numbers to the letter."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        pairs = (f"{nested_text(key)}: {nested_text(item)}" for key, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(nested_text, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def sheet_rows(values: list[list[Any]], options: dict[str, Any], width: int) -> Read:
    """Take the rows of a sheet: numbers without '.0', dates in ISO form."""
    rows = [
        (line, trimmed([cell_text(cell) for cell in row])) for line, row in enumerate(values, 1)
    ]
    return below_header(rows, options, width)


def cell_text(value: Any) -> str:
    """Write the value of a sheet's cell as text."""
    if value is None or str(value) in ("nan", "NaT"):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else f"{decimal.Decimal(repr(value)):f}"
    if isinstance(value, datetime.datetime):
        day = value.time() == datetime.time() and not getattr(value, "tzinfo", None)
        return value.date().isoformat() if day else value.isoformat(" ")
    return value.isoformat() if isinstance(value, datetime.date | datetime.time) else str(value)


def files_of(path: str) -> list[tuple[str, Path]]:
    """Find the files of a path, a folder or a pattern, in order, each with its name."""
    given = Path(path)
    if given.is_file():
        return [(given.name, given)]
    root = given
    while any(mark in str(root) for mark in "*?["):
        root = root.parent
    found = given.iterdir() if given.is_dir() else root.glob(str(given.relative_to(root)))
    files = sorted(one for one in found if one.is_file() and one.name[0] not in ".~")
    if not files:
        raise SystemExit(f"there is no file {path}")
    return [(one.relative_to(root).as_posix(), one) for one in files]
