"""Readers are found by themselves, and chosen by suffix or content."""

import json
from pathlib import Path

import openpyxl
import pyarrow as pa
import pytest
from pyarrow import parquet

from prepwright.reading import read, readers


def sample(folder: Path, name: str) -> Path:
    """Write two rows of one column in a format."""
    path = folder / f"sample{readers()[name].suffixes[0]}"
    rows = [{"id": "1"}, {"id": "2"}]
    match name:
        case "parquet":
            parquet.write_table(pa.Table.from_pylist(rows), path)
        case "excel":
            book = openpyxl.Workbook()
            for row in (["id", "n"], ["1", "x"], ["2", "y"]):
                book.worksheets[0].append(row)
            book.save(path)
        case "json":
            path.write_text(json.dumps(rows))
        case "jsonl":
            path.write_text("\n".join(map(json.dumps, rows)))
        case _:
            path.write_text("id,n\n1,x\n2,y\n")
    return path


def test_every_file_of_the_formats_folder_is_a_reader() -> None:
    assert set(readers()) == {"csv", "excel", "json", "jsonl", "parquet"}


def test_no_two_readers_own_a_suffix() -> None:
    suffixes = [suffix for reader in readers().values() for suffix in reader.suffixes]
    assert len(suffixes) == len(set(suffixes))


@pytest.mark.parametrize("name", ["csv", "excel", "json", "jsonl", "parquet"])
def test_a_format_is_known_by_its_content(name: str, tmp_path: Path) -> None:
    path = sample(tmp_path, name)
    named = read(path)
    renamed = path.rename(tmp_path / "sample.unknown")
    table = read(renamed)
    assert table.reading.options["format"] == name
    assert table.schema == named.schema
    assert sum(batch.num_rows for batch in table.batches()) == 2


@pytest.mark.parametrize("name", ["csv", "excel", "json", "jsonl", "parquet"])
def test_only_one_reader_is_sure_of_a_file(name: str, tmp_path: Path) -> None:
    head = sample(tmp_path, name).read_bytes()
    best = max(readers().values(), key=lambda reader: reader.sniff(head))
    assert best.name == name
    assert all(0 <= reader.sniff(head) <= 1 for reader in readers().values())


def test_every_option_is_described() -> None:
    for reader in readers().values():
        for field in reader.options.model_fields.values():
            assert field.description
