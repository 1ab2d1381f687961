"""Turn a request into a plan, clause by clause, each on the tables as the last one left them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from prepwright.planner import phrases
from prepwright.planner.facts.columns import Col, Profiles, View, profiled
from prepwright.planner.help import explain
from prepwright.planner.language.clauses import Clause, splits, starts_with_verb, stripped
from prepwright.planner.language.tokens import sentences, tokenize
from prepwright.planner.outcome import Plan, Sentence, Span
from prepwright.planner.reading import Outcome, read_clause
from prepwright.planner.steps.draft import State
from prepwright.planner.steps.outputs import finished
from prepwright.tables import Table
from prepwright.workflow import Workflow

__all__ = ["phrases", "plan"]


@dataclass(frozen=True)
class Folded:
    """What some clauses made of a state, and how many of them were understood."""

    state: State
    sentences: tuple[Sentence, ...] = ()


def plan(
    request: str,
    tables: Mapping[str, Table],
    answers: Mapping[str, str] | None = None,
    profiles: Profiles | None = None,
) -> Plan:
    """Return the workflow that a request asks for, what each clause became, and what stays open.

    The same request, tables and answers give the same plan. Nothing is run and nothing is asked:
    plan again with other answers to see another reading. Whoever plans the same tables more than
    once gives their `profiled` form, so that their rows are read once.
    Raises: `InputError` when an answer names no option of its choice.
    """
    settled = dict(answers or {})
    folded = Folded(_opening(tables, profiles or profiled(tables)))
    for span in sentences(request):
        folded = _sentence(request, span, folded, settled)
    return _closed(request, folded)


def _opening(tables: Mapping[str, Table], profiles: Profiles) -> State:
    views: list[View] = []
    steps: list[dict[str, object]] = []
    for name, table in tables.items():
        columns: tuple[Col, ...] = profiles[name]
        views.append(View(name, name, columns, aliases=(table.name,)))
        listed = [{"name": col.name, "type": col.type} for col in columns]
        steps.append({"id": name, "operator": "input", "table": name, "columns": listed})
    focus = views[0].name if len(views) == 1 else ""
    return State(tuple(views), tuple(steps), focus=focus)


def _sentence(request: str, span: Span, folded: Folded, answers: Mapping[str, str]) -> Folded:
    tokens = tokenize(request[slice(*span)], span[0])
    if not tokens:
        return folded
    whole = _whole(request, tokens, folded, answers)
    if whole is not None:
        return whole
    return _in_parts(request, tokens, folded, answers)


def _whole(
    request: str, tokens: Clause, folded: Folded, answers: Mapping[str, str]
) -> Folded | None:
    """Return the reading of every clause of the tokens, or None when one has no reading."""
    for head, rest in splits(tokens):
        outcome = read_clause(request, head, folded.state, answers)
        if not outcome.understood:
            continue
        after = _with(folded, outcome, request, head)
        if not rest:
            return after
        if (final := _whole(request, rest, after, answers)) is not None:
            return final
    return None


def _in_parts(request: str, tokens: Clause, folded: Folded, answers: Mapping[str, str]) -> Folded:
    """Return the reading of the clauses that can be read; the others are kept as not understood."""
    for head, rest in reversed(list(splits(tokens))):
        if not rest or not starts_with_verb(head) or not _an_order(rest):
            continue
        outcome = read_clause(request, head, folded.state, answers)
        if outcome.understood:
            return _in_parts(request, rest, _with(folded, outcome, request, head), answers)
        tail = _whole(request, rest, folded, answers)
        if tail is not None:
            failed = _refused(request, head, folded, outcome)
            return Folded(
                tail.state, (*folded.sentences, failed, *tail.sentences[len(folded.sentences) :])
            )
    outcome = read_clause(request, tokens, folded.state, answers)
    failed = _refused(request, tokens, folded, outcome)
    return Folded(folded.state, (*folded.sentences, failed))


def _an_order(tokens: Clause) -> bool:
    return len(stripped(tokens)) > 1 and starts_with_verb(tokens)


def _with(folded: Folded, outcome: Outcome, request: str, head: Clause) -> Folded:
    span = (head[0].start, head[-1].end)
    made = Sentence(request[slice(*span)], span, True, outcome.steps, outcome.meaning)
    return Folded(outcome.state, (*folded.sentences, made))


def _refused(request: str, tokens: Clause, folded: Folded, outcome: Outcome) -> Sentence:
    bare = stripped(tokens) or tokens
    span = (bare[0].start, bare[-1].end)
    return Sentence(request[slice(*span)], span, False, help=explain(bare, folded.state, outcome))


def _closed(request: str, folded: Folded) -> Plan:
    state = finished(folded.state)
    made = any(step["operator"] not in ("input", "output") for step in state.steps)
    asked = any(sentence.understood for sentence in folded.sentences)
    used = replace(state, steps=_reachable(state)) if made or asked else state
    workflow = None
    if asked and any(step["operator"] == "output" for step in used.steps):
        workflow = Workflow.model_validate(
            {"version": 1, "request": request, "steps": list(used.steps)}
        )
    return Plan(workflow, folded.sentences, state.choices, state.notices)


def _reachable(state: State) -> tuple[dict[str, object], ...]:
    """Return the steps that an output needs."""
    by_id = {str(step["id"]): step for step in state.steps}
    wanted = [name for name, step in by_id.items() if step["operator"] == "output"]
    needed: set[str] = set()
    while wanted:
        name = wanted.pop()
        if name not in needed:
            needed.add(name)
            step = by_id[name]
            wanted += [step[key] for key in ("input", "left", "right") if key in step]
            wanted += list(step.get("inputs", ()))
    return tuple(step for step in state.steps if step["id"] in needed)
