"""How much a whole run of prepwright costs beside the same work written by hand.

Every contender reads the same two CSV files in a process of its own and writes the same table. Only
ratios within one run mean something: the machine is not known, and is not alone.
"""

import argparse
import csv
import json
import math
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from measure import Cost, median, rounds
from orders.inputs import made

HERE = Path(__file__).resolve().parent / "orders"
MEMORY_MB = 1024

TARGETS = (
    ("prepwright", "DuckDB SQL by hand", "at most", 1.25),
    ("pandas by hand", "prepwright", "at least", 4.0),
)
"""Contender, the one it is compared with, and what its wall time as a ratio should be."""


def commands(orders: Path, customers: Path, out: Path) -> dict[str, list[str]]:
    """Return the command of each contender."""
    python = sys.executable
    files = [str(orders), str(customers)]
    run = [python, "-m", "prepwright", "run", str(HERE / "workflow.json"),
           "--input", f"orders={orders}", "--input", f"customers={customers}"]  # fmt: skip
    limited = f"prepwright, {MEMORY_MB} MB"
    return {
        "DuckDB SQL by hand": [python, str(HERE / "in_duckdb.py"), *files, str(out / "sql.csv")],
        "prepwright": [*run, "-o", str(out / "own")],
        limited: [*run, "-o", str(out / "limited"), "--memory", str(MEMORY_MB)],
        "pandas by hand": [python, str(HERE / "in_pandas.py"), *files, str(out / "pandas.csv")],
    }


def table(path: Path) -> list[list[Any]]:
    """Return the cells of a result, numbers as numbers."""
    with path.open(encoding="utf-8", newline="") as file:
        return [[_value(cell) for cell in row] for row in csv.reader(file)]


def _value(cell: str) -> Any:
    try:
        return float(cell)
    except ValueError:
        return cell


def same(one: Path, other: Path) -> bool:
    """Tell whether two results are equal; numbers may differ in their last bits."""
    left, right = table(one), table(other)
    return [len(row) for row in left] == [len(row) for row in right] and all(
        math.isclose(a, b, rel_tol=1e-9)
        if isinstance(a, float) and isinstance(b, float)
        else a == b
        for mine, theirs in zip(left, right, strict=True)
        for a, b in zip(mine, theirs, strict=True)
    )


def compared(rows: int, repeats: int, cache: Path, *, pandas: bool) -> dict[str, Any]:
    """Run all contenders and return their costs, ratios and whether their results are equal."""
    orders, customers = made(cache, rows)
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        out = Path(folder)
        contenders = commands(orders, customers, out)
        if not pandas:
            del contenders["pandas by hand"]
        costs = {name: median(found) for name, found in rounds(contenders, repeats).items()}
        own = out / "own" / "result.csv"
        equal = {
            "limited, to the byte": (out / "limited" / "result.csv").read_bytes()
            == own.read_bytes(),
            "DuckDB SQL": same(out / "sql.csv", own),
        }
        if pandas:
            equal["pandas"] = same(out / "pandas.csv", own)
    return {
        "rows": rows,
        "repeats": repeats,
        "input_mb": round((orders.stat().st_size + customers.stat().st_size) / 2**20),
        "costs": {name: asdict(found) for name, found in costs.items()},
        "targets": [_target(costs, *target) for target in TARGETS if target[0] in costs],
        "equal": equal,
    }


def _target(
    costs: dict[str, Cost], one: str, other: str, sense: str, wanted: float
) -> dict[str, Any]:
    wall = costs[one].wall_s / costs[other].wall_s
    cpu = costs[one].cpu_s / costs[other].cpu_s
    met = wall <= wanted if sense == "at most" else wall >= wanted
    return {"of": one, "to": other, "wall": round(wall, 2), "cpu": round(cpu, 2),
            "wanted": f"{sense} {wanted}", "met": met}  # fmt: skip


def printed(found: dict[str, Any]) -> None:
    base = found["costs"]["DuckDB SQL by hand"]
    print(f"{found['rows']:,} rows, {found['input_mb']} MB of CSV, median of {found['repeats']}")
    print(f"{'':22}{'CPU s':>8}{'ratio':>7}{'wall s':>8}{'ratio':>7}{'peak MB':>9}")
    for name, one in found["costs"].items():
        cpu, wall = one["cpu_s"] / base["cpu_s"], one["wall_s"] / base["wall_s"]
        print(f"{name:22}{one['cpu_s']:8.1f}{cpu:7.2f}{one['wall_s']:8.1f}{wall:7.2f}"
              f"{one['peak_mb']:9.0f}")  # fmt: skip
    for target in found["targets"]:
        state = "met" if target["met"] else "NOT met"
        print(f"{target['of']} to {target['to']}: {target['wall']} in wall time, {target['cpu']} in"
              f" CPU; wanted {target['wanted']}: {state}")  # fmt: skip
    print("results equal: " + ", ".join(f"{k}: {v}" for k, v in found["equal"].items()))


def main() -> None:
    """Read the options, run, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000, help="rows of the larger input")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each contender")
    parser.add_argument("--cache", type=Path, help="folder where the inputs are made and kept")
    parser.add_argument("--no-pandas", action="store_true", help="leave the slow contender out")
    parser.add_argument("--json", action="store_true", help="print JSON for machines")
    options = parser.parse_args()
    cache = options.cache or Path(tempfile.gettempdir()) / "prepwright-benchmarks"
    found = compared(options.rows, options.repeats, cache, pandas=not options.no_pandas)
    if options.json:
        print(json.dumps(found, indent=2))
    else:
        printed(found)
    if not all(found["equal"].values()):
        raise SystemExit("the results differ")


if __name__ == "__main__":
    main()
