"""The fixed parts of an exported program."""

IMPORTS = """
import argparse
import csv
import datetime
import decimal
import json
from pathlib import Path
from typing import Any, Optional

import duckdb
import pandas as pd

Database = duckdb.DuckDBPyConnection
Read = tuple[list[str], list[list[Optional[str]]]]
"""

LOADING = '''
def load(db: Database, table: str, given: dict[str, Any], path: str) -> None:
    """Fill a table with the rows of its file, or of its files, in order."""
    names = list(given["columns"])
    typed = ", ".join(f"{quoted(name)} {kind}" for name, kind in given["columns"].items())
    db.execute(f"CREATE TEMP TABLE {quoted(table)} ({typed})")
    for label, file in files_of(path):
        options = given["options"] | given["files"].get(label, {})
        if options["format"] == "parquet":
            extra = f"{text(label)} AS {quoted(names[0])}, " if given["many"] else ""
            by = "BY NAME " if given["many"] else ""
            read = f"SELECT {extra}* FROM read_parquet({text(str(file))})"
            db.execute(f"INSERT INTO {quoted(table)} {by}{read}")
        elif path == given["path"] and given["regular"]:
            scan(db, table, given, options)
        else:
            header, rows = rows_of(file, options, 0 if given["many"] else len(names))
            if given["many"]:
                known = [name.casefold() for name in header]
                order = [known.index(name) if name in known else None
                         for name in map(str.casefold, names[1:])]
                rows = [[label, *(None if at is None else row[at] for at in order)] for row in rows]
            insert(db, table, names, rows)


def rows_of(file: Path, options: dict[str, Any], width: int) -> Read:
    """Read the rows of a file that DuckDB does not read to the letter."""
    if options["format"] == "csv":
        return csv_rows(file, options, width)
    if options["format"] == "excel":
        sheet = pd.read_excel(
            file, sheet_name=options["sheet"], header=None, dtype=object, na_filter=False
        )
        return sheet_rows(sheet.values.tolist(), options, width)
    return json_rows(file, options)


def scan(db: Database, table: str, given: dict[str, Any], options: dict[str, Any]) -> None:
    """Let DuckDB read a regular file; what its reader refuses is read row by row."""
    try:
        db.read_csv(
            given["path"], header=False, auto_detect=False, skiprows=given["skip"],
            delimiter=options["delimiter"], quotechar=options["quote"], escapechar=options["quote"],
            na_values="", max_line_size=67108864, columns=given["columns"],
        ).insert_into(quoted(table))
    except duckdb.Error:
        db.execute(f"DELETE FROM {quoted(table)}")
        _, rows = csv_rows(Path(given["path"]), options, len(given["columns"]))
        insert(db, table, list(given["columns"]), rows)


def insert(db: Database, table: str, names: list[str], rows: list[list[str | None]]) -> None:
    """Append rows of text to a table."""
    for start in range(0, len(rows), 100_000):
        frame = pd.DataFrame(rows[start : start + 100_000], columns=names, dtype="string")
        db.register("frame", frame)
        db.execute(f"INSERT INTO {quoted(table)} SELECT * FROM frame")
        db.unregister("frame")


def quoted(name: str) -> str:
    """Write a name as SQL does."""
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """Write a text as SQL does."""
    return "'" + value.replace("'", "''") + "'"
'''

MAIN = '''
def main() -> None:
    """Read the inputs, do the steps, write the outputs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("inputs", nargs="*", metavar="NAME=FILE", help=f"of {', '.join(INPUTS)}")
    parser.add_argument("-o", "--out", type=Path, default=Path(), help="folder for the outputs")
    given = parser.parse_args()
    paths = {name: one["path"] for name, one in INPUTS.items()}
    for item in given.inputs:
        name, mark, path = item.partition("=")
        if not mark or name not in paths:
            parser.error(f"{item!r} is not NAME=FILE with one of {', '.join(INPUTS)}")
        paths[name] = path
    for name, path in paths.items():
        if not path:
            parser.error(f"{name} was no file: give {name}=FILE in Parquet format")
    given.out.mkdir(parents=True, exist_ok=True)
    db = duckdb.connect(config={"autoinstall_known_extensions": "false"})
    db.execute("SET TimeZone = 'UTC'")
    for macro in MACROS:
        db.execute(macro)
    prepare(db, paths)
    write(db, given.out)


if __name__ == "__main__":
    main()
'''
