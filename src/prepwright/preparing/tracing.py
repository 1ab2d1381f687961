"""Which rows of which file a step left out: the workflow again, row numbers carried along."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from prepwright.errors import PrepwrightError
from prepwright.export.escaping import one_line
from prepwright.preparing.trials import SampleTrials
from prepwright.tables import Table
from prepwright.workflow import Run, StepFacts, Workflow
from prepwright.workflow.compile import ancestors, sorted_steps
from prepwright.workflow.operators.input import Input

_EXAMPLES = 5
_CELLS = 8

Steps = list[dict[str, Any]]


def lost_rows(
    run: Run, tables: Mapping[str, Table], trials: SampleTrials
) -> dict[str, tuple[str, ...]]:
    """Return example rows, with file and line, for steps that left some out or could not read them.

    Steps whose rows stem from several rows of a file each (after an aggregate, say) have none.
    """
    read = [facts.rows for facts in run.steps if facts.operator == "input"]
    if max(read, default=0) > trials.sample_rows:
        return {}
    trials.samples()
    if not trials.complete:
        return {}
    carrier = _Carrier(run, tables)
    try:
        wanted = carrier.questions()
        if not wanted:
            return {}
        workflow = Workflow.model_validate({"version": 1, "steps": carrier.pruned()})
        outputs = trials.outputs(workflow)
    except (PrepwrightError, ValueError):
        return {}  # examples are a courtesy: the counts stand without them
    made: dict[str, list[str]] = {}
    for name, (step_id, said) in wanted.items():
        for row in outputs[name].to_pylist():
            made.setdefault(step_id, []).append(f"{said} {carrier.line(row)}")
    return {step_id: tuple(rows) for step_id, rows in made.items()}


class _Carrier:
    """The steps of a run with a column for each input that holds the row's number."""

    def __init__(self, run: Run, tables: Mapping[str, Table]) -> None:
        self.run, self.tables = run, tables
        self.facts: dict[str, StepFacts] = {facts.id: facts for facts in run.steps}
        taken = {column.name.casefold() for facts in run.steps for column in facts.columns}
        self.marks: dict[str, str] = {}
        self.mark_of: dict[str, str] = {}
        for step in run.workflow.steps:
            if isinstance(step, Input) and step.id in self.facts:
                name = f"row of {step.table}"
                while name.casefold() in taken:
                    name += "'"
                taken.add(name.casefold())
                self.marks[name] = step.table
                self.mark_of[step.id] = name
        self.steps: Steps = []
        self.carried: dict[str, tuple[str, ...]] = {}
        self.spoilt: set[str] = set()
        """Steps whose rows are not the run's, since the numbers are among their columns."""
        self.outputs: list[str] = []
        data = {step["id"]: step for step in run.workflow.to_data()["steps"]}
        for step in sorted_steps(run.workflow):
            if step.id in self.facts and step.operator != "output":
                self._add(dict(data[step.id]), step.sources())

    def _add(self, step: dict[str, Any], sources: Sequence[str]) -> None:
        known = [self.carried.get(source, ()) for source in sources]
        if step["operator"] == "input":
            mark = self.mark_of[step["id"]]
            self.steps += [{**step, "id": f"{step['id']}_"[:63]}, {
                "id": step["id"], "operator": "project", "input": f"{step['id']}_"[:63],
                "others": True, "columns": [{"name": mark, "value": "row_number() OVER ()"}],
            }]  # fmt: skip
            self.carried[step["id"]] = (mark,)
            return
        carry = _CARRY.get(step["operator"])
        if step.get("off"):
            carry = _same
        marks = carry(step, known, self.facts) if carry else ()
        self.steps.append(step)
        if marks is None or self.spoilt.intersection(sources):
            self.spoilt.add(step["id"])
        elif marks:
            self.carried[step["id"]] = marks

    def questions(self) -> dict[str, tuple[str, str]]:
        """Add the steps that find rows; return what each output of theirs is about."""
        made: dict[str, tuple[str, str]] = {}
        for step in self.run.workflow.steps:
            facts = self.facts.get(step.id)
            if facts is None or step.off or len(step.sources()) != 1:
                continue
            source, marks = step.sources()[0], self.carried.get(step.id, ())
            if not marks or self.carried.get(source) != marks:
                continue
            if step.operator in ("filter", "sort", "dedup") and facts.rows < facts.rows_in[0]:
                found = {"how": "anti"}
                made[self._ask(step.id, source, marks, found)] = (step.id, "left out:")
            for figure, count in facts.figures.items():
                name = figure.removeprefix("unread:")
                names = [column.name for column in self.facts[source].columns]
                if figure.startswith("unread:") and count and name in names:
                    col, after = _quoted(name), _quoted(f"{name} after")
                    lost = f"{after} IS NULL AND trim(CAST({col} AS VARCHAR)) <> ''"
                    found = {"how": "inner", "suffix": " after", "lost": lost}
                    made[self._ask(step.id, source, marks, found)] = (
                        step.id, f"{name} not read:",
                    )  # fmt: skip
        return made

    def _ask(self, step_id: str, source: str, marks: Sequence[str], found: dict[str, str]) -> str:
        number = len(self.outputs) + 1
        condition = found.pop("lost", "")
        at = f"lost{number}_"
        names = [column.name for column in self.facts[source].columns]
        self.steps.append({
            "id": f"{at}a", "operator": "join", "left": source, "right": step_id,
            "on": list(marks), "nulls_match": True, **found,
        })  # fmt: skip
        if condition:
            self.steps.append(
                {"id": f"{at}b", "operator": "filter", "input": f"{at}a", "where": condition}
            )
        last = f"{at}b" if condition else f"{at}a"
        self.steps += [
            {"id": f"{at}c", "operator": "sort", "input": last, "limit": _EXAMPLES},
            {"id": f"{at}d", "operator": "output", "input": f"{at}c", "name": f"{at}.parquet",
             "columns": [*names, *marks]},
        ]  # fmt: skip
        self.outputs.append(f"{at}d")
        return f"{at}.parquet"

    def pruned(self) -> Steps:
        """Return the steps that the questions rest on."""
        whole = Workflow.model_validate({"version": 1, "steps": self.steps})
        needed = ancestors(whole, self.outputs)
        return [step for step in self.steps if step["id"] in needed]

    def line(self, row: dict[str, Any]) -> str:
        """Return where a found row stands in its file, and its cells."""
        places: list[str] = []
        for name, table in self.marks.items():
            if (number := row.get(name)) is not None:
                places.append(f"{table} line {self.tables[table].reading.line_of(number):,}")
        cells = [value for name, value in row.items() if name not in self.marks]
        shown = ", ".join("" if one is None else one_line(one, 40) for one in cells[:_CELLS])
        return f"{' with '.join(places)}: {shown}{' …' if len(cells) > _CELLS else ''}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


Marks = tuple[str, ...]
Known = Sequence[Marks]
Facts = Mapping[str, StepFacts]


def _same(step: dict[str, Any], known: Known, facts: Facts) -> Marks:
    return known[0]


def _project(step: dict[str, Any], known: Known, facts: Facts) -> Marks:
    if not step.get("others"):
        step["columns"] = [*step.get("columns", ()), *known[0]]
    return known[0]


def _dedup(step: dict[str, Any], known: Known, facts: Facts) -> Marks:
    if not step.get("key"):
        step["key"] = [column.name for column in facts[step["input"]].columns]
    return known[0]


def _union(step: dict[str, Any], known: Known, facts: Facts) -> Marks | None:
    plain = step.get("by", "name") == "name" and step.get("missing", "null") == "null"
    if not plain or step.get("distinct"):
        return None
    return tuple(dict.fromkeys(mark for one in known for mark in one)) if all(known) else ()


def _join(step: dict[str, Any], known: Known, facts: Facts) -> Marks | None:
    left, right = known
    if step.get("how") in ("semi", "anti"):
        return left
    return None if set(left) & set(right) else (*left, *right)


def _pivot(step: dict[str, Any], known: Known, facts: Facts) -> Marks:
    if step["direction"] == "longer":
        if not step.get("columns"):
            step["except"] = [*step.get("except", ()), *known[0]]
        return known[0]
    return ()


_CARRY: dict[str, Callable[[dict[str, Any], Known, Facts], Marks | None]] = {
    "filter": _same, "sort": _same, "project": _project, "dedup": _dedup, "union": _union,
    "join": _join, "pivot": _pivot,
}  # fmt: skip
