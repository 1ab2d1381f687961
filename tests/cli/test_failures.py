"""Whatever goes wrong ends in three lines and a status, never in a traceback."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import click
import pytest

from prepwright.cli import VERBS, prepwright
from prepwright.cli.failures import guarded
from tests.cli.conftest import Command

PYTHON = [sys.executable, "-m", "prepwright"]


def three_lines(text: str) -> bool:
    lines = text.rstrip("\n").split("\n")
    return len(lines) == 3 and lines[1].startswith("  found: ") and lines[2].startswith("  fix: ")


@pytest.mark.parametrize(
    "arguments",
    [
        ("prepare", "sort by fee", "missing.csv", "-o", "out"),
        ("prepare", "sort by fee", "empty.csv", "-o", "out"),
        ("prepare", "sort by fee", "t.csv", "-o", "t.csv"),
        ("prepare", "sort by fee", "t.csv", "-o", "out", "--answers", "none.json"),
        ("prepare", "sort by fee", "t.csv", "-o", "out", "--answer", "x"),
        ("prepare", "sort by fee", "t.csv", "-o", "out", "--engine", "duckbd"),
        ("prepare", "sort by fee", "t.csv", "-o", "out", "--threads", "0"),
        ("prepare", "sort by fee", "t.csv", "-o", "out", "--reading", "t.headr=2"),
        ("prepare", "sort by fee", "t.csv"),
        ("prepare",),
        ("prepair", "x"),
        ("run", "missing.json", "-o", "out"),
        ("run", "empty.csv", "-o", "out"),
        ("run", ".", "-o", "out"),
        ("validate", "t.csv"),
        ("explain", "binary.json"),
        ("--frob",),
    ],
    ids=" ".join,
)
def test_bad_input_ends_with_status_2(
    command: Command, arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("fee\n1\n")
    Path("empty.csv").write_text("")
    Path("binary.json").write_bytes(bytes(range(256)))
    said = command(*arguments)
    assert said.status == 2
    assert three_lines(said.err), said.err
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(28, "No space left on device", "/x/y"), "/x/y: the disk is full"),
        (PermissionError(13, "Permission denied", "/x"), "/x: no permission"),
        (MemoryError(), "memory ran out"),
        (RecursionError(), "nested too deeply"),
        (ZeroDivisionError("division\nby zero"), "ZeroDivisionError"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_nobody_foresaw_is_named_too(
    error: BaseException, words: str, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    def work() -> None:
        raise error

    monkeypatch.delenv("PREPWRIGHT_DEBUG", raising=False)
    assert guarded(work, []) == 2
    said = capsys.readouterr().err
    assert three_lines(said)
    assert words in said
    monkeypatch.setenv("PREPWRIGHT_DEBUG", "1")
    assert guarded(work, []) == 2
    assert "Traceback" in capsys.readouterr().err


def test_errors_are_json_for_machines(command: Command) -> None:
    said = command("run", "missing.json", "-o", "out", "--json")
    assert said.data["status"] == "error"
    assert set(said.data["error"]) == {"what", "where", "found", "fix"}


def test_help_of_every_verb_says_the_same_and_holds_an_example() -> None:
    for verb, says in VERBS.items():
        with click.Context(prepwright) as context:
            found = prepwright.get_command(context, verb)
            assert found is not None
            assert found.short_help == says
            assert "Example" in (found.help or "")
            shown = found.get_help(click.Context(found, info_name=verb))
            assert f"\n    prepwright {verb} " in shown


def ended(process: "subprocess.Popen[str]") -> tuple[int, str]:
    _, err = process.communicate(timeout=60)
    return process.returncode, err


@pytest.fixture
def endless(tmp_path: Path) -> list[str]:
    """A run that takes minutes: every row joined with every other."""
    rows = "\n".join(str(number) for number in range(100_000))
    (tmp_path / "t.csv").write_text(f"a\n{rows}\n")
    steps: list[dict[str, Any]] = [
        {"id": "t", "operator": "input", "table": "t"},
        {"id": "u", "operator": "input", "table": "t"},
        {"id": "v", "operator": "project", "input": "u", "rename": {"a": "b"}, "others": True},
        {"id": "x", "operator": "join", "left": "t", "right": "v", "how": "cross"},
        {"id": "n", "operator": "aggregate", "input": "x",
         "columns": [{"name": "n", "value": "max(levenshtein(a, b))"}]},
        {"id": "o", "operator": "output", "input": "n", "name": "o.csv"},
    ]  # fmt: skip
    (tmp_path / "w.json").write_text(json.dumps({"version": 1, "steps": steps}))
    flow, data = str(tmp_path / "w.json"), str(tmp_path / "t.csv")
    return [*PYTHON, "run", flow, "--input", f"t={data}", "-o", str(tmp_path / "out")]


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_a_long_run_at_once_and_leaves_nothing(
    endless: list[str], tmp_path: Path, number: int, status: int
) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    (tmp_path / "temporary").mkdir()
    pipe = subprocess.PIPE
    with subprocess.Popen(endless, stdout=pipe, stderr=pipe, text=True, env=environment) as process:
        deadline = time.monotonic() + 30
        while not list(tmp_path.glob("out/.partial-*")) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1.5)
        assert process.poll() is None
        process.send_signal(number)
        begun = time.monotonic()
        assert ended(process) == (status, "interrupted; nothing was left half-written\n")
        assert time.monotonic() - begun < 10
    assert not (tmp_path / "out").exists()
    assert not list((tmp_path / "temporary").iterdir())


def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    command = " ".join([*PYTHON, "schema"]) + " | head -1"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == ("{\n", "")


def test_a_question_on_a_terminal_is_answered_there(
    registrations: list[str], tmp_path: Path
) -> None:
    import pty

    parent, child = pty.openpty()
    command = [*PYTHON, "prepare", *registrations, "-o", str(tmp_path / "fees")]
    environment = {**os.environ, "COLUMNS": "100", "TERM": "dumb"}
    with subprocess.Popen(command, stdin=child, stdout=child, stderr=child, env=environment) as run:
        os.close(child)
        os.write(parent, b"purple\n2\n")
        shown = b""
        try:
            while piece := os.read(parent, 65_536):
                shown += piece
        except OSError:
            pass  # the terminal closes with the last process on it
        assert run.wait(timeout=60) == 0, shown.decode(errors="replace")
    os.close(parent)
    assert b"One question" in shown
    assert b"none of the answers" in shown
    assert "2024Q1,Research,200" in (tmp_path / "fees" / "output_01.csv").read_text()
