"""What planning a request gives: the workflow, what each sentence became, and what stayed open."""

from collections.abc import Mapping
from dataclasses import dataclass

from prepwright.errors import InputError, listed
from prepwright.workflow import Workflow

Span = tuple[int, int]
"""Start and end of a part of the request, in characters."""

REFERENCE = "Single-table reference"
ALIGNMENT = "Multi-table alignment"
GROUP_CONCEPT = "Group-level concept"
ROW_CONCEPT = "Row-level concept"
INCOMPLETE = "Operation incomplete"
INCONSISTENT = "Operation inconsistent"
BOUNDARY = "Operation boundary"
IRREGULARITY = "irregularity"


@dataclass(frozen=True)
class Option:
    """One reading of an open choice."""

    id: str
    label: str


@dataclass(frozen=True)
class Choice:
    """Something that the request leaves open, and how it was settled for this plan.

    `chosen_by` is `default`, `answer` or `request`. `evidence` says what in the data raised it.
    """

    id: str
    kind: str
    question: str
    options: tuple[Option, ...]
    default: str
    evidence: str
    span: Span
    chosen: str
    chosen_by: str


@dataclass(frozen=True)
class Notice:
    """Something that was decided from the data and can be undone.

    `step` is the step that does it, when there is one; answering `no` to `choice` undoes it.
    """

    text: str
    step: str = ""
    choice: str = ""


@dataclass(frozen=True)
class Sentence:
    """One clause of the request and the steps it became.

    A clause that is not understood has no steps, and `help` says what was missing and what is near.
    """

    text: str
    span: Span
    understood: bool
    step_ids: tuple[str, ...] = ()
    meaning: str = ""
    help: str = ""


@dataclass(frozen=True)
class Plan:
    """A request as a workflow. `workflow` is None when no clause became a step."""

    workflow: Workflow | None
    sentences: tuple[Sentence, ...]
    choices: tuple[Choice, ...]
    notices: tuple[Notice, ...]

    @property
    def understood(self) -> bool:
        """Return whether every clause was understood."""
        return all(sentence.understood for sentence in self.sentences)


def settle(choice_id: str, options: tuple[Option, ...], answers: Mapping[str, str]) -> str | None:
    """Return the id of the option that was answered, or None when nobody answered.

    Raises: `InputError` when the answer is neither an option's id, nor its label, nor its number.
    """
    answer = answers.get(choice_id)
    if answer is None:
        return None
    text = answer.strip().casefold()
    for number, option in enumerate(options, start=1):
        if text in (option.id.casefold(), option.label.casefold(), str(number)):
            return option.id
    raise InputError(
        f"the answer {answer!r} to {choice_id!r} is none of its options",
        where="answers",
        found=listed(option.id for option in options),
        fix=f"answer {choice_id!r} with an option's id, its label or its number",
    )
