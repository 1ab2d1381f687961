"""Rows that a step left out are shown with the file and line that they stand on."""

from pathlib import Path
from typing import Any

from prepwright.preparing.folder import Means, Told, write_folder
from prepwright.preparing.inputs import gathered
from prepwright.workflow import Workflow


def lost(
    tmp_path: Path, files: dict[str, str], *steps: dict[str, Any]
) -> dict[str, tuple[str, ...]]:
    for name, content in files.items():
        (tmp_path / f"{name}.csv").write_text(content)
    inputs = [{"id": name, "operator": "input", "table": name} for name in files]
    last = steps[-1]["id"]
    end = {"id": "o", "operator": "output", "input": last, "name": "o.csv"}
    workflow = Workflow.model_validate({"version": 1, "steps": [*inputs, *steps, end]})
    tables = gathered([tmp_path / f"{name}.csv" for name in files])
    written = write_folder(tmp_path / "out", workflow, tables, Means(), Told())
    return dict(written.account.lost)


def test_a_filtered_row_names_its_line_below_title_and_header(tmp_path: Path) -> None:
    found = lost(
        tmp_path, {"t": "Title\n\na,b\n1,x\na,b\n2,y\n3,z\n"},
        {"id": "f", "operator": "filter", "input": "t", "where": "b <> 'y'"},
    )  # fmt: skip
    assert found == {"f": ("left out: t line 6: 2, y",)}


def test_rows_are_followed_through_selection_union_and_sorting(tmp_path: Path) -> None:
    found = lost(
        tmp_path, {"t": "a,b\n1,x\n2,y\n", "u": "a,c\n1,q\n3,r\n"},
        {"id": "only", "operator": "project", "input": "u", "columns": ["a"]},
        {"id": "both", "operator": "union", "inputs": ["t", "only"]},
        {"id": "sorted", "operator": "sort", "input": "both", "order": ["a DESC"]},
        {"id": "one", "operator": "dedup", "input": "sorted", "key": ["a"], "keep": "last"},
        {"id": "top", "operator": "sort", "input": "one", "order": ["a"], "limit": 2},
    )  # fmt: skip
    assert found == {"one": ("left out: t line 2: 1, x",), "top": ("left out: u line 3: 3, ",)}


def test_rows_are_followed_through_a_join(tmp_path: Path) -> None:
    found = lost(
        tmp_path, {"t": "k,v\na,1\nb,2\n", "u": "k,w\na,5\nb,6\n"},
        {"id": "j", "operator": "join", "left": "t", "right": "u", "on": ["k"]},
        {"id": "f", "operator": "filter", "input": "j", "where": "w = '5'"},
    )  # fmt: skip
    assert found == {"f": ("left out: t line 3 with u line 3: b, 2, 6",)}


def test_values_that_were_not_read_are_shown(tmp_path: Path) -> None:
    found = lost(
        tmp_path, {"t": "n\n1\nmany\n\n3\n"},
        {"id": "typed", "operator": "project", "input": "t", "others": True,
         "columns": [{"name": "n", "value": "parse_number(n)"}]},
    )  # fmt: skip
    assert found == {"typed": ("n not read: t line 3: many",)}


def test_rows_of_groups_have_no_single_line(tmp_path: Path) -> None:
    found = lost(
        tmp_path, {"t": "k\na\na\nb\n"},
        {"id": "g", "operator": "aggregate", "input": "t", "by": ["k"],
         "columns": [{"name": "n", "value": "count(*)"}]},
        {"id": "f", "operator": "filter", "input": "g", "where": "n > 1"},
    )  # fmt: skip
    assert found == {}


def test_a_column_that_is_called_like_the_row_number_changes_nothing(tmp_path: Path) -> None:
    found = lost(
        tmp_path, {"t": "row of t,b\n9,x\n8,y\n"},
        {"id": "f", "operator": "filter", "input": "t", "where": "b = 'x'"},
    )  # fmt: skip
    assert found == {"f": ("left out: t line 3: 8, y",)}
