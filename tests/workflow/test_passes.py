"""Large tables are looked at in another way than small ones, and give the same in every part."""

from typing import Any

import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prepwright.workflow import Run
from tests.workflow.running import chained, named, ran

TYPES = pa.schema([("k", pa.float64()), ("t", pa.string()), ("n", pa.int64())])
KEYS = st.sampled_from([None, float("nan"), 0.0, -0.0, 1.5, float("inf")])
ROW = st.fixed_dictionaries(
    {"k": KEYS, "t": st.sampled_from([None, "", "a", "A"]), "n": st.integers(-2, 2)}
)
DEDUP = st.builds(
    lambda key, order, keep: {"operator": "dedup", "key": key, "order": order, "keep": keep},
    st.sampled_from([[], ["k"], ["k", "t"]]),
    st.sampled_from([[], ["n"], ["t DESC", "n NULLS FIRST"], ["abs(n)"]]),
    st.sampled_from(["first", "last", "none"]),
)
BEFORE = st.sampled_from([
    [], [{"operator": "filter", "where": "n >= 0"}],
    [{"operator": "sort", "order": ["n DESC"]}, {"operator": "filter", "where": "n < 2"}],
])  # fmt: skip
AFTER = st.sampled_from([
    [], [{"operator": "filter", "where": "n < 2"}], [{"operator": "sort", "order": ["t"]}],
    [{"operator": "project", "others": True,
      "columns": [{"name": "place", "value": "row_number() OVER (ORDER BY n)"}]}],
    [{"operator": "aggregate", "by": ["t"], "columns": [{"name": "rows", "value": "count(*)"}]}],
    [{"operator": "dedup", "key": ["n"]}],
])  # fmt: skip


def told(done: Run) -> list[Any]:
    """Return all that a run says but its seconds; texts, because NaN is not itself."""
    steps = [
        (s.id, s.rows_in, s.rows, s.columns, repr(s.figures), repr(s.page)) for s in done.steps
    ]
    return [*steps, *(repr(one.to_pylist()) for one in done.outputs.values())]


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(several=st.lists(ROW, max_size=8), before=BEFORE, step=DEDUP, then=AFTER)
def test_rows_dropped_beforehand_are_those_dropped_at_once(
    several: list[dict[str, Any]], before: list[Any], step: dict[str, Any], then: list[Any]
) -> None:
    alone = [{"k": float(n), "t": "x", "n": n % 3} for n in range(100, 140)]
    data = pa.Table.from_pylist([*several, *alone, *several[::2]], schema=TYPES)
    workflow, tables = chained(*before, step, *then), named([data])
    assert told(ran(workflow, tables, large=0)) == told(ran(workflow, tables, large=10_000))


def test_the_few_rows_that_go_are_found_and_told() -> None:
    rows = [{"k": n // 2 if n < 4 else n, "n": n} for n in range(40)]
    workflow = chained({"operator": "dedup", "key": ["k"], "order": ["n DESC"]})
    done = ran(workflow, named([rows]), large=0)
    assert done.step("s1").rows == 38
    assert done.step("s1").figures == {
        "keys_repeated": 2, "keys_repeated_examples": [{"k0": 0, "n": 2}, {"k0": 1, "n": 2}],
    }  # fmt: skip
    assert done.outputs["result.csv"].column("n").to_pylist()[:3] == [1, 3, 4]


def test_a_page_has_the_first_rows_whatever_was_left_out_before_them() -> None:
    rows = [{"k": n % 7, "n": n} for n in range(400)]
    names = [{"k": 3, "name": "three"}, {"k": 5, "name": "five"}]
    join = {"operator": "join", "left": "s2", "right": "second", "how": "left", "on": ["k"]}
    for where, first in (("n > 380", 381), ("n > 5", 6), ("n % 50 = 0", 0), ("n < 0", None)):
        workflow = chained(
            {"operator": "sort", "order": ["n"], "input": "first"},
            {"operator": "filter", "where": where}, join,
            {"operator": "filter", "where": "n IS NOT NULL"}, tables=("first", "second"),
        )  # fmt: skip
        done = ran(workflow, named([rows, names]))
        page = done.step("s3").page
        assert page == done.outputs["result.csv"].to_pylist()[: len(page)]
        assert len(page) == min(20, done.step("s3").rows)
        assert [row["n"] for row in page[:1]] == ([] if first is None else [first])


def test_a_table_joined_to_itself_is_read_whole_on_the_other_side() -> None:
    rows = [{"k": n, "next": (n + 200) % 300} for n in range(300)]
    join = {
        "operator": "join", "left": "s1", "right": "s1", "how": "left", "suffix": "_2",
        "on": [{"left": "next", "right": "k"}],
    }  # fmt: skip
    done = ran(chained({"operator": "filter", "where": "k >= 0"}, join), named([rows]))
    assert [row["k_2"] for row in done.step("s2").page] == list(range(200, 220))
