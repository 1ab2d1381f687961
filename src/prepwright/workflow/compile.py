"""Compile: from steps to one SELECT each, and to one WITH statement for a whole result."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from sqlglot import exp

from prepwright.engines import Engine
from prepwright.errors import WorkflowError
from prepwright.tables import RESERVED, ROW, Column, Schema
from prepwright.workflow.model import Workflow
from prepwright.workflow.operator import Compiled, Key, Operator, Relation, column
from prepwright.workflow.operators.input import Input


@dataclass
class Compilation:
    """The steps compiled so far: their SELECTs and what later steps see of them.

    `waiting` steps, and those behind them, have names that only the data can say.
    """

    engine: Engine
    queries: dict[str, exp.Query] = field(default_factory=dict[str, exp.Query])
    relations: dict[str, Relation] = field(default_factory=dict[str, Relation])
    waiting: set[str] = field(default_factory=set[str])

    def describe(self, query: exp.Query) -> Schema:
        """Return the columns of a query over the steps compiled so far."""
        read = {table.name for table in query.find_all(exp.Table)}
        given = {
            name: Schema((*relation.schema.columns, *relation.hidden.columns))
            for relation in self.relations.values()
            if (name := relation.name) in read
        }
        return self.engine.describe(query, given)

    def relation(self, step: Operator, compiled: Compiled) -> Relation:
        """Add a step's SELECT and return what later steps see of it."""
        described = self.describe(compiled.query)
        visible = tuple(c for c in described.columns if not c.name.startswith(RESERVED))
        hidden = tuple(c for c in described.columns if c.name.startswith(RESERVED))
        return self.add(
            step, compiled, Relation(step.id, Schema(visible), compiled.order, Schema(hidden))
        )

    def add(self, step: Operator, compiled: Compiled, relation: Relation) -> Relation:
        """Add a compiled step under its id."""
        made = replace(relation, describe=self.describe)
        self.queries[step.id] = compiled.query
        self.relations[step.id] = made
        return made

    def pass_through(self, step: Operator, source: Relation) -> Relation:
        """Add a step that is switched off: it is its own input."""
        query = exp.select(*source.columns(), *source.helpers()).from_(source.table(), copy=False)
        return self.add(step, Compiled(query, source.order), replace(source, name=step.id))


def loaded(step: Input, schema: Schema, describe: Compilation) -> Relation:
    """Return the relation of a table as the engine loads it, before the input step."""
    row = Schema((Column(ROW, "BIGINT"),))
    made = Relation(loaded_name(step), schema, (Key(ROW),), row, describe=describe.describe)
    describe.relations[made.name] = made
    return made


def loaded_name(step: Input) -> str:
    """Return the name under which the engine keeps the loaded table of an input step."""
    return f"{RESERVED}in_{step.id}"


def sorted_steps(workflow: Workflow) -> list[Operator]:
    """Return the steps so that each comes after those it reads.

    Raises: `WorkflowError` when steps read each other in a circle, or a step that is not there.
    """
    by_id = {step.id: step for step in workflow.steps}
    done: dict[str, Operator] = {}
    path: dict[str, None] = {}
    stack: list[tuple[str, bool]] = [(step.id, False) for step in reversed(workflow.steps)]
    while stack:
        step_id, left = stack.pop()
        if left:
            path.pop(step_id, None)
            done.setdefault(step_id, by_id[step_id])
            continue
        if step_id in done:
            continue
        if step_id in path:
            circle = [*path][[*path].index(step_id) :]
            raise WorkflowError(
                "steps read each other in a circle",
                where=f"step {step_id} {by_id[step_id].operator}",
                found=" → ".join([*circle, step_id]),
                fix="let one of them read another step",
            )
        path[step_id] = None
        stack.append((step_id, True))
        stack.extend(
            (source, False) for source in reversed(by_id[step_id].sources()) if source in by_id
        )
    return list(done.values())


def ancestors(workflow: Workflow, targets: Iterable[str]) -> set[str]:
    """Return the ids of the targets and of every step they rest on."""
    by_id = {step.id: step for step in workflow.steps}
    found: set[str] = set()
    waiting = list(targets)
    while waiting:
        step_id = waiting.pop()
        if step_id not in found and step_id in by_id:
            found.add(step_id)
            waiting.extend(by_id[step_id].sources())
    return found


def chain(queries: Mapping[str, exp.Query], target: str, kept: Iterable[str] = ()) -> exp.Query:
    """Return the query of `target` with the steps it rests on as named CTEs before it.

    `kept` names steps whose results the engine has as tables.
    """
    stop = set(kept)
    needed: list[str] = []
    seen: set[str] = set()

    def visit(name: str) -> None:
        for table in queries[name].find_all(exp.Table):
            if table.name in queries and table.name not in stop and table.name not in seen:
                seen.add(table.name)
                visit(table.name)
                needed.append(table.name)

    visit(target)
    query = queries[target].copy()
    for name in needed:
        query = query.with_(
            exp.to_identifier(name, quoted=True), as_=queries[name].copy(), copy=False
        )
    return query


RESULT = "result"
"""The name of the sub-query that `in_order` selects from."""


def in_order(query: exp.Query, relation: Relation, *, limit: int | None = None) -> exp.Select:
    """Return the visible columns of a query, rows in their order."""
    ctes = query.args.get("with_")
    inner = query.copy()
    inner.set("with_", None)
    shown = [column(name) for name in relation.schema.names]
    # wide tables make large trees: none of them is copied again
    outer = exp.select(*shown).from_(inner.subquery(RESULT, copy=False), copy=False)
    if relation.order:
        outer = outer.order_by(*relation.ordering(), copy=False)
    if ctes is not None:
        outer.set("with_", ctes.copy())
    return outer.limit(limit, copy=False) if limit is not None else outer
