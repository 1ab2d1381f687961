"""Opening workbooks, and what is checked before they are unpacked."""

import re
import zipfile
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from prepwright.errors import InputError

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook

Place = tuple[int, int]
"""Row and column of a cell, counted from 1."""

ZIP = b"PK\x03\x04"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

UNPACKED_LIMIT = 4 << 30
"""Bytes that a workbook may unpack to."""

CELL_LIMIT = 1 << 26
"""Cells between the first and the last one of a sheet, empty ones included."""

_CHUNK = 1 << 20
_FAR = 1 << 30
_HEAD_BYTES = 4096
_DIRECTORY_BYTES = 1 << 26
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml")
_DIMENSION = re.compile(rb'dimension ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"')
_FILLED = re.compile(rb'<(?:\w+:)?c r="([A-Z]{1,3})(\d{1,7})"(?:[^>]*[^/>])?>')


@contextmanager
def opened_workbook(path: Path) -> Generator["CalamineWorkbook"]:
    """Open a workbook.

    Raises: `InputError` when it is protected by a password, damaged, or unpacks to too much.
    """
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError

    _check(path)
    try:
        with path.open("rb") as file, CalamineWorkbook.from_filelike(file) as book:
            yield book
    except PasswordError:
        raise _protected(path) from None
    except CalamineError as error:
        raise _damaged(path, str(error)) from None
    except BaseException as error:
        # What the parser did not foresee ends in a panic, which is no `Exception`.
        if type(error).__name__ != "PanicException":
            raise
        raise _damaged(path, str(error)) from None


def _check(path: Path) -> None:
    """Look at the container before it is unpacked."""
    with path.open("rb") as file:
        head = file.read(len(OLE))
        if head == OLE and _ENCRYPTED in head + file.read(_DIRECTORY_BYTES):
            raise _protected(path)
    if not head.startswith(ZIP):
        return
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(item.file_size for item in archive.infolist())
            if unpacked <= UNPACKED_LIMIT:
                _check_sheets(path, archive)
    except (zipfile.BadZipFile, zlib.error, ValueError, EOFError, NotImplementedError) as error:
        raise _damaged(path, str(error)) from None
    if unpacked > UNPACKED_LIMIT:
        raise InputError(
            "the workbook is too large to unpack",
            where=str(path),
            found=f"{unpacked / (1 << 30):,.1f} GB unpacked, from {path.stat().st_size:,} bytes",
            fix="save the sheet as CSV or Parquet and give that",
        )


def _check_sheets(path: Path, archive: zipfile.ZipFile) -> None:
    """Look for cells so far apart that the room between them does not fit into memory."""
    for item in archive.infolist():
        if not _SHEET.fullmatch(item.filename):
            continue
        with archive.open(item) as file:
            stated = _DIMENSION.search(file.read(_HEAD_BYTES))
        if (
            stated
            and _area([_place(*stated.group(1, 2)), _place(*stated.group(3, 4))]) <= CELL_LIMIT
        ):
            continue
        with archive.open(item) as file:
            area = _area(_corners(file))
        if area > CELL_LIMIT:
            raise InputError(
                "the cells of a sheet are too far apart",
                where=f"{path} {item.filename}",
                found=f"{area:,} cells between the first and the last one that hold something",
                fix="delete the cells far away from the table, or save it as CSV",
            )


def _corners(file: IO[bytes]) -> list[Place]:
    """Return the first and the last row and column of the cells that hold something."""
    first, last = (_FAR, _FAR), (0, 0)
    rest = b""
    while chunk := file.read(_CHUNK):
        text = rest + chunk
        for match in _FILLED.finditer(text):
            row, column = _place(*match.group(1, 2))
            first = (min(first[0], row), min(first[1], column))
            last = (max(last[0], row), max(last[1], column))
        rest = text[text.rfind(b"<") :]
    return [first, last] if last[0] else []


def _area(corners: list[Place]) -> int:
    if not corners:
        return 0
    (top, left), (bottom, right) = corners
    return (bottom - top + 1) * (right - left + 1)


def _place(letters: bytes, digits: bytes) -> Place:
    column = 0
    for letter in letters:
        column = column * 26 + letter - 64
    return int(digits), column


def _protected(path: Path) -> InputError:
    return InputError(
        "the workbook is protected by a password",
        where=str(path),
        found="encrypted content",
        fix="open it in a spreadsheet program, remove the password and save it",
    )


def _damaged(path: Path, found: str) -> InputError:
    return InputError(
        "the workbook is damaged or cut off",
        where=str(path),
        found=found,
        fix="open it in a spreadsheet program and save it anew",
    )
