"""ledger.md: every choice of a run with its evidence, for a person who was not there."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from prepwright.export import steps
from prepwright.export.account import Account, Entry
from prepwright.export.escaping import code, markdown, one_line
from prepwright.workflow import StepFacts

TITLE = "# Ledger"
_RUNS_KEPT = 20
_FORMER_BYTES = 4 << 20
_EXAMPLES = 5
_MARK = "\n## Run of "

_FIGURES = {
    "left_unmatched": "rows of the left table without a match",
    "right_unmatched": "rows of the right table without a match",
    "left_keys_repeated": "keys more than once on the left",
    "right_keys_repeated": "keys more than once on the right",
    "keys_repeated": "keys that occurred more than once",
    "condition_null": "rows left out because the condition was neither true nor false",
    "rows_to_come": "rows that the matching keys make",
}


def ledger(account: Account) -> str:
    """Return the section of one run, without the title."""
    lines = [f"## Run of {account.when} ({account.verb})", ""]
    if request := account.run.workflow.request:
        lines += [f"> {markdown(request)}", ""]
    for drift in account.drift:
        lines.append(f"- **Changed since the recorded run:** {markdown(drift)}")
    for part in (_read, _understood, _choices, _noticed, _rows, _results):
        lines += part(account)
    return "\n".join(lines).rstrip() + "\n"


def with_former(section: str, path: Path) -> str:
    """Return the whole ledger: this run first, then those that the file at `path` holds."""
    former = ""
    if path.is_file() and path.stat().st_size <= _FORMER_BYTES:
        former = path.read_text(encoding="utf-8", errors="replace")
    runs = former.split(_MARK)[1:_RUNS_KEPT]
    older = "".join(f"{_MARK}{run.rstrip()}\n" for run in runs)
    return f"{TITLE}\n\n{section}{older}"


def _read(account: Account) -> Iterator[str]:
    yield "### Read"
    yield ""
    rows = {facts.id: facts for facts in account.run.steps}
    for step in account.run.workflow.steps:
        table = account.tables.get(getattr(step, "table", ""))
        if table is None or step.id not in rows:
            continue
        facts = rows[step.id]
        place = code(table.reading.path) if table.reading.path else "a table in memory"
        size = f"{facts.rows:,} rows × {len(facts.columns)} columns"
        yield f"- {code(table.name)}: {place}, {size}"
        for note in table.reading.notes:
            yield f"  - {markdown(note)}"
        if table.reading.sha256:
            yield f"  - sha256 {table.reading.sha256}"
    yield ""


def _understood(account: Account) -> Iterator[str]:
    if not account.sentences and not account.strange:
        return
    yield "### Understood"
    yield ""
    for number, (said, meaning) in enumerate(account.sentences, 1):
        yield f"{number}. {markdown(said)} → {markdown(meaning)}"
    for said, why in account.strange:
        yield f"- **Not understood:** {markdown(said)}: {markdown(why)}"
    yield ""


def _choices(account: Account) -> Iterator[str]:
    yield "### Choices"
    yield ""
    if not account.entries:
        yield "None: nothing was left open."
    for entry in account.entries:
        yield from _choice(entry)
    yield ""


def _choice(entry: Entry) -> Iterator[str]:
    reason = f" ({markdown(entry.reason)})" if entry.reason else ""
    yield f"- **{markdown(entry.question)}** {markdown(entry.chosen)}"
    yield f"  - chosen by: {entry.by}{reason}; {markdown(entry.kind)}; id {code(entry.id)}"
    yield f"  - evidence: {markdown(entry.evidence)}"
    for label, effect in entry.others:
        yield f"  - otherwise {markdown(label)}: {markdown(effect)}"


def _noticed(account: Account) -> Iterator[str]:
    if not account.notices:
        return
    yield "### Noticed and applied"
    yield ""
    for notice in account.notices:
        yield f"- {markdown(notice)}"
    yield ""


def _rows(account: Account) -> Iterator[str]:
    yield "### What happened to the rows"
    yield ""
    by_id = {step.id: step for step in account.run.workflow.steps}
    said = False
    for facts in account.run.steps:
        lines = list(_step(facts, account))
        if lines and not by_id[facts.id].off:
            what = markdown(steps.what(by_id[facts.id]), 200)
            before = " + ".join(f"{count:,}" for count in facts.rows_in)
            head = f"- step {facts.number} {code(facts.id)} {facts.operator}: {what}"
            yield f"{head}; {before} → {facts.rows:,} rows"
            yield from lines
            said = True
    if not said:
        yield "No step left rows out, joined, or failed to read a value."
    yield ""


def _step(facts: StepFacts, account: Account) -> Iterator[str]:
    gone = sum(facts.rows_in) - facts.rows
    leaves_out = facts.operator in ("filter", "dedup", "sort", "union") and gone > 0
    if leaves_out:
        yield f"  - {gone:,} row{'s' * (gone != 1)} left out"
    for name, value in facts.figures.items():
        if name.endswith("_examples") or not value:
            continue
        label = _FIGURES.get(name, "")
        if name.startswith("unread:"):
            label = f"values of {name.removeprefix('unread:')} could not be read and are empty"
        examples = facts.figures.get(f"{name}_examples")
        shown = f": {_shown(examples)}" if isinstance(examples, list) and examples else ""
        yield f"  - {value:,.0f} {markdown(label or name)}{shown}"
    if facts.operator == "join" and not facts.figures:
        yield "  - no key was counted"
    for row in account.lost.get(facts.id, ()):
        yield f"  - {markdown(row, 240)}"


def _shown(examples: list[dict[str, Any]]) -> str:
    said = [" / ".join(one_line(value, 40) for value in row.values()) for row in examples]
    return ", ".join(code(text) for text in said[:_EXAMPLES])


def _results(account: Account) -> Iterator[str]:
    yield "### Results"
    yield ""
    for output in account.outputs:
        size = f"{output.rows:,} rows × {len(output.columns)} columns"
        yield f"- {code(output.name)}: {size}, sha256 {output.sha256}"
