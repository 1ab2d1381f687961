"""What an operator is: a step's settings, its checks, its SELECT, and the facts that it owes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from sqlglot import exp

from prepwright.errors import WorkflowError, listed
from prepwright.tables import NO_COLUMNS, RESERVED, ColumnName, Rows, Schema

StepId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,62}$")]


SourceId = Annotated[StepId, Field(description="id of the step that is read")]


class Setting(BaseModel):
    """A frozen group of settings; unknown names are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Origin(Setting):
    """Where a step came from: a span of characters of the request, or of lines of code."""

    request: tuple[int, int] | None = None
    code: tuple[int, int] | None = None


class NamedValue(Setting):
    """A result column: its name and the expression that gives its value."""

    name: str = Field(description="name of the result column")
    value: str = Field(description="one expression over the columns of the input")


@dataclass(frozen=True)
class Key:
    """One column of a row order; nulls come last in both directions."""

    column: ColumnName
    descending: bool = False


Describe = Callable[[exp.Query], Schema]


def _untyped(_query: exp.Query) -> Schema:
    raise LookupError("this relation has no types")


@dataclass(frozen=True)
class Relation:
    """The result of a step, as later steps see it.

    `schema` holds the visible columns, `hidden` the helper columns of the row order. `order` names
    columns that together are unique, so that it is total. `typed` is false where a fault upstream
    left the types unknown; names are then still right.
    """

    name: str
    schema: Schema
    order: tuple[Key, ...]
    hidden: Schema = NO_COLUMNS
    typed: bool = True
    describe: Describe = field(default=_untyped, compare=False, repr=False)

    def table(self, alias: str | None = None) -> exp.Table:
        """Return the table to select from."""
        made = exp.Table(this=exp.to_identifier(self.name, quoted=True))
        if alias:
            made.set("alias", exp.TableAlias(this=exp.to_identifier(alias, quoted=True)))
        return made

    def columns(self, alias: str | None = None) -> list[exp.Expr]:
        """Return every visible column, to be selected."""
        return [column(name, alias) for name in self.schema.names]

    def helpers(self, alias: str | None = None) -> list[exp.Expr]:
        """Return every hidden column, to be selected along."""
        return [column(name, alias) for name in self.hidden.names]

    def ordering(self, alias: str | None = None) -> list[exp.Ordered]:
        """Return the row order as ORDER BY terms, null order stated."""
        return [ordered(column(key.column, alias), descending=key.descending) for key in self.order]

    def type_of(self, *values: exp.Expr) -> tuple[str, ...]:
        """Return the types of expressions over this relation; unknown ones are empty text."""
        if not values or not self.typed:
            return tuple("" for _ in values)
        query = exp.select(*[value.copy().as_(f"v{n}") for n, value in enumerate(values)])
        return tuple(
            item.type for item in self.describe(query.from_(self.table(), copy=False)).columns
        )


def column(name: ColumnName, table: str | None = None) -> exp.Column:
    """Return a quoted column reference."""
    made = exp.Column(this=exp.to_identifier(name, quoted=True))
    if table:
        made.set("table", exp.to_identifier(table, quoted=True))
    return made


def named(value: exp.Expr, name: ColumnName) -> exp.Expr:
    """Return `value AS "name"`."""
    return exp.alias_(value, name, quoted=True)


def ordered(value: exp.Expr, *, descending: bool = False) -> exp.Ordered:
    """Return an ORDER BY term with nulls last, which every engine keeps alike."""
    return exp.Ordered(this=value, desc=descending, nulls_first=False)


def fresh(name: ColumnName, taken: Sequence[ColumnName] | set[ColumnName]) -> ColumnName:
    """Return `name`, or `name_2`, `name_3`, … so that it differs from all that are taken."""
    folded = {known.casefold() for known in taken}
    if name.casefold() not in folded:
        return name
    number = 2
    while f"{name}_{number}".casefold() in folded:
        number += 1
    return f"{name}_{number}"


@dataclass(frozen=True)
class Compiled:
    """One SELECT and the order of its rows. Hidden columns of `order` are among the selected."""

    query: exp.Query
    order: tuple[Key, ...]


@dataclass(frozen=True)
class Fact:
    """A figure that a step owes: a query that gives one row of figures, or rows as examples.

    `when` names an earlier figure that must be above 0 for the query to run at all.
    """

    query: exp.Query
    examples: str = ""
    when: str = ""


@dataclass(frozen=True)
class Passes:
    """Another way to the same rows of a large table: find the few that go, then leave them out.

    `repeated` gives the keys at fault with their number of rows `n`; `dropped` reads it and gives
    the rows that go; `query` reads that. `facts` read `repeated`. The names are those of the two
    tables that are kept on the way.
    """

    names: tuple[str, str]
    repeated: exp.Select
    dropped: exp.Select
    query: exp.Select
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Example:
    """Tables before, settings, and the table after: documentation and conformance test in one."""

    before: Sequence[Rows]
    settings: Mapping[str, Any]
    after: Rows


class Operator(Setting):
    """One step of a workflow. An operator is a subclass in its own file.

    `Rows:` and `Columns:` in its docstring say what happens to the shape.
    """

    id: StepId = Field(description="name of the step, unique in the workflow")
    operator: str = Field(description="which of the operators this step is")
    why: str = Field(default="", description="one line that says why the step is there")
    origin: Origin | None = Field(default=None, alias="from", description="where it came from")
    off: bool = Field(default=False, description="true passes the input through unchanged")

    examples: ClassVar[tuple[Example, ...]] = ()
    fused: ClassVar[bool] = False
    """True where the result need not be kept on its own: it is written into the step after it."""

    def sources(self) -> tuple[StepId, ...]:
        """Return the ids of the steps that this step reads, in the order of `query`'s arguments."""
        raise NotImplementedError

    def output_names(self, *sources: Relation) -> tuple[ColumnName, ...]:
        """Return the names of the visible result columns."""
        raise NotImplementedError

    def check(self, *sources: Relation) -> Iterator[WorkflowError]:
        """Yield every fault of the settings that the sources' columns show."""
        raise NotImplementedError

    def query(self, *sources: Relation) -> Compiled:
        """Return the step as one SELECT over its sources; called when `check` found nothing."""
        raise NotImplementedError

    def unsettled(self, *sources: Relation) -> exp.Query | None:
        """Return a query whose rows settle what only the data can say, or None."""
        return None

    def settled(self, rows: Rows) -> Operator:
        """Return the step with the rows of `unsettled` written into its settings."""
        return self

    def keeps_own_table(self) -> bool:
        """Tell whether the result is kept as a table of its own during a run."""
        return not self.fused

    def rows_of(self, *rows: int) -> int | None:
        """Return the number of result rows where those of the sources tell it, else None."""
        return None

    def rows_told(self, figures: Mapping[str, Any], rows: Sequence[int]) -> int | None:
        """Return the number of result rows where `forecast` and the sources tell it, else None."""
        return self.rows_of(*rows)

    def local(self, figures: Mapping[str, Any], *sources: Relation) -> bool:
        """Tell whether each row of the first source gives one row at most, whatever the others are.

        The first rows of the result are then made of the first rows of that source.
        """
        return self.row_wise(*sources)

    def noted(self, *sources: Relation) -> list[exp.Expr]:
        """Return hidden columns that a kept result gets for `facts` to count, in the same pass."""
        return []

    def passes(self, *sources: Relation) -> Passes | None:
        """Return how to find the rows that the step drops, where they may be few, or None."""
        return None

    def row_wise(self, *sources: Relation) -> bool:
        """Tell whether each result row is made of one source row alone, in the same order."""
        return False

    def facts(self, result: Relation, *sources: Relation) -> Iterator[Fact]:
        """Yield the figures that a step of this kind owes, beyond its number of rows."""
        return iter(())

    def judge(self, figures: Mapping[str, Any], rows: Sequence[int]) -> WorkflowError | None:
        """Return the fault that the figures of `forecast` and the sources' rows show, or None."""
        return None

    def forecast(self, *sources: Relation) -> Iterator[Fact]:
        """Yield figures that `judge` wants before the step is executed."""
        return iter(())

    def fault(self, what: str, *, found: str, fix: str) -> WorkflowError:
        """Return a fault of this step."""
        return WorkflowError(what, where=f"step {self.id} {self.operator}", found=found, fix=fix)

    def absent(self, name: str, source: Relation) -> WorkflowError | None:
        """Return the fault that `name` is no column of the source, or None when it is one."""
        if name in source.schema:
            return None
        guess = source.schema.suggest(name)
        fix = f"did you mean {guess!r}?" if guess else "use one of the columns that are there"
        found = listed(source.schema.names)
        return self.fault(f"no column {name!r}", found=found, fix=fix)

    def clashing(self, names: Sequence[ColumnName]) -> Iterator[WorkflowError]:
        """Yield a fault for each result name that is taken twice, empty, or reserved."""
        seen: dict[str, str] = {}
        for name in names:
            if not name or name.startswith(RESERVED):
                yield self.fault(
                    f"{name!r} cannot name a column",
                    found=f"an empty name or one that starts with {RESERVED!r}",
                    fix="choose another name",
                )
            elif name.casefold() in seen:
                first = seen[name.casefold()]
                yield self.fault(
                    f"two result columns are called {name!r}",
                    found=f"{first!r} and {name!r} (upper and lower case count as the same)",
                    fix="rename or leave out one of them",
                )
            seen.setdefault(name.casefold(), name)


def exact(name: ColumnName, source: Relation) -> ColumnName:
    """Return the column's name as the source spells it."""
    found = source.schema.find(name)
    return found.name if found else name


def carried(
    source: Relation, kept: Mapping[ColumnName, ColumnName], taken: Sequence[ColumnName]
) -> tuple[list[exp.Expr], tuple[Key, ...]]:
    """Return the hidden columns to select so that the source's row order survives a projection.

    `kept` maps source columns that stay unchanged to their result names; `taken` are all visible
    result names.
    """
    selected: list[exp.Expr] = []
    keys: list[Key] = []
    used = set(taken) | set(source.hidden.names)
    for key in source.order:
        if key.column in kept:
            keys.append(replace(key, column=kept[key.column]))
        elif key.column in source.hidden.names:
            selected.append(column(key.column))
            keys.append(key)
        else:
            name = fresh(f"{RESERVED}key", used)
            used.add(name)
            selected.append(named(column(key.column), name))
            keys.append(replace(key, column=name))
    return selected, tuple(keys)
