"""Engines: what runs the compiled steps, and how to open one by name."""

import pkgutil
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol

import pyarrow as pa
from sqlglot import exp

from prepwright.errors import EngineError, closest
from prepwright.tables import ColumnName, Schema, Table


class QueryFailed(Exception):
    """The engine refused or broke off a query. `reason` is its message in one line."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class EngineSettings:
    """What an engine may use. Units: `memory_mb` in 2^20 bytes. None: its own limit."""

    memory_mb: int | None = None
    threads: int | None = None


class Engine(Protocol):
    """Executes SELECT trees over named tables. Trees come in the expression dialect (DuckDB's)."""

    name: str
    dialect: str
    version: str

    def load(self, name: str, table: Table, columns: Sequence[ColumnName] | None = None) -> int:
        """Load a table under `name`, with its row identity `__row`; return its number of rows.

        `columns` names those that are wanted; the others need not be kept.
        """
        ...

    def offer(self, name: str, table: Table, columns: Sequence[ColumnName]) -> tuple[Path, ...]:
        """Let one query read a table under `name` as it is scanned, without loading it first.

        Return the files that will be scanned; none where the engine has to load the table.
        """
        ...

    def seal(self, staging: Path, files: Sequence[Path] = ()) -> None:
        """Give up all access to files and settings.

        What is left is reading `files` and writing new ones into `staging`.
        """
        ...

    def describe(self, query: exp.Query, given: Mapping[str, Schema]) -> Schema:
        """Return the columns of a query over empty tables of the given schemas; reads no rows."""
        ...

    def create(self, name: str, query: exp.Query, *, numbered: bool = False) -> int:
        """Keep the result of a query as the table `name`; return its number of rows.

        `numbered` adds the row identity `__row`: 1, 2, 3, … in the order of the scanned rows.
        """
        ...

    def fetch(self, query: exp.Query) -> pa.Table:
        """Return the result of a query in memory."""
        ...

    def write(self, query: exp.Query, path: Path, form: str) -> int:
        """Write the result of a query, in its order, to a new file; return its number of rows.

        `form` is one of `csv`, `tsv`, `json`, `jsonl`, `parquet`.
        """
        ...

    def drop(self, name: str) -> None:
        """Forget a table."""
        ...

    def sql(self, query: exp.Query) -> str:
        """Return the query as text in this engine's own dialect."""
        ...

    def interrupt(self) -> None:
        """Break off the running query; safe to call from another thread."""
        ...

    def close(self) -> None:
        """Give back memory and temporary files."""
        ...


@cache
def names() -> tuple[str, ...]:
    """Return the names of the engines that are installed, outside packages included."""
    inside = [module.name for module in pkgutil.iter_modules(__path__)]
    outside = [point.name for point in entry_points(group="prepwright.engines")]
    return tuple(dict.fromkeys(inside + outside))


def check(name: str) -> None:
    """Refuse the name of an engine that is not installed.

    Raises: `EngineError` with those that are.
    """
    known = names()
    if name not in known:
        guess = closest(name, known)
        raise EngineError(
            f"no engine {name!r}",
            found=", ".join(known),
            fix=f"did you mean {guess!r}?" if guess else f"use one of {', '.join(known)}",
        )


@contextmanager
def opened(name: str = "duckdb", settings: EngineSettings | None = None) -> Generator[Engine]:
    """Open an engine by name and close it at the end.

    Raises: `EngineError` when there is no such engine.
    """
    check(name)
    points = {point.name: point for point in entry_points(group="prepwright.engines")}
    module = points[name].load() if name in points else import_module(f"{__name__}.{name}")
    engine: Engine = module.open_engine(settings or EngineSettings())
    _running.append(engine)
    try:
        yield engine
    finally:
        _running.remove(engine)
        engine.close()


_running: list[Engine] = []


def interrupt() -> None:
    """Break off what runs in every open engine; safe to call from another thread."""
    for engine in list(_running):
        engine.interrupt()
