"""Put texts together and take them apart: concatenate columns, split a column."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from collections.abc import Iterator

from prepwright.planner.language.grammar import RULES, Match, Reader
from prepwright.planner.language.terms import listing
from prepwright.planner.outcome import INCOMPLETE
from prepwright.planner.phrases.derive import derived
from prepwright.planner.steps.draft import Draft, Refusal, ident, literal
from prepwright.planner.steps.meaning import Action, Term
from prepwright.planner.steps.typing import as_text, column

_SEPARATORS = {
    " ": ("space", "blank", "whitespace", "single space"),
    ",": ("comma",),
    ", ": ("comma and space", "comma and a space", "comma space"),
    "-": ("dash", "hyphen", "minus"),
    "_": ("underscore",),
    "/": ("slash", "forward slash"),
    ";": ("semicolon",),
    ":": ("colon",),
    "|": ("pipe", "vertical bar"),
    ".": ("dot", "period", "full stop"),
    "@": ("at sign", "at symbol"),
    "\n": ("new line", "newline", "line break"),
    "\t": ("tab",),
    "": ("nothing", "no separator", "nothing in between", "no space"),
}
_GUESSED = (", ", ",", ";", "|", " - ", "/", "-", "_", ":", " ")


@RULES.term("sep")
def separator(reader: Reader, at: int) -> Iterator[Match]:
    if at < len(reader.tokens) and reader.tokens[at].kind == "quoted":
        yield Match(at + 1, reader.tokens[at].content)
        return
    for sign, phrases in _SEPARATORS.items():
        for end, cost, _ in reader.phrases(phrases, at):
            for tail in (end, end + 1):
                if tail == end or (
                    end < len(reader.tokens)
                    and reader.tokens[end].word in ("separator", "delimiter", "character", "sign")
                ):
                    yield Match(tail, sign, cost)


RULES.term("newnames")(listing("newname", (", and", ",", "and")))

_BETWEEN = (
    "[,] (separated by | with | using | joined by | delimited by | and put) [a | an | the] "
    "<sep> [in between | between them | between | as separator | as the separator | as a "
    "separator | as delimiter]"
)


@RULES.rule(
    "clause",
    "%join_text [column | value of | text of] <cols> (into | as | to | in | to form | to get | "
    "to make | and call it | into a new column called | into one column called | into a column "
    "called | in a column called) [a | one | single | %new] [column | field] [called | named] "
    f"<newname> [column | field] [{_BETWEEN}]",
    f"%join_text [column | value of | text of] <cols> {_BETWEEN} (into | as | to | in | to form | "
    "to get | and call it | to make) [a | one | single | %new] [column | field] [called | named] "
    "<newname> [column | field]",
    "%derive [%new] [column | field] [called | named] <newname> [column | field] (by combining | "
    "by concatenating "
    "| by joining | as combination of | as concatenation of | combining | concatenating | by "
    f"putting together | from combining) <cols> [{_BETWEEN}]",
    f"%derive [%new] [column | field] [called | named] <newname> from <cols> {_BETWEEN}",
    f"%derive [%new] [column | field] [called | named] <newname> (as | =) <cols> {_BETWEEN}",
)
def concatenate(cols: tuple[str, ...], newname: str, sep: str | None = None) -> Action | None:
    return (lambda draft: _joined(draft, cols, newname, sep)) if len(cols) > 1 else None


def _joined(draft: Draft, cols: tuple[str, ...], newname: str, sep: str | None) -> str:
    if sep is None:
        sep = {"space": " ", "nothing": "", "comma": ", ", "hyphen": "-"}[
            draft.choose(
                f"between_{newname}",
                INCOMPLETE,
                f"What stands between the parts of {newname}?",
                [
                    ("space", "a space"),
                    ("nothing", "nothing"),
                    ("comma", "a comma and a space"),
                    ("hyphen", "a hyphen"),
                ],
                default="space",
                evidence="the request does not say",
            )
        ]
    parts = ", ".join(as_text(draft, name) for name in cols)
    value = f"concat_ws({literal(sep)}, {parts})"
    said = derived(draft, newname, Term(lambda _: value, "VARCHAR"))
    _settle_parts(draft, cols, newname)
    return said


def _settle_parts(draft: Draft, cols: tuple[str, ...], newname: str) -> None:
    chosen = draft.choose(
        f"parts_{newname}",
        INCOMPLETE,
        f"Do {', '.join(cols)} stay beside what was made of them?",
        [("keep", "they stay"), ("drop", "they go")],
        default="keep",
        evidence="the request does not say",
    )
    gone = [name for name in cols if name != newname]
    if chosen == "drop" and gone:
        left = [col for col in draft.view.columns if col.name not in gone]
        draft.step("project", f"{draft.view.name}_slim", left, others=True, drop=gone)


_BY = "(by | on | at | using | with | based on)"


@RULES.rule(
    "clause",
    f"%split [column] <col> {_BY} [a | the | its | first] <sep> (into | to get | as | in) [two | "
    "three | <n>] [%new] [column] [called | named | :] <newnames>",
    "%split [column] <col> into [two | three | <n>] [%new] [column] [called | named | :] "
    f"<newnames> [{_BY} [a | the] <sep>]",
)
def split(col: str, newnames: tuple[str, ...], sep: str | None = None, n: int = 0) -> Action | None:
    if len(newnames) < 2:
        return None
    return lambda draft: _split(draft, col, newnames, sep)


def _split(draft: Draft, name: str, newnames: tuple[str, ...], sep: str | None) -> str:
    sign = sep if sep is not None else _guess(draft, name, len(newnames))
    texts = column(draft, name).texts
    most = max((len(text.split(sign)) for text in texts), default=len(newnames))
    text = as_text(draft, name)
    text = f"squeeze({text})" if sign == " " else text
    values = {
        new: f"nullif(trim(split_part({text}, {literal(sign)}, {at})), '')"
        for at, new in enumerate(newnames, start=1)
    }
    if most > len(newnames) and _rest_goes_last(draft, name, newnames):
        before = len(newnames) - 1
        items = f"list_slice(string_split({text}, {literal(sign)}), {before + 1}, {most})"
        values[newnames[-1]] = f"nullif(trim(array_to_string({items}, {literal(sign)})), '')"
    draft.derive(values, dict.fromkeys(values, "VARCHAR"), f"{name}_split".lower())
    if name not in newnames:
        _settle_parts(draft, (name,), "_".join(newnames))
    return f"{name} at {sign!r} into {', '.join(newnames)}"


def _rest_goes_last(draft: Draft, name: str, newnames: tuple[str, ...]) -> bool:
    chosen = draft.choose(
        f"rest_{name}",
        INCOMPLETE,
        f"Some {name} have more parts than {len(newnames)}: where does the rest go?",
        [("last", f"into {newnames[-1]}"), ("drop", "it is left out")],
        default="last",
        evidence=f"{len(newnames)} names were given",
    )
    return chosen == "last"


def _guess(draft: Draft, name: str, parts: int) -> str:
    texts = column(draft, name).texts
    for sign in _GUESSED:
        if texts and all(len(text.strip().split(sign)) == parts for text in texts):
            return sign
    for sign in _GUESSED:
        if texts and all(sign in text.strip() for text in texts):
            return sign
    raise Refusal(
        f'no one sign parts every {name}: say which, as in "split {name} by comma into …"'
    )


@RULES.rule(
    "clause",
    f"%split [column] <col> {_BY} [a | the] <sep> into [separate | multiple | several | one per "
    "line] row",
    f"%split [column] <col> into [separate | multiple | several] row {_BY} [a | the] <sep>",
    "explode <col> (by | on | using) <sep>",
)
def split_rows(col: str, sep: str) -> Action:
    def action(draft: Draft) -> str:
        value = f"trim(unnest(string_split({as_text(draft, col)}, {literal(sep)})))"
        draft.derive({col: value}, {col: "VARCHAR"}, f"{col}_items".lower())
        return f"one row for each part of {col}"

    return action


@RULES.rule(
    "clause",
    "(extract | get | pull out | take) [the] <part:textpart> (from | of | in) <col> (into | as | "
    "to) [%new] [column] [called | named] <newname>",
)
def extract(part: str, col: str, newname: str) -> Action:
    value = {"digits": "nullif(digits({}), '')", "letters": "nullif(letters({}), '')"}[part]
    return lambda draft: derived(
        draft, newname, Term(lambda d: value.format(ident(col)), "VARCHAR")
    )


@RULES.rule("textpart", "digit", "numeric part")
def digits_part() -> str:
    return "digits"


@RULES.rule("textpart", "letter", "alphabetic part")
def letters_part() -> str:
    return "letters"
