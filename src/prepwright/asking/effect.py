"""What another reading of the request does to the result, row by row."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import pyarrow as pa

Cells = tuple[str | None, ...]
"""A row as files show it."""

MOST_ROWS = 200_000
"""Units: rows. Of longer results so many from the top are compared, and the row counts."""

_UNTYPED = (".csv", ".tsv", ".xlsx")


@dataclass(frozen=True)
class Effect:
    """How the outputs of another reading differ from those of the default.

    `rows` counts the default's rows. A changed row is gone in one form and new in another;
    `moved` rows only stand elsewhere. `before` and `after` are one such row. `failed` says why the
    reading gives no result at all, `unseen` why its effect is not known in full.
    """

    rows: int = 0
    other_rows: int = 0
    changed: int = 0
    added: int = 0
    removed: int = 0
    moved: int = 0
    output: str = ""
    columns: tuple[str, ...] = ()
    other_columns: tuple[str, ...] = ()
    before: Cells | None = None
    after: Cells | None = None
    rewritten: bool = False
    failed: str = ""
    unseen: str = ""

    @property
    def touched(self) -> int:
        """Return how many rows are not what they are in the default's outputs."""
        return self.changed + self.added + self.removed + self.moved

    @property
    def nothing(self) -> bool:
        """Return whether this reading gives the very same outputs."""
        known = not self.failed and not self.unseen
        return known and not self.touched and self.columns == self.other_columns

    def said(self) -> str:
        """Return the effect in words, with its counts."""
        if self.failed or self.unseen:
            return self.failed or self.unseen
        if self.nothing:
            return "changes nothing"
        parts: list[str] = []
        if self.columns != self.other_columns:
            parts.append(f"columns {', '.join(self.other_columns)}")
        if self.changed:
            parts.append(f"{self.changed:,} of {self.rows:,} rows differ")
        if self.added:
            parts.append(f"{self.added:,} more")
        if self.removed:
            parts.append(f"{self.removed:,} fewer")
        if self.moved:
            parts.append(f"{self.moved:,} of {self.rows:,} rows stand elsewhere")
        return ", ".join(parts)


def cell_text(value: Any) -> str | None:
    """Return a value as it is shown to people: whole numbers without `.0`, dates in ISO form."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.15g}" if not value.is_integer() or abs(value) >= 1e15 else f"{value:.0f}"
    return str(value)


def cells(table: pa.Table, most: int) -> list[Cells]:
    """Return the rows of a table as texts."""
    columns = [
        [cell_text(value) for value in column.to_pylist()]
        for column in table.slice(0, most).columns
    ]
    return list(zip(*columns, strict=True))


def compared(
    default: Mapping[str, pa.Table], other: Mapping[str, pa.Table], most: int = MOST_ROWS
) -> Effect:
    """Return how other outputs differ from the default's, with an example from the first.

    Of longer tables the first `most` rows are compared, and the number of rows.
    """
    total = Effect()
    for name in dict.fromkeys([*default, *other]):
        one = _table_effect(name, default.get(name), other.get(name), most)
        first = total if not total.nothing else one
        total = Effect(
            rows=total.rows + one.rows,
            other_rows=total.other_rows + one.other_rows,
            changed=total.changed + one.changed,
            added=total.added + one.added,
            removed=total.removed + one.removed,
            moved=total.moved + one.moved,
            output=first.output,
            columns=first.columns,
            other_columns=first.other_columns,
            before=first.before,
            after=first.after,
            rewritten=first.rewritten and (one.nothing or one.rewritten),
        )
    return total


def _table_effect(name: str, default: pa.Table | None, other: pa.Table | None, most: int) -> Effect:
    if default is None or other is None:
        rows = default.num_rows if default else 0
        others = other.num_rows if other else 0
        return Effect(
            rows, others, removed=rows, added=others, output=name,
            columns=_columns(name, default), other_columns=_columns(name, other),
        )  # fmt: skip
    columns, other_columns = _columns(name, default), _columns(name, other)
    left, right = cells(default, most), cells(other, most)
    if columns != other_columns:
        shared = min(default.num_rows, other.num_rows)
        return Effect(
            default.num_rows, other.num_rows, shared, other.num_rows - shared,
            default.num_rows - shared, output=name, columns=columns, other_columns=other_columns,
            before=left[0] if left else None, after=right[0] if right else None,
        )  # fmt: skip
    return _rows_effect(name, columns, (default.num_rows, left), (other.num_rows, right))


def _rows_effect(
    name: str,
    columns: tuple[str, ...],
    default: tuple[int, list[Cells]],
    other: tuple[int, list[Cells]],
) -> Effect:
    (rows, left), (other_rows, right) = default, other
    gone, new = Counter(left), Counter(right)
    gone.subtract(right)
    new.subtract(left)
    lost = [row for row in left if gone[row] > 0]
    fresh = [row for row in right if new[row] > 0]
    lost_count = sum(count for count in gone.values() if count > 0)
    fresh_count = sum(count for count in new.values() if count > 0)
    if rows > len(left) or other_rows > len(right):
        grown = other_rows - rows
        fresh_count = max(fresh_count, lost_count + grown)
        lost_count = max(lost_count, fresh_count - grown)
    changed = min(lost_count, fresh_count)
    moved = 0 if lost or fresh else sum(a != b for a, b in zip(left, right, strict=False))
    before = lost[0] if lost else None
    if moved:
        at = next(n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b)
        before, after = left[at], right[at]
    else:
        after = _nearest(before, fresh)
    return Effect(
        rows, other_rows, changed, fresh_count - changed, lost_count - changed, moved,
        output=name, columns=columns, other_columns=columns, before=before, after=after,
        rewritten=rows == other_rows and _rewritten(left, right),
    )  # fmt: skip


def _columns(name: str, table: pa.Table | None) -> tuple[str, ...]:
    if table is None:
        return ()
    if PurePath(name).suffix.lower() in _UNTYPED:
        return tuple(table.column_names)
    return tuple(f"{field.name} {field.type}" for field in table.schema)


def _nearest(row: Cells | None, rows: list[Cells]) -> Cells | None:
    """Return the row that has most cells in common with `row`."""
    if row is None or not rows:
        return rows[0] if rows else None
    return max(rows[:1000], key=lambda one: sum(a == b for a, b in zip(row, one, strict=True)))


def _rewritten(left: list[Cells], right: list[Cells]) -> bool:
    """Return whether the rows say the same and texts of a column are only written otherwise.

    So it is where every text of a column maps to one text of the other's, each another one, and
    one of the two contains the other: `2024Q1` and `Q1` within one year.
    """
    changed = False
    for one, other in zip(zip(*left, strict=True), zip(*right, strict=True), strict=True):
        if one == other:
            continue
        pairs = set(zip(one, other, strict=True))
        if len(pairs) != len(set(one)) or len(pairs) != len(set(other)):
            return False
        if not all(_same_said(a, b) for a, b in pairs):
            return False
        changed = True
    return changed


def _same_said(one: str | None, other: str | None) -> bool:
    if one is None or other is None:
        return one == other
    text = any(char.isalpha() for char in one + other)
    return text and one != other and (one in other or other in one)
