"""Dedup: which row of a key stays, where it stands, and what the facts tell."""

from typing import Any

import pytest

from prepwright.tables import Rows
from tests.workflow.running import after, around, named, ran

ROWS = [
    {"k": "b", "n": 1},
    {"k": None, "n": 2},
    {"k": "a", "n": None},
    {"k": "b", "n": 3},
    {"k": None, "n": 2},
    {"k": "B", "n": 5},
]


def at(*places: int) -> Rows:
    return [ROWS[place] for place in places]


CASES = [
    ("the first of a key, nulls are one key", {"key": ["k"]}, at(0, 1, 2, 5)),
    ("the last of a key, where it stands", {"key": ["k"], "keep": "last"}, at(2, 3, 4, 5)),
    ("no key that repeats", {"key": ["k"], "keep": "none"}, at(2, 5)),
    ("all columns", {}, at(0, 1, 2, 3, 5)),
    ("all columns, none", {"keep": "none"}, at(0, 2, 3, 5)),
    ("by an order", {"key": ["k"], "order": ["n DESC"]}, at(1, 2, 3, 5)),
    ("the last by an order", {"key": ["k"], "order": ["n"], "keep": "last"}, at(2, 3, 4, 5)),
    ("by an expression", {"key": ["k"], "order": ["-n"]}, at(1, 2, 3, 5)),
    ("a tie goes to the earlier row", {"key": ["k"], "order": ["n * 0"]}, at(0, 1, 2, 5)),
    ("a tie for the last goes to the later row",
     {"key": ["k"], "order": ["n * 0"], "keep": "last"}, at(2, 3, 4, 5)),
    ("key in another case", {"key": ["K"]}, at(0, 1, 2, 5)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "wanted"), [pytest.param(*case[1:], id=case[0]) for case in CASES]
)
def test_one_row_of_each_key_stays_where_it_stood(settings: dict[str, Any], wanted: Rows) -> None:
    assert after("dedup", settings, ROWS) == wanted


@pytest.mark.parametrize("keep", ["first", "last", "none"])
def test_the_facts_count_the_keys_that_repeat_with_examples(keep: str) -> None:
    done = ran(around("dedup", {"key": ["k"], "keep": keep}), named([ROWS]))
    facts = done.step("step")
    assert facts.figures["keys_repeated"] == 2
    assert facts.figures["keys_repeated_examples"] == [{"k0": "b", "n": 2}, {"k0": None, "n": 2}]
    assert (facts.rows_in, facts.rows) == ((6,), 2 if keep == "none" else 4)
    assert list(facts.page[0]) == ["k", "n"]


def test_a_row_without_the_value_that_decides_stays_only_where_no_other_has_it() -> None:
    rows = [{"k": 1, "n": None}, {"k": 1, "n": 7}]
    assert after("dedup", {"key": ["k"], "order": ["n"]}, rows) == [rows[1]]
    assert after("dedup", {"key": ["k"], "order": ["n DESC"]}, rows) == [rows[1]]
    assert after("dedup", {"key": ["k"], "order": ["n"], "keep": "last"}, rows) == [rows[1]]
