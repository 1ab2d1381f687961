"""Wide tables and huge cells are read, quickly and in batches of bounded size."""

from pathlib import Path

import pytest

from prepwright.reading.arrow_text import BATCH_CHARACTERS, text_batches
from tests.reading.read_rows import read_text, rows_of


def test_ten_thousand_columns(tmp_path: Path) -> None:
    header = ",".join(f"c{number}" for number in range(10_000))
    table = read_text(tmp_path, f"{header}\n" + ",".join("1" * 10_000) + "\n")
    assert len(table.schema) == 10_000
    assert rows_of(table) == [("1",) * 10_000]


@pytest.mark.parametrize("cell", ["x" * 5_000_000, '"' + "line\n" * 1_000_000 + '"'])
def test_a_cell_of_five_million_characters(cell: str, tmp_path: Path) -> None:
    table = read_text(tmp_path, f"a,b\n1,{cell}\n2,y\n")
    assert [len(row[1] or "") for row in rows_of(table)] == [5_000_000, 1]


def test_batches_stay_small_whatever_the_cells_hold() -> None:
    rows = ([str(number), "x" * 1_000_000] for number in range(100))
    batches = list(text_batches(rows, ["a", "b"]))
    assert sum(batch.num_rows for batch in batches) == 100
    assert max(batch.nbytes for batch in batches) < BATCH_CHARACTERS + 2_000_000
