"""Give the upper part of a number as a whole number, for sums that no row order changes."""

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="exact_high",
    parameters=("x",),
    body=r"""
        CASE WHEN isfinite(x) AND abs(x) < 1e22 THEN CAST(round(x * 1048576) AS HUGEINT) END
    """,
    says="Give the upper part of a number as a whole number, for sums that no row order changes.",
    examples=(
        ("exact_high(1.5)", 1572864),
        ("exact_high(1e30)", None),
    ),
)
