"""A sentence that the planner cannot know becomes no step, and says what stood in the way."""

from pathlib import Path

import pytest

from prepwright.planner import plan
from prepwright.tables import Table

REQUESTS = (Path(__file__).parent / "beyond_words.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("request_text", REQUESTS)
def test_no_step_is_made_up(request_text: str, orders: dict[str, Table]) -> None:
    planned = plan(request_text, orders)

    assert planned.workflow is None
    assert [sentence.understood for sentence in planned.sentences] == [False]
    assert planned.sentences[0].step_ids == ()
    assert planned.sentences[0].help


def test_there_are_at_least_thirty() -> None:
    assert len(REQUESTS) >= 30


EXTRAS = ["approximately", "allegedly", "except on Fridays", "like last time", "unless told so"]


@pytest.mark.parametrize("extra", EXTRAS)
@pytest.mark.parametrize(
    "known",
    [
        "Drop rows with missing discount",
        "Sort by quantity descending",
        "Compute the average unit price per region",
        "Round unit price to 1 decimal",
        "Keep orders in March 2024",
        "Remove duplicates by customer_id",
    ],
)
def test_words_left_over_refuse_a_known_sentence(
    known: str, extra: str, orders: dict[str, Table]
) -> None:
    assert plan(f"{known} {extra}.", orders).workflow is None


def test_what_was_understood_beside_it_is_kept(orders: dict[str, Table]) -> None:
    planned = plan("Drop rows with missing discount. Predict churn. Keep order_id.", orders)

    assert [sentence.understood for sentence in planned.sentences] == [True, False, True]
    assert "churn" in planned.sentences[1].help


def test_help_names_the_column_that_was_nearly_written(orders: dict[str, Table]) -> None:
    planned = plan("Keep rows where regionname is North.", orders)

    assert "region" in planned.sentences[0].help
