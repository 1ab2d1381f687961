"""Column names that SQL could trip over pass through every operator."""

from typing import Any

import pytest

from tests.workflow.running import after, around, fault, named, ran

NAMES = ["a b", 'say "x"', "it's", "select", "GROUP", "a.b", "é", "日本", "1",
         " x ", "x;--", "left",
         "right", "order", "100%", "{n}", "$1", "\\", "a,b", "result", "count(*)", "tab\there",
         "x" * 300]  # fmt: skip


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@pytest.mark.parametrize("name", NAMES)
def test_a_name_passes_through_every_operator(name: str) -> None:
    rows = [{name: "v", "k": 2}, {name: "u", "k": 1}, {name: None, "k": 3}]
    column = quoted(name)
    two = [{name: "u"}, {name: "v"}]
    assert after("filter", {"where": f"{column} = 'v'"}, rows) == [rows[0]]
    assert after("project", {"columns": [name]}, rows) == [{name: row[name]} for row in rows]
    upper = {"columns": [{"name": name, "value": f"upper({column})"}]}
    assert after("project", upper, rows) == [{name: "V"}, {name: "U"}, {name: None}]
    assert after("sort", {"order": [f"{column} DESC"], "limit": 1}, rows) == [rows[0]]
    assert after("dedup", {"key": [name], "order": [column]}, rows) == rows
    count = {"by": [name], "columns": [{"name": "n", "value": f"count({column})"}]}
    assert after("aggregate", count, rows[:1]) == [{name: "v", "n": 1}]
    assert after("join", {"on": [name], "how": "semi"}, rows, two) == rows[:2]
    assert after("join", {"on": [name]}, rows, two) == rows[:2]
    assert after("union", {}, two, two) == [*two, *two]
    longer = {"direction": "longer", "columns": [name], "names": "what", "values": "value"}
    assert after("pivot", longer, rows[:1]) == [{"k": 2, "what": name, "value": "v"}]
    wider = {"direction": "wider", "by": [], "names": name, "values": [
        {"name": "", "value": "sum(k)"}]}  # fmt: skip
    assert after("pivot", wider, rows) == [{"u": 1, "v": 2}]
    made = after("output", {"name": "x.csv", "columns": [name]}, rows)
    assert made == [{name: row[name]} for row in rows]


def test_a_name_may_be_written_in_any_case_but_is_kept_as_it_was() -> None:
    rows = [{"Größe": 1, "ID": 2}]
    assert after("project", {"columns": ["größe", "id"]}, rows) == rows
    assert after("filter", {"where": "id = 2 AND größe = 1"}, rows) == rows


@pytest.mark.parametrize("operator", ["filter", "sort", "dedup"])
def test_a_lambda_may_use_the_name_of_a_column(operator: str) -> None:
    text = "len(list_filter([1, 2, 3], lambda x: x > 1)) = 2 AND x = 5"
    settings: dict[str, Any] = {"where": text} if operator == "filter" else {"order": [text]}
    assert not fault(operator, settings, [{"x": 5}])
    done = ran(around(operator, settings), named([[{"x": 5}]]))
    assert done.outputs["result.csv"].to_pylist() == [{"x": 5}]
