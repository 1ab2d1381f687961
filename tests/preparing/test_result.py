"""The Python API gives the tables, the steps and the choices, and shows them safely."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import prepwright as pw
from prepwright.asking import Question
from prepwright.errors import InputError, NotUnderstood, OpenQuestions, PrepwrightError

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "registrations"
FILES = [EXAMPLE / "main_reg.csv", EXAMPLE / "workshop_reg.csv"]
REQUEST = (EXAMPLE / "request.txt").read_text(encoding="utf-8")
FEES = [
    ("2024Q1", "Demo", 120), ("2024Q1", "Industry", 160), ("2024Q1", "Research", 250),
    ("2024Q2", "Demo", 130), ("2024Q2", "Industry", 190), ("2024Q2", "Research", 240),
]  # fmt: skip


@pytest.fixture(scope="module")
def result() -> Iterator[pw.Result]:
    yield pw.prepare(REQUEST, FILES)


def rows(result: pw.Result) -> list[tuple[object, ...]]:
    return [tuple(row.values()) for row in result.table.to_pylist()]


def test_the_request_gives_the_fees(result: pw.Result) -> None:
    assert rows(result) == FEES


def test_the_one_question_that_matters_is_left_with_its_effects(result: pw.Result) -> None:
    question = result.questions[0]
    assert [one.choice.id for one in result.questions] == ["duplicates_name"]
    assert (question.touched, question.rows) == (1, 6)
    assert question.effects["first"].after == ("2024Q1", "Research", "200")
    assert question.effects["both"].after == ("2024Q1", "Research", "225")


def test_every_choice_is_in_the_ledger_with_what_it_would_have_given(result: pw.Result) -> None:
    for choice in ("unify_track", "quarter_format", "duplicates_name", "align_fee"):
        assert f"`{choice}`" in result.ledger
    assert "2024Q1 Research 250 → 2024Q1 Research 200" in " ".join(result.ledger.split())


def test_a_callback_is_asked_each_question_once() -> None:
    asked: list[Question] = []

    def ask(question: Question) -> str:
        asked.append(question)
        return "both"

    result = pw.prepare(REQUEST, FILES, ask=ask)
    assert [one.choice.id for one in asked] == ["duplicates_name"]
    assert ("2024Q1", "Research", 225) in rows(result)
    assert not result.questions
    entry = next(one for one in result.told.entries if one.id == "duplicates_name")
    assert (entry.by, entry.chosen) == ("answer", "both")


def test_answers_settle_questions_before_they_are_asked() -> None:
    result = pw.prepare(REQUEST, FILES, answers={"duplicates_name": "first"}, accept_defaults=False)
    assert ("2024Q1", "Research", 200) in rows(result)


def test_open_questions_are_an_error_where_defaults_are_refused() -> None:
    with pytest.raises(OpenQuestions) as caught:
        pw.prepare(REQUEST, FILES, accept_defaults=False)
    assert "duplicates_name=latest" in caught.value.fix


def test_an_answer_that_is_no_option_is_refused() -> None:
    with pytest.raises(InputError):
        pw.prepare(REQUEST, FILES, answers={"duplicates_name": "purple"})


def test_what_is_not_understood_is_an_error_that_names_it() -> None:
    with pytest.raises(NotUnderstood) as caught:
        pw.prepare("drop rows with missing paid. xyzzy the frobnicator", FILES[:1])
    assert "frobnicator" in caught.value.found
    assert isinstance(caught.value, PrepwrightError)
    assert set(caught.value.parts()) == {"what", "where", "found", "fix"}


def test_a_saved_result_is_a_whole_folder(result: pw.Result, tmp_path: Path) -> None:
    out = result.save(tmp_path / "out")
    assert sorted(one.name for one in out.iterdir()) == [
        "ledger.md", "output_01.csv", "prepare.py", "prepare.sql", "run.json", "workflow.json",
    ]  # fmt: skip


def test_a_written_result_has_its_tables_too(tmp_path: Path) -> None:
    result = pw.prepare(REQUEST, FILES, out=tmp_path / "out")
    assert rows(result) == FEES
    assert result.ledger in (tmp_path / "out" / "ledger.md").read_text(encoding="utf-8")


def test_refreshing_reads_other_files_with_the_same_steps(
    result: pw.Result, tmp_path: Path
) -> None:
    later = tmp_path / "later.csv"
    later.write_text(FILES[1].read_text().replace("Bob Li,Industry,150", "Bob Li,Industry,750"))
    assert ("2024Q1", "Industry", 460) in rows(result.refresh({"workshop_reg": later}))
    assert rows(result.refresh()) == FEES


def test_a_frame_of_pandas_is_given(result: pw.Result) -> None:
    pytest.importorskip("pandas")
    assert list(result.to_pandas()["avg_fee"]) == [fee for _, _, fee in FEES]


def test_the_text_shows_table_steps_and_choices(result: pw.Result) -> None:
    shown = repr(result)
    assert "2024Q1   Demo          120" in shown
    assert "choice duplicates_name: the latest by date (default)" in shown
    assert "aggregate" in result.explain()
    assert result.diagram().startswith("flowchart")


def test_html_shows_cells_and_names_as_text(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('id,"<b onclick=""x()"">name"\n1,<script>alert(1)</script>\n')
    result = pw.prepare("sort by id", [path])
    shown = result._repr_html_()
    assert "<script>" not in shown
    assert "<b onclick" not in shown
    assert "&lt;script&gt;" in shown


def test_several_outputs_are_taken_by_name(tmp_path: Path) -> None:
    made = pw.Workflow.model_validate({"version": 1, "steps": [
        {"id": "t", "operator": "input", "table": "t"},
        {"id": "a", "operator": "output", "input": "t", "name": "a.csv"},
        {"id": "b", "operator": "output", "input": "t", "name": "b.csv"},
    ]})  # fmt: skip
    from prepwright.preparing.folder import Means, run_in_memory
    from prepwright.tables import Table

    tables = {"t": Table.from_rows("t", [{"x": 1}])}
    result = pw.Result(run_in_memory(made, tables, Means()), tables)
    assert set(result.tables) == {"a.csv", "b.csv"}
    with pytest.raises(InputError):
        _ = result.table


def test_the_package_offers_its_names_without_loading_data_libraries() -> None:
    assert pw.__version__
    assert {"prepare", "run", "read", "validate", "Workflow", "explain", "Result"} <= set(dir(pw))
    assert callable(pw.explain)
    with pytest.raises(AttributeError):
        _ = pw.nothing
