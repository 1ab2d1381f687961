"""prepwright validate: every fault of a workflow at once, without running it."""

from pathlib import Path

import click

from prepwright import engines
from prepwright.cli import screen
from prepwright.cli.options import as_json
from prepwright.errors import WorkflowError
from prepwright.preparing.folder import WORKFLOW
from prepwright.preparing.inputs import bindings
from prepwright.preparing.repeat import workflow_text
from prepwright.reading import read
from prepwright.workflow import Workflow
from prepwright.workflow.operators.input import Input
from prepwright.workflow.validation import faults_of


@click.command("validate", short_help="Find every fault of a workflow without running it.")
@click.argument("workflow", type=click.Path(path_type=Path))
@click.option(
    "--input", "inputs", multiple=True, metavar="NAME=FILE", help="Check against a file's columns."
)
@as_json
def command(workflow: Path, inputs: tuple[str, ...], json: bool) -> None:
    """Find every fault of WORKFLOW. Status 0: none; 2: those that are printed.

    Of a table without --input, and without columns in the workflow, any column may be there.

    \b
    Example:
      prepwright validate workflow.json --input orders=may.csv
    """  # noqa: D301 - click wants the mark itself
    path = workflow / WORKFLOW if workflow.is_dir() else workflow
    made, faults, absent = Workflow.sound_part(workflow_text(path), where=str(path))
    reading = [step for step in made.steps if isinstance(step, Input)] if made else []
    options = {step.table: step.reading for step in reading}
    schemas = {
        name: read(file, name=name, options=options.get(name)).schema
        for name, file in bindings(inputs).items()
    }
    if made:
        with engines.opened() as engine:
            faults += faults_of(made, schemas, engine, absent=absent)[0]
    if faults or made is None:
        first = faults[0]
        raise WorkflowError(
            first.what, where=first.where, found=first.found, fix=first.fix, faults=faults
        )
    unseen = [one.table for one in reading if one.table not in schemas and not one.declared()]
    if json:
        steps = len(made.steps)
        screen.dumped({"status": "done", "steps": steps, "faults": [], "unseen": unseen})
        return
    click.echo(f"{screen.counted(len(made.steps), 'step')}, no fault")
    for name in unseen:
        click.echo(f"the columns of {name} were not looked at: give --input {name}=FILE")
