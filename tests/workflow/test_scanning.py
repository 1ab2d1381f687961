"""A step that is computed while its file is scanned gives what it gives over a loaded table."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from sqlglot import exp

from prepwright import engines
from prepwright.engines import Engine, EngineSettings, QueryFailed
from prepwright.errors import WorkflowError
from prepwright.tables import ROW, DelimitedFile, Schema, Table
from prepwright.workflow import Run, Workflow, run

STEPS = [
    {"id": "t", "operator": "input", "table": "t"},
    {
        "id": "typed", "operator": "project", "input": "t",
        "columns": ["a", {"name": "n", "value": "TRY_CAST(b AS INTEGER)"}],
    },
    {"id": "kept", "operator": "filter", "input": "typed", "where": "n % 7 <> 3"},
    {"id": "o", "operator": "output", "input": "kept", "name": "o.csv"},
]  # fmt: skip


def table(path: Path, text: str) -> Table:
    path.write_text(text, encoding="utf-8")

    def rows() -> Iterator[pa.RecordBatch]:
        with path.open(encoding="utf-8", newline="") as file:
            read = [[cell or None for cell in [*row, ""][:2]] for row in csv.reader(file)][1:]
        yield pa.RecordBatch.from_pydict(
            {name: pa.array([row[n] for row in read], pa.string()) for n, name in enumerate("ab")}
        )

    source = DelimitedFile(path, ",", '"', 1, ("a", "b"), rows)
    return Table("t", Schema.text("a", "b"), (source,))


def done(
    given: Table, folder: Path, threads: int = 2, steps: list[dict[str, object]] = STEPS
) -> Run:
    with engines.opened(settings=EngineSettings(threads=threads)) as engine:
        return run(Workflow.from_data({"steps": list(steps)}), {"t": given}, engine, staging=folder)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_rows_keep_the_order_of_the_file(tmp_path: Path, threads: int) -> None:
    rows = [(f"r{n}", n * 31 % 1000) for n in range(300_000)]
    text = "a,b\n" + "".join(f"{a},{b}\n" for a, b in rows)
    finished = done(table(tmp_path / "t.csv", text), tmp_path, threads)
    wanted = "a,n\n" + "".join(f"{a},{b}\n" for a, b in rows if b % 7 != 3)
    assert (tmp_path / "o.csv").read_text() == wanted
    assert [step.rows for step in finished.steps[:2]] == [300_000, 300_000]


def test_what_the_scanner_refuses_is_read_all_the_same(tmp_path: Path) -> None:
    finished = done(table(tmp_path / "t.csv", "a,b\nx,1\nshort\ny,2,more\n"), tmp_path)
    assert (tmp_path / "o.csv").read_text() == "a,n\nx,1\ny,2\n"
    assert finished.step("t").rows == finished.step("typed").rows == 3


def test_unread_values_are_counted_and_shown(tmp_path: Path) -> None:
    finished = done(table(tmp_path / "t.csv", "a,b\nx,1\ny,many\nz,\n"), tmp_path)
    figures = finished.step("typed").figures
    assert figures["unread:n"] == 1
    assert figures["unread:n_examples"] == [{"value": "many"}]


def test_a_step_that_fails_names_itself(tmp_path: Path) -> None:
    value = "CAST(b AS INTEGER) + coalesce(TRY_CAST(b AS INTEGER), 0)"
    typed = {**STEPS[1], "columns": ["a", {"name": "n", "value": value}]}
    steps = [STEPS[0], typed, *STEPS[2:]]
    with pytest.raises(WorkflowError, match="many") as caught:
        done(table(tmp_path / "t.csv", "a,b\nx,many\n"), tmp_path, steps=steps)
    assert "typed" in caught.value.where


@pytest.fixture
def sealed(tmp_path: Path) -> Iterator[Engine]:
    (tmp_path / "staging").mkdir()
    (tmp_path / "other.csv").write_text("secret\n")
    with engines.opened() as engine:
        given = table(tmp_path / "t.csv", "a,b\nx,1\n")
        files = engine.offer("scanned", given, ["a", "b"])
        engine.seal(tmp_path / "staging", files)
        yield engine


def read(path: Path) -> exp.Query:
    call = exp.Anonymous(this="read_text", expressions=[exp.Literal.string(str(path))])
    return exp.select(exp.Star()).from_(exp.Table(this=call))


def test_only_the_offered_file_can_be_read(sealed: Engine, tmp_path: Path) -> None:
    query = exp.select("a", ROW).from_("scanned")
    assert sealed.fetch(query).to_pylist() == [{"a": "x", ROW: 1}]
    with pytest.raises(QueryFailed, match="Permission"):
        sealed.fetch(read(tmp_path / "other.csv"))
    before = (tmp_path / "t.csv").read_bytes()
    copy = f"(SELECT 1) TO '{tmp_path}/t.csv' (USE_TMP_FILE false)"
    with pytest.raises(QueryFailed, match="only a SELECT"):
        sealed.fetch(exp.Command(this="COPY", expression=copy))  # type: ignore[arg-type]
    assert (tmp_path / "t.csv").read_bytes() == before
