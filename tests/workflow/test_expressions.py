"""What an expression may be: the dialect's language is there, and nothing that reaches further."""

import pytest

from prepwright.errors import WorkflowError
from tests.workflow.running import around, fault, faults, named, three_lines, total, value

COLUMNS = {"a": 3, "b": 2, "name": "Ann Lee", "day": "2024-02-16", "tags": "x,y", "Odd name": 1}

ACCEPTED = [
    ("a + b * 2", 7),
    ("a > b AND NOT (b IS NULL)", True),
    ("CASE WHEN a > 2 THEN 'many' ELSE 'few' END", "many"),
    ("CASE a WHEN 3 THEN 'three' END", "three"),
    ("if(a > 5, 1, 0)", 0),
    ("CAST(day AS DATE) + INTERVAL 1 DAY > DATE '2024-02-16'", True),
    ("day::DATE - DATE '2024-02-01'", 15),
    ("CAST(day AS DATE) + INTERVAL (a) MONTH = TIMESTAMP '2024-05-16'", True),
    ("date_diff('day', DATE '2024-02-01', day::DATE)", 15),
    ("extract(year FROM CAST(day AS DATE))", 2024),
    ("TRY_CAST('x' AS INTEGER)", None),
    ("CAST('12.50' AS DECIMAL(10, 2)) = 12.5", True),
    ("name LIKE 'Ann%'", True),
    ("name ILIKE 'ann%'", True),
    ("name IN ('Ann Lee', 'Bob')", True),
    ("a BETWEEN 1 AND 3", True),
    ("a NOT BETWEEN 1 AND 3", False),
    ("a IS DISTINCT FROM NULL", True),
    ("a % 2", 1),
    ("-a", -3),
    ("name || '!'", "Ann Lee!"),
    ("'it''s -- no comment /* at all */; SELECT'", "it's -- no comment /* at all */; SELECT"),
    ("list_transform(string_split(tags, ','), lambda t: upper(t))", ["X", "Y"]),
    ("list_filter([1, 2, 3], lambda n: n > a - 1)", [3]),
    ("list_reduce([1, 2, 3], lambda x, y: x + y)", 6),
    ("len([1, 2])", 2),
    ("[10, 20, 30][2]", 20),
    ("[10, 20, 30][1:2]", [10, 20]),
    ("{'k': a}", {"k": 3}),
    ("struct_extract({'k': a}, 'k')", 3),
    ("map([1], ['x'])[1]", "x"),
    ("string_split(name, ' ')[1]", "Ann"),
    ('"Odd name" + 1', 2),
    ('"A" + "B"', 5),
    ("NAME", "Ann Lee"),
    ("regexp_extract(name, '([A-Z])[a-z]+$', 1)", "L"),
    ("regexp_replace(name, 'e', 'i', 'g')", "Ann Lii"),
    ("sum(a) OVER ()", 3),
    ("rank() OVER (PARTITION BY b ORDER BY a DESC NULLS LAST)", 1),
    ("lag(a, 1, 0) OVER (ORDER BY b)", 0),
    ("sum(a) OVER (ORDER BY b ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)", 3),
    ("last_value(a IGNORE NULLS) OVER (ORDER BY b)", 3),
    ("unnest(string_split(tags, ','))", "x"),
    ("coalesce(NULL, nullif(a, 3), b)", 2),
    ("greatest(a, b)", 3),
    ("strftime(CAST(day AS DATE), '%d.%m.%Y')", "16.02.2024"),
    ("date_trunc('month', CAST(day AS DATE)) = DATE '2024-02-01'", True),
    ("parse_number('1,200.5')", 1200.5),
    ("parse_date('16/02/2024', ['%d/%m/%Y']) = CAST(day AS DATE)", True),
    ("trim(both 'x' from 'xax')", "a"),
    ("substring(name from 1 for 3)", "Ann"),
    ("position('Lee' IN name)", 5),
    ("CAST(a AS VARCHAR)", "3"),
    ("true", True),
    ("NULL IS NULL", True),
    ("(((a)))", 3),
    ("try(CAST('x' AS INTEGER))", None),
    ("json_extract_string('{\"k\": 1}', '$.k')", "1"),
]

AGGREGATES = [
    ("count(*)", 2),
    ("count(DISTINCT a)", 1),
    ("count(*) FILTER (WHERE b > 1)", 1),
    ("sum(a) / count(*)", 1.0),
    ("string_agg(b::VARCHAR, '-' ORDER BY b DESC)", "2-1"),
    ("list(b ORDER BY b)", [1, 2]),
    ("percentile_cont(0.5) WITHIN GROUP (ORDER BY b)", 1.5),
    ("quantile_cont(b, 0.5)", 1.5),
    ("arg_max(a, b)", 1),
    ("median(b)", 1.5),
    ("bool_and(a > 0)", True),
    ("max(b) - min(b)", 1),
]

HOSTILE = [
    # sub-queries and other statements
    "(SELECT 1)", "a = (SELECT max(a) FROM first)", "a IN (SELECT 1)", "EXISTS (SELECT 1)",
    "a = ANY (SELECT 1)", "a > ALL (SELECT 1)", "ARRAY(SELECT 1)", "(FROM first)", "SELECT 1",
    "sum(a) OVER (PARTITION BY (SELECT 1))", "list_transform([1], lambda x: (SELECT x))",
    "CASE WHEN EXISTS (SELECT 1) THEN 1 END", "(WITH x AS (SELECT 1) SELECT * FROM x)",
    "(VALUES (1))", "a UNION SELECT 1", "a FROM first", "a WHERE true", "a LIMIT 1",
    "a; DROP TABLE first", "1; SELECT 2", "; ; ;", "a) FROM first; DROP TABLE first; --",
    "DROP TABLE first", "CREATE TABLE t AS SELECT 1", "INSERT INTO first VALUES (1)",
    "DELETE FROM first", "UPDATE first SET a = 1", "ALTER TABLE first DROP a", "TRUNCATE first",
    "COPY first TO 'x.csv'", "COPY (SELECT 1) TO '/tmp/x'", "EXPORT DATABASE 'x'",
    "ATTACH 'x.db'", "DETACH x", "PRAGMA database_list", "SET threads = 1", "RESET threads",
    "INSTALL httpfs", "LOAD httpfs", "CALL pragma_version()", "DESCRIBE first", "SHOW TABLES",
    "SUMMARIZE first", "EXPLAIN SELECT 1", "VACUUM", "CHECKPOINT", "BEGIN", "USE x",
    "PIVOT first ON a", "PREPARE x AS SELECT 1", "EXECUTE x",
    # files, settings, the clock, chance
    "read_csv('x.csv')", "read_text('/etc/passwd')", "read_blob('x')", "read_parquet('x')",
    "glob('*')", "getenv('HOME')", "query('SELECT 1')", "query_table('first')",
    "sniff_csv('x.csv')", "getvariable('x')", "current_setting('threads')", "current_date",
    "current_timestamp", "now()", "today()", "today('UTC')", "current_date('UTC')", "utc_date()",
    "random()", "random(1, 2, 3)", "rand(1, 2, 3)", "uuid()", "gen_random_uuid()", "version()",
    "current_user", "current_schema()", "nextval('s')", "sleep_ms(9)", "localtimestamp",
    "'now' || CURRENT_DATE", "\"getenv\"('HOME')", "GETENV ('HOME')", "main.getenv('HOME')",
    "system.main.getenv('HOME')", "duckdb_settings()", "write_log('x')", "error('x')",
    # names
    "*", "* EXCLUDE (a)", "first.*", "COLUMNS(*)", "COLUMNS('a')", "count(*) + *", "first.a",
    "main.first.a", '"left".a', '"".a', "a.b", "rowid", "__row", "$1", "?", ":x", "@x", "$x", "#1",
    "no_such", "'a' AS b", "a AS b",
    # syntax
    "", " ", "(", "a +", "a b", "'open", '"open', "a ++ ", "CASE WHEN a THEN", "a -- b > 2",
    "a /* hidden */ + 1", "a > 1 --", "/* */ a", "a COLLATE NOCASE", "lambda x: x", "x -> x + 1",
    "CAST(a AS ENUM (SELECT 1))", "a::no_such_type", "CAST(a AS STRUCT(x no_such_type))",
    "sum(a) OVER nowhere", "a[", "{'k': }", "a BETWEEN 1", "NOT", "\0", "a\0b", "\ufeff",
    # calls that are no calls
    "no_such(a)", "uper(name)", "upper()", "upper(a, b, a)", "date()", "initcap()",
    "parse_date(day)", "parse_number()", "title_case(name, 1)", "list_transform(tags)",
    "explode(tags)", "posexplode([1])", "regexp_split_to_table(name, ' ')", "to_char(a, 'x')",
    # look-alikes
    "gеtenv('x')", "ｇｅｔｅｎｖ('x')", "ѕum(a)", "а + 1", "a＋1", "a；b", "\u202ea",
    # aggregates and windows where there are only single rows
    "sum(a) > 1 AND a > 1", "sum(sum(a))", "sum(sum(a) OVER ())", "a = 'x", "avg(name)",
    "name + 1", "a || b + name", "interval", "[n for n in [1]]", "unnest(a)", "len(a)",
]  # fmt: skip


def only(expression: str) -> dict[str, object]:
    return {"columns": [{"name": "value", "value": expression}]}


@pytest.mark.parametrize(("expression", "wanted"), ACCEPTED, ids=[e for e, _ in ACCEPTED])
def test_the_language_of_data_preparation_is_accepted(expression: str, wanted: object) -> None:
    assert value(expression, COLUMNS)[0] == wanted


@pytest.mark.parametrize(("expression", "wanted"), AGGREGATES, ids=[e for e, _ in AGGREGATES])
def test_the_language_of_aggregates_is_accepted(expression: str, wanted: object) -> None:
    assert total(expression, {"a": 1, "b": 2}, {"a": 1, "b": 1}) == wanted


@pytest.mark.parametrize("expression", HOSTILE, ids=[ascii(e)[:40] for e in HOSTILE])
def test_whatever_reaches_further_is_refused_in_three_lines(expression: str) -> None:
    tables = named([[COLUMNS]])
    try:
        found = faults(around("project", only(expression)), tables)
    except WorkflowError as error:
        found = list(error.faults)
    assert found
    assert all(three_lines(one) for one in found), [str(one) for one in found]
    assert all(len(str(one)) < 1200 for one in found)


@pytest.mark.parametrize(
    "expression",
    [
        "a" * 1_000_000,
        "'" + "x" * 1_000_000 + "'",
        "(" * 10_000 + "a" + ")" * 9_999 + ")",
        "[" * 9_000 + "]" * 9_000,
        "-" * 5_000 + "a",
        "NOT " * 4_000 + "true",
        "CASE WHEN a > 1 THEN " * 800 + "1" + " END" * 800,
        "upper(" * 3_000 + "name" + ")" * 3_000,
        " + ".join(["a"] * 6_000),
        " OR ".join(["a = 1"] * 2_000),
        " || ".join(["name"] * 2_000),
    ],
    ids=[
        "1-MB-name", "1-MB-text", "brackets", "lists", "minus", "not", "cases", "calls", "sum",
        "or", "join",
    ],
)  # fmt: skip
def test_a_huge_expression_is_computed_or_refused_in_three_lines(expression: str) -> None:
    found = faults(around("project", only(expression)), named([[COLUMNS]]))
    assert all(three_lines(one) and len(str(one)) < 1200 for one in found)
    if not found:
        assert len(value(expression, COLUMNS)) == 1


def test_an_aggregate_or_a_list_of_rows_cannot_be_a_condition() -> None:
    assert "aggregate" in fault("filter", {"where": "sum(a) > 1"}, [COLUMNS]).lower()
    assert "not true or false" in fault("filter", {"where": "a + 1"}, [COLUMNS])
    assert fault("filter", {"where": "unnest([true, false])"}, [COLUMNS])


@pytest.mark.parametrize(
    ("expression", "guess"),
    [("nmae", "name"), ("uper(name)", "upper"), ("parse_dat(day, ['%Y'])", "parse_date"),
     ("Odd_name + 1", "Odd name"), ("strng_agg(name)", "string_agg")],
)  # fmt: skip
def test_an_unknown_name_comes_with_a_suggestion(expression: str, guess: str) -> None:
    assert f"fix: did you mean {guess!r}?" in fault("project", only(expression), [COLUMNS])


def test_every_fault_of_an_expression_is_told_at_once() -> None:
    found = fault("project", only("uper(nmae) + getenv(dya)"), [COLUMNS])
    for name in ("uper", "nmae", "getenv", "dya"):
        assert repr(name) in found


def test_left_and_right_are_known_in_the_condition_of_a_join_alone() -> None:
    right = [{"k": 3, "low": 1}]
    assert not fault("join", {"where": '"left".a = "right".k'}, [COLUMNS], right)
    assert "no column" in fault("join", {"where": '"left".k = "right".k'}, [COLUMNS], right)
    assert fault("join", {"where": "a = k"}, [COLUMNS], right)
    assert fault("project", only('"left".a'), [COLUMNS])
