"""prepwright run: a workflow again, on files that are named or from a folder of results alone."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from prepwright.cli import machine, screen
from prepwright.cli.options import as_json, engine_options
from prepwright.export import one_line
from prepwright.preparing import means_of
from prepwright.preparing.folder import OWN, Written
from prepwright.preparing.inputs import bindings, overrides
from prepwright.preparing.repeat import Repeat, again, changed_outputs, repeat_from


@click.command("run", short_help="Run a workflow again, on the same files or on others.")
@click.argument("workflow", type=click.Path(path_type=Path))
@click.option("--input", "inputs", multiple=True, metavar="NAME=FILE", help="The file of a table.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path),
    help="Folder of results; that of WORKFLOW when it is a folder.",
)  # fmt: skip
@click.option(
    "--reading", multiple=True, metavar="TABLE.OPTION=VALUE", help="Read a file otherwise."
)
@engine_options
@as_json
def command(workflow: Path, inputs: tuple[str, ...], out: Path | None, **options: Any) -> None:
    """Run WORKFLOW: a workflow file with its inputs, or a folder of results as it is.

    A folder of results is enough to repeat its run; what has changed since then is said.

    \b
    Examples:
      prepwright run workflow.json --input orders=may.csv -o may/
      prepwright run out/
    """  # noqa: D301 - click wants the mark itself
    begun = time.perf_counter()
    if out is None:
        if not workflow.is_dir():
            raise click.UsageError("Missing option '-o' / '--out'.")
        out = workflow
    repeat = repeat_from(workflow, bindings(inputs))
    means = means_of(options["engine"], options["memory"], options["threads"])
    with screen.progress() as listen:
        means = replace(means, progress=listen)
        written = again(repeat, out, means, overrides(options["reading"]))
    said = _said(repeat, written, time.perf_counter() - begun)
    if options["json"]:
        screen.dumped(said)
    else:
        _show(said, written)


def _said(repeat: Repeat, written: Written, seconds: float) -> dict[str, Any]:
    return {
        "status": "done",
        **machine.written(written),
        "drift": list(written.account.drift),
        "changed_outputs": changed_outputs(repeat, written) if repeat.record else None,
        "seconds": round(seconds, 3),
    }  # fmt: skip


def _show(said: dict[str, Any], written: Written) -> None:
    show = screen.console()
    for line in said["drift"]:
        show.print(f"Changed   {one_line(line)}", soft_wrap=True)
    screen.results(show, written.out, written.run)
    changed = said["changed_outputs"]
    if changed is not None:
        same = len(said["outputs"]) - len(changed)
        line = f"{screen.counted(same, 'output')} to the byte as recorded"
        show.print(line + (f"; changed: {one_line(', '.join(changed))}" if changed else ""))
    listed = " · ".join(OWN)
    show.print(f"Also in {written.out}/: {listed}   {said['seconds']:.1f} s", soft_wrap=True)
