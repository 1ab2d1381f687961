"""Diagrams, lists, ledgers and SQL show the steps, and texts of users are never markup in them."""

from pathlib import Path

import duckdb  # noqa: TID251 - the exported SQL is for DuckDB itself
import pytest

from prepwright.export.escaping import code, markdown, mermaid, one_line
from prepwright.export.ledger import with_former
from prepwright.export.mermaid import mermaid as diagram
from prepwright.export.text import text
from prepwright.preparing.folder import Means, Told, write_folder
from prepwright.preparing.inputs import gathered
from prepwright.workflow import Workflow

HOSTILE = "<script>alert(1)</script>\n# heading ](javascript:x) `code` \x1b[31m\u202e --> end"


def made(why: str = "", where: str = "a <> 'x'") -> Workflow:
    return Workflow.model_validate({"version": 1, "request": why, "steps": [
        {"id": "t", "operator": "input", "table": "t"},
        {"id": "f", "operator": "filter", "input": "t", "where": where, "why": why},
        {"id": "o", "operator": "output", "input": "f", "name": "out.csv"},
    ]})  # fmt: skip


def test_text_keeps_to_one_line_without_control_characters() -> None:
    shown = one_line("a\nb\x1b[31m\u202ec\u2028d")
    assert shown == "a b\\x1b[31m\\x202ec d"
    assert one_line("abcdef", 4) == "abc…"


def test_markdown_shows_what_was_written() -> None:
    assert markdown("a*b_[c](d)<e>|f") == "a\\*b\\_\\[c\\](d)\\<e\\>\\|f"
    assert code("a`b") == "``a`b``"
    assert "\n" not in markdown(HOSTILE)


def test_a_label_of_a_diagram_cannot_end_its_node() -> None:
    shown = mermaid('"] --> x[("<b>')
    assert '"' not in shown and "<" not in shown and "]" not in shown


def test_a_diagram_has_a_node_for_each_step_and_an_arrow_for_each_table() -> None:
    lines = diagram(made(HOSTILE)).splitlines()
    assert lines[0] == "flowchart TD"
    assert [line.split("-->")[0].strip() for line in lines if "-->" in line] == ["s1", "s2"]
    assert len(lines) == 1 + 3 + 2


def test_a_list_says_what_each_step_does_and_why() -> None:
    shown = text(made("only the others"))
    assert "keep rows where a <> 'x'" in shown
    assert "why: only the others" in shown
    assert "\x1b" not in text(made(HOSTILE))


def test_the_ledger_shows_hostile_cells_as_text(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('a,"<img src=x onerror=1>"\n"<b>[x](y)",1\nx,2\n')
    written = write_folder(
        tmp_path / "o", made(HOSTILE, "a = '<'"), gathered([tmp_path / "t.csv"]), Means(), Told()
    )
    plain = written.ledger.replace("\\", "")
    assert "\\<b\\>\\[x\\](y)" in written.ledger
    assert "t line 2" in plain
    assert "<script" not in written.ledger.replace("\\<script", "")
    assert "\x1b" not in written.ledger


def test_the_ledger_keeps_former_runs_below_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "ledger.md"
    for number in range(25):
        path.write_text(with_former(f"## Run of day {number:02} (run)\n\nx\n", path))
    runs = [line for line in path.read_text().splitlines() if line.startswith("## Run of")]
    assert runs[0] == "## Run of day 24 (run)"
    assert len(runs) == 20
    assert path.read_text().count("# Ledger\n") == 1


@pytest.mark.parametrize(
    "content", ["a,b\nx,1\ny,2\nz,\n", "Title\n\na,b\ny,1\na,b\nz,2\n", "a;b\ny;ü\n"]
)
def test_the_script_gives_the_same_bytes_in_duckdb(
    tmp_path: Path, content: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "t.csv").write_text(content, encoding="utf-8")
    write_folder(
        tmp_path / "o", made("why\n; DROP"), gathered([tmp_path / "t.csv"]), Means(), Told()
    )
    monkeypatch.chdir(tmp_path)
    duckdb.connect().execute((tmp_path / "o" / "prepare.sql").read_text(encoding="utf-8"))
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "o" / "out.csv").read_bytes()
