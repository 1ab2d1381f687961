"""From a request and files to a result: read, plan, settle, run, write."""

from collections.abc import Mapping
from pathlib import Path

from prepwright import engines
from prepwright.asking import Ask, load_answers
from prepwright.engines import EngineSettings
from prepwright.preparing.folder import Means, run_in_memory, write_folder
from prepwright.preparing.inputs import Files, Options, gathered
from prepwright.preparing.job import Job, check_answered, check_understood, told
from prepwright.preparing.result import Result

__all__ = ["Means", "Result", "means_of", "prepare"]


def prepare(
    request: str,
    files: Files,
    *,
    answers: Mapping[str, str] | str | Path | None = None,
    ask: Ask | None = None,
    accept_defaults: bool = True,
    out: str | Path | None = None,
    options: Options | None = None,
    engine: str | Means = "duckdb",
) -> Result:
    """Turn files into the tables that a request asks for.

    `answers` maps choices to options, or is a file that does. `ask` is called with each question
    that changes the result. `out` is a folder to write everything into. `engine` is a name,
    or `Means` with limits and a listener for progress.
    Raises: `NotUnderstood` when a part of the request has no rule; `OpenQuestions` when questions
    stay open and defaults are not accepted; `InputError`, `WorkflowError`, `EngineError`.
    """
    means = Means(engine) if isinstance(engine, str) else engine
    job = Job(request, gathered(files, options), means=means)
    known = load_answers(Path(answers)) if isinstance(answers, str | Path) else dict(answers or {})
    first = job.planned(known)
    check_understood(first, partial=False)
    settled = job.settled(known, ask)
    check_answered(settled, accept_defaults=accept_defaults)
    workflow = settled.plan.workflow
    assert workflow is not None
    said = told(settled)
    written = write_folder(Path(out), workflow, job.tables, job.means, said) if out else None
    run = written.run if written else run_in_memory(workflow, job.tables, job.means)
    return Result(
        run, job.tables, said, settled.plan.sentences, settled.left_open, job.means, written
    )


def means_of(
    engine: str = "duckdb", memory_mb: int | None = None, threads: int | None = None
) -> Means:
    """Return what a run is done with. Units: `memory_mb` in 2^20 bytes.

    Raises: `EngineError` when there is no such engine.
    """
    engines.check(engine)
    return Means(engine, EngineSettings(memory_mb, threads))
