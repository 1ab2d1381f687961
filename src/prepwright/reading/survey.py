"""Whether a text file is so regular that an engine may scan it by itself."""

import hashlib
import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

CHUNK = 1 << 19

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
    surveyor = _Surveyor(expected)
    try:
        with path.open("rb") as file:
            for _ in range(expected.skip_lines):
                surveyor.skip(file.readline(CHUNK))
            for piece in _whole_lines(file):
                surveyor.look(piece)
        return surveyor.finish()
    except Irregular:
        return None


def _whole_lines(file: BinaryIO) -> Iterator[bytes]:
    rest = b""
    while chunk := file.read(CHUNK):
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
        if len(line) >= CHUNK or line.count(_QUOTE) % 2 or self._stray(line.split(_QUOTE)[0::2]):
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

    def finish(self) -> Survey:
        """Return what was found once all pieces have been seen."""
        if self._inside or self._skeleton:
            raise Irregular("an open quote or a short last row")
        if self._returned and (self._plain or self._quoted_line_ends):
            raise Irregular("line ends of several kinds")
        return Survey(self._rows, self._quoted_line_ends > 0)

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
        if self._stray(outside):
            raise Irregular("a quote inside a cell")
        return _QUOTE.join(outside)

    def _stray(self, parts: Sequence[bytes]) -> bool:
        """Tell whether a quote between the parts has an ordinary character beside it.

        A return may stand behind a quote, but not before it.
        """
        if len(parts) * 16 < sum(map(len, parts)):
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
