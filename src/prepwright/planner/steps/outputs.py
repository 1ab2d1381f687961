"""Close a plan: the tables that were asked for become outputs."""

from dataclasses import replace

from prepwright.planner.facts.columns import View
from prepwright.planner.steps.draft import State, Step


def finished(state: State) -> State:
    """Return the plan with an output step for each table that was worked on and not saved."""
    saved = [step for step in state.steps if step["operator"] == "output"]
    open_views = [view for view in state.views if _wanted(view, state)]
    steps = list(state.steps)
    taken = {step["name"] for step in saved}
    number = 0
    for view in open_views:
        number += 1
        while f"output_{number:02}.csv" in taken:
            number += 1
        name = f"output_{number:02}.csv"
        steps.append(_output(view, name, state))
        taken.add(name)
    return replace(state, steps=tuple(steps))


def _wanted(view: View, state: State) -> bool:
    if view.saved:
        return False
    return view.touched or view.name == state.focus


def _output(view: View, name: str, state: State) -> Step:
    ids = {step["id"] for step in state.steps}
    base = name.rsplit(".", 1)[0]
    step_id = base if base not in ids else f"{base}_file"
    return {"id": step_id, "operator": "output", "input": view.step, "name": name}
