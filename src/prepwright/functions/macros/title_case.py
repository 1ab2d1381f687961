"""Write every word with a capital, the rest small, also after an apostrophe."""

from prepwright.functions.macro import Macro

MACRO = Macro(
    name="title_case",
    parameters=("t",),
    body=r"""
        array_to_string(list_transform(
          regexp_extract_all(lower(CAST(t AS VARCHAR)), '[\p{L}\p{N}''’]+|[^\p{L}\p{N}''’]+'),
          lambda w: upper(left(w, 1)) || substr(w, 2)), '')
    """,
    says="Write every word with a capital, the rest small, also after an apostrophe.",
    examples=(
        ("title_case('JOHN o''NEIL-smith')", "John O'neil-Smith"),
        ("title_case('élan vital')", "Élan Vital"),
        ("title_case('')", ""),
        ("title_case(NULL)", None),
    ),
)
