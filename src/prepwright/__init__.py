"""prepwright turns messy tables into the tables a person asked for, and shows its work."""

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from prepwright.errors import PrepwrightError
    from prepwright.export.text import text as explain
    from prepwright.preparing import Result, prepare
    from prepwright.reading import read
    from prepwright.workflow import Workflow, run, validate

__all__ = [
    "PrepwrightError", "Result", "Workflow", "explain", "prepare", "read", "run", "validate",
]  # fmt: skip

_HOME = {
    "PrepwrightError": ("prepwright.errors", "PrepwrightError"),
    "Result": ("prepwright.preparing", "Result"),
    "Workflow": ("prepwright.workflow", "Workflow"),
    "explain": ("prepwright.export.text", "text"),
    "prepare": ("prepwright.preparing", "prepare"),
    "read": ("prepwright.reading", "read"),
    "run": ("prepwright.workflow", "run"),
    "validate": ("prepwright.workflow", "validate"),
}
"""Where each public name lives; it is loaded when it is first used, with its data libraries."""


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, inner = _HOME[name]
    return getattr(importlib.import_module(module), inner)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
