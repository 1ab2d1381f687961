"""Run the readings of a request against each other, and find the questions that matter."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import pyarrow as pa

from prepwright.asking.effect import Effect, compared
from prepwright.errors import PrepwrightError
from prepwright.planner import Choice, Plan
from prepwright.planner.outcome import ALIGNMENT, Option
from prepwright.workflow import Workflow

Answers = Mapping[str, str]
PlanWith = Callable[[Answers], Plan]


class Trials(Protocol):
    """Runs workflows in memory, each once, to compare what they give."""

    def outputs(self, workflow: Workflow) -> Mapping[str, pa.Table]:
        """Return the outputs of a workflow, over all rows or a sample of them."""
        ...

    def same(self, one: Workflow, other: Workflow) -> bool | None:
        """Tell whether two workflows that agree on the sample agree on all rows; None: unknown."""
        ...


@dataclass(frozen=True)
class Budget:
    """How much measuring may cost. Units: `readings` are other plans that are run."""

    readings: int = 64


@dataclass(frozen=True)
class Question:
    """An open choice with what each other option does to the result.

    `settled` says why it need not be asked; it is empty where somebody should answer.
    """

    choice: Choice
    effects: Mapping[str, Effect] = field(default_factory=dict[str, Effect])
    settled: str = ""

    @property
    def touched(self) -> int:
        """Return the most rows that any answer changes."""
        return max((effect.touched for effect in self.effects.values()), default=0)

    @property
    def rows(self) -> int:
        """Return the rows of the result as the default gives it."""
        return max((effect.rows for effect in self.effects.values()), default=0)

    def said(self, option: Option) -> str:
        """Return what an option does, in words."""
        if option.id == self.choice.chosen:
            return "as the result stands"
        effect = self.effects.get(option.id)
        return effect.said() if effect else "not measured"


@dataclass(frozen=True)
class Measured:
    """The choices of a plan, measured. `questions` wait for an answer, the weightiest first."""

    plan: Plan
    questions: tuple[Question, ...]
    settled: tuple[Question, ...]

    def question(self, choice_id: str) -> Question | None:
        """Return what was measured of a choice."""
        every = (*self.questions, *self.settled)
        return next((one for one in every if one.choice.id == choice_id), None)


def measure(
    plan_with: PlanWith, trials: Trials, answers: Answers, budget: Budget | None = None
) -> Measured:
    """Plan again with each other option of each open choice, run it, and compare the outputs.

    A choice is settled, not asked, when no option changes an output, when it is shown as noticed
    and can be undone, when the other options only write the same thing otherwise, or when they
    leave more of the request open. Beyond the budget a choice counts as changing the result.
    """
    plan = plan_with(answers)
    if plan.workflow is None:
        return Measured(plan, (), ())
    measuring = _Measuring(plan_with, trials, answers, plan, (budget or Budget()).readings)
    opened = [choice for choice in plan.choices if choice.chosen_by == "default"]
    questions = [measuring.question(choice) for choice in opened]
    asked = sorted(
        (one for one in questions if not one.settled), key=lambda one: one.touched, reverse=True
    )
    return Measured(plan, tuple(asked), tuple(one for one in questions if one.settled))


class _Measuring:
    """One round of measuring: the plan as it stands, and what may still be spent."""

    def __init__(
        self, plan_with: PlanWith, trials: Trials, answers: Answers, plan: Plan, left: int
    ) -> None:
        self.plan_with, self.trials, self.answers = plan_with, trials, answers
        self.plan, self.left = plan, left
        self.known = {choice.id for choice in plan.choices}
        self.more_open: set[tuple[str, str]] = set()

    def question(self, choice: Choice) -> Question:
        effects: dict[str, Effect] = {}
        for option in choice.options:
            if option.id != choice.chosen and self.left > 0:
                self.left -= 1
                effects[option.id] = self._effect(choice, option)
        return Question(choice, effects, self._settled(choice, effects))

    def _effect(self, choice: Choice, option: Option) -> Effect:
        default = self.plan.workflow
        assert default is not None
        baseline = self.trials.outputs(default)
        try:
            other = self.plan_with({**self.answers, choice.id: option.id})
            if other.workflow is None or (self.plan.understood and not other.understood):
                return Effect(failed="leaves a part of the request without meaning")
            if {one.id for one in other.choices} - self.known:
                self.more_open.add((choice.id, option.id))
            effect = compared(baseline, self.trials.outputs(other.workflow))
        except PrepwrightError as error:
            return Effect(failed=f"gives no result: {error.what}")
        if not effect.nothing:
            return effect
        same = self.trials.same(default, other.workflow)
        if same is None:
            return Effect(
                rows=effect.rows, unseen="changes none of the first rows; not tried on all"
            )
        if not same:
            return Effect(rows=effect.rows, unseen="changes rows beyond the first ones")
        return effect

    def _settled(self, choice: Choice, effects: Mapping[str, Effect]) -> str:
        if len(effects) < len(choice.options) - 1:
            return ""
        changing = {key: effect for key, effect in effects.items() if not effect.nothing}
        if not changing:
            return "no answer changes the result"
        if all(effect.failed for effect in changing.values()):
            return "no other answer gives a result"
        if any(notice.choice == choice.id for notice in self.plan.notices):
            return "noticed in the data; can be undone"
        if all(effect.rewritten for effect in changing.values()):
            return "the other answers write the same thing otherwise"
        if choice.kind == ALIGNMENT and all(
            (choice.id, key) in self.more_open or effect.failed for key, effect in changing.items()
        ):
            return "the other answers leave more of the request open"
        return ""
