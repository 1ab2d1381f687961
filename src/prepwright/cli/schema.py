"""prepwright schema: what a workflow file may hold, and the functions of its expressions."""

import click

from prepwright.cli import screen
from prepwright.cli.options import as_json
from prepwright.functions import FUNCTIONS, MACROS
from prepwright.workflow import Workflow


@click.command("schema", short_help="Print the JSON Schema of workflows, or the functions.")
@click.option("--functions", is_flag=True, help="List functions and macros with their signatures.")
@as_json
def command(functions: bool, json: bool) -> None:
    """Print the JSON Schema of workflow files, or the functions that expressions may call.

    \b
    Example:
      prepwright schema > workflow.schema.json
    """  # noqa: D301 - click wants the mark itself
    if not functions:
        screen.dumped(Workflow.json_schema())
        return
    macros = {macro.signature: macro.says for macro in MACROS.values()}
    if json:
        screen.dumped({"macros": macros, "functions": sorted(FUNCTIONS)})
        return
    click.echo("Macros, the same on every engine:")
    for signature, says in macros.items():
        click.echo(f"  {signature}\n      {says}")
    click.echo("\nFunctions, as DuckDB documents them:")
    click.echo(click.wrap_text("  ".join(sorted(FUNCTIONS)), 96, "  ", "  "))
