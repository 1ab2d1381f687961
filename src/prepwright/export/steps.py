"""Steps in plain words: what each one does, from its settings alone."""

from collections.abc import Callable
from typing import Any

from prepwright.export.escaping import one_line
from prepwright.workflow import Operator, Workflow

_SHOWN = 4


def what(step: Operator) -> str:
    """Return what a step does, in one line."""
    write = _WORDS.get(step.operator)
    said = write(step) if write else step.operator
    return f"switched off: {said}" if step.off else said


def sources(step: Operator) -> str:
    """Return the ids of the steps that a step reads."""
    return ", ".join(step.sources())


def numbered(workflow: Workflow) -> list[tuple[int, Operator]]:
    """Return the steps with their numbers."""
    return list(enumerate(workflow.steps, 1))


def _few(items: Any, most: int = _SHOWN) -> str:
    names = [str(item) for item in items]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return one_line(", ".join(names[:most])) + more


def _input(step: Any) -> str:
    names = [column.name for column in step.columns]
    return f"read table {step.table}" + (f": {_few(names, 8)}" if names else "")


def _project(step: Any) -> str:
    made = [item for item in step.columns if not isinstance(item, str)]
    kept = [item for item in step.columns if isinstance(item, str)]
    parts: list[str] = []
    if step.rename:
        parts.append(f"rename {_few(f'{old} → {new}' for old, new in step.rename.items())}")
    if made:
        values = _few((f"{one.name} = {one_line(one.value, 100)}" for one in made), 3)
        parts.append(f"compute {values}")
    if step.drop:
        parts.append(f"leave out {_few(step.drop)}")
    if not step.others:
        names = [item if isinstance(item, str) else item.name for item in step.columns]
        parts.append(f"keep only {_few(names, 8)}")
    elif kept:
        parts.append(f"keep {_few(kept)}")
    return "; ".join(parts) or "pass the columns on"


def _filter(step: Any) -> str:
    return f"keep rows where {one_line(step.where, 160)}"


def _join(step: Any) -> str:
    keys = [key if isinstance(key, str) else f"{key.left} = {key.right}" for key in step.on]
    on = f" on {_few(keys)}" if keys else ""
    where = f" where {one_line(step.where, 100)}" if step.where else ""
    return f"{step.how} join of {step.left} with {step.right}{on}{where}"


def _union(step: Any) -> str:
    unique = ", each different row once" if step.distinct else ""
    return f"rows of {_few(step.inputs)} below each other, by {step.by}{unique}"


def _aggregate(step: Any) -> str:
    values = _few((f"{one.name} = {one_line(one.value, 100)}" for one in step.columns), 3)
    return f"{values} for {'each ' + _few(step.by) if step.by else 'all rows'}"


def _sort(step: Any) -> str:
    order = f"sort by {_few(step.order)}" if step.order else "keep the order"
    limit = f", the first {step.limit}" if step.limit is not None else ""
    return order + limit + (f" of each {_few(step.per)}" if limit and step.per else "")


def _pivot(step: Any) -> str:
    if step.direction == "longer":
        turned = f"all but {_few(step.keep)}" if step.keep else _few(step.columns)
        return f"turn the columns {turned} into rows of {step.names} and {step.values}"
    values = _few(one.value for one in step.values) if isinstance(step.values, tuple) else ""
    return f"turn the values of {step.names} into columns holding {values} for each {_few(step.by)}"


def _dedup(step: Any) -> str:
    key = _few(step.key) if step.key else "whole row"
    if step.keep == "none":
        return f"keep rows whose {key} occurs once"
    order = f", first by {_few(step.order)}" if step.order else ""
    return f"keep the {step.keep} row of each {key}{order}"


def _output(step: Any) -> str:
    return f"write {step.name}" + (f" with {_few(step.columns, 8)}" if step.columns else "")


def _script(step: Any) -> str:
    return f"run {len(step.code.splitlines())} lines of Python (refused until there is a sandbox)"


_WORDS: dict[str, Callable[[Any], str]] = {
    "input": _input, "project": _project, "filter": _filter, "join": _join, "union": _union,
    "aggregate": _aggregate, "sort": _sort, "pivot": _pivot, "dedup": _dedup, "output": _output,
    "script": _script,
}  # fmt: skip
