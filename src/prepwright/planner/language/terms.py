"""Ground terms: what words of a clause may be columns, cell values, tables, new names."""
# ruff: noqa: D103 -- a term's name says what its function reads

from collections.abc import Callable, Iterable, Iterator

from prepwright.planner.language.grammar import RULES, Match, Reader
from prepwright.planner.language.grounding import Hit
from prepwright.planner.language.lexicon import STOP_WORDS, forms
from prepwright.planner.language.tokens import canonical, name_words
from prepwright.planner.language.word_classes import CLASSES
from prepwright.planner.outcome import REFERENCE, Choice
from prepwright.planner.steps.draft import choice

_LONGEST_COLUMN = 7


_LONGEST_VALUE = 8


_LONGEST_NAME = 5


_TIE = 0.06


_COLUMN_WORDS = frozenset().union(
    *(forms(w) for w in ("column", "field", "variable", "attribute", "value"))
)


_LABELS = frozenset(
    """
    id code key zip postcode phone identifier number no ref reference zipcode
    """.split()
)


ORDERS = frozenset(
    form
    for verb in """
    drop remove delete keep sort compute calculate select rename join merge fill convert
    derive add create save export filter group replace exclude deduplicate normalize
    """.split()
    for form in forms(verb)
)


"""Verbs that begin the next clause, and no new name or free text."""


VAGUE = frozenset(
    """
    something whatever anything sense sensible reasonable suitable appropriate better best good
    nice estimate estimated guess likely probable realistic plausible proper correct right standard
    others similar respective it them their they regression model prediction closest nearest usual
    shorter longer clearer meaningful descriptive readable friendly consistent neighboring typical
    relevant matching corresponding expected actual true equivalent
    """.split()
)
"""Words that stand for a value or a name without saying which."""
_KEEPING = frozenset(form for verb in CLASSES["keep"] for form in forms(verb.split()[0]))
_NO_NAME = frozenset(
    ["it", "them", "each", "row", "rows", "column", "columns", "field", "fields", "table"]
)


def span_text(reader: Reader, start: int, end: int) -> str:
    """Return the words of the clause between two tokens, as they were written."""
    first = reader.tokens[start]
    pieces = [first.text]
    for before, token in zip(
        reader.tokens[start:end], reader.tokens[start + 1 : end], strict=False
    ):
        pieces.append(" " * min(1, token.start - before.end) + token.text)
    return "".join(pieces)


def _span_words(reader: Reader, start: int, end: int) -> tuple[str, ...]:
    words: list[str] = []
    for token in reader.tokens[start:end]:
        words += name_words(token.text) or ((canonical(token.text),) if token.text in "%#&" else ())
    return tuple(words)


Wanted = Callable[[str], bool]


def _columns(reader: Reader, at: int, wanted: Wanted, *, numeric: bool = False) -> Iterator[Match]:
    tokens = reader.tokens
    if at < len(tokens) and tokens[at].word in _COLUMN_WORDS:
        for match in _columns(reader, at + 1, wanted, numeric=numeric):
            yield Match(match.end, match.value, match.cost + 0.01, match.choices)
    if at >= len(tokens):
        return
    if tokens[at].word == "it" and len(_topic(reader)) == 1:
        kept = tuple(Hit(0.2, name) for name in _topic(reader))
        kept = tuple(hit for hit in kept if _is_wanted(reader, hit, wanted, numeric=False))
        yield from _column_matches(reader, at, at + 1, kept)
    if tokens[at].kind == "quoted":
        hits = reader.ground.quoted_column(tokens[at].content)
        yield from _column_matches(reader, at, at + 1, hits)
        return
    for end in range(at + 1, min(at + _LONGEST_COLUMN, len(tokens)) + 1):
        last = tokens[end - 1]
        if last.kind in ("quoted", "file") or last.text in (",", ";", ":", "=", "."):
            return
        hits = reader.ground.column_hits(_span_words(reader, at, end))
        if any(token.word in STOP_WORDS for token in tokens[at:end]):
            hits = tuple(
                hit for hit in hits if hit.cost == 0.0 or tokens[at].word not in STOP_WORDS
            )
        kept = tuple(hit for hit in hits if _is_wanted(reader, hit, wanted, numeric=numeric))
        yield from _column_matches(reader, at, end, kept)


def _topic(reader: Reader) -> tuple[str, ...]:
    """Return the columns that a pronoun may mean; `keep it` means the table."""
    if reader.tokens[0].word in _KEEPING:
        return ()
    return tuple(name for name in reader.ground.topic if reader.ground.find(name))


def _is_wanted(reader: Reader, hit: Hit, wanted: Wanted, *, numeric: bool) -> bool:
    col = reader.ground.find(hit.name)
    if col is None or not any(map(wanted, col.kinds)):
        return False
    return hit.cost == 0.0 or not numeric or name_words(hit.name)[-1] not in _LABELS


def _column_matches(reader: Reader, at: int, end: int, hits: tuple[Hit, ...]) -> Iterator[Match]:
    if not hits:
        return
    best = hits[0].cost
    tied = [hit.name for hit in hits if hit.cost <= best + _TIE]
    name, choices = tied[0], ()
    if len(tied) > 1 and best > 0:
        made = _which_column(reader, at, end, tied)
        name, choices = made.chosen, (made,)
    yield Match(end, name, best, choices)
    if end < len(reader.tokens) and reader.tokens[end].word in _COLUMN_WORDS | _kind_words(
        reader, name
    ):
        yield Match(end + 1, name, best + 0.01, choices)


def _kind_words(reader: Reader, name: str) -> frozenset[str]:
    """Return the words that a column of dates may be followed by: `the taken date`."""
    col = reader.ground.find(name)
    return frozenset({"date", "dates"}) if col is not None and col.kind == "date" else frozenset()


def _which_column(reader: Reader, at: int, end: int, names: list[str]) -> Choice:
    said = span_text(reader, at, end)
    return choice(
        "column_" + "_".join(name_words(said)),
        REFERENCE,
        f"Which column is {said!r}?",
        [(name, name) for name in names],
        default=names[0],
        evidence=f"{len(names)} columns fit the words: {', '.join(names)}",
        span=(reader.tokens[at].start, reader.tokens[end - 1].end),
        answers=reader.answers,
    )


@RULES.term("col")
def any_column(reader: Reader, at: int) -> Iterable[Match]:
    return _columns(reader, at, lambda kind: True)


@RULES.term("numcol")
def number_column(reader: Reader, at: int) -> Iterable[Match]:
    return _columns(reader, at, lambda kind: kind == "number", numeric=True)


@RULES.term("datecol")
def date_column(reader: Reader, at: int) -> Iterable[Match]:
    return _columns(reader, at, lambda kind: kind == "date")


@RULES.term("textcol")
def text_column(reader: Reader, at: int) -> Iterable[Match]:
    return _columns(reader, at, lambda kind: kind == "text")


_SEPARATORS = (", and", ", or", ",", "and", "&", "as well as", "or", "together with", "and also",
               "/", "+",
               "and then by", "and then", "and by", "then by", "plus", "along with")  # fmt: skip


def _pronoun(reader: Reader, at: int) -> list[Match]:
    """Return the columns that the last clause changed, for `them`."""
    known = _topic(reader)
    said = at < len(reader.tokens) and reader.tokens[at].word in ("them", "both")
    return [Match(at + 1, known, 0.2)] if said and len(known) > 1 else []


def listing(
    term: str, separators: tuple[str, ...] = _SEPARATORS
) -> Callable[[Reader, int], Iterable[Match]]:
    """Return a term that reads one or more of another: `a, b and c`."""

    def read(reader: Reader, at: int) -> Iterable[Match]:
        found: list[Match] = []
        queue = [Match(m.end, (m.value,), m.cost, m.choices) for m in reader.read(term, at)]
        queue += _pronoun(reader, at) if term == "col" else []
        while queue and len(found) < 60:
            match = queue.pop(0)
            found.append(match)
            for end in _after(reader, match.end, separators):
                for more in reader.read(term, end):
                    if more.value not in match.value:
                        values = (*match.value, more.value)
                        choices = match.choices + more.choices
                        queue.append(Match(more.end, values, match.cost + more.cost, choices))
        return found

    return read


def _after(reader: Reader, at: int, separators: tuple[str, ...]) -> set[int]:
    ends: set[int] = set()
    for phrase in separators:
        words = phrase.replace(", ", ",\0").replace("\0", " ").split() if phrase != "," else [","]
        words = [
            piece
            for word in words
            for piece in ([",", word[1:]] if word[0] == "," and len(word) > 1 else [word])
        ]
        if all(
            at + n < len(reader.tokens) and reader.tokens[at + n].text.casefold() == w
            for n, w in enumerate(words)
        ):
            ends.add(at + len(words))
    return ends


RULES.term("cols")(listing("col"))


RULES.term("numcols")(listing("numcol"))


RULES.term("values")(listing("value", (", and", ", or", ",", "and", "or", "/", "nor")))


RULES.term("numbers")(listing("number", (", and", ", or", ",", "and", "or")))


@RULES.term("value")
def cell_value(reader: Reader, at: int) -> Iterator[Match]:
    tokens = reader.tokens
    if at >= len(tokens):
        return
    if tokens[at].kind == "quoted":
        yield Match(at + 1, reader.ground.quoted_value(tokens[at].content))
        return
    for end in range(at + 1, min(at + _LONGEST_VALUE, len(tokens)) + 1):
        if tokens[end - 1].kind == "quoted" or tokens[end - 1].text in (",", ";", ":"):
            return
        text = span_text(reader, at, end)
        found = reader.ground.value(name_words(text), text)
        if found is not None:
            yield Match(end, found, found.cost)


@RULES.term("table")
def table_name(reader: Reader, at: int) -> Iterator[Match]:
    for end in range(at + 1, min(at + 5, len(reader.tokens)) + 1):
        text = span_text(reader, at, end).strip("'\"`")
        stem_text = text.rsplit(".", 1)[0] if reader.tokens[end - 1].kind == "file" else text
        hits = reader.ground.tables(name_words(stem_text))
        if hits and (len(hits) == 1 or hits[1].cost > hits[0].cost):
            yield Match(end, hits[0].name, hits[0].cost)
            if end < len(reader.tokens) and reader.tokens[end].word in (
                "table",
                "file",
                "sheet",
                "data",
                "dataset",
            ):
                yield Match(end + 1, hits[0].name, hits[0].cost)


@RULES.term("newname")
def new_name(reader: Reader, at: int) -> Iterator[Match]:
    tokens = reader.tokens
    if at < len(tokens) and tokens[at].kind == "quoted":
        yield Match(at + 1, tokens[at].content)
        return
    for end in range(at + 1, min(at + _LONGEST_NAME, len(tokens)) + 1):
        token = tokens[end - 1]
        numeric = token.kind == "number" and token.text.isalnum() and end > at + 1
        if tokens[at].word in ORDERS or token.word in VAGUE:
            return
        if not numeric and (token.kind != "word" or token.word in STOP_WORDS | _NO_NAME):
            return
        name = styled(reader, [one.text for one in tokens[at:end]])
        yield Match(end, name, 0.05 * (end - at))


def styled(reader: Reader, words: list[str]) -> str:
    """Return a new column's name in the style of the table's other names."""
    if len(words) == 1:
        return words[0]
    names = [col.name for col in reader.ground.columns]
    spaced = sum(" " in name.strip() for name in names)
    return (
        " ".join(words)
        if spaced > sum("_" in name for name in names)
        else "_".join(word.lower() for word in words)
    )


@RULES.term("rownoun")
def row_noun(reader: Reader, at: int) -> Iterator[Match]:
    """Read a word for one row of the table: `rows`, or the table's own noun, `registrations`."""
    for end, cost, _ in reader.phrases(
        ("row", "record", "line", "entry", "observation", "row of data", "data row"), at
    ):
        yield Match(end, "row", cost)
    if at < len(reader.tokens) and reader.tokens[at].kind == "word":
        token = reader.tokens[at]
        if len(token.word) > 3 and reader.ground.is_context(token.word):
            yield Match(at + 1, "row", 0.1)


@RULES.term("filename")
def file_name(reader: Reader, at: int) -> Iterator[Match]:
    if at >= len(reader.tokens):
        return
    token = reader.tokens[at]
    if token.kind == "file" and "/" not in token.text:
        yield Match(at + 1, token.text)
    elif token.kind == "quoted" and token.content and "/" not in token.content:
        yield Match(at + 1, token.content)


RULES.term("tables")(
    listing("table", (", and", ",", "and", "&", "with", "to", "onto", "as well as", "plus"))
)
