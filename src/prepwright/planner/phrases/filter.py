"""Keep or drop rows: `drop rows with missing fee`, `keep only orders from Berlin in March 2024`."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from prepwright.planner.facts.columns import Col
from prepwright.planner.language.grammar import RULES
from prepwright.planner.outcome import ROW_CONCEPT
from prepwright.planner.steps.draft import Draft
from prepwright.planner.steps.meaning import Action, Condition, blank, negated

_HELPER = "row_counts"


def filtered(draft: Draft, condition: Condition, *, keep: bool) -> str:
    """Add the step that keeps the rows that meet a condition, or those that do not."""
    test = condition.sql(draft)
    where = test if keep else negated(test)
    if not condition.windowed:
        draft.step("filter", f"{draft.view.name}_kept", draft.view.columns, where=where)
        return f"keep rows where {where}"
    columns = draft.view.columns
    draft.derive({_HELPER: where}, {_HELPER: "BOOLEAN"}, f"{draft.view.name}_compared")
    draft.step("filter", f"{draft.view.name}_kept", draft.view.columns, where=_HELPER)
    without_helper(draft, columns)
    return f"keep rows where {where}"


def without_helper(draft: Draft, columns: tuple[Col, ...]) -> None:
    """Add the step that leaves exactly some columns."""
    names = [col.name for col in columns]
    draft.step("project", f"{draft.view.name}_plain", columns, columns=names)


_ROWS = "(<rownoun> | entries | data | ones | those | cases)"


@RULES.rule(
    "clause",
    f"%keep [only] {_ROWS} %that <condition>",
    f"%keep [only] {_ROWS} <condition>",
    f"%keep [only] <condition> {_ROWS}",
    f"[we | i] [only] (want | need | care about | consider | use | analyze) [only] {_ROWS} %that "
    "<condition>",
    f"only {_ROWS} %that <condition>",
    f"(which | what) {_ROWS} [%be | have] <condition>",
    "(restrict | limit | narrow | subset | filter) [<rownoun> | data | it | them | result] [down] "
    "(to | on | by | for) [<rownoun> | those | only] [%that] <condition>",
    f"(restrict | limit | filter) [<rownoun> | data | it | them | result | table] [down] to [only] "
    f"[include | keep | show] [only] {_ROWS} [%that] <condition>",
    f"(restrict | limit | filter) [<rownoun> | data | it | them | result | table] [down] to [only] "
    f"[include | keep | show] [only] <condition> {_ROWS}",
    f"(drop | remove | exclude | discard | delete) [every] [{_ROWS}] (except | but | apart from | "
    f"other than) [{_ROWS}] [%that] <condition>",
)
def keep_rows(condition: Condition, rownoun: str = "") -> Action:
    return lambda draft: filtered(draft, condition, keep=True)


@RULES.rule("clause", "%keep [only] <condition>", cost=0.2)
def keep_bare(condition: Condition) -> Action:
    return lambda draft: filtered(draft, condition, keep=True)


@RULES.rule(
    "clause",
    f"%drop [any | every] {_ROWS} %that <condition>",
    f"%drop [any | every] {_ROWS} <condition>",
    f"%drop [any | every] <condition> {_ROWS}",
    f"(do not | don't | never) (keep | include | use | consider | count) [any] {_ROWS} [%that] "
    "<condition>",
    "%drop [every] [value] %that <condition>",
)
def drop_rows(condition: Condition, rownoun: str = "") -> Action:
    return lambda draft: filtered(draft, condition, keep=False)


@RULES.rule("clause", "%drop [any] <condition>", "(filter out | weed out) <condition>", cost=0.2)
def drop_bare(condition: Condition) -> Action:
    return lambda draft: filtered(draft, condition, keep=False)


@RULES.rule(
    "clause",
    f"%drop [any | every] {_ROWS} %that [any | some | at least one] %missing [value | cell | "
    "column]",
    f"%drop [any | every] %missing {_ROWS}",
    f"%drop [any | every] incomplete {_ROWS}",
    f"%keep [only] complete {_ROWS}",
    "%drop %missing value [from (<rownoun> | data)]",
)
def drop_incomplete(rownoun: str = "") -> Action:
    def action(draft: Draft) -> str:
        names = [col.name for col in draft.view.columns]
        tests = [blank(draft, name) for name in names]
        chosen = draft.choose(
            "rows_missing",
            ROW_CONCEPT,
            "When is a row missing values?",
            [("any", "any cell is missing"), ("all", "every cell is missing")],
            default="any",
            evidence=f"{len(names)} columns",
        )
        test = f"({(' OR ' if chosen == 'any' else ' AND ').join(tests)})"
        draft.step("filter", f"{draft.view.name}_kept", draft.view.columns, where=f"NOT {test}")
        return "keep rows with no missing cell" if chosen == "any" else "drop rows that are empty"

    return action


@RULES.rule(
    "clause",
    "%drop [any | every | completely | fully | entirely] %missing (row | line | record) [entirely "
    "| completely]",
    f"%drop {_ROWS} [%that | %be | which %be] (completely | entirely | fully | all) %missing",
    f"%drop {_ROWS} %that (every | all) (column | cell | value | field) [%be] %missing",
)
def drop_empty(rownoun: str = "") -> Action:
    def action(draft: Draft) -> str:
        tests = [blank(draft, col.name) for col in draft.view.columns]
        where = f"NOT ({' AND '.join(tests)})"
        draft.step("filter", f"{draft.view.name}_kept", draft.view.columns, where=where)
        return "drop rows that are empty"

    return action
