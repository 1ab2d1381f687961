"""Write the quarter of a date as 2024Q1."""

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="quarter_label",
    parameters=("d",),
    body=r"""
        strftime(d, '%Y') || 'Q' || quarter(d)
    """,
    says="Write the quarter of a date as 2024Q1.",
    examples=(
        ("quarter_label(DATE '2024-05-10')", "2024Q2"),
        ("quarter_label(NULL::DATE)", None),
    ),
)
