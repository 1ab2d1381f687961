"""JSON Lines: one object on each line."""

from functools import partial
from pathlib import Path

from pydantic import Field

from prepwright.reading.encoding import find_encoding, is_text
from prepwright.reading.reader import ReaderOptions
from prepwright.reading.records import DECODER, decoded_lines, table_of
from prepwright.tables import Table


class JsonLinesOptions(ReaderOptions):
    """Settings of the JSON Lines reader."""

    encoding: str | None = Field(default=None, description="The text encoding; found by default")


class JsonLinesReader:
    """Read one JSON object from each line; numbers keep their digits, nested keys get dots."""

    name = "jsonl"
    suffixes = (".jsonl", ".ndjson", ".jsonlines")
    options = JsonLinesOptions

    def sniff(self, head: bytes) -> float:
        """Return how sure it is that each line is an object of its own."""
        if not is_text(head):
            return 0.0
        first = head.removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n", 1)[0]
        try:
            value = DECODER.decode(first.decode())
        except (ValueError, RecursionError):
            return 0.1
        return 0.9 if isinstance(value, dict) else 0.1

    def read(self, path: Path, options: JsonLinesOptions) -> Table:
        """Return the table in the file."""
        encoding = find_encoding(path, options.encoding)
        return table_of(
            path,
            partial(decoded_lines, path, encoding),
            notes=encoding.notes,
            options={"format": self.name, "encoding": encoding.name},
        )


READER = JsonLinesReader()
