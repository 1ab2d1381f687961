"""Remove duplicates: whole rows, or by key keeping the latest, first, last or highest."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from collections.abc import Iterator
from dataclasses import replace

from prepwright.planner.language.grammar import RULES, Match, Reader
from prepwright.planner.language.word_classes import CLASSES
from prepwright.planner.outcome import INCONSISTENT, IRREGULARITY
from prepwright.planner.phrases.date_conditions import only_date
from prepwright.planner.steps.draft import Draft, ident
from prepwright.planner.steps.duplicates import keep_one, spelt_twice
from prepwright.planner.steps.meaning import Action
from prepwright.planner.steps.typing import as_date, as_number, column

_ROWS = "(<rownoun> | entries | one | version | occurrence | data)"


@RULES.term("which")
def which(reader: Reader, at: int) -> Iterator[Match]:
    for name in ("latest", "earliest", "highest", "lowest"):
        for end, cost, _ in reader.phrases(CLASSES[name], at):
            yield Match(end, name, cost)
    for end, cost, _ in reader.phrases(("first",), at):
        yield Match(end, "first", cost)
    for end, cost, _ in reader.phrases(("last",), at):
        yield Match(end, "last", cost)


Keeper = tuple[str, str]


@RULES.rule(
    "keeper",
    f"<which> [<col>] [{_ROWS}] [by <by:col>]",
    f"{_ROWS} with [the] <which> <col>",
    f"<which> {_ROWS} by <col>",
    "<col> (that is | being) <which>",
)
def keeper(which: str, col: str = "", rownoun: str = "", by: str = "") -> Keeper | None:
    if col and by:
        return None
    if which in ("highest", "lowest") and not (col or by):
        return None
    return (which, col or by)


def _order(draft: Draft, keeper: Keeper) -> list[str]:
    which, name = keeper
    if which == "first" and not name:
        return []
    if which in ("latest", "earliest") or (name and column(draft, name).kind == "date"):
        value = as_date(draft, name or only_date(draft))
    elif which == "last" and not name:
        return []
    else:
        value = as_number(draft, name)
    return [f"{value} DESC" if which in ("latest", "highest", "last") else value]


def deduplicated(draft: Draft, keys: tuple[str, ...], keeper: Keeper | None) -> str:
    """Add the step that leaves one row of each key."""
    known = keeper or (_which_counts(draft, keys) if keys else ("first", ""))
    order = _order(draft, known)
    loose = tuple(name for name in keys if _same_in_any_case(draft, name))
    keep = "last" if known == ("last", "") else "first"
    hint = f"{draft.view.name}_deduplicated"
    if order and known[0] in _ENDS and _ties_stay(draft, known, keys):
        return _all_of(draft, keys, order[0], hint, known[0])
    keep_one(draft, keys, order, loose=bool(loose), hint=hint, keep=keep)
    draft.replace_view(replace(draft.view, deduped=True))
    what = ", ".join(keys) if keys else "whole row"
    return f"one row for each {what}" + (f", the {known[0]}" if keys else "")


_ENDS = ("latest", "earliest", "highest", "lowest")


def _ties_stay(draft: Draft, keeper: Keeper, keys: tuple[str, ...]) -> bool:
    if not keys:
        return False
    which, name = keeper
    chosen = draft.choose(
        f"ties_{'_'.join(keys)}",
        INCONSISTENT,
        f"If rows of one {' and '.join(keys)} share the {which} {name or 'date'}, which stay?",
        [("first", "the first in the file"), ("all", "all of them")],
        default="first",
        evidence=f"rows may share the {which} {name or 'date'}",
    )
    return chosen == "all"


def _all_of(draft: Draft, keys: tuple[str, ...], order: str, hint: str, which: str) -> str:
    part = ", ".join(ident(name) for name in keys)
    where = f"rank() OVER (PARTITION BY {part} ORDER BY {order}) = 1"
    draft.step("filter", hint, draft.view.columns, where=where)
    return f"of each {', '.join(keys)} the {which}, every row that shares it"


def _which_counts(draft: Draft, keys: tuple[str, ...]) -> Keeper:
    date = next((col.name for col in draft.view.columns if col.kind == "date"), "")
    options = [("first", "the first in the file"), ("last", "the last in the file")]
    if date and date not in keys:
        options.append(("latest", f"the latest by {date}"))
    chosen = draft.choose(
        "keep_" + "_".join(keys),
        INCONSISTENT,
        f"Of the rows with the same {' and '.join(keys)}, which one stays?",
        options,
        default="first",
        evidence="the request does not say",
    )
    return (chosen, date if chosen == "latest" else "")


def _same_in_any_case(draft: Draft, name: str) -> bool:
    col = column(draft, name)
    if col.type != "VARCHAR" or not (twice := spelt_twice(col)):
        return False
    chosen = draft.choose(
        f"same_{name}",
        IRREGULARITY,
        f"Is {' and '.join(twice[0])} the same {name}?",
        [("yes", "yes, ignore case and spaces"), ("no", "no")],
        default="yes",
        evidence=f"{len(twice)} values of {name} differ only in case or spaces",
    )
    return chosen == "yes"


_KEEPING = (
    "[, | and | by | ;] [(keep | keeping | retain | retaining | leaving | take) [only] "
    "<keeper> [for each | per | of each | for every]]"
)
_DUPES = (
    "(duplicate | duplicated | repeated | redundant | exact duplicate | identical | fully "
    "duplicated)"
)


@RULES.rule(
    "clause",
    f"%drop [any | every] [exact | complete | full] {_DUPES} [<rownoun> | entries | data] [from "
    "[data | table | result]]",
    "%dedup [<rownoun> | data | table | it | them | everything | result | dataset]",
    "%keep [only] (unique | distinct) (<rownoun> | entries)",
)
def drop_duplicates(rownoun: str = "") -> Action:
    return lambda draft: deduplicated(draft, (), None)


@RULES.rule(
    "clause",
    f"%drop [any | every] {_DUPES} [<rownoun> | entries | data] (by | based on | on | per | for | "
    "of | for each | in | with the same | sharing | having the same | that have the same | for "
    f"the same) <cols> {_KEEPING}",
    f"%drop [any | every] {_DUPES} <cols> [<rownoun> | entries | value] {_KEEPING}",
    f"%drop [any | every] {_DUPES} [<rownoun> | entries] (with | that have | that share | "
    f"sharing) [the | same] <cols> {_KEEPING}",
    "%dedup [<rownoun> | data | table | it | them | entries] (by | on | based on | per | using | "
    f"with) <cols> {_KEEPING}",
    f"%dedup <cols> {_KEEPING}",
    "(%keep | keep only | leave) [only] (unique | distinct) <cols>",
    f"%keep [only] one {_ROWS} (per | for each | for every | by) <cols> {_KEEPING}",
    f"one {_ROWS} (per | for each | for every) <cols> {_KEEPING}",
    f"make sure there is only one {_ROWS} (per | for each) <cols> {_KEEPING}",
)
def drop_duplicates_by(
    cols: tuple[str, ...], keeper: Keeper | None = None, rownoun: str = ""
) -> Action:
    return lambda draft: deduplicated(draft, cols, keeper)


@RULES.rule(
    "clause",
    "%keep [only] <keeper> (per | for each | for every | of each | of every | by | in each | "
    "within each) <cols> [(by | based on | according to) <ordered:col>]",
    "for (each | every) <cols> [,] %keep [only] <keeper>",
    "%keep (each | every) <cols> <keeper>",
    "(per | by) <cols> [,] %keep [only] <keeper>",
    "if [there are] [a | an] <cols> (appears | occurs | is there) (twice | more than once | "
    "several times) [,] keep [only] <keeper>",
    f"if there are several {_ROWS} (per | for [a | one | the same] | of) <cols> [,] keep [only] "
    "<keeper>",
)
def keep_per(
    cols: tuple[str, ...], keeper: Keeper, rownoun: str = "", ordered: str = ""
) -> Action | None:
    if ordered and keeper[1]:
        return None
    known = (keeper[0], ordered) if ordered else keeper
    return lambda draft: deduplicated(draft, cols, known)


@RULES.rule(
    "clause",
    f"%drop [any | every] {_DUPES} [<rownoun> | entries] [, | and | by] (keep | keeping | "
    "retaining) [only] <keeper>",
    cost=0.1,
)
def drop_duplicates_keep(keeper: Keeper, rownoun: str = "") -> Action:
    return lambda draft: deduplicated(draft, (), keeper)
