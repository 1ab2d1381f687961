"""Options that several verbs have."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from prepwright.errors import InputError

Command = TypeVar("Command", bound=Callable[..., Any])


def engine_options(command: Command) -> Command:
    """Add the options that say what a run may use."""
    for option in (
        click.option("--engine", default="duckdb", show_default=True, help="What runs the steps."),
        click.option("--threads", type=click.IntRange(1, 1024), help="Threads to use at most."),
        click.option(
            "--memory", type=click.IntRange(32), metavar="MB", help="Memory to use at most, in MB."
        ),
    ):
        command = option(command)
    return command


def as_json(command: Command) -> Command:
    """Add the option for machines."""
    return click.option("--json", "json", is_flag=True, help="Print JSON for machines.")(command)


def pairs(texts: Sequence[str], option: str) -> dict[str, str]:
    """Return `name=value` texts as a mapping.

    Raises: `InputError` for a text of another form.
    """
    made: dict[str, str] = {}
    for text in texts:
        name, mark, value = text.partition("=")
        if not mark or not name.strip():
            raise InputError(
                f"{option} {text!r} is no pair",
                where="options",
                found=text,
                fix=f"write {option} NAME=VALUE",
            )
        made[name.strip()] = value.strip()
    return made
