"""What a macro is: a named expression with parameters, defined once in the expression dialect."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Macro:
    """A function defined by an expression over its parameters.

    `defaults` gives optional parameters their value as SQL text. `inside` names macros that `body`
    calls. `examples` are calls with their results: documentation and cross-engine test in one.
    """

    name: str
    parameters: tuple[str, ...]
    body: str
    says: str
    examples: tuple[tuple[str, Any], ...]
    defaults: tuple[tuple[str, str], ...] = ()
    inside: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """Return the call as documentation shows it."""
        known = dict(self.defaults)
        shown = [f"{name} := {known[name]}" if name in known else name for name in self.parameters]
        return f"{self.name}({', '.join(shown)})"

    def definition(self) -> str:
        """Return the statement that defines the macro in the expression dialect."""
        return f"CREATE OR REPLACE TEMP MACRO {self.signature} AS {self.body}"
