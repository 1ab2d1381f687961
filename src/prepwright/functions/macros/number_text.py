"""Bring a number to plain digits with a point, its sign first, its magnitude last."""

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="number_text",
    parameters=("t", "decimal_mark", "thousands_mark"),
    body=r"""
        CASE
          WHEN regexp_full_match(replace(squeeze(t), '−', '-'),
            '[-+(]*\s*([A-Za-z]{0,3}\s?[$£€¥₹₩₽]|[A-Z]{3}\s)?\s*[-+(]?\s*'
            || '(\d+|\d{1,3}([' || thousands_mark || ' '']\d{2,3})*'
            || '[' || thousands_mark || ' '']\d{3})?([' || decimal_mark || ']\d*)?'
            || '([eE][-+]?\d{1,3})?\s*(%|[kKmMbBtT]|[mM][nNmM]|[bB][nN]|[tT][nN]'
            || '|(?i:thousand|million|billion|trillion))?\s*([$£€¥₹₩₽]|[A-Z]{3})?\s*\)?')
          THEN CASE WHEN regexp_matches(squeeze(t), '^[^\d]*[-−(]') THEN '-' ELSE '' END
            || replace(lower(regexp_replace(regexp_replace(regexp_replace(
              replace(squeeze(t), '−', '-'),
              '^[-+(\s]*([A-Za-z]{0,3}\s?[$£€¥₹₩₽]|[A-Z]{3}\s)?[-+(\s]*', ''),
              '\s*([$£€¥₹₩₽]|[A-Z]{3})?\s*\)?$', ''),
              '[ ''' || thousands_mark || ']', '', 'g')), decimal_mark, '.')
        END
    """,
    says="Bring a number to plain digits with a point, its sign first, its magnitude last.",
    examples=(
        ("number_text('£ 1,234.50', '.', ',')", "1234.50"),
        ("number_text('(5)', '.', ',')", "-5"),
        ("number_text('1.1M', '.', ',')", "1.1m"),
        ("number_text('abc', '.', ',')", None),
    ),
    inside=("squeeze",),
)
