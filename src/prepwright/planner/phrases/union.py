"""Align the schemas of tables and put their rows together."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from prepwright.planner.language.grammar import RULES
from prepwright.planner.outcome import ALIGNMENT
from prepwright.planner.steps.aligning import aligned, groups, united
from prepwright.planner.steps.draft import Draft, Refusal, literal
from prepwright.planner.steps.joining import JoinWish, joined
from prepwright.planner.steps.meaning import Action

_TABLES = "(table | file | dataset | data set | sheet | source | data | input | list | data frame)"


_ONE = (
    "[together] [vertically] [into (one | single) [(table | file | dataset | list | data "
    "set)]] [together]"
)


def _all_names(draft: Draft) -> list[str]:
    names = [view.name for view in draft.state.views]
    if len(names) < 2:
        raise Refusal("there is only one table")
    return names


@RULES.rule(
    "across",
    "%align [the] [different | two | <n>] (schema | column | column name | header | field | "
    f"field name | structure) [of (every | both | <n> | <tables>) [{_TABLES}]]",
    f"%align [<n>] {_TABLES}",
    "%align <tables>",
    f"make [the] (schema | column | column name) (match | consistent | same) [across {_TABLES}]",
)
def align(n: int = 0, tables: tuple[str, ...] = ()) -> Action:
    def action(draft: Draft) -> str:
        names = list(tables) if len(tables) > 1 else _all_names(draft)
        said = aligned(draft, [draft.state.view(name) for name in names])
        return said or "the schemas agree already"

    return action


@RULES.rule(
    "across",
    f"(%merge | merging) [<n>] {_TABLES} {_ONE}",
    f"%merge (row | record) of [<n>] {_TABLES} {_ONE}",
    f"%merge [everything | them] {_ONE}",
)
def merge_all(n: int = 0) -> Action:
    def action(draft: Draft) -> str:
        names = _all_names(draft)
        if n and n != len(names):
            raise Refusal(f"there are {len(names)} tables, not {n}: name those you mean")
        return _merged(draft, names)

    return action


@RULES.rule(
    "across",
    f"(%merge | merging) <tables> [{_TABLES}] {_ONE}",
    f"%merge (row | record | data) (of | in | from) <tables> [{_TABLES}] {_ONE}",
    "(add | append) [the] (row | record) (of | in | from) <tables>",
)
def merge_named(tables: tuple[str, ...]) -> Action | None:
    if len(tables) < 2:
        return None
    return lambda draft: _merged(draft, list(tables))


@RULES.rule(
    "across",
    f"(append | add | stack) [the] [row | record] [of | from | in] <tables> [{_TABLES}] [row | "
    f"record] (to | onto | on to | under | below | beneath | after | at the end of) "
    f"[the end of] <base:table> [{_TABLES}]",
)
def append_to(tables: tuple[str, ...], base: str) -> Action | None:
    return None if base in tables else lambda draft: united(draft, [base, *tables])


@RULES.rule("across", "(append | add | stack) <tables> [row | record]")
def append(tables: tuple[str, ...]) -> Action | None:
    if len(tables) < 2:
        return None
    return lambda draft: united(draft, [tables[-1], *tables[:-1]])


_SOURCE = (
    "[and | ,] (add | adding | with | include | including) column [called <early:newname>] (with "
    "| for | holding | containing | "
    "showing | of) (table | file | source) name [%called <newname>]"
)


@RULES.rule(
    "across",
    f"(%merge | union | stack) {_TABLES} {_ONE} {_SOURCE}",
    f"(%merge | union | stack) <tables> [{_TABLES}] {_ONE} {_SOURCE}",
)
def merge_with_source(
    tables: tuple[str, ...] = (), newname: str = "source", early: str = ""
) -> Action:
    def action(draft: Draft) -> str:
        names = list(tables) or _all_names(draft)
        target, column_name = draft.target, early or newname
        for name in names:
            draft.target = name
            draft.derive({column_name: literal(name)}, {column_name: "VARCHAR"}, f"{name}_marked")
        draft.target = target
        return united(draft, names)

    return action


@RULES.rule(
    "across",
    f"(union | stack | concatenate) [<n>] {_TABLES} {_ONE}",
    f"(union | stack | concatenate) <tables> [{_TABLES}] {_ONE}",
)
def stack(n: int = 0, tables: tuple[str, ...] = ()) -> Action:
    return lambda draft: united(draft, list(tables) or _all_names(draft))


def _merged(draft: Draft, names: list[str]) -> str:
    """Put tables together: rows under rows when the columns agree, else side by side by key."""
    views = [draft.state.view(name) for name in names]
    together = [group for group in groups(views) if len(group.members) == len(views)]
    smallest = min(len(view.columns) for view in views)
    alike = len(together) >= 0.6 * smallest and len(together) >= 2
    options = [("union", "rows under rows"), ("join", "side by side, by a shared key")]
    if len(names) != 2 or alike:
        return united(draft, names)
    chosen = draft.choose(
        "merge_how",
        ALIGNMENT,
        f"How are {' and '.join(names)} merged?",
        options,
        default="join",
        evidence=f"{len(together)} of {smallest} columns agree",
    )
    if chosen == "union":
        return united(draft, names)
    return joined(draft, JoinWish(names[0], names[1]))


@RULES.rule(
    "across",
    "(input | load | read | read in | import | open | take | use | bring in) [all | both] [<n>] "
    "(data | table | file | dataset | input | csv file | input file | input table | csv | both "
    "file)",
    "(output | export | return) [the] (data | result)",
    "(requirement | step | task | instruction | context | output | input | note | todo | result | "
    "deliverable) [:]",
    "do [the] following [step | thing] [:]",
    "(here are the step | here is what to do | follow these step | please do the following | "
    "clean the data as follow | steps to follow) [:]",
)
def nothing_to_do(n: int = 0) -> Action:
    return lambda draft: "nothing to do by itself"
