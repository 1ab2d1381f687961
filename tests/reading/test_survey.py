"""Whether a file may be scanned is told alike from the whole file and from its two halves."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prepwright.reading import survey as surveys
from prepwright.reading.survey import Expected, Survey, survey

CELLS = st.sampled_from(["", "a", "bb", '"q"', '"a,b"', '"a\nb"', '"say ""hi"""', "x" * 30])
ROWS = st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=40)
FAULTS = st.sampled_from(["", "a,b\n", "\n", "id,name,note\n", 'a,"b,c\n', 'a,b"x",c\n', "\r"])


def both(path: Path, expected: Expected, patch: pytest.MonkeyPatch) -> tuple[object, object]:
    whole = survey(path, expected)
    patch.setattr(surveys, "LARGE", 0)
    return whole, survey(path, expected)


@given(rows=ROWS, fault=FAULTS, at=st.integers(0, 40), end=st.sampled_from(["\n", "\r\n"]))
def test_halves_tell_what_the_whole_tells(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[str, str, str]], fault: str, at: int, end: str,
) -> None:  # fmt: skip
    lines = [",".join(row) + end for row in rows]
    lines.insert(min(at, len(lines)), fault)
    path = tmp_path_factory.mktemp("survey") / "t.csv"
    path.write_bytes(("id,name,note" + end + "".join(lines)).encode())
    with pytest.MonkeyPatch.context() as patch:
        whole, halves = both(path, Expected(",", 3, 1, True), patch)
    assert whole == halves


def test_rows_of_both_halves_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,note\n" + '1,"two\nlines"\n' * 501, encoding="utf-8")
    found = both(path, Expected(",", 2, 1, True), monkeypatch)
    assert found == (Survey(501, True), Survey(501, True))


def test_a_fault_in_the_second_half_alone_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,note\n" + "1,a\n" * 500 + "1,a,b\n", encoding="utf-8")
    assert both(path, Expected(",", 2, 1, True), monkeypatch) == (None, None)


def test_without_a_second_process_the_halves_are_looked_at_in_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(subprocess, "Popen", refused)
    path = tmp_path / "t.csv"
    path.write_text("id,note\n" + "1,a\n" * 500, encoding="utf-8")
    found = both(path, Expected(",", 2, 1, True), monkeypatch)
    assert found == (Survey(500, False), Survey(500, False))
