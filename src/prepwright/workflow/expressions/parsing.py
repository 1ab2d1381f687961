"""Parsing: from text to the tree of one expression, or the reason why it is none."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import sqlglot
from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from prepwright.errors import closest, shown
from prepwright.functions import FUNCTIONS, MACROS

# the parser's remarks on syntax that it does not know are no concern of who reads our errors
logging.getLogger("sqlglot").addHandler(logging.NullHandler())

DIALECT = "duckdb"
_LONGEST = 20_000
"""Units: characters. A longer expression is refused before it is parsed."""

_BEFORE_BRACKETS = frozenset(
    """
    all and any as between by case distinct else escape filter for from glob group ilike in
    interval is like not on or over placing then when where
    bpchar char dec decimal numeric struct time timestamp varchar
""".split()
)
"""Words of the dialect that stand before an opening bracket without being a function's name."""

PARSER_BREAKS = (AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What the parser and its generator raise, apart from their own errors, on calls they misread."""


class Expressions(DuckDB):
    """The expression dialect: DuckDB's, in which a macro's name means the macro alone."""

    class Parser(DuckDB.Parser):
        """Reads calls that other dialects gave a meaning to as calls of that name."""

        FUNCTIONS = {
            "MEAN": exp.Avg.from_arg_list,
            **{
                name: built
                for name, built in DuckDB.Parser.FUNCTIONS.items()
                if name.lower() not in MACROS
            },
        }


@dataclass(frozen=True)
class Fault:
    """What is wrong with an expression, in the words of an error."""

    what: str
    found: str
    fix: str


class Refused(Exception):
    """A text that is not one expression; `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.what)
        self.fault = fault


def parse(text: str) -> exp.Expr:
    """Return the tree of one expression; used on text that `faults` has passed."""
    if len(text) > _LONGEST:
        raise Refused(
            Fault(
                "the expression is too long",
                f"{len(text):,} characters",
                f"stay under {_LONGEST:,}; use several steps",
            )
        )
    try:
        trees = sqlglot.parse(text, read=Expressions)
    except SqlglotError as error:
        raise Refused(_syntax(error)) from None
    except RecursionError:
        raise Refused(too_deep(f"{len(text):,} characters")) from None
    except PARSER_BREAKS:
        raise Refused(misread()) from None
    if len(trees) != 1 or trees[0] is None or isinstance(trees[0], exp.Block):
        raise Refused(
            Fault(
                "this is not one expression",
                f"{len(trees)} parts",
                "write exactly one expression, without ;",
            )
        )
    return trees[0]  # pyright: ignore[reportReturnType]


def _syntax(error: SqlglotError) -> Fault:
    details = getattr(error, "errors", None) or [{}]
    first: dict[str, object] = details[0]
    near = f"{first.get('start_context', '')}{first.get('highlight', '')}"[-60:]
    message = str(first.get("description") or str(error).split("\n")[0])
    return Fault(
        f"cannot be read ({message.rstrip('.')})",
        f"near {shown(near)}",
        "check brackets, quotes and commas; column names with blanks go in double quotes",
    )


def too_deep(found: str) -> Fault:
    """Return the fault of an expression with too many levels."""
    return Fault("the expression is nested too deeply", found, "split it into several columns")


def misread() -> Fault:
    """Return the fault of a call that the parser or its generator stumbles over."""
    return Fault(
        "a function is called in a way that it does not know",
        "too few or too many arguments, or some of another kind",
        "prepwright schema --functions lists what is there",
    )


def name_faults(text: str) -> Iterator[Fault]:
    """Yield a fault for each comment, and for each called name that the catalogue does not list.

    The tree does not tell: the parser reads many names of other dialects as functions of this one.
    """
    tokens = sqlglot.tokenize(text, read=Expressions)
    if any(token.comments for token in tokens):
        yield Fault(
            "a comment is not allowed in an expression",
            "-- or /* outside of a text",
            'say it in the "why" of the step',
        )
    called = [one for one, following in pairwise(tokens)
              if following.token_type == TokenType.L_PAREN and _word(one)]  # fmt: skip
    for name in dict.fromkeys(token.text.lower() for token in called):
        if name not in FUNCTIONS and name not in MACROS and name not in _BEFORE_BRACKETS:
            yield unknown_function(name)


def _word(token: Token) -> bool:
    quoted = token.token_type == TokenType.IDENTIFIER
    return quoted or (token.token_type != TokenType.STRING and token.text[:1].isalpha())


def unknown_function(name: str) -> Fault:
    """Return the fault of a called name that the catalogue does not list."""
    guess = closest(name, [*FUNCTIONS, *MACROS], like=0.75)
    return Fault(
        f"no function {name!r}",
        "a name that the catalogue does not list",
        f"did you mean {guess!r}?" if guess else "prepwright schema --functions lists them",
    )


def bare_column(text: str) -> str | None:
    """Return the column name that an expression consists of, or None."""
    try:
        tree = parse(text)
    except Refused:
        return None
    return tree.name if isinstance(tree, exp.Column) and not tree.table else None
