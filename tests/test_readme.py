"""The README shows what really happens: its transcript, and its Python."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def lines(text: str) -> list[str]:
    """Return the lines with runs of blanks made one, without what differs from run to run."""
    plain = re.sub(r" +[0-9.]+ s$", "", text, flags=re.MULTILINE).replace("demo-out/", "OUT/")
    return [" ".join(line.split()) for line in plain.splitlines() if line.strip()]


def test_the_transcript_is_what_the_main_job_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from prepwright.cli import prepwright

    monkeypatch.chdir(ROOT)
    folder = "examples/registrations"
    request = (ROOT / folder / "request.txt").read_text(encoding="utf-8").strip()
    files = [f"{folder}/main_reg.csv", f"{folder}/workshop_reg.csv"]
    arguments = ["prepare", request, *files, "-o", str(tmp_path), "--accept-defaults"]
    done = CliRunner(env={"COLUMNS": "300"}).invoke(prepwright, arguments)
    assert done.exit_code == 0, done.output
    shown = done.output.replace(f"{tmp_path}/", "OUT/")
    assert lines(shown) == lines(blocks("text")[0])


def test_the_python_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile(blocks("python")[0], "README.md", "exec"), {})  # noqa: S102
    assert capsys.readouterr().out == (
        "[{'track': 'Demo', 'total_amount': 250.0}, {'track': 'Industry', 'total_amount': 150.0}]\n"
    )
