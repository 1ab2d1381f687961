"""Report: what a run is told, and what it tells: steps with their facts, and outputs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pyarrow as pa

from prepwright.tables import Column, Rows
from prepwright.workflow.model import Workflow

PAGE_ROWS = 20
LARGE = 100_000


@dataclass(frozen=True)
class StepFacts:
    """What a step did. `figures` are counts by name; those ending in `_examples` are rows.

    Units: `seconds` of wall time, those of fused steps counted with the step they are fused into.
    """

    id: str
    operator: str
    number: int
    rows_in: tuple[int, ...]
    rows: int
    columns: tuple[Column, ...]
    seconds: float
    figures: Mapping[str, Any]
    page: Rows


@dataclass(frozen=True)
class Progress:
    """A sign of life: a step begins or is done."""

    kind: Literal["load", "start", "done"]
    step: str
    operator: str
    number: int
    total: int
    rows: int = 0


@dataclass(frozen=True)
class Settings:
    """How a run is done. `page_rows` rows of each step are kept; `facts` counts what steps owe.

    In tables of `large` rows and more the few rows that a step drops are looked for first.
    """

    facts: bool = True
    page_rows: int = PAGE_ROWS
    large: int = LARGE
    progress: Callable[[Progress], None] = field(default=lambda _event: None, compare=False)


@dataclass(frozen=True)
class Run:
    """A finished run: its workflow with names found in the data filled in, its steps and outputs.

    `outputs` holds the tables in memory, unless they were written; `rows` counts each of them.
    """

    workflow: Workflow
    steps: tuple[StepFacts, ...]
    outputs: Mapping[str, pa.Table]
    rows: Mapping[str, int]
    seconds: float
    engine: str
    version: str

    def step(self, step_id: str) -> StepFacts:
        """Return the facts of one step."""
        return next(step for step in self.steps if step.id == step_id)
