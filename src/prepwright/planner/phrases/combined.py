"""Conditions put together: `A and B or C`, `fee over 100 but under 200`, `not A`."""

from collections.abc import Callable, Iterator
from itertools import islice

from prepwright.planner.language.grammar import RULES, Match, Reader
from prepwright.planner.language.word_classes import CLASSES
from prepwright.planner.steps.draft import Draft
from prepwright.planner.steps.meaning import Condition

_AND = (", and", "and", "but", ", but", "and also", ",", "as well as", "while")
_OR = (", or", "or", "or else")
_MOST = 40

Part = Callable[[Reader, int, str], Iterator[Match]]
"""Reads a part of a condition; the text is the column that a part without a subject is about."""


@RULES.term("condition")
def condition(reader: Reader, at: int) -> Iterator[Match]:
    """Read conditions joined by `or`, each of conditions joined by `and`."""
    yield from islice(_joined(reader, at, _or_part, _OR, " OR "), _MOST)


def _or_part(reader: Reader, at: int, before: str) -> Iterator[Match]:
    def atom(one: Reader, start: int, subject: str) -> Iterator[Match]:
        yield from _atom(one, start, subject)

    first = list(_atom(reader, at, before))
    yield from _extend(reader, first, atom, _AND, " AND ")


def _joined(
    reader: Reader, at: int, part: Part, glue: tuple[str, ...], sign: str
) -> Iterator[Match]:
    yield from _extend(reader, list(part(reader, at, "")), part, glue, sign)


def _extend(
    reader: Reader, first: list[Match], part: Part, glue: tuple[str, ...], sign: str
) -> Iterator[Match]:
    queue = sorted(first, key=lambda match: match.cost)[:_MOST]
    done = 0
    while queue and done < _MOST:
        match = queue.pop(0)
        done += 1
        yield match
        for end, cost in _connectors(reader, match.end, glue):
            for more in part(reader, end, match.value.column):
                both = _both(match.value, more.value, sign)
                queue.append(
                    Match(
                        more.end, both, match.cost + more.cost + cost, match.choices + more.choices
                    )
                )


def _connectors(reader: Reader, at: int, glue: tuple[str, ...]) -> Iterator[tuple[int, float]]:
    ends: dict[int, float] = {}
    for phrase in glue:
        words = phrase.replace(",", ", ").split()
        if all(
            at + n < len(reader.tokens) and reader.tokens[at + n].text.casefold() == w
            for n, w in enumerate(words)
        ):
            ends[at + len(words)] = 0.0
    yield from ends.items()
    if "and" in glue:
        ends[at] = 0.1
        yield at, 0.1
    for start in list(ends):
        for end, cost, _ in reader.phrases(CLASSES["that"], start):
            yield end, cost + 0.01


def _atom(reader: Reader, at: int, subject: str) -> Iterator[Match]:
    yield from reader.read("atom", at)
    for end, cost, _ in reader.phrases(("not", "it is not the case that"), at):
        for match in reader.read("atom", end):
            yield Match(match.end, _negated(match.value), match.cost + cost + 0.1, match.choices)
    if at < len(reader.tokens) and reader.tokens[at].text == "(":
        for match in reader.read("condition", at + 1):
            if match.end < len(reader.tokens) and reader.tokens[match.end].text == ")":
                yield Match(match.end + 1, match.value, match.cost, match.choices)
    if subject:
        for match in reader.read("tail", at):
            made = match.value(subject)
            if made is not None:
                yield Match(match.end, made, match.cost + 0.05, match.choices)


def _both(one: Condition, other: Condition, sign: str) -> Condition:
    def sql(draft: Draft) -> str:
        one.sql(draft)
        right = other.sql(draft)
        return f"({one.sql(draft)}{sign}{right})"

    return Condition(sql, other.column or one.column, one.windowed or other.windowed)


def _negated(one: Condition) -> Condition:
    return Condition(
        lambda draft: f"NOT coalesce({one.sql(draft)}, false)", one.column, one.windowed
    )
