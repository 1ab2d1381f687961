"""Numbers, dates and free texts as a request writes them."""
# ruff: noqa: D103 -- a term's name says what its function reads

import datetime
from collections.abc import Iterator
from dataclasses import dataclass

from prepwright.planner.facts.dates import formats_of, month_number
from prepwright.planner.language.grammar import RULES, Match, Reader
from prepwright.planner.language.lexicon import STOP_WORDS
from prepwright.planner.language.terms import ORDERS, VAGUE, span_text
from prepwright.planner.language.tokens import Token

_COUNTS = {word: at for at, word in enumerate(
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve"], start=1)}  # fmt: skip


@dataclass(frozen=True)
class Period:
    """A day, month, quarter or year: its first day and the day after its last."""

    start: datetime.date
    end: datetime.date

    @property
    def single(self) -> bool:
        return (self.end - self.start).days == 1


@RULES.term("quoted")
def quoted_text(reader: Reader, at: int) -> Iterator[Match]:
    if at < len(reader.tokens) and reader.tokens[at].kind == "quoted":
        yield Match(at + 1, reader.tokens[at].content)


_ARTICLES = ("the", "a", "an", "their", "its")


@RULES.term("free")
def free_text(reader: Reader, at: int) -> Iterator[Match]:
    """Read a text that need not stand in the data: quoted, a number, or up to three plain words.

    Words after an article describe a text and are none.
    """
    tokens = reader.tokens
    if at >= len(tokens):
        return
    if tokens[at].kind in ("quoted", "number", "date"):
        yield Match(at + 1, tokens[at].content)
        return
    if any(token.text in _ARTICLES for token in tokens[max(at - 1, 0) : at + 1]):
        return
    for end in range(at + 1, min(at + 3, len(tokens)) + 1):
        token = tokens[end - 1]
        if token.kind != "word" or token.word in STOP_WORDS | ORDERS | VAGUE | {
            "otherwise",
            "else",
        }:
            return
        yield Match(end, span_text(reader, at, end), 0.3 + 0.05 * (end - at))


@RULES.term("number")
def plain_number(reader: Reader, at: int) -> Iterator[Match]:
    tokens = reader.tokens
    sign = at < len(tokens) - 1 and tokens[at].text in ("-", "−")
    start = at + 1 if sign else at
    if start >= len(tokens):
        return
    token = tokens[start]
    if token.kind == "number":
        yield Match(start + 1, ("-" if sign else "") + number_text(token))
    elif token.word in _COUNTS:
        yield Match(start + 1, str(_COUNTS[token.word]))
    elif token.word in ("zero",):
        yield Match(start + 1, "0")


def number_text(token: Token) -> str:
    """Return a number as an expression writes it: `1,200` 1200, `5%` 0.05, `2k` 2000."""
    text = token.text.strip("$£€").replace(",", "").replace(" ", "")
    scale = {"%": 0.01, "k": 1e3, "m": 1e6}.get(text[-1].lower())
    if scale is None:
        return text
    return f"{round(float(text[:-1]) * scale, 12):g}"


@RULES.term("percent")
def percent_number(reader: Reader, at: int) -> Iterator[Match]:
    tokens = reader.tokens
    if at >= len(tokens) or tokens[at].kind != "number":
        return
    text = tokens[at].text
    if text.endswith("%"):
        yield Match(at + 1, number_text(tokens[at]))
    elif at + 1 < len(tokens) and tokens[at + 1].text in ("%", "percent"):
        yield Match(at + 2, f"{float(text) / 100:g}")


@RULES.term("n")
def whole_number(reader: Reader, at: int) -> Iterator[Match]:
    for match in plain_number(reader, at):
        if match.value.isdigit():
            yield Match(match.end, int(match.value))


def month_period(year: int, month: int, months: int = 1) -> Period:
    """Return the period of some months."""
    last = month - 1 + months
    return Period(datetime.date(year, month, 1), datetime.date(year + last // 12, last % 12 + 1, 1))


@RULES.term("day")
def day_literal(reader: Reader, at: int) -> Iterator[Match]:
    """Read one day: `2024-03-15`, `15/03/2024`, `March 15, 2024`, `15 March 2024`."""
    for end in range(at + 1, min(at + 5, len(reader.tokens)) + 1):
        text = span_text(reader, at, end).strip("'\"")
        text = " ".join(text.replace(" of ", " ").replace(" ,", ",").split())
        text = _ordinals(text)
        forms_found = formats_of(text)
        if forms_found and "%d" in forms_found[0] and "%H" not in forms_found[0]:
            day = datetime.datetime.strptime(text, forms_found[0]).date()
            following = day + datetime.timedelta(days=1)
            yield Match(end, Period(day, following), 0.1 * (len(forms_found) > 1))


def _ordinals(text: str) -> str:
    words = text.split(" ")
    return " ".join(
        w[:-2] if w[:1].isdigit() and w[-2:] in ("st", "nd", "rd", "th") else w for w in words
    )


@RULES.term("period")
def period_literal(reader: Reader, at: int) -> Iterator[Match]:
    """Read a day, `March 2024`, `Q1 2024`, `2024Q1`, `2024`."""
    yield from day_literal(reader, at)
    words = [token.word for token in reader.tokens[at : at + 3]]
    if words and _is_year(words[0]):
        yield Match(at + 1, month_period(int(words[0]), 1, 12))
    if words and len(words[0]) == 6 and _is_year(words[0][:4]) and words[0][4] == "q":
        yield Match(at + 1, month_period(int(words[0][:4]), 3 * int(words[0][5]) - 2, 3))
    if len(words) > 1 and _is_year(words[1]):
        if month := month_number(words[0]):
            yield Match(at + 2, month_period(int(words[1]), month))
        if len(words[0]) == 2 and words[0][0] == "q" and words[0][1] in "1234":
            yield Match(at + 2, month_period(int(words[1]), 3 * int(words[0][1]) - 2, 3))


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdigit() and 1900 <= int(word) <= 2100


@RULES.term("monthname")
def month_name(reader: Reader, at: int) -> Iterator[Match]:
    if at < len(reader.tokens) and (month := month_number(reader.tokens[at].word)):
        yield Match(at + 1, month)
