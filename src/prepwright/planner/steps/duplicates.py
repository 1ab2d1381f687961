"""Find what is in a table twice, and keep the one that counts."""

from prepwright.planner.facts.columns import Col, Facts
from prepwright.planner.outcome import INCONSISTENT
from prepwright.planner.steps.draft import Draft, ident
from prepwright.planner.steps.spelling import folded
from prepwright.planner.steps.typing import as_date

_NEARLY_UNIQUE = 0.8
_ALONE = "row_without_key"


def spelt_twice(col: Col) -> tuple[tuple[str, ...], ...]:
    """Return the groups of texts of a column that differ only in case or spaces."""
    groups: dict[str, list[str]] = {}
    for text in col.texts:
        groups.setdefault(folded(text), []).append(text)
    return tuple(tuple(texts) for texts in groups.values() if len(texts) > 1)


def settle_entities(draft: Draft, keys: tuple[str, ...]) -> str:
    """Before rows are summed up: one thing with two records counts once, unless answered otherwise.

    Rows: the other records of a thing go when its column is nearly unique and two of its texts
    differ only in case or spaces.
    """
    if draft.view.deduped:
        return ""
    for col in draft.view.columns:
        if col.name in keys or col.kind != "text" or col.facts is None:
            continue
        twice = spelt_twice(col)
        rows = col.facts.rows - col.facts.nulls
        things = len({folded(text) for text in col.texts})
        if twice and things >= _NEARLY_UNIQUE * rows:
            return _settle(draft, col, twice)
    return ""


def _settle(draft: Draft, col: Col, twice: tuple[tuple[str, ...], ...]) -> str:
    date = next((one for one in draft.view.columns if one.kind == "date"), None)
    options = [("first", "the first in the file"), ("both", "both")]
    if date is not None:
        options.insert(0, ("latest", f"the latest by {date.name}"))
    shown = "; ".join(" and ".join(texts) for texts in twice[:3])
    chosen = draft.choose(
        f"duplicates_{col.name}",
        INCONSISTENT,
        f"{shown}: one {col.name} with several records? Which count?",
        options,
        default="latest" if date is not None else "both",
        evidence=f"{len(twice)} {col.name} differ only in case or spaces",
    )
    if chosen == "both":
        return ""
    order = [f"{as_date(draft, date.name)} DESC"] if chosen == "latest" and date is not None else []
    keep_one(draft, (col.name,), order, loose=True, hint=f"one_per_{col.name}")
    return f"one record per {col.name} ({chosen})"


def keep_one(
    draft: Draft,
    keys: tuple[str, ...],
    order: list[str],
    *,
    loose: bool = False,
    hint: str = "deduplicated",
    keep: str = "first",
) -> None:
    """Add the step that keeps one row of each key; `loose` keys ignore case and stray spaces."""
    columns = draft.view.columns
    apart = _apart(draft, keys)
    used = list(keys)
    if loose:
        helpers = {f"{name}_key": f"lower(squeeze({ident(name)}))" for name in keys}
        why = "case and stray spaces do not tell two things apart"
        draft.derive(helpers, dict.fromkeys(helpers, "VARCHAR"), f"{keys[0]}_folded", why=why)
        used = list(helpers)
    if apart:
        why = "a row without its key is nobody's duplicate"
        draft.derive({_ALONE: apart}, {_ALONE: "BIGINT"}, f"{hint}_alone", why=why)
        used.append(_ALONE)
    settings: dict[str, object] = {"key": used, "order": order, "keep": keep}
    draft.step("dedup", hint, draft.view.columns, **settings)
    if helping := [name for name in used if name not in keys]:
        draft.step("project", f"{hint}_plain", columns, others=True, drop=helping)


def _apart(draft: Draft, keys: tuple[str, ...]) -> str:
    """Return the number that tells rows without a key apart, or nothing where they are merged."""
    cols = [draft.view.find(name) for name in keys]
    open_keys = [col for col in cols if col is not None and col.facts and _empty(col.facts)]
    if not open_keys:
        return ""
    names = " or ".join(col.name for col in open_keys)
    chosen = draft.choose(
        "empty_" + "_".join(col.name for col in open_keys),
        INCONSISTENT,
        f"Are rows without {names} duplicates of each other?",
        [("apart", "no, each of them stays"), ("same", "yes, one of them stays")],
        default="apart",
        evidence=f"{sum(_empty(c.facts) for c in open_keys if c.facts):,} rows have none",
    )
    if chosen == "same":
        return ""
    tests = " OR ".join(f"nullif(trim({_text(col)}), '') IS NULL" for col in open_keys)
    return f"CASE WHEN {tests} THEN row_number() OVER () END"


def _empty(facts: Facts) -> int:
    return facts.nulls + facts.touched(tuple(text for text in facts.counts if not text.strip()))


def _text(col: Col) -> str:
    return ident(col.name) if col.type == "VARCHAR" else f"CAST({ident(col.name)} AS VARCHAR)"
