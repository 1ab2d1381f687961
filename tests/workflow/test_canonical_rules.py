"""Every choice that an engine would make is made by rule: null order, ties, zero, exact sums."""

import math
import random
from typing import Any

import pyarrow as pa
import pytest

from tests.workflow.running import after, around, named, ran, total, value

TIES = [
    {"g": "a", "x": 1.5, "y": 1, "t": "p"},
    {"g": "a", "x": 1.5, "y": 1, "t": "q"},
    {"g": "b", "x": None, "y": 1, "t": "r"},
    {"g": "a", "x": 0.5, "y": 1, "t": "p"},
]


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("row_number() OVER ()", [1, 2, 3, 4]),
        ("row_number() OVER (ORDER BY y)", [1, 2, 3, 4]),
        ("row_number() OVER (ORDER BY x DESC)", [1, 2, 4, 3]),
        ("row_number() OVER (PARTITION BY g)", [1, 2, 1, 3]),
        ("rank() OVER (ORDER BY x)", [2, 2, 4, 1]),
        ("rank() OVER (ORDER BY x DESC)", [1, 1, 4, 3]),
        ("rank() OVER (ORDER BY x NULLS FIRST)", [3, 3, 1, 2]),
        ("ntile(2) OVER ()", [1, 1, 2, 2]),
        ("lag(t) OVER ()", [None, "p", "q", "r"]),
        ("lag(t) OVER (ORDER BY y)", [None, "p", "q", "r"]),
        ("lead(t) OVER (PARTITION BY g)", ["q", "p", None, None]),
        ("first_value(t) OVER (PARTITION BY g)", ["p", "p", "r", "p"]),
        ("last_value(t) OVER (PARTITION BY g)", ["p", "p", "r", "p"]),
        ("last_value(x IGNORE NULLS) OVER (ORDER BY y)", [1.5, 1.5, 1.5, 0.5]),
        ("nth_value(t, 2) OVER ()", ["q", "q", "q", "q"]),
        ("first(t) OVER (PARTITION BY g)", ["p", "p", "r", "p"]),
        ("list(t) OVER (PARTITION BY g)", [[*"pqp"], [*"pqp"], ["r"], [*"pqp"]]),
        ("string_agg(t, '') OVER (ORDER BY y)", ["p", "pq", "pqr", "pqrp"]),
        ("mode(t) OVER (PARTITION BY g)", ["p", "p", "r", "p"]),
        ("any_value(x) OVER (PARTITION BY g)", [1.5, 1.5, None, 1.5]),
        ("arg_max(t, x) OVER ()", ["p", "p", "p", "p"]),
        ("sum(y) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)", [1, 2, 3, 4]),
        ("sum(x) OVER (ORDER BY t)", [2.0, 3.5, 3.5, 2.0]),
        ("count(*) OVER (ORDER BY y)", [4, 4, 4, 4]),
        ("sum(x) FILTER (WHERE t = 'p') OVER ()", [2.0, 2.0, 2.0, 2.0]),
    ],
)  # fmt: skip
def test_ties_in_a_window_follow_the_rows(expression: str, wanted: list[Any]) -> None:
    assert value(expression, *TIES) == wanted


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("first(t)", "p"),
        ("last(t)", "p"),
        ("first(x ORDER BY y)", 1.5),
        ("any_value(x)", 1.5),
        ("list(t)", ["p", "q", "r", "p"]),
        ("list(x)", [1.5, 1.5, None, 0.5]),
        ("list(t ORDER BY x DESC)", ["p", "q", "p", "r"]),
        ("list(DISTINCT t)", ["p", "q", "r"]),
        ("list(DISTINCT x)", [0.5, 1.5, None]),
        ("string_agg(t, '-')", "p-q-r-p"),
        ("string_agg(t, '-' ORDER BY y)", "p-q-r-p"),
        ("string_agg(DISTINCT t, '-')", "p-q-r"),
        ("listagg(t, '-') WITHIN GROUP (ORDER BY y)", "p-q-r-p"),
        ("arg_max(t, x)", "p"),
        ("arg_min(t, y)", "p"),
        ("mode(t)", "p"),
        ("mode(y)", 1),
        ("mean(x)", 3.5 / 3),
        ("sum(DISTINCT x)", 2.0),
        ("count(DISTINCT x)", 2),
        ("sum(x) / sum(sum(x)) OVER ()", 1.0),
        ("quantile_cont(x, 0.5)", 1.5),
    ],
)
def test_ties_in_an_aggregate_follow_the_rows(expression: str, wanted: Any) -> None:
    assert total(expression, *TIES) == wanted


def test_a_tie_between_most_frequent_values_goes_to_the_one_that_came_first() -> None:
    rows = [{"t": text} for text in ("z", "a", "z", "a", "m")]
    assert total("mode(t)", *rows) == "z"
    assert total("mode(t)", *reversed(rows)) == "a"


@pytest.mark.parametrize(
    "expression",
    ["1 / 0", "1.5 / 0", "x / (x - x)", "7 // 0", "7 % 0", "x % 0", "mod(7, 0)", "0 / 0",
     "x / CAST('0' AS DOUBLE)", "safe_divide(x, 0)", "-1 / 0.0"],
)  # fmt: skip
def test_division_by_zero_is_null(expression: str) -> None:
    assert value(expression, {"x": 2.0}) == [None]


def test_nulls_come_last_in_both_directions_unless_it_is_said() -> None:
    rows = [{"x": None}, {"x": 2}, {"x": 1}]

    def order(entry: str) -> list[Any]:
        return [row["x"] for row in after("sort", {"order": [entry]}, rows)]

    assert order("x") == [1, 2, None]
    assert order("x DESC") == [2, 1, None]
    assert order("x NULLS FIRST") == [None, 1, 2]
    assert order("x desc nulls first") == [None, 2, 1]
    assert order("x ASC NULLS LAST") == [1, 2, None]


NUMBERS = {
    "money": lambda draw: round(draw.uniform(-1e6, 1e6), 2),
    "all sizes": lambda draw: draw.choice([-1, 1]) * 10 ** draw.uniform(-14, 20),
    "tiny": lambda draw: 10 ** draw.uniform(-40, -20),
    "huge": lambda draw: draw.choice([-1, 1]) * 10 ** draw.uniform(15, 300),
    "tiny and huge": lambda draw: 10 ** draw.uniform(-300, 300),
    "thirds": lambda draw: draw.randint(1, 99) / 3,
}
INEXACT = ("sum(x)", "avg(x)", "mean(x)", "stddev(x)", "var_pop(x)", "corr(x, y)", "sum(x * y)",
           "regr_slope(x, y)", "skewness(x)", "sum(DISTINCT x)", "sum(x) FILTER (WHERE y > 5)",
           "sum(x::FLOAT)", "sum(x) / sum(y)", "fsum(x)")  # fmt: skip


@pytest.mark.parametrize("kind", NUMBERS)
def test_a_sum_is_the_same_to_the_bit_whatever_the_order_of_the_rows(kind: str) -> None:
    draw = random.Random(kind)
    rows = [{"x": NUMBERS[kind](draw), "g": draw.randint(0, 3)} for _ in range(3_000)]
    columns = {"by": ["g"], "columns": [
        {"name": "sum", "value": "sum(x)"}, {"name": "mean", "value": "avg(x)"}]}  # fmt: skip
    found = set()
    for _ in range(4):
        draw.shuffle(rows)
        found.add(repr(after("aggregate", columns, rows)))
    assert len(found) == 1


@pytest.mark.parametrize("kind", NUMBERS)
def test_a_sum_is_the_exact_one_but_for_its_last_bits(kind: str) -> None:
    draw = random.Random(kind)
    numbers = [abs(NUMBERS[kind](draw)) for _ in range(2_000)]
    found = total("sum(x)", *[{"x": number} for number in numbers])
    assert found == pytest.approx(math.fsum(numbers), rel=1e-15)


def test_a_sum_does_not_lose_what_is_small_beside_what_cancels_out() -> None:
    assert total("sum(x)", {"x": 1e16}, {"x": 1.0}, {"x": -1e16}) == 1.0
    assert total("sum(x)", *[{"x": 0.1}] * 10) == 1.0
    assert total("sum(x)", {"x": 1e-30}, {"x": 2e-30}) == pytest.approx(3e-30, rel=1e-15)
    assert total("sum(x)", {"x": 0.0}, {"x": -0.0}) == 0.0


def test_a_sum_of_nulls_is_null_and_infinities_stay() -> None:
    assert total("sum(CAST(x AS DOUBLE))", {"x": None}) is None
    assert total("avg(CAST(x AS DOUBLE))", {"x": None}) is None
    assert total("sum(x)", {"x": math.inf}, {"x": 1.0}) == math.inf
    assert math.isnan(total("sum(x)", {"x": math.nan}, {"x": 1.0}))
    assert math.isnan(total("sum(x)", {"x": math.inf}, {"x": -math.inf}))


def test_a_sum_of_whole_numbers_is_a_whole_number() -> None:
    found = total("sum(x)", {"x": 2**53 + 1}, {"x": 1})
    assert found == 2**53 + 2
    assert isinstance(found, int)


def wide_table(rows: int) -> pa.Table:
    draw = random.Random(7)
    return pa.table({
        "g": [draw.randint(0, 9) for _ in range(rows)],
        "x": [draw.choice([-1, 1]) * 10 ** draw.uniform(-9, 9) for _ in range(rows)],
        "y": [draw.randint(0, 9) for _ in range(rows)],
        "t": [draw.choice("abc") for _ in range(rows)],
    })  # fmt: skip


def test_aggregates_are_the_same_to_the_bit_with_any_number_of_threads() -> None:
    # more rows than one row group, so that threads share the work
    table = wide_table(300_000)
    values = [*INEXACT, "mode(t)", "first(x)", "arg_max(x, y)", "string_agg(t, '')", "mode(y)",
              "any_value(x)", "entropy(x)", "mad(x)", "max_by(x, y, 3)", "kurtosis(x)"]  # fmt: skip
    columns = [{"name": f"v{n}", "value": text} for n, text in enumerate(values)]
    workflow = around("aggregate", {"by": ["g"], "columns": columns})
    found = [
        ran(workflow, named([table]), threads=threads).outputs["result.csv"]
        for threads in (1, 2, 4)
    ]
    assert found[0].num_rows == 10
    assert found[0] == found[1] == found[2]


def test_windows_are_the_same_to_the_bit_with_any_number_of_threads() -> None:
    table = wide_table(150_000)
    values = ["sum(x) OVER (PARTITION BY g ORDER BY y)", "avg(x) OVER (PARTITION BY t)",
              "stddev(x) OVER (PARTITION BY g)", "row_number() OVER (ORDER BY y)",
              "lag(x) OVER (PARTITION BY g ORDER BY y)", "mode(y) OVER (PARTITION BY g)",
              "sum(x) OVER (ORDER BY y ROWS BETWEEN 3 PRECEDING AND CURRENT ROW)",
              "arg_min(x, y) OVER (PARTITION BY g)"]  # fmt: skip
    columns = [{"name": f"v{n}", "value": text} for n, text in enumerate(values)]
    workflow = around("project", {"columns": columns})
    one, two, four = (
        ran(workflow, named([table]), threads=threads).outputs["result.csv"]
        for threads in (1, 2, 4)
    )
    assert one == two == four
