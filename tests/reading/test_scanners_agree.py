"""What an engine scans by itself has the same rows as the tolerant way through the file."""

from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb  # noqa: TID251
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prepwright.errors import InputError
from prepwright.reading import read
from prepwright.tables import DelimitedFile, Table
from tests.reading.read_rows import Rows, read_again, rows_of, written

REGULAR = [
    ("plain", "a,b\n1,2\n3,4\n"),
    ("no final line end", "a,b\n1,2\n3,4"),
    ("carriage returns", "a,b\r\n1,2\r\n3,4\r\n"),
    ("byte order mark", "\ufeffa,b\n1,2\n"),
    ("quoted line end", 'a,b\n"l1\nl2",2\n3,4\n'),
    ("quoted blank line", 'a,b\n"l1\n\nl2",2\n'),
    ("doubled quotes", 'a,b\n"x""y",""""\n"""",""""""\n'),
    ("quoted empties", 'a,b\n"",2\n1,""\n'),
    ("empty cells", "a,b\n,\n,2\n1,\n"),
    ("spaces", "a,b\n 1 ,2 \n  ,x\n"),
    ("one column", "a\n1\n2\n"),
    ("one column, quoted empty", 'a\n""\nx\n'),
    ("one column of spaces", "a\n \nx\n"),
    ("quoted header", '"a,x","b"\n1,2\n'),
    ("title", "Title\nid,name\n1,2\n"),
    ("title and blank line", "Title\n\nid,name\n1,2\n"),
    ("header alone", "a,b\n"),
    ("semicolons", "a;b\n1,5;2\n"),
    ("tabs", "a\tb\n1\t2\n"),
    ("odd characters", "a,b\n#x,\\n\n'y',é\n"),
]
IRREGULAR = [
    ("stray quote", 'a,b\nx"y,2\n'),
    ("space before a quote", 'a,b\n "x" ,2\n'),
    ("text after a quote", 'a,b\n"x"y,2\n'),
    ("line ends of two kinds", "a,b\n1,2\r\n3,4\n"),
    ("a quoted line end between carriage returns", 'a,b\r\n"x\ny",2\r\n'),
    ("bare carriage return", "a,b\r1,2\r"),
    ("short row", "a,b\n1\n"),
    ("long row", "a,b\n1,2,3\n"),
    ("blank line", "a,b\n\n1,2\n"),
    ("blank line in one column", "a\n\n1\n"),
    ("nul", "a,b\n1,\0\n"),
    ("repeated header", "a,b\n1,2\na,b\n"),
    ("header of two lines", '"a\nx",b\n1,2\n'),
    ("stray quotes in the header", '"a"1,b\n1,2\n'),
    ("stray quotes in the title", 'The "best",\nid,name\n1,2\n'),
    ("not UTF-8", b"a,b\n1,caf\xe9\n"),
]

CELLS = st.sampled_from(
    ["", "1", "é", " x ", "NA", "\\", "'q'", '""', '"a,b"', '"a""b"', '""""', '" s "', '"l\nm"',
     '"l\r\nm"', 'x"y', ' "q"', '"p"q', "a\0b", "\r", "\n", "#", "a,b"]
)  # fmt: skip
LINES = st.lists(st.lists(CELLS, min_size=1, max_size=4).map(",".join), max_size=6)


def scanned(source: DelimitedFile) -> Rows:
    """Return the rows as DuckDB's own scanner sees them."""
    columns = ", ".join(f"'c{number}': 'VARCHAR'" for number in range(len(source.columns)))
    with duckdb.connect() as connection:
        return connection.execute(
            f"SELECT * FROM read_csv('{source.path}', auto_detect=false, header=false, "
            f"skip={source.skip_lines}, delim='{source.delimiter}', quote='{source.quote}', "
            f"escape='{source.quote}', nullstr='', null_padding=false, strict_mode=true, "
            f"columns={{{columns}}})"
        ).fetchall()


def agree(table: Table) -> None:
    for source in table.sources:
        if isinstance(source, DelimitedFile):
            batches = source.tolerant()
            slowly = [tuple(row.values()) for batch in batches for row in batch.to_pylist()]
            assert scanned(source) == slowly
            assert rows_of(table) == slowly


@pytest.mark.parametrize("content", [case[1] for case in REGULAR])
def test_a_regular_file_is_left_to_the_engine(content: str, tmp_path: Path) -> None:
    table = read(written(tmp_path, content))
    assert isinstance(table.sources[0], DelimitedFile)
    agree(table)


@pytest.mark.parametrize("content", [case[1] for case in IRREGULAR])
def test_an_irregular_file_is_not(content: str | bytes, tmp_path: Path) -> None:
    assert not isinstance(read(written(tmp_path, content)).sources[0], DelimitedFile)


@given(header=st.sampled_from(["a", "a,b", "a,b,c", '"a,x",b', "T\na,b"]), lines=LINES,
       end=st.sampled_from(["\n", "\r\n"]), last=st.booleans())  # fmt: skip
def test_whatever_is_left_to_the_engine_reads_the_same(
    header: str, lines: list[str], end: str, last: bool
) -> None:
    with TemporaryDirectory() as folder:
        content = end.join([header, *lines]) + (end if last else "")
        try:
            table = read(written(Path(folder), content))
        except InputError:
            return
        agree(table)
        again = read_again(table)
        assert again.schema == table.schema
        assert again.reading.options == table.reading.options
        assert rows_of(again) == rows_of(table)


def test_they_agree_on_a_file_of_many_pieces(tmp_path: Path) -> None:
    lines = [f'{number},"x, {number}\nand ""more""",{"" if number % 7 else "é"}'
             for number in range(60_000)]  # fmt: skip
    table = read(written(tmp_path, "\n".join(["a,b,c", *lines])))
    assert isinstance(table.sources[0], DelimitedFile)
    agree(table)
    assert table.reading.line_of(60_000) == 120_000
