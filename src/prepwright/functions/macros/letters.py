"""Keep the letters of a text."""

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="letters",
    parameters=("t",),
    body=r"""
        regexp_replace(CAST(t AS VARCHAR), '[^\p{L}]', '', 'g')
    """,
    says="Keep the letters of a text.",
    examples=(("letters('A-1 é')", "Aé"),),
)
