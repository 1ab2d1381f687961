"""The catalogue of functions: all of them exist, and none reads more than its arguments."""

import itertools
from collections.abc import Callable, Iterator

import duckdb  # noqa: TID251
import pytest

from prepwright.functions import FUNCTIONS
from prepwright.functions.catalogue import GROUPS
from prepwright.tables import Schema
from prepwright.workflow.expressions import checking
from prepwright.workflow.expressions.parsing import parse
from prepwright.workflow.operator import Relation
from prepwright.workflow.operators.filter import Filter

OWN_FORM = {
    "case": "CASE WHEN true THEN 1 END",
    "cast": "CAST('1' AS INTEGER)",
    "try_cast": "TRY_CAST('1' AS INTEGER)",
    "flatten": "flatten([[1]])",
    "regexp_count": "regexp_count('aba', 'a')",
    "regexp_like": "regexp_like('aba', 'a')",
    "percentile_cont": "percentile_cont(0.5) WITHIN GROUP (ORDER BY v)",
    "percentile_disc": "percentile_disc(0.5) WITHIN GROUP (ORDER BY v)",
    "unnest": "unnest([1, 2])",
    "struct_pack": "struct_pack(a := 1)",
    "extract": "extract(year FROM DATE '2024-01-01')",
    "position": "position('b' IN 'abc')",
}
"""Functions that are not called as a name with plain values."""

ARGUMENTS = (
    "1", "1.5::DOUBLE", "'a'", "'%Y'", "DATE '2024-01-01'", "TIMESTAMP '2024-01-01'", "'41'",
    "TIME '10:00:00'", "[1, 2]", "['a']", "true", "'{}'", "'day'", "'sum'", "'k'", "{'k': 1}",
    "INTERVAL 1 DAY", "map([1], [2])", "lambda x: x", "lambda x: x > 1", "lambda x, y: x",
)  # fmt: skip

DANGEROUS = """
    now current_date current_time current_timestamp get_current_timestamp transaction_timestamp
    today localtime localtimestamp utc_date random rand setseed uuid gen_random_uuid uuidv7 newid
    getenv getvariable current_setting current_user current_schema current_database version
    current_query txid_current nextval currval read_csv read_csv_auto read_text read_blob
    read_parquet read_json read_json_auto glob sniff_csv parquet_scan parquet_metadata query
    query_table duckdb_settings duckdb_secrets duckdb_tables pragma_version sleep_ms pg_sleep
    add_parquet_key write_log error force_checkpoint checkpoint enable_logging
""".split()

# `error` and its kind end a run; the others read files, settings, the clock, chance or the catalog


def calls(name: str) -> Iterator[str]:
    """Yield calls of a function, one of which should fit it."""
    if name in OWN_FORM:
        yield OWN_FORM[name]
        return
    for count in range(4):
        for given in itertools.product(ARGUMENTS, repeat=count):
            if count < 3 or len(set(given)) < 3:
                yield f"{name}({', '.join(given)})"


def allowed(call: str) -> bool:
    relation = Relation("t", Schema.text("v"), ())
    step = Filter(id="f", input="t", where="true")
    return not list(checking.faults(step, call, {"": relation}, what="x"))


@pytest.fixture(scope="module")
def binds() -> Iterator[Callable[[str], bool]]:
    connection = duckdb.connect()

    def binds(call: str) -> bool:
        if not allowed(call):
            return False
        text = parse(call).sql("duckdb")
        for ending in ("", " OVER ()"):
            try:
                connection.execute(f"DESCRIBE SELECT {text}{ending} FROM (SELECT 1 AS v)")
            except duckdb.Error:
                continue
            return True
        return False

    yield binds
    connection.close()


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_catalogued_function_can_be_called(name: str, binds: Callable[[str], bool]) -> None:
    assert any(binds(call) for call in calls(name))


def test_a_function_is_listed_once() -> None:
    listed = [name for group in GROUPS.values() for name in group.split()]
    assert sorted(listed) == sorted(set(listed))


@pytest.mark.parametrize("name", DANGEROUS)
@pytest.mark.parametrize("arguments", ["", "'x'", "1", "'a', 'b'", "1, 2, 3"])
def test_nothing_reads_files_settings_the_clock_or_chance(name: str, arguments: str) -> None:
    assert name not in FUNCTIONS
    assert not allowed(f"{name}({arguments})")


def test_every_function_of_the_engine_that_is_not_listed_is_refused() -> None:
    connection = duckdb.connect()
    rows = connection.execute("SELECT DISTINCT function_name FROM duckdb_functions()").fetchall()
    connection.close()
    names = {row[0] for row in rows if row[0].isidentifier()} - FUNCTIONS
    assert len(names) > 300
    ways = ("", "'x'", "'x', 'y'", "1, 2, 3")
    assert not [f"{name}({way})" for name in sorted(names) for way in ways
                if allowed(f"{name}({way})")]  # fmt: skip


def test_a_function_that_changes_within_a_run_is_not_listed() -> None:
    connection = duckdb.connect()
    rows = connection.execute(
        "SELECT DISTINCT function_name FROM duckdb_functions() WHERE stability = 'VOLATILE'"
    ).fetchall()
    connection.close()
    assert not {row[0] for row in rows} & FUNCTIONS
