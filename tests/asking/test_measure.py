"""Only choices whose answers change the result are asked, the weightiest first."""

from collections.abc import Mapping

import pyarrow as pa

from prepwright.asking import Budget, Measured, measure
from prepwright.errors import InputError
from prepwright.planner import Choice, Notice, Option, Plan, Sentence
from prepwright.planner.outcome import ALIGNMENT, INCONSISTENT
from prepwright.preparing.trials import SampleTrials
from prepwright.tables import Table
from prepwright.workflow import Workflow

TABLES = {"t": Table.from_rows("t", [{"k": "b", "n": 2}, {"k": "a", "n": 1}, {"k": "a", "n": 3}])}

READINGS = {
    "limit": {"all": "true", "few": "n < 3", "none": "n < 0"},
    "idle": {"yes": "true", "no": "n > 0"},
    "names": {"any": "true", "a": "k = 'a'"},
}
"""Choices with their options, each a further condition on the rows."""


def choice(name: str, answers: Mapping[str, str], kind: str = INCONSISTENT) -> Choice:
    options = tuple(Option(key, f"rows where {where}") for key, where in READINGS[name].items())
    chosen = answers.get(name, options[0].id)
    by = "answer" if name in answers else "default"
    return Choice(name, kind, f"{name}?", options, options[0].id, "seen", (0, 1), chosen, by)


def planner(*names: str, kind: str = INCONSISTENT, notices: tuple[Notice, ...] = ()):
    def plan_with(answers: Mapping[str, str]) -> Plan:
        choices = tuple(choice(name, answers, kind) for name in names)
        where = " AND ".join(f"({READINGS[one.id][one.chosen]})" for one in choices)
        workflow = Workflow.model_validate({"version": 1, "steps": [
            {"id": "t", "operator": "input", "table": "t"},
            {"id": "f", "operator": "filter", "input": "t", "where": where},
            {"id": "o", "operator": "output", "input": "f", "name": "out.csv"},
        ]})  # fmt: skip
        return Plan(workflow, (Sentence("x", (0, 1), True),), choices, notices)

    return plan_with


def measured(*names: str, **settings: object) -> Measured:
    return measure(planner(*names, **settings), SampleTrials(TABLES), {})  # type: ignore[arg-type]


def test_questions_come_by_how_much_their_answers_change() -> None:
    found = measured("names", "idle", "limit")
    assert [one.choice.id for one in found.questions] == ["limit", "names"]
    assert [one.touched for one in found.questions] == [3, 1]


def test_each_option_says_what_it_does() -> None:
    limit = measured("limit").questions[0]
    assert {name: one.removed for name, one in limit.effects.items()} == {"few": 1, "none": 3}
    assert limit.rows == 3


def test_a_choice_that_changes_nothing_is_not_asked_but_recorded() -> None:
    found = measured("idle")
    assert not found.questions
    assert found.settled[0].settled == "no answer changes the result"


def test_a_noticed_choice_is_not_asked() -> None:
    found = measured("limit", notices=(Notice("seen", "f", "limit"),))
    assert not found.questions
    assert found.settled[0].touched == 3


def test_an_answered_choice_is_not_asked() -> None:
    found = measure(planner("limit", "names"), SampleTrials(TABLES), {"limit": "few"})
    assert [one.choice.id for one in found.questions] == ["names"]
    assert found.questions[0].rows == 2


def test_readings_that_give_the_same_workflow_run_once() -> None:
    trials = SampleTrials(TABLES)
    measure(planner("limit", "names"), trials, {})
    runs = trials.runs
    measure(planner("limit", "names"), trials, {"limit": "all"})
    assert trials.runs == runs


def test_beyond_the_budget_a_choice_counts_as_changing_the_result() -> None:
    found = measure(planner("limit", "idle"), SampleTrials(TABLES), {}, Budget(readings=2))
    assert [one.choice.id for one in found.questions] == ["limit", "idle"]
    assert found.questions[1].said(found.questions[1].choice.options[1]) == "not measured"


def test_a_reading_without_a_result_is_no_alternative() -> None:
    whole = planner("limit")

    def plan_with(answers: Mapping[str, str]) -> Plan:
        if answers.get("limit", "all") != "all":
            raise InputError("cannot be")
        return whole(answers)

    found = measure(plan_with, SampleTrials(TABLES), {})
    assert not found.questions
    assert found.settled[0].settled == "no other answer gives a result"


def test_an_alignment_whose_other_reading_opens_more_questions_is_not_asked() -> None:
    def plan_with(answers: Mapping[str, str]) -> Plan:
        names = ("limit",) if answers.get("limit", "all") == "all" else ("limit", "names")
        return planner(*names, kind=ALIGNMENT)(answers)

    assert not measure(plan_with, SampleTrials(TABLES), {}).questions
    assert measure(planner("limit", kind=ALIGNMENT), SampleTrials(TABLES), {}).questions


def test_a_plan_without_workflow_has_no_questions() -> None:
    found = measure(lambda _: Plan(None, (), (), ()), SampleTrials(TABLES), {})
    assert not found.questions


LONG = {"t": Table.from_arrow("t", pa.table({"k": ["a"] * 50, "n": list(range(1, 51))}))}


def test_what_a_sample_does_not_show_is_looked_for_in_all_rows() -> None:
    READINGS["tail"] = {"all": "true", "head": "n < 40"}
    found = measure(planner("tail"), SampleTrials(LONG, sample_rows=10), {})
    assert found.questions[0].effects["head"].said() == "changes rows beyond the first ones"
    whole = measure(planner("idle"), SampleTrials(LONG, sample_rows=10), {})
    assert whole.settled[0].settled == "no answer changes the result"


def test_what_is_not_looked_for_is_asked() -> None:
    trials = SampleTrials(LONG, sample_rows=10, whole_runs=0)
    assert measure(planner("idle"), trials, {}).questions
