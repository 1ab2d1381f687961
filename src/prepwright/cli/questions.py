"""Questions on the terminal: what each answer does to this result, then the prompt."""

from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from prepwright.asking import Question, matched
from prepwright.cli.screen import counted, rows_of_text
from prepwright.export import one_line
from prepwright.planner import Choice, Option
from prepwright.preparing.settling import row_text

_TRIES = 5


def shown(screen: Console, question: Question, place: tuple[int, int]) -> None:
    """Show a question, its evidence, and each option with the row that it would give."""
    number, total = place
    head = "One question" if total == 1 else f"Question {number} of {total}"
    count = f"it changes {question.touched:,} of {counted(question.rows, 'result row')}"
    effect = count if question.touched else "its effect is not known"
    screen.print(Text(f"\n{head} ({effect})", style="bold"))
    choice = question.choice
    said = f"  {one_line(choice.question)} ({one_line(choice.evidence)})   id {choice.id}"
    screen.print(Text(said), soft_wrap=True)
    rows = [
        [str(at), one_line(option.label), gives(question, option), _mark(choice, option)]
        for at, option in enumerate(choice.options, 1)
    ]
    rows_of_text(screen, rows, 4)


def _mark(choice: Choice, option: Option) -> str:
    return "← default" if option.id == choice.default else ""


def gives(question: Question, option: Option) -> str:
    """Return the row that an option gives, and how many change."""
    effect = question.effects.get(option.id)
    if option.id == question.choice.chosen:
        rows = (one.before for one in question.effects.values() if one.before and not one.failed)
        return clean(row_text(next(rows, None)), 100)
    if effect is None:
        return "not measured"
    if effect.failed or effect.unseen:
        return effect.said()
    row = row_text(effect.after) or (f"without {row_text(effect.before)}" if effect.before else "")
    return f"{clean(row, 100)}   ({effect.said()})" if row else effect.said()


def clean(text: str, width: int) -> str:
    """Return text without control characters that keeps the blanks between cells."""
    said = "  ".join(one_line(part) for part in text.split("  "))
    return said if len(said) <= width else f"{said[: width - 1]}…"


def asker(
    screen: Console, expected: int, read: Callable[[str], str] = input
) -> Callable[[Question], str | None]:
    """Return what asks a person on the terminal; an end of input leaves the question open."""
    asked: list[str] = []

    def ask(question: Question) -> str | None:
        asked.append(question.choice.id)
        shown(screen, question, (len(asked), max(expected, len(asked))))
        screen.print(Text("    a number, or your own words; nothing takes the default"))
        for _ in range(_TRIES):
            try:
                reply = read("  > ")
            except EOFError:
                return None
            if not reply.strip():
                return question.choice.default
            found = matched(reply, question.choice.options)
            if found is not None:
                return found.id
            screen.print(Text("    that means none of the answers above; give its number"))
        return None

    return ask
