"""Staging: the files of a run appear in its folder whole, or not at all."""

import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from prepwright.errors import InputError

_PREFIX = ".partial-"


@contextmanager
def staged(out: Path) -> Generator[Path]:
    """Give a private folder inside `out`; its files move into `out` when the block ends well.

    When the block fails, `out` is left as it was. What an earlier, killed run left is removed.
    Raises: `InputError` when `out` cannot be written.
    """
    made = _make(out)
    staging = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=out))
    try:
        yield staging
        with _uninterrupted():
            for file in sorted(staging.iterdir()):
                file.replace(out / file.name)
    except BaseException:
        shutil.rmtree(staging, ignore_errors=True)
        if made and not any(out.iterdir()):
            out.rmdir()
        raise
    shutil.rmtree(staging, ignore_errors=True)


@contextmanager
def _uninterrupted() -> Generator[None]:
    """Hold back Ctrl-C and the like for the moment in which some files have moved and some not."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are for the main thread alone
        return
    held: list[int] = []
    before = {
        number: signal.signal(number, lambda number, _frame: held.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in held:
            signal.raise_signal(number)


def _make(out: Path) -> bool:
    new = not out.exists()
    try:
        out.mkdir(parents=True, exist_ok=True)
        for leftover in out.glob(f"{_PREFIX}*"):
            pid = leftover.name.removeprefix(_PREFIX).partition("-")[0]
            if not (pid.isdigit() and Path(f"/proc/{pid}").exists()):
                shutil.rmtree(leftover, ignore_errors=True)
    except FileExistsError:
        raise InputError(
            "is a file, not a folder",
            where=str(out),
            found="a file of that name",
            fix="name another folder with -o",
        ) from None
    except OSError as error:
        raise InputError(
            "cannot be used for results",
            where=str(out),
            found=error.strerror or str(error),
            fix="name a folder that you may write with -o",
        ) from None
    if not os.access(out, os.W_OK):
        raise InputError(
            "cannot be written",
            where=str(out),
            found="no permission",
            fix="name a folder that you may write with -o",
        )
    return new
