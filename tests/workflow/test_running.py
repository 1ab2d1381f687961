"""A run tells what each step did, keeps a page of it, says how far it is, and cleans up."""

import threading
import time
from pathlib import Path

import pytest

from prepwright import engines
from prepwright.engines import EngineSettings
from prepwright.errors import EngineError, InputError, WorkflowError
from prepwright.tables import Column
from prepwright.workflow import Progress, Settings, Workflow, run, staged
from tests.workflow.running import chained, digest, named, output, ran, table, written

ROWS = [{"id": n, "g": "ab"[n % 2], "t": f"{n}.5"} for n in range(50)]
STEPS = (
    {"operator": "project", "others": True, "columns": [{"name": "x", "value": "parse_number(t)"}]},
    {"operator": "filter", "where": "x > 10"},
    {"operator": "sort", "order": ["x DESC"]},
    {"operator": "project", "columns": ["id", "g", "x"]},
    {"operator": "aggregate", "by": ["g"], "columns": [{"name": "n", "value": "count(*)"}]},
)


def test_every_step_tells_its_rows_columns_page_and_time() -> None:
    done = ran(chained(*STEPS), named([ROWS]))
    assert [step.operator for step in done.steps] == [
        "input", "project", "filter", "sort", "project", "aggregate", "output",
    ]  # fmt: skip
    assert [step.number for step in done.steps] == [1, 2, 3, 4, 5, 6, 7]
    assert [step.rows for step in done.steps] == [50, 50, 40, 40, 40, 2, 2]
    assert [step.rows_in for step in done.steps] == [(), (50,), (50,), (40,), (40,), (40,), (2,)]
    assert done.step("s4").columns == (Column("id", "BIGINT"), Column("g"), Column("x", "DOUBLE"))
    assert all(step.seconds >= 0 for step in done.steps)
    assert done.rows == {"result.csv": 2}
    assert done.engine == "duckdb"
    assert done.version


def test_a_page_holds_the_first_rows_in_the_order_of_the_step() -> None:
    done = ran(chained(*STEPS), named([ROWS]), page_rows=3)
    assert [row["id"] for row in done.step("first").page] == [0, 1, 2]
    assert [row["id"] for row in done.step("s1").page] == [0, 1, 2]
    assert [row["id"] for row in done.step("s2").page] == [10, 11, 12]
    assert [row["id"] for row in done.step("s3").page] == [49, 48, 47]
    assert [row["id"] for row in done.step("s4").page] == [49, 48, 47]
    assert done.step("s5").page == [{"g": "a", "n": 20}, {"g": "b", "n": 20}]
    assert all("__" not in name for step in done.steps for row in step.page for name in row)


def test_pages_and_facts_can_be_left_out() -> None:
    done = ran(chained(*STEPS), named([ROWS]), page_rows=0, facts=False)
    assert not any(step.page or step.figures for step in done.steps)
    assert done.outputs == ran(chained(*STEPS), named([ROWS])).outputs


def test_a_page_of_an_input_shows_columns_that_no_step_reads() -> None:
    done = ran(chained({"operator": "project", "columns": ["id"]}), named([ROWS]), page_rows=1)
    assert done.step("first").page == [ROWS[0]]
    assert len(done.step("first").columns) == 3


def test_a_step_that_is_off_passes_its_input_through() -> None:
    steps = [{**STEPS[0], "off": True}, {"operator": "filter", "where": "id < 5", "off": True},
             {"operator": "dedup", "key": ["g"]}]  # fmt: skip
    done = ran(chained(*steps), named([ROWS]))
    assert done.outputs["result.csv"].to_pylist() == ROWS[:2]
    assert [done.step(f"s{n}").rows for n in (1, 2, 3)] == [50, 50, 2]


def test_a_step_that_two_others_read_is_computed_once_and_gives_both_the_same() -> None:
    workflow = Workflow.from_data({"version": 1, "steps": [
        {"id": "first", "operator": "input", "table": "first"},
        {"id": "f", "operator": "filter", "input": "first", "where": "id < 4"},
        {"id": "p", "operator": "project", "input": "f", "columns": ["id", "g"]},
        {"id": "n", "operator": "aggregate", "input": "f", "by": ["g"],
         "columns": [{"name": "n", "value": "count(*)"}]},
        {"id": "j", "operator": "join", "left": "p", "right": "n", "on": ["g"], "how": "left"},
        {"id": "u", "operator": "union", "inputs": ["j", "p", "p"]},
        output("u", "u.csv"), output("f", "f.csv"), output("first", "first.csv"),
    ]})  # fmt: skip
    done = ran(workflow, named([ROWS]))
    assert {name: data.num_rows for name, data in done.outputs.items()} == {
        "u.csv": 12, "f.csv": 4, "first.csv": 50,
    }  # fmt: skip
    assert done.outputs["u.csv"].to_pylist()[0] == {"id": 0, "g": "a", "n": 2}


def test_a_step_that_no_output_rests_on_is_a_fault_but_an_empty_input_is_not() -> None:
    done = ran(chained(*STEPS), {"first": table("first", ROWS[:1])})
    assert done.step("s2").rows == 0
    assert done.rows == {"result.csv": 0}


def test_progress_says_which_step_begins_and_ends() -> None:
    seen: list[Progress] = []
    ran(chained(*STEPS), named([ROWS]), progress=seen.append)
    assert [(event.kind, event.step) for event in seen[:4]] == [
        ("load", "first"), ("done", "first"), ("start", "s1"), ("done", "s1"),
    ]  # fmt: skip
    assert {event.total for event in seen} == {7}
    assert [event.rows for event in seen if event.kind == "done"] == [50, 50, 40, 40, 40, 2, 2]


def test_a_value_that_does_not_fit_names_the_step() -> None:
    workflow = chained(
        {"operator": "project", "columns": [{"name": "n", "value": "CAST(g AS INTEGER)"}]}
    )
    with pytest.raises(WorkflowError) as raised:
        ran(workflow, named([ROWS]))
    lines = str(raised.value).split("\n")
    assert len(lines) == 3
    assert lines[0].startswith("step s1 project: ")
    assert "TRY_CAST" in lines[2]


def test_a_run_that_fails_leaves_nothing_behind_and_what_was_there_as_it_was(
    tmp_path: Path,
) -> None:
    kept = tmp_path / "result.csv"
    kept.write_text("mine")
    bad = chained({"operator": "project", "columns": [{"name": "n", "value": "CAST(g AS INT)"}]})
    with pytest.raises(WorkflowError):
        written(bad, named([ROWS]), tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["result.csv"]
    assert kept.read_text() == "mine"
    with pytest.raises(WorkflowError):
        written(bad, named([ROWS]), tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_run_that_ends_well_replaces_its_own_files_alone(tmp_path: Path) -> None:
    (tmp_path / "result.csv").write_text("old")
    (tmp_path / "other.txt").write_text("mine")
    found = written(chained(*STEPS), named([ROWS]), tmp_path)
    assert found == {"result.csv": b"g,n\na,20\nb,20\n", "other.txt": b"mine"}


def test_what_a_killed_run_left_is_removed_but_not_what_a_living_one_writes(tmp_path: Path) -> None:
    dead, living = tmp_path / ".partial-999999999-x", tmp_path / ".partial-1-x"
    dead.mkdir()
    living.mkdir()
    with staged(tmp_path):
        pass
    assert not dead.exists()
    assert living.exists()


def test_a_folder_that_cannot_hold_results_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    for place in (file, file / "below"):
        with pytest.raises(InputError) as raised, staged(place):
            pass
        assert str(place) in str(raised.value)


@pytest.mark.parametrize("failure", [KeyboardInterrupt, ValueError])
def test_an_interrupt_leaves_nothing_half_written(failure: type, tmp_path: Path) -> None:
    with pytest.raises(failure), staged(tmp_path / "out") as staging:
        (staging / "half.csv").write_text("a")
        raise failure
    assert not (tmp_path / "out").exists()


def test_an_interrupt_from_another_thread_breaks_off_the_query() -> None:
    steps = [{"operator": "join", "left": "first", "right": "first", "how": "cross",
              "suffix": suffix} for suffix in ("_2",)]  # fmt: skip
    aggregate = {"operator": "aggregate", "columns": [{"name": "n", "value": "sum(id * id_2)"}]}
    workflow = chained(*steps, aggregate)
    tables = named([[{"id": n} for n in range(60_000)]])
    with engines.opened() as engine, pytest.raises(EngineError, match="interrupted"):
        timer = threading.Timer(0.7, engine.interrupt)
        timer.start()
        begun = time.monotonic()
        try:
            run(workflow, tables, engine, staging=Path(), in_memory=True, settings=Settings())
        finally:
            timer.cancel()
            assert time.monotonic() - begun < 60


def test_more_data_than_memory_is_spilled_and_gives_the_same_bytes(tmp_path: Path) -> None:
    rows = [{"k": f"key {n * 7919 % 100_003}", "t": "x" * 200, "n": n} for n in range(120_000)]
    tables = named([rows])
    workflow = chained(
        {"operator": "sort", "order": ["k DESC"], "limit": 100_000},
        {"operator": "dedup", "key": ["k"], "order": ["n DESC"]},
        {"operator": "aggregate", "by": ["k"], "columns": [{"name": "t", "value": "max(t)"},
                                                         {"name": "n", "value": "sum(n)"}]},
    )  # fmt: skip
    found = []
    for memory in (None, 64):
        limits = EngineSettings(memory_mb=memory, threads=2)
        out = tmp_path / str(memory)
        with engines.opened("duckdb", limits) as engine, staged(out) as staging:
            run(workflow, tables, engine, staging=staging)
        found.append(digest(out / "result.csv"))
    assert found[0] == found[1]
