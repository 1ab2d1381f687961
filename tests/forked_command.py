"""Runs the command as often as it is asked, each time in a fork of one process that is warm.

Reads lines of JSON, `{"cwd", "arguments", "stdout", "stderr"}`, and answers each with a status.
"""

import importlib
import json
import os
import pkgutil
import signal
import sys

import prepwright
from prepwright.cli import main

LONGEST_S = 60


def warmed() -> None:
    """Import every module, so that no fork has to."""
    for module in pkgutil.walk_packages(prepwright.__path__, "prepwright."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def forked(request: dict[str, str], arguments: list[str]) -> int:
    """Run the command in a process of its own and return its status."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    status = 1
    try:
        signal.alarm(LONGEST_S)
        os.chdir(request["cwd"])
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for number, name in ((1, "stdout"), (2, "stderr")):
            os.dup2(os.open(request[name], os.O_CREAT | os.O_WRONLY | os.O_TRUNC), number)
        main(arguments)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


if __name__ == "__main__":
    warmed()
    for line in sys.stdin:
        asked = json.loads(line)
        sys.stdout.write(f"{forked(asked, asked['arguments'])}\n")
        sys.stdout.flush()
