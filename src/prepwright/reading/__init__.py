"""Files as tables: every cell as it was written, and every decision on record."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from prepwright.errors import InputError, listed
from prepwright.reading.files import Found, access, find_files, identifier
from prepwright.reading.folder import combined_hash, gathered
from prepwright.reading.reader import (
    HEAD_BYTES,
    HasParts,
    Reader,
    ReaderOptions,
    by_suffix,
    choose,
    readers,
    validated,
)
from prepwright.reading.survey import file_hash
from prepwright.tables import Table

__all__ = [
    "Reader",
    "ReaderOptions",
    "fingerprint",
    "identifier",
    "read",
    "read_all",
    "readers",
]


def read(
    path: str | Path, *, name: str | None = None, options: Mapping[str, Any] | None = None
) -> Table:
    """Read a file, or all files of a folder or a pattern, as one table.

    Columns: text, except those of Parquet; a folder or a pattern puts `file_name` in front.
    Nulls: empty cells; no word such as NA is taken for one.
    A table called like a part of a file, such as a sheet of a workbook, is that part.
    Raises: `InputError` when it cannot be read.
    """
    wanted = dict(options or {})
    found = find_files(path)
    with access(found.path):
        tables = [_read_file(file, wanted, name) for file in found.files]
        table = tables[0]
        if found.many:
            labels = [found.label(file) for file in found.files]
            table = gathered(found.path, labels, tables, wanted)
    return replace(table, name=name or identifier(_stem(found)))


def read_all(
    paths: Sequence[str | Path], names: Sequence[str | None] | None = None
) -> dict[str, Table]:
    """Read several paths as tables by name; names that are not given come from the file names.

    Raises: `InputError` when one cannot be read, or two are given the same name.
    """
    given = list(names) if names is not None else [None] * len(paths)
    fixed = [name for name in given if name is not None]
    twice = [name for name in fixed if [one.casefold() for one in fixed].count(name.casefold()) > 1]
    if twice:
        raise InputError(
            f"two tables are called {twice[0]!r}",
            found=listed(str(path) for path in paths),
            fix="give each table a name of its own",
        )
    taken = set(fixed)
    tables: dict[str, Table] = {}
    for path, wanted in zip(paths, given, strict=True):
        table = read(path, name=wanted)
        name = wanted or identifier(table.name, taken)
        taken.add(name)
        tables[name] = replace(table, name=name)
    return tables


def fingerprint(path: str | Path) -> str:
    """Return the SHA-256 that `Reading.sha256` has for a path, without reading it as a table."""
    found = find_files(path)
    with access(found.path):
        if not found.many:
            return file_hash(found.files[0])
        return combined_hash((found.label(file), file_hash(file)) for file in found.files)


def _read_file(path: Path, options: Mapping[str, Any], name: str | None) -> Table:
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if not head.strip():
        raise InputError(
            "the file is empty",
            where=str(path),
            found=f"{len(head)} bytes" if not head else "white space only",
            fix="give a file that has at least a header",
        )
    reader = choose(path, head, options)
    if name is not None and isinstance(reader, HasParts):
        options = {**reader.part_called(path, name), **options}
    table = reader.read(path, validated(reader, options, str(path)))
    expected = by_suffix(path)
    if "format" in options or expected in (None, reader):
        return table
    note = f"named {path.suffix} but {reader.name} inside"
    return replace(table, reading=replace(table.reading, notes=(note, *table.reading.notes)))


def _stem(found: Found) -> str:
    stem = found.path.resolve().name if found.many and found.path.is_dir() else found.path.stem
    return stem if not found.many or found.path.is_dir() else found.path.parent.resolve().name
