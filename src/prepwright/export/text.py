"""The workflow as a list that reads well: number, operator, what it does, and why."""

from prepwright.export import steps
from prepwright.export.escaping import one_line
from prepwright.workflow import Run, Workflow


def text(workflow: Workflow, run: Run | None = None) -> str:
    """Return one line for each step, and one for why it is there; with rows after a run."""
    rows = {facts.id: facts for facts in run.steps} if run else {}
    lines: list[str] = []
    if workflow.request:
        lines += [f"request: {one_line(workflow.request)}", ""]
    wide = len(str(len(workflow.steps)))
    for number, step in steps.numbered(workflow):
        reads = f" ← {steps.sources(step)}" if step.sources() else ""
        facts = rows.get(step.id)
        if facts and facts.rows_in:
            count = f"   {' + '.join(f'{n:,}' for n in facts.rows_in)} → {facts.rows:,} rows"
        else:
            count = f"   {facts.rows:,} rows" if facts else ""
        lines.append(f"{number:>{wide}} {step.operator:<9} {step.id}{reads}{count}")
        lines.append(f"{'':>{wide}}           {steps.what(step)}")
        if step.why:
            lines.append(f"{'':>{wide}}           why: {one_line(step.why)}")
    return "\n".join(lines) + "\n"
