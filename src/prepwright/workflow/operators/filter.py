"""Filter: keep the rows for which a condition holds."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field
from sqlglot import exp

from prepwright.errors import WorkflowError
from prepwright.tables import ColumnName
from prepwright.workflow.expressions import checking
from prepwright.workflow.expressions.canonical import canonical
from prepwright.workflow.operator import (
    Compiled,
    Example,
    Fact,
    Operator,
    Relation,
    SourceId,
    named,
)


class Filter(Operator):
    """Keep the rows for which `where` is true; false and null are left out.

    Rows: some of the input's, in order. Columns: unchanged.
    """

    operator: Literal["filter"] = "filter"
    input: SourceId
    where: str = Field(description="a condition over the columns of the input")

    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            before=([{"a": 1}, {"a": 5}, {"a": None}],),
            settings={"where": "a > 2"},
            after=[{"a": 5}],
        ),
        Example(
            before=([{"a": 1}, {"a": 5}, {"a": 3}],),
            settings={"where": "rank() OVER (ORDER BY a DESC) <= 2"},
            after=[{"a": 5}, {"a": 3}],
        ),
    )

    def sources(self) -> tuple[str, ...]:
        return (self.input,)

    def output_names(self, *sources: Relation) -> tuple[ColumnName, ...]:
        return sources[0].schema.names

    def keeps_own_table(self) -> bool:
        return "over" in self.where.lower()

    def local(self, figures: Mapping[str, Any], *sources: Relation) -> bool:
        return not self.keeps_own_table()

    def check(self, *sources: Relation) -> Iterator[WorkflowError]:
        yield from checking.faults(self, self.where, {"": sources[0]}, what="condition")

    def _condition(self, source: Relation) -> exp.Expr:
        return canonical(self.where, {"": source})

    def query(self, *sources: Relation) -> Compiled:
        source = sources[0]
        select = exp.select(*source.columns(), *source.helpers()).from_(source.table(), copy=False)
        condition = self._condition(source)
        windowed = condition.find(exp.Window) is not None
        return Compiled(
            select.qualify(condition) if windowed else select.where(condition), source.order
        )

    def facts(self, result: Relation, *sources: Relation) -> Iterator[Fact]:
        """Yield how many rows went because the condition was null, not false."""
        source = sources[0]
        condition = self._condition(source)
        if condition.find(exp.Window):
            return
        unknown = exp.Is(this=exp.paren(condition), expression=exp.Null())
        count = named(exp.Count(this=exp.Star()), "condition_null")
        yield Fact(exp.select(count).from_(source.table(), copy=False).where(unknown))
