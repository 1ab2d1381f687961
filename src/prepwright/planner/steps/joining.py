"""Join two tables: find the key, say what happens to rows without a match."""

from dataclasses import dataclass, replace

from prepwright.planner.facts.columns import Col, View
from prepwright.planner.language.grounding import Ground
from prepwright.planner.language.tokens import name_words
from prepwright.planner.outcome import ALIGNMENT, INCOMPLETE, IRREGULARITY
from prepwright.planner.steps.aligning import name_distance
from prepwright.planner.steps.draft import Draft, Refusal, ident
from prepwright.planner.steps.spelling import folded
from prepwright.planner.steps.typing import date_column, number_column

_NEAR = 1.0
_SOME = 0.3

Pair = tuple[str, str]


@dataclass(frozen=True)
class JoinWish:
    """A join as it was asked for. `how` is empty when the request leaves it open.

    `bring` names the columns of the right table that are wanted; none means all.
    """

    left: str
    right: str
    keys: tuple[Pair, ...] = ()
    how: str = ""
    bring: tuple[str, ...] = ()


def counterpart(view: View, name: str) -> str | None:
    """Return the column of a table that a name of another table means."""
    if view.find(name):
        return name
    hits = Ground([view]).column_hits(name_words(name))
    return hits[0].name if hits and hits[0].cost <= _NEAR else None


def joined(draft: Draft, wish: JoinWish) -> str:
    """Add the steps of a join and put the result in the left table's place."""
    left, right = draft.state.view(wish.left), draft.state.view(wish.right)
    if left.name == right.name:
        raise Refusal(f"{left.name} cannot be joined to itself")
    pairs = wish.keys or _guess_key(draft, left, right)
    _same_types(draft, wish, pairs)
    left, right = draft.state.view(wish.left), draft.state.view(wish.right)
    how = wish.how or _ask_how(draft, left, right, pairs)
    if wish.bring:
        right = _narrowed(draft, right, pairs, wish.bring)
    loose = any(_spelling_matters(draft, left, right, pair) for pair in pairs)
    _add_join(draft, left, right, pairs, how, loose=loose)
    keys = ", ".join(a if a == b else f"{a} = {b}" for a, b in pairs)
    return f"{how} join of {left.name} and {wish.right} on {keys}"


def _ask_how(draft: Draft, left: View, right: View, pairs: tuple[Pair, ...]) -> str:
    unmatched = _unmatched(left, right, pairs[0])
    return draft.choose(
        f"unmatched_{left.name}_{right.name}",
        INCOMPLETE,
        f"What becomes of rows of {left.name} without a match in {right.name}?",
        [("left", "keep them, the new columns empty"), ("inner", "drop them")],
        default="left",
        evidence=f"{unmatched:,} values of {pairs[0][0]} have no match",
    )


def _unmatched(left: View, right: View, pair: Pair) -> int:
    one, other = left.find(pair[0]), right.find(pair[1])
    return len(set(one.texts) - set(other.texts)) if one and other else 0


def _guess_key(draft: Draft, left: View, right: View) -> tuple[Pair, ...]:
    found: list[tuple[float, Pair]] = []
    for a in left.columns:
        for b in right.columns:
            distance = name_distance(a.name, b.name)
            noun = name_distance(a.name, f"{right.name} {b.name}")
            near = min((d for d in (distance, noun) if d is not None), default=None)
            if near is not None and near <= _SOME * 3 and _shared(a, b) >= _SOME:
                found.append((near, (a.name, b.name)))
    found.sort(key=lambda one: one[0])
    close = [pair for near, pair in found if near <= found[0][0] + 0.05]
    if not close:
        raise Refusal(
            f"{left.name} and {right.name} share no column to join on; "
            'say on which, as in "join … on id"'
        )
    if len(close) == 1:
        return (close[0],)
    options = [(f"{a}={b}" if a != b else a, f"{a} = {b}") for a, b in close]
    chosen = draft.choose(
        f"key_{left.name}_{right.name}",
        ALIGNMENT,
        f"Which columns tie {left.name} to {right.name}?",
        [("all", "all of " + ", ".join(name for name, _ in options)), *options],
        default="all",
        evidence=f"{len(close)} columns have the same name and values in common",
    )
    names = [name for name, _ in options]
    return tuple(close) if chosen == "all" else (close[names.index(chosen)],)


def _shared(a: Col, b: Col) -> float:
    left, right = {folded(t) for t in a.texts}, {folded(t) for t in b.texts}
    if not left or not right:
        return 0.0
    return len(left & right) / min(len(left), len(right))


def _same_types(draft: Draft, wish: JoinWish, pairs: tuple[Pair, ...]) -> None:
    target = draft.target
    for a, b in pairs:
        one, other = draft.state.view(wish.left).find(a), draft.state.view(wish.right).find(b)
        if one is None or other is None or one.type == other.type:
            continue
        for view, name in ((wish.left, a), (wish.right, b)):
            draft.target = view
            kind = "date" if "date" in (one.kind, other.kind) else "number"
            date_column(draft, name) if kind == "date" else number_column(draft, name)
    draft.target = target


def _spelling_matters(draft: Draft, left: View, right: View, pair: Pair) -> bool:
    one, other = left.find(pair[0]), right.find(pair[1])
    if one is None or other is None or not one.texts or not other.texts:
        return False
    exact = set(one.texts) & set(other.texts)
    there = {folded(text) for text in other.texts}
    loose = [text for text in one.texts if folded(text) in there and text not in exact]
    if not loose or one.facts is None:
        return False
    chosen = draft.choose(
        f"spelling_{pair[0]}",
        IRREGULARITY,
        f"Do {pair[0]} match when only case or spaces differ?",
        [("loose", "yes, ignore case and spaces"), ("exact", "no, only when written alike")],
        default="loose",
        evidence=f"{one.facts.touched(tuple(loose)):,} rows match only so, as {loose[0]!r}",
    )
    return chosen == "loose"


def _narrowed(draft: Draft, right: View, pairs: tuple[Pair, ...], bring: tuple[str, ...]) -> View:
    names = list(dict.fromkeys([*(b for _, b in pairs), *bring]))
    columns = tuple(col for name in names if (col := right.find(name)))
    step = draft.add("project", f"{right.name}_needed", {"input": right.step, "columns": names})
    return replace(right, step=step, columns=columns)


def _add_join(
    draft: Draft, left: View, right: View, pairs: tuple[Pair, ...], how: str, *, loose: bool
) -> None:
    keys: list[object] = []
    for a, b in pairs:
        if loose:
            keys.append(
                {"left": f"lower(squeeze({ident(a)}))", "right": f"lower(squeeze({ident(b)}))"}
            )
        else:
            keys.append(a if a == b else {"left": ident(a), "right": ident(b)})
    settings: dict[str, object] = {"left": left.step, "right": right.step, "how": how, "on": keys}
    if how in ("semi", "anti"):
        step = draft.add("join", f"{left.name}_matched", settings)
        _put(draft, left, right, step, left.columns)
        return
    hidden = set() if loose else {b for a, b in pairs if a == b}
    gone = {b for _, b in pairs}
    known = {name.casefold() for name in left.names}
    suffix = f"_{right.name}"
    extra = [col for col in right.columns if col.name not in hidden]
    named = [
        replace(col, name=col.name + suffix) if col.name.casefold() in known else col
        for col in extra
    ]
    if any(old.name != new.name for old, new in zip(extra, named, strict=True)):
        settings["suffix"] = suffix
    step = draft.add("join", f"{left.name}_joined", settings)
    _put(draft, left, right, step, (*left.columns, *named))
    drop = [new for old, new in zip(extra, named, strict=True) if old.name in gone]
    if drop and how not in ("full", "right"):
        kept = tuple(col for col in draft.view.columns if col not in drop)
        names = [col.name for col in drop]
        draft.step(
            "project", f"{left.name}_plain", kept, others=True, drop=names, why="one key is enough"
        )


def _put(draft: Draft, left: View, right: View, step: str, columns: tuple[Col, ...]) -> None:
    aliases = (*left.aliases, f"{left.name} {right.name}")
    view = replace(left, step=step, columns=columns, aliases=aliases, touched=True, saved=False)
    draft.replace_view(view, name=left.name)
    rest = tuple(
        replace(one, touched=False) if one.name == right.name else one for one in draft.state.views
    )
    draft.state = replace(draft.state, views=rest, focus=left.name)
    draft.target = left.name
