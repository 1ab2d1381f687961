"""Bring columns of one table to the rows of another."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from prepwright.planner.language.grammar import RULES
from prepwright.planner.phrases.join import ON, TAIL, key_pairs, left_of
from prepwright.planner.steps.draft import Draft, Refusal
from prepwright.planner.steps.joining import JoinWish, counterpart, joined
from prepwright.planner.steps.meaning import Action

_TABLES = "(table | file | dataset | data set | sheet | source | data | input | list | data frame)"


@RULES.rule(
    "across",
    f"(bring | add | pull | get | put) [in] <cols> (into | to | onto) [every | each | {_TABLES}] "
    f"<left:table> [row | record | {_TABLES}] [{ON}]",
)
def bring(cols: tuple[str, ...], left: str, keyparts: tuple[tuple[str, str], ...] = ()) -> Action:
    """Read a look-up that does not say where the columns are: they must be in one other table."""

    def action(draft: Draft) -> str:
        others = [view for view in draft.state.views if view.name != left]
        having = [view for view in others if all(view.find(name) for name in cols)]
        if len(having) != 1 or any(draft.state.view(left).find(name) for name in cols):
            raise Refusal(f'say from which table, as in "add {cols[0]} from … to {left}"')
        right = having[0].name
        return joined(
            draft, JoinWish(left, right, key_pairs(draft, left, right, keyparts), "left", cols)
        )

    return action


@RULES.rule(
    "across",
    "(look up | lookup | bring in | pull in | add | get | fetch | attach | pull | append | "
    f"bring) <cols> (from | in | of | using | out of) [{_TABLES}] <right:table> [(to | into | "
    f"onto | for) [each | every | {_TABLES}] <left:table> [row | record]] [{ON}] {TAIL}",
    "(look up | lookup | find | get) <cols> (of | for) [each | every] <left:table> (in | from | "
    f"using) [{_TABLES}] <right:table> [{ON}] {TAIL}",
    f"enrich <left:table> with <cols> (from | in | of) <right:table> [{ON}] {TAIL}",
    f"add [to] <left:table> <cols> (from | in | of) <right:table> [{ON}] {TAIL}",
    "for (every | each) <left:table> (look up | add | get | find) <cols> (from | in | of) "
    f"<right:table> [{ON}] {TAIL}",
)
def look_up(
    cols: tuple[str, ...],
    right: str,
    left: str = "",
    keyparts: tuple[tuple[str, str], ...] = (),
    joinhow: str = "",
    kept: str = "",
) -> Action:
    def action(draft: Draft) -> str:
        one = left or left_of(draft, right)
        view = draft.state.view(right)
        bring = [counterpart(view, name) for name in cols]
        if None in bring:
            raise Refusal(
                f"{right} has no {cols[bring.index(None)]}; it has {', '.join(view.names)}"
            )
        pairs = key_pairs(draft, one, right, keyparts)
        wanted = tuple(name for name in bring if name)
        return joined(draft, JoinWish(one, right, pairs, joinhow or "left", wanted))

    return action
