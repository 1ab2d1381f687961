"""Tie words of a request to columns, tables and cell values that exist."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz import fuzz

from prepwright.planner.facts.columns import Col, View
from prepwright.planner.language.synonyms import kinship
from prepwright.planner.language.tokens import name_words

_SMALL = frozenset(["of", "the", "for", "in", "a", "an"])
_UNSAID = 0.35
_CONTEXT = 0.2
_FAR = 1.3
_ATTRIBUTES = frozenset(
    ["id", "date", "name", "number", "no", "code", "key", "status", "type", "time"]
)
_VALUES_INDEXED = 3_000
_LONGEST_VALUE = 8
_NEARLY = 90


@dataclass(frozen=True)
class Hit:
    """A column that words may mean, and how far it is from them (0 is the very name)."""

    cost: float
    name: str


@dataclass(frozen=True)
class Value:
    """A cell value that words may mean: the columns that hold it, with the texts as they stand."""

    text: str
    texts: dict[str, tuple[str, ...]]
    quoted: bool = False
    cost: float = 0.0

    def texts_in(self, column: str) -> tuple[str, ...]:
        return self.texts.get(column, ())


class Ground:
    """The names and values of one or more tables, searched by words."""

    def __init__(self, views: Iterable[View], context: Iterable[str] = ()) -> None:
        self.views = tuple(views)
        names = [name for view in self.views for name in (view.name, *view.aliases)]
        self._context = frozenset(
            word for name in (*names, *context) for word in name_words(name) if len(word) >= 3
        )
        self._table_names = frozenset(" ".join(name_words(name)) for name in names)
        self._hits: dict[tuple[str, ...], tuple[Hit, ...]] = {}

    @property
    def topic(self) -> tuple[str, ...]:
        """Return the columns that `it` or `them` may mean."""
        return self.views[0].topic if len(self.views) == 1 else ()

    @cached_property
    def columns(self) -> tuple[Col, ...]:
        found: dict[str, Col] = {}
        for view in self.views:
            for col in view.columns:
                found.setdefault(col.name, col)
        return tuple(found.values())

    def find(self, name: str) -> Col | None:
        return next((col for col in self.columns if col.name == name), None)

    def quoted_column(self, text: str) -> tuple[Hit, ...]:
        """Return the column of exactly that name, in any case."""
        folded = text.strip().casefold()
        found = [col for col in self.columns if col.name.strip().casefold() == folded]
        return tuple(Hit(0.0, col.name) for col in found[:1])

    def column_hits(self, words: tuple[str, ...]) -> tuple[Hit, ...]:
        """Return the columns that words may mean, nearest first."""
        if words not in self._hits:
            self._hits[words] = self._search(words)
        return self._hits[words]

    def _search(self, words: tuple[str, ...]) -> tuple[Hit, ...]:
        exact = [col.name for col in self.columns if name_words(col.name) == words]
        if exact:
            return tuple(Hit(0.0, name) for name in exact)
        said = tuple(word for word in words if word not in _SMALL)
        if not said or words[0] in _SMALL or words[-1] in _SMALL:
            return ()
        hits = [
            Hit(cost, col.name)
            for col in self.columns
            for cost in [self._distance(said, words, name_words(col.name))]
            if cost is not None and cost <= _FAR
        ]
        return tuple(sorted(hits, key=lambda hit: hit.cost))

    def _distance(
        self, said: tuple[str, ...], words: tuple[str, ...], named: tuple[str, ...]
    ) -> float | None:
        if words == named or "".join(said) == "".join(named):
            return 0.0
        left = [word for word in named if word not in _SMALL]
        cost, matched = 0.05, 0
        for word in said:
            best = min(
                (
                    (near, at)
                    for at, name in enumerate(left)
                    if (near := kinship(word, name)) is not None
                ),
                default=None,
            )
            if best is not None:
                cost, matched = cost + best[0], matched + 1
                del left[best[1]]
            elif self.is_context(word):
                cost += _CONTEXT
            else:
                return None
        if left and named[-1] in _ATTRIBUTES and " ".join(words) in self._table_names:
            return None
        return cost + _UNSAID * len(left) if matched else None

    def is_context(self, word: str) -> bool:
        """Return whether a word is a word of a table's name (`registration` of `main_reg`)."""
        return any(
            near is not None and near < 0.5
            for known in self._context
            for near in [kinship(word, known)]
        )

    @cached_property
    def _values(self) -> dict[tuple[str, ...], dict[str, list[str]]]:
        index: dict[tuple[str, ...], dict[str, list[str]]] = {}
        for col in self.columns:
            if len(col.texts) > _VALUES_INDEXED or col.kind != "text":
                continue
            for text in col.texts:
                words = name_words(text)
                if words and len(words) <= _LONGEST_VALUE:
                    index.setdefault(words, {}).setdefault(col.name, []).append(text)
        return index

    def value(self, words: tuple[str, ...], text: str) -> Value | None:
        """Return the cell value that words name, in any case or nearly so, or None."""
        found = self._values.get(words)
        if found is not None:
            return Value(text, {name: tuple(texts) for name, texts in found.items()})
        joined = " ".join(words)
        if len(joined) < 6:
            return None
        near = [key for key in self._values if fuzz.ratio(" ".join(key), joined) >= _NEARLY]
        if len(near) != 1:
            return None
        texts = {name: tuple(found) for name, found in self._values[near[0]].items()}
        return Value(text, texts, cost=0.4)

    def quoted_value(self, text: str) -> Value:
        """Return a quoted text as a value: as it stands in the data, or exactly as quoted."""
        exact = {col.name: (text,) for col in self.columns if text in col.texts}
        if exact:
            return Value(text, exact, quoted=True)
        found = self._values.get(name_words(text), {})
        folded = text.strip().casefold()
        texts = {
            name: tuple(one for one in known if one.strip().casefold() == folded)
            for name, known in found.items()
        }
        return Value(text, {name: known for name, known in texts.items() if known}, quoted=True)

    def tables(self, words: tuple[str, ...]) -> tuple[Hit, ...]:
        """Return the tables that words may name, nearest first."""
        hits: list[Hit] = []
        for view in self.views:
            costs = [_name_distance(words, name_words(name)) for name in (view.name, *view.aliases)]
            known = [cost for cost in costs if cost is not None]
            if known:
                hits.append(Hit(min(known), view.name))
        return tuple(sorted(hits, key=lambda hit: hit.cost))


def _name_distance(said: tuple[str, ...], named: tuple[str, ...]) -> float | None:
    if said == named or "".join(said) == "".join(named):
        return 0.0
    left = list(named)
    cost = 0.05
    for word in said:
        best = min(
            (
                (near, at)
                for at, name in enumerate(left)
                if (near := kinship(word, name)) is not None
            ),
            default=None,
        )
        if best is None or best[0] >= 0.5:
            return None
        cost += best[0]
        del left[best[1]]
    return cost + _UNSAID * len(left)
