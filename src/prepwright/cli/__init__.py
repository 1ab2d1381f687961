"""The command: a group that loads the file of a verb when that verb is run."""

import importlib
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from prepwright import __version__

VERBS = {
    "prepare": "Turn files into the tables that a request asks for.",
    "run": "Run a workflow again, on the same files or on others.",
    "explain": "Show what a workflow does, step by step.",
    "validate": "Find every fault of a workflow without running it.",
    "schema": "Print the JSON Schema of workflows, or the functions.",
}
"""What each verb does. Its command is `command` in the module of its name."""


class Verbs(click.Group):
    """A group whose help needs none of the verbs' modules, and so no data library."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        return importlib.import_module(f"{__name__}.{cmd_name}").command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from prepwright.errors import InputError, closest

        if args and args[0] not in VERBS and not args[0].startswith("-"):
            near = closest(args[0], list(VERBS))
            raise InputError(
                f"there is no verb {args[0]!r}",
                where="prepwright",
                found=", ".join(VERBS),
                fix=f"did you mean {near!r}?" if near else "see prepwright --help",
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


@click.group(
    cls=Verbs, subcommand_metavar="VERB …", context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="prepwright")
def prepwright() -> None:
    """Turn messy tables into the tables that you ask for, and see the work.

    \b
    Example:
      prepwright prepare "drop rows with missing fee" fees.csv -o out/
    """  # noqa: D301 - click wants the mark itself


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and exit: 0 done, 2 bad input, 3 open questions, 130 interrupted."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    from prepwright.cli.failures import guarded

    sys.exit(guarded(lambda: prepwright.main(given, "prepwright", standalone_mode=False), given))
