"""Values that depend on a condition: `if … then …`, flags, bands."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from prepwright.planner.language.grammar import RULES
from prepwright.planner.language.terms import listing
from prepwright.planner.outcome import BOUNDARY, INCOMPLETE
from prepwright.planner.phrases.derive import derived
from prepwright.planner.steps.draft import Draft, ident, literal
from prepwright.planner.steps.meaning import Action, Condition, Term
from prepwright.planner.steps.typing import as_number, column

_COLUMN = "(column | field | variable | attribute | feature | flag | indicator)"


_NAMED = f"[%new] [{_COLUMN}] [called | named | labeled | : | for] <newname> [{_COLUMN}]"


@RULES.rule("branch", "<quoted>", "[the text | the value] <free>")
def text_branch(quoted: str = "", free: str = "") -> Term:
    text = quoted or free
    if text.lower() in ("true", "false"):
        return Term(lambda draft: text.lower(), "BOOLEAN")
    if text.lower() in ("null", "blank", "empty", "nothing", "missing"):
        return Term(lambda draft: "NULL", "VARCHAR")
    return Term(lambda draft: literal(text), "VARCHAR")


@RULES.rule("branch", "<expr>")
def value_branch(expr: Term) -> Term:
    return expr


@RULES.rule("branch", "<textcol>", "value of <textcol>", cost=0.05)
def column_branch(textcol: str) -> Term:
    return Term(lambda draft: ident(textcol), "VARCHAR")


_IF = "(if | when | where | for row where | for row with | provided | in case | for)"


_ELSE = (
    "([and | ,] %otherwise [it is | set it to | to | put | use | assign | mark it as] "
    "<other:branch>"
    " | (and | ,) <other:branch> %otherwise)"
)


@RULES.rule(
    "case",
    f"<branch> {_IF} <condition>",
    "<condition> (-> | means | : | then | is) <branch>".replace("-> | ", ""),
)
def one_case(branch: Term, condition: Condition) -> tuple[Condition, Term]:
    return (condition, branch)


RULES.term("cases")(listing("case", (", and", ",", "and", ", else", "else", ", or", "otherwise")))


Cases = tuple[tuple[Condition, Term], ...]


@RULES.rule(
    "clause",
    f"%derive {_NAMED} [%equals | set to | with value | with the value | that is | :] <cases> "
    f"[{_ELSE}]",
    f"%derive {_NAMED} [that is | which is | with | :] {_IF} <condition> [then | ,] <branch> "
    f"[{_ELSE}]",
    "if <condition> [then | ,] [set | make] <newname> (to | = | is | should be | be | as) "
    f"<branch> [{_ELSE}]",
    "(classify | categorize | label | mark | flag | tag) [row | record | them | every row | "
    f"<rownoun>] as <cases> [{_ELSE}] (in | %called) [{_COLUMN}] <newname>",
)
def conditional(
    newname: str, cases: Cases = (), condition: Condition | None = None, branch: Term | None = None,
    other: Term | None = None, rownoun: str = "",
) -> Action:  # fmt: skip
    known = cases or (((condition, branch),) if condition and branch else ())
    return lambda draft: _case(draft, newname, known, other)


def _case(draft: Draft, name: str, cases: Cases, other: Term | None) -> str:
    pairs = [(condition.sql(draft), branch) for condition, branch in cases]
    pairs = [(condition.sql(draft), branch) for condition, branch in cases]
    types = {branch.type for _, branch in pairs} | ({other.type} if other else set())
    kind = types.pop() if len(types) == 1 else "VARCHAR"
    ending = _cast(draft, other, kind) if other else _ending(draft, name, pairs, kind)
    whens = " ".join(f"WHEN {test} THEN {_cast(draft, branch, kind)}" for test, branch in pairs)
    value = f"CASE {whens} ELSE {ending} END"
    existing = next(
        (known for known in draft.view.names if known.casefold() == name.casefold()), name
    )
    draft.derive({existing: value}, {existing: kind}, f"with_{existing}".lower())
    return f"{existing} = {value}"


def _cast(draft: Draft, term: Term, kind: str) -> str:
    value = term.sql(draft)
    return value if term.type == kind or value == "NULL" else f"CAST({value} AS {kind})"


def _ending(draft: Draft, name: str, pairs: list[tuple[str, Term]], kind: str) -> str:
    known = draft.view.find(name)
    if kind == "BOOLEAN" and len(pairs) == 1:
        return "false" if pairs[0][1].sql(draft) == "true" else "true"
    options = [("empty", "left empty")]
    if known is not None and known.type == kind:
        options.insert(0, ("keep", f"keep {name} as it is"))
    chosen = draft.choose(
        f"otherwise_{name}",
        INCOMPLETE,
        f"What is {name} where no condition holds?",
        options,
        default=options[0][0],
        evidence="the request says nothing of the other rows",
    )
    return ident(name) if chosen == "keep" else "NULL"


@RULES.rule(
    "clause",
    "(flag | mark | tag) [every] [<rownoun> | ones | those] %that <condition> %called "
    f"[{_COLUMN}] <newname>",
    f"%derive {_NAMED} (flag | indicator | marker) %that <condition>",
    f"%derive [%new] [boolean | true false | yes no] (flag | indicator) [{_COLUMN}] %called "
    "<newname> [for <rownoun>] [%that] <condition>",
    f"%derive {_NAMED} (telling | showing | saying | indicating | to show | that tells | that "
    "says | that shows) (whether | if) <condition>",
    "(flag | mark | tag) [<rownoun> | ones | those] [%that] <condition> %called <newname>",
)
def flag(newname: str, condition: Condition, rownoun: str = "") -> Action:
    def action(draft: Draft) -> str:
        value = f"coalesce({condition.sql(draft)}, false)"
        draft.derive({newname: value}, {newname: "BOOLEAN"}, f"with_{newname}".lower())
        return f"{newname} = {value}"

    return action


@RULES.rule(
    "clause",
    "(set | change | update | make) <col> (to | = | equal to) <branch> (where | when | if | for "
    "row where | for row with | for <rownoun> %that) <condition>",
)
def set_where(col: str, branch: Term, condition: Condition, rownoun: str = "") -> Action:
    def action(draft: Draft) -> str:
        if column(draft, col).kind == "number" and branch.type == "DOUBLE":
            as_number(draft, col)
        test = condition.sql(draft)
        kind = column(draft, col).type
        value = f"CASE WHEN {test} THEN {_cast(draft, branch, kind)} ELSE {ident(col)} END"
        draft.derive({col: value}, {col: kind}, f"with_{col}".lower())
        return f"{col} = {value}"

    return action


@RULES.rule(
    "clause",
    "(bin | bucket | band | group) <numcol> (into | in) (band | bin | bucket | group | range | "
    "step | interval) of <number> [%called <newname>]",
    "%derive [%new] (band | bin | bucket | range) of <number> (for | from | of) <numcol> [%called "
    "<newname>]",
)
def bands(numcol: str, number: str, newname: str = "") -> Action:
    def action(draft: Draft) -> str:
        value = as_number(draft, numcol)
        chosen = draft.choose(
            f"bounds_{numcol}",
            BOUNDARY,
            f"Where does a {numcol} on the bound between two bands go?",
            [("upper", "into the upper band"), ("lower", "into the lower band")],
            default="upper",
            evidence=f"bands of {number} share their bounds",
        )
        low = f"floor({value} / {number}) * {number}"
        if chosen == "lower":
            low = f"(ceil({value} / {number}) - 1) * {number}"
        start, end = f"CAST({low} AS BIGINT)", f"CAST({low} + {number} AS BIGINT)"
        text = f"CAST({start} AS VARCHAR) || '-' || CAST({end} AS VARCHAR)"
        return derived(draft, newname or f"{numcol}_band", Term(lambda _: text, "VARCHAR"))

    return action
