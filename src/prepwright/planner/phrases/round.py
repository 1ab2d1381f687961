"""Round numbers."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from prepwright.planner.language.grammar import RULES
from prepwright.planner.steps.draft import Draft, Refusal, ident
from prepwright.planner.steps.meaning import Action
from prepwright.planner.steps.typing import number_column


@RULES.rule(
    "clause",
    "%round <numcols> [column | value] [to | at] [nearest] <n> (decimal | decimal place | place | "
    "digit | decimal digit)",
    "%round <numcols> [to] [nearest] (whole number | integer | unit | whole)",
    "%round <numcols>",
    "%round [every] (number | numeric column | value | amount) [to] <n> (decimal | decimal place "
    "| place | digit)",
    "%round [it | them | result] [to] <n> (decimal | decimal place | place | digit)",
    "%round <numcols> off to <n> (decimal | decimal place)",
)
def round_numbers(numcols: tuple[str, ...] = (), n: int = 0) -> Action:
    def action(draft: Draft) -> str:
        names = list(numcols) or [col.name for col in draft.view.columns if col.type == "DOUBLE"]
        if not names:
            raise Refusal("no column holds fractions: say which is rounded")
        for name in names:
            number_column(draft, name)
        values = {name: f"round({ident(name)}, {n})" for name in names}
        draft.derive(values, dict.fromkeys(values, "DOUBLE"), "rounded")
        return f"{', '.join(names)} to {n} decimals"

    return action
