"""Where answers come from: a file, the command line, a person's own words."""

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from prepwright.asking.measure import Question
from prepwright.errors import InputError, closest, listed, shown
from prepwright.planner import Choice
from prepwright.planner.outcome import Option

Ask = Callable[[Question], str | None]
"""Answers a question with an option's id, label or number, or with None to leave it open."""

_LARGEST = 1 << 20
_SURE = 80


def load_answers(path: Path) -> dict[str, str]:
    """Return the answers in a file: JSON, or TOML with `choice = "option"` on each line.

    Raises: `InputError` when it cannot be read, or does not map choices to options.
    """
    try:
        if path.stat().st_size > _LARGEST:
            raise InputError(
                "the answers file is too large",
                where=str(path),
                found=f"{path.stat().st_size:,} bytes",
                fix="give a file that maps choices to options",
            )
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(
            "the answers file cannot be read",
            where=str(path),
            found=error.strerror or str(error),
            fix='give a JSON file such as {"duplicates_name": "latest"}',
        ) from None
    except UnicodeDecodeError:
        raise _shapeless(path, "bytes that are not UTF-8") from None
    return _checked(path, _parsed(path, text))


def _parsed(path: Path, text: str) -> object:
    try:
        if text.lstrip().startswith(("{", "[")) and path.suffix.lower() != ".toml":
            return json.loads(text)
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise _shapeless(path, str(error)[:80]) from None


def _checked(path: Path, data: object) -> dict[str, str]:
    if not isinstance(data, Mapping):
        raise _shapeless(path, shown(data))
    answers: dict[str, str] = {}
    for key, value in cast("Mapping[str, Any]", data).items():
        if not isinstance(value, str | int | bool):
            raise _shapeless(path, f"{key}: {shown(value)}")
        answers[key] = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
    return answers


def _shapeless(path: Path, found: str) -> InputError:
    return InputError(
        "these are no answers",
        where=str(path),
        found=found,
        fix='write JSON such as {"duplicates_name": "latest"}, or TOML: duplicates_name = "latest"',
    )


def unused(answers: Mapping[str, str], choices: Sequence[Choice]) -> list[str]:
    """Return the answers to choices that did not come up.

    Raises: `InputError` for one that is nearly the name of a choice that did come up.
    """
    known = [choice.id for choice in choices]
    left = [name for name in answers if name not in known]
    for name in left:
        near = closest(name, [one for one in known if one not in answers])
        if near:
            raise InputError(
                f"there is no open choice {name!r}",
                where="answers",
                found=listed(known),
                fix=f"did you mean {near!r}?",
            )
    return left


def matched(text: str, options: Sequence[Option]) -> Option | None:
    """Return the option that an answer means: its number, id or label, or words close to them."""
    said = " ".join(text.split()).casefold()
    if not said:
        return None
    for number, option in enumerate(options, 1):
        if said in (str(number), option.id.casefold(), option.label.casefold()):
            return option
    from rapidfuzz import fuzz

    scored = sorted(
        (
            max(fuzz.token_set_ratio(said, name.replace("_", " ").casefold()) for name in names),
            -place,
        )
        for place, option in enumerate(options)
        for names in [(option.id, option.label)]
    )
    best = scored[-1]
    second = scored[-2][0] if len(scored) > 1 else 0
    return options[-best[1]] if best[0] >= _SURE and best[0] > second else None
