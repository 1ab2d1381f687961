"""prepwright validate: every fault of a workflow at once, without running it."""

from pathlib import Path

import click

from prepwright import engines
from prepwright.cli import screen
from prepwright.cli.options import as_json
from prepwright.preparing.folder import WORKFLOW
from prepwright.preparing.inputs import bindings
from prepwright.preparing.repeat import load_workflow
from prepwright.reading import read
from prepwright.workflow import validate
from prepwright.workflow.operators.input import Input


@click.command("validate", short_help="Find every fault of a workflow without running it.")
@click.argument("workflow", type=click.Path(path_type=Path))
@click.option(
    "--input", "inputs", multiple=True, metavar="NAME=FILE", help="Check against a file's columns."
)
@as_json
def command(workflow: Path, inputs: tuple[str, ...], json: bool) -> None:
    """Find every fault of WORKFLOW. Status 0: none; 2: those that are printed.

    \b
    Example:
      prepwright validate workflow.json --input orders=may.csv
    """  # noqa: D301 - click wants the mark itself
    made = load_workflow(workflow / WORKFLOW if workflow.is_dir() else workflow)
    options = {step.table: step.reading for step in made.steps if isinstance(step, Input)}
    schemas = {
        name: read(path, name=name, options=options.get(name)).schema
        for name, path in bindings(inputs).items()
    }
    with engines.opened() as engine:
        validate(made, schemas, engine)
    if json:
        screen.dumped({"status": "done", "steps": len(made.steps), "faults": []})
    else:
        click.echo(f"{screen.counted(len(made.steps), 'step')}, no fault")
