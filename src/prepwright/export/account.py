"""What a run has to account for: the facts that the ledger and the record are written from."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from prepwright.tables import Table
from prepwright.workflow import Run


@dataclass(frozen=True)
class Entry:
    """One choice that the request left open.

    `by` says who chose: `request`, `answer`, `memory` or `default`. `others` pairs each other
    option with what it would have given; `reason` says why a default was not asked for.
    """

    id: str
    kind: str
    question: str
    chosen: str
    by: str
    evidence: str
    others: tuple[tuple[str, str], ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class OutputFile:
    """A table that was written. Units: `size` in bytes."""

    name: str
    rows: int
    columns: tuple[str, ...]
    size: int
    sha256: str


@dataclass(frozen=True)
class Account:
    """A finished run with everything that was decided on the way.

    `sentences` pairs the clauses of the request with their meaning, `strange` with why they were
    not understood. `lost` holds, for steps that left rows out or could not read values, example
    rows with file and line.
    """

    verb: str
    version: str
    when: str
    run: Run
    tables: Mapping[str, Table]
    outputs: tuple[OutputFile, ...]
    answers: Mapping[str, str] = field(default_factory=dict[str, str])
    entries: tuple[Entry, ...] = ()
    notices: tuple[str, ...] = ()
    sentences: tuple[tuple[str, str], ...] = ()
    strange: tuple[tuple[str, str], ...] = ()
    lost: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    drift: tuple[str, ...] = ()
