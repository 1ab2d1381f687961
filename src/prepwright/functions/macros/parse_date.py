"""Read a date by the first of the formats that fits the whole text; null where none does."""

import datetime

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="parse_date",
    parameters=("t", "formats"),
    body=r"""
        CAST(parse_timestamp(t, formats) AS DATE)
    """,
    says="Read a date by the first of the formats that fits the whole text; null where none does.",
    examples=(
        ("parse_date('2024-2-16', ['%Y/%m/%d', '%Y-%m-%d'])", datetime.date(2024, 2, 16)),
        ("parse_date('5th Jan 2020', ['%d %b %Y'])", datetime.date(2020, 1, 5)),
        ("parse_date('31/02/2024', ['%d/%m/%Y'])", None),
        ("parse_date('1/2/23', ['%d/%m/%Y'])", None),
        ("parse_date('1/2/23', ['%d/%m/%Y', '%d/%m/%y'])", datetime.date(2023, 2, 1)),
        ("parse_date(' Feb 15 2024 ', ['%b %d %Y'])", datetime.date(2024, 2, 15)),
        ("parse_date('2024-02-16 x', ['%Y-%m-%d'])", None),
    ),
    inside=("parse_timestamp",),
)
