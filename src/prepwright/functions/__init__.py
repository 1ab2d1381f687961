"""Functions that expressions may call: the catalogue of the dialect's own, and our macros."""

from prepwright.functions.catalogue import AGGREGATES, FUNCTIONS
from prepwright.functions.macro import Macro
from prepwright.functions.macros import MACROS

__all__ = ["AGGREGATES", "FUNCTIONS", "MACROS", "Macro", "definitions"]


def definitions() -> list[str]:
    """Return the statements that define every macro, each after those it calls."""
    done: dict[str, str] = {}

    def add(macro: Macro) -> None:
        for name in macro.inside:
            add(MACROS[name])
        done.setdefault(macro.name, macro.definition())

    for macro in MACROS.values():
        add(macro)
    return list(done.values())
