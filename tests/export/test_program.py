"""An exported program gives the bytes that the run gave, with DuckDB and pandas alone."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from prepwright.preparing.folder import Means, Told, write_folder
from prepwright.preparing.inputs import gathered
from prepwright.tables import Table
from prepwright.workflow import Workflow

ALONE = """
import sys
for name in ("pyarrow", "prepwright", "sqlglot", "pydantic"):
    sys.modules[name] = None
import runpy
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def ran_alone(program: Path, out: Path, *inputs: str) -> str:
    command = [sys.executable, "-I", "-c", ALONE, str(program), "-o", str(out), *inputs]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


SCRIPT = """
import os, sys
import duckdb
os.chdir(sys.argv[2])
for statement in duckdb.extract_statements(open(sys.argv[1], encoding="utf-8").read()):
    duckdb.execute(statement)
"""


def ran_as_script(script: Path, out: Path) -> str:
    """Run a script in DuckDB in a folder; return the last line of its error, if it stops."""
    out.mkdir()
    command = [sys.executable, "-I", "-c", SCRIPT, str(script), str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.stderr.strip()


def workflow(*steps: dict[str, Any], request: str = "") -> Workflow:
    return Workflow.model_validate({"version": 1, "request": request, "steps": list(steps)})


def passed_on(table: str, name: str = "out.csv") -> Workflow:
    return workflow(
        {"id": "read", "operator": "input", "table": table},
        {"id": "write", "operator": "output", "input": "read", "name": name},
    )


def compare(tmp_path: Path, made: Workflow, tables: dict[str, Table]) -> bytes:
    """Run both ways and return the bytes of the first output."""
    first, second = tmp_path / "first", tmp_path / "second"
    written = write_folder(first, made, tables, Means(), Told())
    ran_alone(first / "prepare.py", second)
    for output in written.account.outputs:
        assert (second / output.name).read_bytes() == (first / output.name).read_bytes()
    script = ran_as_script(first / "prepare.sql", tmp_path / "third")
    for output in written.account.outputs:
        copied = tmp_path / "third" / output.name
        if script:
            assert "otherwise than it was read; run prepare.py" in script
            assert not copied.exists()
        elif copied.suffix != ".xlsx":
            assert copied.read_bytes() == (first / output.name).read_bytes()
    return (first / written.account.outputs[0].name).read_bytes()


FILES = {
    "regular": b'id,name\n007,Ann\n8,"O\'Neil, ""Jim"""\n9,\n',
    "title and repeated header": b"Report 2024\n\nid,name\n1,Ann\nid,name\n2,Bob\n",
    "blank and ragged lines": b"id,name,x\n1,Ann\n\n2,Bob,y,z\n , \n3,,\n",
    "windows encoding": "id;name;city\n1;J\xfcrgen;K\xf6ln\n2;Zo\xeb;Li\xe8ge\n".encode("cp1252"),
    "utf-16": "id\tname\n1\tAnn\n2\tŁukasz\n".encode("utf-16"),
    "byte order mark": b"\xef\xbb\xbfid,name\n1,Ann\n",
    "lines in cells": b'id,name\n1,"two\nlines"\n2,"a\r\nb"\n',
    "bare quotes": b'id,size\n1,5" pipe\n2,"\n',
    "odd names": b'it\'s,"a ""b""","x\ny",\\d,\n1,2,3,4,5\n',
    "one column": b'name\nAnn\n""\nBob\n',
    "a column called rowid": b"RowId,b\nx,1\ny,2\n",
    "header only": b"id,name\n",
    "null words": b"id,v\nNA,null\nnan,None\n<NA>,NaT\n",
}


@pytest.mark.parametrize("content", FILES.values(), ids=list(FILES))
def test_a_delimited_file_is_read_to_the_letter(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    compare(tmp_path, passed_on("t"), gathered([path]))


@pytest.mark.parametrize(
    "name", ["regular", "title and repeated header", "byte order mark", "one column", "null words"]
)
def test_a_script_reads_what_duckdb_reads_alike(tmp_path: Path, name: str) -> None:
    (tmp_path / "t.csv").write_bytes(FILES[name])
    written = write_folder(
        tmp_path / "out", passed_on("t"), gathered([tmp_path / "t.csv"]), Means(), Told()
    )
    assert ran_as_script(tmp_path / "out/prepare.sql", tmp_path / "again") == ""
    copied = (tmp_path / "again/out.csv").read_bytes()
    assert copied == (tmp_path / "out" / written.account.outputs[0].name).read_bytes()


def test_a_script_that_cannot_read_a_file_says_so_first(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(FILES["windows encoding"])
    write_folder(tmp_path / "out", passed_on("t"), gathered([tmp_path / "t.csv"]), Means(), Told())
    head = (tmp_path / "out/prepare.sql").read_text(encoding="utf-8").split("\n\n")[0]
    assert "It stops at t: DuckDB's own reader would give" in head
    assert "Run prepare.py instead." in head


@pytest.mark.parametrize("given", ["months", "months/*.csv"])
def test_a_script_reads_each_file_of_a_folder_once(tmp_path: Path, given: str) -> None:
    folder = tmp_path / "months"
    folder.mkdir()
    (folder / "jan.csv").write_text("sku|units\nA|1\nB|2\n")
    (folder / "feb.csv").write_text("units|sku\n3|A\n")
    summed = workflow(
        {"id": "read", "operator": "input", "table": "months"},
        {"id": "sums", "operator": "aggregate", "input": "read", "by": ["sku", "file_name"],
         "columns": [{"name": "units", "value": "sum(CAST(units AS INTEGER))"}]},
        {"id": "write", "operator": "output", "input": "sums", "name": "out.csv"},
    )  # fmt: skip
    tables = {"months": next(iter(gathered([tmp_path / given]).values()))}
    write_folder(tmp_path / "out", summed, tables, Means(), Told())
    assert ran_as_script(tmp_path / "out/prepare.sql", tmp_path / "again") == ""
    assert (tmp_path / "again/out.csv").read_text() == (
        "sku,file_name,units\nA,feb.csv,3\nA,jan.csv,1\nB,jan.csv,2\n"
    )


def test_json_is_read_to_the_letter(tmp_path: Path) -> None:
    rows = '[{"a": 1.50, "b": {"c": "x", "d": [1, 2.0, "é"]}}, {"a": null, "e": true, "f": "1e5"}]'
    (tmp_path / "t.json").write_text(rows, encoding="utf-8")
    compare(tmp_path, passed_on("t"), gathered([tmp_path / "t.json"]))


def test_json_lines_are_read_to_the_letter(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"a": 10000000000000000001}\n\n{"a": "x", "b": {}}\n')
    compare(tmp_path, passed_on("t"), gathered([tmp_path / "t.jsonl"]))


def test_parquet_keeps_its_types(tmp_path: Path) -> None:
    table = pa.table({"a": [1, None], "b": [0.1, 2.0], "c": ["x", ""]})
    parquet.write_table(table, tmp_path / "t.parquet")
    written = compare(tmp_path, passed_on("t"), gathered([tmp_path / "t.parquet"]))
    assert written == b'a,b,c\n1,0.1,x\n,2,""\n'


def test_a_sheet_is_read_to_the_letter(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    import datetime

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Report"])
    sheet.append(["id", "day", "amount", "ok"])
    sheet.append([1, datetime.date(2024, 2, 3), 1.5, True])
    sheet.append(["x", datetime.datetime(2024, 2, 3, 4, 5, 6), 2.0, None])
    book.save(tmp_path / "t.xlsx")
    compare(tmp_path, passed_on("t"), gathered([tmp_path / "t.xlsx"]))


def test_a_folder_of_files_is_one_table(tmp_path: Path) -> None:
    folder = tmp_path / "months"
    folder.mkdir()
    (folder / "jan.csv").write_text("id,v\n1,a\n2,b\n")
    (folder / "feb.csv").write_text("Title\n\nV,w\nc,d\n")
    written = compare(tmp_path, passed_on("months"), gathered([folder]))
    assert written.startswith(b"file_name,")


@pytest.mark.parametrize("name", ["out.tsv", "out.json", "out.jsonl"])
def test_other_text_formats_are_written_alike(tmp_path: Path, name: str) -> None:
    (tmp_path / "t.csv").write_text('id,name\n1,"a\tb"\n2,\n')
    compare(tmp_path, passed_on("t", name), gathered([tmp_path / "t.csv"]))


def test_every_kind_of_step_gives_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(
        'k,v,d\nx,1.10,2024-01-05\ny,"1,200",2024-02-01\nx,7,bad\nz,,\n'
    )
    (tmp_path / "b.csv").write_text("k,city\nx,Köln\nw,Liège\n", encoding="utf-8")
    made = workflow(
        {"id": "a", "operator": "input", "table": "a"},
        {"id": "b", "operator": "input", "table": "b"},
        {"id": "typed", "operator": "project", "input": "a", "others": True, "columns": [
            {"name": "v", "value": "parse_number(v)"},
            {"name": "d", "value": "parse_date(d, ['%Y-%m-%d'])"},
            {"name": "s", "value": "'it''s \\d \"quoted\"'"}]},
        {"id": "kept", "operator": "filter", "input": "typed", "where": "v IS NOT NULL"},
        {"id": "both", "operator": "join", "left": "kept", "right": "b", "how": "left",
         "on": ["k"]},
        {"id": "one", "operator": "dedup", "input": "both", "key": ["k"], "order": ["v DESC"]},
        {"id": "all", "operator": "union", "inputs": ["both", "one"], "source": "from"},
        {"id": "sum", "operator": "aggregate", "input": "all", "by": ["k"],
         "columns": [{"name": "total", "value": "sum(v)"}, {"name": "mean", "value": "avg(v)"}]},
        {"id": "wide", "operator": "pivot", "direction": "wider", "input": "all", "by": ["k"],
         "names": "from", "values": [{"name": "", "value": "count(*)"}]},
        {"id": "sorted", "operator": "sort", "input": "sum", "order": ["total DESC"]},
        {"id": "o1", "operator": "output", "input": "sorted", "name": "sums.csv"},
        {"id": "o2", "operator": "output", "input": "wide", "name": "wide.csv"},
        request='say """hi""" \\ and\nmore',
    )  # fmt: skip
    compare(tmp_path, made, gathered([tmp_path / "a.csv", tmp_path / "b.csv"]))


def test_steps_in_any_order_are_written_in_reading_order(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n2\n1\n")
    made = workflow(
        {"id": "o", "operator": "output", "input": "s", "name": "out.csv"},
        {"id": "s", "operator": "sort", "input": "t", "order": ["a"]},
        {"id": "t", "operator": "input", "table": "t"},
    )
    assert compare(tmp_path, made, gathered([tmp_path / "t.csv"])) == b"a\n1\n2\n"


def test_a_program_reads_other_files_by_name(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id,name\n1,Ann\n")
    (tmp_path / "later.csv").write_text("id,name\n2,Bob\nid,name\n3,Cid\n")
    write_folder(tmp_path / "o", passed_on("t"), gathered([tmp_path / "t.csv"]), Means(), Told())
    ran_alone(tmp_path / "o" / "prepare.py", tmp_path / "p", f"t={tmp_path / 'later.csv'}")
    assert (tmp_path / "p" / "out.csv").read_text() == "id,name\n2,Bob\n3,Cid\n"


def test_a_table_in_memory_is_given_as_a_file(tmp_path: Path) -> None:
    data = pa.table({"a": [1, 2], "b": ["x", None]})
    write_folder(tmp_path / "o", passed_on("t"), gathered({"t": data}), Means(), Told())
    parquet.write_table(data, tmp_path / "saved.parquet")
    ran_alone(tmp_path / "o" / "prepare.py", tmp_path / "p", f"t={tmp_path / 'saved.parquet'}")
    assert (tmp_path / "p" / "out.csv").read_bytes() == (tmp_path / "o" / "out.csv").read_bytes()


def test_hostile_texts_stay_texts(tmp_path: Path) -> None:
    name = "x\"); __import__('os').system('touch pwned') #\n"
    (tmp_path / "t.csv").write_text(
        json.dumps(name).replace("\\n", "\n").replace('\\"', '""') + "\n1\n"
    )
    made = workflow(
        {"id": "t", "operator": "input", "table": "t", "why": 'x\n__import__("os")\r\u2028y'},
        {"id": "o", "operator": "output", "input": "t", "name": "out.csv", "why": '"""\n1/0'},
        request='"""\n1/0\n"""\\',
    )
    compare(tmp_path, made, gathered([tmp_path / "t.csv"]))
    assert not list(tmp_path.rglob("pwned"))
