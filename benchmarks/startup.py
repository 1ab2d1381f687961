"""What waiting feels like: `--help` beside an empty Python, and validation of 70 steps.

`--json` prints the figures for machines. Only the ratios mean something.
"""

import argparse
import json
import statistics
import sys
import time
from typing import Any

from measure import median, rounds

from prepwright import engines
from prepwright.tables import Schema
from prepwright.workflow import Workflow, validate

STEPS = 70


def long_workflow(steps: int = STEPS) -> Workflow:
    """Return a workflow of so many steps, of the kinds that stand in real ones."""
    made: list[dict[str, Any]] = [
        {"id": "orders", "operator": "input", "table": "orders"},
        {"id": "customers", "operator": "input", "table": "customers"},
        {"id": "s0", "operator": "project", "input": "orders", "others": True,
         "columns": [{"name": "day", "value": "parse_date(day, ['%Y-%m-%d'])"},
                     {"name": "amount", "value": "parse_number(amount)"}]},
        {"id": "s1", "operator": "join", "left": "s0", "right": "customers", "how": "left",
         "on": ["customer"]},
    ]  # fmt: skip
    kinds: list[dict[str, Any]] = [
        {"operator": "filter", "where": "amount > {n} OR region IS NULL"},
        {"operator": "project", "others": True, "columns": [
            {"name": "c{n}", "value": "if(amount > {n}, upper(region), 'none')"}]},
        {"operator": "dedup", "key": ["id"], "order": ["day DESC"]},
        {"operator": "project", "others": True, "columns": [
            {"name": "r{n}", "value": "row_number() OVER (PARTITION BY customer ORDER BY day)"}]},
        {"operator": "sort", "order": ["amount DESC", "lower(id)"]},
    ]  # fmt: skip
    for number in range(2, steps - 4):
        text = json.dumps(kinds[number % len(kinds)]).replace("{n}", str(number))
        made.append({"id": f"s{number}", "input": f"s{number - 1}", **json.loads(text)})
    last = made[-1]["id"]
    made += [
        {"id": "total", "operator": "aggregate", "input": last, "by": ["region"],
         "columns": [{"name": "n", "value": "count(*)"}, {"name": "sum", "value": "sum(amount)"}]},
        {"id": "result", "operator": "output", "input": "total", "name": "result.csv"},
    ]  # fmt: skip
    return Workflow.from_data({"version": 1, "steps": made})


SCHEMAS = {
    "orders": Schema.text("id", "customer", "day", "amount"),
    "customers": Schema.text("customer", "region"),
}


def seconds(work: Any, repeats: int) -> float:
    """Return the median of the CPU seconds that a piece of work takes."""
    found: list[float] = []
    for _ in range(repeats):
        begun = time.process_time()
        work()
        found.append(time.process_time() - begun)
    return statistics.median(found)


def validation(repeats: int) -> dict[str, float]:
    """Return the time to validate a long workflow, and a trivial one, with the engine's start."""

    def checked(workflow: Workflow) -> None:
        with engines.opened() as engine:
            validate(workflow, SCHEMAS, engine)

    long, short = long_workflow(), long_workflow(6)
    checked(short)
    one, other = seconds(lambda: checked(long), repeats), seconds(lambda: checked(short), repeats)
    return {"steps": len(long.steps), "long_s": one, "short_s": other, "ratio": one / other}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "prepwright --help": [sys.executable, "-m", "prepwright", "--help"],
    }
    costs = {name: median(found) for name, found in rounds(commands, options.repeats).items()}
    empty, helped = costs.values()
    ratio = {"cpu": helped.cpu_s / empty.cpu_s, "wall": helped.wall_s / empty.wall_s}
    found = {"help_to_empty_python": ratio, "validation": validation(options.repeats)}
    if options.json:
        print(json.dumps(found, indent=2))
        return
    print(
        f"prepwright --help to python -c pass: {ratio['cpu']:.1f} in CPU, "
        f"{ratio['wall']:.1f} in wall time"
    )
    checked = found["validation"]
    print(
        f"validation of {checked['steps']:.0f} steps: {checked['long_s']:.2f} s CPU, "
        f"{checked['ratio']:.1f} times that of 6 steps with the engine's start"
    )


if __name__ == "__main__":
    main()
