"""Workflows: a DAG of steps that is checked, compiled to SELECTs, executed and explained."""

from prepwright.workflow.model import Workflow
from prepwright.workflow.operator import NamedValue, Operator, Origin
from prepwright.workflow.operators import OPERATORS
from prepwright.workflow.report import Progress, Run, Settings, StepFacts
from prepwright.workflow.run import run
from prepwright.workflow.staging import staged
from prepwright.workflow.validation import validate

__all__ = [
    "OPERATORS", "NamedValue", "Operator", "Origin", "Progress", "Run", "Settings", "StepFacts",
    "Workflow", "run", "staged", "validate",
]  # fmt: skip
