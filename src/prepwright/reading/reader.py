"""What a reader is, and which ones there are."""

import functools
import importlib
import pkgutil
from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from prepwright.errors import InputError, closest, listed, shown
from prepwright.reading import formats
from prepwright.tables import Table

GROUP = "prepwright.reading"
HEAD_BYTES = 65_536

_SURE = 0.85
_MAGIC = {
    b"%PDF": "a PDF document",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"\x1f\x8b": "a gzip archive; unpack it first",
    b"BZh": "a bzip2 archive; unpack it first",
    b"\xfd7zXZ": "an xz archive; unpack it first",
    b"7z\xbc\xaf": "a 7z archive; unpack it first",
    b"\x7fELF": "a program",
    b"MZ": "a program",
    b"SQLite format 3": "an SQLite database",
    b"PK\x03\x04": "a zip archive",
    b"PAR1": "a Parquet file",
    b"\xd0\xcf\x11\xe0": "an Office document of the old kind",
}


class ReaderOptions(BaseModel):
    """Settings that every reader has."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: str | None = Field(default=None, description="The reader's name; by default its suffix")


class Reader(Protocol):
    """A format that can be read.

    `sniff` says from the first bytes, with a fraction 0-1, how sure it is that the format is its
    own; 0 means that it cannot be. `read` gets validated `options` of the reader's own class.
    """

    name: str
    suffixes: tuple[str, ...]
    options: type[ReaderOptions]

    def sniff(self, head: bytes) -> float: ...

    def read(self, path: Path, options: Any) -> Table: ...


@runtime_checkable
class HasParts(Protocol):
    """A reader whose files hold several tables."""

    def part_called(self, path: Path, name: str) -> Mapping[str, Any]:
        """Return the options that read the part of that name; none where there is no such part."""
        ...


@functools.cache
def readers() -> Mapping[str, Reader]:
    """Return every reader by name: the built-in ones, then those of installed packages.

    Raises: `ValueError` when two readers have the same name.
    """
    modules = [
        importlib.import_module(f"{formats.__name__}.{info.name}")
        for info in pkgutil.iter_modules(formats.__path__)
    ]
    found: list[Reader] = [module.READER for module in modules]
    found += [entry.load() for entry in entry_points(group=GROUP)]
    by_name: dict[str, Reader] = {}
    for reader in found:
        if reader.name in by_name:
            raise ValueError(f"two readers are called {reader.name!r}")
        by_name[reader.name] = reader
    return by_name


def by_suffix(path: Path) -> Reader | None:
    """Return the reader that owns the file's suffix, or None."""
    suffix = path.suffix.lower()
    return next((one for one in readers().values() if suffix in one.suffixes), None)


def describe(head: bytes) -> str:
    """Return in words what the first bytes of an unreadable file look like."""
    kind = next((text for magic, text in _MAGIC.items() if head.startswith(magic)), None)
    if kind:
        return kind
    start = head[:512].lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html", b"<table")):
        return "an HTML page"
    return f"bytes that start with {shown(head[:16])}"


def choose(path: Path, head: bytes, options: Mapping[str, Any]) -> Reader:
    """Return the reader for a file: the one asked for, else by its suffix, else by its content.

    Raises: `InputError` when the format is unknown.
    """
    if options.get("format") is not None:
        return _named(path, str(options["format"]))
    expected = by_suffix(path)
    if expected and expected.sniff(head) > 0:
        return expected
    best = max(readers().values(), key=lambda one: one.sniff(head))
    confidence = best.sniff(head)
    if confidence >= _SURE or (expected is None and confidence > 0):
        return best
    raise _unreadable(path, head, expected)


def validated(reader: Reader, options: Mapping[str, Any], where: str) -> ReaderOptions:
    """Return the reader's options, checked.

    Raises: `InputError` for an unknown option or a value that the option does not take.
    """
    try:
        return reader.options.model_validate(dict(options))
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in fault["loc"])
    known = list(reader.options.model_fields)
    if fault["type"] == "extra_forbidden":
        near = closest(name, known)
        raise InputError(
            f"the {reader.name} reader has no option {name!r}",
            where=where,
            found=listed(options),
            fix=f"did you mean {near!r}?" if near else f"use one of {listed(known)}",
        )
    raise InputError(
        f"the option {name!r} cannot be {shown(fault['input'])}",
        where=where,
        found=fault["msg"],
        fix=f"{name}: {reader.options.model_fields[name].description}"
        if name in known
        else "change it",
    )


def _named(path: Path, name: str) -> Reader:
    if name in readers():
        return readers()[name]
    near = closest(name, list(readers()))
    raise InputError(
        f"there is no format {name!r}",
        where=str(path),
        found=listed(readers()),
        fix=f"did you mean {near!r}?" if near else "use one of these formats",
    )


def _unreadable(path: Path, head: bytes, expected: Reader | None) -> InputError:
    what = f"the content is not {expected.name}" if expected else "the kind of file is not known"
    every = sorted({suffix for one in readers().values() for suffix in one.suffixes})
    return InputError(
        what,
        where=str(path),
        found=describe(head),
        fix=f"give a file of a known kind ({' '.join(every)}), or name it with the option format",
    )
