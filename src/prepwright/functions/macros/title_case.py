"""Write every word with a capital, the rest small, but for names such as O'Neil."""

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="title_case",
    parameters=("t",),
    body=r"""
        array_to_string(list_transform(
          regexp_extract_all(lower(CAST(t AS VARCHAR)), '[\p{L}\p{N}''’]+|[^\p{L}\p{N}''’]+'),
          -- O'Neil and D'Angelo, but not I'Ll
          lambda w: upper(left(w, 1)) || CASE WHEN regexp_matches(w, '^[odl][''’]\p{L}{2}')
            THEN substr(w, 2, 1) || upper(substr(w, 3, 1)) || substr(w, 4)
            ELSE substr(w, 2) END), '')
    """,
    says="Write every word with a capital, the rest small, but for names such as O'Neil.",
    examples=(
        ("title_case('JOHN o''NEIL-smith')", "John O'Neil-Smith"),
        ("title_case('élan vital')", "Élan Vital"),
        ("title_case('i''ll be at d''angelo''s')", "I'll Be At D'Angelo's"),
        ("title_case('')", ""),
        ("title_case(NULL)", None),
    ),
)
