"""The workflow as a Mermaid diagram: one node for each step, one arrow for each table read."""

from prepwright.export import steps
from prepwright.export.escaping import mermaid as escaped
from prepwright.workflow import Operator, Run, Workflow

_SHAPES = {"input": ("[(", ")]"), "output": ("[/", "/]"), "filter": ("{{", "}}")}


def mermaid(workflow: Workflow, run: Run | None = None) -> str:
    """Return a flowchart; after a run its nodes show rows."""
    rows = {facts.id: facts.rows for facts in run.steps} if run else {}
    names = {step.id: f"s{number}" for number, step in steps.numbered(workflow)}
    lines = ["flowchart TD"]
    for number, step in steps.numbered(workflow):
        lines.append(f"  {names[step.id]}{_node(number, step, rows.get(step.id))}")
    for step in workflow.steps:
        for source in step.sources():
            label = f"|{rows[source]:,} rows|" if source in rows else ""
            if source in names:
                lines.append(f"  {names[source]} -->{label} {names[step.id]}")
    off = [names[step.id] for step in workflow.steps if step.off]
    if off:
        lines += [
            "  classDef off stroke-dasharray: 4 4,opacity:0.5",
            f"  class {','.join(off)} off",
        ]
    return "\n".join(lines) + "\n"


def _node(number: int, step: Operator, rows: int | None) -> str:
    opening, closing = _SHAPES.get(step.operator, ("[", "]"))
    count = f"<br/>{rows:,} rows" if rows is not None else ""
    head = escaped(f"{number} {step.operator} {step.id}", 80)
    return f'{opening}"{head}<br/>{escaped(steps.what(step))}{count}"{closing}'
