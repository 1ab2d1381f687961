"""What the terminal shows, in the order of the work: reading, understood, noticed, result."""

import json
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from prepwright.asking import Question
from prepwright.asking.effect import cell_text
from prepwright.errors import PrepwrightError
from prepwright.export import one_line
from prepwright.planner import Plan
from prepwright.preparing.display import preview
from prepwright.preparing.trials import SampleTrials
from prepwright.tables import Table
from prepwright.workflow import Progress, Run, StepFacts, Workflow
from prepwright.workflow.operators.output import Output

_PLAIN_WIDTH = 160
_SLOW_S = 1.0


def console(*, errors: bool = False) -> Console:
    """Return the screen; where there is no terminal, lines are plain and wide."""
    stream = sys.stderr if errors else sys.stdout
    width = None if stream.isatty() else _PLAIN_WIDTH
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False)


def dumped(data: Mapping[str, Any]) -> None:
    """Print data for machines."""
    print(json.dumps(data, indent=2, ensure_ascii=False, default=str))


def rows_of_text(screen: Console, rows: Sequence[Sequence[str]], indent: int = 2) -> None:
    """Print cells in columns; on a terminal long ones go on below themselves."""
    if not screen.is_terminal:
        for line in columns(rows):
            screen.print(Text(" " * indent + line), soft_wrap=True)
        return
    grid = Grid.grid(padding=(0, 3, 0, 0))
    for _ in range(max(map(len, rows), default=0)):
        grid.add_column(overflow="fold")
    for row in rows:
        grid.add_row(*map(Text, row))
    screen.print(Padding(grid, (0, 0, 0, indent)))


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return cells in columns, as lines without blanks at their ends."""
    wide = [max(cell_len(row[at]) for row in rows if at < len(row))
            for at in range(max(map(len, rows), default=0))]  # fmt: skip
    return [
        "   ".join(cell + " " * (wide[at] - cell_len(cell)) for at, cell in enumerate(row)).rstrip()
        for row in rows
    ]


def counted(count: int, thing: str) -> str:
    """Return a number with its thing, in the plural where it must be."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def reading(screen: Console, tables: Mapping[str, Table], trials: SampleTrials) -> None:
    """Show each input: its size, and what was decided in reading it."""
    rows = trials.rows()
    screen.print(Text("Reading", style="bold"))
    lines: list[list[str]] = []
    for name, table in tables.items():
        more = "" if trials.complete else "at least "
        size = f"{more}{counted(rows[name], 'row')} × {counted(len(table.schema), 'column')}"
        path = table.reading.path
        shown = name if path is None or path.stem == name else f"{name} = {path.name}"
        shown = path.name if path is not None and path.stem == name else shown
        lines.append([one_line(shown), size, one_line(" · ".join(table.reading.notes), 400)])
    rows_of_text(screen, lines)


def understood(screen: Console, plan: Plan, trials: SampleTrials) -> None:
    """Show what each part of the request means, with rows in and out."""
    known = sum(one.understood for one in plan.sentences)
    every = len(plan.sentences)
    count = "" if known == every else f" {known} of {every} parts"
    screen.print(Text(f"Understood{count}", style="bold"))
    sizes = _sizes(plan.workflow, trials) if plan.workflow else {}
    rows: list[list[str]] = []
    for number, one in enumerate(plan.sentences, 1):
        said = one_line(one.text.rstrip(" ,;."), 80)
        if not one.understood:
            rows.append(["✗", f"“{said}”", one_line(one.help, 300)])
            continue
        size = _size(plan, one.step_ids, sizes)
        rows.append(
            [str(number), said, one_line(one.meaning, 200), size, _operator(plan, one.step_ids)]
        )
    rows_of_text(screen, rows)


def _size(plan: Plan, ids: Sequence[str], sizes: Mapping[str, tuple[int, int]]) -> str:
    """Return rows before and after a clause's steps, for each chain of steps that it became."""
    if plan.workflow is None or not sizes:
        return ""
    steps = [step for step in plan.workflow.steps if step.id in ids and step.id in sizes]
    read = {source for step in steps for source in step.sources()}
    starts = {step.id: sizes[step.id][0] for step in steps}
    for step in steps:
        inside = [source for source in step.sources() if source in starts]
        if inside:
            starts[step.id] = sum(starts[source] for source in inside)
    ends = [step.id for step in steps if step.id not in read]
    said = [
        f"{starts[name]:,} → {sizes[name][1]:,}" if starts[name] != sizes[name][1]
        else f"{sizes[name][1]:,}"
        for name in ends
    ]  # fmt: skip
    return f"{', '.join(said)} row{'s' * (said != ['1'])}" if said else ""


def _operator(plan: Plan, ids: Sequence[str]) -> str:
    by_id = {step.id: step.operator for step in plan.workflow.steps} if plan.workflow else {}
    found = [by_id[name] for name in ids if name in by_id]
    return found[-1] if found else ""


def _sizes(workflow: Workflow, trials: SampleTrials) -> dict[str, tuple[int, int]]:
    if not trials.complete:
        return {}
    try:
        done = trials.done(workflow)
    except PrepwrightError:
        return {}  # the run itself will say what is wrong
    return {facts.id: (sum(facts.rows_in), facts.rows) for facts in done.steps}


def noticed(screen: Console, plan: Plan, settled: Sequence[Question]) -> None:
    """Show once what was decided from the data, with a count and a way to undo it."""
    lines: list[list[str]] = []
    noticed_choices = {notice.choice for notice in plan.notices if notice.choice}
    for notice in plan.notices:
        undo = f"undo with --no-step {notice.step}" if notice.step else ""
        if notice.choice and not undo:
            undo = f"undo with --answer {notice.choice}=no"
        lines.append([one_line(notice.text, 300), undo])
    for question in settled:
        choice = question.choice
        if choice.chosen_by != "default" or choice.id in noticed_choices or not question.touched:
            continue
        label = next(one.label for one in choice.options if one.id == choice.chosen)
        other = next(one for one in choice.options if one.id in question.effects)
        said = f"{choice.question} {label} (else {question.said(other)})"
        lines.append([one_line(said, 300), f"undo with --answer {choice.id}={other.id}"])
    if lines:
        screen.print(Text("Noticed", style="bold"))
        rows_of_text(screen, lines)


def result(screen: Console, path: Path, facts: StepFacts) -> None:
    """Show the first rows of an output that was written."""
    rows, page = facts.rows, facts.page
    head = f"   {one_line(path)}   {counted(rows, 'row')} × {counted(len(facts.columns), 'column')}"
    screen.print(Text("Result", style="bold").append(head, style="not bold"), soft_wrap=True)
    names = [one_line(one, 40) for one in page[0]] if page else []
    cells = [[one_line(cell_text(cell) or "", 40) for cell in row.values()] for row in page[:10]]
    for text in preview(cells, names) if page else []:
        screen.print(Text(f"  {text}"), soft_wrap=not screen.is_terminal, overflow="ellipsis")
    if rows > 10:
        screen.print("  …")


def results(screen: Console, out: Path, run: Run) -> None:
    """Show every output of a run."""
    for step in run.workflow.steps:
        if isinstance(step, Output):
            result(screen, out / step.name, run.step(step.id))


@contextmanager
def waiting(said: str) -> Generator[None]:
    """Show on a terminal what is being done."""
    screen = console(errors=True)
    if not screen.is_terminal:
        yield
        return
    with screen.status(said):
        yield


@contextmanager
def progress() -> Generator[Callable[[Progress], None]]:
    """Give a listener for signs of life: a live line on a terminal, else a line a slow step."""
    screen = console(errors=True)
    begun = time.monotonic()
    if not screen.is_terminal:
        started = {"": begun}

        def plain(event: Progress) -> None:
            if event.kind != "done":
                started[event.step] = time.monotonic()
            elif (spent := time.monotonic() - started.get(event.step, begun)) > _SLOW_S:
                line = f"step {event.number} of {event.total} {event.step}: {event.rows:,} rows"
                print(f"{line}, {spent:.1f} s", file=sys.stderr)

        yield plain
        return
    with screen.status("reading") as status:

        def live(event: Progress) -> None:
            spent = time.monotonic() - begun
            line = f"step {event.number} of {event.total} {event.operator} {event.step}"
            status.update(Text(f"{one_line(line)} · {spent:.0f} s"))

        yield live
