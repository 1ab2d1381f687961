"""Make null of the listed texts and leave every other as it is."""

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="null_if_in",
    parameters=("t", "tokens"),
    body=r"""
        CASE WHEN list_contains(tokens, t) THEN NULL ELSE t END
    """,
    says="Make null of the listed texts and leave every other as it is.",
    examples=(
        ("null_if_in('NA', ['NA', '-'])", None),
        ("null_if_in('Na', ['NA', '-'])", "Na"),
        ("null_if_in(NULL, ['NA'])", None),
    ),
)
