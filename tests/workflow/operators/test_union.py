"""Union: names, positions, types that differ, and rows that are the same."""

import datetime
from decimal import Decimal
from typing import Any

import pytest

from prepwright.tables import Rows
from tests.workflow.running import after, fault

DAY = datetime.date(2024, 1, 2)
CASES = [
    ("names in any case", [[{"A": 1}], [{"a": 2}]], {}, [{"A": 1}, {"A": 2}]),
    ("columns in another order", [[{"a": 1, "b": 2}], [{"b": 4, "a": 3}]], {},
     [{"a": 1, "b": 2}, {"a": 3, "b": 4}]),
    ("a column that one lacks", [[{"a": 1}], [{"b": 2}], [{"a": 3}]], {},
     [{"a": 1, "b": None}, {"a": None, "b": 2}, {"a": 3, "b": None}]),
    ("by position", [[{"a": 1, "b": 2}], [{"x": 3, "y": 4}]], {"by": "position"},
     [{"a": 1, "b": 2}, {"a": 3, "b": 4}]),
    ("whole and broken numbers", [[{"a": 1}], [{"a": 2.5}]], {}, [{"a": 1.0}, {"a": 2.5}]),
    ("numbers and text", [[{"a": 1}], [{"a": "x"}]], {}, [{"a": "1"}, {"a": "x"}]),
    ("dates and text", [[{"a": DAY}], [{"a": "x"}]], {}, [{"a": "2024-01-02"}, {"a": "x"}]),
    ("dates and moments", [[{"a": DAY}], [{"a": datetime.datetime(2024, 1, 2, 3)}]], {},
     [{"a": datetime.datetime(2024, 1, 2)}, {"a": datetime.datetime(2024, 1, 2, 3)}]),
    ("booleans and text", [[{"a": True}], [{"a": "no"}]], {}, [{"a": "true"}, {"a": "no"}]),
    ("nothing and numbers", [[{"a": None}], [{"a": "7"}]], {}, [{"a": None}, {"a": "7"}]),
    ("decimals", [[{"a": Decimal("1.5")}], [{"a": Decimal("2.25")}]], {},
     [{"a": Decimal("1.50")}, {"a": Decimal("2.25")}]),
    ("each different row once", [[{"a": None}, {"a": "x"}], [{"a": "x"}, {"a": None}, {"a": "X"}]],
     {"distinct": True}, [{"a": None}, {"a": "x"}, {"a": "X"}]),
    ("the source of each row", [[{"a": 1}], [{"a": 1}]], {"source": "from", "distinct": True},
     [{"a": 1, "from": "first"}, {"a": 1, "from": "second"}]),
    ("the same table twice", [[{"a": 1}, {"a": 2}]], {"inputs": ["first", "first"]},
     [{"a": 1}, {"a": 2}, {"a": 1}, {"a": 2}]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "settings", "wanted"), [pytest.param(*case[1:], id=case[0]) for case in CASES]
)
def test_rows_stand_below_each_other(
    before: list[Rows], settings: dict[str, Any], wanted: Rows
) -> None:
    assert after("union", settings, *before) == wanted


def test_what_does_not_fit_is_a_fault() -> None:
    two, one = [{"a": 1, "b": 2}], [{"a": 1}]
    assert "another number of columns" in fault("union", {"by": "position"}, two, one)
    assert "lacks columns" in fault("union", {"missing": "error"}, two, one)
    assert "two result columns" in fault("union", {"source": "A"}, one, one)
