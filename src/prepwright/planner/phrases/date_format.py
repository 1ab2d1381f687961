"""Make dates alike, and write them in a given form."""
# ruff: noqa: D103 -- the patterns of a rule say what its function reads

from collections.abc import Iterator

from prepwright.planner.language.grammar import RULES, Match, Reader
from prepwright.planner.outcome import INCOMPLETE
from prepwright.planner.steps.draft import Draft, Refusal, ident, literal
from prepwright.planner.steps.meaning import Action
from prepwright.planner.steps.typing import column, date_column, is_timed

_DATE_STYLES = {
    "iso": "%Y-%m-%d", "iso 8601": "%Y-%m-%d", "yyyy-mm-dd": "%Y-%m-%d", "dd/mm/yyyy": "%d/%m/%Y",
    "mm/dd/yyyy": "%m/%d/%Y", "yyyy/mm/dd": "%Y/%m/%d", "dd-mm-yyyy": "%d-%m-%Y",
    "mm-dd-yyyy": "%m-%d-%Y",
    "dd.mm.yyyy": "%d.%m.%Y", "yyyymmdd": "%Y%m%d", "dd mmm yyyy": "%d %b %Y",
    "mmm dd yyyy": "%b %d %Y",
    "dd-mmm-yyyy": "%d-%b-%Y", "mmm yyyy": "%b %Y", "mm/yyyy": "%m/%Y", "yyyy-mm": "%Y-%m",
    "yyyy": "%Y",
    "mmmm yyyy": "%B %Y", "dd mmmm yyyy": "%d %B %Y", "dd/mm/yy": "%d/%m/%y",
}  # fmt: skip


@RULES.term("datestyle")
def date_style(reader: Reader, at: int) -> Iterator[Match]:
    """Read how dates are written: `YYYY-MM-DD`, `dd/mm/yyyy`, `ISO`, `'%d %b'`."""
    if at < len(reader.tokens) and reader.tokens[at].kind == "quoted":
        text = reader.tokens[at].content
        style = text if "%" in text else _DATE_STYLES.get(text.lower(), "")
        if style:
            yield Match(at + 1, style)
        return
    for end in range(at + 1, min(at + 6, len(reader.tokens)) + 1):
        start, stop = reader.tokens[at].start, reader.tokens[end - 1].end
        joined = "".join(t.text for t in reader.tokens[at:end]).lower()
        for name, style in _DATE_STYLES.items():
            bare = name.replace(" ", "").replace("-", "") if "-" in name else name.replace(" ", "")
            if joined in (bare, name) and stop - start == len(name):
                yield Match(end, style)


def targets(draft: Draft, names: tuple[str, ...], kind: str) -> list[str]:
    if names:
        return list(names)
    found = [col.name for col in draft.view.columns if col.kind == kind]
    if not found:
        raise Refusal(f"no column of {draft.view.name} holds {kind}s")
    return found


_DATE_NOUN = (
    "(date | date format | date column | date value | date field | format of date | date "
    "formatting | format of [every] date | date text | format of date column)"
)


@RULES.rule(
    "clause",
    f"%normalize [every] {_DATE_NOUN} [column] [to | into | as | in] [(real | proper | actual | "
    "consistent | single | one | standard | common | true | same | uniform) (date | format | "
    "date format)]",
    "%normalize [every] [format of] <cols> [column] (to | into | as | in) [a | an] [real | proper "
    "| actual | consistent | standard | true | single | one | common | uniform] (date | date "
    "format | date column | date value | date type | date data type | datetime)",
    "(parse | read | treat | interpret) <cols> as [a] date",
    "%normalize [the] [data] type of <cols> to [a] (date | date type | datetime)",
    "(parse | read) [every] date [in <cols>]",
    "make [every] (date | date format) (consistent | uniform | the same)",
    "%normalize [every] date (format | value) (in | of) <cols>",
    "%normalize [every] date (in | of) <cols>",
)
def normalize_dates(cols: tuple[str, ...] = ()) -> Action:
    def action(draft: Draft) -> str:
        said: list[str] = []
        for name in targets(draft, cols, "date"):
            col = column(draft, name)
            facts = col.facts if col.type == "VARCHAR" else None
            shown = " · ".join(facts.real[:3]) if facts else ""
            _standard(draft, name)
            said.append(f"{name}: {shown} → year-month-day" if shown else f"{name}: dates already")
        return "; ".join(said)

    return action


def _standard(draft: Draft, name: str) -> None:
    """Make dates of a column; whether times of day stay is a choice."""
    timed = is_timed(draft, name)
    date_column(draft, name)
    if not timed:
        return
    chosen = draft.choose(
        f"time_of_day_{name}",
        INCOMPLETE,
        f"Do the times of day in {name} stay?",
        [("keep", "they stay"), ("drop", "only the dates stay")],
        default="keep",
        evidence=f"{name} has times of day",
    )
    if chosen == "drop":
        draft.derive({name: f"CAST({ident(name)} AS DATE)"}, {name: "DATE"}, f"{name}_days")


@RULES.rule(
    "clause",
    "%normalize [every] date [format | column] (to | into | as | in) [format | style] <datestyle> "
    "[format | style | date]",
    "(%format | %normalize) [every] <datecol> (to | into | as | in | like) [format | style] "
    "<datestyle> [format | style | date]",
    "%format [every] date (to | into | as | in | like) [format | style] <datestyle> [format | "
    "style]",
)
def format_dates(datestyle: str, datecol: str = "") -> Action:
    def action(draft: Draft) -> str:
        said: list[str] = []
        for name in targets(draft, (datecol,) if datecol else (), "date"):
            date = date_column(draft, name)
            if datestyle != "%Y-%m-%d":
                value = f"strftime({date}, {literal(datestyle)})"
                draft.derive({name: value}, {name: "VARCHAR"}, f"{name}_written")
            said.append(f"{name} as {datestyle}")
        return ", ".join(said)

    return action
