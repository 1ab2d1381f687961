"""Keep or drop the rows of a table that have a match in another."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from prepwright.planner.language.grammar import RULES
from prepwright.planner.phrases.join import ON, key_pairs
from prepwright.planner.steps.joining import JoinWish, joined
from prepwright.planner.steps.meaning import Action

_TABLES = "(table | file | dataset | data set | sheet | source | data | input | list | data frame)"


_MATCH = (
    "[any] [matching | corresponding | match | matched] [row | record | entry | match] [(in "
    f"| from | of)] [{_TABLES}] <right:table>"
)


@RULES.rule(
    "across",
    "%keep [only] [row (of | in | from)] <left:table> [row | record] (without | with no | that "
    "have no | having no | who have no | which have no | not in | missing from | not found in | "
    "that are not in | that do not appear in | that do not exist in | that don't appear in | "
    f"that are missing from | who are not in | who do not appear in | that have not) {_MATCH} "
    f"[{ON}]",
)
def without_match(left: str, right: str, keyparts: tuple[tuple[str, str], ...] = ()) -> Action:
    return lambda draft: joined(
        draft, JoinWish(left, right, key_pairs(draft, left, right, keyparts), "anti")
    )


@RULES.rule(
    "across",
    "%keep [only] [row (of | in | from)] <left:table> [row | record] (with | that have | having "
    "| who have | found in | that are in | that is in | that is also in | that appear in | that "
    "exist in | present in | which are in | who appear in | who are in | which appear in | that "
    f"are found in | that are also in | also in) {_MATCH} [{ON}]",
)
def with_match(left: str, right: str, keyparts: tuple[tuple[str, str], ...] = ()) -> Action:
    return lambda draft: joined(
        draft, JoinWish(left, right, key_pairs(draft, left, right, keyparts), "semi")
    )


@RULES.rule(
    "across",
    "%drop [every] [row (of | in | from)] <left:table> [row | record] (without | with no | that "
    "have no | not in | who have no | missing from | not found in | that are not in | who are "
    f"not in) {_MATCH} [{ON}]",
)
def drop_without_match(left: str, right: str, keyparts: tuple[tuple[str, str], ...] = ()) -> Action:
    return lambda draft: joined(
        draft, JoinWish(left, right, key_pairs(draft, left, right, keyparts), "semi")
    )


@RULES.rule(
    "across",
    "%drop [every] [row (of | in | from)] <left:table> [row | record] (with | that have | found "
    "in | that are in | that appear in | present in | who are in | who appear in | listed in | "
    f"that are listed in | who are listed in) {_MATCH} [{ON}]",
)
def drop_with_match(left: str, right: str, keyparts: tuple[tuple[str, str], ...] = ()) -> Action:
    return lambda draft: joined(
        draft, JoinWish(left, right, key_pairs(draft, left, right, keyparts), "anti")
    )
