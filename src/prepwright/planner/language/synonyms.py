"""Groups of words that general business English uses for the same thing."""

from functools import lru_cache

from rapidfuzz.distance import OSA

from prepwright.planner.language.lexicon import stem

_GROUPS = (
    "fee price charge paid payment amount amt rate",
    "revenue sales sale turnover income",
    "cost expense spend expenditure spending",
    "quantity qty units volume pieces",
    "name attendee participant person delegate guest member fullname",
    "customer client buyer cust",
    "employee staff worker colleague emp",
    "date day dt when timestamp",
    "id identifier code number no num key ref reference nr",
    "country nation",
    "city town",
    "postcode zip zipcode postal",
    "phone telephone mobile tel",
    "email mail",
    "product item article sku prod",
    "category type kind class cat",
    "group segment",
    "department dept division",
    "store shop branch outlet",
    "supplier vendor",
    "company organization organisation firm business employer",
    "gender sex",
    "birthday birthdate dob born birth",
    "salary wage pay",
    "score mark grade points rating",
    "title heading",
    "description desc details",
    "address addr street",
    "status state",
    "region area territory zone",
    "manager supervisor boss",
    "year yr",
    "month mon",
    "average avg mean",
    "percent percentage pct share",
    "start begin from commenced",
    "end finish to until",
    "comment note remark",
    "topic subject theme",
    "duration length",
    "discount reduction rebate",
    "profit margin",
    "target goal quota",
    "firstname forename given",
    "lastname surname family",
    "invoice bill",
    "order purchase",
    "registered registration reg signup",
    "weight mass",
    "height size",
    "temperature temp",
    "school college university",
    "vehicle car",
)
PERSON_OR_THING = frozenset(["name", "title", "id"])
"""Names of columns that call a row by itself."""


@lru_cache(maxsize=1)
def _by_word() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, group in enumerate(_GROUPS):
        for word in group.split():
            found.setdefault(stem(word), set()).add(number)
    return {word: frozenset(groups) for word, groups in found.items()}


EXACT, SHORTENED, MISSPELT, SYNONYM = 0.0, 0.3, 0.4, 0.5


@lru_cache(maxsize=200_000)
def kinship(said: str, named: str) -> float | None:
    """Return how far a said word is from a word of a name, 0 to 0.5; None when it is foreign."""
    said, named = stem(said), stem(named)
    if said == named:
        return EXACT
    if len(named) >= 3 and len(said) > len(named) and said.startswith(named) and len(named) <= 5:
        return SHORTENED
    if len(said) >= 3 and len(said) <= 4 < len(named) and named.startswith(said):
        return SHORTENED
    groups = _by_word()
    if groups.get(said, frozenset()) & groups.get(named, frozenset()):
        return SYNONYM
    long_enough = min(len(said), len(named)) >= 5 and said not in groups
    slips = OSA.distance(said, named, score_cutoff=2) if long_enough else 3
    if slips <= 1 + (min(len(said), len(named)) >= 9) and said[0] == named[0]:
        return MISSPELT
    return None


def is_synonym(one: str, other: str) -> bool:
    """Return whether two words are in one group."""
    groups = _by_word()
    return bool(groups.get(stem(one), frozenset()) & groups.get(stem(other), frozenset()))
