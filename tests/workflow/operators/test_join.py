"""Join: every kind with null and repeated keys, promises, blow-ups, names."""

from typing import Any

import pytest

from prepwright.errors import WorkflowError
from prepwright.tables import Rows
from tests.workflow.running import after, around, fault, named, ran

LEFT = [{"k": "b", "x": 1}, {"k": "a", "x": 2}, {"k": None, "x": 3}, {"k": "b", "x": 4}]
RIGHT = [{"k": "a", "y": 10}, {"k": "b", "y": 20}, {"k": None, "y": 30}, {"k": "c", "y": 40}]


def row(k: str | None, x: int | None, y: int | None) -> dict[str, Any]:
    return {"k": k, "x": x, "y": y}


CASES = [
    ("inner", {"how": "inner", "on": ["k"]},
     [row("b", 1, 20), row("a", 2, 10), row("b", 4, 20)]),
    ("left", {"how": "left", "on": ["k"]},
     [row("b", 1, 20), row("a", 2, 10), row(None, 3, None), row("b", 4, 20)]),
    ("right", {"how": "right", "on": ["k"]},
     [row("b", 1, 20), row("a", 2, 10), row("b", 4, 20), row(None, None, 30), row("c", None, 40)]),
    ("full", {"how": "full", "on": ["k"]},
     [row("b", 1, 20), row("a", 2, 10), row(None, 3, None), row("b", 4, 20),
      row(None, None, 30), row("c", None, 40)]),
    ("semi", {"how": "semi", "on": ["k"]}, [LEFT[0], LEFT[1], LEFT[3]]),
    ("anti", {"how": "anti", "on": ["k"]}, [LEFT[2]]),
    ("nulls match", {"how": "inner", "on": ["k"], "nulls_match": True},
     [row("b", 1, 20), row("a", 2, 10), row(None, 3, 30), row("b", 4, 20)]),
    ("nulls match, anti", {"how": "anti", "on": ["k"], "nulls_match": True}, []),
    ("key in another case", {"how": "inner", "on": ["K"]},
     [row("b", 1, 20), row("a", 2, 10), row("b", 4, 20)]),
    ("expressions", {"how": "inner", "on": [{"left": "upper(k)", "right": "upper(k)"}],
                     "suffix": "_r"},
     [{"k": "b", "x": 1, "k_r": "b", "y": 20}, {"k": "a", "x": 2, "k_r": "a", "y": 10},
      {"k": "b", "x": 4, "k_r": "b", "y": 20}]),
    ("condition", {"how": "left", "on": ["k"], "where": '"left".x > 1 AND "right".y < 99'},
     [row("b", 1, None), row("a", 2, 10), row(None, 3, None), row("b", 4, 20)]),
    ("condition alone", {"how": "inner", "where": '"left".x * 10 = "right".y', "suffix": "_r"},
     [{"k": "b", "x": 1, "k_r": "a", "y": 10}, {"k": "a", "x": 2, "k_r": "b", "y": 20},
      {"k": None, "x": 3, "k_r": None, "y": 30}, {"k": "b", "x": 4, "k_r": "c", "y": 40}]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "wanted"), [pytest.param(*case[1:], id=case[0]) for case in CASES]
)
def test_each_kind_keeps_its_rows_in_the_order_of_the_left(
    settings: dict[str, Any], wanted: Rows
) -> None:
    assert after("join", settings, LEFT, RIGHT) == wanted


def test_a_cross_join_pairs_every_row_with_every_other() -> None:
    made = after("join", {"how": "cross"}, [{"a": 1}, {"a": 2}], [{"b": "x"}, {"b": "y"}])
    assert made == [{"a": 1, "b": "x"}, {"a": 1, "b": "y"}, {"a": 2, "b": "x"}, {"a": 2, "b": "y"}]


def test_a_table_joins_itself() -> None:
    rows = [{"id": 1, "boss": None}, {"id": 2, "boss": 1}]
    settings = {"left": "first", "right": "first", "how": "left", "suffix": "_of_boss",
                "on": [{"left": "boss", "right": "id"}]}  # fmt: skip
    made = after("join", settings, rows)
    assert made == [
        {"id": 1, "boss": None, "id_of_boss": None, "boss_of_boss": None},
        {"id": 2, "boss": 1, "id_of_boss": 1, "boss_of_boss": None},
    ]


def test_repeated_keys_on_both_sides_give_every_pair_in_order() -> None:
    left, right = [{"k": 1, "x": x} for x in "ab"], [{"k": 1, "y": y} for y in "cd"]
    made = after("join", {"on": ["k"]}, left, right)
    assert [(r["x"], r["y"]) for r in made] == [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]


def test_keys_of_several_columns_match_all_together() -> None:
    left = [{"a": 1, "b": "x"}, {"a": 1, "b": "y"}]
    right = [{"a": 1, "b": "y", "c": 9}, {"a": 2, "b": "x", "c": 8}]
    assert after("join", {"on": ["a", "b"]}, left, right) == [{"a": 1, "b": "y", "c": 9}]


@pytest.mark.parametrize(
    ("promise", "right", "broken"),
    [("1:1", RIGHT, "left"), ("1:n", RIGHT, "left"), ("n:1", RIGHT, ""), ("n:n", RIGHT, ""),
     ("n:1", [*RIGHT, {"k": "a", "y": 1}], "right"), ("1:n", [*RIGHT, {"k": "a", "y": 1}], "left"),
     ("n:n", [*RIGHT, {"k": "a", "y": 1}], "")],
)  # fmt: skip
def test_a_broken_promise_stops_the_run_with_the_keys(
    promise: str, right: Rows, broken: str
) -> None:
    workflow = around("join", {"on": ["k"], "cardinality": promise}, 2)
    if not broken:
        ran(workflow, named([LEFT, right]))
        return
    with pytest.raises(WorkflowError) as raised:
        ran(workflow, named([LEFT, right]))
    text = str(raised.value)
    assert f"1 keys of the {broken} table occur more than once" in text
    assert f"promised {promise}" in text
    assert ("'b / 2'" if broken == "left" else "'a / 2'") in text


def test_a_blow_up_that_nobody_promised_stops_before_it_happens() -> None:
    rows = [{"k": 1, "x": n} for n in range(1_000)]
    right = [{"k": 1, "y": n} for n in range(1_000)]
    with pytest.raises(WorkflowError) as raised:
        ran(around("join", {"on": ["k"]}, 2), named([rows, right]))
    assert "the join would make 1,000,000 rows of 1,000" in str(raised.value)
    assert "n:n" in str(raised.value)
    promised = around("join", {"on": ["k"], "cardinality": "n:n", "how": "semi"}, 2)
    assert ran(promised, named([rows, right])).rows["result.csv"] == 1_000


@pytest.mark.parametrize("how", ["inner", "left", "full"])
def test_the_facts_tell_what_found_no_match_with_examples(how: str) -> None:
    done = ran(around("join", {"on": ["k"], "how": how}, 2), named([LEFT, RIGHT]))
    figures = done.step("step").figures
    assert figures["left_unmatched"] == 1
    assert figures["left_unmatched_examples"] == [{"k0": None}]
    assert figures["right_unmatched"] == 2
    assert figures["right_unmatched_examples"] == [{"k0": None}, {"k0": "c"}]
    assert figures["right_keys_repeated"] == 0
    assert done.step("step").rows_in == (4, 4)


def test_the_facts_tell_repeated_keys_and_the_rows_they_made() -> None:
    twice = [*RIGHT, {"k": "b", "y": 21}]
    done = ran(around("join", {"on": ["k"], "how": "left"}, 2), named([LEFT, twice]))
    figures = done.step("step").figures
    assert figures["right_keys_repeated"] == 1
    assert figures["right_keys_repeated_examples"] == [{"k0": "b", "n": 2}]
    assert done.step("step").rows == 6


def test_a_left_join_that_is_not_kept_still_tells_its_rows_and_page() -> None:
    done = ran(around("join", {"on": ["k"], "how": "left"}, 2), named([LEFT, RIGHT]))
    assert done.step("step").rows == 4
    assert done.step("step").page == after("join", {"on": ["k"], "how": "left"}, LEFT, RIGHT)


def test_a_join_without_key_or_a_cross_join_with_one_is_a_fault() -> None:
    assert "the join has no key" in fault("join", {}, LEFT, RIGHT)
    assert "a cross join has no keys" in fault("join", {"how": "cross", "on": ["k"]}, LEFT, RIGHT)


def test_keys_of_different_types_are_a_fault_or_match_by_value() -> None:
    text = fault("join", {"on": ["k"]}, [{"k": "1"}], [{"k": 1, "y": 2}])
    made = [] if text else after("join", {"on": ["k"]}, [{"k": "1"}], [{"k": 1, "y": 2}])
    assert text or made == [{"k": "1", "y": 2}]
