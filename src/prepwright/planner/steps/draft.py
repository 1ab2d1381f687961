"""Write the steps of one clause on a copy of the plan so far."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from prepwright.planner.facts.columns import Col, View
from prepwright.planner.outcome import Choice, Notice, Option, Span, settle

Step = dict[str, Any]

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")
_RESERVED = frozenset(
    """
    all analyse analyze and any array as asc asymmetric both case cast check collate
    column constraint create default deferrable desc describe distinct do else end
    except false fetch for foreign from grant group having in initially intersect into
    lateral leading limit not null offset on only or order pivot placing primary qualify
    references returning select show some summarize symmetric table then to trailing
    true union unique unpivot using variadic when where window with left right full
    inner outer join cross between is like values interval at date time timestamp year
    month day hour minute second
    """.split()
)


class Refusal(Exception):
    """A clause that was parsed and cannot be done on these tables; says why and what would do."""


def ident(name: str) -> str:
    """Return a column name as an expression writes it, quoted when it must be."""
    if _PLAIN.fullmatch(name) and name not in _RESERVED:
        return name
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Return a text as an expression writes it."""
    return "'" + text.replace("'", "''") + "'"


@dataclass(frozen=True)
class State:
    """The plan after some clauses: the steps, the tables as they are now, and what stayed open."""

    views: tuple[View, ...]
    steps: tuple[Step, ...] = ()
    choices: tuple[Choice, ...] = ()
    notices: tuple[Notice, ...] = ()
    focus: str = ""

    def view(self, name: str) -> View:
        return next(view for view in self.views if view.name == name)


@dataclass
class Draft:
    """A plan being written: phrases add steps to the table in `target`."""

    state: State
    answers: Mapping[str, str]
    request: str
    span: Span
    target: str
    made: list[str] = field(default_factory=list[str])

    @property
    def view(self) -> View:
        return self.state.view(self.target)

    def replace_view(self, view: View, *, name: str = "") -> None:
        """Put a view in the place of the one of that name (the target's, when not given)."""
        old = name or self.target
        views = tuple(view if one.name == old else one for one in self.state.views)
        self.state = replace(self.state, views=views)

    def step(self, operator: str, hint: str, gives: Sequence[Col], /, **settings: Any) -> str:
        """Add a step that takes the target view as its input; `gives` are its result's columns."""
        made = self.add(operator, hint, {"input": self.view.step, **settings})
        self.replace_view(
            replace(self.view, step=made, columns=tuple(gives), touched=True, saved=False)
        )
        return made

    def add(self, operator: str, hint: str, settings: Mapping[str, Any], why: str = "") -> str:
        """Add a step as it is, and return its id."""
        name = self._free_id(hint)
        reason = why or " ".join(self.request[slice(*self.span)].split())
        step: Step = {"id": name, "operator": operator, **settings}
        if "why" not in step:
            step["why"] = reason
        step["from"] = {"request": list(self.span)}
        self.state = replace(self.state, steps=(*self.state.steps, step))
        self.made.append(name)
        return name

    def _free_id(self, hint: str) -> str:
        base = re.sub(r"\W+", "_", hint, flags=re.ASCII).strip("_") or "step"
        base = base if base[0].isalpha() else f"step_{base}"
        taken = {step["id"] for step in self.state.steps}
        name, number = base, 1
        while name in taken:
            number += 1
            name = f"{base}_{number}"
        return name

    def derive(
        self, values: Mapping[str, str], types: Mapping[str, str], hint: str, **extra: Any
    ) -> str:
        """Add a step that keeps every column and derives or replaces the given ones."""
        kept = [
            Col(col.name, types[col.name]) if col.name in values else col
            for col in self.view.columns
        ]
        names = set(self.view.names)
        kept += [Col(name, types[name]) for name in values if name not in names]
        items = [{"name": name, "value": value} for name, value in values.items()]
        made = self.step("project", hint, kept, columns=items, others=True, **extra)
        self.replace_view(replace(self.view, topic=tuple(values)))
        return made

    def with_facts(self, name: str, facts: Any) -> None:
        """State what is known of a column that a step has just changed."""
        columns = tuple(
            replace(col, facts=facts) if col.name == name else col for col in self.view.columns
        )
        self.replace_view(replace(self.view, columns=columns))

    def choose(
        self,
        choice_id: str,
        kind: str,
        question: str,
        options: Sequence[tuple[str, str]],
        *,
        default: str,
        evidence: str,
    ) -> str:
        """Settle a choice by the answers or its default, record it, and return the option's id."""
        made = choice(
            choice_id, kind, question, options, default=default, evidence=evidence,
            span=self.span, answers=self.answers,
        )  # fmt: skip
        self.record([made])
        return made.chosen

    def record(self, choices: Sequence[Choice]) -> None:
        """Record choices that were settled elsewhere; one of the same id is recorded once."""
        known = {one.id for one in self.state.choices}
        fresh = tuple(one for one in choices if one.id not in known)
        self.state = replace(self.state, choices=(*self.state.choices, *fresh))

    def notice(self, text: str, *, step: str = "", choice: str = "") -> None:
        if all(one.text != text for one in self.state.notices):
            notices = (*self.state.notices, Notice(text, step, choice))
            self.state = replace(self.state, notices=notices)


def choice(
    choice_id: str,
    kind: str,
    question: str,
    options: Sequence[tuple[str, str]],
    *,
    default: str,
    evidence: str,
    span: Span,
    answers: Mapping[str, str],
) -> Choice:
    """Return a choice, settled by the answers or by its default."""
    choice_id = re.sub(r"\W+", "_", choice_id).strip("_")
    known = tuple(Option(name, label) for name, label in options)
    answered = settle(choice_id, known, answers)
    chosen = answered or default
    by = "answer" if answered else "default"
    return Choice(choice_id, kind, question, known, default, evidence, span, chosen, by)
