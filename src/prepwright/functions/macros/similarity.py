"""Give how alike two texts are, 0 to 1 (Jaro-Winkler), whatever their case and spacing."""

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="similarity",
    parameters=("a", "b"),
    body=r"""
        jaro_winkler_similarity(lower(squeeze(a)), lower(squeeze(b)))
    """,
    says="Give how alike two texts are, 0 to 1 (Jaro-Winkler), whatever their case and spacing.",
    examples=(
        ("similarity('Acme Ltd', 'ACME  ltd')", 1.0),
        ("similarity('abc', 'xyz')", 0.0),
        ("similarity(NULL, 'x')", None),
    ),
    inside=("squeeze",),
)
