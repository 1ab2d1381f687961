"""Derive columns: `add revenue as price times quantity`, `derive a quarter field`."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from prepwright.planner.language.grammar import RULES
from prepwright.planner.language.terms import listing
from prepwright.planner.phrases.date_parts import date_part, duration
from prepwright.planner.phrases.expressions import divided, numeric, sum_of
from prepwright.planner.steps.draft import Draft, Refusal
from prepwright.planner.steps.meaning import Action, Term
from prepwright.planner.steps.typing import as_number

_COLUMN = "(column | field | variable | attribute | feature)"


_NAMED = f"[%new] [{_COLUMN}] [called | named | labeled | : | for] <newname> [{_COLUMN}]"


def derived(draft: Draft, name: str, term: Term) -> str:
    """Add the step that derives one column."""
    value = term.sql(draft)
    clash = next((known for known in draft.view.names if known.casefold() == name.casefold()), name)
    draft.derive({clash: value}, {clash: term.type}, f"with_{name}".lower())
    return f"{clash} = {value}"


@RULES.rule(
    "clause",
    f"%derive {_NAMED} %equals <expr>",
    f"%derive <expr> %called [{_COLUMN}] <newname> [{_COLUMN}]",
    "(let | define) <newname> (be | = | as | equal) <expr>",
    "<newname> (= | is | equals | is equal to | : =) <expr>",
    f"%derive [%new] [{_COLUMN}] %equals <expr> %called [{_COLUMN}] <newname>",
    f"%derive {_NAMED} : <expr>",
    f"%derive <newname> [{_COLUMN}] , <expr>",
    f"%derive {_NAMED} %open <expr> %close",
)
def derive_named(newname: str, expr: Term) -> Action:
    return lambda draft: derived(draft, newname, expr)


@RULES.rule(
    "clause",
    f"%derive {_NAMED} (that | which) (multiply | multiplies) <one:factor> (by | and | with) "
    "<other:factor>",
)
def derive_product(newname: str, one: Term, other: Term) -> Action:
    return _arithmetic(one, other, "*", newname)


@RULES.rule(
    "clause", f"%derive {_NAMED} (that | which) (divide | divides) <one:factor> by <other:factor>"
)
def derive_quotient(newname: str, one: Term, other: Term) -> Action:
    return _arithmetic(one, other, "/", newname)


@RULES.rule(
    "clause",
    f"%derive {_NAMED} (that | which) (sum | sums | add | adds | total) [up] <factors>",
    f"%derive {_NAMED} by (adding | summing) [up] <factors>",
)
def derive_sum(newname: str, factors: tuple[Term, ...]) -> Action | None:
    term = sum_of(factors=factors)
    return None if term is None else lambda draft: derived(draft, newname, term)


@RULES.rule(
    "clause",
    "%derive <newname> in <timeunit> (between | from) <a:datecol> (and | to | until) <b:datecol>",
    "%derive <newname> (between | from) <a:datecol> (and | to | until) <b:datecol> in <timeunit>",
)
def derive_duration(newname: str, timeunit: str, a: str, b: str) -> Action:
    term = duration(a=a, b=b, timeunit=timeunit)
    return lambda draft: derived(draft, newname, term)


@RULES.rule(
    "clause",
    "(increase | raise) <numcol> by <percent>",
    "(increase | raise) <numcol> by <number>",
)
def increase(numcol: str, percent: str = "", number: str = "") -> Action:
    return lambda draft: _shifted(draft, numcol, "+", percent, number)


@RULES.rule(
    "clause",
    "(decrease | reduce | lower | cut) <numcol> by <percent>",
    "(decrease | reduce | lower | cut) <numcol> by <number>",
)
def decrease(numcol: str, percent: str = "", number: str = "") -> Action:
    return lambda draft: _shifted(draft, numcol, "-", percent, number)


def _shifted(draft: Draft, name: str, sign: str, percent: str, number: str) -> str:
    value = as_number(draft, name)
    changed = f"{value} * (1 {sign} {percent})" if percent else f"{value} {sign} {number}"
    return derived(draft, name, Term(lambda _: changed, "DOUBLE"))


@RULES.rule("clause", f"%derive {_NAMED} %from <expr>", cost=0.01)
def derive_computed(newname: str, expr: Term) -> Action | None:
    return None if expr.plain else lambda draft: derived(draft, newname, expr)


@RULES.rule("clause", f"%derive [%new] [{_COLUMN}] [%equals] <expr> [{_COLUMN}]", cost=0.4)
def derive_unnamed(expr: Term) -> Action | None:
    if expr.plain or not expr.name:
        return None
    return lambda draft: derived(draft, _free_name(draft, expr.name), expr)


def _free_name(draft: Draft, name: str) -> str:
    if draft.view.find(name) is not None:
        raise Refusal(f'say what the new column is called, as in "… as new_{name}"')
    return name


RULES.term("dateparts")(listing("datepart"))


@RULES.rule(
    "clause",
    f"%derive [%new] <dateparts> [{_COLUMN}] [(from | of | based on | using | out of | for) "
    "<datecol>]",
    f"%derive [%new] {_COLUMN} (for | with | of | containing | called | named) <dateparts> [(from "
    "| of | based on | using) <datecol>]",
    f"%derive [%new] <datecol> <dateparts> [{_COLUMN}]",
    f"split <datecol> into <dateparts> [{_COLUMN}]",
)
def derive_date_parts(dateparts: tuple[str, ...], datecol: str = "") -> Action:
    def action(draft: Draft) -> str:
        said = [
            derived(draft, _free_name(draft, part), date_part(part, datecol)) for part in dateparts
        ]
        return "; ".join(said)

    return action


@RULES.rule(
    "clause",
    "(multiply | multiplying) <one:expr> (by | with | and) <other:expr> [%called <newname>]",
    f"%derive {_NAMED} by multiplying <one:expr> (by | with | and) <other:expr>",
)
def multiply(one: Term, other: Term, newname: str = "") -> Action:
    return _arithmetic(one, other, "*", newname)


@RULES.rule(
    "clause",
    "(divide | dividing) <one:expr> by <other:expr> [%called <newname>]",
    f"%derive {_NAMED} by dividing <one:expr> by <other:expr>",
)
def divide(one: Term, other: Term, newname: str = "") -> Action:
    return _arithmetic(one, other, "/", newname)


@RULES.rule(
    "clause",
    "(subtract | subtracting | deduct) <other:expr> from <one:expr> [%called <newname>]",
    f"%derive {_NAMED} by subtracting <other:expr> from <one:expr>",
)
def subtract(one: Term, other: Term, newname: str = "") -> Action:
    return _arithmetic(one, other, "-", newname)


@RULES.rule(
    "clause",
    "(add | adding | sum) [up] <one:expr> (and | to | with) <other:expr> [together] %called "
    "<newname>",
    f"%derive {_NAMED} by (adding | summing) <one:expr> (and | to) <other:expr> [together]",
)
def add_up(one: Term, other: Term, newname: str = "") -> Action:
    return _arithmetic(one, other, "+", newname)


def _arithmetic(one: Term, other: Term, sign: str, newname: str) -> Action:
    def action(draft: Draft) -> str:
        name = newname or (one.name if not other.name else "")
        if not name:
            raise Refusal('say what the new column is called, as in "… to get revenue"')

        def sql(draft: Draft) -> str:
            left, right = numeric(draft, one), numeric(draft, other)
            return divided(left, right) if sign == "/" else f"({left} {sign} {right})"

        return derived(draft, name, Term(sql, "DOUBLE", name))

    return action
