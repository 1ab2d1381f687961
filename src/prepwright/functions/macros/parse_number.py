"""Read a number with separators, currency, minus in brackets, percent or magnitude."""

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="parse_number",
    parameters=("t", "decimal_mark", "thousands_mark"),
    body=r"""
        CASE
          WHEN decimal_mark = '.' AND regexp_full_match(CAST(t AS VARCHAR), '-?\d+(\.\d+)?')
          THEN CAST(t AS DOUBLE)
          WHEN decimal_mark = '.' AND thousands_mark = ','
            AND regexp_full_match(CAST(t AS VARCHAR), '-?\d{1,3}(,\d{3})+(\.\d+)?')
          THEN CAST(replace(CAST(t AS VARCHAR), ',', '') AS DOUBLE)
          ELSE TRY_CAST(regexp_extract(number_text(t, decimal_mark, thousands_mark),
              '^-?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,3})?') AS DOUBLE)
            * magnitude(regexp_extract(number_text(t, decimal_mark, thousands_mark),
              '[%a-df-z][a-z]*$'))
        END
    """,
    says="Read a number with separators, currency, minus in brackets, percent or magnitude.",
    examples=(
        ("parse_number('1,234.50')", 1234.5),
        ("parse_number('£ 1,200')", 1200.0),
        ("parse_number('(5)')", -5.0),
        ("parse_number('−11')", -11.0),
        ("parse_number('12.5%')", 0.125),
        ("parse_number('1.1M')", 1100000.0),
        ("parse_number('4,300.5k')", 4300500.0),
        ("parse_number('$105 million')", 105000000.0),
        ("parse_number('USD 12')", 12.0),
        ("parse_number('1.234,56', ',', '.')", 1234.56),
        ("parse_number('1 000')", 1000.0),
        ("parse_number('A12')", None),
        ("parse_number('1,2')", None),
        ("parse_number('5-3')", None),
        ("parse_number('USD')", None),
        ("parse_number('-')", None),
        ("parse_number('1e-3')", 0.001),
        ("parse_number('$1.5e2')", 150.0),
        ("parse_number('12 apples')", None),
        ("parse_number('')", None),
        ("parse_number('-$3.2')", -3.2),
        ("parse_number('.5')", 0.5),
        ("parse_number('1e3')", 1000.0),
        ("parse_number('A$ 46660.55')", 46660.55),
        ("parse_number('007')", 7.0),
        ("parse_number(42)", 42.0),
    ),
    defaults=(("decimal_mark", "'.'"), ("thousands_mark", "','")),
    inside=("number_text", "magnitude"),
)
