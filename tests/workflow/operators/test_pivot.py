"""Pivot: odd names that become columns, nulls, types, both directions and back."""

from typing import Any

import pytest

from prepwright.errors import WorkflowError
from prepwright.tables import Rows
from tests.workflow.running import after, around, fault, named, ran

LONG = [
    {"id": 1, "m": "jan", "n": 5},
    {"id": 2, "m": "feb", "n": 6},
    {"id": 1, "m": "jan", "n": 2},
    {"id": 2, "m": None, "n": 9},
]


def wider(value: str = "sum(n)", **settings: Any) -> dict[str, Any]:
    made = {"direction": "wider", "by": ["id"], "names": "m"}
    return {**made, "values": [{"name": "", "value": value}], **settings}


CASES = [
    ("names found in the data, sorted", LONG, wider(),
     [{"id": 1, "feb": None, "jan": 7}, {"id": 2, "feb": 6, "jan": None}]),
    ("names given, in their order", LONG, wider(domain=["jan", "feb", "mar"]),
     [{"id": 1, "jan": 7, "feb": None, "mar": None},
      {"id": 2, "jan": None, "feb": 6, "mar": None}]),
    ("several values", LONG, wider(domain=["jan"], values=[
        {"name": "sum", "value": "sum(n)"}, {"name": "n", "value": "count(*)"}]),
     [{"id": 1, "jan_sum": 7, "jan_n": 2}, {"id": 2, "jan_sum": None, "jan_n": 0}]),
    ("no by column", LONG, wider(by=[], domain=["jan", "feb"]), [{"jan": 7, "feb": 6}]),
    ("names that are numbers", [{"id": 1, "m": 10, "n": 1}, {"id": 1, "m": 9, "n": 2}], wider(),
     [{"id": 1, "9": 2, "10": 1}]),
    ("odd names", [{"id": 1, "m": text, "n": 1} for text in
                   ("a b", 'say "x"', "it's", "select", "é", "a.b", "%", "1")],
     wider(), [{"id": 1, "%": 1, "1": 1, "a b": 1, "a.b": 1, "it's": 1, 'say "x"': 1,
                "select": 1, "é": 1}]),
    ("an expression of aggregates", LONG, wider("sum(n) * 1.0 / count(*)", domain=["jan"]),
     [{"id": 1, "jan": 3.5}, {"id": 2, "jan": None}]),
    ("an aggregate with a condition", LONG, wider("sum(n) FILTER (WHERE n > 4)", domain=["jan"]),
     [{"id": 1, "jan": 5}, {"id": 2, "jan": None}]),
    ("a percentile", LONG, wider("percentile_cont(0.5) WITHIN GROUP (ORDER BY n)", domain=["jan"]),
     [{"id": 1, "jan": 3.5}, {"id": 2, "jan": None}]),
    ("first by row order", LONG, wider("first(n)", domain=["jan"]),
     [{"id": 1, "jan": 5}, {"id": 2, "jan": None}]),
    ("a product", LONG, wider("product(n)", domain=["jan"]),
     [{"id": 1, "jan": 10.0}, {"id": 2, "jan": None}]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "settings", "wanted"), [pytest.param(*case[1:], id=case[0]) for case in CASES]
)
def test_wider(before: Rows, settings: dict[str, Any], wanted: Rows) -> None:
    assert after("pivot", settings, before) == wanted


@pytest.mark.parametrize(
    ("aggregate", "wanted"),
    [("mad(n)", 1.5), ("entropy(n)", 1.0), ("any_value(n)", 5), ("mode(n)", 5), ("mean(n)", 3.5),
     ("arg_max(n, n)", 5), ("string_agg(n::VARCHAR, '-')", "5-2"), ("list(n)", [5, 2]),
     ("stddev_pop(n)", 1.5), ("count(DISTINCT n)", 2), ("quantile_cont(n, 0.5)", 3.5),
     ("max(n) - min(n)", 3), ("bool_or(n > 4)", True)],
)  # fmt: skip
def test_every_kind_of_aggregate_sees_the_rows_of_its_column_alone(
    aggregate: str, wanted: Any
) -> None:
    rows = [*LONG[:3], {"id": 1, "m": "feb", "n": 1000}]
    assert after("pivot", wider(aggregate, domain=["jan"]), rows)[0] == {"id": 1, "jan": wanted}


def test_found_names_are_written_into_the_workflow_that_is_returned() -> None:
    done = ran(around("pivot", wider()), named([LONG]))
    assert done.workflow.step("step").domain == ("feb", "jan")  # type: ignore[attr-defined]
    assert ran(done.workflow, named([LONG])).outputs == done.outputs


def test_names_that_differ_in_case_alone_are_a_fault() -> None:
    rows = [{"id": 1, "m": "A", "n": 1}, {"id": 1, "m": "a", "n": 2}]
    with pytest.raises(WorkflowError, match="two result columns are called 'a'"):
        ran(around("pivot", wider()), named([rows]))


def test_too_many_names_are_a_fault() -> None:
    rows = [{"id": 1, "m": f"m{n}", "n": 1} for n in range(2_100)]
    with pytest.raises(WorkflowError, match="columns"):
        ran(around("pivot", wider()), named([rows]))


def longer(**settings: Any) -> dict[str, Any]:
    return {"direction": "longer", "names": "name", "values": "value", **settings}


WIDE = [{"id": "x", "a": 1, "b": None}, {"id": "y", "a": None, "b": 4}]
LONGER = [
    ("empty cells are dropped", WIDE, longer(columns=["a", "b"]),
     [{"id": "x", "name": "a", "value": 1}, {"id": "y", "name": "b", "value": 4}]),
    ("empty cells are kept", WIDE, longer(columns=["b", "a"], nulls=True),
     [{"id": "x", "name": "b", "value": None}, {"id": "x", "name": "a", "value": 1},
      {"id": "y", "name": "b", "value": 4}, {"id": "y", "name": "a", "value": None}]),
    ("all but some", WIDE, longer(**{"except": ["ID"]}),
     [{"id": "x", "name": "a", "value": 1}, {"id": "y", "name": "b", "value": 4}]),
    ("all columns", [{"a": 1, "b": 2}], longer(**{"except": []}),
     [{"name": "a", "value": 1}, {"name": "b", "value": 2}]),
    ("whole and broken numbers", [{"a": 1, "b": 2.5}], longer(columns=["a", "b"]),
     [{"name": "a", "value": 1.0}, {"name": "b", "value": 2.5}]),
    ("numbers and text", [{"a": 1, "b": "z"}], longer(columns=["a", "b"]),
     [{"name": "a", "value": "1"}, {"name": "b", "value": "z"}]),
    ("odd column names", [{"it's": 1, 'a "b"': 2}], longer(**{"except": []}),
     [{"name": "it's", "value": 1}, {"name": 'a "b"', "value": 2}]),
    ("a new name that a turned column had", [{"a": 1, "value": 2}],
     longer(columns=["a", "value"]), [{"name": "a", "value": 1}, {"name": "value", "value": 2}]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "settings", "wanted"), [pytest.param(*case[1:], id=case[0]) for case in LONGER]
)
def test_longer(before: Rows, settings: dict[str, Any], wanted: Rows) -> None:
    assert after("pivot", settings, before) == wanted


def test_a_new_name_that_a_kept_column_has_is_a_fault() -> None:
    text = fault("pivot", {**longer(columns=["a"]), "names": "b"}, WIDE)
    assert "two result columns are called 'b'" in text
