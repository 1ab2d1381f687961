"""Expressions: check one against the columns and functions that it may use."""

import re
from collections.abc import Iterator, Mapping

from sqlglot import exp
from sqlglot.errors import SqlglotError

from prepwright.errors import WorkflowError, listed, shown
from prepwright.functions import FUNCTIONS, MACROS
from prepwright.tables import Schema
from prepwright.workflow.expressions.parsing import (
    DIALECT,
    PARSER_BREAKS,
    Fault,
    Refused,
    misread,
    name_faults,
    parse,
    too_deep,
    unknown_function,
)  # fmt: skip
from prepwright.workflow.operator import Operator, Relation, column

_STRUCTURE: tuple[type[exp.Expr], ...] = (
    exp.Alias, exp.Array, exp.Between, exp.Binary, exp.Boolean, exp.Bracket, exp.Case, exp.Cast,
    exp.Column, exp.DataType, exp.Distinct, exp.Escape, exp.Filter, exp.Identifier, exp.If,
    exp.IgnoreNulls, exp.In, exp.Interval, exp.Lambda, exp.Literal, exp.Neg, exp.Not, exp.Null,
    exp.Order, exp.Ordered, exp.Paren, exp.PropertyEQ, exp.RespectNulls, exp.Slice, exp.Star,
    exp.Struct, exp.TryCast, exp.Tuple, exp.Unary, exp.Var, exp.Window, exp.WindowSpec,
    exp.And, exp.Or, exp.Where, exp.WithinGroup, exp.IntervalSpan, exp.DataTypeParam,
    exp.JSONPath, exp.JSONPathPart,
)  # fmt: skip
_REFUSED: tuple[type[exp.Expr], ...] = (
    exp.Alias, exp.Collate, exp.Dot, exp.Parameter, exp.Placeholder, exp.SessionParameter,
    exp.Query, exp.Subquery, exp.PropertyEQ,
)  # fmt: skip
_FUNCTION_HEAD = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*\(")


def faults(
    step: Operator, text: str, sources: Mapping[str, Relation], *, what: str
) -> Iterator[WorkflowError]:
    """Yield every fault of an expression of a step.

    `sources` maps a qualifier to the relation it names; the empty qualifier is for plain names.
    """
    try:
        tree = parse(text)
    except Refused as refusal:
        yield step.fault(
            f"{what} {shown(text)}: {refusal.fault.what}",
            found=refusal.fault.found,
            fix=refusal.fault.fix,
        )
        return
    schemas = {qualifier: relation.schema for qualifier, relation in sources.items()}
    unlisted = list(name_faults(text))
    found = [*unlisted, *_tree_faults(tree, schemas, calls=not unlisted)]
    for fault in dict.fromkeys(found or _rendered_faults(tree, schemas)):
        yield step.fault(f"{what} {shown(text)}: {fault.what}", found=fault.found, fix=fault.fix)


def _tree_faults(
    tree: exp.Expr, schemas: Mapping[str, Schema], *, calls: bool = True
) -> Iterator[Fault]:
    locals_ = lambda_variables(tree)
    try:
        # a sub-query is one fault, whatever is in it
        for node in tree.walk(prune=lambda node: isinstance(node, exp.Query)):
            if calls or not isinstance(node, exp.Func):
                yield from _node_faults(node, schemas, locals_)
    except RecursionError:
        yield too_deep("too many levels")
    except (SqlglotError, *PARSER_BREAKS):
        yield misread()


def _rendered_faults(tree: exp.Expr, schemas: Mapping[str, Schema]) -> Iterator[Fault]:
    """Yield the faults of what an engine would be given: it may call more than was written."""
    try:
        rendered = parse(tree.sql(DIALECT))
    except RecursionError:
        yield too_deep("too many levels")
    except (SqlglotError, Refused, *PARSER_BREAKS):
        yield misread()
    else:
        if next(_tree_faults(rendered, schemas), None):
            yield misread()


def lambda_variables(tree: exp.Expr) -> set[str]:
    """Return the names that lambdas in the tree bind, folded."""
    return {v.name.casefold() for node in tree.find_all(exp.Lambda) for v in node.expressions}


def _node_faults(
    node: exp.Expr, schemas: Mapping[str, Schema], locals_: set[str]
) -> Iterator[Fault]:
    if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star):
        yield from _column_faults(node, schemas, locals_)
    elif isinstance(node, exp.Star) or (
        isinstance(node, exp.Column) and isinstance(node.this, exp.Star)
    ):
        if not isinstance(node.parent, exp.Count):
            yield Fault("* stands for no column here", "*", "name the columns one by one")
    elif isinstance(node, exp.Func) and not isinstance(node, _STRUCTURE):
        yield from _function_faults(node)
    elif isinstance(node, _REFUSED) or not isinstance(node, _STRUCTURE):
        if isinstance(node, exp.PropertyEQ) and isinstance(node.parent, exp.Struct):
            return
        kind = "a sub-query" if isinstance(node, exp.Query) else type(node).__name__.lower()
        yield Fault(
            f"{kind} is not allowed in an expression",
            shown(node.sql(DIALECT)),
            "use one expression over the columns of the step's input; join for look-ups",
        )


def _column_faults(
    node: exp.Column, schemas: Mapping[str, Schema], locals_: set[str]
) -> Iterator[Fault]:
    if not node.table and node.name.casefold() in locals_:
        return
    schema = schemas.get(node.table.casefold())
    if schema is None or node.args.get("db"):
        tables = [f'"{name}".' for name in schemas if name] or ["no table prefix"]
        yield Fault(
            f"{node.sql(DIALECT)} names no column here",
            f"tables: {', '.join(tables)}",
            "write the plain column name, in double quotes when it has a dot in it",
        )
    elif node.name not in schema:
        guess = schema.suggest(node.name)
        hint = "text literals go in single quotes, columns in double quotes or plain"
        yield Fault(
            f"no column {node.name!r}",
            listed(schema.names),
            f"did you mean {guess!r}?" if guess else hint,
        )


def function_name(node: exp.Expr) -> str:
    """Return the name that a function node has in the expression dialect, in lower case."""
    if isinstance(node, exp.Anonymous):
        return node.name.lower()
    head = _FUNCTION_HEAD.match(node.sql(DIALECT))
    if head:
        return head.group(1).lower()
    return node.sql_name().lower() if isinstance(node, exp.Func) else type(node).__name__.lower()


def _function_faults(node: exp.Expr) -> Iterator[Fault]:
    name = function_name(node)
    if name in FUNCTIONS:
        return
    if name not in MACROS:
        yield unknown_function(name)
        return
    macro = MACROS[name]
    given, most = len(node.expressions), len(macro.parameters)
    least = most - len(macro.defaults)
    if not least <= given <= most:
        number = f"{least}" if least == most else f"{least} to {most}"
        yield Fault(
            f"{name} takes {number} arguments",
            f"{given} of them",
            f"write {macro.signature}",
        )


def set_returning(tree: exp.Expr) -> list[exp.Expr]:
    """Return the lists that the expression unnests into rows."""
    return [
        node.this if node.args.get("this") else node.expressions[0]
        for node in tree.find_all(exp.Explode, exp.Unnest)
    ]


def literal_pairs(tree: exp.Expr) -> Iterator[tuple[exp.Column, exp.Literal]]:
    """Yield each column that is compared with a text literal, with that literal."""
    for node in tree.find_all(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE):
        for one, other in ((node.this, node.expression), (node.expression, node.this)):
            if isinstance(one, exp.Column) and isinstance(other, exp.Literal) and other.is_string:
                yield one, other
    for node in tree.find_all(exp.In):
        for item in node.expressions:
            if (
                isinstance(node.this, exp.Column)
                and isinstance(item, exp.Literal)
                and item.is_string
            ):
                yield node.this, item


def cast_literals(tree: exp.Expr) -> Iterator[tuple[str, str]]:
    """Yield the type and the text of each cast of a text literal that must succeed."""
    for node in tree.find_all(exp.Cast):
        fixed = isinstance(node.this, exp.Literal) and node.this.is_string
        if fixed and not isinstance(node, exp.TryCast) and node.find_ancestor(exp.Try) is None:
            yield node.to.sql(DIALECT), node.this.name


def text_column(name: str) -> str:
    """Return a column name as expression text."""
    return column(name).sql(DIALECT)
