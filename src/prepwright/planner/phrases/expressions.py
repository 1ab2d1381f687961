"""Values of a row: arithmetic, date parts, durations, parts of a text."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from collections.abc import Iterator

from prepwright.planner.language.grammar import RULES, Match, Reader
from prepwright.planner.language.terms import listing
from prepwright.planner.steps.draft import Draft, Refusal
from prepwright.planner.steps.meaning import Term
from prepwright.planner.steps.typing import as_number

_SUMS = {"+": 1, "-": 1, "*": 2, "/": 2}


_SYMBOLS = {"+": "+", "-": "-", "−": "-", "–": "-", "*": "*", "×": "*", "/": "/", "÷": "/"}


@RULES.term("expr")
def expression(reader: Reader, at: int) -> Iterator[Match]:
    """Read sums of products of factors; `*` and `/` bind first."""
    yield from _level(reader, at, 1)


def _level(reader: Reader, at: int, level: int) -> Iterator[Match]:
    if level == 3:
        yield from reader.read("factor", at)
        return
    queue = list(_level(reader, at, level + 1))
    done = 0
    while queue and done < 40:
        match = queue.pop(0)
        done += 1
        yield match
        for sign, end in _signs(reader, match.end):
            if _SUMS[sign] == level:
                for more in _level(reader, end, level + 1):
                    made = _operation(match.value, sign, more.value)
                    cost = match.cost + more.cost
                    queue.append(Match(more.end, made, cost, match.choices + more.choices))


def _signs(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    if at < len(reader.tokens) and reader.tokens[at].text in _SYMBOLS:
        yield _SYMBOLS[reader.tokens[at].text], at + 1
        return
    for match in reader.read("arithmetic", at):
        yield match.value, match.end


def _operation(left: Term, sign: str, right: Term) -> Term:
    def sql(draft: Draft) -> str:
        one = numeric(draft, left)
        other = numeric(draft, right)
        if sign == "/":
            return divided(one, other)
        return f"({one} {sign} {other})"

    words = {"+": "plus", "-": "minus", "*": "times", "/": "per"}[sign]
    name = (
        f"{left.name}_{words}_{right.name}" if left.name and right.name else left.name or right.name
    )
    return Term(sql, "DOUBLE", name)


def divided(one: str, other: str) -> str:
    """Return a quotient that is null where the divisor is 0."""
    return f"({one} / nullif({other}, 0))"


def numeric(draft: Draft, term: Term) -> str:
    """Return a term as a number."""
    if term.type in ("VARCHAR", "DATE", "BOOLEAN"):
        raise Refusal(f"{term.name or 'a text'} is no number")
    return term.sql(draft)


@RULES.rule("factor", "<numcol>", "value of <numcol>")
def number_factor(numcol: str) -> Term:
    return Term(lambda draft: as_number(draft, numcol), "DOUBLE", numcol, plain=True)


@RULES.rule("operand", "<numcol>")
def operand(numcol: str) -> Term:
    return number_factor(numcol=numcol)


@RULES.rule("operand", "%open <expr> %close")
def bracketed_operand(expr: Term) -> Term:
    return expr


@RULES.rule("factor", "<number>")
def constant(number: str) -> Term:
    return Term(lambda draft: number, "DOUBLE", plain=True)


@RULES.rule("factor", "%open <expr> %close")
def bracketed(expr: Term) -> Term:
    return expr


@RULES.rule("factor", "<percent> of <factor>")
def percent_of(percent: str, factor: Term) -> Term:
    return Term(lambda draft: f"({percent} * {numeric(draft, factor)})", "DOUBLE", factor.name)


RULES.term("factors")(listing("factor", (", and", ",", "and", "plus", "with", "by")))


def _spread(factors: tuple[Term, ...], sign: str, name: str, *, mean: bool = False) -> Term | None:
    if len(factors) < 2:
        return None

    def sql(draft: Draft) -> str:
        parts = [numeric(draft, factor) for factor in factors]
        parts = [f"coalesce({part}, 0)" for part in parts] if sign == "+" and not mean else parts
        whole = f" {sign} ".join(parts)
        return f"({whole}) / {len(parts)}" if mean else f"({whole})"

    return Term(sql, "DOUBLE", name)


@RULES.rule("factor", "(sum | total) of <factors>")
def sum_of(factors: tuple[Term, ...]) -> Term | None:
    return _spread(factors, "+", "total")


@RULES.rule("factor", "(average | mean) of <factors>")
def mean_of(factors: tuple[Term, ...]) -> Term | None:
    return _spread(factors, "+", "average", mean=True)


@RULES.rule("factor", "product of <factors>")
def product_of(factors: tuple[Term, ...]) -> Term | None:
    return _spread(factors, "*", "product")


@RULES.rule(
    "factor",
    "(difference | gap) between <one:expr> and <other:expr>",
    "(difference | gap) of <one:expr> and <other:expr>",
)
def difference(one: Term, other: Term) -> Term:
    return Term(
        lambda draft: f"({numeric(draft, one)} - {numeric(draft, other)})", "DOUBLE", "difference"
    )


@RULES.rule("factor", "absolute (difference | gap) between <one:expr> and <other:expr>")
def absolute(one: Term, other: Term) -> Term:
    return Term(
        lambda draft: f"abs({numeric(draft, one)} - {numeric(draft, other)})",
        "DOUBLE",
        "difference",
    )


@RULES.rule("factor", "ratio (of | between) <one:factor> (to | and | over) <other:factor>")
def ratio(one: Term, other: Term) -> Term:
    return Term(
        lambda draft: divided(numeric(draft, one), numeric(draft, other)), "DOUBLE", "ratio"
    )


@RULES.rule(
    "factor",
    "<one:operand> as (percentage | percent | %percentsign) of <other:factor>",
    "(percentage | percent) of <one:factor> (in | out of | over | to | relative to) <other:factor>",
    "<one:operand> percentage of <other:factor>",
)
def percentage(one: Term, other: Term) -> Term:
    return Term(
        lambda draft: f"100 * {divided(numeric(draft, one), numeric(draft, other))}",
        "DOUBLE",
        f"{one.name}_percent",
    )
