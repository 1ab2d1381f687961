"""Make the texts of a column alike: dates, numbers, case, spaces, spellings, replaced values."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

import re
from collections.abc import Callable

from prepwright.planner.language.grammar import RULES
from prepwright.planner.phrases.date_format import targets
from prepwright.planner.steps.draft import Draft, Refusal
from prepwright.planner.steps.meaning import Action
from prepwright.planner.steps.spelling import renamed, unify
from prepwright.planner.steps.typing import as_text, column, date_column, number_column

_CASES = {"upper": "upper({})", "lower": "lower({})", "title": "title_case({})"}


@RULES.rule(
    "clause",
    "(convert | parse | turn | cast | change | normalize | make | clean | clean up | fix) <cols> "
    "[column] (to | into | as) [a] (number | numeric | numeric value | float | decimal | integer "
    "| number type | proper number | real number | whole number | numeric type | numeric data "
    "type)",
    "(convert | change | set | cast) [the] [data] type of <cols> (to | as) [a] (number | numeric | "
    "integer | float | decimal | whole number)",
    "%drop (£ | $ | € | % | ,) [sign | symbol] (from | in) <cols>",
    "(make | treat) <cols> [as] (numeric | number)",
    "(parse | clean | clean up | normalize | convert) [every] number (in | of) <cols>",
    "%drop (currency symbol | currency sign | currency | thousands separator | thousand separator "
    "| comma | dollar sign | pound sign | euro sign | currency symbol and comma | percent sign) "
    "(from | in) <cols>",
    "%drop (currency symbol | currency sign | thousands separator | comma) and (currency symbol | "
    "currency sign | thousands separator | comma) (from | in) <cols>",
)
def to_numbers(cols: tuple[str, ...]) -> Action:
    def action(draft: Draft) -> str:
        for name in cols:
            number_column(draft, name)
        return f"{', '.join(cols)} as numbers"

    return action


@RULES.rule(
    "clause",
    "(convert | turn | cast | change) <cols> [column] (to | into | as) (text | string | text "
    "column)",
)
def to_text(cols: tuple[str, ...]) -> Action:
    def action(draft: Draft) -> str:
        values = {
            name: as_text(draft, name) for name in cols if column(draft, name).type != "VARCHAR"
        }
        if values:
            draft.derive(values, dict.fromkeys(values, "VARCHAR"), "as_text")
        return f"{', '.join(cols)} as text"

    return action


def rewrite(draft: Draft, names: tuple[str, ...], form: str, hint: str) -> str:
    """Add the step that rewrites text columns by one expression."""
    values = {name: form.format(as_text(draft, name)) for name in names}
    draft.derive(values, dict.fromkeys(values, "VARCHAR"), hint)
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def _titled(text: str) -> str:
    return " ".join(word[:1].upper() + word[1:].lower() for word in text.split(" "))


def _squeezed(text: str) -> str:
    return " ".join(text.split())


_PYTHON: dict[str, Callable[[str], str]] = {
    "upper": str.upper,
    "lower": str.lower,
    "title": _titled,
    "squeeze": _squeezed,
    "trim": str.strip,
}
_SPACES = {
    "squeeze": "squeeze({})",
    "trim": r"regexp_replace({}, '^[\s\x{{a0}}]+|[\s\x{{a0}}]+$', '', 'g')",
}
_WITHIN = re.compile(
    r"\b(squeeze|collapse|extra|double|multiple|repeated|stray|unnecessary|clean|fix|remove"
    r"|delete|drop)\b"
)
"""Words that ask for single blanks between words as well; others speak of the ends alone."""


def _rewritten(draft: Draft, names: tuple[str, ...], form: str, how: str) -> str:
    before = {name: column(draft, name).facts for name in names}
    said = rewrite(draft, names, form, f"{names[0]}_{how}".lower())
    for name, facts in before.items():
        if facts is not None:
            changed = {text: _PYTHON[how](text) for text in facts.counts}
            draft.with_facts(name, renamed(facts, changed))
    return said


_CONVERT = "(convert | change | turn | put | set | make | normalize | format | transform | write)"


@RULES.rule(
    "clause",
    f"{_CONVERT} <cols> [column] [to | into | in | as] <case>",
    "<case> <cols>",
    f"{_CONVERT} [the] case of <cols> [to | into] <case>",
    "(capitalize | capitalise) <cols>",
    "(use | apply) <case> (for | in | to | on) <cols>",
    f"{_CONVERT} [every] text [column] [to | into | in] <case>",
)
def change_case(cols: tuple[str, ...] = (), case: str = "title") -> Action:
    def action(draft: Draft) -> str:
        names = tuple(targets(draft, cols, "text"))
        return _rewritten(draft, names, _CASES[case], case)

    return action


@RULES.rule(
    "clause",
    "%trim %spaces [(from | in | around | of | off) <cols>]",
    "(trim | strip | squeeze) <cols>",
    "(trim | strip | squeeze) [every] (text | text column | string | string column | text field | "
    "column | cell | value)",
    "%trim %spaces (from | in | around | of | off) [every] (text | text column | string | string "
    "column | text field | column | cell | value)",
    "%trim [leading and trailing | leading | trailing | extra] %spaces [(from | in | of) [every] "
    "[text] (column | field | cell | value)]",
    cost=0.02,
)
def trim(cols: tuple[str, ...] = ()) -> Action:
    def action(draft: Draft) -> str:
        names = cols or tuple(
            col.name for col in draft.view.columns if col.type == "VARCHAR" and col.kind == "text"
        )
        if not names:
            raise Refusal(f"no column of {draft.view.name} holds text")
        within = _WITHIN.search(draft.request[slice(*draft.span)].casefold())
        how = "squeeze" if within else "trim"
        return _rewritten(draft, tuple(names), _SPACES[how], how)

    return action


@RULES.rule(
    "clause",
    "(normalize | unify | harmonize | standardize | clean | clean up | fix | make consistent | "
    "correct) [(spelling | abbreviation | value | variant | spelling variant | inconsistent "
    "spelling | inconsistent value | capitalization) (of | in | for)] <cols>",
    "(expand | resolve | spell out) [every] abbreviation [in | of] [<cols>]",
    "(normalize | unify | fix | clean up | clean | harmonize) [every] (abbreviation | spelling | "
    "spelling variant)",
    "make [the] (spelling | value) of <cols> consistent",
    "make <cols> consistent",
    cost=0.05,
)
def unify_spelling(cols: tuple[str, ...] = ()) -> Action:
    def action(draft: Draft) -> str:
        names = cols or tuple(col.name for col in draft.view.columns if col.kind == "text")
        said: list[str] = []
        for name in names:
            kind = column(draft, name).kind
            if kind == "date":
                said.append(f"{date_column(draft, name)} as dates")
            elif kind == "number":
                said.append(f"{number_column(draft, name)} as numbers")
            elif found := unify(draft, name, asked=True):
                said.append(f"{name}: {found}")
        if not said:
            raise Refusal(
                f"{', '.join(names)}: no two values are spellings of one; say which is replaced "
                "by which"
            )
        return "; ".join(said)

    return action
