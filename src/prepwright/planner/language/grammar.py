"""Match the words of one clause against rules, whole or not at all.

A rule is a pattern of words, classes and terms. `word` stands for any of its forms, `%class` for a
class of the lexicon, `<term>` or `<name:term>` for something that another rule or a ground term
finds, `[x]` for an option, `(x | y)` for alternatives. A clause is understood only when a rule
consumes every word of it but articles: nothing of a sentence is left over unread.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import count
from typing import Any

from prepwright.planner.language.grounding import Ground
from prepwright.planner.language.lexicon import ARTICLES, same_word
from prepwright.planner.language.tokens import Token
from prepwright.planner.language.word_classes import CLASSES, MAPPED
from prepwright.planner.outcome import Choice

_PART = re.compile(r"<[\w:]+>|%\w+|[\[\]()|]|[^\s\[\]()|<>%]+|[<>%]")
_ARTICLE_COST = 0.02
_COMMA_COST = 0.05
_MOST = 60


@dataclass(frozen=True)
class Match:
    """A stretch of tokens that was read: where it ends, what it means, how far-fetched that is."""

    end: int
    value: Any
    cost: float = 0.0
    choices: tuple[Choice, ...] = ()


Term = Callable[["Reader", int], Iterable[Match]]
Builder = Callable[..., Any]


@dataclass(frozen=True)
class Rule:
    """A pattern and what its captures mean together."""

    pattern: str
    build: Builder
    cost: float = 0.0


@dataclass
class Rules:
    """Every rule and ground term, by the name of what they read."""

    terms: dict[str, Term] = field(default_factory=dict[str, Term])
    rules: dict[str, list[Rule]] = field(default_factory=dict[str, list[Rule]])

    def term(self, name: str) -> Callable[[Term], Term]:
        """Register a function that reads `<name>` at a position."""

        def register(function: Term) -> Term:
            self.terms[name] = function
            return function

        return register

    def rule(self, name: str, *patterns: str, cost: float = 0.0) -> Callable[[Builder], Builder]:
        """Register patterns that read `<name>`; the function makes its meaning, None refuses it."""

        def register(function: Builder) -> Builder:
            for at, pattern in enumerate(patterns):
                self.rules.setdefault(name, []).append(Rule(pattern, function, cost + at * 0.001))
            return function

        return register


RULES = Rules()


_BEFORE_A_THING = "\"'`“‘(£$€.[#%"
_BEHIND_A_NAME = frozenset(
    """
    and or is are was were be by of to in on from as with where when than then equals over under
    above below descending ascending desc asc plus minus times per not
    """.split()
)
"""Words that no article stands before."""


@dataclass
class Reader:
    """Reads the tokens of one clause over one ground; remembers how far any rule came."""

    tokens: tuple[Token, ...]
    ground: Ground
    answers: Mapping[str, str]
    rules: Rules = field(default_factory=lambda: RULES)
    furthest: int = 0
    _known: dict[tuple[str, int], tuple[Match, ...]] = field(
        default_factory=dict[tuple[str, int], tuple[Match, ...]]
    )

    def __post_init__(self) -> None:
        self._standing = _standing(self.tokens)

    def whole(self, name: str) -> list[Match]:
        """Return every reading of the whole clause as `<name>`, the most literal first."""
        found = [match for match in self.read(name, 0) if self._rest(match.end) is not None]
        return sorted(found, key=lambda match: match.cost)

    def _rest(self, at: int) -> int | None:
        while at < len(self.tokens) and self.tokens[at].text in (".", ",", ":", "!", "?", "please"):
            at += 1
        return at if at == len(self.tokens) else None

    def read(self, name: str, at: int) -> tuple[Match, ...]:
        """Return the readings of `<name>` from a position, the most literal first."""
        key = (name, at)
        if key not in self._known:
            self._known[key] = ()
            self._known[key] = tuple(self._read(name, at))
        return self._known[key]

    def _read(self, name: str, at: int) -> list[Match]:
        found: list[Match] = []
        if name in self.rules.terms:
            for start, cost in self.starts(at):
                for match in self.rules.terms[name](self, start):
                    found.append(_with_cost(match, cost))
        elif name in MAPPED:
            found += self._mapped(name, at)
        for rule in self.rules.rules.get(name, ()):
            for match in _compiled(rule.pattern)(self, at, {}):
                value = rule.build(**match.value)
                if value is not None:
                    cost = match.cost + rule.cost
                    found.append(Match(match.end, value, cost, match.choices))
        if name not in self.rules.terms and name not in self.rules.rules and name not in MAPPED:
            raise KeyError(name)
        found.sort(key=lambda match: (match.cost, -match.end))
        for match in found:
            self.furthest = max(self.furthest, match.end)
        return found[:_MOST]

    def _mapped(self, name: str, at: int) -> Iterator[Match]:
        for meaning, phrases in MAPPED[name].items():
            for end, cost, _ in self.phrases(phrases, at):
                yield Match(end, meaning, cost)

    def starts(self, at: int) -> Iterator[tuple[int, float]]:
        """Yield where a word may begin: here, and after an article or comma."""
        cost = 0.0
        yield at, cost
        while at < len(self.tokens):
            token = self.tokens[at]
            if self._is_article(at):
                cost += _ARTICLE_COST
            elif token.text in (",", ":"):
                cost += _COMMA_COST
            else:
                return
            at += 1
            yield at, cost

    def standing(
        self, number: int, phrases: tuple[str, ...], at: int
    ) -> tuple[tuple[int, float], ...]:
        """Return the ends and costs of a rule's phrases here; `number` stands for the phrases."""
        key = (number, at)
        if key not in self._standing:
            self._standing[key] = tuple((e, cost) for e, cost, _ in self.phrases(phrases, at))
        found = self._standing[key]
        for end, _ in found:
            self.furthest = max(self.furthest, end)
        return found

    def phrases(self, phrases: Iterable[str], at: int) -> Iterator[tuple[int, float, str]]:
        """Yield the end, cost and phrase for each of the phrases that stands here."""
        for start, skipped in self.starts(at):
            for phrase in phrases:
                end, cost = self._phrase(phrase.split(), start)
                if end >= 0:
                    self.furthest = max(self.furthest, end)
                    yield end, cost + skipped - 0.001 * (end - start), phrase

    def _phrase(self, words: list[str], at: int) -> tuple[int, float]:
        total = 0.0
        for number, word in enumerate(words):
            if number:
                while at < len(self.tokens) and self._article(at, word):
                    at += 1
            if at >= len(self.tokens) or self.tokens[at].kind == "quoted":
                return -1, 0.0
            token = self.tokens[at]
            near = 0.0 if token.text == word else same_word(token.word, word)
            if near is None:
                return -1, 0.0
            total += near
            at += 1
        return at, total

    def _article(self, at: int, word: str) -> bool:
        return self._is_article(at) and self.tokens[at].word != word

    def _is_article(self, at: int) -> bool:
        """Tell whether a word is skipped: an article, with the thing that it belongs to behind it.

        The `a` of `a + b`, `by a.` or `a and b` is a name.
        """
        token = self.tokens[at]
        if token.kind != "word" or token.word not in ARTICLES or at + 1 == len(self.tokens):
            return False
        following = self.tokens[at + 1]
        if following.kind == "word":
            return following.word not in _BEHIND_A_NAME
        return following.text[0].isalnum() or following.text[0] in _BEFORE_A_THING


def _with_cost(match: Match, cost: float) -> Match:
    return match if not cost else Match(match.end, match.value, match.cost + cost, match.choices)


Compiled = Callable[[Reader, int, dict[str, Any]], Iterator[Match]]


_numbers = count()


@lru_cache(maxsize=512)
def _standing(tokens: tuple[Token, ...]) -> dict[tuple[int, int], tuple[tuple[int, float], ...]]:
    """Return what is known of a clause's words: it is the same over every table and answer."""
    return {}


@cache
def _compiled(pattern: str) -> Compiled:
    parts = _PART.findall(pattern)
    node, rest = _alternatives(parts, 0)
    if rest != len(parts):
        raise ValueError(pattern)
    return node


def _alternatives(parts: list[str], at: int) -> tuple[Compiled, int]:
    options: list[Compiled] = []
    while True:
        node, at = _sequence(parts, at)
        options.append(node)
        if at < len(parts) and parts[at] == "|":
            at += 1
            continue
        return (options[0] if len(options) == 1 else _either(options)), at


def _sequence(parts: list[str], at: int) -> tuple[Compiled, int]:
    nodes: list[Compiled] = []
    while at < len(parts) and parts[at] not in ("|", ")", "]"):
        part = parts[at]
        if part in ("(", "["):
            inner, at = _alternatives(parts, at + 1)
            nodes.append(_optional(inner) if part == "[" else inner)
        elif part.startswith("<") and len(part) > 1:
            nodes.append(_call(part[1:-1]))
        elif part.startswith("%") and len(part) > 1:
            nodes.append(_words(CLASSES[part[1:]]))
        else:
            nodes.append(_words((part,)))
        at += 1
    return _chain(nodes), at


def _words(phrases: tuple[str, ...]) -> Compiled:
    number = next(_numbers)

    def match(reader: Reader, at: int, known: dict[str, Any]) -> Iterator[Match]:
        for end, cost in reader.standing(number, phrases, at):
            yield Match(end, known, cost)

    return match


def _call(part: str) -> Compiled:
    name, _, term = part.partition(":")
    target = term or name

    def match(reader: Reader, at: int, known: dict[str, Any]) -> Iterator[Match]:
        for found in reader.read(target, at):
            yield Match(found.end, {**known, name: found.value}, found.cost, found.choices)

    return match


def _optional(inner: Compiled) -> Compiled:
    def match(reader: Reader, at: int, known: dict[str, Any]) -> Iterator[Match]:
        yield from inner(reader, at, known)
        yield Match(at, known)

    return match


def _either(options: list[Compiled]) -> Compiled:
    def match(reader: Reader, at: int, known: dict[str, Any]) -> Iterator[Match]:
        for option in options:
            yield from option(reader, at, known)

    return match


def _chain(nodes: list[Compiled]) -> Compiled:
    def match(reader: Reader, at: int, known: dict[str, Any]) -> Iterator[Match]:
        yield from _run(nodes, 0, reader, Match(at, known))

    return match


def _run(nodes: list[Compiled], number: int, reader: Reader, so_far: Match) -> Iterator[Match]:
    if number == len(nodes):
        yield so_far
        return
    for found in nodes[number](reader, so_far.end, so_far.value):
        choices = so_far.choices + found.choices
        step = Match(found.end, found.value, so_far.cost + found.cost, choices)
        yield from _run(nodes, number + 1, reader, step)
