"""The eleven operators, one file each. `OPERATORS` holds their classes by name."""

import pkgutil
from importlib import import_module
from importlib.metadata import entry_points

from prepwright.workflow.operator import Operator


def _discover() -> dict[str, type[Operator]]:
    found: dict[str, type[Operator]] = {}
    names = [module.name for module in pkgutil.iter_modules(__path__)]
    modules = [import_module(f"{__name__}.{name}") for name in names]
    modules += [point.load() for point in entry_points(group="prepwright.operators")]
    for module in modules:
        name = module.__name__.rpartition(".")[2]
        operator: type[Operator] = getattr(module, name.title().replace("_", ""))
        assert name not in found, f"two operators are called {name!r}"
        found[name] = operator
    return found


OPERATORS: dict[str, type[Operator]] = _discover()
