"""Trim the ends and make every run of white space one blank."""

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="squeeze",
    parameters=("t",),
    body=r"""
        trim(regexp_replace(CAST(t AS VARCHAR), '[\s\x{a0}]+', ' ', 'g'))
    """,
    says="Trim the ends and make every run of white space one blank.",
    examples=(
        ("squeeze('  a \t b ')", "a b"),
        ("squeeze(NULL)", None),
        ("squeeze('')", ""),
    ),
)
