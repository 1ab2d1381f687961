"""Values cut out of a text: first letters, digits, the part before a sign, a domain."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from collections.abc import Iterator

from prepwright.planner.language.grammar import RULES, Match, Reader
from prepwright.planner.steps.draft import Draft, literal
from prepwright.planner.steps.meaning import Term
from prepwright.planner.steps.typing import as_text


@RULES.rule(
    "factor",
    "<end> <n> (character | letter | char | digit) (of | from | in) <col>",
    "<end> (character | letter | char) (of | from | in) <col>",
)
def end_of_text(end: str, col: str, n: int = 1) -> Term:
    function = "left" if end == "first" else "right"
    return Term(lambda draft: f"{function}({as_text(draft, col)}, {n})", "VARCHAR", f"{col}_{end}")


@RULES.rule(
    "factor",
    "(digit | numeric part | numeric portion) (of | from | in) <col>",
    "only the digit (of | from | in) <col>",
)
def digits_of(col: str) -> Term:
    return Term(
        lambda draft: f"nullif(digits({as_text(draft, col)}), '')", "VARCHAR", f"{col}_digits"
    )


@RULES.rule("factor", "[numeric] number (from | in) <textcol>")
def number_in(textcol: str) -> Term:
    value = r"TRY_CAST(regexp_extract({}, '\d+(?:\.\d+)?') AS DOUBLE)"
    return Term(lambda draft: value.format(as_text(draft, textcol)), "DOUBLE", f"{textcol}_number")


@RULES.rule("factor", "(letter | letters part) (of | from | in) <col>")
def letters_of(col: str) -> Term:
    return Term(
        lambda draft: f"nullif(letters({as_text(draft, col)}), '')", "VARCHAR", f"{col}_letters"
    )


@RULES.rule("factor", "(length | number of character) (of | in) <col>")
def length_of(col: str) -> Term:
    return Term(lambda draft: f"length({as_text(draft, col)})", "BIGINT", f"{col}_length")


@RULES.rule("factor", "number of word (in | of) <col>", "word count of <col>")
def words_in(col: str) -> Term:
    return Term(
        lambda draft: f"len(string_split(squeeze({as_text(draft, col)}), ' '))",
        "BIGINT",
        f"{col}_words",
    )


@RULES.rule(
    "factor",
    "(text | part | everything | portion | string) <side:side> [first] <sep> (in | of | from) "
    "<col>",
    "<ordinal> (word | part) (of | from | in) <col>",
)
def piece_of_text(col: str, side: str = "", sep: str = " ", ordinal: int = 0) -> Term:
    def sql(draft: Draft) -> str:
        text = as_text(draft, col)
        if ordinal:
            return f"nullif(split_part(squeeze({text}), ' ', {ordinal}), '')"
        if side == "before":
            return f"trim(split_part({text}, {literal(sep)}, 1))"
        return f"trim(substr({text}, nullif(strpos({text}, {literal(sep)}), 0) + {len(sep)}))"

    return Term(sql, "VARCHAR", f"{col}_part")


@RULES.term("side")
def side(reader: Reader, at: int) -> Iterator[Match]:
    if at < len(reader.tokens) and reader.tokens[at].word in ("before", "after"):
        yield Match(at + 1, reader.tokens[at].word)


_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1}


@RULES.term("ordinal")
def ordinal(reader: Reader, at: int) -> Iterator[Match]:
    if at < len(reader.tokens) and reader.tokens[at].word in _ORDINALS:
        yield Match(at + 1, _ORDINALS[reader.tokens[at].word])


@RULES.rule("factor", "domain (of | from | in) <col>", "[email] domain from <col>")
def domain_of(col: str) -> Term:
    return Term(lambda draft: f"split_part({as_text(draft, col)}, '@', 2)", "VARCHAR", "domain")
