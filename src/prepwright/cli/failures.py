"""How the command ends: three lines and a status for whatever goes wrong, never a traceback."""

import errno
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import click

from prepwright.cli.interrupting import Interrupted, watched
from prepwright.errors import EngineError, InputError, NotUnderstood, OpenQuestions, PrepwrightError

DONE, BAD, OPEN, INTERRUPTED, TERMINATED, PIPE = 0, 2, 3, 130, 143, 141

_FULL = (errno.ENOSPC, errno.EDQUOT)


class Told(Exception):
    """Ends the command with a status after everything has been said."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def guarded(work: Callable[[], Any], arguments: Sequence[str]) -> int:
    """Do the work and return the exit status; say what went wrong on standard error."""
    with watched() as arrived:
        try:
            return _done(work)
        except (Interrupted, KeyboardInterrupt, click.Abort):
            return _broken_off(arrived)
        except Exception as error:
            if arrived:
                return _broken_off(arrived)
            return _failed(error, arguments)


def _done(work: Callable[[], Any]) -> int:
    made = work()
    sys.stdout.flush()
    return made if isinstance(made, int) else DONE


def _broken_off(arrived: Sequence[int]) -> int:
    print("interrupted; nothing was left half-written", file=sys.stderr)
    return TERMINATED if signal.SIGTERM in arrived else INTERRUPTED


def _failed(error: Exception, arguments: Sequence[str]) -> int:
    if isinstance(error, Told):
        return error.status
    if isinstance(error, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE
    if isinstance(error, click.UsageError):
        return _say(_usage(error), arguments)
    if os.environ.get("PREPWRIGHT_DEBUG"):
        traceback.print_exc()
    return _say(named(error), arguments)


def _usage(error: click.UsageError) -> InputError:
    verb = error.ctx.command_path if error.ctx else "prepwright"
    return InputError(
        error.format_message().rstrip("."),
        where=verb,
        found="another command line",
        fix=f"see {verb} --help",
    )


def named(error: BaseException) -> PrepwrightError:
    """Return an exception of whatever kind as one that says where, what, found and fix."""
    if isinstance(error, PrepwrightError):
        return error
    if isinstance(error, OSError):
        return _system(error)
    if isinstance(error, MemoryError):
        return EngineError(
            "memory ran out",
            found="no more memory",
            fix="give --memory MB, or close other programs",
        )
    if isinstance(error, RecursionError):
        return InputError(
            "the input is nested too deeply",
            found="hundreds of levels",
            fix="make the request, the expression or the file flatter",
        )
    return EngineError(
        f"something failed that should not: {type(error).__name__}",
        found=str(error)[:300] or "no message",
        fix="set PREPWRIGHT_DEBUG=1 to see where, and report it",
    )


def _system(error: OSError) -> PrepwrightError:
    where = str(error.filename or "")
    reason = error.strerror or str(error)
    if error.errno in _FULL:
        return EngineError(
            "the disk is full", where=where, found=reason, fix="free space, then run it again"
        )
    if isinstance(error, PermissionError):
        return InputError(
            "no permission", where=where, found=reason, fix="choose a place that you may use"
        )
    return InputError(
        "the system refused a file", where=where, found=reason, fix="check the path and the disk"
    )


def _say(error: PrepwrightError, arguments: Sequence[str]) -> int:
    if "--json" in arguments:
        faults = getattr(error, "faults", (error,))
        said = {"status": _word(error), "error": error.parts(),
                "faults": [fault.parts() for fault in faults]}  # fmt: skip
        print(json.dumps(said, indent=2, ensure_ascii=False, default=str))
    print(_clean(str(error)), file=sys.stderr)
    return OPEN if isinstance(error, OpenQuestions | NotUnderstood) else BAD


def _word(error: PrepwrightError) -> str:
    if isinstance(error, OpenQuestions):
        return "open questions"
    return "not understood" if isinstance(error, NotUnderstood) else "error"


def _clean(text: str) -> str:
    from prepwright.export import one_line

    return "\n".join(
        line[: len(line) - len(line.lstrip())] + one_line(line) for line in text.split("\n")
    )
