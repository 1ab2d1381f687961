"""A request on its tables: planned, settled, run. Each stage is a method that gives a value."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from prepwright.asking import Ask, Question, unused
from prepwright.errors import InputError, NotUnderstood, OpenQuestions, closest, listed
from prepwright.planner import Plan, Profiles, plan, profiled
from prepwright.preparing.folder import Means, Told, bound_workflow
from prepwright.preparing.settling import Settled, entries, settle
from prepwright.preparing.trials import SampleTrials
from prepwright.tables import Table
from prepwright.workflow import Workflow


@dataclass(frozen=True)
class Job:
    """What was asked for, of which tables. `off` names steps to switch off."""

    request: str
    tables: Mapping[str, Table]
    off: tuple[str, ...] = ()
    means: Means = field(default_factory=Means)

    @cached_property
    def trials(self) -> SampleTrials:
        """Where readings of the request are tried."""
        return SampleTrials(self.tables, self.means.engine, self.means.settings)

    @cached_property
    def _profiles(self) -> Profiles:
        return profiled(self.tables)

    @cached_property
    def _plans(self) -> dict[tuple[tuple[str, str], ...], Plan]:
        return {}

    def planned(self, answers: Mapping[str, str]) -> Plan:
        """Return the plan under some answers, its workflow complete and steps switched off."""
        known = tuple(sorted(answers.items()))
        if known not in self._plans:
            self._plans[known] = self._planned(answers)
        return self._plans[known]

    def _planned(self, answers: Mapping[str, str]) -> Plan:
        made = plan(self.request, self.tables, answers, self._profiles)
        if made.workflow is None:
            return made
        workflow = made.workflow.model_copy(update={"request": self.request})
        return replace(made, workflow=bound_workflow(self._without(workflow), self.tables))

    def _without(self, workflow: Workflow) -> Workflow:
        steps = [
            step.model_copy(update={"off": True}) if step.id in self.off else step
            for step in workflow.steps
        ]
        return workflow.model_copy(update={"steps": tuple(steps)})

    def check_off(self, made: Plan) -> None:
        """Refuse to switch off what is no step.

        Raises: `InputError` with the steps that there are.
        """
        ids = [step.id for step in made.workflow.steps] if made.workflow else []
        for name in self.off:
            if name not in ids:
                near = closest(name, ids)
                raise InputError(
                    f"there is no step {name!r} to switch off",
                    where="--no-step",
                    found=listed(ids),
                    fix=f"did you mean {near!r}?" if near else "use one of these steps",
                )

    def settled(self, answers: Mapping[str, str], ask: Ask | None = None) -> Settled:
        """Return the plan with every choice measured and, where somebody answers, answered."""
        return settle(self.planned, self.trials, answers, ask)


def told(settled: Settled, verb: str = "prepare") -> Told:
    """Return what the ledger says of the plan."""
    made = settled.plan
    return Told(
        verb=verb,
        answers=settled.answers,
        entries=entries(settled),
        notices=tuple(
            notice.text + (f" (undo with --no-step {notice.step})" if notice.step else "")
            for notice in made.notices
        ),
        sentences=tuple((one.text, one.meaning) for one in made.sentences if one.understood),
        strange=tuple((one.text, one.help) for one in made.sentences if not one.understood),
    )


def check_understood(made: Plan, *, partial: bool) -> None:
    """Refuse a request of which parts have no rule, unless `partial` and some have.

    Raises: `NotUnderstood` with the first such part.
    """
    strange = [one for one in made.sentences if not one.understood]
    if not strange and made.workflow is not None:
        return
    if partial and made.workflow is not None:
        return
    if not strange:
        raise NotUnderstood(
            "the request asks for nothing",
            where="request",
            found="no sentence" if not made.sentences else "no step",
            fix='say what to do, such as "drop rows with missing fee"',
        )
    known = len(made.sentences) - len(strange)
    raise NotUnderstood(
        f"{len(strange)} of {len(made.sentences)} parts were not understood",
        where="request",
        found=listed(one.text for one in strange),
        fix=f"{strange[0].help}" + ("; or --partial to do the rest" if known else ""),
    )


def check_answered(settled: Settled, *, accept_defaults: bool) -> None:
    """Refuse to go on while questions are open.

    Raises: `OpenQuestions` with the first of them.
    """
    unused(settled.answers, settled.plan.choices)
    if accept_defaults or not settled.left_open:
        return
    first: Question = settled.left_open[0]
    choice = first.choice
    count = len(settled.left_open)
    what = "1 question that changes the result is open"
    if count > 1:
        what = f"{count} questions that change the result are open"
    raise OpenQuestions(
        what,
        where="request",
        found=listed(one.choice.question for one in settled.left_open),
        fix=f"--answer {choice.id}={choice.default}, --answers FILE, or --accept-defaults",
    )
