"""Choose, drop, order and rename columns."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from dataclasses import replace

from prepwright.planner.language.grammar import RULES
from prepwright.planner.language.terms import listing
from prepwright.planner.steps.aligning import rename as renamed
from prepwright.planner.steps.draft import Draft, Refusal
from prepwright.planner.steps.meaning import Action


@RULES.rule(
    "clause",
    "%keep [only] [column] <cols> [column]",
    "%keep [only] [column] : <cols>",
    "%keep [only] <cols> (from | in | of) [data | table | result]",
    "only [keep | the] [column] <cols>",
    "(drop | remove | delete) [every] [other] column (except | but | apart from | other than) "
    "[for] "
    "<cols>",
    "(drop | remove | delete) (everything | all) (except | but | apart from) [for] [column] <cols>",
    "(output | return | show | result with) [only] [column] <cols>",
    "(order | reorder | arrange) [the] column (as | to | in order | so) [follow] [:] <cols>",
    "[final | output] column [should be | are] : <cols>",
    cost=0.1,
)
def select(cols: tuple[str, ...]) -> Action:
    def action(draft: Draft) -> str:
        columns = [col for name in cols if (col := draft.view.find(name))]
        draft.step("project", f"{draft.view.name}_chosen", columns, columns=list(cols))
        return f"only {', '.join(cols)}"

    return action


@RULES.rule(
    "clause",
    "%drop [column] <cols> [column] [from [data | table | result]]",
    "(do not | don't) (keep | include | need) [column] <cols> [column]",
    cost=0.1,
)
def drop_columns(cols: tuple[str, ...]) -> Action:
    def action(draft: Draft) -> str:
        left = [col for col in draft.view.columns if col.name not in cols]
        if not left:
            raise Refusal("no column would be left")
        draft.step("project", f"{draft.view.name}_slim", left, others=True, drop=list(cols))
        return f"without {', '.join(cols)}"

    return action


@RULES.rule(
    "renaming", "[column] <old:col> [column] (to | as | into | -> | = | becomes | be) <newname>"
)
def renaming(old: str, newname: str) -> tuple[str, str]:
    return (old, newname)


RULES.term("renamings")(listing("renaming", (", and", ",", "and", "; ", "and also")))


@RULES.rule(
    "clause",
    "(rename | relabel | retitle | call | change the name of | name) [column] <renamings> [column]",
    "(change | set) [the] (name | header | heading | title) of [column] <renamings>",
    "rename [the] column : <renamings>",
)
def rename(renamings: tuple[tuple[str, str], ...]) -> Action:
    def action(draft: Draft) -> str:
        changed = {old: new for old, new in renamings if old != new}
        for old in changed:
            if draft.view.find(old) is None:
                raise Refusal(f"no column {old!r} at this point")
        renamed(draft, draft.view.name, changed)
        return ", ".join(f"{old}→{new}" for old, new in changed.items())

    return action


@RULES.rule("clause", "(call | name) <col> <newname>", cost=0.1)
def call(col: str, newname: str) -> Action:
    return rename(renamings=((col, newname),))


@RULES.rule(
    "clause",
    "(reorder | order | arrange) [the] column (so that | so | such that) <cols> (comes | come | "
    "is | are) "
    "first",
    "(put | move | place) <cols> (first | at the front | to the front | at the beginning | to the "
    "start | at the start)",
)
def move_first(cols: tuple[str, ...]) -> Action:
    def action(draft: Draft) -> str:
        order = [*cols, *(name for name in draft.view.names if name not in cols)]
        columns = [col for name in order if (col := draft.view.find(name))]
        draft.step("project", f"{draft.view.name}_ordered", columns, columns=order)
        return f"{', '.join(cols)} first"

    return action


@RULES.rule(
    "clause",
    "(convert | change | make | turn | put | normalize | rename | format) [every] (column name | "
    "header | column header | column heading | field name) [to | into | in | as] <headerstyle>",
    "(convert | change | make | rename | put) [every] column (to | into | in) <headerstyle>",
    "<headerstyle> [every] (column name | header | column header | field name)",
)
def restyle(headerstyle: str) -> Action:
    def action(draft: Draft) -> str:
        changed = {name: _styled(name, headerstyle) for name in draft.view.names}
        changed = {old: new for old, new in changed.items() if old != new}
        if changed:
            renamed(draft, draft.view.name, changed)
        return ", ".join(f"{old}→{new}" for old, new in changed.items()) or "they are already"

    return action


def _styled(name: str, style: str) -> str:
    from prepwright.planner.language.tokens import name_words

    words = name_words(name) or (name,)
    forms = {
        "snake": "_".join(words),
        "lower": name.lower(),
        "upper": name.upper(),
        "title": " ".join(word.capitalize() for word in words),
    }
    return forms[style]


@RULES.rule("headerstyle", "snake case", "snakecase")
def snake() -> str:
    return "snake"


@RULES.rule("headerstyle", "<case>")
def cased(case: str) -> str:
    return case


@RULES.rule(
    "clause",
    "(drop | remove | delete) [any | every] (%missing | entirely %missing | completely %missing) "
    "column",
    "(drop | remove | delete) [any | every] column (%that | which) [%be] [entirely | completely | "
    "all | only] %missing [value]",
)
def drop_empty_columns() -> Action:
    def action(draft: Draft) -> str:
        empty = [
            col.name
            for col in draft.view.columns
            if col.facts and col.type == "VARCHAR" and not any(t.strip() for t in col.facts.counts)
        ]
        if not empty:
            return "no column is empty"
        left = [col for col in draft.view.columns if col.name not in empty]
        draft.step("project", f"{draft.view.name}_slim", left, others=True, drop=empty)
        return f"without {', '.join(empty)}"

    return action


@RULES.rule(
    "clause",
    "(save | export | write | output | store) [%result | <rownoun> | table] (as | to | in | into "
    "| under) [file | a file] [called | named] <filename>",
    "(call | name) [the] (output | result | file | output file) <filename>",
    "<filename> [:]",
    "save (as | to) <filename>",
    "(create | produce) [an] (output | file) [called | named] <filename>",
)
def save(filename: str, rownoun: str = "") -> Action:
    def action(draft: Draft) -> str:
        name = filename if "." in filename else f"{filename}.csv"
        if any(
            step.get("name") == name for step in draft.state.steps if step["operator"] == "output"
        ):
            raise Refusal(f"{name} is written already: choose another name")
        draft.add("output", name.rsplit(".", 1)[0], {"input": draft.view.step, "name": name})
        draft.replace_view(replace(draft.view, saved=True))
        return f"written to {name}"

    return action
