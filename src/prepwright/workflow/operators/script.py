"""Script: a table made by Python code, where no other operator will do."""

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from prepwright.errors import Unsupported, WorkflowError
from prepwright.tables import ColumnName
from prepwright.workflow.operator import Compiled, Operator, Relation, Setting, SourceId


class ScriptColumn(Setting):
    """A column that the code promises to give."""

    name: str
    type: str = "VARCHAR"


class Script(Operator):
    """Run inline Python that turns the input tables into one table; only inside the sandbox.

    Rows: what the code gives. Columns: exactly those declared. At most 1,500 characters of code.
    Raises: refused when a run begins, because no sandbox is there yet.
    """

    operator: Literal["script"] = "script"
    inputs: tuple[SourceId, ...] = Field(min_length=1, description="the tables, in order")
    code: str = Field(max_length=1500, description="Python that defines transform(table, …)")
    columns: tuple[ScriptColumn, ...] = Field(min_length=1, description="the columns it gives")

    executable: ClassVar[bool] = False

    def sources(self) -> tuple[str, ...]:
        return self.inputs

    def output_names(self, *sources: Relation) -> tuple[ColumnName, ...]:
        return tuple(item.name for item in self.columns)

    def check(self, *sources: Relation) -> Iterator[WorkflowError]:
        try:
            compile(self.code, f"<step {self.id}>", "exec")
        except (SyntaxError, ValueError) as error:
            yield self.fault(
                "the code is not Python", found=str(error), fix="mend the line that is named"
            )
        yield from self.clashing(self.output_names(*sources))

    def query(self, *sources: Relation) -> Compiled:
        raise Unsupported(
            "a script step cannot be executed yet",
            where=f"step {self.id} script",
            found="generated code runs only inside the sandbox, which this version lacks",
            fix="express the step with project, aggregate, join and the other operators",
        )
