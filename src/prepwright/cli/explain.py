"""prepwright explain: a workflow as a list of steps, a diagram, or data."""

from pathlib import Path
from typing import Any

import click

from prepwright.cli import screen
from prepwright.cli.options import as_json
from prepwright.export import steps
from prepwright.export.mermaid import mermaid
from prepwright.export.text import text
from prepwright.preparing.folder import WORKFLOW
from prepwright.preparing.inputs import bindings, bound
from prepwright.preparing.repeat import load_workflow
from prepwright.workflow import Run, Workflow


@click.command("explain", short_help="Show what a workflow does, step by step.")
@click.argument("workflow", type=click.Path(path_type=Path))
@click.option(
    "--format", "form", type=click.Choice(["all", "text", "mermaid", "json"]), default="all",
    show_default=True, help="List of steps, Mermaid diagram, both, or JSON.",
)  # fmt: skip
@click.option(
    "--input", "inputs", multiple=True, metavar="NAME=FILE", help="Run it on files to show rows."
)
@as_json
def command(workflow: Path, form: str, inputs: tuple[str, ...], json: bool) -> None:
    """Show what WORKFLOW (a file, or a folder of results) does; only --input executes it.

    \b
    Example:
      prepwright explain out/workflow.json --format mermaid
    """  # noqa: D301 - click wants the mark itself
    made = load_workflow(workflow / WORKFLOW if workflow.is_dir() else workflow)
    done = _run(made, inputs) if inputs else None
    if json or form == "json":
        screen.dumped(_data(made, done))
        return
    parts = {"text": text, "mermaid": mermaid}
    wanted = parts if form == "all" else {form: parts[form]}
    click.echo("\n".join(write(made, done) for write in wanted.values()), nl=False)


def _run(workflow: Workflow, inputs: tuple[str, ...]) -> Run:
    from prepwright.preparing.folder import Means, run_in_memory

    return run_in_memory(workflow, bound(workflow, bindings(inputs)), Means())


def _data(workflow: Workflow, done: Run | None) -> dict[str, Any]:
    rows = {facts.id: facts.rows for facts in done.steps} if done else {}
    return {
        "request": workflow.request,
        "steps": [
            {
                "number": number, "id": step.id, "operator": step.operator,
                "reads": list(step.sources()), "what": steps.what(step), "why": step.why,
                "off": step.off, "rows": rows.get(step.id),
            }
            for number, step in steps.numbered(workflow)
        ],
        "mermaid": mermaid(workflow, done),
    }  # fmt: skip
