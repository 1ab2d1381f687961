"""Cut a sentence into clauses, and put each into the imperative."""

from collections.abc import Iterator

from prepwright.planner.language.lexicon import LEAD_INS, ORDINAL_LEAD_INS, forms
from prepwright.planner.language.tokens import Token
from prepwright.planner.language.word_classes import CLASSES

Clause = tuple[Token, ...]

_VERBS = frozenset(
    word
    for name in """
    drop keep derive rename sort merge join fill change normalize align format trim
    dedup round split join_text pivot unpivot save aggregate summarize
    """.split()
    for phrase in CLASSES[name]
    for word in forms(phrase.split()[0])
) | frozenset(
    form
    for verb in """
    concatenate group count uppercase lowercase capitalize unpivot increase decrease raise
    reduce reorder flag mark number rank
    bin bucket label load read import input use multiply subtract divide sum move
    reorder melt limit restrict expand convert sort order forward ignore do ensure
    categorize classify
    """.split()
    for form in forms(verb)
)
_JOINTS = (", and then", "and then", ", then", "then", ", and", "and", ",", "before",
           "after which", "as well as", "& ",
           "followed by", "; ", ", followed by", "- ", ", before", "plus")  # fmt: skip
_OPENERS = frozenset(
    """
    for per in on from with if when where whenever by using within call name fill only
    replace lower upper title proper trim
    """.split()
)
_MODALS = ("should be", "must be", "need to be", "needs to be", "has to be", "have to be",
           "are to be",
           "is to be", "shall be", "should all be", "can be", "should then be", "ought to be",
           "should get",
           "should also be", "should")  # fmt: skip


_PLAIN_ORDERS = frozenset(
    form
    for verb in """
    drop remove keep filter join merge combine sort rename convert compute calculate fill replace
    add create align normalize clean read load import trim group count stack append select derive
    """.split()
    for form in forms(verb)
)


def _opens_order(token: Token) -> bool:
    return token.text in (",", ":") or token.word in _PLAIN_ORDERS


def splits(tokens: Clause) -> Iterator[tuple[Clause, Clause]]:
    """Yield a sentence as a first clause and the rest, the longest first clause first.

    Order: the whole sentence, then cuts before a verb or an opener, last cut first.
    """
    yield tokens, ()
    for at in range(len(tokens) - 1, 0, -1):
        for joint in _JOINTS:
            after = _follows(tokens, at, joint)
            if after and after < len(tokens) and _opens(tokens, after):
                yield tokens[:at], tokens[after:]


def _follows(tokens: Clause, at: int, phrase: str) -> int:
    words = phrase.replace(",", " , ").replace(";", " ; ").split()
    for number, word in enumerate(words):
        if at + number >= len(tokens) or tokens[at + number].text.casefold() != word:
            return 0
    return at + len(words)


def _opens(tokens: Clause, at: int) -> bool:
    rest = tokens[at:]
    rest = stripped(rest)
    return bool(rest) and (
        rest[0].word in _VERBS or rest[0].word in _OPENERS or _passive(rest) is not None
    )


def stripped(tokens: Clause) -> Clause:
    """Return a clause without polite and ordering words in front, and marks at both ends."""
    changed = True
    while changed and tokens:
        changed = False
        while tokens and tokens[0].text in (",", ":", ";", "-", ".", "*"):
            tokens, changed = tokens[1:], True
        for phrase in LEAD_INS:
            after = _follows(tokens, 0, phrase)
            if after and after < len(tokens):
                tokens, changed = tokens[after:], True
                break
        if len(tokens) > 1 and tokens[0].word in ORDINAL_LEAD_INS and _opens_order(tokens[1]):
            tokens, changed = tokens[1:], True
    while tokens and tokens[-1].text in (",", ":", ";", "!", "?", "please"):
        tokens = tokens[:-1]
    return tokens


def variants(tokens: Clause) -> list[tuple[Clause, float]]:
    """Return the ways to put a clause: as it is, without lead-ins, in the imperative."""
    bare = stripped(tokens)
    ways = [(tokens, 0.0)]
    if bare != tokens:
        ways.append((bare, 0.05))
    active = _passive(bare)
    if active is not None:
        ways.append((active, 0.1))
    if len(bare) > 2 and bare[-1].word in (
        "too",
        "well",
        "please",
        "first",
        "afterwards",
        "accordingly",
    ):
        cut = 2 if bare[-2].word == "as" and bare[-1].word == "well" else 1
        ways.append((bare[:-cut], 0.1))
    return ways


def _passive(tokens: Clause) -> Clause | None:
    """Return `rows with no fee should be dropped` as `dropped rows with no fee`."""
    for at in range(1, len(tokens) - 1):
        for modal in _MODALS:
            after = _follows(tokens, at, modal)
            if after and after < len(tokens) and tokens[after].word in _VERBS:
                return (tokens[after], *tokens[:at], *tokens[after + 1 :])
    return None


def starts_with_verb(tokens: Clause) -> bool:
    """Return whether a clause begins as an order does."""
    bare = stripped(tokens)
    return bool(bare) and bare[0].word in _VERBS
