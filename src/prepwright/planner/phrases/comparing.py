"""Conditions on numbers: `fee over 100`, `between 10 and 20`, `above the average`."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from collections.abc import Iterable

from prepwright.planner.language.grammar import RULES, Match, Reader
from prepwright.planner.steps.draft import Draft, Refusal, ident, literal
from prepwright.planner.steps.meaning import Condition, TailCondition, is_code
from prepwright.planner.steps.typing import as_date, as_number, column


@RULES.rule(
    "atom",
    "<col> [%be | of | that %be | amounts to] <compare> <number>",
    "<col> [%be | of] <number> <compare:suffix_compare>",
    "<compare> <number> [in | for] <col>",
    "<number> <compare:suffix_compare> [in | for] <col>",
)
def compare_number(col: str, compare: str, number: str) -> Condition:
    return Condition(lambda draft: f"{as_number(draft, col)} {compare} {number}", col)


@RULES.rule("tail", "[%be] <compare> <number>", "[%be] <number> <compare:suffix_compare>")
def compare_tail(compare: str, number: str) -> TailCondition:
    return lambda col: compare_number(col=col, compare=compare, number=number)


@RULES.rule("atom", "<col> [%be] <compare> <other:col>")
def compare_columns(col: str, compare: str, other: str) -> Condition:
    def sql(draft: Draft) -> str:
        if column(draft, col).kind == "date" and column(draft, other).kind == "date":
            return f"{as_date(draft, col)} {compare} {as_date(draft, other)}"
        return f"{as_number(draft, col)} {compare} {as_number(draft, other)}"

    return Condition(sql, col)


@RULES.rule("atom", "<col> (%isnt | different from) <other:col>")
def columns_differ(col: str, other: str) -> Condition:
    return Condition(lambda draft: f"{ident(col)} IS DISTINCT FROM {ident(other)}", col)


@RULES.rule(
    "atom", "<col> %be (same as | identical to | equal to) <other:col>", "<col> equals <other:col>"
)
def columns_equal(col: str, other: str) -> Condition:
    return Condition(lambda draft: f"{ident(col)} = {ident(other)}", col)


@RULES.rule(
    "atom",
    "<col> [%be] <compare> <aggregation> [<same:col>]",
    "<col> [%be] <compare> <aggregation> [value]",
    "<compare> <aggregation> <col>",
)
def compare_average(col: str, compare: str, aggregation: str, same: str = "") -> Condition | None:
    if aggregation not in ("avg", "median") or same not in ("", col):
        return None

    def sql(draft: Draft) -> str:
        number = as_number(draft, col)
        return f"{number} {compare} {aggregation}({number}) OVER ()"

    return Condition(sql, col, windowed=True)


@RULES.rule(
    "atom",
    "<col> [%be] [in (range | interval)] (between | from) <low:number> (and | to) <high:number> "
    "[inclusive]",
    "<col> [%be] in (range | interval) <low:number> (to | -) <high:number>",
)
def between_numbers(col: str, low: str, high: str) -> Condition:
    return Condition(lambda draft: f"{as_number(draft, col)} BETWEEN {low} AND {high}", col)


@RULES.rule(
    "atom",
    "<col> (%isnt | not) between <low:number> and <high:number>",
    "<col> outside <low:number> (to | and) <high:number>",
)
def outside_numbers(col: str, low: str, high: str) -> Condition:
    return Condition(lambda draft: f"{as_number(draft, col)} NOT BETWEEN {low} AND {high}", col)


_SIGNS = {"negative": "< 0", "positive": "> 0", "zero": "= 0", "nonzero": "<> 0"}


@RULES.term("sign")
def sign(reader: Reader, at: int) -> Iterable[Match]:
    words = [token.word for token in reader.tokens[at : at + 2]]
    if words and words[0] in _SIGNS:
        yield Match(at + 1, _SIGNS[words[0]])
    if words in (["non", "zero"], ["not", "zero"]):
        yield Match(at + 2, _SIGNS["nonzero"])


@RULES.rule("atom", "<col> %be <sign>", "<sign> <col>")
def signed(col: str, sign: str) -> Condition:
    return Condition(lambda draft: f"{as_number(draft, col)} {sign}", col)


@RULES.rule(
    "atom",
    "<col> [%be] (exactly | equal to | =) <number>",
    "<col> %be <number>",
    "<col> <number>",
    "<col> of <number>",
    "exactly <number> <col>",
)
def is_number(col: str, number: str) -> Condition:
    return Condition(lambda draft: _equal_number(draft, col, number, "="), col)


@RULES.rule("atom", "<col> %isnt <number>", "<col> (not | other than) <number>")
def is_not_number(col: str, number: str) -> Condition:
    return Condition(lambda draft: _equal_number(draft, col, number, "<>"), col)


def _equal_number(draft: Draft, col: str, number: str, sign: str) -> str:
    known = column(draft, col)
    if known.type == "VARCHAR" and (known.kind != "number" or is_code(known)):
        if number not in known.texts:
            raise Refusal(f"{col} holds no {number}")
        return f"{ident(col)} {sign} {literal(number)}"
    return f"{as_number(draft, col)} {sign} {number}"
