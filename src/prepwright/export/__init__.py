"""Workflows as code, diagrams, lists and records: one file for each target."""

from prepwright.export.escaping import one_line

__all__ = ["one_line"]
