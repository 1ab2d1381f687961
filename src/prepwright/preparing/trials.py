"""Trial runs: workflows over the first rows of each table, in memory, each run once."""

import hashlib
import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from prepwright import engines
from prepwright.tables import Table
from prepwright.workflow import Run, Settings, Workflow, run

SAMPLE_ROWS = 100_000
"""Units: rows of each table that trial runs see."""

_SAMPLE_BYTES = 256 << 20
_WHOLE_RUNS = 6
_QUIET = Settings(facts=False, page_rows=0)


@dataclass
class SampleTrials:
    """Runs workflows over samples. `complete` says that the samples are the whole tables."""

    tables: Mapping[str, Table]
    engine: str = "duckdb"
    settings: engines.EngineSettings | None = None
    sample_rows: int = SAMPLE_ROWS
    whole_runs: int = _WHOLE_RUNS
    complete: bool = True
    runs: int = 0
    _samples: dict[str, Table] = field(default_factory=dict[str, Table])
    _done: dict[str, Run] = field(default_factory=dict[str, Run])
    _hashes: dict[str, str] = field(default_factory=dict[str, str])

    def samples(self) -> Mapping[str, Table]:
        """Return the tables cut to their first rows."""
        for name, table in self.tables.items():
            if name not in self._samples:
                self._samples[name], whole = _cut(table, self.sample_rows)
                self.complete &= whole
        return self._samples

    def rows(self) -> Mapping[str, int]:
        """Return the number of rows of each table, or those of its sample when it is longer."""
        return {
            name: sum(batch.num_rows for batch in table.batches())
            for name, table in self.samples().items()
        }

    def outputs(self, workflow: Workflow) -> Mapping[str, pa.Table]:
        """Return the outputs of a workflow over the samples."""
        return self.done(workflow).outputs

    def done(self, workflow: Workflow) -> Run:
        """Return the run of a workflow over the samples."""
        known = key(workflow)
        if known not in self._done:
            self.runs += 1
            tables = self.samples()
            with (
                engines.opened(self.engine, self.settings) as engine,
                tempfile.TemporaryDirectory() as folder,
            ):
                self._done[known] = run(
                    workflow, tables, engine, staging=Path(folder), in_memory=True, settings=_QUIET
                )
        return self._done[known]

    def same(self, one: Workflow, other: Workflow) -> bool | None:
        """Tell whether workflows that agree on the samples agree on all rows; None: unknown."""
        self.samples()
        if self.complete or key(one) == key(other):
            return True
        if len(self._hashes) + 2 > self.whole_runs:
            return None
        return self._hash(one) == self._hash(other)

    def _hash(self, workflow: Workflow) -> str:
        known = key(workflow)
        if known not in self._hashes:
            with (
                engines.opened(self.engine, self.settings) as engine,
                tempfile.TemporaryDirectory() as folder,
            ):
                run(workflow, self.tables, engine, staging=Path(folder), settings=_QUIET)
                digest = hashlib.sha256()
                for file in sorted(Path(folder).iterdir()):
                    with file.open("rb") as opened:
                        digest.update(file.name.encode())
                        digest.update(hashlib.file_digest(opened, "sha256").digest())
                self._hashes[known] = digest.hexdigest()
        return self._hashes[known]


def key(workflow: Workflow) -> str:
    """Return what a workflow does, without why: equal keys give equal outputs."""
    steps = workflow.to_data()["steps"]
    bare = [
        {k: v for k, v in step.items() if k not in ("why", "from", "reading")} for step in steps
    ]
    return json.dumps(bare, sort_keys=True)


def _cut(table: Table, most: int) -> tuple[Table, bool]:
    batches: list[pa.RecordBatch] = []
    rows = size = 0
    whole = True
    for batch in table.batches():
        if rows >= most or size >= _SAMPLE_BYTES:
            whole = whole and not batch.num_rows
            break
        kept = batch.slice(0, most - rows)
        whole = whole and kept.num_rows == batch.num_rows
        batches.append(kept)
        rows, size = rows + kept.num_rows, size + kept.nbytes
    if not batches:
        return table, True
    types = {column.name: column.type for column in table.schema.columns}
    return Table.from_arrow(table.name, pa.Table.from_batches(batches), types), whole
