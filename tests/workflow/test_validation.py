"""Validation finds every fault at once, says which step it is, and reads no rows."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

from prepwright import engines
from prepwright.errors import WorkflowError
from prepwright.tables import Schema, Source, Table
from prepwright.workflow import OPERATORS, Workflow, validate
from prepwright.workflow.validation import faults_of
from tests.workflow.running import (
    around,
    chained,
    checking_engine,
    fault,
    faults,
    named,
    output,
    ran,
    table,
    three_lines,
)  # fmt: skip

ORDERS = [{"id": 1, "name": "Ann", "amount": 2.5, "day": "2024-01-01", "paid": True}]
TABLES = {"first": table("first", ORDERS), "second": table("second", [{"id": 1, "name": "x"}])}


def found(*steps: dict[str, Any], **options: Any) -> list[WorkflowError]:
    workflow = Workflow.from_data({"version": 1, "steps": list(steps)})
    return faults(workflow, TABLES, **options)


FIRST = {"id": "first", "operator": "input", "table": "first"}
SECOND = {"id": "second", "operator": "input", "table": "second"}


CASES = [
    ("unknown column", "filter", {"where": "amuont > 1"}, ["no column 'amuont'", "'amount'"]),
    ("unknown bare column", "project", {"columns": ["nmae"]}, ["no column 'nmae'", "'name'"]),
    ("unknown key", "dedup", {"key": ["idd"]}, ["no column 'idd'", "did you mean 'id'?"]),
    ("unknown group", "aggregate", {"by": ["naem"], "columns": []}, ["'naem'", "'name'"]),
    ("unknown order", "sort", {"order": ["amont DESC"]}, ["no column 'amont'", "'amount'"]),
    ("unknown per", "sort", {"limit": 1, "per": ["x"]}, ["no column 'x'"]),
    ("unknown drop", "project", {"drop": ["x"], "others": True}, ["no column 'x'"]),
    ("unknown rename", "project", {"rename": {"x": "y"}, "others": True}, ["no column 'x'"]),
    ("unknown names", "pivot", {"direction": "wider", "by": ["id"], "names": "x", "domain": ["a"],
                                "values": [{"name": "", "value": "count(*)"}]}, ["no column 'x'"]),
    ("unknown output column", "output", {"name": "x.csv", "columns": ["x"]}, ["no column 'x'"]),
    ("text plus number", "project", {"columns": [{"name": "v", "value": "name + 1"}]},
     ["types that do not fit", "parse_number"]),
    ("sum of text", "aggregate", {"columns": [{"name": "v", "value": "sum(name)"}]}, ["sum"]),
    ("condition no boolean", "filter", {"where": "amount"}, ["not true or false", "DOUBLE"]),
    ("number against text", "filter", {"where": "amount > 'much'"},
     ["'amount' is compared with 'much'", "DOUBLE"]),
    ("literal in list", "filter", {"where": "id IN ('1', 'two')"}, ["compared with 'two'"]),
    ("impossible date", "filter", {"where": "CAST(day AS DATE) > DATE '2024-99-99'"}, ["date"]),
    ("unknown function", "project", {"columns": [{"name": "v", "value": "uper(name)"}]},
     ["no function 'uper'", "did you mean 'upper'?"]),
    ("macro arguments", "project", {"columns": [{"name": "v", "value": "parse_date(day)"}]},
     ["parse_date takes 2", "write parse_date("]),
    ("two columns of a name", "project", {"columns": ["id", {"name": "ID", "value": "1"}]},
     ["two result columns are called 'ID'"]),
    ("rename onto another", "project", {"rename": {"id": "name"}, "others": True},
     ["two result columns are called 'name'"]),
    ("reserved name", "project", {"columns": [{"name": "__row", "value": "1"}]}, ["'__row'"]),
    ("empty name", "project", {"columns": [{"name": "", "value": "1"}]}, ["''"]),
    ("no column left", "project", {"columns": []}, ["no column is left"]),
    ("rename without others", "project", {"columns": ["id"], "rename": {"id": "x"}},
     ["rename and drop go with others"]),
    ("per without limit", "sort", {"order": ["id"], "per": ["id"]}, ["per needs a limit"]),
    ("aggregate of nothing", "aggregate", {}, ["nothing to compute"]),
    ("several values in a group", "aggregate", {"by": ["id"],
     "columns": [{"name": "v", "value": "amount"}]}, ["amount"]),
    ("values as text when wider", "pivot", {"direction": "wider", "by": ["id"], "names": "name",
     "values": "amount"}, ["values lists aggregates"]),
    ("values as list when longer", "pivot", {"direction": "longer", "columns": ["id"],
     "names": "n", "values": [{"name": "", "value": "sum(id)"}]}, ["values names one new column"]),
    ("nothing to turn", "pivot", {"direction": "longer", "names": "n", "values": "v",
     "except": ["id", "name", "amount", "day", "paid"]}, ["no column is left to turn"]),
    ("folder in the name", "output", {"name": "../x.csv"}, ["not a plain file name"]),
    ("unknown format", "output", {"name": "x.doc"}, ["no known format", ".csv"]),
    ("broken script", "script", {"code": "def f(:", "columns": [{"name": "a"}]}, ["not Python"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("operator", "settings", "said"),
    [pytest.param(*case[1:], id=case[0]) for case in CASES],
)
def test_a_fault_is_named_with_its_step_and_a_way_out(
    operator: str, settings: dict[str, Any], said: list[str]
) -> None:
    text = fault(operator, settings, ORDERS)
    assert text.startswith(f"step step {operator}: ")
    assert len(text.split("\n")) % 3 == 0
    for part in said:
        assert part in text


SHAPES = [
    ("unknown operator", {"operator": "fliter", "input": "first"}, ["'fliter'", "'filter'"]),
    ("unknown setting", {"operator": "filter", "input": "first", "where": "true", "wheer": "x"},
     ["'wheer'", "'where'"]),
    ("missing setting", {"operator": "filter", "input": "first"}, ["'where' is missing"]),
    ("wrong type", {"operator": "sort", "input": "first", "limit": "many"}, ["limit"]),
    ("negative limit", {"operator": "sort", "input": "first", "limit": -1}, ["limit"]),
    ("unknown kind of join", {"operator": "join", "left": "first", "right": "second",
                              "how": "sideways"}, ["how"]),
    ("union of one", {"operator": "union", "inputs": ["first"]}, ["inputs"]),
    ("bad id", {"id": "a b", "operator": "filter", "input": "first", "where": "true"}, ["id"]),
    ("long script", {"operator": "script", "inputs": ["first"], "code": "#" * 1501,
                     "columns": [{"name": "a"}]}, ["code"]),
    ("no step at all", "filter", ["a step is an object"]),
]  # fmt: skip


@pytest.mark.parametrize(("step", "said"), [pytest.param(*case[1:], id=case[0]) for case in SHAPES])
def test_a_fault_of_the_shape_is_named_with_its_step(step: Any, said: list[str]) -> None:
    named_step = {"id": "s", **step} if isinstance(step, dict) else step
    with pytest.raises(WorkflowError) as raised:
        Workflow.from_data({"version": 1, "steps": [FIRST, SECOND, named_step, output("s")]})
    assert all(three_lines(one) for one in raised.value.faults)
    assert "step 3" in str(raised.value)
    for part in said:
        assert part in str(raised.value)


def test_a_circle_is_told_step_by_step() -> None:
    texts = [str(one) for one in found(
        FIRST,
        {"id": "a", "operator": "union", "inputs": ["first", "c"]},
        {"id": "b", "operator": "filter", "input": "a", "where": "true"},
        {"id": "c", "operator": "filter", "input": "b", "where": "true"},
        output("c"),
    )]  # fmt: skip
    assert any("circle" in text and "→" in text for text in texts)


def test_a_step_that_reads_itself_is_a_circle() -> None:
    texts = [str(one) for one in found(
        FIRST, {"id": "a", "operator": "union", "inputs": ["first", "a"]}, output("a")
    )]  # fmt: skip
    assert any("circle" in text for text in texts)


def test_a_source_that_is_no_step_comes_with_a_suggestion() -> None:
    texts = [str(one) for one in found(
        FIRST, {"id": "a", "operator": "filter", "input": "frist", "where": "true"}, output("a")
    )]  # fmt: skip
    assert any("'frist'" in text and "did you mean 'first'?" in text for text in texts)


def test_structure_faults_are_all_found_at_once() -> None:
    texts = "\n".join(map(str, found(
        FIRST,
        SECOND,
        {"id": "FIRST", "operator": "filter", "input": "first", "where": "true"},
        {"id": "unused", "operator": "filter", "input": "first", "where": "true"},
        {"id": "both", "operator": "join", "left": "first", "right": "second", "on": ["id"],
         "off": True, "suffix": "_2"},
        output("both", "x.csv"),
        output("FIRST", "X.CSV"),
    )))  # fmt: skip
    assert "2 steps are called 'first'" in texts
    assert "step unused filter: no step reads it" in texts
    assert "step both join: cannot be switched off" in texts
    assert "writes 'X.CSV', which 'out_both' writes too" in texts


def test_a_workflow_without_output_or_with_one_in_the_middle_is_at_fault() -> None:
    assert "no output" in str(found(FIRST)[0])
    middle = output("first")
    after = {"id": "f", "operator": "filter", "input": middle["id"], "where": "true"}
    texts = "\n".join(map(str, found(FIRST, middle, after, output("f", "y.csv"))))
    assert "is read by another step" in texts


def test_a_table_that_nobody_gave_is_named() -> None:
    step = {"id": "x", "operator": "input", "table": "frist"}
    text = str(found(step, output("x"))[0])
    assert "no table 'frist'" in text
    assert "did you mean 'first'?" in text


def test_an_input_that_states_its_columns_is_checked_without_a_table() -> None:
    step = {"id": "x", "operator": "input", "table": "later", "columns": [{"name": "a"}]}
    use = {"id": "f", "operator": "filter", "input": "x", "where": "b = 1"}
    assert "no column 'b'" in str(found(step, use, output("f"))[0])


def test_faults_after_a_faulty_step_are_found_too() -> None:
    texts = "\n".join(map(str, faults(chained(
        {"operator": "project", "others": True, "columns": [{"name": "v", "value": "nmae"}]},
        {"operator": "filter", "where": "v = 1 AND w = 2"},
        {"operator": "project", "columns": [{"name": "u", "value": "uper(name)"}]},
        {"operator": "sort", "order": ["name"]},
    ), TABLES)))  # fmt: skip
    assert "step s1 project" in texts
    assert "no column 'nmae'" in texts
    assert "step s2 filter" in texts
    assert "no column 'w'" in texts
    assert "no column 'v'" not in texts
    assert "no function 'uper'" in texts
    assert "step s4 sort: order 'name': no column 'name'" in texts


def test_a_type_fault_does_not_hide_the_names_that_are_right() -> None:
    texts = "\n".join(map(str, faults(chained(
        {"operator": "project", "others": True, "columns": [{"name": "v", "value": "name + 1"}]},
        {"operator": "filter", "where": "v > 1 AND amuont > 1"},
    ), TABLES)))  # fmt: skip
    assert "step s1" in texts
    assert "no column 'amuont'" in texts
    assert "no column 'v'" not in texts


def test_names_that_clash_in_a_join_are_listed() -> None:
    join = {"id": "j", "operator": "join", "left": "first", "right": "second", "on": ["id"]}
    text = str(found(FIRST, SECOND, join, output("j"))[0])
    assert "both tables have these columns" in text
    assert "'name'" in text
    assert "suffix" in text
    assert not found(FIRST, SECOND, {**join, "suffix": "_right"}, output("j"))


def test_a_suffix_that_makes_a_second_clash_is_a_fault() -> None:
    left = table("first", [{"id": 1, "name": "a", "name_2": "b"}])
    workflow = Workflow.from_data({"version": 1, "steps": [
        FIRST, SECOND,
        {"id": "j", "operator": "join", "left": "first", "right": "second", "on": ["id"],
         "suffix": "_2"},
        output("j"),
    ]})  # fmt: skip
    assert faults(workflow, {**TABLES, "first": left})


def test_a_script_is_checked_but_not_executed() -> None:
    workflow = chained(
        {"operator": "script", "inputs": ["first"], "code": "def transform(t):\n    return t",
         "columns": [{"name": "a"}]},
        {"operator": "filter", "where": "a = 'x'"},
    )  # fmt: skip
    assert not faults(workflow, TABLES)
    text = str(faults(workflow, TABLES, execute=True)[0])
    assert "step s1 script: cannot be executed" in text
    with pytest.raises(WorkflowError, match="cannot be executed"):
        ran(workflow, TABLES)


class Unreadable(Source):
    def batches(self) -> Iterator[pa.RecordBatch]:
        raise AssertionError("rows were read")


def test_validation_reads_no_rows_of_70_steps() -> None:
    schema = Schema.text("id", "customer", "amount")
    tables = {"first": Table("first", schema, (Unreadable(),))}
    steps = [{"operator": "project", "others": True,
              "columns": [{"name": f"c{n}", "value": f"parse_number(amount) + {n}"}]}
             for n in range(68)]  # fmt: skip
    workflow = chained(*steps)
    assert len(workflow.steps) == 70
    assert not faults(workflow, tables)


def test_validation_of_70_steps_takes_no_more_than_a_few_times_its_seven_parts() -> None:
    schema = {"first": Schema.text("id", "amount")}

    def seconds(count: int) -> float:
        steps = [{"operator": "filter", "where": f"amount <> 'x{n}'"} for n in range(count)]
        workflow = chained(*steps)
        with engines.opened() as engine:
            begun = time.process_time()
            validate(workflow, schema, engine)
            return time.process_time() - begun

    seconds(3)
    # ten times the steps, so ten times the work; a quadratic rule would take a hundred times
    assert seconds(68) < 30 * max(seconds(6), 0.005)


def test_a_pivot_without_domain_is_checked_as_far_as_its_names_are_known() -> None:
    pivot = {"operator": "pivot", "direction": "wider", "by": ["id"], "names": "name",
             "values": [{"name": "", "value": "sum(amuont)"}]}  # fmt: skip
    assert "no column 'amuont'" in str(faults(chained(pivot), TABLES)[0])
    right = {**pivot, "values": [{"name": "", "value": "sum(amount)"}]}
    workflow = chained(right, {"operator": "filter", "where": "whatever > 1"})
    assert not faults(workflow, TABLES)
    with pytest.raises(WorkflowError, match="no column 'whatever'"):
        ran(workflow, named([ORDERS]))


@pytest.mark.parametrize("name", OPERATORS)
def test_nothing_is_at_fault_in_a_step_over_tables_that_nobody_gave(name: str) -> None:
    for example in OPERATORS[name].examples:
        workflow = around(name, example.settings, len(example.before))
        unseen, _ = faults_of(workflow, {}, checking_engine())
        assert unseen == []


def test_expressions_over_unknown_columns_are_checked_for_what_they_call() -> None:
    step = {"operator": "filter", "where": "anything > read_text('/etc/passwd')"}
    after_ = {"operator": "project", "columns": [{"name": "v", "value": "getenv('HOME')"}]}
    called = [one.what for one in faults_of(chained(step, after_), {}, checking_engine())[0]]
    assert ["read_text" in called[0], "getenv" in called[1], len(called)] == [True, True, 2]


def test_faults_of_shape_structure_and_expressions_come_together() -> None:
    steps = [
        {"id": "t", "operator": "input", "table": "sales"},
        {"id": "x", "operator": "explode", "input": "t"},
        {"id": "n", "operator": "sort", "input": "t", "limit": -1},
        {"id": "c1", "operator": "filter", "input": "c2", "where": "true"},
        {"id": "c2", "operator": "filter", "input": "c1", "where": "sneaky() = 1"},
        {"id": "f", "operator": "filter", "input": "t", "where": "amuont > 3"},
        {"id": "y", "operator": "filter", "input": "x", "where": "nobody_knows > 3"},
        {"id": "o", "operator": "output", "input": "f", "name": "../evil.csv"},
    ]
    text = json.dumps({"version": 1, "steps": steps})
    made, known, absent = Workflow.sound_part(text)
    assert made is not None
    assert absent == {"x", "n"}
    schemas = {"sales": Schema.text("amount")}
    known += faults_of(made, schemas, checking_engine(), absent=absent)[0]
    wanted = ["no operator 'explode'", "limit", "circle", "'amuont'", "sneaky", "evil.csv"]
    said = [one.what for one in known]
    assert [sum(one in what for what in said) for one in wanted] == [1] * len(wanted)
    assert not any("nobody_knows" in what or "'x'" in what for what in said)
