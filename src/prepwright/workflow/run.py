"""Run: execute a workflow step by step, and tell what every step did."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
from sqlglot import exp

from prepwright.engines import Engine, QueryFailed
from prepwright.errors import WorkflowError
from prepwright.tables import RESERVED, ROW, Rows, Schema, Table
from prepwright.workflow import writing
from prepwright.workflow.compile import (
    Compilation,
    ancestors,
    chain,
    in_order,
    loaded_name,
    sorted_steps,
)  # fmt: skip
from prepwright.workflow.model import Workflow
from prepwright.workflow.operator import Fact, Operator, Relation, column
from prepwright.workflow.operators.input import Input
from prepwright.workflow.operators.output import Output
from prepwright.workflow.report import Progress, Run, Settings, StepFacts
from prepwright.workflow.validation import compile_step, validate


def run(
    workflow: Workflow,
    tables: Mapping[str, Table],
    engine: Engine,
    *,
    staging: Path,
    in_memory: bool = False,
    settings: Settings | None = None,
) -> Run:
    """Execute a workflow over tables given by name.

    Outputs are written into the folder `staging`, or returned when `in_memory`. Whoever calls moves
    them to where they belong (`staged`).
    Raises: `WorkflowError` with every fault before anything runs; later with the step that failed.
    """
    begun = time.perf_counter()
    execution = _Execution(workflow, tables, engine, staging, in_memory, settings or Settings())
    execution.prepare()
    for step in execution.steps:
        execution.execute(step)
    facts = [execution.facts[step.id] for step in workflow.steps if step.id in execution.facts]
    return Run(
        workflow=execution.settled(),
        steps=tuple(facts),
        outputs=execution.outputs,
        rows=execution.written,
        seconds=time.perf_counter() - begun,
        engine=engine.name,
        version=engine.version,
    )


_FEW = 4
"""The rows that a step drops are few where at most one row in so many has a key that repeats."""

_HEAD = f"{RESERVED}head_"
_HEAD_ROWS = 50
"""Units: rows. So few are found by their row identity alone, before other columns are read."""


class _Execution:
    """The state of one run, from the loaded inputs to the written outputs."""

    def __init__(
        self, workflow: Workflow, tables: Mapping[str, Table], engine: Engine, staging: Path,
        in_memory: bool, settings: Settings,
    ) -> None:  # fmt: skip
        self.workflow, self.tables, self.engine = workflow, tables, engine
        self.staging, self.in_memory, self.settings = staging, in_memory, settings
        self.facts: dict[str, StepFacts] = {}
        self.outputs: dict[str, pa.Table] = {}
        self.written: dict[str, int] = {}
        self.kept: set[str] = set()
        self.aside: dict[str, tuple[str, ...]] = {}
        self.changed: dict[str, Operator] = {}
        self.compilation: Compilation
        self.steps: list[Operator] = []
        self.readers: dict[str, int] = {}
        self.offered: dict[str, Input] = {}
        self.scanned: list[Path] = []

    def prepare(self) -> None:
        """Check everything, load the inputs, and take the engine's access to files away."""
        schemas = {name: table.schema for name, table in self.tables.items()}
        missing = [
            s for s in self.workflow.steps if isinstance(s, Input) and s.table not in self.tables
        ]
        if missing:
            step = missing[0]
            raise WorkflowError(
                f"no table {step.table!r}",
                where=f"step {step.id} input",
                found=", ".join(map(repr, self.tables)) or "no tables",
                fix=f"give --input {step.table}=FILE",
            )
        self.compilation = validate(self.workflow, schemas, self.engine, execute=True)
        outputs = [step.id for step in self.workflow.steps if isinstance(step, Output)]
        wanted = ancestors(self.workflow, outputs)
        self.steps = [step for step in sorted_steps(self.workflow) if step.id in wanted]
        for step in self.steps:
            for source in step.sources():
                self.readers[source] = self.readers.get(source, 0) + 1
        for step in self.steps:
            if isinstance(step, Input):
                self._load(step)
        self.engine.seal(self.staging, self.scanned)

    def _load(self, step: Input) -> None:
        self._tell("load", step)
        begun = time.perf_counter()
        table = self.tables[step.table]
        wanted = self._read_columns(step, table.schema)
        if reader := self._only_reader(step):
            files = self.engine.offer(loaded_name(step), table, wanted)
            if files:
                self.offered[reader.id] = step
                self.scanned += files
                self._narrow(step, wanted)
                return
        rows = self.engine.load(loaded_name(step), table, wanted)
        self._narrow(step, wanted)
        self._record_input(step, rows, time.perf_counter() - begun)

    def _record_input(self, step: Input, rows: int, seconds: float) -> None:
        table = self.tables[step.table]
        batch = next(iter(table.batches()), None) if self.settings.page_rows else None
        page = batch.slice(0, self.settings.page_rows).to_pylist() if batch else []
        self._record(step, [], rows, table.schema, seconds, {}, page)

    def _only_reader(self, step: Input) -> Operator | None:
        """Return the one step that reads an input, if it can do so while the file is scanned.

        It makes one row of each, and its result is kept: the file is scanned once, and its rows
        stand in the result where they stand in the file.
        """
        readers = [reader for reader in self.steps if step.id in reader.sources()]
        if len(readers) != 1 or readers[0].id not in self.compilation.queries:
            return None
        reader, source = readers[0], self.compilation.relations[step.id]
        names = {name.casefold() for name in self.compilation.relations[reader.id].schema.names}
        if reader.off or not reader.keeps_own_table() or "rowid" in names:
            return None
        return reader if reader.row_wise(source) else None

    def _scan(self, step: Operator, sources: list[Relation]) -> int | None:
        """Compute a step while its input is scanned; return None where it had to be loaded."""
        source = self.offered.pop(step.id, None)
        if source is None:
            return None
        begun = time.perf_counter()
        try:
            rows = self._keep(step, sources, numbered=True)
            self._record_input(source, rows, 0.0)
            return rows
        except QueryFailed:
            # the scanner is strict where a careful reader need not be; or the step itself is wrong,
            # which then shows again
            table, name = self.tables[source.table], loaded_name(source)
            self.engine.drop(name)
            loaded = self.engine.load(name, table, self._read_columns(source, table.schema))
            self._record_input(source, loaded, time.perf_counter() - begun)
            return None

    def _read_columns(self, step: Input, schema: Schema) -> list[str]:
        """Return the columns of an input that any step reads; all where that is not known yet."""
        used: set[str] = set()
        for reader in self.steps:
            if step.id not in reader.sources():
                continue
            query = self.compilation.queries.get(reader.id)
            if query is None:
                return list(schema.names)
            used |= {found.name for found in query.find_all(exp.Column)}
        return [name for name in schema.names if name in used] or list(schema.names[:1])

    def _narrow(self, step: Input, wanted: list[str]) -> None:
        """Let the input step select only the columns that were loaded."""
        query, some = self.compilation.queries[step.id], set(wanted)
        kept = [
            item for item in query.expressions if item.name in some or item.name.startswith("__")
        ]
        narrowed = query.copy()
        narrowed.set("expressions", [item.copy() for item in kept])
        self.compilation.queries[step.id] = narrowed

    def execute(self, step: Operator) -> None:
        """Execute one step: forecast, compute, count, and let go of what is no longer needed."""
        if isinstance(step, Input):
            return
        self._tell("start", step)
        begun = time.perf_counter()
        try:
            self._execute(self._compiled(step), begun)
        except QueryFailed as failure:
            raise self._failed(step, failure) from None
        if step.id in self.kept or isinstance(step, Output):
            self._release(step)

    def _release(self, step: Operator) -> None:
        """Let go of what only this step reads; a fused step still reads through the next one."""
        for source in step.sources():
            self.readers[source] -= 1
            if self.readers[source]:
                continue
            before = self.workflow.step(source)
            if source in self.kept:
                self.engine.drop(source)
                self.kept.discard(source)
            elif isinstance(before, Input):
                self.engine.drop(loaded_name(before))
            else:
                for name in self.aside.pop(source, ()):
                    self.engine.drop(name)
                self._release(before)

    def _execute(self, step: Operator, begun: float) -> None:
        sources = [self.compilation.relations[source] for source in step.sources()]
        done = self._scan(step, sources)
        counts = [self.facts[source].rows for source in step.sources()]
        figures: dict[str, Any] = {}
        if not step.off:
            for fact in step.forecast(*sources):
                self._figure(fact, figures)
            if fault := step.judge(figures, counts):
                raise fault
        relation = self.compilation.relations[step.id]
        told = counts[0] if step.off else step.rows_told(figures, counts)
        if done is None:
            done = self._in_passes(step, sources, counts, figures)
        rows = done if done is not None else self._computed(step, sources, told)
        if self.settings.facts and not step.off and step.id not in self.aside:
            for fact in step.facts(relation, *sources):
                self._figure(fact, figures)
        page = self._page(step, relation, figures)
        seconds = time.perf_counter() - begun
        self._record(step, counts, rows, relation.schema, seconds, figures, page)

    def _computed(self, step: Operator, sources: list[Relation], told: int | None) -> int:
        """Write, keep or only count a step's rows, and return how many there are."""
        relation = self.compilation.relations[step.id]
        if isinstance(step, Output):
            return self._write(step, relation)
        if not step.off and self._worth_keeping(step, told):
            return self._keep(step, sources)
        if told is not None:
            return told
        count = exp.select(exp.Count(this=exp.Star())).from_(relation.table(), copy=False)
        return int(self._ask(count).column(0)[0].as_py())

    def _in_passes(
        self, step: Operator, sources: list[Relation], counts: list[int], figures: dict[str, Any]
    ) -> int | None:
        """Leave a few rows out of a large table that is at hand; return how many are left.

        None where there are many, or the table would have to be made anew for every look at it.
        """
        passes = step.passes(*sources)
        if (
            passes is None
            or counts[0] < self.settings.large
            or not all(map(self._at_hand, step.sources()))
        ):
            return None
        repeated, dropped = passes.names
        queries = dict(self.compilation.queries)
        queries[repeated], queries[dropped] = passes.repeated, passes.dropped
        self.engine.create(repeated, chain(queries, repeated, self.kept))
        number = exp.cast(exp.Sum(this=column("n")), "BIGINT")
        at_fault = self._ask(
            exp.select(number).from_(exp.to_identifier(repeated, quoted=True), copy=False)
        )
        rows = at_fault.column(0)[0].as_py() or 0
        if rows * _FEW > counts[0]:
            self.engine.drop(repeated)
            return None
        gone = self.engine.create(dropped, chain(queries, dropped, {*self.kept, repeated}))
        if self.settings.facts:
            for fact in passes.facts:
                self._figure(fact, figures)
        self.engine.drop(repeated)
        self.compilation.queries[step.id] = passes.query
        self.aside[step.id] = (dropped,)
        return counts[0] - gone

    def _at_hand(self, step_id: str) -> bool:
        """Tell whether a step can be read again at little cost: a table, with rows left out."""
        step = self.workflow.step(step_id)
        if step_id in self.kept or isinstance(step, Input):
            return True
        light = step.off or step_id in self.aside or not step.keeps_own_table()
        return light and all(map(self._at_hand, step.sources()))

    def _worth_keeping(self, step: Operator, rows: int | None) -> bool:
        """Tell whether to compute the result once, rather than anew for whoever asks for it."""
        if self.readers.get(step.id, 0) > 1 or (rows is None and step.keeps_own_table()):
            return True
        at_hand = {*self.kept, *(s.id for s in self.steps if isinstance(s, Input))}
        return rows is None and not at_hand.issuperset(step.sources())

    def _keep(self, step: Operator, sources: list[Relation], *, numbered: bool = False) -> int:
        queries = dict(self.compilation.queries)
        noted = step.noted(*sources) if self.settings.facts else []
        made = queries[step.id]
        if noted and isinstance(made, exp.Select):
            queries[step.id] = made.select(*noted)
        if numbered:
            made = queries[step.id] = queries[step.id].copy()
            made.set("expressions", [item for item in made.expressions if item.name != ROW])
        query = chain(queries, step.id, self.kept)
        rows = self.engine.create(step.id, query, numbered=numbered)
        self.kept.add(step.id)
        return rows

    def _write(self, step: Output, relation: Relation) -> int:
        query = in_order(chain(self.compilation.queries, step.id, self.kept), relation)
        if self.in_memory:
            self.outputs[step.name] = self.engine.fetch(query)
            self.written[step.name] = self.outputs[step.name].num_rows
        else:
            path = self.staging / step.name
            self.written[step.name] = writing.write(self.engine, query, relation, path, step.form)
        return self.written[step.name]

    def _compiled(self, step: Operator) -> Operator:
        """Compile a step that waited for names that only the data can say."""
        if step.id in self.compilation.queries:
            return step
        sources = [self.compilation.relations[source] for source in step.sources()]
        names = step.unsettled(*sources)
        if names is not None:
            step = step.settled(self._ask(names).to_pylist())
            self.changed[step.id] = step
        faults = compile_step(step, sources, self.compilation)
        if faults:
            raise WorkflowError(
                faults[0].what,
                where=faults[0].where,
                found=faults[0].found,
                fix=faults[0].fix,
                faults=faults,
            )
        return step

    def _ask(self, query: exp.Query) -> pa.Table:
        """Run a query over steps, kept or fused."""
        name = "__question"
        return self.engine.fetch(chain({**self.compilation.queries, name: query}, name, self.kept))

    def _figure(self, fact: Fact, figures: dict[str, Any]) -> None:
        if fact.when and not figures.get(fact.when):
            return
        rows = self._ask(fact.query).to_pylist()
        if fact.examples:
            figures[f"{fact.examples}_examples"] = rows
        elif rows:
            figures.update(rows[0])

    def _page(self, step: Operator, relation: Relation, figures: Mapping[str, Any]) -> Rows:
        limit = self.settings.page_rows
        if not limit:
            return []
        if step.id in self.kept:
            query: exp.Query = exp.select(*relation.columns(), *relation.helpers())
            query = query.from_(relation.table(), copy=False)
            return self.engine.fetch(in_order(query, relation, limit=limit)).to_pylist()
        if head := self._head(step, figures):
            page = self.engine.fetch(in_order(head, relation, limit=limit)).to_pylist()
            if len(page) == limit:
                return page
        query = chain(self.compilation.queries, step.id, self.kept)
        return self.engine.fetch(in_order(query, relation, limit=limit)).to_pylist()

    def _head(self, step: Operator, figures: Mapping[str, Any]) -> exp.Query | None:
        """Return a fused step's query over the first rows of the table that it rests on, or None.

        None where a step between looks at several rows, so that these do not tell its first ones.
        """
        path: list[Operator] = []
        while step.id not in self.kept and not isinstance(step, Input):
            sources = [self.compilation.relations[source] for source in step.sources()]
            told = self.facts[step.id].figures if path else figures
            if not (step.off or step.id in self.aside or step.local(told, *sources)):
                return None
            path.append(step)
            step = self.workflow.step(step.sources()[0])
        queries = dict(self.compilation.queries)
        name = f"{_HEAD}{step.id}"
        base = self.compilation.relations[step.id]
        first = exp.select(*map(column, queries[step.id].named_selects)).from_(
            base.table(), copy=False
        )
        queries[name] = first.order_by(*base.ordering()).limit(_HEAD_ROWS)
        for one in reversed(path):
            # under names of their own: another source may read the same steps whole
            made = queries[one.id].copy()
            read = made.args["from_"].this
            alias = exp.TableAlias(this=exp.to_identifier(read.alias_or_name, quoted=True))
            read.replace(exp.Table(this=exp.to_identifier(name, quoted=True), alias=alias))
            name = f"{_HEAD}{one.id}"
            queries[name] = made
        return chain(queries, name, self.kept)

    def _record(
        self, step: Operator, rows_in: list[int], rows: int, schema: Schema, seconds: float,
        figures: Mapping[str, Any], page: Rows,
    ) -> None:  # fmt: skip
        number = self.workflow.numbered(step.id)
        self.facts[step.id] = StepFacts(
            step.id,
            step.operator,
            number,
            tuple(rows_in),
            rows,
            schema.columns,
            seconds,
            figures,
            page,
        )
        self._tell("done", step, rows)

    def _tell(self, kind: Literal["load", "start", "done"], step: Operator, rows: int = 0) -> None:
        number, total = self.workflow.numbered(step.id), len(self.workflow.steps)
        self.settings.progress(Progress(kind, step.id, step.operator, number, total, rows))

    def _failed(self, step: Operator, failure: QueryFailed) -> WorkflowError:
        reason = failure.reason.partition(" LINE ")[0]
        kind, _, detail = reason.partition(": ")
        return WorkflowError(
            detail or kind,
            where=f"step {step.id} {step.operator}",
            found=kind if detail else "the engine refused the step",
            fix="use TRY_CAST or parse_number where values may not fit, or filter them first",
        )

    def settled(self) -> Workflow:
        """Return the workflow with the settings that the data decided."""
        steps = tuple(self.changed.get(step.id, step) for step in self.workflow.steps)
        return self.workflow.model_copy(update={"steps": steps})
