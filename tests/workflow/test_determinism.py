"""Random tables through random operators give the same bytes with 1, 2 and 4 threads."""

import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.workflow.running import chained, faults, named, written

TEXTS = st.sampled_from([None, "", "a", "A", "b", "é", "a b", "10", "1,5", "2024-01-02"])
NUMBERS = st.one_of(
    st.none(),
    st.sampled_from([0.0, -0.0, 0.1, 0.2, 1e-17, 1e16, -1e16, 1e300]),
    st.floats(-1e9, 1e9),
)
ROWS = st.lists(
    st.fixed_dictionaries(
        {"k": TEXTS, "t": TEXTS, "n": st.one_of(st.none(), st.integers(-5, 5)), "x": NUMBERS}
    ),
    max_size=12,
)
TYPES = pa.schema([("k", pa.string()), ("t", pa.string()), ("n", pa.int64()), ("x", pa.float64())])

DERIVED = st.sampled_from([
    "row_number() OVER (PARTITION BY k ORDER BY x)", "sum(x) OVER (PARTITION BY k)",
    "lag(t) OVER (ORDER BY n)", "avg(x) OVER (ORDER BY n)", "upper(t)", "parse_number(t)",
    "x / n", "mode(t) OVER (PARTITION BY k)", "string_agg(t, '|') OVER (PARTITION BY k)",
])  # fmt: skip
GROUPED = st.sampled_from([
    "sum(x)", "avg(x)", "count(DISTINCT t)", "first(t)", "last(t)", "string_agg(t, '|')",
    "mode(t)", "arg_max(t, x)", "stddev(x)", "median(x)", "any_value(t)", "list(t)[1]",
])  # fmt: skip

KEPT = st.one_of(
    st.builds(lambda c: {"operator": "filter", "where": c},
              st.sampled_from(["n > 0", "t IS NOT NULL", "x < 1e10 OR k = 'a'"])),
    st.builds(lambda e: {"operator": "project", "others": True,
                         "columns": [{"name": "extra", "value": e}]}, DERIVED),
    st.builds(lambda o, n, p: {"operator": "sort", "order": o, "limit": n, "per": p},
              st.lists(st.sampled_from(["x DESC", "t", "n NULLS FIRST", "length(t)"]), max_size=2),
              st.integers(1, 6), st.sampled_from([[], ["k"]])),
    st.builds(lambda k, o, keep: {"operator": "dedup", "key": k, "order": o, "keep": keep},
              st.sampled_from([[], ["k"], ["t", "n"]]), st.sampled_from([[], ["x"], ["n DESC"]]),
              st.sampled_from(["first", "last", "none"])),
    st.just({"operator": "union", "inputs": ["first", "second"], "distinct": True}),
    st.builds(lambda how: {"operator": "join", "left": "first", "right": "second", "how": how,
                           "on": ["k"], "suffix": "_2", "cardinality": "n:n"},
              st.sampled_from(["inner", "left", "right", "full", "semi", "anti"])),
)  # fmt: skip
LAST = st.one_of(
    st.just(None),
    st.builds(lambda v: {"operator": "aggregate", "by": ["k"],
                         "columns": [{"name": f"v{n}", "value": e} for n, e in enumerate(v)]},
              st.lists(GROUPED, min_size=1, max_size=3)),
    st.builds(lambda v: {"operator": "pivot", "direction": "wider", "by": ["k"], "names": "t",
                         "values": [{"name": "", "value": v}], "domain": ["a", "b", "10"]},
              GROUPED),
    st.just({"operator": "pivot", "direction": "longer", "except": ["k"], "names": "what",
             "values": "cell"}),
)  # fmt: skip


def table(rows: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=TYPES)


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(first=ROWS, second=ROWS, steps=st.lists(KEPT, min_size=1, max_size=3), last=LAST)
def test_the_number_of_threads_changes_no_byte(
    first: list[dict[str, Any]], second: list[dict[str, Any]], steps: list[dict[str, Any]],
    last: dict[str, Any] | None,
) -> None:  # fmt: skip
    chain, seen = [], False
    for step in steps:
        reads_both = "inputs" in step or "left" in step
        if reads_both and (seen or chain):
            continue  # these read the two tables themselves, so they only come first
        seen |= reads_both
        chain.append(step)
    if not seen:
        chain.insert(0, {"operator": "union", "inputs": ["first", "second"]})
    workflow = chained(*chain, *([last] if last else []), tables=("first", "second"))
    tables = named([table(first), table(second)])
    assert not faults(workflow, tables)
    found = []
    for threads in (1, 2, 4):
        with tempfile.TemporaryDirectory() as folder:
            found.append(written(workflow, tables, Path(folder), threads))
    assert found[0] == found[1] == found[2]
