"""run.json: what a run was made of, for machines and for doing it again."""

import json
import os
import platform
from pathlib import Path
from typing import Any

from prepwright.export.account import Account
from prepwright.tables import Table

VERSION = 1


def record(account: Account, out: Path) -> str:
    """Return the record as JSON; paths of inputs are absolute, and relative to the results."""
    run = account.run
    data: dict[str, Any] = {
        "record": VERSION,
        "prepwright": account.version,
        "python": platform.python_version(),
        "engine": {"name": run.engine, "version": run.version},
        "verb": account.verb,
        "when": account.when,
        "request": run.workflow.request,
        "answers": dict(account.answers),
        "inputs": [_input(name, table, account, out) for name, table in account.tables.items()],
        "outputs": [
            {
                "name": output.name,
                "rows": output.rows,
                "columns": list(output.columns),
                "bytes": output.size,
                "sha256": output.sha256,
            }
            for output in account.outputs
        ],
        "choices": [
            {
                "id": entry.id,
                "kind": entry.kind,
                "question": entry.question,
                "chosen": entry.chosen,
                "by": entry.by,
                "evidence": entry.evidence,
                "others": [list(pair) for pair in entry.others],
                "reason": entry.reason,
            }
            for entry in account.entries
        ],
        "steps": [
            {
                "id": facts.id,
                "operator": facts.operator,
                "number": facts.number,
                "rows_in": list(facts.rows_in),
                "rows": facts.rows,
                "columns": [{"name": one.name, "type": one.type} for one in facts.columns],
                "seconds": round(facts.seconds, 4),
                "figures": dict(facts.figures),
            }
            for facts in run.steps
        ],
        "drift": list(account.drift),
        "seconds": round(run.seconds, 4),
    }
    return json.dumps(data, indent=2, ensure_ascii=False, default=str) + "\n"


def _input(name: str, table: Table, account: Account, out: Path) -> dict[str, Any]:
    ids = {getattr(step, "table", ""): step.id for step in account.run.workflow.steps}
    facts = next((one for one in account.run.steps if one.id == ids.get(name)), None)
    path = table.reading.path.absolute() if table.reading.path else None
    return {
        "name": name,
        "path": str(path) if path else None,
        "relative": os.path.relpath(path, out.absolute()) if path else None,
        "sha256": table.reading.sha256,
        "rows": facts.rows if facts else None,
        "columns": [{"name": one.name, "type": one.type} for one in table.schema.columns],
        "reading": dict(table.reading.options),
        "notes": list(table.reading.notes),
    }
