"""Keep a moment whose year has four digits; null for any other, such as the year 23."""

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="plausible",
    parameters=("moment",),
    body=r"""
        CASE WHEN year(moment) BETWEEN 1000 AND 9999 THEN moment END
    """,
    says="Keep a moment whose year has four digits; null for any other, such as the year 23.",
    examples=(
        ("year(plausible(TIMESTAMP '2024-01-01'))", 2024),
        ("plausible(TIMESTAMP '0023-01-01')", None),
    ),
)
