"""What is known of a column: its distinct texts, and whether they are numbers or dates."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from prepwright.planner.facts.dates import DateFormats, date_formats, moments
from prepwright.planner.facts.numbers import is_null_token, is_number, uses_decimal_comma
from prepwright.tables import TEXT, Table

DISTINCT_CAP = 50_000
"""Distinct texts kept for one column; beyond it a column is told by what was kept."""

_NUMERIC = ("INT", "DOUBLE", "FLOAT", "DECIMAL", "HUGEINT")
_DATED = ("DATE", "TIMESTAMP")


@dataclass(frozen=True)
class Facts:
    """Distinct texts of a column with their row counts. `complete` says that none were left out."""

    counts: Mapping[str, int]
    rows: int
    nulls: int
    complete: bool = True

    @cached_property
    def real(self) -> tuple[str, ...]:
        """Return the distinct texts that are no stand-in for a missing value."""
        return tuple(text for text in self.counts if not is_null_token(text))

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """Return the distinct texts that stand for a missing value."""
        return tuple(text for text in self.counts if is_null_token(text))

    @cached_property
    def decimal_comma(self) -> bool:
        return uses_decimal_comma(self.real)

    @cached_property
    def odd_numbers(self) -> tuple[str, ...]:
        """Return the texts that are no numbers."""
        comma = self.decimal_comma
        return tuple(text for text in self.real if not is_number(text, decimal_comma=comma))

    @cached_property
    def dates(self) -> DateFormats:
        return date_formats(self.real)

    @cached_property
    def moments(self) -> tuple[datetime, ...]:
        """Return the moments that the texts name, by the formats as they would be read."""
        return moments(self.real, self.dates.formats)

    def could_be(self, kind: str) -> bool:
        """Return whether at least half of the rows are numbers, or dates, as `kind` says."""
        odd = self.odd_numbers if kind == "number" else self.dates.unparsed
        rows = self.touched(self.real)
        return rows > 0 and self.touched(odd) * 2 < rows

    @cached_property
    def kind(self) -> str:
        """Return `number`, `date` or `text`: what every text of the column is."""
        if not self.real:
            return "text"
        if not self.odd_numbers and not _eight_digits(self.real):
            return "number"
        if self.dates.parsed and not self.dates.unparsed:
            return "date"
        return "text"

    def touched(self, texts: tuple[str, ...]) -> int:
        """Return how many rows hold one of the texts."""
        return sum(self.counts.get(text, 0) for text in texts)


def _eight_digits(texts: tuple[str, ...]) -> bool:
    return all(len(text.strip()) == 8 for text in texts) and not date_formats(texts).unparsed


@dataclass(frozen=True)
class Col:
    """A column of a table at one point of the plan."""

    name: str
    type: str = TEXT
    facts: Facts | None = None

    @property
    def kind(self) -> str:
        """Return `number`, `date`, `boolean` or `text`, by its type or by what its texts are."""
        if self.type.startswith(_DATED):
            return "date"
        if any(name in self.type for name in _NUMERIC):
            return "number"
        if self.type == "BOOLEAN":
            return "boolean"
        return self.facts.kind if self.facts else "text"

    @property
    def kinds(self) -> tuple[str, ...]:
        """Return what the column is, then what it could be but for a few odd cells."""
        if self.type != TEXT or self.facts is None or self.kind != "text":
            return (self.kind,)
        others = [kind for kind in ("number", "date") if self.facts.could_be(kind)]
        return (self.kind, *others)

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the distinct texts, when the column is still text."""
        return tuple(self.facts.counts) if self.facts and self.type == TEXT else ()


@dataclass(frozen=True)
class View:
    """A table at one point of the plan: the step that gives it, and its columns.

    `aliases` are other names that a request may call it by, `topic` the columns that the last
    clause made or changed (`it`, `them`), `detail` the rows that a summary was made of.
    """

    name: str
    step: str
    columns: tuple[Col, ...]
    aliases: tuple[str, ...] = ()
    touched: bool = False
    saved: bool = False
    grouped: bool = False
    deduped: bool = False
    detail: "View | None" = None
    topic: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def find(self, name: str) -> Col | None:
        return next((column for column in self.columns if column.name == name), None)

    def with_columns(self, columns: tuple[Col, ...]) -> "View":
        return replace(self, columns=columns)


Profiles = Mapping[str, tuple[Col, ...]]


def profiled(tables: Mapping[str, Table]) -> Profiles:
    """Return what is known of every column of the tables, by table; reads all rows once."""
    return {name: profile(table) for name, table in tables.items()}


def profile(table: Table) -> tuple[Col, ...]:
    """Return the columns of a table with the distinct texts of its text columns, over all rows."""
    names = table.schema.names
    counters: list[Counter[str]] = [Counter() for _ in names]
    nulls = [0] * len(names)
    complete = [True] * len(names)
    text = [column.type == TEXT for column in table.schema.columns]
    rows = 0
    for batch in table.batches():
        rows += batch.num_rows
        for at in range(len(names)):
            nulls[at] += batch.column(at).null_count
            if text[at]:
                complete[at] &= _count(batch.column(at), counters[at])
    return tuple(
        Col(column.name, column.type, Facts(counters[at], rows, nulls[at], complete[at]))
        for at, column in enumerate(table.schema.columns)
    )


def _count(values: Any, counter: Counter[str]) -> bool:
    counted: Any = pc.value_counts(values.cast(pa.string()))
    for item in counted.to_pylist():
        value, count = item["values"], item["counts"]
        if value is None:
            continue
        if value in counter or len(counter) < DISTINCT_CAP:
            counter[value] += count
        else:
            return False
    return True


def merged_facts(columns: list[Col]) -> Facts | None:
    """Return the facts of a column that is the others' rows put together."""
    facts = [column.facts for column in columns]
    known = [one for one in facts if one is not None]
    if len(known) != len(facts):
        return None
    counts: Counter[str] = Counter()
    for one in known:
        counts.update(one.counts)
    return Facts(
        counts,
        sum(one.rows for one in known),
        sum(one.nulls for one in known),
        all(one.complete for one in known),
    )
