"""Sort: stable, nulls last, limits for all rows and for each group."""

from typing import Any

import pytest

from prepwright.tables import Rows
from tests.workflow.running import after, chained, named, ran

ROWS = [
    {"g": g, "n": n} for g, n in [("b", 2), ("a", 1), ("b", None), ("a", 3), ("b", 2), (None, 9)]
]


def at(*places: int) -> Rows:
    return [ROWS[place] for place in places]


CASES = [
    ("ties keep their order", {"order": ["g"]}, at(1, 3, 0, 2, 4, 5)),
    ("two keys", {"order": ["g", "n DESC"]}, at(3, 1, 0, 4, 2, 5)),
    ("an expression", {"order": ["n % 2", "n"]}, at(0, 4, 1, 3, 5, 2)),
    ("a window", {"order": ["count(*) OVER (PARTITION BY g)", "n"]}, at(5, 1, 3, 0, 4, 2)),
    ("a comma in a text", {"order": ["replace(g, 'a', ',')", "n"]}, at(1, 3, 0, 4, 2, 5)),
    ("no order keeps the rows", {"limit": 2}, at(0, 1)),
    ("offset", {"order": ["n"], "offset": 4}, at(5, 2)),
    ("limit and offset", {"order": ["n"], "limit": 2, "offset": 1}, at(0, 4)),
    ("limit 0", {"limit": 0}, []),
    ("limit beyond the end", {"order": ["n DESC"], "limit": 99}, at(5, 3, 0, 4, 1, 2)),
    ("limit of each group", {"order": ["n DESC"], "limit": 1, "per": ["g"]}, at(5, 3, 0)),
    ("offset of each group", {"order": ["n DESC"], "offset": 1, "per": ["g"]}, at(4, 1, 2)),
    ("limit of each group without order", {"limit": 1, "per": ["g"]}, at(0, 1, 5)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "wanted"), [pytest.param(*case[1:], id=case[0]) for case in CASES]
)
def test_rows_stand_in_order_and_ties_as_before(settings: dict[str, Any], wanted: Rows) -> None:
    assert after("sort", settings, ROWS) == wanted


def test_a_sort_is_kept_by_the_steps_that_follow() -> None:
    workflow = chained(
        {"operator": "sort", "order": ["n DESC"]},
        {"operator": "filter", "where": "n < 9"},
        {"operator": "project",
         "columns": ["g", {"name": "place", "value": "row_number() OVER ()"}]},
        {"operator": "dedup", "key": ["g"]},
    )  # fmt: skip
    made = ran(workflow, named([ROWS])).outputs["result.csv"].to_pylist()
    assert made == [{"g": "a", "place": 1}, {"g": "b", "place": 2}]
