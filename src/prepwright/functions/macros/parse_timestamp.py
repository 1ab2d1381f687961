"""Read a date with a time by the first of the formats that fits; null where none does."""

import datetime

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="parse_timestamp",
    parameters=("t", "formats"),
    body=r"""
        -- most texts are read as they stand; only the others are cleaned first
        plausible(CAST(coalesce(try_strptime(CAST(t AS VARCHAR), short_years_first(formats)),
          try_strptime(ordinal_free(t), short_years_first(formats))) AS TIMESTAMP))
    """,
    says="Read a date with a time by the first of the formats that fits; null where none does."
    " A zone (%z) is turned into UTC.",
    examples=(
        (
            "parse_timestamp('2024-02-16 13:05', ['%Y-%m-%d %H:%M'])",
            datetime.datetime(2024, 2, 16, 13, 5),
        ),
        (
            "parse_timestamp('2024-01-01T23:30:00-05:00', ['%Y-%m-%dT%H:%M:%S%z', '%Y-%m-%d'])",
            datetime.datetime(2024, 1, 2, 4, 30),
        ),
        ("parse_timestamp('noon', ['%H:%M'])", None),
    ),
    inside=("plausible", "short_years_first", "ordinal_free"),
)
