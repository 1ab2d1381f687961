"""The encoding of a text file is found by evidence, recorded, and can be given."""

import codecs
from pathlib import Path

import pytest

from prepwright.errors import InputError
from tests.reading.read_rows import read_again, read_text, rows_of

GERMAN = "Name,Stadt\nMüller,Köln\nJürgen,Düsseldorf\n"
SPANISH = "name,city\nJosé,Málaga\nAna,Bogotá\n"
JAPANESE = "名前,都市\n田中,東京\n鈴木,大阪\n"
KANA = "id,name\n1,テスト\n2,データ\n"
CHINESE = "姓名,城市\n张三,北京\n李四,上海\n"
FEW_CHINESE = "id,name\n1,测试\n2,数据\n"
RUSSIAN = "имя,город\nИван,Москва\nОльга,Казань\n"

GUESSED = [
    ("Region,Umsatz\nNord,1\nSüd,2\n", "cp1252"), ("name,city\nÅse,Ålesund\n", "cp1252"),
    ("名前,都市\nタナカ,トウキョウ\n鈴木,大阪\n", "cp932"),
    (GERMAN, "cp1252"), (SPANISH, "cp1252"), ("id,price\n1,£5\n2,€7\n", "cp1252"),
    (JAPANESE, "cp932"), (KANA, "cp932"), (CHINESE, "gb18030"), (FEW_CHINESE, "gb18030"),
    (RUSSIAN, "cp1251"),
]  # fmt: skip


def cells(text: str) -> list[tuple[str, ...]]:
    return [tuple(line.split(",")) for line in text.splitlines()]


@pytest.mark.parametrize(("text", "encoding"), GUESSED)
def test_an_old_encoding_is_found_and_noted(text: str, encoding: str, tmp_path: Path) -> None:
    table = read_text(tmp_path, text.encode(encoding))
    assert [table.schema.names, *rows_of(table)] == cells(text)
    assert table.reading.options["encoding"] == encoding
    assert f"encoding {encoding} taken" in table.reading.notes[0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_unicode_is_found_with_and_without_a_mark(encoding: str, tmp_path: Path) -> None:
    table = read_text(tmp_path, GERMAN.encode(encoding))
    assert [table.schema.names, *rows_of(table)] == cells(GERMAN)
    assert rows_of(read_again(table)) == rows_of(table)


def test_a_mark_before_utf_8_is_no_part_of_the_first_name(tmp_path: Path) -> None:
    table = read_text(tmp_path, codecs.BOM_UTF8 + b"id,n\n1,2\n", header=False)
    assert rows_of(table)[0] == ("id", "n")


def test_foreign_bytes_deep_in_the_file_are_seen(tmp_path: Path) -> None:
    content = b"id,name\n" + b"1,plain\n" * 400_000 + "2,café à Nîmes\n".encode("cp1252")
    table = read_text(tmp_path, content)
    assert table.reading.options["encoding"] == "cp1252"
    assert rows_of(table)[-1] == ("2", "café à Nîmes")


def test_one_broken_byte_does_not_make_utf_8_something_else(tmp_path: Path) -> None:
    content = (GERMAN * 9).encode() + b"caf\xe9,x\n"
    table = read_text(tmp_path, content)
    assert table.reading.options["encoding"] == "utf-8"
    assert rows_of(table)[-1] == ("caf�", "x")
    assert any(note.startswith("1 characters that are not utf-8") for note in table.reading.notes)
    assert rows_of(read_again(table)) == rows_of(table)


def test_a_given_encoding_is_used(tmp_path: Path) -> None:
    table = read_text(tmp_path, "jméno\nJiří\n".encode("cp1250"), encoding="cp1250")
    assert rows_of(table) == [("Jiří",)]


@pytest.mark.parametrize("name", ["klingon", "base64", ""])
def test_an_encoding_that_does_not_exist_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no encoding"):
        read_text(tmp_path, "a\n1\n", encoding=name)
