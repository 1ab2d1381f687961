"""The result of a request in Python: tables, steps, choices, and how to do it again."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from prepwright.asking import Question
from prepwright.errors import InputError, listed
from prepwright.export.mermaid import mermaid
from prepwright.export.text import text
from prepwright.planner import Sentence
from prepwright.preparing import display
from prepwright.preparing.folder import Means, Told, Written, run_in_memory, write_folder
from prepwright.preparing.inputs import bound
from prepwright.tables import Table
from prepwright.workflow import Run, Workflow

if TYPE_CHECKING:
    import pandas  # noqa: TID251 - for type checkers alone


@dataclass(frozen=True)
class Result:
    """What `prepare` gives. It shows its tables, steps and choices in a notebook.

    `questions` are the choices that change the result and were left to their default.
    """

    run: Run
    inputs: Mapping[str, Table]
    told: Told = field(default_factory=Told)
    sentences: tuple[Sentence, ...] = ()
    questions: tuple[Question, ...] = ()
    means: Means = field(default_factory=Means, repr=False)
    written: Written | None = None

    @property
    def workflow(self) -> Workflow:
        return self.run.workflow

    @cached_property
    def tables(self) -> Mapping[str, pa.Table]:
        """The outputs by file name, in memory."""
        if self.run.outputs or not self.run.rows:
            return self.run.outputs
        return run_in_memory(self.workflow, self.inputs, self.means).outputs

    @property
    def table(self) -> pa.Table:
        """The one output.

        Raises: `InputError` when there are several.
        """
        if len(self.tables) != 1:
            raise InputError(
                f"there are {len(self.tables)} outputs",
                where="result",
                found=listed(self.tables),
                fix="take one by its name: result.tables[name]",
            )
        return next(iter(self.tables.values()))

    def to_pandas(self) -> "pandas.DataFrame":
        """Return the one output as a data frame."""
        return self.table.to_pandas()

    @property
    def ledger(self) -> str:
        """The ledger in Markdown: every choice, and what happened to the rows."""
        return (
            self.written.ledger
            if self.written
            else display.ledger_text(self.run, self.inputs, self.told)
        )

    def explain(self) -> str:
        """Return the steps as a list that reads well."""
        return text(self.workflow, self.run)

    def diagram(self) -> str:
        """Return the steps as a Mermaid diagram."""
        return mermaid(self.workflow, self.run)

    def save(self, out: str | Path) -> Path:
        """Write the outputs, workflow, code, ledger and record into a folder; return it."""
        return write_folder(Path(out), self.workflow, self.inputs, self.means, self.told).out

    def refresh(self, files: Mapping[str, str | Path] | None = None) -> "Result":
        """Return the result of the same workflow on other files; unnamed ones are read anew."""
        paths: dict[str, Any] = {
            name: table.reading.path for name, table in self.inputs.items() if table.reading.path
        }
        paths.update({name: Path(path) for name, path in (files or {}).items()})
        kept = {name: table for name, table in self.inputs.items() if name not in paths}
        tables = {**kept, **bound(_only(self.workflow, kept), paths)} if paths else kept
        told = replace(self.told, verb="run")
        return Result(
            run_in_memory(self.workflow, tables, self.means), tables, told, self.sentences,
            self.questions, self.means,
        )  # fmt: skip

    def __repr__(self) -> str:
        return display.as_text(self.run, self.tables, self.told.entries)

    def _repr_html_(self) -> str:
        return display.as_html(self.run, self.tables, self.told.entries)


def _only(workflow: Workflow, kept: Mapping[str, Table]) -> Workflow:
    """Return the workflow without the inputs that stay in memory."""
    steps = tuple(step for step in workflow.steps if getattr(step, "table", None) not in kept)
    return workflow.model_copy(update={"steps": steps})
