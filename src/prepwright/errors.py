"""Every exception of prepwright, and the three lines that each of them prints."""

import difflib
from collections.abc import Iterable, Sequence

_VALUES_SHOWN = 12
_VALUE_WIDTH = 80
_WHERE_WIDTH = 400

_LIKE = 0.6


def shown(value: object) -> str:
    """Return a value as messages print it: quoted, on one line, cut at 80 characters."""
    text = repr(value)
    return text if len(text) <= _VALUE_WIDTH else f"{text[: _VALUE_WIDTH - 1]}…"


def listed(values: Iterable[object], total: int | None = None) -> str:
    """Return at most 12 values as a list, then how many more there are."""
    known = list(values)
    count = len(known) if total is None else total
    head = ", ".join(shown(value) for value in known[:_VALUES_SHOWN])
    more = count - min(len(known), _VALUES_SHOWN)
    if not head:
        return "nothing"
    return f"{head} and {more:,} more" if more > 0 else head


def closest(name: str, names: Sequence[str], like: float = _LIKE) -> str | None:
    """Return the one of `names` that `name` was most likely meant to be, or None.

    Units: `like` is how alike they must be, 0 to 1 (difflib).
    """
    by_folded = {known.casefold().strip(): known for known in names}
    found = difflib.get_close_matches(name.casefold().strip(), list(by_folded), n=1, cutoff=like)
    return by_folded[found[0]] if found else None


def _cut_front(text: str) -> str:
    return text if len(text) <= _WHERE_WIDTH else f"…{text[1 - _WHERE_WIDTH :]}"


class PrepwrightError(Exception):
    """What went wrong, what was found, and the next move.

    The subclass says who should act. `where` names the step or the file and cell, `what` is in the
    user's words, `found` is what was there instead, `fix` can be done as written.
    """

    def __init__(self, what: str, *, where: str = "", found: str = "", fix: str = "") -> None:
        super().__init__(what)
        self.what = " ".join(what.split("\n"))
        self.where = _cut_front(" ".join(where.split("\n")))
        self.found = " ".join(found.split("\n"))
        self.fix = " ".join(fix.split("\n"))

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        return f"{head}\n  found: {self.found or 'nothing else'}\n  fix: {self.fix or 'see above'}"

    def parts(self) -> dict[str, str]:
        """Return the four parts as plain data, for machines."""
        return {"what": self.what, "where": self.where, "found": self.found, "fix": self.fix}


class InputError(PrepwrightError):
    """A file, a folder or an option that the user gave cannot be used."""


class WorkflowError(PrepwrightError):
    """The steps are at fault. `faults` holds every fault that was found, the first one first."""

    def __init__(
        self,
        what: str,
        *,
        where: str = "",
        found: str = "",
        fix: str = "",
        faults: Sequence["WorkflowError"] = (),
    ) -> None:
        super().__init__(what, where=where, found=found, fix=fix)
        self.faults: tuple[WorkflowError, ...] = tuple(faults) or (self,)

    def __str__(self) -> str:
        if len(self.faults) == 1:
            return super().__str__()
        return "\n".join(PrepwrightError.__str__(fault) for fault in self.faults)


class EngineError(PrepwrightError):
    """The engine or the machine under it could not do the work."""


class Unsupported(PrepwrightError):
    """A declared gap: the thing is known and is not done here."""


class OpenQuestions(PrepwrightError):
    """The request leaves choices open that change the result, and nobody answered them."""


class NotUnderstood(PrepwrightError):
    """Parts of the request have no rule."""
