"""Join tables by key, look columns up, keep rows with or without a match."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from collections.abc import Iterable

from prepwright.planner.language.grammar import RULES, Match, Reader
from prepwright.planner.steps.draft import Draft, Refusal
from prepwright.planner.steps.joining import JoinWish, counterpart, joined
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
    "keypart",
    "<a:col>",
    "[<x:table> .] <a:col> (= | == | and | with | matches | equals | to) [<y:table> .] <b:col>",
)
def key_part(a: str, b: str = "", x: str = "", y: str = "") -> tuple[str, str]:
    return (a, b or a)


@RULES.term("keyparts")
def key_parts(reader: Reader, at: int) -> Iterable[Match]:
    from prepwright.planner.language.terms import listing

    return listing("keypart", (", and", ",", "and"))(reader, at)


ON = (
    "(on | by | using | via | through | based on | with key | over | matching on | matching "
    "| where | when | with) [their | shared | common | same | matching] [key] <keyparts> "
    "[match | matches | as key | as the key]"
)


_HOWS = {
    "left": ("keep every row", "keeping every row", "keep unmatched row",
             "keeping unmatched row", "even without match",
             "keep every record", "even if there is no match", "even when there is no match",
             "keeping every record", "even if they have no match",
             "including those without match", "without losing any row"),
    "inner": ("keep only matching row", "keeping only matching row", "keep only match",
              "keeping only match", "only matching row",
              "dropping unmatched row", "drop unmatched row", "keeping only row that match",
              "keep only row that match",
              "keep only row found in both", "keeping only row found in both",
              "keep only matching record", "keeping only matched row",
              "keep only those that match", "keeping only those that match", "and drop the rest"),
    "full": ("keep every row from both", "keeping every row from both", "keep every row of both",
             "keeping unmatched row from both sides",
             "keeping every row of both table", "keep unmatched row from both sides"),
}  # fmt: skip


@RULES.term("joinhow")
def join_how(reader: Reader, at: int) -> Iterable[Match]:
    for how, phrases in _HOWS.items():
        for start, _ in reader.starts(at):
            for end, cost, _ in reader.phrases(("",) if False else _variants(phrases), start):
                yield Match(end, how, cost)


def _variants(phrases: tuple[str, ...]) -> tuple[str, ...]:
    return phrases + tuple(phrase.replace("every ", "") for phrase in phrases if "every " in phrase)


@RULES.term("joinkind")
def join_kind(reader: Reader, at: int) -> Iterable[Match]:
    kinds = {
        "left": ("left join", "left outer join"),
        "inner": ("inner join",),
        "right": ("right join", "right outer join"),
        "full": ("full join", "outer join", "full outer join"),
        "cross": ("cross join",),
    }
    for how, phrases in kinds.items():
        for end, cost, _ in reader.phrases(phrases, at):
            yield Match(end, how, cost)


_PAIR = (
    f"[{_TABLES}] <left:table> (with | to | and | onto | against | & | ,) [{_TABLES}] <right:table>"
)


TAIL = (
    "[and | ,] [<joinhow> [of <kept:table>] | (keep | keeping | retain | retaining) [every] "
    "<kept:table> [row | record]]"
)


@RULES.rule(
    "across",
    f"%join {_PAIR} {ON} {TAIL}",
    f"[do | perform | make | apply] <joinkind> [of | between] {_PAIR} [{ON}]",
    f"%join {_PAIR} {ON} (using | with) <joinkind>",
    f"(join | link | connect | enrich) {_PAIR} {TAIL}",
    "(match | link | join) (each | every) <left:table> [row | record] (with | to) <right:table> "
    f"{TAIL}",
    f"(match | enrich | combine) {_PAIR} {ON} {TAIL}",
)
def join_pair(
    left: str,
    right: str,
    keyparts: tuple[tuple[str, str], ...] = (),
    joinkind: str = "",
    joinhow: str = "",
    kept: str = "",
) -> Action | None:
    if left == right:
        return None

    def action(draft: Draft) -> str:
        how = joinkind or joinhow or ("left" if kept else "")
        if how == "left" and kept == right:
            how = "right"
        return joined(draft, JoinWish(left, right, key_pairs(draft, left, right, keyparts), how))

    return action


@RULES.rule(
    "across",
    f"(join | link | connect | match) [<n>] {_TABLES} [{ON}] {TAIL}",
    f"%join [<n>] {_TABLES} {ON} {TAIL}",
    f"<joinkind> [<n>] {_TABLES} [{ON}]",
    f"(join | link) [them | everything] {ON} {TAIL}",
)
def join_all(
    n: int = 0,
    keyparts: tuple[tuple[str, str], ...] = (),
    joinkind: str = "",
    joinhow: str = "",
    kept: str = "",
) -> Action:
    def action(draft: Draft) -> str:
        names = _all_names(draft)
        if n and n != len(names):
            raise Refusal(f"there are {len(names)} tables, not {n}: name those you mean")
        if draft.state.focus in names:
            names.remove(draft.state.focus)
            names.insert(0, draft.state.focus)
        how = joinkind or joinhow or ("left" if kept == names[0] else "")
        if kept and not how:
            raise Refusal(f'write "join {kept} to …" to keep every row of {kept}')
        said = [
            joined(
                draft, JoinWish(names[0], other, key_pairs(draft, names[0], other, keyparts), how)
            )
            for other in names[1:]
        ]
        return "; ".join(said)

    return action


@RULES.rule(
    "across",
    f"%join [it | this | result | them | that | these] (with | to) [{_TABLES}] <right:table> "
    f"[{ON}] {TAIL}",
    f"(join | attach | link) <right:table> [{ON}] {TAIL}",
    "(join | attach | link | add) <right:table> (to | onto) (it | this | result | them | that) "
    f"[{ON}] {TAIL}",
)
def join_to_current(
    right: str, keyparts: tuple[tuple[str, str], ...] = (), joinhow: str = "", kept: str = ""
) -> Action:
    def action(draft: Draft) -> str:
        left = left_of(draft, right)
        return joined(
            draft, JoinWish(left, right, key_pairs(draft, left, right, keyparts), joinhow)
        )

    return action


def left_of(draft: Draft, right: str) -> str:
    others = [view.name for view in draft.state.views if view.name != right]
    if draft.state.focus in others:
        return draft.state.focus
    if len(others) != 1:
        raise Refusal(f"say which table {right} is joined to: {', '.join(others)}")
    return others[0]


def key_pairs(
    draft: Draft, left: str, right: str, keyparts: tuple[tuple[str, str], ...]
) -> tuple[tuple[str, str], ...]:
    made: list[tuple[str, str]] = []
    one, other = draft.state.view(left), draft.state.view(right)
    for a, b in keyparts:
        pair = (counterpart(one, a), counterpart(other, b))
        swapped = (counterpart(one, b), counterpart(other, a))
        found = pair if None not in pair else swapped
        if found[0] is None or found[1] is None:
            lacking = left if found[0] is None else right
            raise Refusal(
                f"{lacking} has no column {a}; it has {', '.join(draft.state.view(lacking).names)}"
            )
        made.append((found[0], found[1]))
    return tuple(made)
