"""JSON values stay text to the letter; nested objects become columns with dots."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.reading.read_rows import read_again, read_text, rows_of

VALUES = [
    ("1234567890123456789", "1234567890123456789"),
    ("1.50", "1.50"),
    ("-1E5", "-1E5"),
    ('"007"', "007"),
    ('"NA"', "NA"),
    ('""', ""),
    ("null", None),
    ("true", "true"),
    ("false", "false"),
    ('[1.0, "x", {"b": null}]', '[1.0, "x", {"b": null}]'),
    ("[]", "[]"),
    ("{}", "{}"),
    (r'"\u00e9"', "é"),
    (r'"\ud83d!"', "�!"),
]
FORMS = [("array.json", "[{}, {}]"), ("lines.jsonl", "{}\n{}\n"), ("lines.json", "{}\n{}\n"),
         ("object.json", '{{"rows": [{}, {}]}}')]  # fmt: skip


@pytest.mark.parametrize(("name", "form"), FORMS)
@pytest.mark.parametrize(("value", "cell"), VALUES)
def test_value_is_kept(name: str, form: str, value: str, cell: str | None, tmp_path: Path) -> None:
    one = f'{{"k": {value}}}'
    table = read_text(tmp_path, form.format(one, one), name)
    assert rows_of(table) == [(cell,), (cell,)]
    assert rows_of(read_again(table)) == rows_of(table)
    assert read_again(table).reading.options == table.reading.options


def test_nested_objects_are_flattened_and_missing_keys_are_null(tmp_path: Path) -> None:
    records: list[dict[str, Any]] = [{"id": 1, "a": {"b": {"c": "x"}}}, {"id": 2, "z": 3}]
    table = read_text(tmp_path, json.dumps(records), "t.json")
    assert table.schema.names == ("id", "a.b.c", "z")
    assert rows_of(table) == [("1", "x", None), ("2", None, "3")]


def test_keys_that_look_alike_stay_apart(tmp_path: Path) -> None:
    table = read_text(tmp_path, '[{"a.b": 1, "a": {"b": 2}, "A.B": 3}]', "t.json")
    assert table.schema.names == ("a.b", "a.b_2", "A.B_3")
    assert rows_of(table) == [("1", "2", "3")]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    content = '[{"name": "Müller", "stadt": "Köln"}]'.encode(encoding)
    assert rows_of(read_text(tmp_path, content, "t.json")) == [("Müller", "Köln")]


def test_objects_know_their_lines(tmp_path: Path) -> None:
    table = read_text(tmp_path, '[\n{"a": 1},\n\n{"a":\n2},\n{"a": 3}]', "t.json")
    assert [table.reading.line_of(row) for row in (1, 2, 3)] == [2, 4, 6]
    table = read_text(tmp_path, '{"a": 1}\n\n{"a": 2}\n', "t.jsonl")
    assert [table.reading.line_of(row) for row in (1, 2)] == [1, 3]


def test_an_array_larger_than_the_window(tmp_path: Path) -> None:
    records = [{"id": number, "text": "x" * 500} for number in range(10_000)]
    records.append({"id": 10_000, "text": "y" * 5_000_000})
    table = read_text(tmp_path, json.dumps(records, indent=1), "t.json")
    rows = rows_of(table)
    assert [row[0] for row in rows] == [str(number) for number in range(10_001)]
    assert len(rows[-1][1]) == 5_000_000
    assert table.reading.line_of(10_001) == 2 + 4 * 10_000


def test_the_array_to_read_can_be_named(tmp_path: Path) -> None:
    content = '{"a": [{"x": 1}], "b": [{"y": 2}], "page": 1}'
    table = read_text(tmp_path, content, "t.json", rows="b")
    assert rows_of(table) == [("2",)]
    assert table.reading.notes[:2] == ("rows taken from 'b'", "2 other keys set aside: 'a', 'page'")


def test_a_lone_object_is_one_row(tmp_path: Path) -> None:
    assert rows_of(read_text(tmp_path, '{"a": 1, "b": [1, 2]}', "t.json")) == [("1", "[1, 2]")]
