"""Give the number itself where the exact parts do not hold it to the last bit, else null."""

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="exact_rest",
    parameters=("x",),
    body=r"""
        CASE WHEN x <> 0 AND NOT (isfinite(x) AND abs(x) < 1e22 AND abs(x) > 2e-16) THEN x END
    """,
    says="Give the number itself where the exact parts do not hold it to the last bit, else null.",
    examples=(
        ("exact_rest(1.5)", None),
        ("exact_rest(0.0)", None),
        ("exact_rest(1e30)", 1e30),
        ("exact_rest(1e-20)", 1e-20),
    ),
)
