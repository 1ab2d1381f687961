"""Read a time of day by the first of the formats that fits; null where none does."""

import datetime

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="parse_time",
    parameters=("t", "formats"),
    body=r"""
        CAST(try_strptime(squeeze(t), formats) AS TIME)
    """,
    says="Read a time of day by the first of the formats that fits; null where none does.",
    examples=(
        ("parse_time('1:05 PM', ['%I:%M %p'])", datetime.time(13, 5)),
        ("parse_time('25:00', ['%H:%M'])", None),
    ),
    inside=("squeeze",),
)
