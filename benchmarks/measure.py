"""Measure child processes: CPU seconds of the process tree, wall seconds, peak memory."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Cost:
    """What one run took. Units: `cpu_s` and `wall_s` seconds, `peak_mb` 2^20 bytes."""

    cpu_s: float
    wall_s: float
    peak_mb: float


def cost(command: Sequence[str], timeout_s: float = 1800) -> Cost:
    """Run a command and return what it cost; its children that were waited for count along.

    Raises: `SystemExit` when the command fails.
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    begun = time.perf_counter()
    child = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert child.stderr is not None
    said = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - begun
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(
            f"{' '.join(command)[:300]}\nended with {child.returncode}\n{said[-2000:]}"
        )
    assert wall < timeout_s
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def rounds(commands: Mapping[str, Sequence[str]], repeats: int) -> dict[str, list[Cost]]:
    """Run every command `repeats` times, the order turned round each time; say how far it is."""
    found: dict[str, list[Cost]] = {name: [] for name in commands}
    for number in range(repeats):
        names = list(commands) if number % 2 == 0 else list(reversed(commands))
        for name in names:
            found[name].append(cost(commands[name]))
            one = found[name][-1]
            print(f"  {name}: {one.cpu_s:.1f} s CPU, {one.wall_s:.1f} s", file=sys.stderr)
    return found


def median(costs: Sequence[Cost]) -> Cost:
    """Return the median of each figure."""
    return Cost(
        statistics.median(one.cpu_s for one in costs),
        statistics.median(one.wall_s for one in costs),
        statistics.median(one.peak_mb for one in costs),
    )
