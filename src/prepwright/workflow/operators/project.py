"""Project: choose, rename, cast and derive columns."""

from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

from pydantic import Field
from sqlglot import exp

from prepwright.errors import WorkflowError
from prepwright.tables import RESERVED, ColumnName
from prepwright.workflow.expressions import checking
from prepwright.workflow.expressions.canonical import canonical
from prepwright.workflow.expressions.parsing import parse
from prepwright.workflow.operator import (
    Compiled,
    Example,
    Fact,
    Key,
    NamedValue,
    Operator,
    Relation,
    SourceId,
    carried,
    column,
    exact,
    fresh,
    named,
)  # fmt: skip

_LOSSY = {"parse_date", "parse_timestamp", "parse_time", "parse_number", "try_strptime"}


class Project(Operator):
    """Select, rename, cast and derive columns; every expression sees the input's columns.

    Rows: unchanged, in order; `unnest(list)` makes one row of each item and none of an empty list.
    Columns: exactly `columns`; with `others`, all of the input's (less `drop`, renamed, derived
    ones of the same name in place), then the new ones.
    """

    operator: Literal["project"] = "project"
    input: SourceId
    columns: tuple[ColumnName | NamedValue, ...] = Field(
        default=(), description="result columns: a name, or a name with its expression"
    )
    rename: Mapping[str, str] = Field(
        default_factory=dict[str, str], description="new name of a column, by its old name"
    )
    drop: tuple[ColumnName, ...] = Field(default=(), description="columns to leave out")
    others: bool = Field(default=False, description="keep the columns that are not mentioned")

    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            before=([{"a": "2", "b": "x"}, {"a": None, "b": "y"}],),
            settings={"columns": ["b", {"name": "n", "value": "TRY_CAST(a AS INTEGER) + 1"}]},
            after=[{"b": "x", "n": 3}, {"b": "y", "n": None}],
        ),
        Example(
            before=([{"k": "p", "t": "u,v"}, {"k": "q", "t": "w"}],),
            settings={
                "columns": [{"name": "t", "value": "unnest(string_split(t, ','))"}],
                "rename": {"k": "key"},
                "others": True,
            },
            after=[{"key": "p", "t": "u"}, {"key": "p", "t": "v"}, {"key": "q", "t": "w"}],
        ),
    )

    def sources(self) -> tuple[str, ...]:
        return (self.input,)

    def output_names(self, *sources: Relation) -> tuple[ColumnName, ...]:
        return tuple(self._items(sources[0]))

    def keeps_own_table(self) -> bool:
        texts = [item.value.lower() for item in self.columns if isinstance(item, NamedValue)]
        marks = [*_LOSSY, "try_cast", "unnest", "over"]
        return any(mark in text for text in texts for mark in marks)

    def rows_of(self, *rows: int) -> int | None:
        return None if self.keeps_own_table() else rows[0]

    def check(self, *sources: Relation) -> Iterator[WorkflowError]:
        source = sources[0]
        mentioned = [item for item in self.columns if isinstance(item, str)]
        for name in (*mentioned, *self.rename, *self.drop):
            if fault := self.absent(name, source):
                yield fault
        for item in self.columns:
            if isinstance(item, NamedValue):
                what = f"column {item.name!r}"
                yield from checking.faults(self, item.value, {"": source}, what=what)
        if not self.others and (self.rename or self.drop):
            yield self.fault(
                "rename and drop go with others",
                found="others is false, so only the listed columns are kept",
                fix='set "others": true, or write {"name": new, "value": old} among the columns',
            )
        names = list(self._items(source))
        if not names:
            yield self.fault(
                "no column is left",
                found="an empty list of columns",
                fix="list at least one column",
            )
        mentions = [item.name if isinstance(item, NamedValue) else item for item in self.columns]
        renamed = [*self.rename.values(), *mentions] if self.others else mentions
        yield from self.clashing(renamed)
        if self.others:
            yield from self._clash_with_kept(source)

    def _clash_with_kept(self, source: Relation) -> Iterator[WorkflowError]:
        gone = {exact(name, source) for name in (*self.drop, *self.rename)}
        kept = {name.casefold() for name in source.schema.names if name not in gone}
        for name in self.rename.values():
            if name.casefold() in kept:
                yield self.fault(
                    f"two result columns are called {name!r}",
                    found=f"a renamed one and one of the input, both {name!r}",
                    fix="drop the other one, or choose another name",
                )

    def query(self, *sources: Relation) -> Compiled:
        source = sources[0]
        items = self._items(source)
        trees = {
            name: column(value) if bare else canonical(value, {"": source})
            for name, (value, bare) in items.items()
        }
        kept = {
            exact(tree.name, source): name
            for name, tree in reversed(trees.items())
            if isinstance(tree, exp.Column)
        }
        helpers, order = carried(source, kept, list(items))
        selected = [named(tree, name) for name, tree in trees.items()] + helpers
        lists = [found for tree in trees.values() for found in checking.set_returning(tree)]
        if lists:
            part = fresh(f"{RESERVED}part", [*items, *source.hidden.names])
            selected.append(named(_positions(lists), part))
            order = (*order, Key(part))
        return Compiled(exp.select(*selected).from_(source.table(), copy=False), order)

    def _items(self, source: Relation) -> dict[ColumnName, tuple[str, bool]]:
        """Return for each result column its expression text, or a column name marked as bare."""
        listed: dict[ColumnName, tuple[str, bool]] = {}
        for item in self.columns:
            if isinstance(item, NamedValue):
                listed[item.name] = (item.value, False)
            else:
                listed[exact(item, source)] = (exact(item, source), True)
        if not self.others:
            return listed
        renamed = {exact(old, source): new for old, new in self.rename.items()}
        dropped = {exact(name, source) for name in self.drop}
        by_folded = {name.casefold(): name for name in listed}
        result: dict[ColumnName, tuple[str, bool]] = {}
        for name in source.schema.names:
            if name in dropped:
                continue
            shown = renamed.get(name, name)
            replaced = by_folded.get(shown.casefold())
            result[replaced or shown] = listed.pop(replaced) if replaced else (name, True)
            by_folded.pop(shown.casefold(), None)
        return {**result, **listed}

    def row_wise(self, *sources: Relation) -> bool:
        """Tell whether no value looks at other rows or makes several of one."""
        values = [parse(item.value) for item in self.columns if isinstance(item, NamedValue)]
        return not any(tree.find(exp.Window, exp.Explode, exp.Unnest) for tree in values)

    def noted(self, *sources: Relation) -> list[exp.Expr]:
        """Return for each value that may be lost in reading the text that was lost."""
        if self._multiplies():
            return []
        return [
            named(exp.Case(ifs=[exp.If(this=_lost(call, argument), true=_text(argument))]), noted)
            for _, noted, call, argument in self._lossy(sources[0])
        ]

    def facts(self, result: Relation, *sources: Relation) -> Iterator[Fact]:
        """Yield, for each value that may be lost in reading, how many were and which."""
        source = sources[0]
        for name, noted, call, argument in self._lossy(source):
            label = f"unread:{name}"
            if self._multiplies():
                where, kept = source, _text(argument)
                lost = _lost(call, argument)
            else:
                where, kept = result, column(noted)
                lost = exp.Not(this=exp.Is(this=kept.copy(), expression=exp.Null()))
            count = named(exp.Count(this=exp.Star()), label)
            yield Fact(exp.select(count).from_(where.table(), copy=False).where(lost))
            shown = (
                exp.select(named(kept, "value")).from_(where.table(), copy=False).where(lost.copy())
            )
            yield Fact(shown.order_by(*where.ordering()).limit(5), examples=label, when=label)

    def _multiplies(self) -> bool:
        values = [item.value for item in self.columns if isinstance(item, NamedValue)]
        return any(checking.set_returning(parse(value)) for value in values)

    def _lossy(self, source: Relation) -> Iterator[tuple[str, str, exp.Expr, exp.Expr]]:
        """Yield the result's name, the noted column's, the reading call, and what it reads."""
        for place, (name, (value, bare)) in enumerate(self._items(source).items()):
            if bare:
                continue
            tree = canonical(value, {"": source})
            for node in tree.find_all(exp.TryCast, exp.Anonymous):
                if isinstance(node, exp.TryCast):
                    argument = node.this
                elif node.name.lower() in _LOSSY:
                    argument = node.expressions[0]
                else:
                    continue
                if argument.find(exp.Column) and not argument.find(
                    exp.Window, exp.Explode, exp.Unnest
                ):
                    if node.find_ancestor(exp.Lambda) is None:
                        yield name, f"{RESERVED}unread{place}", node, argument
                    break


def _positions(lists: list[exp.Expr]) -> exp.Expr:
    """Return 1, 2, 3, … as many rows as the longest of the lists gives."""
    lengths = [exp.Anonymous(this="len", expressions=[item.copy()]) for item in lists]
    longest = exp.Greatest(this=lengths[0], expressions=lengths[1:], ignore_nulls=True)
    series = [exp.Literal.number(1), longest if len(lists) > 1 else lengths[0]]
    return exp.Explode(this=exp.Anonymous(this="generate_series", expressions=series))


def _text(argument: exp.Expr) -> exp.Expr:
    return exp.cast(argument.copy(), "VARCHAR")


def _lost(call: exp.Expr, argument: exp.Expr) -> exp.Expr:
    """Return the condition that a value is there and not blank, but the call gives null."""
    blank = exp.NEQ(this=exp.Trim(this=_text(argument)), expression=exp.Literal.string(""))
    return exp.and_(exp.Is(this=call.copy(), expression=exp.Null()), blank)
