"""Settle what a request leaves open: measure, ask, plan again, until nothing is left to ask."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from prepwright.asking import Ask, Measured, Question, Trials, matched, measure
from prepwright.asking.effect import Effect
from prepwright.errors import InputError, listed
from prepwright.export.account import Entry
from prepwright.planner import Plan
from prepwright.planner.outcome import Option

PlanWith = Callable[[Mapping[str, str]], Plan]

_ROUNDS = 200


@dataclass(frozen=True)
class Settled:
    """A plan with its choices measured. `left_open` are questions that nobody answered."""

    measured: Measured
    answers: Mapping[str, str]
    asked: tuple[str, ...] = ()
    left_open: tuple[Question, ...] = ()

    @property
    def plan(self) -> Plan:
        return self.measured.plan


def settle(
    plan_with: PlanWith, trials: Trials, answers: Mapping[str, str], ask: Ask | None = None
) -> Settled:
    """Ask the questions that change the result, the weightiest first, each on the plan as it is.

    Raises: `InputError` when an answer from `ask` means none of the options.
    """
    given = dict(answers)
    skipped: list[str] = []
    asked: list[str] = []
    measured = measure(plan_with, trials, given)
    for _ in range(_ROUNDS):
        waiting = [one for one in measured.questions if one.choice.id not in skipped]
        if not waiting or ask is None:
            break
        question = waiting[0]
        reply = ask(question)
        if reply is None:
            skipped.append(question.choice.id)
            continue
        given[question.choice.id] = _option(question, reply).id
        asked.append(question.choice.id)
        measured = measure(plan_with, trials, given)
    return Settled(measured, given, tuple(asked), measured.questions)


def _option(question: Question, reply: str) -> Option:
    found = matched(reply, question.choice.options)
    if found is None:
        raise InputError(
            f"the answer {reply!r} to {question.choice.id!r} is none of its options",
            where="answers",
            found=listed(option.id for option in question.choice.options),
            fix="answer with an option's id, its label or its number",
        )
    return found


def entries(settled: Settled) -> tuple[Entry, ...]:
    """Return what the ledger says of each choice of the plan."""
    return tuple(_entry(settled.measured, choice.id) for choice in settled.plan.choices)


def _entry(measured: Measured, choice_id: str) -> Entry:
    choice = next(one for one in measured.plan.choices if one.id == choice_id)
    question = measured.question(choice_id) or Question(choice)
    labels = {option.id: option.label for option in choice.options}
    others = tuple(
        (option.label, f"{question.said(option)}{_example(question.effects.get(option.id))}")
        for option in choice.options
        if option.id != choice.chosen
    )
    reason = question.settled if choice.chosen_by == "default" else ""
    if choice.chosen_by == "default" and not reason:
        reason = "nobody was asked"
    return Entry(
        choice.id, choice.kind, choice.question, labels.get(choice.chosen, choice.chosen),
        choice.chosen_by, choice.evidence, others, reason,
    )  # fmt: skip


def _example(effect: Effect | None) -> str:
    if effect is None or effect.nothing or effect.failed:
        return ""
    before, after = (row_text(row) for row in (effect.before, effect.after))
    if before and after:
        return f"; as {before} → {after}"
    return f"; as {after or 'without ' + before}" if before or after else ""


def row_text(row: tuple[str | None, ...] | None, most: int = 8) -> str:
    """Return the cells of a row as a line."""
    if row is None:
        return ""
    more = " …" if len(row) > most else ""
    return "  ".join("" if cell is None else cell[:40] for cell in row[:most]) + more
