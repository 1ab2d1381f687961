"""Replace values and parts of texts: `replace Ind. with Industry`, `remove punctuation`."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from prepwright.planner.facts.columns import Col
from prepwright.planner.language.grammar import RULES
from prepwright.planner.language.grounding import Value
from prepwright.planner.outcome import REFERENCE
from prepwright.planner.phrases.normalize import rewrite
from prepwright.planner.steps.draft import Draft, Refusal, ident, literal
from prepwright.planner.steps.meaning import Action
from prepwright.planner.steps.spelling import renamed
from prepwright.planner.steps.typing import as_text, column


@RULES.rule(
    "replacement",
    "<values> (with | by | to | into | -> | as | for) <free>",
)
def replacement(values: tuple[Value, ...], free: str) -> tuple[tuple[Value, ...], str]:
    return (values, free)


@RULES.rule(
    "clause",
    "(replace | change | rename | recode | map | turn | convert | correct | swap | rewrite | "
    "update | translate | fix) [every | all] [occurrence of | value] <replacement> [(in | for | "
    "of | within) <cols>]",
    "(replace | change | recode | map | correct | update) [every | all] [occurrence of | value] "
    "<replacement> and <second:replacement> [(in | for | of | within) <cols>]",
    "in <cols> [,] (replace | change | recode | map | correct) <replacement> [and "
    "<second:replacement>]",
    "(replace | change | recode | map | correct) <cols> <replacement>",
    cost=0.04,
)
def replace_values(
    replacement: tuple[tuple[Value, ...], str],
    cols: tuple[str, ...] = (),
    second: tuple[tuple[Value, ...], str] | None = None,
) -> Action:
    def action(draft: Draft) -> str:
        said = (
            [
                _replaced(draft, values, free, cols)
                for values, free in (replacement, second)
                if values
            ]
            if second
            else [_replaced(draft, replacement[0], replacement[1], cols)]
        )
        return "; ".join(said)

    return action


def _replaced(draft: Draft, values: tuple[Value, ...], free: str, cols: tuple[str, ...]) -> str:
    names = list(cols) or _holding(draft, values)
    said: list[str] = []
    for name in names:
        col = column(draft, name)
        texts = [text for value in values for text in value.texts_in(name)]
        parts = [value for value in values if not value.texts_in(name)]
        if parts:
            said.append(_part_replaced(draft, col, parts, free))
        if texts:
            items = ", ".join(literal(text) for text in dict.fromkeys(texts))
            value = (
                f"CASE WHEN {ident(name)} IN ({items}) THEN {literal(free)} ELSE {ident(name)} END"
            )
            draft.derive({name: value}, {name: "VARCHAR"}, f"{name}_replaced".lower())
            if col.facts is not None:
                draft.with_facts(name, renamed(col.facts, dict.fromkeys(texts, free)))
            said.append(f"{name}: {', '.join(texts)} → {free}")
    return "; ".join(said)


def _part_replaced(draft: Draft, col: Col, parts: list[Value], free: str) -> str:
    form = as_text(draft, col.name)
    for part in parts:
        if not part.quoted or not any(part.text in text for text in col.texts):
            raise Refusal(f"{col.name} holds no {part.text!r}")
        form = f"replace({form}, {literal(part.text)}, {literal(free)})"
    draft.derive({col.name: form}, {col.name: "VARCHAR"}, f"{col.name}_replaced".lower())
    if col.facts is not None:
        changed = {text: _all_replaced(text, parts, free) for text in col.facts.counts}
        draft.with_facts(col.name, renamed(col.facts, changed))
    return f"{col.name}: {', '.join(repr(part.text) for part in parts)} → {free!r}"


def _all_replaced(text: str, parts: list[Value], free: str) -> str:
    for part in parts:
        text = text.replace(part.text, free)
    return text


def _holding(draft: Draft, values: tuple[Value, ...]) -> list[str]:
    found = [name for name in values[0].texts if all(name in value.texts for value in values)]
    if not found:
        raise Refusal(f"no column holds {' and '.join(repr(value.text) for value in values)}")
    if len(found) == 1:
        return found
    options = [("all", "in every column that holds it"), *((name, f"in {name}") for name in found)]
    chosen = draft.choose(
        "replace_in_" + "_".join(values[0].text.lower().split()),
        REFERENCE,
        f"In which column is {values[0].text!r} replaced?",
        options,
        default="all",
        evidence=f"{len(found)} columns hold it",
    )
    return found if chosen == "all" else [chosen]


@RULES.rule(
    "clause",
    "%drop [every | any] (punctuation | special character | non alphanumeric character | symbol) "
    "(from | in) <cols>",
)
def drop_punctuation(cols: tuple[str, ...]) -> Action:
    return lambda draft: rewrite(
        draft, cols, r"regexp_replace({}, '[^\w\s]', '', 'g')", f"{cols[0]}_plain"
    )


@RULES.rule(
    "clause",
    "%drop [every | any] (digit | number) from <cols>",
)
def drop_digits(cols: tuple[str, ...]) -> Action:
    return lambda draft: rewrite(
        draft, cols, "regexp_replace({}, '[0-9]', '', 'g')", f"{cols[0]}_plain"
    )


@RULES.rule(
    "clause",
    "(keep | leave) only [the] (digit | number) (of | in | from) <cols>",
    "%drop [every] non (digit | numeric character | digit character | numeric) (from | in) <cols>",
    "%drop everything (but | except) [the] digit (from | in) <cols>",
)
def only_digits(cols: tuple[str, ...]) -> Action:
    return lambda draft: rewrite(draft, cols, "nullif(digits({}), '')", f"{cols[0]}_digits")


@RULES.rule(
    "clause",
    "%drop [every] [text | word | prefix | suffix | string | character] <quoted> (from | in) "
    "<cols>",
    "strip <quoted> from <cols>",
)
def drop_text(quoted: str, cols: tuple[str, ...]) -> Action:
    def action(draft: Draft) -> str:
        for name in cols:
            if not any(quoted in text for text in column(draft, name).texts):
                raise Refusal(f"{name} holds no {quoted!r}")
        return rewrite(draft, cols, f"replace({{}}, {literal(quoted)}, '')", f"{cols[0]}_plain")

    return action
