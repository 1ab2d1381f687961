"""Match columns of tables that name the same thing differently, and put the rows together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from prepwright.planner.facts.columns import Col, View, merged_facts
from prepwright.planner.language.synonyms import PERSON_OR_THING, is_synonym, kinship
from prepwright.planner.language.tokens import name_words, tokenize
from prepwright.planner.outcome import ALIGNMENT
from prepwright.planner.steps.draft import Draft, Refusal
from prepwright.planner.steps.typing import date_column, number_column

_UNSAID = 0.35
_NEAR = 0.9
_OVERLAP = 0.5
_ALIKE = 0.05


@dataclass
class Group:
    """Columns of different tables that are one column of the result."""

    members: list[tuple[str, Col]]
    cost: float = 0.0

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(col.name for _, col in self.members))


def name_distance(one: str, other: str) -> float | None:
    """Return how far two column names are apart: 0 the same words; None for foreign names."""
    short, long = sorted((name_words(one), name_words(other)), key=len)
    left = list(long)
    cost = 0.0
    for word in short:
        near = min(
            ((k, at) for at, name in enumerate(left) if (k := _either(word, name)) is not None),
            default=None,
        )
        if near is None:
            return None
        cost += near[0]
        del left[near[1]]
    return cost + _UNSAID * len(left)


def _either(one: str, other: str) -> float | None:
    found = [near for near in (kinship(one, other), kinship(other, one)) if near is not None]
    return min(found, default=None)


def groups(views: Sequence[View]) -> list[Group]:
    """Return the columns of some tables, those that are one thing together."""
    made = [Group([(views[0].name, col)]) for col in views[0].columns]
    for view in views[1:]:
        pairs = sorted(
            (distance, at, number)
            for at, group in enumerate(made)
            for number, col in enumerate(view.columns)
            if (distance := _distance(group, col)) is not None and distance <= _NEAR
        )
        done: set[int] = set()
        full: set[int] = set()
        for distance, at, number in pairs:
            if at in full or number in done:
                continue
            made[at].members.append((view.name, view.columns[number]))
            made[at].cost = max(made[at].cost, distance)
            full.add(at)
            done.add(number)
        made += [Group([(view.name, col)]) for n, col in enumerate(view.columns) if n not in done]
    return made


def _distance(group: Group, col: Col) -> float | None:
    found = [_columns_distance(member, col) for _, member in group.members]
    return min((one for one in found if one is not None), default=None)


def _columns_distance(one: Col, other: Col) -> float | None:
    if one.name == other.name:
        return 0.0
    distance = name_distance(one.name, other.name)
    if distance == 0.0:
        return 0.01
    if _known(one) and _known(other) and one.kind != other.kind:
        return None
    if distance is not None:
        return distance
    return 0.6 if one.kind == "text" and _overlap(one, other) >= _OVERLAP else None


def _known(col: Col) -> bool:
    return col.facts is None or bool(col.facts.real)


def _overlap(one: Col, other: Col) -> float:
    left, right = set(one.texts), set(other.texts)
    if len(left) < 2 or len(right) < 2:
        return 0.0
    return len(left & right) / min(len(left), len(right))


def common_name(names: Sequence[str], request: str, taken: set[str]) -> str:
    """Return what a column of several names is called: the request's word, else the plainest."""
    said = [token.word for token in tokenize(request) if token.kind == "word"]
    for name in names:
        if "".join(name_words(name)) in said or name.casefold() in said:
            return name
    for word in dict.fromkeys(said):
        if word not in taken and all(is_synonym(word, name_words(name)[-1]) for name in names):
            return word
    for name in names:
        if name.casefold() in PERSON_OR_THING:
            return name
    shortest = min(names, key=lambda name: len(name_words(name)))
    return shortest if len(name_words(shortest)) < len(name_words(names[0])) else names[0]


def aligned(draft: Draft, views: Sequence[View]) -> str:
    """Rename the columns of tables that are one thing to one name; returns what was renamed."""
    taken = {name for view in views for name in view.names}
    renames: dict[str, dict[str, str]] = {view.name: {} for view in views}
    for group in groups(views):
        if len(group.members) < 2 or len(group.names) < 2:
            continue
        alike = group.cost <= _ALIKE
        name = (
            group.names[0]
            if alike
            else common_name(group.names, draft.request, taken - set(group.names))
        )
        if not alike and not _together(draft, group, name):
            continue
        for view, col in group.members:
            if col.name != name:
                renames[view][col.name] = name
    said: list[str] = []
    for view in views:
        if changed := renames[view.name]:
            said.append(", ".join(f"{old}→{new}" for old, new in changed.items()))
            rename(draft, view.name, changed)
    return "; ".join(said)


def _together(draft: Draft, group: Group, name: str) -> bool:
    said = " and ".join(f"{view}.{col.name}" for view, col in group.members)
    kinds = " and ".join(dict.fromkeys(f"{col.kind}s" for _, col in group.members))
    chosen = draft.choose(
        f"align_{name}",
        ALIGNMENT,
        f"Are {said} one column?",
        [("together", f"one column, {name}"), ("apart", "separate columns")],
        default="together",
        evidence=f"the names are alike and all hold {kinds}",
    )
    return chosen == "together"


def rename(draft: Draft, view_name: str, changed: dict[str, str]) -> None:
    """Add the step that renames columns of a table."""
    view = draft.state.view(view_name)
    columns = tuple(replace(col, name=changed.get(col.name, col.name)) for col in view.columns)
    clash = [name for name in changed.values() if name in view.names and name not in changed]
    if clash:
        raise Refusal(f"{view_name} already has a column {clash[0]!r}")
    step = draft.add(
        "project", f"{view_name}_named", {"input": view.step, "rename": changed, "others": True}
    )
    draft.replace_view(
        replace(view, step=step, columns=columns, touched=True, saved=False), name=view_name
    )


def united(draft: Draft, names: Sequence[str], *, distinct: bool = False) -> str:
    """Put the rows of tables together, their columns aligned."""
    said = aligned(draft, [draft.state.view(name) for name in names])
    _retype(draft, names)
    views = [draft.state.view(name) for name in names]
    settings = {"inputs": [view.step for view in views], "by": "name", "missing": "null"}
    step = draft.add("union", "merged", settings | ({"distinct": True} if distinct else {}))
    columns: dict[str, list[Col]] = {}
    for view in views:
        for col in view.columns:
            columns.setdefault(col.name, []).append(col)
    merged = tuple(Col(name, cols[0].type, merged_facts(cols)) for name, cols in columns.items())
    aliases = tuple(alias for view in views for alias in (view.name, *view.aliases))
    free = (
        "merged"
        if all(view.name != "merged" for view in draft.state.views)
        else f"{names[0]}_merged"
    )
    view = View(free, step, merged, aliases=aliases, touched=True)
    rest = tuple(one for one in draft.state.views if one.name not in names)
    draft.state = replace(draft.state, views=(view, *rest), focus=free)
    lonely = [name for name, cols in columns.items() if len(cols) < len(views)]
    more = f"; {', '.join(lonely)} empty where a table has none" if lonely else ""
    return f"the rows of {', '.join(names)}" + (f" ({said})" if said else "") + more


def _retype(draft: Draft, names: Sequence[str]) -> None:
    """Type a text column when the other tables' columns of that name are typed."""
    target = draft.target
    kinds: dict[str, str] = {}
    for name in names:
        for col in draft.state.view(name).columns:
            if col.type != "VARCHAR":
                kinds[col.name] = col.kind
    for name in names:
        draft.target = name
        for col in draft.view.columns:
            if col.type == "VARCHAR" and kinds.get(col.name) == "date":
                date_column(draft, col.name)
            elif col.type == "VARCHAR" and kinds.get(col.name) == "number":
                number_column(draft, col.name)
    draft.target = target
