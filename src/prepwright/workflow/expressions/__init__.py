"""Expressions: read from text, checked, and made to mean the same on every engine."""
