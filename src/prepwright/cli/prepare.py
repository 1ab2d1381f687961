"""prepwright prepare: a request and files in; tables, workflow, code and ledger out."""

import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from prepwright.asking import load_answers
from prepwright.cli import machine, questions, screen
from prepwright.cli.failures import OPEN, Told
from prepwright.cli.options import as_json, engine_options, pairs
from prepwright.errors import NotUnderstood, OpenQuestions
from prepwright.planner import Plan
from prepwright.preparing import means_of
from prepwright.preparing.folder import OWN, write_folder
from prepwright.preparing.inputs import gathered, overrides
from prepwright.preparing.job import Job, check_answered, check_understood, told
from prepwright.preparing.settling import Settled


@dataclass(frozen=True)
class Wish:
    """The options of one call. `said` collects what `--json` prints."""

    out: Path
    answers: dict[str, str]
    accept_defaults: bool
    partial: bool
    json: bool
    said: machine.Data = field(default_factory=machine.Data)

    @property
    def interactive(self) -> bool:
        """Whether there is somebody to ask."""
        silent = self.json or self.accept_defaults
        return not silent and sys.stdin.isatty() and sys.stdout.isatty()


@click.command("prepare", short_help="Turn files into the tables that a request asks for.")
@click.argument("request")
@click.argument("files", nargs=-1, required=True)
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), required=True, help="Folder of results."
)
@click.option("--answers", type=click.Path(path_type=Path), help="File of answers, JSON or TOML.")
@click.option("--answer", multiple=True, metavar="ID=OPTION", help="Answer one choice.")
@click.option(
    "--accept-defaults", is_flag=True, help="Ask nothing; take the default of each choice."
)
@click.option("--partial", is_flag=True, help="Do what is understood of the request.")
@click.option("--no-step", multiple=True, metavar="ID", help="Switch a step off.")
@click.option(
    "--reading", multiple=True, metavar="TABLE.OPTION=VALUE",
    help="Read a file otherwise, such as main_reg.header_line=2 or book.sheet=2024.",
)  # fmt: skip
@engine_options
@as_json
def command(request: str, files: tuple[str, ...], **options: Any) -> None:
    """Turn FILES into the tables that REQUEST asks for.

    A file may be NAME=PATH; a folder or a pattern is one table. Questions whose answers change
    the result are asked on a terminal; elsewhere they end the command with status 3.

    \b
    Example:
      prepwright prepare "merge the tables, drop rows with missing fee" a.csv b.csv -o out/
    """  # noqa: D301 - click wants the mark itself
    begun = time.perf_counter()
    means = means_of(options["engine"], options["memory"], options["threads"])
    answers = load_answers(options["answers"]) if options["answers"] else {}
    answers |= pairs(options["answer"], "--answer")
    wish = Wish(
        options["out"], answers, options["accept_defaults"], options["partial"], options["json"]
    )
    tables = gathered(files, overrides(options["reading"]))
    with screen.waiting("reading"):
        job = Job(request, tables, tuple(options["no_step"]), means)
        job.trials.samples()
        plan = job.planned(answers)
    job.check_off(plan)
    try:
        _understood(job, wish, plan)
        settled = _settled(job, wish)
    except (NotUnderstood, OpenQuestions) as error:
        if not wish.json:
            raise
        status = "open questions" if isinstance(error, OpenQuestions) else "not understood"
        screen.dumped({"status": status, **wish.said, "error": error.parts()})
        raise Told(OPEN) from None
    _written(job, wish, settled, begun)


def _understood(job: Job, wish: Wish, plan: Plan) -> None:
    """Show what was read and understood."""
    wish.said.update(machine.planned(job, plan))
    if not wish.json:
        show = screen.console()
        screen.reading(show, job.tables, job.trials)
        screen.understood(show, plan, job.trials)
    check_understood(plan, partial=wish.partial)


def _settled(job: Job, wish: Wish) -> Settled:
    """Settle what is open: ask on a terminal, else show it."""
    show = screen.console()
    with screen.waiting("trying the other readings"):
        settled = job.settled(wish.answers)
    if not wish.json:
        screen.noticed(show, settled.plan, settled.measured.settled)
    if wish.interactive:
        settled = job.settled(wish.answers, questions.asker(show, len(settled.left_open)))
    elif not wish.json:
        for number, question in enumerate(settled.left_open, 1):
            questions.shown(show, question, (number, len(settled.left_open)))
        if settled.left_open and wish.accept_defaults:
            show.print("    the default is taken")
    wish.said.update(machine.planned(job, settled.plan), **machine.settled(settled))
    check_answered(settled, accept_defaults=wish.accept_defaults)
    return settled


def _written(job: Job, wish: Wish, settled: Settled, begun: float) -> None:
    workflow = settled.plan.workflow
    assert workflow is not None
    with screen.progress() as listen:
        means = replace(job.means, progress=listen)
        written = write_folder(wish.out, workflow, job.tables, means, told(settled))
    seconds = time.perf_counter() - begun
    if wish.json:
        made = machine.written(written)
        screen.dumped({"status": "done", **wish.said, **made, "seconds": round(seconds, 3)})
        return
    show = screen.console()
    show.print()
    screen.results(show, written.out, written.run)
    steps = written.run.workflow.steps
    scripts = sum(step.operator == "script" for step in steps)
    listed = f"workflow.json ({len(steps)} steps, {scripts} scripts) · " + " · ".join(OWN[1:])
    gone = f"   removed: {', '.join(written.removed)}" if written.removed else ""
    show.print(f"Also in {wish.out}/: {listed}{gone}   {seconds:.1f} s", soft_wrap=True)
