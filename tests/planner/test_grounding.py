"""Words are tied to columns, tables and values that exist, and to nothing else."""

from collections.abc import Callable

import pytest

from prepwright.planner.facts.columns import View, profile
from prepwright.planner.facts.dates import date_formats, formats_of
from prepwright.planner.facts.numbers import is_number, uses_decimal_comma
from prepwright.planner.language.grounding import Ground
from prepwright.planner.language.tokens import name_words, sentences, tokenize
from prepwright.planner.steps.spelling import spelling_variants
from prepwright.tables import Table

REGISTRATIONS = """
reg_date,AttendeeName,track,Amount Paid,dept
2024/02/14,Ann,Res.,200,HR
2024-2-16,Bob,Research,250,IT
"""


@pytest.fixture
def ground(read_text: Callable[[str, str], Table]) -> Ground:
    table = read_text("main_reg", REGISTRATIONS)
    return Ground([View("main_reg", "main_reg", profile(table))])


@pytest.mark.parametrize(
    ("said", "column"),
    [
        ("reg_date", "reg_date"),
        ("date", "reg_date"),
        ("registration date", "reg_date"),
        ("date of registration", "reg_date"),
        ("attendee names", "AttendeeName"),
        ("name of the attendee", "AttendeeName"),
        ("tracks", "track"),
        ("TRACK", "track"),
        ("trakc", "track"),
        ("fee", "Amount Paid"),
        ("amount", "Amount Paid"),
        ("registration fee", "Amount Paid"),
        ("department", "dept"),
    ],
)
def test_words_find_the_column(ground: Ground, said: str, column: str) -> None:
    hits = ground.column_hits(name_words(said))

    assert hits[0].name == column


@pytest.mark.parametrize("said", ["churn", "early fee", "weight", "the", "of", "expected fee"])
def test_foreign_words_find_no_column(ground: Ground, said: str) -> None:
    assert ground.column_hits(name_words(said)) == ()


def test_a_value_is_found_in_any_case(ground: Ground) -> None:
    value = ground.value(("research",), "research")

    assert value is not None
    assert value.texts_in("track") == ("Research",)
    assert ground.value(("robotics",), "robotics") is None


@pytest.mark.parametrize(
    "said", ["main_reg", "Main Reg", "main registration", "main registrations"]
)
def test_words_find_the_table(ground: Ground, said: str) -> None:
    assert [hit.name for hit in ground.tables(name_words(said))] == ["main_reg"]


def test_a_list_is_cut_at_its_items_and_a_wrapped_line_is_not() -> None:
    request = "Do this:\n1. Drop rows\n   with no fee.\n2. Sort by fee. Replace Res. with Research"

    assert [request[slice(*span)] for span in sentences(request)] == [
        "Do this:",
        "Drop rows\n   with no fee",
        "Sort by fee",
        "Replace Res. with Research",
    ]


def test_tokens_keep_numbers_dates_quotes_and_files_whole() -> None:
    tokens = tokenize("Save 'a b' as out.csv before 2024-03-01, de-duplicate 1,200 at 5%")

    assert [token.text for token in tokens] == [
        "Save", "'a b'", "as", "out.csv", "before", "2024-03-01", ",", "de", "duplicate", "1,200",
        "at", "5%",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "formats"),
    [
        ("2024/02/14", ("%Y/%m/%d",)),
        ("Feb 15 2024", ("%b %d %Y",)),
        ("15 February 2024", ("%d %B %Y",)),
        ("03/04/2024", ("%d/%m/%Y", "%m/%d/%Y")),
        ("25/12/24", ("%d/%m/%y",)),
        ("2024-01-02 10:30", ("%Y-%m-%d %H:%M",)),
        ("31/02/2024", ()),
        ("hello", ()),
        ("200", ()),
    ],
)
def test_formats_that_parse_a_date(text: str, formats: tuple[str, ...]) -> None:
    assert formats_of(text) == formats


def test_one_value_tells_day_from_month_for_the_whole_column() -> None:
    known = date_formats(["03/04/2024", "12/25/2024"])

    assert known.formats == ("%m/%d/%Y",)
    assert not known.open_order


def test_day_and_month_stay_open_when_no_value_tells() -> None:
    known = date_formats(["03/04/2024", "05/06/2024"])

    assert known.open_order
    assert (known.formats, known.swapped) == (("%d/%m/%Y",), ("%m/%d/%Y",))


def test_mixed_formats_are_all_kept() -> None:
    known = date_formats(["2024/02/14", "2024-2-16", "Feb 15 2024"])

    assert set(known.formats) == {"%Y/%m/%d", "%Y-%m-%d", "%b %d %Y"}
    assert known.unparsed == ()


@pytest.mark.parametrize("text", ["1,200.50", "$5", "(12)", "5%", "2k", "-3", "1e6"])
def test_a_number_with_its_marks_is_a_number(text: str) -> None:
    assert is_number(text)


@pytest.mark.parametrize("text", ["", "n/a", "12 March", "1.2.3", "A1"])
def test_other_texts_are_no_numbers(text: str) -> None:
    assert not is_number(text)


def test_a_decimal_comma_is_told_from_a_thousands_comma() -> None:
    assert uses_decimal_comma(["1.234,50", "99,00"])
    assert not uses_decimal_comma(["1,234", "99"])


def test_spelling_variants_are_case_spaces_and_one_abbreviation() -> None:
    counts = {"Res.": 1, "Research": 3, "research ": 1, "Demo": 1, "I.": 1, "Industry": 1, "In.": 1}

    assert spelling_variants(counts) == {
        "Res.": "Research", "research ": "Research", "In.": "Industry",
    }  # fmt: skip


def test_an_abbreviation_of_two_values_stays() -> None:
    assert spelling_variants({"Re.": 1, "Research": 1, "Retail": 1}) == {}
