"""Validation: find every fault of a workflow before it is run, without reading data rows."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from sqlglot import exp

from prepwright.engines import Engine, QueryFailed
from prepwright.errors import PrepwrightError, WorkflowError, closest, listed
from prepwright.tables import AnyColumns, Column, Schema
from prepwright.workflow.compile import Compilation, loaded, sorted_steps
from prepwright.workflow.expressions import checking
from prepwright.workflow.expressions.canonical import canonical
from prepwright.workflow.model import Workflow
from prepwright.workflow.operator import Compiled, Key, Operator, Relation, column, named
from prepwright.workflow.operators.filter import Filter
from prepwright.workflow.operators.input import Input
from prepwright.workflow.operators.output import Output
from prepwright.workflow.operators.script import Script


def validate(
    workflow: Workflow, schemas: Mapping[str, Schema], engine: Engine, *, execute: bool = False
) -> Compilation:
    """Check a workflow against the columns of its inputs and return it compiled.

    `schemas` maps table names to their columns; an input that is absent there is checked against
    the columns that its step states. With `execute`, steps that cannot be executed are faults too.
    Steps after a pivot whose names only the data can say stay uncompiled.
    Raises: `WorkflowError` with every fault.
    """
    faults = [*_tables(workflow, schemas)]
    found, compilation = faults_of(workflow, schemas, engine, execute=execute)
    faults += found
    if faults:
        first = faults[0]
        raise WorkflowError(
            first.what, where=first.where, found=first.found, fix=first.fix, faults=faults
        )
    return compilation


def faults_of(
    workflow: Workflow,
    schemas: Mapping[str, Schema],
    engine: Engine,
    *,
    execute: bool = False,
    absent: Collection[str] = (),
) -> tuple[list[WorkflowError], Compilation]:
    """Return every fault that can be known of a workflow, and what could be compiled.

    Of tables that nobody gave, and of steps behind a circle or a step in `absent`, any column may
    be there. `absent` names steps that are part of the workflow and malformed.
    """
    faults = list(_structure(workflow, execute=execute, absent=absent))
    compilation = Compilation(engine)
    faults += _steps(workflow, schemas, compilation)
    return faults, compilation


def _structure(
    workflow: Workflow, *, execute: bool, absent: Collection[str]
) -> Iterator[WorkflowError]:
    ids = [step.id for step in workflow.steps]
    for name, count in Counter(name.casefold() for name in ids).items():
        if count > 1:
            yield WorkflowError(
                f"{count} steps are called {name!r}",
                where="workflow",
                found=listed(ids),
                fix="give each step an id of its own",
            )
    for step in workflow.steps:
        for source in step.sources():
            if source not in ids and source not in absent:
                guess = closest(source, ids)
                fix = f"did you mean {guess!r}?" if guess else "name a step that is there"
                yield step.fault(f"reads {source!r}, which is no step", found=listed(ids), fix=fix)
        if step.off and len(step.sources()) != 1:
            yield step.fault(
                "cannot be switched off",
                found=f"{len(step.sources())} inputs",
                fix="only a step with one input can pass it through",
            )
        if execute and isinstance(step, Script) and not step.off:
            yield step.fault(
                "cannot be executed: generated code runs only inside the sandbox",
                found="this version has no sandbox",
                fix="express the step with other operators, or switch it off",
            )
    yield from _names(workflow)
    yield from _uses(workflow, complete=not absent)
    try:
        sorted_steps(workflow)
    except WorkflowError as fault:
        yield fault


def _names(workflow: Workflow) -> Iterator[WorkflowError]:
    taken: dict[str, str] = {}
    for step in workflow.steps:
        if isinstance(step, Output):
            first = taken.setdefault(step.name.casefold(), step.id)
            if first != step.id:
                yield step.fault(
                    f"writes {step.name!r}, which {first!r} writes too",
                    found="one name for two outputs",
                    fix="rename one of them",
                )


def _uses(workflow: Workflow, *, complete: bool) -> Iterator[WorkflowError]:
    read = {source for step in workflow.steps for source in step.sources()}
    outputs = [step for step in workflow.steps if isinstance(step, Output)]
    if not outputs and complete:
        yield WorkflowError(
            "the workflow has no output",
            where="workflow",
            found=f"{len(workflow.steps)} steps",
            fix="add an output step",
        )
        return
    for step in workflow.steps:
        if complete and step.id not in read and not isinstance(step, Output):
            yield step.fault(
                "no step reads it",
                found="a step that ends nowhere",
                fix="let an output read it, or remove it",
            )
        if isinstance(step, Output) and step.id in read:
            yield step.fault(
                "is read by another step",
                found="an output in the middle",
                fix=f"read {step.input!r} instead",
            )


def _tables(workflow: Workflow, schemas: Mapping[str, Schema]) -> Iterator[WorkflowError]:
    for step in workflow.steps:
        if isinstance(step, Input) and step.table not in schemas and step.declared() is None:
            guess = closest(step.table, list(schemas))
            fix = f"did you mean {guess!r}? Or give " if guess else "give "
            yield step.fault(
                f"no table {step.table!r}",
                found=listed(schemas),
                fix=f"{fix}--input {step.table}=FILE",
            )


def _steps(
    workflow: Workflow, schemas: Mapping[str, Schema], compilation: Compilation
) -> list[WorkflowError]:
    faults: list[WorkflowError] = []
    for step in _in_order(workflow):
        relations, waiting = compilation.relations, compilation.waiting
        if isinstance(step, Input):
            schema = schemas.get(step.table) or step.declared()
            sources = [loaded(step, schema, compilation) if schema else _unknown(step.table)]
        elif waiting.intersection(step.sources()):
            # what only the data can say is checked when it has been said
            waiting.add(step.id)
            continue
        else:
            sources = [relations.get(source) or _unknown(source) for source in step.sources()]
        faults += compile_step(step, sources, compilation)
    return faults


def _in_order(workflow: Workflow) -> list[Operator]:
    """Return the steps, each after those it reads; those on a circle, and behind it, last."""
    try:
        return sorted_steps(workflow)
    except WorkflowError:
        pass
    known: dict[str, Operator] = {}
    rest = list(workflow.steps)
    while ready := [step for step in rest if known.keys() >= {*step.sources()}]:
        known.update((step.id, step) for step in ready)
        rest = [step for step in rest if step not in ready]
    return [*known.values(), *rest]


def _unknown(name: str) -> Relation:
    """Return a table of which nothing is known."""
    placeholder = f"a column of {name}"
    return Relation(name, AnyColumns((Column(placeholder, ""),)), (Key(placeholder),), typed=False)


def compile_step(
    step: Operator, sources: list[Relation], compilation: Compilation
) -> list[WorkflowError]:
    """Check one step, add it to the compilation, and return its faults.

    A step whose columns only the data can say is left out, with no fault.
    """
    if step.off and not isinstance(step, Input):
        compilation.pass_through(step, sources[0])
        return []
    faults = list(step.check(*sources))
    if any(isinstance(source.schema, AnyColumns) for source in sources):
        compilation.relations[step.id] = _unknown(step.id)
        return faults
    typed = all(source.typed for source in sources)
    if not faults and typed and step.unsettled(*sources) is not None:
        compilation.waiting.add(step.id)
        return []
    if not faults and typed and not isinstance(step, Script):
        faults += _typed_faults(step, sources, compilation)
        if not faults:
            return []
    _add_untyped(step, sources, compilation)
    return faults


def _typed_faults(
    step: Operator, sources: list[Relation], compilation: Compilation
) -> list[WorkflowError]:
    try:
        compiled = step.query(*sources)
        faults = list(_literal_faults(step, compiled.query, sources, compilation))
        faults += _condition_faults(step, sources)
        if not faults:
            compilation.relation(step, compiled)
        return faults
    except QueryFailed as failure:
        return [_bound(step, failure)]
    except PrepwrightError as error:
        if isinstance(error, WorkflowError):
            return [error]
        raise


def _bound(step: Operator, failure: QueryFailed) -> WorkflowError:
    reason = failure.reason.removeprefix("Binder Error: ").split(" LINE ")[0]
    if "must appear in the GROUP BY" in reason:
        return step.fault(
            reason.split(" must appear")[0] + " has several values in a group",
            found="a column that is neither in by nor inside an aggregate",
            fix="add it to by, or say which value: first(…), max(…), string_agg(…)",
        )
    what, _, _ = reason.partition(". You might need to add explicit type casts")
    what = what.split(" Candidate functions")[0].rstrip(".")
    fix = (
        "CAST one of the values so that the types fit, or parse_number / parse_date the text first"
    )
    return step.fault(what[:300], found="types that do not fit together", fix=fix)


def _condition_faults(step: Operator, sources: list[Relation]) -> list[WorkflowError]:
    if not isinstance(step, Filter):
        return []
    tree = canonical(step.where, {"": sources[0]})
    kind = sources[0].type_of(tree)[0]
    if kind in ("BOOLEAN", ""):
        return []
    return [
        step.fault(
            "the condition is not true or false",
            found=f"a value of type {kind}",
            fix="compare it with something, such as amount > 0",
        )
    ]


def _literal_faults(
    step: Operator, query: exp.Query, sources: list[Relation], compilation: Compilation
) -> Iterator[WorkflowError]:
    """Yield a fault for each text literal that cannot be read as the type it is wanted as."""
    pairs: list[tuple[str, str, str]] = []
    for found, literal in checking.literal_pairs(query):
        side = sources[1:] if found.table == "right" else sources
        known = next((s.schema.find(found.name) for s in side if found.name in s.schema), None)
        if known and known.type not in ("VARCHAR", "") and not known.type.endswith("[]"):
            pairs.append((found.name, known.type, literal.name))
    pairs += [("", kind, text) for kind, text in checking.cast_literals(query)]
    for name, kind, text in dict.fromkeys(pairs):
        value = exp.TryCast(
            this=exp.Literal.string(text), to=exp.DataType.build(kind, dialect="duckdb"), safe=True
        )
        bad = exp.select(named(exp.Is(this=value, expression=exp.Null()), "bad"))
        if not compilation.engine.fetch(bad).column(0)[0].as_py():
            continue
        if name:
            yield step.fault(
                f"column {name!r} is compared with {text!r}",
                found=f"{name!r} has type {kind}, which {text!r} cannot be read as",
                fix=f"write a value of type {kind}, or CAST the column to VARCHAR",
            )
        else:
            yield step.fault(
                f"{text!r} is no {kind}",
                found="a constant that can never be read",
                fix=f"write a value of type {kind}, such as a date as 2024-12-31",
            )


def _add_untyped(step: Operator, sources: list[Relation], compilation: Compilation) -> None:
    """Add a faulty step by its names alone, so that later steps can be checked for theirs."""
    try:
        names = step.output_names(*sources)
    except (IndexError, KeyError):
        return
    unique = dict.fromkeys(name for name in names if name)
    schema = Schema(tuple(Column(name, "") for name in unique))
    query = exp.select(*[column(name) for name in unique])
    relation = Relation(step.id, schema, (Key(next(iter(unique), "x")),), typed=False)
    compilation.add(step, Compiled(query, relation.order), relation)
