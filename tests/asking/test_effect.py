"""The effect of a reading is counted row by row, whatever the order of columns' types and rows."""

from typing import Any

import pyarrow as pa
import pytest

from prepwright.asking import Effect, compared

Rows = list[dict[str, Any]]


def effect(default: Rows, other: Rows, name: str = "out.csv") -> Effect:
    return compared({name: pa.Table.from_pylist(default)}, {name: pa.Table.from_pylist(other)})


ROWS: Rows = [{"k": "a", "n": 1}, {"k": "b", "n": 2}, {"k": "b", "n": 2}]


def test_the_same_rows_are_no_effect() -> None:
    found = effect(ROWS, ROWS)
    assert found.nothing
    assert found.said() == "changes nothing"


def test_a_row_with_another_value_is_changed_and_shown() -> None:
    found = effect(ROWS, [{"k": "a", "n": 7}, *ROWS[1:]])
    assert (found.changed, found.added, found.removed) == (1, 0, 0)
    assert (found.before, found.after) == (("a", "1"), ("a", "7"))
    assert found.said() == "1 of 3 rows differ"


def test_repeated_rows_are_counted_each() -> None:
    found = effect(ROWS, ROWS[:2])
    assert (found.changed, found.added, found.removed) == (0, 0, 1)
    assert found.before == ("b", "2")
    assert effect(ROWS[:2], ROWS).added == 1


def test_another_order_of_the_same_rows_is_an_effect() -> None:
    found = effect(ROWS, ROWS[::-1])
    assert (found.changed, found.moved) == (0, 2)
    assert not found.nothing


def test_other_columns_change_every_row() -> None:
    found = effect(ROWS, [{"key": row["k"], "n": row["n"]} for row in ROWS])
    assert found.touched == 3
    assert found.said().startswith("columns key, n")


def test_numbers_that_a_file_writes_alike_are_alike() -> None:
    assert effect([{"n": 1}], [{"n": 1.0}]).nothing
    assert not effect([{"n": 1}], [{"n": 1.0}], "out.parquet").nothing


def test_null_is_not_the_empty_text() -> None:
    assert effect([{"n": None}, {"n": "x"}], [{"n": ""}, {"n": "x"}]).touched == 1


def test_an_output_that_is_missing_is_removed_whole() -> None:
    found = compared({"a.csv": pa.Table.from_pylist(ROWS)}, {})
    assert (found.removed, found.rows) == (3, 3)


def test_effects_of_several_outputs_add_up() -> None:
    one, other = pa.Table.from_pylist(ROWS), pa.Table.from_pylist(ROWS[:1])
    found = compared({"a.csv": one, "b.csv": one}, {"a.csv": one, "b.csv": other})
    assert (found.rows, found.removed, found.output) == (6, 2, "b.csv")


@pytest.mark.parametrize(
    ("default", "other", "rewritten"),
    [
        (["2024Q1", "2024Q2"], ["Q1", "Q2"], True),
        (["2023Q1", "2024Q1"], ["Q1", "Q1"], False),
        (["2024Q1", "2024Q2"], ["2024Q1", "Q2"], False),
        (["1", "2"], ["10", "20"], False),
        (["a", "b"], ["b", "a"], False),
    ],
)
def test_texts_that_are_only_written_otherwise_are_told_from_others(
    default: list[str], other: list[str], rewritten: bool
) -> None:
    found = effect([{"q": text} for text in default], [{"q": text} for text in other])
    assert found.rewritten is rewritten


def test_a_long_result_is_compared_by_its_first_rows_and_its_count() -> None:
    long = {"out.csv": pa.table({"n": list(range(100))})}
    short = {"out.csv": pa.table({"n": list(range(40))})}
    assert compared(long, short, most=10).removed == 60
    assert compared(short, long, most=10).added == 60
    assert compared(long, long, most=10).nothing
