"""Squeeze the text and take the ordinal ending off its day numbers."""

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="ordinal_free",
    parameters=("t",),
    body=r"""
        regexp_replace(squeeze(t), '(?i)\b(\d{1,2})(st|nd|rd|th)\b', '\1', 'g')
    """,
    says="Squeeze the text and take the ordinal ending off its day numbers.",
    examples=(
        ("ordinal_free('1st Jan')", "1 Jan"),
        ("ordinal_free(' 22nd  of May')", "22 of May"),
    ),
    inside=("squeeze",),
)
