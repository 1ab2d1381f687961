"""Put formats with a two-digit year first, so that 1/2/23 is not read as the year 23."""

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="short_years_first",
    parameters=("formats",),
    body=r"""
        list_concat(list_filter(formats, lambda f: contains(f, '%y')),
          list_filter(formats, lambda f: NOT contains(f, '%y')))
    """,
    says="Put formats with a two-digit year first, so that 1/2/23 is not read as the year 23.",
    examples=(("short_years_first(['%d/%m/%Y', '%d/%m/%y'])", ["%d/%m/%y", "%d/%m/%Y"]),),
)
