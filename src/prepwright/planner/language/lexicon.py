"""The words that rules are written with: classes of words, their forms, and noise."""

from functools import lru_cache

from rapidfuzz import fuzz

from prepwright.planner.language.word_classes import CLASSES, MAPPED

ARTICLES = frozenset(
    """
    the a an all any each called named labeled every please just simply only their its
    our my his her these those this both also resulting respective given remaining
    """.split()
) - {"each", "every", "only"}


"""Words that a rule may be written without."""


LEAD_INS = (
    "please", "then", "next", "finally", "lastly", "firstly", "secondly",
    "also", "now", "after that", "afterwards", "and then", "i want to", "i would like to",
    "i'd like to",
    "we want to", "we need to", "i need to", "you should", "can you", "could you", "would you",
    "and",
    "make sure to", "be sure to", "i want you to", "thirdly", "to begin", "to start", "start by",
    "begin by", "let's", "let us", "we should", "additionally", "in addition", "furthermore",
    "after this", "once done", "at the end", "i need", "i want", "we need", "we want",
    "you need to", "we'd like to", "we would like to", "help me", "help me to", "go ahead and",
    "begin with", "moreover", "subsequently", "from there", "with that done",
    "where necessary", "the goal is to", "the task is to", "your task is to", "as a last step",
    "as a first step",
    "as the last step", "as the first step", "in the end", "to finish", "for this",
    "and finally", "and also",
    "i'd like you to", "it is necessary to", "remember to", "ensure you", "we have to",
    "you have to",
)  # fmt: skip


ORDINAL_LEAD_INS = ("first", "second", "third", "last")
"""Words that order clauses only before a comma or a verb."""

STOP_WORDS = frozenset(
    """
    as from by with and for using to if when which that where or in on into of then than
    per after before between is are was were be should must so but not at over under
    whose who having each called named labeled
    """.split()
)


"""Words that end a new name."""


_IRREGULAR: dict[str, tuple[str, ...]] = {
    "keep": ("kept",), "make": ("made", "making"), "build": ("built",), "find": ("found",),
    "split": ("split", "splitting"), "put": ("putting",), "get": ("got", "getting"),
              "leave": ("left", "leaving"),
    "throw": ("thrown", "threw"), "take": ("took", "taken", "taking"), "break": ("broke",
              "broken"), "write": ("wrote", "written"),
    "show": ("shown",), "give": ("gave", "given"), "choose": ("chose", "chosen"), "have": ("has",
             "had", "having"),
    "begin": ("began", "beginning", "begins"), "be": ("been", "being"), "bring": ("brought",),
              "swap": ("swapped",),
    "set": ("setting", "sets"), "cut": ("cutting",), "begins": (), "person": ("people",),
            "entry": ("entries",),
    "total": ("totaled", "totaling", "totalled", "totalling"), "label": ("labelled", "labelling",
              "labeled"),
    "melt": ("molten",), "spread": ("spreading",), "add": ("added", "adding", "adds"),
             "tidy": ("tidied", "tidying", "tidies"),
}  # fmt: skip


_VOWELS = "aeiou"


@lru_cache(maxsize=20_000)
def forms(word: str) -> frozenset[str]:
    """Return a word with its plural and its verb forms."""
    made = {word, *_IRREGULAR.get(word, ())}
    if not word.isalpha() or len(word) < 3:
        return frozenset(made)
    made.add(word + ("es" if word.endswith(("s", "x", "ch", "sh", "z")) else "s"))
    if word.endswith("e"):
        made |= {word + "d", word[:-1] + "ing", word + "s"}
    elif word.endswith("y") and word[-2] not in _VOWELS:
        made |= {word[:-1] + "ies", word[:-1] + "ied", word + "ing"}
    else:
        made |= {word + "ed", word + "ing"}
        if word[-1] not in _VOWELS + "wxy" and word[-2] in _VOWELS and len(word) <= 6:
            made |= {word + word[-1] + "ed", word + word[-1] + "ing"}
    return frozenset(made)


@lru_cache(maxsize=100_000)
def same_word(said: str, meant: str) -> float | None:
    """Return 0 when a word is a form of another, 0.3 when nearly so, None otherwise."""
    if said == meant or said in forms(meant):
        return 0.0
    if len(said) < 6 or len(meant) < 6 or said in vocabulary():
        return None
    return 0.3 if fuzz.ratio(said, meant) >= 85 and said[0] == meant[0] else None


@lru_cache(maxsize=1)
def vocabulary() -> frozenset[str]:
    """Return every word of the lexicon in every form."""
    phrases = [phrase for words in CLASSES.values() for phrase in words]
    phrases += [phrase for table in MAPPED.values() for words in table.values() for phrase in words]
    phrases += [*LEAD_INS, *ARTICLES, *STOP_WORDS]
    return frozenset(form for phrase in phrases for word in phrase.split() for form in forms(word))


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return a noun without its plural ending."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ses", "xes", "ches", "shes", "zes")):
        return word[:-2] if not word.endswith(("ases", "ises", "uses")) else word[:-1]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
