"""Conditions on texts: `track is Research or Demo`, `name starts with A`, `from Berlin`."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from collections.abc import Iterable

from prepwright.planner.language.grammar import RULES
from prepwright.planner.language.grounding import Value
from prepwright.planner.outcome import REFERENCE, ROW_CONCEPT
from prepwright.planner.steps.draft import Draft, Refusal, ident, literal
from prepwright.planner.steps.meaning import Condition, TailCondition
from prepwright.planner.steps.spelling import spelt_alike
from prepwright.planner.steps.typing import as_text, column

_TEXTUAL = {"contains": "contains", "starts": "starts_with", "ends": "ends_with"}


def _textual(col: str, textual: str, free: str, *, negated: bool) -> Condition:
    def sql(draft: Draft) -> str:
        text = as_text(draft, col)
        if _case_matters(draft, col, textual, free):
            test = f"{_TEXTUAL[textual]}({text}, {literal(free)})"
        else:
            test = f"{_TEXTUAL[textual]}(lower({text}), {literal(free.lower())})"
        return f"NOT coalesce({test}, false)" if negated else test

    return Condition(sql, col)


def _case_matters(draft: Draft, col: str, textual: str, free: str) -> bool:
    tests = {"contains": str.__contains__, "starts": str.startswith, "ends": str.endswith}
    test = tests[textual]
    facts = column(draft, col).facts
    if facts is None:
        return False
    loose = [text for text in facts.counts if test(text.lower(), free.lower())]
    strict = [text for text in loose if test(text, free)]
    if len(loose) == len(strict):
        return bool(strict)
    chosen = draft.choose(
        f"case_{col}",
        ROW_CONCEPT,
        f"Does upper or lower case count when {col} is searched for {free!r}?",
        [("ignore", "any case"), ("exact", "exactly as written")],
        default="ignore",
        evidence=f"{facts.touched(tuple(loose)):,} rows match in any case, "
        f"{facts.touched(tuple(strict)):,} as written",
    )
    return chosen == "exact"


@RULES.rule("atom", "<col> [that | which | to] <textual> [word | text | string | letter] <free>")
def textual(col: str, textual: str, free: str) -> Condition:
    return _textual(col, textual, free, negated=False)


@RULES.rule(
    "atom",
    "<col> (does not | do not | doesn't | don't | not | did not) <textual> [word | text | string "
    "| letter] <free>",
)
def not_textual(col: str, textual: str, free: str) -> Condition:
    return _textual(col, textual, free, negated=True)


def one_of(col: str, values: Iterable[Value], *, negated: bool = False) -> Condition | None:
    """Return the condition that a column is one of some values; None when it has no such value."""
    wanted = tuple(values)
    if any(not value.quoted and not value.texts_in(col) for value in wanted):
        return None

    def sql(draft: Draft) -> str:
        known = column(draft, col).texts
        texts: list[str] = []
        for value in wanted:
            found = [text for text in value.texts_in(col) if text in known]
            exact = [text for text in found if text == value.text]
            alike = spelt_alike(draft, col, exact or found[:1] or [value.text])
            texts += [text for text in alike if text not in texts]
        items = ", ".join(literal(text) for text in texts)
        test = (
            f"{as_text(draft, col)} = {items}"
            if len(texts) == 1
            else f"{as_text(draft, col)} IN ({items})"
        )
        return f"NOT coalesce({test}, false)" if negated else test

    return Condition(sql, col)


@RULES.rule(
    "atom",
    "<col> %be [one of | either | in | any of | among | set to | marked as | marked] <values>",
    "<col> [%be] (one of | either | in | any of | among | of) [%open] <values> [%close]",
    "<col> <values>",
    "<values> (in | as | for) <col>",
)
def is_value(col: str, values: tuple[Value, ...]) -> Condition | None:
    return one_of(col, values)


@RULES.rule(
    "atom",
    "<col> %isnt [one of | either | in | any of] <values>",
    "<col> (not in | not one of | not | other than | neither | anything other than) <values>",
    "<col> %be (neither | none of | anything other than | anything but) <values>",
)
def is_not_value(col: str, values: tuple[Value, ...]) -> Condition | None:
    return one_of(col, values, negated=True)


@RULES.rule("atom", "(in | from | for | of | on | at | by | to) <values>", "<values>", cost=0.3)
def bare_value(values: tuple[Value, ...]) -> Condition | None:
    shared = set(values[0].texts)
    for value in values[1:]:
        shared &= set(value.texts)
    columns = [name for name in values[0].texts if name in shared]
    if not columns:
        return None

    def sql(draft: Draft) -> str:
        name = columns[0]
        if len(columns) > 1:
            name = draft.choose(
                "column_of_" + "_".join(values[0].text.lower().split()),
                REFERENCE,
                f"In which column must {values[0].text!r} stand?",
                [(one, one) for one in columns],
                default=columns[0],
                evidence=f"{len(columns)} columns hold it",
            )
        made = one_of(name, values)
        if made is None:
            raise Refusal(f"{name} holds no {values[0].text!r}")
        return made.sql(draft)

    return Condition(sql, columns[0])


@RULES.rule("tail", "%be [one of | either] <values>", "<values>", cost=0.1)
def value_tail(values: tuple[Value, ...]) -> TailCondition:
    return lambda col: one_of(col, values)


@RULES.rule("atom", "<col> %be true", "<col> %be yes")
def is_true(col: str) -> Condition | None:
    return Condition(lambda draft: _boolean(draft, col, "true"), col)


@RULES.rule("atom", "<col> %be false", "<col> %be no")
def is_false(col: str) -> Condition | None:
    return Condition(lambda draft: _boolean(draft, col, "false"), col)


def _boolean(draft: Draft, col: str, meaning: str) -> str:
    known = column(draft, col)
    if known.kind == "boolean":
        return f"{ident(col)} = {meaning}"
    words = ("true", "yes", "y") if meaning == "true" else ("false", "no", "n")
    texts = [text for text in known.texts if text.strip().casefold() in words]
    if not texts:
        raise Refusal(f"{col} holds no {meaning}")
    return f"{ident(col)} IN ({', '.join(literal(text) for text in texts)})"
