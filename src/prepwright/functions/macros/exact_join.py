"""Join the summed parts to one number."""

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="exact_join",
    parameters=("high", "low", "rest"),
    body=r"""
        CASE WHEN rest IS NULL
          THEN CAST(high AS DOUBLE) / 1048576
            + coalesce(CAST(low AS DOUBLE), 0) / 4.0564819207303340847894502572032e31
          ELSE rest + coalesce(CAST(high AS DOUBLE), 0) / 1048576
            + coalesce(CAST(low AS DOUBLE), 0) / 4.0564819207303340847894502572032e31
        END
    """,
    says="Join the summed parts to one number.",
    examples=(
        ("exact_join(1572864, 0, NULL)", 1.5),
        ("exact_join(1572864, NULL, 0.5)", 2.0),
        ("exact_join(NULL, NULL, NULL)", None),
    ),
)
