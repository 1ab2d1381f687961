"""Give the factor of a magnitude word; 1 for no word, null for an unknown one."""

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="magnitude",
    parameters=("word",),
    body=r"""
        CASE word
          WHEN '' THEN 1.0 WHEN '%' THEN 0.01 WHEN 'k' THEN 1e3 WHEN 'thousand' THEN 1e3
          WHEN 'm' THEN 1e6 WHEN 'mn' THEN 1e6 WHEN 'mm' THEN 1e6 WHEN 'million' THEN 1e6
          WHEN 'b' THEN 1e9 WHEN 'bn' THEN 1e9 WHEN 'billion' THEN 1e9
          WHEN 't' THEN 1e12 WHEN 'tn' THEN 1e12 WHEN 'trillion' THEN 1e12
        END
    """,
    says="Give the factor of a magnitude word; 1 for no word, null for an unknown one.",
    examples=(
        ("magnitude('k')", 1000.0),
        ("magnitude('')", 1.0),
        ("magnitude('x')", None),
    ),
)
