"""Whether a text file is so regular that an engine may scan it by itself."""

import hashlib
import json
import re
import subprocess
import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

CHUNK = 1 << 19
LARGE = 1 << 27
"""Units: bytes. The halves of larger files are looked at side by side."""
_PATIENCE = 600
"""Units: seconds. So long a second half is waited for once the first is done."""

_QUOTE = b'"'


class Irregular(Exception):
    """The file has something that scanners disagree about."""


@dataclass(frozen=True)
class Expected:
    """What the file looks like if it is regular: one header line at most, then even rows."""

    delimiter: str
    width: int
    skip_lines: int
    header_repeats: bool


@dataclass(frozen=True)
class Survey:
    """What is known about a regular file. `multiline` says that a cell holds a line end."""

    rows: int
    multiline: bool


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        # so large that a thread beside it is seldom asked to let go
        while chunk := file.read(16 * CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def survey(path: Path, expected: Expected) -> Survey | None:
    """Read every byte of a UTF-8 file once; return None when it is not perfectly regular.

    Regular means: one kind of line end, rows of one width, quotes only around whole cells, no blank
    line, no repeat of the header line, no NUL, no very long line.
    """
    size = path.stat().st_size
    if size >= LARGE and (found := _in_halves(path, expected, size)):
        return found
    return _combined([_part(path, expected, 0, size)])


def _in_halves(path: Path, expected: Expected, size: int) -> Survey | None:
    """Look at the halves of a file side by side, the second as if it began outside of quotes.

    It does if the first ends so. None may also say that the middle is inside a quoted cell.
    """
    middle = _line_end(path, size // 2)
    with _beside(path, expected, middle, size) as second:
        first = _part(path, expected, 0, middle)
        return _combined([first, second()]) if first else None


@dataclass(frozen=True)
class _Part:
    """What was found in a part of a file. `plain` and `returned` are the kinds of line ends."""

    rows: int
    quoted_line_ends: int
    plain: bool
    returned: bool


def _combined(parts: Sequence[_Part | None]) -> Survey | None:
    known = [part for part in parts if part is not None]
    quoted = any(part.quoted_line_ends for part in known)
    returned = any(part.returned for part in known)
    several = returned and (quoted or any(part.plain for part in known))
    if len(known) < len(parts) or several:
        return None
    return Survey(sum(part.rows for part in known), quoted)


def _part(path: Path, expected: Expected, start: int, end: int) -> _Part | None:
    """Look at the whole lines from one byte to another; None when something is out of order."""
    surveyor = _Surveyor(expected)
    try:
        with path.open("rb") as file:
            for _ in range(expected.skip_lines):
                surveyor.skip(file.readline(CHUNK))
            if start:
                file.seek(start)
            for piece in _whole_lines(file, end):
                surveyor.look(piece)
        return surveyor.finish()
    except Irregular:
        return None


def _line_end(path: Path, near: int) -> int:
    """Return where the first line that ends after a byte ends, or the end of the file."""
    with path.open("rb") as file:
        file.seek(near)
        file.readline(CHUNK)
        return file.tell()


@contextmanager
def _beside(
    path: Path, expected: Expected, start: int, end: int
) -> Generator[Callable[[], _Part | None]]:
    """Look at a part of a file in a process of its own, or, where there is none, afterwards."""
    asked = json.dumps([str(path), asdict(expected), start, end])
    command = [sys.executable, "-I", "-S", __file__, asked]
    try:
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError:
        yield lambda: _part(path, expected, start, end)
        return

    def found() -> _Part | None:
        try:
            told, _ = child.communicate(timeout=_PATIENCE)
            known = json.loads(told)
        except (subprocess.TimeoutExpired, ValueError):
            return _part(path, expected, start, end)
        return _Part(**known) if known else None

    try:
        yield found
    finally:
        child.kill()
        child.wait()
        if child.stdout:
            child.stdout.close()


def _whole_lines(file: BinaryIO, stop: int) -> Iterator[bytes]:
    rest = b""
    while chunk := file.read(max(0, min(CHUNK, stop - file.tell()))):
        end = chunk.rfind(b"\n") + 1
        if end:
            yield rest + chunk[:end]
            rest = chunk[end:]
        elif len(rest) + len(chunk) > CHUNK:
            raise Irregular("a very long line")
        else:
            rest += chunk
    if rest:
        yield rest


class _Surveyor:
    """Looks at a file piece by piece; a piece ends with a line end, which may be inside quotes."""

    def __init__(self, expected: Expected) -> None:
        delimiter = expected.delimiter.encode()
        self._repeats = expected.header_repeats and expected.width > 1
        self._one_column = expected.width == 1
        self._pattern = delimiter * (expected.width - 1) + b"\n"
        known = (*delimiter, *b'"\r\n')
        self._ends = {*delimiter, ord("\n")}
        self._classes = bytes(code if code in known else ord("x") for code in range(256))
        self._others = bytes(code for code in range(256) if code not in (*delimiter, *b"\n"))
        self._header = b""
        self._inside = False
        self._skeleton = b""
        self._rows = 0
        self._quoted_line_ends = 0
        self._plain = False
        self._returned = False

    def skip(self, line: bytes) -> None:
        """Look at a line above the data; the last one is the header."""
        parts = line.split(_QUOTE)
        if len(line) >= CHUNK or len(parts) % 2 == 0 or self._stray(parts[0::2], len(line)):
            raise Irregular("a header of several lines, or a very long one")
        self._count_line_ends(line)
        self._header = line.removeprefix(BOM_UTF8).rstrip(b"\r\n")

    def look(self, piece: bytes) -> None:
        """Look at the next whole lines.

        Raises: `Irregular` as soon as something is out of order.
        """
        if b"\0" in piece or self._repeats_header(piece):
            raise Irregular("a NUL or a second header")
        self._count_line_ends(piece)
        outside = self._outside(piece)
        if not outside.endswith(b"\n") and not self._inside:
            outside += b"\n"
        if len(piece) > CHUNK // 2 and b"\n" not in outside:
            raise Irregular("a very long row")
        if self._one_column and (outside.startswith((b"\n", b"\r\n")) or _blank(outside)):
            raise Irregular("a blank line")
        self._check_widths(outside)

    def finish(self) -> _Part:
        """Return what was found once all pieces have been seen."""
        if self._inside or self._skeleton:
            raise Irregular("an open quote or a short last row")
        return _Part(self._rows, self._quoted_line_ends, self._plain, self._returned)

    def _repeats_header(self, piece: bytes) -> bool:
        if not self._repeats or self._header not in piece:
            return False
        pattern = rb"(?:^|\n)" + re.escape(self._header) + rb"\r?(?:\n|$)"
        return re.search(pattern, piece) is not None

    def _count_line_ends(self, piece: bytes) -> None:
        if b"\r" not in piece:
            self._plain |= b"\n" in piece
            return
        feeds, returns = piece.count(b"\n"), piece.count(b"\r")
        if returns != feeds or returns != piece.count(b"\r\n"):
            raise Irregular("a carriage return of its own, or line ends of several kinds")
        self._returned = True

    def _outside(self, piece: bytes) -> bytes:
        """Return the piece with each quoted stretch shortened to one quote."""
        if not self._inside and _QUOTE not in piece:
            return piece
        parts = piece.split(_QUOTE)
        started, self._inside = self._inside, self._inside ^ (len(parts) % 2 == 0)
        inside, outside = (parts[0::2], parts[1::2]) if started else (parts[1::2], parts[0::2])
        self._quoted_line_ends += _QUOTE.join(inside).count(b"\n")
        # an open quote is a stretch whose other part is in another piece
        outside = [b""] * started + outside + [b""] * self._inside
        if self._stray(outside, len(piece)):
            raise Irregular("a quote inside a cell")
        return _QUOTE.join(outside)

    def _stray(self, parts: Sequence[bytes], size: int) -> bool:
        """Tell whether a quote between the parts has an ordinary character beside it.

        A return may stand behind a quote, but not before it.
        """
        if len(parts) * 16 < size:
            before = {part[-1] for part in parts[:-1] if part}
            behind = {part[0] for part in parts[1:] if part}
            return not (before <= self._ends and behind <= self._ends | {ord("\r")})
        # so many quotes are faster looked at all together
        classes = _QUOTE.join(parts).translate(self._classes)
        return b'x"' in classes or b'"x' in classes or b'\r"' in classes

    def _check_widths(self, outside: bytes) -> None:
        skeleton = self._skeleton + outside.translate(None, self._others)
        count, rest = divmod(len(skeleton), len(self._pattern))
        end = len(skeleton) - rest
        if skeleton[:end] != self._pattern * count:
            raise Irregular("rows of several widths")
        self._skeleton = skeleton[end:]
        self._rows += count


def _blank(text: bytes) -> bool:
    return b"\n\n" in text or b"\n\r\n" in text


def _main(asked: str) -> None:
    """Look at the part of a file that `_beside` asks for, and print what was found."""
    path, expected, start, end = json.loads(asked)
    found = _part(Path(path), Expected(**expected), start, end)
    print(json.dumps(found and asdict(found)))  # noqa: T201 - the parent reads it


if __name__ == "__main__":
    _main(sys.argv[1])
