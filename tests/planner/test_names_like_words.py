"""A column may be called like any word of the language, and is still that column."""

import pytest

from prepwright.planner import plan
from tests.planner.conftest import text_table

TABLES = {
    "words": text_table("words", "a,i,by,the,sum,date\n3,1,x,7,2,2024-01-02\n1,2,y,8,5,2024-01-01")
}


@pytest.mark.parametrize(
    ("request_", "meaning"),
    [
        ("Add a column s = a + i.", "s = (a + i)"),
        ("Add a column c = a * the.", "c = (a * the)"),
        ("Keep only a, i and by.", "only a, i, by"),
        ("Drop a and i.", "without a, i"),
        ("Drop a.", "without a"),
        ("Sort by a.", "sorted by a"),
        ("Sort by a descending.", "sorted by a DESC"),
        ("Sort by sum.", "sorted by sum"),
        ("Sort by the date.", 'sorted by "date"'),
        ("Keep rows where a > 1.", "keep rows where a > 1"),
        ("Keep rows where sum is over 2.", "keep rows where sum > 2"),
        ("Rename a to b.", "a→b"),
        ("Sum a.", "total_a = sum(a) over all rows"),
        ("Compute the total a for each by.", "total_a = sum(a) for each by"),
        ("Group by by and sum a.", "total_a = sum(a) for each by"),
    ],
)
def test_a_column_called_like_a_word_is_that_column(request_: str, meaning: str) -> None:
    assert [one.meaning for one in plan(request_, TABLES).sentences] == [meaning]
