"""Divide; null where the divisor is 0."""

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="safe_divide",
    parameters=("a", "b"),
    body=r"""
        a / nullif(b, 0)
    """,
    says="Divide; null where the divisor is 0.",
    examples=(
        ("safe_divide(7, 2)", 3.5),
        ("safe_divide(1, 0)", None),
    ),
)
