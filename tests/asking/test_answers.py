"""Answers come from files, numbers and a person's own words, and a wrong one is refused."""

from pathlib import Path

import pytest

from prepwright.asking import load_answers, matched, unused
from prepwright.errors import InputError
from prepwright.planner import Choice, Option

OPTIONS = (
    Option("latest", "the latest by date"),
    Option("first", "the first in the file"),
    Option("both", "both"),
)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("1", "latest"),
        (" 2 ", "first"),
        ("BOTH", "both"),
        ("the latest by date", "latest"),
        ("keep the latest", "latest"),
        ("the first one in the file", "first"),
        ("take both of them", "both"),
        ("4", None),
        ("", None),
        ("whatever is red", None),
    ],
)
def test_words_mean_an_option_or_none(said: str, meant: str | None) -> None:
    found = matched(said, OPTIONS)
    assert (found.id if found else None) == meant


def test_answers_are_read_from_json_and_from_toml(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"which": "both", "number": 2, "same": true}')
    (tmp_path / "a.toml").write_text('which = "both"\nnumber = 2\nsame = true\n')
    wanted = {"which": "both", "number": "2", "same": "yes"}
    assert load_answers(tmp_path / "a.json") == wanted
    assert load_answers(tmp_path / "a.toml") == wanted


@pytest.mark.parametrize(
    "content", [b"", b"[1]", b"{", b'{"a": [1]}', b"which = \xff", b"which: both", b"[" * 100_000]
)
def test_a_file_of_another_shape_is_refused_in_three_lines(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "answers"
    path.write_bytes(content)
    if not content:
        assert load_answers(path) == {}
        return
    with pytest.raises(InputError) as caught:
        load_answers(path)
    assert len(str(caught.value).split("\n")) == 3


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_answers(tmp_path / "none.json")


def test_an_answer_that_is_nearly_a_choice_is_a_slip() -> None:
    known = Choice("duplicates_name", "k", "q?", OPTIONS, "first", "e", (0, 1), "first", "default")
    assert unused({"other": "x"}, [known]) == ["other"]
    with pytest.raises(InputError) as caught:
        unused({"duplicate_name": "first"}, [known])
    assert "'duplicates_name'" in caught.value.fix
