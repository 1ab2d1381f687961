"""Find texts of a column that are one thing spelt differently, and make them one."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import takewhile

from prepwright.planner.facts.columns import Facts
from prepwright.planner.outcome import IRREGULARITY
from prepwright.planner.steps.draft import Draft, ident, literal

_MOST_VARIANTS = 300
_SHORTEST = 2


def folded(text: str) -> str:
    """Return a text without case and stray spaces."""
    return " ".join(text.casefold().split())


def spelling_variants(counts: Mapping[str, int]) -> dict[str, str]:
    """Return each variant with the spelling that stands for it.

    Variants differ in case or spaces, or end in a dot and begin exactly one other value.
    """
    groups: dict[str, list[str]] = {}
    for text in counts:
        groups.setdefault(folded(text), []).append(text)
    best = {key: _best(texts, counts) for key, texts in groups.items()}
    whole = sorted(key for key in best if not key.endswith("."))
    for key in [key for key in best if key.endswith(".") and len(key) > _SHORTEST]:
        longer = _beginning_with(key[:-1], whole)
        if len(longer) == 1:
            best[key] = best[longer[0]]
    return {text: best[key] for key, texts in groups.items() for text in texts if text != best[key]}


def _best(texts: list[str], counts: Mapping[str, int]) -> str:
    def rank(text: str) -> tuple[bool, int, bool, str]:
        plain = text == " ".join(text.split())
        shouting = text.isupper() or text.islower()
        return (not plain, -counts[text], shouting, text)

    return min(texts, key=rank)


def _beginning_with(start: str, ordered: list[str]) -> list[str]:
    at = bisect_left(ordered, start)
    return list(takewhile(lambda text: text.startswith(start), ordered[at : at + 2]))


def unify(draft: Draft, name: str, *, asked: bool = False) -> str:
    """Make the spelling variants of a column one, and say so; returns what was done.

    Unless it was asked for, the answer `no` to the choice `unify_<column>` leaves them apart.
    """
    col = draft.view.find(name)
    if col is None or col.type != "VARCHAR" or col.facts is None or col.kind != "text":
        return ""
    variants = spelling_variants(col.facts.counts)
    if not variants or len(variants) > _MOST_VARIANTS:
        return ""
    said = _described(variants, col.facts)
    if not asked and not _wanted(draft, name, said):
        return ""
    cases = " ".join(f"WHEN {literal(k)} THEN {literal(v)}" for k, v in sorted(variants.items()))
    value = f"CASE {ident(name)} {cases} ELSE {ident(name)} END"
    draft.derive({name: value}, {name: "VARCHAR"}, f"unify_{name}", why=f"{name}: {said}")
    draft.with_facts(name, renamed(col.facts, variants))
    if not asked:
        draft.notice(f"{name}: {said}", step=draft.view.step, choice=f"unify_{name}")
    return said


def spelt_alike(draft: Draft, name: str, texts: Sequence[str]) -> list[str]:
    """Return texts of a column with their other spellings, unless `unify_<column>` says no.

    The cells stay as they are.
    """
    col = draft.view.find(name)
    if col is None or col.type != "VARCHAR" or col.facts is None or col.kind != "text":
        return list(texts)
    variants = spelling_variants(col.facts.counts)
    stands = {variants.get(text, text) for text in texts}
    alike = [text for text in col.facts.counts if variants.get(text, text) in stands]
    others = [text for text in alike if text not in texts]
    if not others or len(variants) > _MOST_VARIANTS:
        return list(texts)
    said = _described({text: variants.get(text, text) for text in alike if text in variants},
                      col.facts)  # fmt: skip
    return [*texts, *others] if _wanted(draft, name, said) else list(texts)


def _wanted(draft: Draft, name: str, said: str) -> bool:
    chosen = draft.choose(
        f"unify_{name}",
        IRREGULARITY,
        f"Are the spellings of {name} one thing?",
        [("yes", "they are one"), ("no", "they are apart")],
        default="yes",
        evidence=said,
    )
    return chosen == "yes"


def _described(variants: Mapping[str, str], facts: Facts) -> str:
    parts: list[str] = []
    for short, long in sorted(variants.items()):
        rows = facts.counts[short]
        parts.append(f"{short} = {long} ({rows:,} row{'s' * (rows != 1)})")
    more = f" and {len(parts) - 5} more" if len(parts) > 5 else ""
    return ", ".join(parts[:5]) + more


def renamed(facts: Facts, mapping: Mapping[str, str]) -> Facts:
    """Return the facts of a column after its texts were replaced."""
    counts: Counter[str] = Counter()
    for text, rows in facts.counts.items():
        counts[mapping.get(text, text)] += rows
    return Facts(counts, facts.rows, facts.nulls, facts.complete)
