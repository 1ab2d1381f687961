"""Read one clause against the tables and write its steps, or say that no rule reads all of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from prepwright.planner.facts.columns import View
from prepwright.planner.language.clauses import Clause, variants
from prepwright.planner.language.grammar import Match, Reader
from prepwright.planner.language.grounding import Ground
from prepwright.planner.steps.draft import Draft, Refusal, State
from prepwright.planner.steps.meaning import Action

_TIER = 0.45
_TRIED = 12


@dataclass(frozen=True)
class Outcome:
    """What came of reading a clause. `refusal` says why a clause that was read cannot be done."""

    state: State
    understood: bool
    meaning: str = ""
    steps: tuple[str, ...] = ()
    refusal: str = ""
    cost: float = 0.0


def read_clause(request: str, tokens: Clause, state: State, answers: Mapping[str, str]) -> Outcome:
    """Return the plan after a clause, or the unchanged plan when it is not understood."""
    best = _read(request, tokens, state, answers)
    if best.understood or not (earlier := _before_summary(state)):
        return best
    again = _read(request, tokens, earlier, answers)
    return again if again.understood else best


def _before_summary(state: State) -> State | None:
    """Return the plan with the detail rows of tables whose summary is saved, for a next summary."""
    views = tuple(
        view.detail if view.saved and view.detail is not None else view for view in state.views
    )
    return None if views == state.views else replace(state, views=views)


def _read(request: str, tokens: Clause, state: State, answers: Mapping[str, str]) -> Outcome:
    best = Outcome(state, False)
    if not tokens:
        return best
    for words, cost in variants(tokens):
        for outcome in _ways(request, words, state, answers):
            weighed = replace(outcome, cost=outcome.cost + cost)
            if weighed.understood:
                if not best.understood or weighed.cost < best.cost:
                    best = weighed
            elif not best.understood and weighed.refusal and not best.refusal:
                best = weighed
    return best


def _ways(
    request: str, tokens: Clause, state: State, answers: Mapping[str, str]
) -> Iterator[Outcome]:
    if not tokens:
        return
    yield _across(request, tokens, state, answers)
    yield _on_each(request, tokens, state, answers, state.views)
    for name, words in _addressed(tokens, state, answers):
        view = state.view(name)
        yield replace(_on_each(request, words, state, answers, (view,), explicit=True), cost=0.08)


def _across(request: str, tokens: Clause, state: State, answers: Mapping[str, str]) -> Outcome:
    """Read a clause that takes several tables, or none."""
    reader = Reader(tokens, Ground(state.views), answers)
    return _first_done(request, tokens, state, answers, "across", state.focus, reader)


def _on_each(
    request: str,
    tokens: Clause,
    state: State,
    answers: Mapping[str, str],
    views: tuple[View, ...],
    *,
    explicit: bool = False,
) -> Outcome:
    """Read a clause on the table in focus, or on every table that has what it mentions."""
    focus = state.view(state.focus) if state.focus and not explicit else None
    targets = (focus,) if focus else views
    readings = [(view, _matches(tokens, view, answers)) for view in targets]
    readings = [(view, found) for view, found in readings if found]
    if not readings:
        return Outcome(state, False)
    nearest = min(found[0].cost for _, found in readings)
    chosen = [view for view, found in readings if found[0].cost <= nearest + _TIER]
    done = Outcome(state, False)
    for view in chosen:
        reader = Reader(tokens, Ground([done.state.view(view.name)]), answers)
        one = _first_done(request, tokens, done.state, answers, "clause", view.name, reader)
        if not one.understood:
            return replace(one, state=state)
        done = replace(one, steps=done.steps + one.steps)
    return done


def _matches(tokens: Clause, view: View, answers: Mapping[str, str]) -> list[Match]:
    return Reader(tokens, Ground([view]), answers).whole("clause")


def _first_done(
    request: str,
    tokens: Clause,
    state: State,
    answers: Mapping[str, str],
    rule: str,
    target: str,
    reader: Reader,
) -> Outcome:
    refusal = ""
    for match in reader.whole(rule)[:_TRIED]:
        action: Action = match.value
        span = (tokens[0].start, tokens[0].end)
        span = (min(token.start for token in tokens), max(token.end for token in tokens))
        draft = Draft(state, answers, request, span, target)
        draft.record(match.choices)
        try:
            meaning = action(draft)
        except Refusal as refused:
            refusal = refusal or str(refused)
            continue
        return Outcome(draft.state, True, meaning, tuple(draft.made), cost=match.cost)
    return Outcome(state, False, refusal=refusal)


_BEFORE = (
    "in",
    "for",
    "from",
    "on",
    "with",
    "using",
    "within",
    "of",
    "take",
    "starting from",
    "at",
)
_AFTER = ("in", "from", "of", "on", "within", "to", "for", "using")


def _addressed(
    tokens: Clause, state: State, answers: Mapping[str, str]
) -> Iterator[tuple[str, Clause]]:
    """Yield the table that a clause names in front or at its end, with the words that are left."""
    reader = Reader(tokens, Ground(state.views), answers)
    for end, _, _ in reader.phrases(_BEFORE, 0):
        for match in reader.read("table", end):
            if match.end < len(tokens):
                yield match.value, tokens[match.end :]
    for at in range(1, len(tokens) - 1):
        for end, _, _ in reader.phrases(_AFTER, at):
            for match in reader.read("table", end):
                if match.end == len(tokens):
                    yield match.value, tokens[:at]
