"""Project: what stays in place, what is replaced, what is unnested, what could not be read."""

from typing import Any

import pytest

from prepwright.tables import Rows
from tests.workflow.running import after, around, named, ran

ROWS = [{"a": 1, "b": "x", "c": None}, {"a": 2, "b": None, "c": "z"}]


def derived(name: str, value: str) -> dict[str, str]:
    return {"name": name, "value": value}


CASES = [
    ("only what is listed, in order", {"columns": ["c", "a"]},
     [{"c": None, "a": 1}, {"c": "z", "a": 2}]),
    ("a name in another case", {"columns": ["A"]}, [{"a": 1}, {"a": 2}]),
    ("a column twice under two names", {"columns": ["a", derived("d", "a")]},
     [{"a": 1, "d": 1}, {"a": 2, "d": 2}]),
    ("a derived column replaces its like in place",
     {"others": True, "columns": [derived("b", "coalesce(b, 'none')")]},
     [{"a": 1, "b": "x", "c": None}, {"a": 2, "b": "none", "c": "z"}]),
    ("new columns come last", {"others": True, "columns": [derived("d", "a * 2")]},
     [{**ROWS[0], "d": 2}, {**ROWS[1], "d": 4}]),
    ("dropped and renamed", {"others": True, "drop": ["b"], "rename": {"c": "B"}},
     [{"a": 1, "B": None}, {"a": 2, "B": "z"}]),
    ("names are swapped", {"others": True, "rename": {"a": "b", "b": "a"}},
     [{"b": 1, "a": "x", "c": None}, {"b": 2, "a": None, "c": "z"}]),
    ("expressions see the input's names", {"others": True, "rename": {"a": "n"},
                                           "columns": [derived("d", "a + 1")]},
     [{"n": 1, "b": "x", "c": None, "d": 2}, {"n": 2, "b": None, "c": "z", "d": 3}]),
    ("two lists side by side", {"columns": [derived("p", "unnest([1, 2])"),
                                            derived("q", "unnest(['x', 'y', 'z'])"), "a"]},
     [{"p": p, "q": q, "a": a} for a in (1, 2) for p, q in ((1, "x"), (2, "y"), (None, "z"))]),
    ("empty and null lists make no row",
     {"columns": ["a", derived("u", "unnest(CASE a WHEN 1 THEN [] ELSE [7] END)")]},
     [{"a": 2, "u": 7}]),
    ("an unnested list and a window", {"columns": [
        derived("u", "unnest([5, 6])"), derived("n", "count(*) OVER ()")]},
     [{"u": u, "n": 2} for _ in range(2) for u in (5, 6)]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "wanted"), [pytest.param(*case[1:], id=case[0]) for case in CASES]
)
def test_columns_are_chosen_and_derived(settings: dict[str, Any], wanted: Rows) -> None:
    made = after("project", settings, ROWS)
    assert made == wanted
    assert [list(row) for row in made] == [list(row) for row in wanted]


READ = [
    ("parse_number(t)", 2, ["x1", "1,2"]),
    ("TRY_CAST(t AS INTEGER)", 3, ["x1", "1,2", "(5)"]),
    ("parse_date(t, ['%Y'])", 4, ["7", "x1", "1,2", "(5)"]),
    ("parse_number(t) * 2 + TRY_CAST('1' AS INTEGER)", 2, ["x1", "1,2"]),
    ("coalesce(parse_number(t), 0)", 2, ["x1", "1,2"]),
    ("sum(parse_number(t)) OVER ()", 2, ["x1", "1,2"]),
]


@pytest.mark.parametrize(("expression", "count", "examples"), READ, ids=[e for e, *_ in READ])
def test_the_facts_tell_which_values_could_not_be_read(
    expression: str, count: int, examples: list[str]
) -> None:
    rows = [{"t": text} for text in ("7", None, "x1", "", "  ", "1,2", "(5)")]
    done = ran(around("project", {"columns": [derived("v", expression)]}), named([rows]))
    figures = done.step("step").figures
    assert figures["unread:v"] == count
    assert [row["value"] for row in figures["unread:v_examples"]] == examples
    assert [column.name for column in done.step("step").columns] == ["v"]


def test_an_unnested_row_that_could_not_be_read_counts_once() -> None:
    rows = [{"t": "x", "l": "a,b,c"}, {"t": "1", "l": "d"}]
    columns = [derived("n", "parse_number(t)"), derived("l", "unnest(string_split(l, ','))")]
    done = ran(around("project", {"columns": columns}), named([rows]))
    assert done.step("step").figures["unread:n"] == 1
    assert done.step("step").rows == 4


def test_an_examples_list_is_short_and_in_the_order_of_the_rows() -> None:
    rows = [{"t": f"bad {n}"} for n in range(100)]
    done = ran(around("project", {"columns": [derived("n", "parse_number(t)")]}), named([rows]))
    figures = done.step("step").figures
    assert figures["unread:n"] == 100
    assert [row["value"] for row in figures["unread:n_examples"]] == [f"bad {n}" for n in range(5)]
