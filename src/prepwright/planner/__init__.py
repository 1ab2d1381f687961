"""Plain English to a workflow, by a grammar and a lexicon; no model, no network."""

from prepwright.planner.facts.columns import Profiles, profiled
from prepwright.planner.outcome import Choice, Notice, Option, Plan, Sentence
from prepwright.planner.plan import plan

__all__ = ["Choice", "Notice", "Option", "Plan", "Profiles", "Sentence", "plan", "profiled"]
