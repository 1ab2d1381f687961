"""prepwright prepare: the example end to end, its questions, its files, its status."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command

TABLE = (
    "quarter,track,avg_fee\n2024Q1,Demo,120\n2024Q1,Industry,160\n2024Q1,Research,{}\n"
    "2024Q2,Demo,130\n2024Q2,Industry,190\n2024Q2,Research,240\n"
)


def test_defaults_give_the_fees(command: Command, registrations: list[str], tmp_path: Path) -> None:
    said = command("prepare", *registrations, "-o", tmp_path / "fees", "--accept-defaults")
    assert (said.status, said.err) == (0, "")
    assert (tmp_path / "fees" / "output_01.csv").read_text() == TABLE.format(250)
    for part in (
        "5 rows × 4 columns   title line 1 set aside", "9 → 8 rows", "Ind. = Industry (2 rows)",
        "it changes 1 of 6 result rows", "2024Q1  Research  225   (1 of 6 rows differ)",
        "6 rows × 3 columns", "0 scripts", "ledger.md",
    ):  # fmt: skip
        assert part in said.out


def test_an_open_question_ends_with_status_3_and_writes_nothing(
    command: Command, registrations: list[str], tmp_path: Path
) -> None:
    said = command("prepare", *registrations, "-o", tmp_path / "fees")
    assert said.status == 3
    assert len(said.err.strip().split("\n")) == 3
    assert "--answer duplicates_name=latest" in said.err
    assert "the first in the file" in said.out
    assert not (tmp_path / "fees").exists()


def test_an_answers_file_settles_the_question(
    command: Command, registrations: list[str], tmp_path: Path
) -> None:
    (tmp_path / "a.toml").write_text('duplicates_name = "both"\n')
    said = command(
        "prepare", *registrations, "-o", tmp_path / "fees", "--answers", tmp_path / "a.toml"
    )
    assert said.status == 0
    assert (tmp_path / "fees" / "output_01.csv").read_text() == TABLE.format(225)
    assert "chosen by: answer" in (tmp_path / "fees" / "ledger.md").read_text(encoding="utf-8")


def test_machines_get_the_same_facts(
    command: Command, registrations: list[str], tmp_path: Path
) -> None:
    opened = command("prepare", *registrations, "-o", tmp_path / "fees", "--json")
    assert (opened.status, opened.data["status"]) == (3, "open questions")
    question = opened.data["questions"][0]
    assert [option["after"] for option in question["options"][1:]] == [
        ["2024Q1", "Research", "200"], ["2024Q1", "Research", "225"],
    ]  # fmt: skip
    answer = f"{question['id']}={question['options'][1]['id']}"
    done = command(
        "prepare", *registrations, "-o", tmp_path / "fees", "--json", "--answer", answer
    ).data
    assert done["status"] == "done"
    assert done["outputs"][0]["rows"] == 6
    assert [one["rows"] for one in done["reading"]] == [5, 4]
    assert all(one["understood"] for one in done["understood"])
    assert (tmp_path / "fees" / "output_01.csv").read_text() == TABLE.format(200)


def test_a_step_can_be_switched_off(
    command: Command, registrations: list[str], tmp_path: Path
) -> None:
    off = ["--no-step", "unify_track", "--accept-defaults"]
    assert command("prepare", *registrations, "-o", tmp_path / "fees", *off).status == 0
    assert "2024Q1,Ind.,170" in (tmp_path / "fees" / "output_01.csv").read_text()
    said = command("prepare", *registrations, "-o", tmp_path / "x", "--no-step", "unify_trak")
    assert said.status == 2
    assert "did you mean 'unify_track'?" in said.err


@pytest.mark.parametrize("machine", [False, True])
def test_what_is_not_understood_ends_with_status_3(
    command: Command, registrations: list[str], tmp_path: Path, machine: bool
) -> None:
    request = "Drop rows with missing paid. Frobnicate the xyzzy."
    flags = ["--json"] if machine else []
    said = command("prepare", request, registrations[1], "-o", tmp_path / "o", *flags)
    assert said.status == 3
    assert not (tmp_path / "o").exists()
    if machine:
        assert said.data["status"] == "not understood"
        assert [one["understood"] for one in said.data["understood"]] == [True, False]
    else:
        assert "Understood 1 of 2 parts" in said.out
        assert "✗" in said.out
        assert "--partial" in said.err


def test_partial_does_what_was_understood(
    command: Command, registrations: list[str], tmp_path: Path
) -> None:
    request = "Drop rows with missing paid. Frobnicate the xyzzy."
    said = command("prepare", request, registrations[1], "-o", tmp_path / "o", "--partial")
    assert said.status == 0
    assert "Not understood:" in (tmp_path / "o" / "ledger.md").read_text(encoding="utf-8")


def test_files_take_names_and_reading_options(command: Command, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,y\n2,b\n1,a\n")
    said = command(
        "prepare", "sort by 2", f"fees={tmp_path / 'a.csv'}", "-o", tmp_path / "o",
        "--reading", "fees.header_line=2", "--accept-defaults",
    )  # fmt: skip
    step = json.loads((tmp_path / "o" / "workflow.json").read_text())["steps"][0]
    assert said.status == 0
    assert (step["table"], step["reading"]["header_line"]) == ("fees", 2)


def test_cells_do_not_reach_the_terminal_as_commands(command: Command, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,\x1b[2Jname\n2,\x1b]0;title\x07\n1,[red]a[/red]\n")
    said = command("prepare", "sort by x", tmp_path / "a.csv", "-o", tmp_path / "o",
                   "--accept-defaults")  # fmt: skip
    assert said.status == 0
    assert "\x1b" not in said.out
    assert "[red]a[/red]" in said.out
