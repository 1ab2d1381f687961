"""A sheet's cells become the text that a person reads in them."""

import datetime
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.styles import Font

from prepwright.reading import read
from tests.reading.read_rows import read_again, rows_of

ODS = """<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2">
<office:body><office:spreadsheet><table:table table:name="S">
<table:table-row><table:table-cell office:value-type="string"><text:p>id</text:p></table:table-cell>
<table:table-cell office:value-type="string"><text:p>day</text:p></table:table-cell>
</table:table-row><table:table-row>
<table:table-cell office:value-type="float" office:value="7"><text:p>7</text:p></table:table-cell>
<table:table-cell office:value-type="string"><text:p>NA</text:p></table:table-cell>
</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"""

MANIFEST = """<?xml version="1.0" encoding="UTF-8"?>
<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>
</manifest:manifest>"""


def saved(folder: Path, **sheets: list[list[Any]]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for number, row in enumerate(rows, 1):
            for column, value in enumerate(row, 1):
                sheet.cell(number, column, value)
    book.save(folder / "book.xlsx")
    return folder / "book.xlsx"


CELLS = [
    (12345, "12345"),
    (1e15, "1000000000000000"),
    (1.5, "1.5"),
    (0.1, "0.1"),
    (1e-7, "0.0000001"),
    ("007", "007"),
    ("1234567890123456789", "1234567890123456789"),
    ("NA", "NA"),
    (" x ", " x "),
    (True, "true"),
    (False, "false"),
    (datetime.date(2024, 2, 3), "2024-02-03"),
    (datetime.datetime(2024, 2, 3, 4, 5, 6), "2024-02-03 04:05:06"),
    (datetime.time(4, 5), "04:05:00"),
    (datetime.timedelta(hours=30, minutes=5), "30:05:00"),
    (None, None),
]


@pytest.mark.parametrize(("value", "text"), CELLS)
def test_cell_reads_as_a_person_sees_it(value: object, text: str | None, tmp_path: Path) -> None:
    table = read(saved(tmp_path, S=[["id", "v"], ["1", value]]))
    assert rows_of(table) == [("1", text)]
    assert [column.type for column in table.schema.columns] == ["VARCHAR", "VARCHAR"]


def test_titles_blank_rows_and_repeats_are_set_aside(tmp_path: Path) -> None:
    rows = [["Report"], [], ["id", "name"], [1, "x"], [], ["id", "name"], [2, None], [None, "y"]]
    table = read(saved(tmp_path, S=rows))
    assert rows_of(table) == [("1", "x"), ("2", None), (None, "y")]
    assert table.reading.notes == (
        "title line 1 set aside",
        "header on line 3",
        "line 6 repeats the header, set aside",
        "1 blank line set aside (line 5)",
    )
    assert [table.reading.line_of(row) for row in (1, 2, 3)] == [4, 7, 8]
    assert rows_of(read_again(table)) == rows_of(table)


def test_the_first_sheet_that_holds_something_is_read(tmp_path: Path) -> None:
    path = saved(tmp_path, Empty=[], Data=[["a"], ["x"]], More=[["b"], ["y"]])
    table = read(path)
    assert rows_of(table) == [("x",)]
    assert table.reading.options["sheet"] == "Data"
    said = f"sheet 'Data' read; not read: 'Empty', 'More' (give it as Empty={path.name})"
    assert table.reading.notes == (said,)


@pytest.mark.parametrize("name", ["More", "more", "Sheet_2"])
def test_a_table_called_like_a_sheet_is_that_sheet(tmp_path: Path, name: str) -> None:
    path = saved(tmp_path, Data=[["a"], ["x"]], More=[["a"], ["y"]], **{"Sheet 2": [["a"], ["y"]]})
    table = read(path, name=name)
    assert rows_of(table) == [("y",)]
    assert table.reading.notes == ()
    assert rows_of(read_again(table)) == [("y",)]
    assert rows_of(read(path, name=name, options={"sheet": "Data"})) == [("x",)]


def test_a_sheet_can_be_chosen(tmp_path: Path) -> None:
    path = saved(tmp_path, Data=[["a"], ["x"]], More=[["b"], ["y"]])
    assert rows_of(read(path, options={"sheet": "More"})) == [("y",)]


def test_a_table_away_from_the_corner_keeps_its_lines(tmp_path: Path) -> None:
    table = read(saved(tmp_path, S=[[], [], [None, "id", "n"], [None, 1, 2]]))
    assert table.schema.names == ("id", "n")
    assert table.reading.line_of(1) == 4


def test_an_open_document_sheet(tmp_path: Path) -> None:
    path = tmp_path / "t.ods"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", MANIFEST)
        archive.writestr("content.xml", ODS.replace(">\n<", "><"))
    assert rows_of(read(path)) == [("7", "NA")]


def test_a_workbook_named_csv_is_seen_for_what_it_is(tmp_path: Path) -> None:
    path = saved(tmp_path, S=[["a"], [1]]).rename(tmp_path / "t.csv")
    table = read(path)
    assert rows_of(table) == [("1",)]
    assert table.reading.notes[0] == "named .csv but excel inside"


def test_a_far_cell_that_is_only_coloured_does_no_harm(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.worksheets[0].append(["id"])
    book.worksheets[0].append([1])
    book.worksheets[0]["XFD1048576"].font = Font(bold=True)
    book.save(tmp_path / "t.xlsx")
    assert rows_of(read(tmp_path / "t.xlsx")) == [("1",)]
