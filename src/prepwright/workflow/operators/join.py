"""Join: put the matching rows of two tables side by side."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field
from sqlglot import exp

from prepwright.errors import WorkflowError, listed
from prepwright.tables import ColumnName
from prepwright.workflow.expressions import checking
from prepwright.workflow.expressions.canonical import canonical
from prepwright.workflow.expressions.parsing import bare_column
from prepwright.workflow.matching import Side, forecast, judged, unmatched
from prepwright.workflow.operator import (
    Compiled,
    Example,
    Fact,
    Key,
    Operator,
    Relation,
    Setting,
    SourceId,
    column,
    exact,
    fresh,
    named,
)  # fmt: skip


class Pair(Setting):
    """A condition of a join: an expression of the left table equals one of the right."""

    left: str
    right: str


class Join(Operator):
    """Join two tables on equal keys.

    Rows: by `how`; ordered by the left table's rows, then the right's. `semi` and `anti` keep left
    rows with and without a match. Columns: the left's, then the right's less the key columns that
    have the same name. Nulls: a null key matches nothing unless `nulls_match`.
    Raises: a blow-up or a broken `cardinality` stops the run with the keys at fault.
    """

    operator: Literal["join"] = "join"
    left: SourceId
    right: SourceId
    how: Literal["inner", "left", "right", "full", "semi", "anti", "cross"] = Field(
        default="inner", description="which rows are kept; semi and anti only filter the left ones"
    )
    on: tuple[ColumnName | Pair, ...] = Field(
        default=(), description="keys: a common column, or a pair"
    )
    where: str | None = Field(
        default=None, description='a further condition, columns written "left".x and "right".y'
    )
    suffix: str = Field(default="", description="added to right columns whose name is taken")
    nulls_match: bool = Field(default=False, description="null keys match each other")
    cardinality: Literal["1:1", "1:n", "n:1", "n:n"] | None = Field(
        default=None, description="how many rows of each side share a key; checked before joining"
    )

    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            before=([{"k": "a", "x": 1}, {"k": "b", "x": 2}, {"k": None, "x": 3}],
                    [{"k": "a", "y": 7}, {"k": None, "y": 8}]),
            settings={"how": "left", "on": ["k"]},
            after=[{"k": "a", "x": 1, "y": 7}, {"k": "b", "x": 2, "y": None},
                   {"k": None, "x": 3, "y": None}],
        ),
        Example(
            before=([{"k": "a"}, {"k": "b"}], [{"k": "b", "y": 1}, {"k": "c", "y": 2}]),
            settings={"how": "full", "on": ["k"]},
            after=[{"k": "a", "y": None}, {"k": "b", "y": 1}, {"k": "c", "y": 2}],
        ),
        Example(
            before=([{"n": 1}, {"n": 9}], [{"low": 0, "high": 5, "band": "few"}]),
            settings={"how": "left", "where": '"left".n BETWEEN "right".low AND "right".high'},
            after=[{"n": 1, "low": 0, "high": 5, "band": "few"},
                   {"n": 9, "low": None, "high": None, "band": None}],
        ),
        Example(
            before=([{"k": "a"}, {"k": "b"}], [{"j": "A"}]),
            settings={"how": "anti", "on": [{"left": "upper(k)", "right": "j"}]},
            after=[{"k": "b"}],
        ),
    )  # fmt: skip

    def sources(self) -> tuple[str, ...]:
        return (self.left, self.right)

    def _pairs(self) -> list[tuple[str, str]]:
        quoted = checking.text_column
        return [
            (p.left, p.right) if isinstance(p, Pair) else (quoted(p), quoted(p)) for p in self.on
        ]

    def _merged(self, left: Relation, right: Relation) -> dict[str, str]:
        """Return the right key columns that share their name with the left ones, and those."""
        found: dict[str, str] = {}
        for one, other in self._pairs():
            names = [bare_column(one), bare_column(other)]
            if names[0] and names[1] and names[0].casefold() == names[1].casefold():
                found[exact(names[1], right)] = exact(names[0], left)
        return found

    def _right_names(self, left: Relation, right: Relation) -> dict[str, str]:
        if self.how in ("semi", "anti"):
            return {}
        merged = self._merged(left, right)
        taken = {name.casefold() for name in left.schema.names}
        return {
            name: f"{name}{self.suffix}" if name.casefold() in taken and self.suffix else name
            for name in right.schema.names
            if name not in merged
        }

    def output_names(self, *sources: Relation) -> tuple[ColumnName, ...]:
        return (*sources[0].schema.names, *self._right_names(*sources).values())

    def check(self, *sources: Relation) -> Iterator[WorkflowError]:
        left, right = sources
        for item in self.on:
            if isinstance(item, Pair):
                yield from checking.faults(self, item.left, {"": left}, what="left key")
                yield from checking.faults(self, item.right, {"": right}, what="right key")
            else:
                for side, source in (("left", left), ("right", right)):
                    if fault := self.absent(item, source):
                        fault.what += f" on the {side} side"
                        yield fault
        if self.where is not None:
            both = {"left": left, "right": right}
            yield from checking.faults(self, self.where, both, what="condition")
        yield from self._shape_faults()
        yield from self._name_faults(left, right)

    def _shape_faults(self) -> Iterator[WorkflowError]:
        keyed = bool(self.on or self.where)
        if self.how == "cross" and keyed:
            yield self.fault(
                "a cross join has no keys",
                found="keys or a condition",
                fix='leave out "on" and "where", or choose another "how"',
            )
        if self.how != "cross" and not keyed:
            yield self.fault(
                "the join has no key",
                found="neither on nor where",
                fix='name the key columns in "on", or say "how": "cross"',
            )

    def _name_faults(self, left: Relation, right: Relation) -> Iterator[WorkflowError]:
        taken = {name.casefold() for name in left.schema.names}
        clashes = [n for n in self._right_names(left, right).values() if n.casefold() in taken]
        if clashes:
            yield self.fault(
                "both tables have these columns",
                found=listed(clashes),
                fix='set "suffix", or rename or drop them before the join',
            )

    def query(self, *sources: Relation) -> Compiled:
        left, right = sources
        selected = self._selected(left, right)
        order = list(left.order)
        selected += left.helpers("left")
        if self.how not in ("semi", "anti") and not self._finds_one():
            taken = {*self.output_names(left, right), *left.hidden.names}
            for key in right.order:
                name = fresh(f"__{key.column.removeprefix('__')}", taken)
                taken.add(name)
                selected.append(named(column(key.column, "right"), name))
                order.append(Key(name, key.descending))
        select = exp.select(*selected).from_(left.table("left"), copy=False)
        kind = {"full": "full outer", "cross": "cross"}.get(self.how, self.how)
        condition = self._condition(left, right)
        return Compiled(
            select.join(right.table("right"), on=condition, join_type=kind), tuple(order)
        )

    def _finds_one(self) -> bool:
        """Tell whether the left rows' order is total already: each finds one row at most."""
        promised = (self.cardinality or "").endswith("1") and bool(self.on)
        return promised and self.how in ("inner", "left")

    def _selected(self, left: Relation, right: Relation) -> list[exp.Expr]:
        merged = {mine: other for other, mine in self._merged(left, right).items()}
        selected: list[exp.Expr] = []
        for name in left.schema.names:
            value: exp.Expr = column(name, "left")
            if name in merged and self.how in ("right", "full"):
                value = exp.Coalesce(this=value, expressions=[column(merged[name], "right")])
            selected.append(named(value, name))
        for name, shown in self._right_names(left, right).items():
            selected.append(named(column(name, "right"), shown))
        return selected

    def _sides(self, left: Relation, right: Relation) -> tuple[Side, Side]:
        pairs = self._pairs()
        ones = tuple(canonical(one, {"": left}) for one, _ in pairs)
        others = tuple(canonical(other, {"": right}) for _, other in pairs)
        return Side("left", left, ones), Side("right", right, others)

    def _condition(self, left: Relation, right: Relation) -> exp.Expr | None:
        one, other = self._sides(left, right)
        same = exp.NullSafeEQ if self.nulls_match else exp.EQ
        terms: list[exp.Expr] = [
            same(this=mine, expression=theirs)
            for mine, theirs in zip(one.qualified(), other.qualified(), strict=True)
        ]
        if self.where is not None:
            tree = canonical(self.where, {"left": left, "right": right})
            terms.append(exp.paren(tree))
        return exp.and_(*terms) if terms else None

    def forecast(self, *sources: Relation) -> Iterator[Fact]:
        """Yield how many keys occur more than once on each side, and the rows to come."""
        if self.on and (self.cardinality or self.where is None):
            sides = self._sides(*sources)
            yield from forecast(*sides, nulls=self.nulls_match, promise=self.cardinality or "")

    def judge(self, figures: Mapping[str, Any], rows: Sequence[int]) -> WorkflowError | None:
        """Stop on a broken promise, and on a blow-up that nobody promised."""
        return judged(self, figures, rows, promise=self.cardinality or "")

    def rows_told(self, figures: Mapping[str, Any], rows: Sequence[int]) -> int | None:
        """Return the left table's rows where each finds at most one match and stays."""
        return rows[0] if self.how == "left" and self.local(figures) else None

    def local(self, figures: Mapping[str, Any], *sources: Relation) -> bool:
        once = self.where is None and figures.get("right_keys_repeated") == 0
        return self.how in ("semi", "anti") or (self.how in ("left", "inner") and once)

    def facts(self, result: Relation, *sources: Relation) -> Iterator[Fact]:
        """Yield the rows without a match on each side, with examples of their keys."""
        condition = self._condition(*sources)
        if condition is not None:
            left, right = self._sides(*sources)
            sides = [left] if self.how in ("semi", "anti") else [left, right]
            others = [right, left][: len(sides)]
            yield from unmatched(sides, others, condition)
