"""The comparison that the proof rests on lets no difference through."""

from pathlib import Path

import pytest

from tests.workflows.strict import differences

TYPES = {"id": "text_exact", "n": "number", "day": "date", "at": "datetime", "ok": "boolean"}
TRUTH = "id,n,day,ok\na,1.50,25/12/2024,True\nb,2,01/02/2024,False\nb,2,01/02/2024,False\n"

SAME = {
    "copy": TRUTH,
    "other row order": "id,n,day,ok\nb,2,01/02/2024,False\na,1.50,25/12/2024,True\n"
    "b,2,01/02/2024,False\n",
    "ISO dates": TRUTH.replace("25/12/2024", "2024-12-25").replace("01/02/2024", "2024-02-01"),
    "truth values in small letters": TRUTH.replace("True", "true").replace("False", "0"),
    "more digits than the truth shows": TRUTH.replace("1.50", "1.5000001"),
    "blanks around": TRUTH.replace("a,", " a ,"),
}
OTHER = {
    "a row less": TRUTH.removesuffix("b,2,01/02/2024,False\n"),
    "a row more": TRUTH + "b,2,01/02/2024,False\n",
    "another row twice": TRUTH.replace("b,2,01/02/2024,False\n", "a,1.50,25/12/2024,True\n", 1),
    "columns in another order": "n,id,day,ok\n1.50,a,25/12/2024,True\n"
    + "2,b,01/02/2024,False\n" * 2,
    "a column more": TRUTH.replace("\n", ",x\n"),
    "day and month swapped": TRUTH.replace("01/02/2024", "2024-01-02"),
    "another number": TRUTH.replace("1.50", "1.52"),
    "a blank for a number": TRUTH.replace("1.50", ""),
    "a word for a blank": TRUTH.replace("a,1.50", "a,NA"),
    "other letters": TRUTH.replace("b,", "B,"),
    "another truth value": TRUTH.replace("True", "False"),
}


def found(ours: str, truth: str, folder: Path, *, ordered: bool = False) -> list[str]:
    paths = folder / "ours.csv", folder / "truth.csv"
    for path, text in zip(paths, (ours, truth), strict=True):
        path.write_text(text, encoding="utf-8")
    return differences(*paths, TYPES, ordered=ordered)


@pytest.mark.parametrize("ours", SAME.values(), ids=SAME)
def test_another_spelling_is_no_difference(ours: str, tmp_path: Path) -> None:
    assert found(ours, TRUTH, tmp_path) == []


@pytest.mark.parametrize("ours", OTHER.values(), ids=OTHER)
def test_another_table_is_a_difference(ours: str, tmp_path: Path) -> None:
    assert found(ours, TRUTH, tmp_path)
    assert found(ours, TRUTH, tmp_path, ordered=True)


def test_the_order_of_rows_counts_when_it_is_asked_for(tmp_path: Path) -> None:
    assert found(SAME["other row order"], TRUTH, tmp_path, ordered=True)
    assert found(TRUTH, TRUTH, tmp_path, ordered=True) == []


@pytest.mark.parametrize(
    ("ours", "same"), [("3", True), ("3.0", True), ("4", False), ("3.4", False)]
)
def test_whole_numbers_are_compared_exactly(ours: str, same: bool, tmp_path: Path) -> None:
    assert (found(f"n\n{ours}\n", "n\n3\n", tmp_path) == []) is same


def test_moments_are_compared_to_the_second(tmp_path: Path) -> None:
    assert found("at\n2024-12-25 10:00:00\n", "at\n25/12/2024 10:00:00\n", tmp_path) == []
    assert found("at\n2024-12-25 10:00:01\n", "at\n25/12/2024 10:00:00\n", tmp_path)
