"""Conditions on missing cells: `missing fee`, `no fee or track`, `fee is given`."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from collections.abc import Iterable

from prepwright.planner.language.grammar import RULES, Match, Reader
from prepwright.planner.language.terms import listing
from prepwright.planner.outcome import ROW_CONCEPT
from prepwright.planner.steps.draft import Draft
from prepwright.planner.steps.meaning import Condition, blank, negated
from prepwright.planner.steps.typing import as_number, column


def _missing(cols: tuple[str, ...], *, glue: str = " OR ") -> Condition:
    def sql(draft: Draft) -> str:
        parts = [blank(draft, name) for name in cols]
        return parts[0] if len(parts) == 1 else f"({glue.join(parts)})"

    return Condition(sql, cols[0])


@RULES.rule(
    "atom",
    "<col> (%be | has | have | contain | is left) %missing [value | values]",
    "%missing [value] [in | for | of] <col>",
    "<col> %missing",
    "(has | have) no value (for | in) <col>",
    "<col> has no value",
    "(does not | do not | don't | doesn't) have [a] [value (for | in)] <col>",
    "<col> (not available | not given | not filled in)",
)
def missing(col: str) -> Condition:
    return _missing((col,))


@RULES.rule(
    "atom",
    "(no | without | with no | lacking | lack) [any] <col>",
    "(has | have) no <col>",
    "there is no <col>",
)
def none_of(col: str) -> Condition:
    """Read `no stock`: an empty cell, and of a number 0 as well, unless answered otherwise."""

    def sql(draft: Draft) -> str:
        if column(draft, col).kind != "number":
            return blank(draft, col)
        chosen = draft.choose(
            f"no_{col}",
            ROW_CONCEPT,
            f"Does a {col} of 0 count as no {col}?",
            [("yes", "yes, 0 and empty cells both"), ("no", "no, empty cells alone")],
            default="yes",
            evidence=f"{col} holds numbers",
        )
        if chosen == "no":
            return blank(draft, col)
        return f"({blank(draft, col)} OR {as_number(draft, col)} = 0)"

    return Condition(sql, col)


@RULES.term("orcols")
def either_columns(reader: Reader, at: int) -> Iterable[Match]:
    found = listing("col", (", or", ",", "or"))(reader, at)
    return [match for match in found if len(match.value) > 1]


@RULES.rule(
    "atom",
    "%missing [value] [in | for | of] [either | any of] <orcols>",
    "(no | without) <orcols>",
    "[either] <orcols> %be %missing",
)
def either_missing(orcols: tuple[str, ...]) -> Condition:
    return _missing(orcols)


@RULES.rule(
    "atom",
    "[both] <first:col> and <second:col> %be %missing",
    "%missing [value] [in | for | of] both <first:col> and <second:col>",
)
def both_missing(first: str, second: str) -> Condition:
    return _missing((first, second), glue=" AND ")


@RULES.rule("atom", "%missing [value] [in | for | of] <first:col> and <second:col>", cost=0.1)
def missing_and(first: str, second: str) -> Condition:
    def sql(draft: Draft) -> str:
        chosen = draft.choose(
            f"missing_{first}_{second}",
            ROW_CONCEPT,
            f"Missing {first} and {second}: is one of them enough?",
            [("any", "either is missing"), ("all", "both are missing")],
            default="any",
            evidence="'and' can join the rows or the conditions",
        )
        glue = " OR " if chosen == "any" else " AND "
        return f"({blank(draft, first)}{glue}{blank(draft, second)})"

    return Condition(sql, first)


@RULES.rule(
    "atom",
    "<col> %isnt %missing",
    "<col> (%be | has been) (present | known | given | available | filled in | filled | recorded "
    "| provided | set)",
    "<col> has [a] value",
    "(non missing | not missing | non blank | non empty | non null | known | not blank | not "
    "empty | not null) <col> [value]",
    "(has | have | having | with) [a | an] <col>",
)  # fmt: skip
def present(col: str) -> Condition:
    return Condition(lambda draft: negated(blank(draft, col)), col)
