"""What cannot be read is refused in three lines: what, found, fix."""

import os
import random
import stat
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pytest
from pyarrow import parquet

from prepwright.errors import InputError
from prepwright.reading import read
from tests.reading.read_rows import written

JUNK = random.Random(1).randbytes(3000)
OLE = bytes.fromhex("d0cf11e0a1b11ae1")

BROKEN: list[tuple[str, str | bytes, str, str]] = [
    ("empty.csv", "", "the file is empty", "0 bytes"),
    ("blank.csv", " \n\n", "the file is empty", "white space only"),
    ("cells.csv", ",,\n,,\n", "the file is empty", "no cell in it"),
    ("junk.csv", JUNK, "the content is not csv", "bytes that start with"),
    ("image.csv", b"\x89PNG\r\n\x1a\n" + JUNK, "the content is not csv", "a PNG image"),
    ("document.csv", b"%PDF-1.4\n" + b"text\n" * 50, "the content is not csv", "a PDF document"),
    ("page.xls", "<html><table></table></html>", "the content is not excel", "an HTML page"),
    ("quote.csv", 'a,b\n"x","y"\n"z,1\n', "a quoted cell never ends", '"z,1'),
    ("comma.json", '[{"a": 1},\n {"a": 2,}]', "line 2 column 10: this is not JSON", "}]"),
    ("missing.json", '[{"a": 1}\n {"a": 2}]', "line 2 column 2: this is not JSON", '{"a": 2}'),
    ("cut.json", '[{"a": 1},\n{"a":', "line 2 column 6: this is not JSON", "the end of the file"),
    ("open.json", '[{"a": 1}', "this is not JSON: expecting ',' or ']'", "the end of the file"),
    ("trailing.json", '[{"a": 1}] x', "column 12: this is not JSON", "x"),
    ("object.json", '{"a": 1,\n"b" 2}', "line 2 column 5: this is not JSON", "2}"),
    ("numbers.json", "[1, 2]", "each row must be a JSON object", "1"),
    ("number.json", "3", "each row must be a JSON object", "3"),
    ("none.json", "[]", "there are no rows with columns", "no object"),
    ("two.json", '{"a": [{"x": 1}], "b": [{"y": 1}]}', "several arrays", "'a', 'b'"),
    ("deep.json", "[" * 100_000, "nested too deeply", "levels"),
    ("deep.jsonl", '{"a":' * 100_000, "nested too deeply", "levels"),
    ("cut.jsonl", '{"a": 1}\n{"a":\n', "line 2 column 6: this is not JSON", "the end of the file"),
    ("list.jsonl", '{"a": 1}\n[1]\n', "line 2: each row must be a JSON object", "[1]"),
    ("cut.parquet", b"PAR1" + JUNK, "damaged or cut off", ""),
    ("junk.parquet", JUNK, "the content is not parquet", "bytes that start with"),
    ("cut.xlsx", b"PK\x03\x04[Content_Types].xml" + JUNK, "damaged or cut off", "zip"),
    ("junk.xls", OLE + bytes(600), "damaged or cut off", ""),
    ("locked.xlsx", OLE + bytes(600) + "EncryptedPackage".encode("utf-16-le") + bytes(600),
     "protected by a password", "encrypted"),
    ("what.ever", JUNK, "the kind of file is not known", "bytes that start with"),
    ("packed.ever", b"\x1f\x8b\x08" + JUNK, "the kind of file is not known", "unpack it first"),
]  # fmt: skip


def refusal(path: str | Path, **options: Any) -> InputError:
    with pytest.raises(InputError) as error:
        table = read(path, options=options)
        list(table.batches())
    lines = str(error.value).split("\n")
    assert len(lines) == 3
    assert lines[1].startswith("  found: ")
    assert lines[2].startswith("  fix: ")
    assert "nothing else" not in lines[1]
    assert "see above" not in lines[2]
    return error.value


@pytest.mark.parametrize(("name", "content", "what", "found"), BROKEN, ids=lambda value: None)
def test_broken_file(
    name: str, content: str | bytes, what: str, found: str, tmp_path: Path
) -> None:
    error = refusal(written(tmp_path, content, name))
    assert what in str(error)
    assert found in error.found
    assert name in error.where


def test_missing_file_names_the_nearest_one(tmp_path: Path) -> None:
    written(tmp_path, "a\n1\n", "orders.csv")
    assert refusal(tmp_path / "order.csv").fix == f"did you mean {str(tmp_path / 'orders.csv')!r}?"
    assert "no " in refusal(tmp_path / "nowhere" / "orders.csv").found


def test_folders_and_patterns_without_files(tmp_path: Path) -> None:
    assert refusal(tmp_path).what == "there is no readable file in this folder"
    written(tmp_path, "hello", "readme.md")
    assert refusal(tmp_path).found == "'readme.md'"
    assert refusal(tmp_path / "*.csv").what == "no file matches this pattern"
    assert refusal(tmp_path / "nowhere" / "*.csv").what == "no file matches this pattern"


def test_a_device_is_no_file() -> None:
    assert "device" in refusal("/dev/null").found


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    assert "pipe" in refusal(tmp_path / "pipe.csv").found


def test_a_link_to_nothing(tmp_path: Path) -> None:
    (tmp_path / "t.csv").symlink_to(tmp_path / "gone.csv")
    refusal(tmp_path / "t.csv")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_no_permission(tmp_path: Path) -> None:
    path = written(tmp_path, "a\n1\n")
    path.chmod(stat.S_IWUSR)
    assert refusal(path).what == "no permission to read this"


def test_names_that_no_file_can_have(tmp_path: Path) -> None:
    refusal(tmp_path / "a\0b.csv")
    refusal(tmp_path / ("x" * 300))


def test_sheets(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.worksheets[0].title = "Orders"
    book.save(tmp_path / "t.xlsx")
    error = refusal(tmp_path / "t.xlsx", sheet="Order")
    assert (error.found, error.fix) == ("'Orders'", "did you mean 'Orders'?")
    assert refusal(tmp_path / "t.xlsx").what == "the sheet 'Orders' is empty"


def test_a_parquet_file_without_its_end(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"a": list(range(1000))}), tmp_path / "t.parquet")
    content = (tmp_path / "t.parquet").read_bytes()
    assert "cut off" in refusal(written(tmp_path, content[:-100], "t.parquet")).what


OPTIONS: list[tuple[dict[str, Any], str, str]] = [
    ({"formt": "csv"}, "has no option 'formt'", "did you mean 'format'?"),
    ({"format": "exel"}, "no format 'exel'", "did you mean 'excel'?"),
    ({"header_line": 0}, "cannot be 0", "header_line"),
    ({"header_line": 9}, "there is no header line 9", "header_line"),
    ({"repeated_header": "maybe"}, "cannot be 'maybe'", "drop or keep"),
    ({"header_line": "two"}, "cannot be 'two'", "header_line"),
]


@pytest.mark.parametrize(("options", "what", "fix"), OPTIONS)
def test_wrong_options(options: dict[str, Any], what: str, fix: str, tmp_path: Path) -> None:
    error = refusal(written(tmp_path, "a,b\n1,2\n"), **options)
    assert what in error.what
    assert fix in error.fix


def test_a_file_that_grew_wider_after_it_was_opened(tmp_path: Path) -> None:
    table = read(written(tmp_path, "a,b\n1,2\n\n"))
    written(tmp_path, "a,b\n1,2,3\n\n")
    with pytest.raises(InputError, match="more cells"):
        list(table.batches())


def test_cells_too_far_apart_for_memory(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.worksheets[0]["A1"] = "id"
    book.worksheets[0]["XFD1048576"] = "stray"
    book.save(tmp_path / "t.xlsx")
    error = refusal(tmp_path / "t.xlsx")
    assert error.what == "the cells of a sheet are too far apart"
    assert error.found.startswith("17,179,869,184 cells")
