"""What `--json` prints: the same facts as the screen, for machines."""

from typing import Any

from prepwright.asking import Question
from prepwright.planner import Plan
from prepwright.planner.outcome import Option
from prepwright.preparing.folder import OWN, Written
from prepwright.preparing.job import Job
from prepwright.preparing.settling import Settled

Data = dict[str, Any]


def planned(job: Job, plan: Plan) -> Data:
    """Return what was read and understood."""
    rows = job.trials.rows()
    return {
        "reading": [
            {
                "table": name,
                "path": str(table.reading.path) if table.reading.path else None,
                "rows": rows[name] if job.trials.complete else None,
                "columns": list(table.schema.names),
                "notes": list(table.reading.notes),
            }
            for name, table in job.tables.items()
        ],
        "understood": [
            {
                "text": one.text,
                "span": list(one.span),
                "understood": one.understood,
                "meaning": one.meaning,
                "steps": list(one.step_ids),
                "help": one.help,
            }
            for one in plan.sentences
        ],
        "noticed": [
            {"text": one.text, "step": one.step, "choice": one.choice} for one in plan.notices
        ],
    }


def settled(made: Settled) -> Data:
    """Return the questions that are open, and the choices that need no answer."""
    return {
        "questions": [question(one) for one in made.left_open],
        "settled": [question(one) for one in made.measured.settled],
    }


def question(one: Question) -> Data:
    """Return a question with the effect of each option."""
    choice = one.choice
    return {
        "id": choice.id,
        "kind": choice.kind,
        "question": choice.question,
        "evidence": choice.evidence,
        "default": choice.default,
        "chosen": choice.chosen,
        "chosen_by": choice.chosen_by,
        "settled": one.settled,
        "rows": one.rows,
        "changes": one.touched,
        "options": [_option(one, option) for option in choice.options],
    }


def _option(one: Question, option: Option) -> Data:
    effect = one.effects.get(option.id)
    made: Data = {"id": option.id, "label": option.label, "effect": one.said(option)}
    if effect and not effect.failed:
        made |= {
            "changed": effect.changed,
            "added": effect.added,
            "removed": effect.removed,
            "moved": effect.moved,
            "columns": list(effect.other_columns),
            "before": list(effect.before) if effect.before else None,
            "after": list(effect.after) if effect.after else None,
        }
    return made


def written(made: Written) -> Data:
    """Return what a run has left."""
    return {
        "out": str(made.out),
        "outputs": [
            {
                "name": one.name,
                "path": str(made.out / one.name),
                "rows": one.rows,
                "columns": list(one.columns),
                "sha256": one.sha256,
            }
            for one in made.account.outputs
        ],
        "files": list(OWN),
        "removed": list(made.removed),
    }
