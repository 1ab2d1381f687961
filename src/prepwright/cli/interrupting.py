"""Ctrl-C and termination: a running query is broken off at once, and what was staged goes."""

import contextlib
import signal
import socket
import sys
import threading
from collections.abc import Generator
from types import FrameType


class Interrupted(BaseException):
    """The system asked the command to end. Not an `Exception`, so that nothing swallows it."""


@contextlib.contextmanager
def watched() -> Generator[list[int]]:
    """Break off open engines when a signal to end arrives; gives the signals that have arrived.

    Python runs its own handlers between two of its steps, and a query may take minutes: so a
    thread is told of the signal as it arrives.
    """
    arrived: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield arrived
        return

    def end(number: int, _frame: FrameType | None) -> None:
        arrived.append(number)
        raise Interrupted

    mine, theirs = socket.socketpair()
    theirs.setblocking(False)
    thread = threading.Thread(target=_listen, args=(mine, arrived), daemon=True)
    thread.start()
    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    for one, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(one, end)
    told = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    try:
        yield arrived
    finally:
        signal.set_wakeup_fd(told)
        for one, handler in before.items():
            signal.signal(one, handler)
        theirs.close()
        thread.join(timeout=1)
        mine.close()


def _listen(mine: socket.socket, arrived: list[int]) -> None:
    while number := mine.recv(1):
        if number[0] not in (signal.SIGINT, signal.SIGTERM):
            continue
        arrived.append(number[0])
        engines = sys.modules.get("prepwright.engines")
        if engines is not None:
            engines.interrupt()
