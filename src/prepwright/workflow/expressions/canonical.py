"""Canonical form: an expression's tree with every engine-dependent choice made explicit.

Null order is stated, ties follow the row order, division by zero is null, and sums do not depend on
the order in which rows come.
"""

from collections.abc import Mapping, Sequence
from typing import TypeGuard

from sqlglot import exp

from prepwright.functions import AGGREGATES
from prepwright.workflow.expressions.checking import function_name, lambda_variables
from prepwright.workflow.expressions.parsing import parse
from prepwright.workflow.operator import Relation

_FOLLOWS_ROWS = (exp.RowNumber, exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.NthValue)
_FOLLOWS_ROWS_BY_NAME = {"ntile"}
_ORDERED_AGGREGATES = (exp.First, exp.Last, exp.ArrayAgg, exp.GroupConcat, exp.AnyValue)
_ORDERED_BY_NAME = {"first", "last", "list", "array_agg", "string_agg", "listagg", "any_value",
                    "mode", "group_concat"}  # fmt: skip
_INEXACT = {"stddev", "stddev_pop", "stddev_samp", "var_pop", "var_samp", "variance", "corr",
            "covar_pop", "covar_samp", "skewness", "kurtosis", "product", "fsum",
            "regr_slope", "regr_intercept", "regr_r2", "mad", "entropy"}  # fmt: skip
_BY_ARGUMENT = {"arg_max", "max_by", "arg_min", "min_by", "mode", "any_value", *_INEXACT}
"""Aggregates that an ORDER BY among their arguments makes sure of, inside a window too."""

_INTEGERS = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT",
             "UINTEGER", "UBIGINT", "UHUGEINT"}  # fmt: skip
_WHOLE_PARTITION = {"first_value", "last_value", "nth_value", "first", "last", "list", "array_agg",
                    "string_agg", "listagg"}  # fmt: skip


def canonical(text: str, sources: Mapping[str, Relation]) -> exp.Expr:
    """Return the tree of a checked expression with every engine-dependent choice made explicit."""
    tree = parse(text).copy()
    source = sources.get("")
    locals_ = lambda_variables(tree)
    for node in list(tree.find_all(exp.Column)):
        _bind(node, sources, locals_)
    tree = tree.transform(_guard_division, copy=False)
    for node in list(tree.find_all(exp.Ordered)):
        node.set("nulls_first", False) if node.args.get("nulls_first") is None else None
    if source is None:
        return tree
    return _exact_sums(_follow_rows(tree, source), source)


def _bind(node: exp.Column, sources: Mapping[str, Relation], locals_: set[str]) -> None:
    relation = sources.get(node.table.casefold())
    found = relation.schema.find(node.name) if relation else None
    if found is not None and not (not node.table and node.name.casefold() in locals_):
        node.set("this", exp.to_identifier(found.name, quoted=True))
        if node.table:
            node.set("table", exp.to_identifier(node.table.casefold(), quoted=True))


def _guard_division(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Div | exp.IntDiv | exp.Mod):
        divisor = node.expression
        bare = divisor.unnest()
        if not (isinstance(bare, exp.Literal) and bare.is_number and float(bare.name) != 0):
            zero = exp.Literal.number(0)
            node.set("expression", exp.Nullif(this=divisor.copy(), expression=zero))
    return node


def _follow_rows(tree: exp.Expr, source: Relation) -> exp.Expr:
    """Append the row order where the result would otherwise depend on how an engine works."""

    def rewritten(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Window):
            _order_window(node, source)
        elif _named_call(node):
            return _order_aggregate(node, source)
        return node

    return tree.transform(rewritten, copy=False)


def _named_call(node: exp.Expr) -> TypeGuard[exp.Func]:
    # operators, CASE and CAST count as functions too; their names need not be looked at
    plain = isinstance(node, exp.Binary | exp.Case | exp.Cast | exp.If)
    return isinstance(node, exp.AggFunc) or (isinstance(node, exp.Func) and not plain)


def _inside_window(node: exp.Expr) -> bool:
    parent = node.parent
    while isinstance(parent, exp.IgnoreNulls | exp.RespectNulls | exp.Filter):
        parent = parent.parent
    return isinstance(parent, exp.Window)


def _order_window(node: exp.Window, source: Relation) -> None:
    inner = node.this
    while isinstance(inner, exp.IgnoreNulls | exp.RespectNulls | exp.Filter):
        inner = inner.this
    name = function_name(inner)
    spec = node.args.get("spec")
    by_rows = isinstance(spec, exp.WindowSpec) and str(spec.args.get("kind", "")).upper() == "ROWS"
    sensitive = isinstance(inner, _FOLLOWS_ROWS) or name in _FOLLOWS_ROWS_BY_NAME
    if not (sensitive or by_rows or (name in _ORDERED_BY_NAME and name not in _BY_ARGUMENT)):
        return
    order = node.args.get("order")
    terms = list(order.expressions) if isinstance(order, exp.Order) else []
    node.set("order", exp.Order(expressions=[*terms, *source.ordering()]))
    if not terms and spec is None and name in _WHOLE_PARTITION:
        # without an ORDER BY of its own, a window covers its whole partition
        all_rows = {"start": "UNBOUNDED", "start_side": "PRECEDING",
                    "end": "UNBOUNDED", "end_side": "FOLLOWING"}  # fmt: skip
        node.set("spec", exp.WindowSpec(kind="ROWS", **all_rows))


def _order_aggregate(node: exp.Func, source: Relation) -> exp.Expr:
    name = function_name(node)
    by_argument = name in _BY_ARGUMENT
    named = isinstance(node, _ORDERED_AGGREGATES) or name in _ORDERED_BY_NAME
    if not (by_argument or (named and not _inside_window(node))):
        return node
    if isinstance(node.parent, exp.WithinGroup):
        order = node.parent.expression
        if not by_argument and isinstance(order, exp.Order):
            order.set("expressions", [*order.expressions, *source.ordering()])
        return node
    if isinstance(node.this, exp.Distinct) or node.find(exp.Distinct):
        _order_distinct(node)
        return node
    if by_argument and node.args.get("expression"):
        node = _as_plain_call(node, name)
    if name not in _INEXACT or node.find(exp.Order) is None:
        _append_order(node, source.ordering())
    return node


def _as_plain_call(node: exp.Func, name: str) -> exp.Func:
    """Return a call of several arguments in the form whose last argument takes an ORDER BY."""
    given = [node.args.get(key) for key in ("this", "expression", "count")]
    arguments = [item for item in given if isinstance(item, exp.Expr)]
    return exp.Anonymous(this=name, expressions=arguments)


def _append_order(node: exp.Expr, terms: Sequence[exp.Ordered]) -> None:
    slot = node.this if not isinstance(node, exp.Anonymous) else None
    if slot is None:
        if node.expressions:
            arguments = list(node.expressions)
            last = arguments[-1]
            if isinstance(last, exp.Order):
                last.set("expressions", [*last.expressions, *terms])
            else:
                arguments[-1] = exp.Order(this=last, expressions=list(terms))
                node.set("expressions", arguments)
    elif isinstance(slot, exp.Order):
        slot.set("expressions", [*slot.expressions, *terms])
    else:
        node.set("this", exp.Order(this=slot, expressions=list(terms)))


def _order_distinct(node: exp.Expr) -> None:
    """Sort a list of distinct values by the values themselves: no row stands for any of them."""
    holder = node.this
    if isinstance(holder, exp.Distinct) and len(holder.expressions) == 1:
        value = holder.expressions[0]
        term = exp.Ordered(this=value.copy(), nulls_first=False)
        node.set("this", exp.Order(this=holder, expressions=[term]))


def _exact_sums(tree: exp.Expr, source: Relation) -> exp.Expr:
    sums = [node for node in tree.find_all(exp.Sum, exp.Avg)]
    plain = [node for node in sums if not _summed(node).find(exp.AggFunc)]
    deep = [node for node in sums if _summed(node).find(exp.AggFunc)]
    types = [*source.type_of(*[_summed(node) for node in plain]),
             *source.type_of(*[_grouped(_summed(node)) for node in deep])]  # fmt: skip
    # a sum of sums is rewritten after those that it sums
    for node, kind in zip([*plain, *deep], types, strict=True):
        made = _exact(node, kind)
        if made is None:
            continue
        target: exp.Expr = node
        while isinstance(target.parent, exp.Filter | exp.Window) and target.parent.this is target:
            target = target.parent
        if target.parent is None:
            tree = made
        else:
            target.replace(made)
    return tree


def _summed(node: exp.Expr) -> exp.Expr:
    argument = node.this
    return argument.expressions[0] if isinstance(argument, exp.Distinct) else argument


def _grouped(argument: exp.Expr) -> exp.Expr:
    """Return an expression over aggregates so that it can be typed without its groups."""
    made = argument.copy()
    for node in list(made.find_all(exp.Column)):
        if node.find_ancestor(exp.AggFunc) is None:
            node.replace(exp.Anonymous(this="any_value", expressions=[node.copy()]))
    return made


def _exact(node: exp.Expr, kind: str) -> exp.Expr | None:
    """Return the sum or mean in a form that gives the same bits in whatever order rows come."""
    if kind in _INTEGERS and isinstance(node, exp.Sum):
        return exp.cast(_wrapped(node, node.copy()), "BIGINT")
    if kind not in {"DOUBLE", "FLOAT"}:
        return None
    if isinstance(node.this, exp.Distinct):
        _order_distinct(node)
        return None
    argument = _summed(node)

    def part(name: str) -> exp.Expr:
        return exp.Anonymous(this=name, expressions=[argument.copy()])

    parts = [_wrapped(node, exp.Sum(this=part(name))) for name in ("exact_high", "exact_low")]
    rest = part("exact_rest")
    if isinstance(node.parent, exp.Window) or isinstance(
        node.parent and node.parent.parent, exp.Window
    ):
        parts.append(_wrapped(node, exp.Sum(this=rest)))
    else:
        parts.append(_sorted_sum(node, rest))
    total = exp.Anonymous(this="exact_join", expressions=parts)
    if isinstance(node, exp.Sum):
        return total
    count = _wrapped(node, exp.Count(this=argument.copy()))
    return exp.Div(this=total, expression=exp.Nullif(this=count, expression=exp.Literal.number(0)))


def _sorted_sum(node: exp.Expr, rest: exp.Expr) -> exp.Expr:
    """Return the sum of the few numbers that have no exact parts, in the order of their size."""
    there: exp.Expr = exp.Not(this=exp.Is(this=rest.copy(), expression=exp.Null()))
    if isinstance(node.parent, exp.Filter):
        there = exp.and_(node.parent.expression.this.copy(), there)
    found = exp.Filter(this=exp.ArrayAgg(this=rest), expression=exp.Where(this=there))
    ordered = exp.Anonymous(this="list_sort", expressions=[found])
    return exp.Anonymous(this="list_sum", expressions=[ordered])


def _wrapped(node: exp.Expr, replacement: exp.Expr) -> exp.Expr:
    """Return the replacement with the FILTER and OVER that stand around the node."""
    made = replacement
    around = node
    while isinstance(around.parent, exp.Filter | exp.Window) and around.parent.this is around:
        around = around.parent
        shell = around.copy()
        shell.set("this", made)
        made = shell
    return made


def only_where(value: exp.Expr, condition: exp.Expr) -> exp.Expr:
    """Return a canonical tree with every aggregate in it limited to the rows of the condition."""
    if isinstance(value, exp.Filter):
        both = exp.and_(value.expression.this, condition.copy())
        return exp.Filter(this=value.this.copy(), expression=exp.Where(this=both))
    if _aggregates(value):
        return exp.Filter(this=value.copy(), expression=exp.Where(this=condition.copy()))
    for child in list(value.iter_expressions()):
        made = only_where(child, condition)
        if made is not child:
            child.replace(made)
    return value


def _aggregates(node: exp.Expr) -> bool:
    if isinstance(node, exp.AggFunc | exp.WithinGroup | exp.IgnoreNulls):
        return True
    return isinstance(node, exp.Anonymous) and node.name.lower() in AGGREGATES
