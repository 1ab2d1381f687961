"""Cut a request into sentences and words, and remember where each stood."""

import re
from dataclasses import dataclass
from functools import lru_cache

from prepwright.planner.outcome import Span

_SUFFIXES = "csv|tsv|json|jsonl|parquet|xlsx|xls"
_PATTERN = re.compile(
    rf"""
    (?P<quoted>"[^"\n]*"|(?<!\w)'[^'\n]*'(?!\w)|`[^`\n]*`|“[^”\n]*”|‘[^’\n]*’(?!\w))
    |(?P<file>[\w\-./]*\w\.(?:{_SUFFIXES})(?!\w))
    |(?P<date>\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{1,4}}(?!\w))
    |(?P<number>[$£€]?\d+(?:,\d{{3}})*(?:\.\d+)?(?:\s?%|[kKmM](?!\w))?(?![\w]))
    |(?P<word>\w+(?:['’](?!\s|$)\w+)?)
    |(?P<sign>>=|<=|!=|<>|==|=>|≥|≤|≠|[=<>+*/×÷%−–—-])
    |(?P<mark>[^\s\w])
    """,
    re.VERBOSE,
)
_BULLET = re.compile(r"\s*(?:[-*•–·]|\(?\d{1,2}[.)]|\(?[a-z][.)]|step\s+\d+\s*[:.)-])\s+", re.I)
_SENTENCE_END = re.compile(r"[.!?]+(?=\s+[A-Z0-9\"'“(`]|\s*$)|;(?=\s|$)")
_BRITISH = re.compile(
    r"^(normal|standard|capital|summar|categor|harmon|organ|un|final|total)is(e|ed|es|ing|ation)$"
)


@dataclass(frozen=True)
class Token:
    """A word, number, date, quoted text, file name or sign. `word` is it as rules compare it."""

    text: str
    start: int
    end: int
    kind: str

    @property
    def word(self) -> str:
        return canonical(self.text)

    @property
    def content(self) -> str:
        """Return the text without its quotes."""
        return self.text[1:-1] if self.kind == "quoted" else self.text


@lru_cache(maxsize=20_000)
def canonical(text: str) -> str:
    """Return a word as rules compare it: lower case, American spelling, straight apostrophes."""
    folded = text.casefold().replace("’", "'").removesuffix("'s")
    return _BRITISH.sub(r"\1iz\2", folded).replace("colour", "color")


def tokenize(text: str, offset: int = 0) -> tuple[Token, ...]:
    """Return the tokens of a text; a hyphen inside a word separates two words."""
    tokens: list[Token] = []
    for found in _PATTERN.finditer(text):
        kind = found.lastgroup or "mark"
        if kind == "sign" and found.group() in "-–—" and _joins(text, found.start()):
            continue
        start, end = found.start() + offset, found.end() + offset
        tokens.append(Token(found.group(), start, end, kind))
    return tuple(tokens)


def _joins(text: str, at: int) -> bool:
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    return before.isalnum() and after.isalpha()


@lru_cache(maxsize=50_000)
def name_words(name: str) -> tuple[str, ...]:
    """Return the words of a name: `reg_date`, `RegDate` and `Reg date` are all reg, date."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])", " ", name)
    spaced = (
        re.sub(r"['’]s\b", "", spaced)
        .replace("%", " percent ")
        .replace("#", " number ")
        .replace("&", " and ")
    )
    return tuple(canonical(word) for word in re.findall(r"[^\W_]+", spaced))


def sentences(request: str) -> tuple[Span, ...]:
    """Return where each sentence, list item and heading of a request stands."""
    spans: list[Span] = []
    for start, end in _paragraphs(request):
        at = start
        for stop in _SENTENCE_END.finditer(request[:end], start):
            if not _inside_quotes(request[at : stop.start()]):
                spans.append((at, stop.start()))
                at = stop.end()
        spans.append((at, end))
    trimmed = (_trim(request, start, end) for start, end in spans)
    return tuple(span for span in trimmed if span[0] < span[1])


def _inside_quotes(text: str) -> bool:
    return text.count('"') % 2 == 1 or text.count("“") > text.count("”")


def _trim(text: str, start: int, end: int) -> Span:
    while start < end and (text[start].isspace() or text[start] in ".!?;"):
        start += 1
    while start < end and (text[end - 1].isspace() or text[end - 1] in ";"):
        end -= 1
    return start, end


def _paragraphs(request: str) -> list[Span]:
    """Return the spans of list items and of runs of plain lines; a wrapped line is one run."""
    spans: list[Span] = []
    open_run = False
    at = 0
    for line in request.splitlines(keepends=True):
        start, end = at, at + len(line.rstrip())
        at += len(line)
        bullet = _BULLET.match(line)
        heading = line.lstrip().startswith("#")
        if not line.strip():
            open_run = False
            continue
        if bullet or heading or not open_run:
            lead = bullet.end() if bullet else len(line) - len(line.lstrip("# \t"))
            spans.append((start + lead, end))
        else:
            spans[-1] = (spans[-1][0], end)
        open_run = not heading and not line.rstrip().endswith(":")
    return spans
