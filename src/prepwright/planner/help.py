"""Say of a clause that was not understood what stood in the way and what is near."""

from prepwright.errors import closest
from prepwright.planner.facts.dates import month_number
from prepwright.planner.language.clauses import Clause
from prepwright.planner.language.grounding import Ground
from prepwright.planner.language.lexicon import same_word, vocabulary
from prepwright.planner.language.tokens import name_words
from prepwright.planner.language.word_classes import CLASSES
from prepwright.planner.reading import Outcome
from prepwright.planner.steps.draft import State

_EXAMPLES = {
    "drop": "drop rows with missing {column}",
    "rename": "rename {column} to another_name",
    "sort": "sort by {column} descending",
    "merge": "merge the tables",
    "join": "join the tables on {column}",
    "fill": "fill missing {column} with 0",
    "round": "round {column} to 2 decimals",
    "split": "split {column} by comma into first_part and second_part",
    "dedup": "remove duplicates by {column}, keep the latest",
    "pivot": "pivot {column} into columns with the count of rows",
    "save": "save as result.csv",
    "summarize": "for each {column}, count the rows",
    "normalize": "standardize {column} to title case",
    "keep": "keep rows where {column} is not missing",
    "derive": "add a column called half as {column} / 2",
}
_SHOWN = 8


def explain(tokens: Clause, state: State, outcome: Outcome) -> str:
    """Return why a clause became no step, and the nearest thing that would."""
    if outcome.refusal:
        return outcome.refusal
    ground = Ground(state.views)
    strange = [token.text for token in tokens if _strange(token.word, token.kind, ground)]
    parts: list[str] = []
    if strange:
        quoted = ", ".join(f"“{word}”" for word in dict.fromkeys(strange))
        parts.append(f"no rule, column or value for {quoted}")
    else:
        parts.append("no rule reads all of it")
    names = [col.name for col in ground.columns]
    for word in strange:
        near = closest(word, names)
        if near is not None:
            parts.append(f"did you mean the column {near}?")
            break
    else:
        shown = ", ".join(names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
        parts.append(f"columns: {shown}")
    if example := _example(tokens, names):
        parts.append(f'nearest: "{example}"')
    return "; ".join(parts)


def _strange(word: str, kind: str, ground: Ground) -> bool:
    if kind != "word" or word in vocabulary() or month_number(word):
        return False
    words = name_words(word)
    if ground.column_hits(words) or ground.tables(words) or ground.is_context(word):
        return False
    return ground.value(words, word) is None


def _example(tokens: Clause, names: list[str]) -> str:
    column = names[0] if names else "column"
    for token in tokens:
        for name, example in _EXAMPLES.items():
            if any(same_word(token.word, phrase.split()[0]) == 0 for phrase in CLASSES[name]):
                return example.format(column=column)
    return ""
