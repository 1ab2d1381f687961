"""What phrases mean before they are steps: conditions, terms, measures; written out on a draft."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from prepwright.planner.facts.columns import Col
from prepwright.planner.outcome import ROW_CONCEPT
from prepwright.planner.steps.draft import Draft, ident, literal
from prepwright.planner.steps.typing import column

_NULL_TEST = re.compile(
    r"((?:\w+|\"[^\"]+\"|null_if_in\((?:\w+|\"[^\"]+\"), \[[^\]]*\]\))) IS NULL"
)

Sql = Callable[[Draft], str]
"""Writes an expression, after the steps that it needs (typing a column) are on the draft."""


@dataclass(frozen=True)
class Condition:
    """A test of a row. `column` is what a clause without one (`and under 200`) is about."""

    sql: Sql
    column: str
    windowed: bool = False


Action = Callable[[Draft], str]
"""Adds the steps of a clause to a draft and returns, for people, what it did.

Raises: `Refusal` when the tables cannot do it.
"""

TailCondition = Callable[[str], Condition | None]
"""A condition that still needs its column."""


@dataclass(frozen=True)
class Term:
    """A value of a row: its expression, its type, and the name a column of it would have.

    `plain` says that it is a column or a constant as it stands, with nothing computed.
    """

    sql: Sql
    type: str
    name: str = ""
    plain: bool = False


@dataclass(frozen=True)
class Measure:
    """A value of a group: its expression, its type and the column's name."""

    sql: Sql
    type: str
    name: str
    column: str = ""
    function: str = ""

    def named(self, name: str) -> "Measure":
        return Measure(self.sql, self.type, name, self.column, self.function)


def blank(draft: Draft, name: str) -> str:
    """Return the test that a cell is missing; texts such as `n/a` count when they may."""
    col = column(draft, name)
    plain = f"{ident(name)} IS NULL"
    if col.type != "VARCHAR" or col.facts is None or not col.facts.tokens:
        return plain
    tokens = col.facts.tokens
    spaces = tuple(text for text in tokens if not text.strip())
    spoken = tuple(text for text in tokens if text.strip())
    if spoken and not _count_as_missing(draft, col, spoken):
        spoken = ()
    if not spaces + spoken:
        return plain
    items = ", ".join(literal(text) for text in sorted(spaces + spoken))
    return f"null_if_in({ident(name)}, [{items}]) IS NULL"


def _count_as_missing(draft: Draft, col: Col, spoken: tuple[str, ...]) -> bool:
    facts = col.facts
    assert facts is not None
    shown = ", ".join(repr(text) for text in spoken)
    chosen = draft.choose(
        f"missing_{col.name}",
        ROW_CONCEPT,
        f"Is {shown} in {col.name} a missing value?",
        [("yes", "it is missing"), ("no", "it is a value")],
        default="yes",
        evidence=f"{facts.touched(spoken):,} rows hold it",
    )
    return chosen == "yes"


def is_code(col: Col) -> bool:
    """Return whether a column of digits is a code: some value has a leading zero."""
    return any(len(text) > 1 and text[0] == "0" and text.isdigit() for text in col.texts)


def negated(test: str) -> str:
    """Return the opposite of a test, true also where the test is unknown."""
    if found := _NULL_TEST.fullmatch(test):
        return f"{found.group(1)} IS NOT NULL"
    inner = test.removeprefix("NOT coalesce(").removesuffix(", false)")
    if test == f"NOT coalesce({inner}, false)" and inner.count("(") == inner.count(")"):
        return inner
    return f"NOT coalesce({test}, false)"
