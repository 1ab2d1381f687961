"""What a request leaves open is a choice, and every answer to it gives a plan."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from prepwright.errors import InputError
from prepwright.planner import Plan, plan
from prepwright.tables import Table

CASES = sorted((Path(__file__).parent / "cases").glob("*.toml"))
REQUEST = "Compute the average fee per track."
FEES = {
    "fees": """
date,name,track,fee
2024-02-14,Jagadish,Res.,200
2024-02-16,JAGADISH,Research,250
2024-03-02,Alice,Demo,170
2024-03-05,Bob,Demo,180
2024-03-06,Carl,Demo,190
"""
}

Reader = Callable[[str, str], Table]


def planned(read_text: Reader, answers: dict[str, str]) -> Plan:
    return plan(REQUEST, {name: read_text(name, text) for name, text in FEES.items()}, answers)


def test_a_choice_says_what_was_open_and_what_raised_it(read_text: Reader) -> None:
    choice = next(one for one in planned(read_text, {}).choices if one.id == "duplicates_name")

    assert [option.id for option in choice.options] == ["latest", "first", "both"]
    assert (choice.default, choice.chosen, choice.chosen_by) == ("latest", "latest", "default")
    assert "Jagadish" in choice.question


@pytest.mark.parametrize("answer", ["both", "Both", "3", " 3 "])
def test_an_option_is_answered_by_id_label_or_number(read_text: Reader, answer: str) -> None:
    choices = planned(read_text, {"duplicates_name": answer}).choices

    settled = next(one for one in choices if one.id == "duplicates_name")
    assert (settled.chosen, settled.chosen_by) == ("both", "answer")


def test_an_answer_that_is_no_option_is_refused_with_the_options(read_text: Reader) -> None:
    with pytest.raises(InputError) as refused:
        planned(read_text, {"duplicates_name": "the nicest"})

    assert "'latest', 'first', 'both'" in refused.value.found


def test_what_was_found_in_the_data_is_noticed_and_undone_by_no(read_text: Reader) -> None:
    noticed = planned(read_text, {})
    assert [(notice.step, notice.choice) for notice in noticed.notices] == [
        ("unify_track", "unify_track")
    ]

    undone = planned(read_text, {"unify_track": "no"})
    assert undone.notices == ()
    assert undone.workflow is not None
    assert "unify_track" not in [step.id for step in undone.workflow.steps]


def test_a_column_that_two_fit_is_a_choice(orders: dict[str, Table]) -> None:
    choices = plan("Sort by date.", orders).choices

    assert [(one.kind, one.chosen) for one in choices] == [("Single-table reference", "order_date")]


def test_the_same_request_gives_the_same_plan(orders: dict[str, Table]) -> None:
    request = "For each region and product, compute the total quantity. Sort by region."

    assert plan(request, orders) == plan(request, orders)


def test_a_step_says_which_words_it_came_from(orders: dict[str, Table]) -> None:
    request = "Sort by quantity. Drop notes and status."
    made = plan("Sort by quantity. Drop status.", orders)

    assert made.workflow is not None
    assert [sentence.text for sentence in made.sentences] == ["Sort by quantity", "Drop status"]
    assert made.sentences[1].span == (18, 29)
    assert plan(request, orders).sentences[1].understood is False


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_answer_to_every_choice_gives_a_plan(path: Path, read_text: Reader) -> None:
    case = tomllib.loads(path.read_text(encoding="utf-8"))
    tables = {name: read_text(name, text) for name, text in case["tables"].items()}
    answers: dict[str, str] = case.get("answers", {})

    for choice in plan(case["request"], tables, answers).choices:
        for option in choice.options:
            again = plan(case["request"], tables, answers | {choice.id: option.id})
            chosen = {one.id: one.chosen for one in again.choices}
            assert chosen[choice.id] == option.id
