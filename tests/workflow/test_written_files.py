"""How values look in files, the same on every engine and in every format."""

import csv
import datetime
import io
import json
import signal
import threading
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pytest
from pyarrow import parquet

from prepwright.workflow import Workflow, staged
from tests.workflow.running import named, output, written

DAY = datetime.date(2024, 2, 29)
NOON = datetime.datetime(2024, 2, 29, 12, 30, 5)


def file(folder: Path, data: Any, name: str, **settings: Any) -> bytes:
    workflow = Workflow.from_data({"version": 1, "steps": [
        {"id": "first", "operator": "input", "table": "first"}, output("first", name, **settings),
    ]})  # fmt: skip
    return written(workflow, named([data]), folder)[name]


CELLS = [
    (1.0, "1"), (-3.0, "-3"), (0.5, "0.5"), (0.1 + 0.2, "0.3"), (1 / 3, "0.333333333333333"),
    (1e15, "1e+15"), (123456789012345.0, "123456789012345"), (1e-7, "1e-07"), (-0.0, "0"),
    (1e300, "1e+300"), (2.675, "2.675"), (float(2**53), "9.00719925474099e+15"), (None, ""),
    (7, "7"), (-(2**62), str(-(2**62))), (True, "true"), (False, "false"), (DAY, "2024-02-29"),
    (NOON, "2024-02-29 12:30:05"), (NOON.replace(microsecond=250_000), "2024-02-29 12:30:05.25"),
    (datetime.time(9, 5), "09:05:00"), (Decimal("1.50"), "1.50"), (Decimal("-0.05"), "-0.05"),
    ("plain", "plain"), ("a,b", '"a,b"'), ('say "x"', '"say ""x"""'),
    ("two\nlines", '"two\nlines"'),
    (" spaces ", " spaces "), ("", '""'),
    ("é 日本 😀", "é 日本 😀"), ("007", "007"), ("=1+1", "=1+1"),
    ("NULL", "NULL"), ("'", "'"), ("a;b", "a;b"), ("tab\there", "tab\there"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "text"), CELLS, ids=[repr(text) for _, text in CELLS])
def test_a_cell_of_a_csv_file(value: object, text: str, tmp_path: Path) -> None:
    data = pa.table({"a": [value], "z": ["end"]})
    found = file(tmp_path, data, "x.csv").decode()
    assert found == f"a,z\n{text},end\n"


@pytest.mark.parametrize(("value", "text"), CELLS, ids=[repr(text) for _, text in CELLS])
def test_a_csv_file_reads_back_as_the_same_text(value: object, text: str, tmp_path: Path) -> None:
    content = file(tmp_path, pa.table({"a": [value], "z": ["end"]}), "x.csv").decode()
    rows = list(csv.reader(io.StringIO(content, newline="")))
    assert rows[0] == ["a", "z"]
    if isinstance(value, str):
        assert rows[1] == [value, "end"]


def test_a_null_is_an_empty_cell_and_an_empty_text_is_a_quoted_one(tmp_path: Path) -> None:
    data = pa.table({"a": [None, "", "x"], "b": ["y", None, ""]})
    assert file(tmp_path, data, "x.csv") == b'a,b\n,y\n"",\nx,""\n'


def test_a_null_alone_on_its_line_is_not_a_blank_line(tmp_path: Path) -> None:
    data = pa.table({"a": [1.5, None, 2.0]})
    assert file(tmp_path, data, "x.csv") == b'a\n1.5\n""\n2\n'


def test_odd_column_names_are_quoted(tmp_path: Path) -> None:
    data = pa.table(
        {"a,b": [1], 'say "x"': [2], "": [3]} if False else {"a,b": [1], 'say "x"': [2]}
    )
    assert file(tmp_path, data, "x.csv") == b'"a,b","say ""x"""\n1,2\n'


def test_a_tsv_file_has_tabs(tmp_path: Path) -> None:
    data = pa.table({"a": ["x\ty", "p,q", None], "b": [1.0, 2.5, None]})
    assert file(tmp_path, data, "x.tsv") == b'a\tb\n"x\ty"\t1\np,q\t2.5\n\t\n'


def test_an_empty_table_is_a_header_alone(tmp_path: Path) -> None:
    data = pa.table({"a": pa.array([], pa.string()), "b": pa.array([], pa.float64())})
    assert file(tmp_path, data, "x.csv") == b"a,b\n"
    assert json.loads(file(tmp_path, data, "x.json")) == []
    assert file(tmp_path, data, "x.jsonl") == b""


RECORDS = [{"t": 'a "b" é', "n": 1, "x": 0.1, "f": True, "d": DAY, "z": None},
           {"t": "", "n": -2, "x": 2.0, "f": None, "d": None, "z": "end"}]  # fmt: skip


def test_json_keeps_types_and_nulls(tmp_path: Path) -> None:
    found = json.loads(file(tmp_path, RECORDS, "x.json"))
    assert found == [
        {"t": 'a "b" é', "n": 1, "x": 0.1, "f": True, "d": "2024-02-29", "z": None},
        {"t": "", "n": -2, "x": 2.0, "f": None, "d": None, "z": "end"},
    ]
    lines = file(tmp_path, RECORDS, "x.jsonl").decode().splitlines()
    assert [json.loads(line) for line in lines] == found


def test_parquet_keeps_types_and_order(tmp_path: Path) -> None:
    file(tmp_path, RECORDS, "x.parquet")
    found = parquet.read_table(tmp_path / "x.parquet")
    assert found.to_pylist() == RECORDS
    assert [str(kind) for kind in found.schema.types] == [
        "string", "int64", "double", "bool", "date32[day]", "string",
    ]  # fmt: skip


def test_a_sheet_holds_numbers_as_numbers_and_text_as_text(tmp_path: Path) -> None:
    data = [
        {"t": "=1+1", "n": 7, "x": 0.5, "d": DAY},
        {"t": "007", "n": None, "x": None, "d": None},
    ]
    file(tmp_path, data, "x.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "x.xlsx").active
    assert sheet is not None
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert rows[0] == ["t", "n", "x", "d"]
    assert rows[1][:3] == ["=1+1", 7, 0.5]
    assert str(rows[1][3]).startswith("2024-02-29")
    assert rows[2] == ["007", None, None, None]
    assert sheet["A2"].data_type == "s"


def test_a_sheet_takes_text_that_its_format_cannot_hold(tmp_path: Path) -> None:
    file(tmp_path, [{"t": "bell \x07 end", "u": "x" * 40_000}], "x.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "x.xlsx").active
    assert sheet is not None
    assert sheet["A2"].value == "bell _x0007_ end"


def test_chosen_columns_are_written_in_their_order_and_rows_in_theirs(tmp_path: Path) -> None:
    rows = [{"a": n, "b": -n} for n in range(5)]
    found = file(tmp_path, rows, "x.csv", columns=["B", "a"])
    assert found == b"b,a\n0,0\n-1,1\n-2,2\n-3,3\n-4,4\n"


def test_the_same_rows_give_the_same_bytes_in_every_format(tmp_path: Path) -> None:
    rows = [{"k": n % 7, "x": n / 3, "t": f"t{n}"} for n in range(20_000)]
    for suffix in ("csv", "json", "jsonl", "parquet"):
        found = {file(tmp_path / f"{suffix}{n}", rows, f"x.{suffix}") for n in range(2)}
        assert len(found) == 1, suffix


def test_an_interrupt_while_files_move_comes_after_all_have_moved(tmp_path: Path) -> None:
    out, names = tmp_path / "out", [f"{number:05}.csv" for number in range(2_000)]

    def interrupt() -> None:
        for _ in range(100_000):
            if (out / names[0]).exists():
                signal.raise_signal(signal.SIGINT)
                return

    with pytest.raises(KeyboardInterrupt), staged(out) as staging:
        for name in names:
            (staging / name).write_text("x\n")
        watching = threading.Thread(target=interrupt)
        watching.start()
    watching.join()
    assert sorted(file.name for file in out.iterdir()) == names
