"""Macros: functions of our own, one file each, with the same meaning on every engine.

`MACROS` holds them by name, the ones of outside packages (entry points `prepwright.macros`) too.
"""

import pkgutil
from importlib import import_module
from importlib.metadata import entry_points

from prepwright.functions.macro import Macro


def _discover() -> dict[str, Macro]:
    found: dict[str, Macro] = {}
    modules = [import_module(f"{__name__}.{item.name}") for item in pkgutil.iter_modules(__path__)]
    outside = [point.load() for point in entry_points(group="prepwright.macros")]
    for module in [*modules, *outside]:
        macro: Macro = module.MACRO
        assert macro.name not in found, f"two macros are called {macro.name!r}"
        found[macro.name] = macro
    return found


MACROS: dict[str, Macro] = _discover()
