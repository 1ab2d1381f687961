"""Keep the digits of a text."""

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="digits",
    parameters=("t",),
    body=r"""
        regexp_replace(CAST(t AS VARCHAR), '\D', '', 'g')
    """,
    says="Keep the digits of a text.",
    examples=(
        ("digits('(01) 23-4')", "01234"),
        ("digits('abc')", ""),
    ),
)
