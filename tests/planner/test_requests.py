"""Each file of cases/ is a request that becomes exactly the outputs it states."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from prepwright.engines import opened
from prepwright.planner import plan
from prepwright.tables import Table
from prepwright.workflow import run

CASES = sorted((Path(__file__).parent / "cases").glob("*.toml"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_request_gives_its_outputs(
    path: Path, tmp_path: Path, read_text: Callable[[str, str], Table]
) -> None:
    case = tomllib.loads(path.read_text(encoding="utf-8"))
    tables = {name: read_text(name, text) for name, text in case["tables"].items()}

    planned = plan(case["request"], tables, case.get("answers", {}))

    assert [sentence.help for sentence in planned.sentences if not sentence.understood] == []
    assert planned.workflow is not None
    with opened("duckdb") as engine:
        run(planned.workflow, tables, engine, staging=tmp_path)
    written = {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()}
    assert written == case["outputs"]


def test_there_are_at_least_forty_requests() -> None:
    assert len(CASES) >= 40
