"""Once its inputs are loaded, the engine reads and changes nothing but what it was given."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlglot import exp, parse_one

from prepwright import engines, reading
from prepwright.engines import Engine, QueryFailed
from prepwright.errors import EngineError
from tests.workflow.running import chained, digest, table, written

FORBIDDEN = [
    "SELECT * FROM read_csv('{secret}')",
    "SELECT * FROM read_text('{secret}')",
    "SELECT * FROM read_blob('{secret}')",
    "SELECT * FROM '{secret}'",
    "SELECT * FROM glob('{folder}/*')",
    "SELECT * FROM sniff_csv('{secret}')",
    "SELECT * FROM read_text('{link}')",
    "SELECT * FROM read_text('{staging}/../secret.csv')",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_csv('https://example.com/x.csv')",
    "SELECT * FROM query('SELECT * FROM read_text(''{secret}'')')",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n")
    (tmp_path / "staging").mkdir()
    (tmp_path / "staging" / "link").symlink_to(tmp_path / "secret.csv")
    return tmp_path


@pytest.fixture
def sealed(folder: Path) -> Iterator[Engine]:
    with engines.opened() as engine:
        engine.load("t", table("t", [{"x": 1}]))
        engine.seal(folder / "staging")
        yield engine


@pytest.mark.parametrize("text", FORBIDDEN)
def test_a_query_made_by_hand_reads_no_file(text: str, sealed: Engine, folder: Path) -> None:
    names = {"secret": folder / "secret.csv", "folder": folder, "staging": folder / "staging",
             "link": folder / "staging" / "link"}  # fmt: skip
    query = parse_one(text.format(**names), read="duckdb")
    assert isinstance(query, exp.Query)
    with pytest.raises((QueryFailed, EngineError)):
        sealed.fetch(query)


# what sniff_csv would return is known without a file
@pytest.mark.parametrize("text", [text for text in FORBIDDEN if "sniff_csv" not in text])
def test_types_are_worked_out_where_no_file_can_be_read_at_all(text: str, folder: Path) -> None:
    names = {"secret": folder / "secret.csv", "folder": folder, "staging": folder / "staging",
             "link": folder / "staging" / "link"}  # fmt: skip
    query = parse_one(text.format(**names), read="duckdb")
    assert isinstance(query, exp.Query)
    with engines.opened() as engine, pytest.raises(QueryFailed):
        engine.describe(query, {})


@pytest.mark.parametrize(
    "text",
    ["COPY t TO '{out}'", "COPY (SELECT 1) TO '{out}'", "ATTACH '{out}' AS x",
     "EXPORT DATABASE '{out}'", "SET memory_limit = '9GB'", "SET threads = 7",
     "SET enable_external_access = true", "RESET lock_configuration", "INSTALL httpfs",
     "LOAD httpfs", "PRAGMA enable_external_access = true"],
)  # fmt: skip
def test_no_statement_writes_a_file_or_changes_a_setting(
    text: str, sealed: Engine, folder: Path
) -> None:
    command = exp.Command(this=text.format(out=folder / "out.csv"))
    with pytest.raises((QueryFailed, EngineError)):
        sealed.fetch(command)  # type: ignore[arg-type]
    assert sorted(file.name for file in folder.iterdir()) == ["secret.csv", "staging"]


def test_files_are_written_into_the_staging_folder_alone(sealed: Engine, folder: Path) -> None:
    query = exp.select("x").from_("t")
    assert sealed.write(query, folder / "staging" / "good.csv", "csv") == 1
    with pytest.raises((QueryFailed, EngineError)):
        sealed.write(query, folder / "bad.csv", "csv")
    assert not (folder / "bad.csv").exists()


def test_local_variables_of_python_are_no_tables(sealed: Engine) -> None:
    secret = table("secret", [{"a": 1}])
    assert secret
    with pytest.raises(QueryFailed):
        sealed.fetch(exp.select("*").from_("secret"))


def test_inputs_are_never_changed_by_a_run(tmp_path: Path) -> None:
    path = tmp_path / "first.csv"
    path.write_text("a,b\n" + "".join(f"{n},x{n}\n" for n in range(1000)))
    before, changed = digest(path), path.stat().st_mtime_ns
    tables = reading.read_all([path])
    workflow = chained({"operator": "filter", "where": "a <> '5'"})
    written(workflow, {"first": tables["first"]}, tmp_path / "out")
    assert (digest(path), path.stat().st_mtime_ns) == (before, changed)
    # an output that has the input's own name goes into the folder of results
    assert sorted(file.name for file in tmp_path.iterdir()) == ["first.csv", "out"]


def test_spilled_data_is_private_and_gone_at_the_end() -> None:
    with engines.opened() as engine:
        place: Path = engine._spill  # type: ignore[attr-defined]
        assert place.stat().st_mode & 0o077 == 0
    assert not place.exists()
