"""DuckDB: the embedded engine, locked down before any expression of a workflow runs."""

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
from sqlglot import exp

from prepwright.engines import EngineSettings, QueryFailed
from prepwright.errors import EngineError
from prepwright.functions import definitions
from prepwright.tables import (
    RESERVED,
    ROW,
    Column,
    ColumnName,
    DelimitedFile,
    ParquetFile,
    Schema,
    Source,
    Table,
)  # fmt: skip

_QUIET = (
    "SET autoinstall_known_extensions=false",
    "SET autoload_known_extensions=false",
    "SET allow_community_extensions=false",
    "SET allow_persistent_secrets=false",
    "SET python_enable_replacements=false",
    "SET enable_progress_bar=false",
    "SET TimeZone='UTC'",
)


def open_engine(settings: EngineSettings) -> "DuckDB":
    """Open an embedded database in memory, with a private folder for what does not fit there."""
    return DuckDB(settings)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _stored(name: str) -> str:
    """Return the quoted name of a stored column: one called rowid would hide the engine's own."""
    return _quoted(f"{RESERVED}{name}" if name.casefold() == "rowid" else name)


def _numbered(name: str) -> str:
    """Return the name of the table under a view that adds the row identity."""
    return f"{RESERVED}rows_{name}"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


class DuckDB:
    """Runs SELECT trees in an embedded DuckDB. Sealed, it reads no file, setting or extension."""

    name = "duckdb"
    dialect = "duckdb"
    version: str = duckdb.__version__

    def __init__(self, settings: EngineSettings) -> None:
        self._spill = Path(tempfile.mkdtemp(prefix="prepwright-"))
        self._rows = _connection([f"SET temp_directory={_literal(str(self._spill))}"])
        if settings.memory_mb is not None:
            self._rows.execute(f"SET memory_limit='{settings.memory_mb}MiB'")
        if settings.threads is not None:
            self._rows.execute(f"SET threads={settings.threads}")
        # types are worked out apart from the data, over empty tables
        self._types = _connection(["SET temp_directory=''", "SET threads=1"])
        self._types.execute("SET enable_external_access=false")
        self._types.execute("SET lock_configuration=true")
        self._known: dict[str, Schema] = {}
        self._loaded: set[str] = set()
        self._offered: set[str] = set()

    def load(self, name: str, table: Table, columns: Sequence[ColumnName] | None = None) -> int:
        kept = _numbered(name)
        some = None if columns is None else set(columns)
        wanted = [c for c in table.schema.columns if some is None or c.name in some]
        typed = ", ".join(f"{_stored(c.name)} {c.type}" for c in wanted)
        self._run(f"CREATE TEMP TABLE {_quoted(kept)} ({typed})")
        for source in table.sources:
            self._insert(kept, Schema(tuple(wanted)), source)
        shown = ", ".join(f"{_stored(c.name)} AS {_quoted(c.name)}" for c in wanted)
        view = f"SELECT {shown}, rowid + 1 AS {_quoted(ROW)} FROM {_quoted(kept)}"
        self._run(f"CREATE TEMP VIEW {_quoted(name)} AS {view}")
        self._loaded.add(name)
        return self._count(kept)

    def _insert(self, kept: str, schema: Schema, source: Source) -> None:
        into = f"INSERT INTO {_quoted(kept)}"
        shown = ", ".join(_quoted(c) for c in schema.names)
        if isinstance(source, DelimitedFile):
            try:
                self._rows.execute(f"{into} SELECT {shown} FROM {_scan(source)}").fetchall()
                return
            except duckdb.OutOfMemoryException as error:
                raise _engine_error(error) from None
            except duckdb.Error:
                pass  # the scanner is strict where a careful reader need not be
        if isinstance(source, ParquetFile):
            read = f"read_parquet({_literal(str(source.path))})"
            self._run(f"{into} SELECT {shown} FROM {read}")
            return
        batches = source.tolerant() if isinstance(source, DelimitedFile) else source.batches()
        for batch in batches:
            data = pa.Table.from_batches([batch])
            self._rows.register("__batch", data)
            self._run(f'{into} SELECT {shown} FROM "__batch"')
            self._rows.unregister("__batch")

    def offer(self, name: str, table: Table, columns: Sequence[ColumnName]) -> tuple[Path, ...]:
        source = table.sources[0]
        if len(table.sources) > 1 or not isinstance(source, DelimitedFile):
            return ()
        some = set(columns)
        shown = ", ".join(_quoted(c) for c in table.schema.names if c in some)
        scanned = f"SELECT {shown}, row_number() OVER () AS {_quoted(ROW)} FROM {_scan(source)}"
        try:
            self._run(f"CREATE TEMP VIEW {_quoted(name)} AS {scanned}")
        except QueryFailed:
            return ()
        self._offered.add(name)
        return (source.path,)

    def seal(self, staging: Path, files: Sequence[Path] = ()) -> None:
        paths = ", ".join(_literal(str(path)) for path in files)
        for statement in (
            f"SET allowed_directories=[{_literal(str(staging) + '/')}]",
            f"SET allowed_paths=[{paths}]",
            "SET enable_external_access=false",
            "SET lock_configuration=true",
        ):
            self._run(statement)

    def describe(self, query: exp.Query, given: Mapping[str, Schema]) -> Schema:
        for name, schema in given.items():
            if self._known.get(name) != schema:
                columns = [f"{_quoted(c.name)} {c.type}" for c in schema.columns]
                made = f"CREATE OR REPLACE TEMP TABLE {_quoted(name)} ({', '.join(columns)})"
                self._types.execute(made)
                self._known[name] = schema
        try:
            rows = self._types.execute(f"DESCRIBE {self._select(query)}").fetchall()
        except duckdb.Error as error:
            raise QueryFailed(_reason(error)) from None
        return Schema(tuple(Column(row[0], row[1]) for row in rows))

    def create(self, name: str, query: exp.Query, *, numbered: bool = False) -> int:
        kept = _numbered(name) if numbered else name
        self._run(f"CREATE TEMP TABLE {_quoted(kept)} AS {self._select(query)}")
        if numbered:
            view = f"SELECT *, rowid + 1 AS {_quoted(ROW)} FROM {_quoted(kept)}"
            self._run(f"CREATE TEMP VIEW {_quoted(name)} AS {view}")
            self._loaded.add(name)
        return self._count(kept)

    def fetch(self, query: exp.Query) -> pa.Table:
        try:
            return self._rows.sql(self._select(query)).to_arrow_table()
        except duckdb.Error as error:
            raise _raised(error) from None

    def write(self, query: exp.Query, path: Path, form: str) -> int:
        options = {
            "csv": "FORMAT csv, HEADER, DELIMITER ','",
            "tsv": "FORMAT csv, HEADER, DELIMITER '\t'",
            "json": "FORMAT json, ARRAY true",
            "jsonl": "FORMAT json, ARRAY false",
            "parquet": "FORMAT parquet, COMPRESSION zstd",
        }[form]
        statement = f"COPY ({self._select(query)}) TO {_literal(str(path))} ({options})"
        return int(self._run(statement)[0][0])

    def drop(self, name: str) -> None:
        if name in self._loaded:
            self._loaded.discard(name)
            self._run(f"DROP VIEW IF EXISTS {_quoted(name)}")
            name = _numbered(name)
        elif name in self._offered:
            self._offered.discard(name)
            self._run(f"DROP VIEW {_quoted(name)}")
            return
        self._run(f"DROP TABLE IF EXISTS {_quoted(name)}")

    def sql(self, query: exp.Query) -> str:
        return query.sql(dialect=self.dialect)

    def _select(self, query: exp.Query) -> str:
        """Return the text of a query once DuckDB itself says that it is one SELECT.

        A file that may be read while it is scanned could otherwise be written by a COPY.
        """
        text = self.sql(query)
        try:
            kinds = [statement.type for statement in duckdb.extract_statements(text)]
        except duckdb.Error as error:
            raise QueryFailed(_reason(error)) from None
        if kinds != [duckdb.StatementType.SELECT]:
            raise QueryFailed(f"Permission Error: only a SELECT runs here, not {text[:60]}")
        return text

    def interrupt(self) -> None:
        self._rows.interrupt()

    def close(self) -> None:
        self._rows.close()
        self._types.close()
        shutil.rmtree(self._spill, ignore_errors=True)

    def _count(self, name: str) -> int:
        return int(self._run(f"SELECT count(*) FROM {_quoted(name)}")[0][0])

    def _run(self, statement: str) -> list[Any]:
        try:
            return self._rows.execute(statement).fetchall()
        except duckdb.Error as error:
            raise _raised(error) from None


def _connection(settings: list[str]) -> duckdb.DuckDBPyConnection:
    made = duckdb.connect(":memory:")
    for statement in (*_QUIET, *settings, *definitions()):
        made.execute(statement)
    return made


def _scan(source: DelimitedFile) -> str:
    # a regular file has no long lines, and a scanner that expects them takes larger pieces
    columns = ", ".join(f"{_literal(name)}: 'VARCHAR'" for name in source.columns)
    quote = _literal(source.quote)
    return (
        f"read_csv({_literal(str(source.path))}, auto_detect=false, header=false, "
        f"skip={source.skip_lines}, delim={_literal(source.delimiter)}, quote={quote}, "
        f"escape={quote}, nullstr='', columns={{{columns}}}, max_line_size=4194304)"
    )


def _reason(error: duckdb.Error) -> str:
    return " ".join(str(error).split())


def _raised(error: duckdb.Error) -> Exception:
    """Return our error for DuckDB's: the machine's fault, or the query's."""
    machine = (duckdb.OutOfMemoryException, duckdb.IOException, duckdb.InterruptException)
    return _engine_error(error) if isinstance(error, machine) else QueryFailed(_reason(error))


def _engine_error(error: duckdb.Error) -> EngineError:
    reason = _reason(error)
    if isinstance(error, duckdb.OutOfMemoryException):
        return EngineError(
            "memory ran out",
            where="engine duckdb",
            found=reason[:200],
            fix="raise --memory, lower --threads, or free disk space for spilling",
        )
    if isinstance(error, duckdb.InterruptException):
        return EngineError(
            "the run was interrupted",
            where="engine duckdb",
            found="an interrupt",
            fix="run it again; nothing was written",
        )
    return EngineError(
        "the disk could not be read or written",
        where="engine duckdb",
        found=reason[:200],
        fix="check free space and permissions, then run it again",
    )
