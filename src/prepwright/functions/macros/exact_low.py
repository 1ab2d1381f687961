"""Give the part of a number that `exact_high` leaves over, as a whole number."""

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="exact_low",
    parameters=("x",),
    body=r"""
        CASE WHEN abs(x) > 2e-16 AND abs(x) < 1e22
          THEN CAST((x * 1048576 - round(x * 1048576)) * 3.8685626227668133590597632e25
            AS HUGEINT) END
    """,
    says="Give the part of a number that `exact_high` leaves over, as a whole number.",
    examples=(
        ("exact_low(1.5)", 0),
        ("exact_low(1e-20)", None),
        ("exact_low(1e30)", None),
    ),
)
