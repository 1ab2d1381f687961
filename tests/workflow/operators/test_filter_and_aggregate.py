"""Filter and aggregate: null conditions, null groups, empty tables."""

from typing import Any

import pyarrow as pa
import pytest

from prepwright.tables import Rows
from tests.workflow.running import after, around, chained, named, ran, table

ROWS = [{"g": "b", "n": 1}, {"g": None, "n": 2}, {"g": "a", "n": None}, {"g": "b", "n": 4}]


@pytest.mark.parametrize(
    ("where", "kept", "nulls"),
    [("n > 1", [1, 3], 1), ("NOT n > 1", [0], 1), ("n IS NULL", [2], 0), ("g = 'b'", [0, 3], 1),
     ("n > 1 OR g = 'a'", [1, 2, 3], 0), ("true", [0, 1, 2, 3], 0),
     ("false", [], 0), ("n IN (1, NULL)", [0], 3), ("n / 0 > 1", [], 4),
     ("g IS NOT DISTINCT FROM NULL", [1], 0)],
)  # fmt: skip
def test_null_counts_as_not_kept_and_is_counted(where: str, kept: list[int], nulls: int) -> None:
    done = ran(around("filter", {"where": where}), named([ROWS]))
    assert done.outputs["result.csv"].to_pylist() == [ROWS[place] for place in kept]
    facts = done.step("step")
    assert facts.figures["condition_null"] == nulls
    assert (facts.rows_in, facts.rows) == ((4,), len(kept))
    assert facts.page == [ROWS[place] for place in kept]


def test_a_window_in_a_condition_sees_all_rows() -> None:
    made = after(
        "filter", {"where": "row_number() OVER (PARTITION BY g ORDER BY n DESC) = 1"}, ROWS
    )
    assert made == [ROWS[1], ROWS[2], ROWS[3]]


def test_filters_one_after_the_other_each_tell_their_rows() -> None:
    steps = [{"operator": "filter", "where": f"n <> {number}"} for number in (1, 2, 4)]
    done = ran(chained(*steps), named([ROWS]))
    assert [done.step(f"s{number}").rows for number in (1, 2, 3)] == [2, 1, 0]
    assert done.outputs["result.csv"].num_rows == 0


def aggregate(by: list[str], **values: str) -> dict[str, Any]:
    return {"by": by, "columns": [{"name": n, "value": v} for n, v in values.items()]}


CASES = [
    ("null is a group, last", ROWS, aggregate(["g"], n="count(*)", s="sum(n)"),
     [{"g": "a", "n": 1, "s": None}, {"g": "b", "n": 2, "s": 5}, {"g": None, "n": 1, "s": 2}]),
    ("no group is one row", ROWS, aggregate([], n="count(n)", m="min(g)"), [{"n": 3, "m": "a"}]),
    ("groups alone", ROWS, aggregate(["G"]), [{"g": "a"}, {"g": "b"}, {"g": None}]),
    ("values of values", ROWS, aggregate(["g"], r="sum(n) / count(*)"),
     [{"g": "a", "r": None}, {"g": "b", "r": 2.5}, {"g": None, "r": 2.0}]),
    ("a constant and the group", ROWS, aggregate(["g"], u="upper(g)", one="1"),
     [{"g": "a", "u": "A", "one": 1}, {"g": "b", "u": "B", "one": 1},
      {"g": None, "u": None, "one": 1}]),
    ("a share of the whole", ROWS, aggregate(["g"], p="sum(n) / sum(sum(n)) OVER ()"),
     [{"g": "a", "p": None}, {"g": "b", "p": 5 / 7}, {"g": None, "p": 2 / 7}]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "settings", "wanted"), [pytest.param(*case[1:], id=case[0]) for case in CASES]
)
def test_groups_come_in_the_order_of_their_keys(
    before: Rows, settings: dict[str, Any], wanted: Rows
) -> None:
    assert after("aggregate", settings, before) == wanted


def test_an_empty_table_has_one_row_without_groups_and_none_with() -> None:
    empty = next(table("t", ROWS).batches()).slice(0, 0)
    rows = pa.Table.from_batches([empty])
    settings = aggregate([], n="count(*)", s="sum(n)", t="string_agg(g, ',')")
    assert after("aggregate", settings, rows) == [{"n": 0, "s": None, "t": None}]
    assert after("aggregate", aggregate(["g"], n="count(*)"), rows) == []
