"""Write the pages of docs/reference from the code that they describe."""

import json
import sys
from pathlib import Path
from typing import Any

from prepwright.functions import MACROS
from prepwright.functions.catalogue import GROUPS
from prepwright.workflow import OPERATORS, Workflow

HERE = Path(__file__).parent / "reference"
NOTE = "<!-- written by `script/docs`; edit the code that it describes instead -->\n"


def pages() -> dict[str, str]:
    """Return the text of every generated page, by file name."""
    schema = json.dumps(Workflow.json_schema(), indent=2, ensure_ascii=False) + "\n"
    return {
        "operators.md": operators(),
        "expressions.md": expressions(),
        "workflow.schema.json": schema,
    }


def operators() -> str:
    parts = [
        "# Operators",
        NOTE,
        "A step is one use of an operator. Every step has `id` and `operator`, and may "
        "have `why` (one line), `from` (the span of the request or code it came from) and `off`.\n",
    ]
    for name, operator in OPERATORS.items():
        doc = (operator.__doc__ or "").strip()
        lines = [line.strip() for line in doc.splitlines()]
        parts += [
            f"## {name}",
            "\n".join(lines),
            _settings(operator.model_json_schema(by_alias=True)),
        ]
        parts += [_example(name, example) for example in operator.examples]
    return "\n\n".join(parts).rstrip() + "\n"


def _settings(schema: dict[str, Any]) -> str:
    rows = ["| setting | type | default | |", "| --- | --- | --- | --- |"]
    for setting, about in schema["properties"].items():
        if setting in ("id", "operator", "why", "from", "off"):
            continue
        default = json.dumps(about["default"]) if "default" in about else "needed"
        if setting not in schema.get("required", []) and "default" not in about:
            default = "{}"
        cells = [f"`{setting}`", _kind(about), f"`{default}`", about.get("description", "")]
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows)


def _kind(about: dict[str, Any]) -> str:
    if "enum" in about:
        return " · ".join(f"`{value}`" for value in about["enum"])
    if "anyOf" in about:
        return " or ".join(dict.fromkeys(_kind(item) for item in about["anyOf"]))
    if "$ref" in about:
        return "`" + about["$ref"].rpartition("/")[2] + "`"
    if about.get("type") == "array":
        return f"list of {_kind(about.get('items', {}))}"
    return str(about.get("type", "any"))


def _example(name: str, example: Any) -> str:
    settings = json.dumps({"operator": name, **example.settings}, ensure_ascii=False)
    tables = "\n\n".join(_table(rows) for rows in example.before)
    return f"```json\n{settings}\n```\n\n{tables}\n\nbecomes\n\n{_table(example.after)}"


def _table(rows: list[dict[str, Any]]) -> str:
    names = list(rows[0])
    lines = ["| " + " | ".join(names) + " |", "|" + " --- |" * len(names)]
    for row in rows:
        lines.append("| " + " | ".join("" if v is None else str(v) for v in row.values()) + " |")
    return "\n".join(lines)


def expressions() -> str:
    parts = [
        "# Expressions", NOTE,
        "An expression is one SQL expression in DuckDB's dialect over the columns of the step's input. Column "
        "names with blanks or signs go in double quotes, texts in single quotes. Window functions and `unnest` "
        "are allowed; sub-queries, several statements, and functions that are not listed here are refused by "
        "name, so no expression can read a file, a setting, the clock or chance.",
        "What is the same on every engine, whatever the engine's own habit: nulls sort last; `a / b` is null "
        "where `b` is 0; `row_number`, `lag`, `lead`, `first`, `last`, `list`, `string_agg`, `arg_max`, "
        "`arg_min` and `mode` follow the order of the rows where their own ORDER BY leaves a tie; sums and means "
        "give the same bits in whatever order rows come.",
        "## Macros", "| call | meaning | example |\n| --- | --- | --- |",
    ]  # fmt: skip
    rows = []
    for macro in sorted(MACROS.values(), key=lambda item: item.name):
        call, result = macro.examples[0]
        cells = (f"`{macro.signature}`", macro.says, f"`{call}` → `{result!r}`")
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    parts[-1] += "\n" + "\n".join(rows)
    for group, names in GROUPS.items():
        parts += [
            f"## Functions: {group}",
            ", ".join(f"`{name}`" for name in sorted(set(names.split()))),
        ]
    return "\n\n".join(parts) + "\n"


def main() -> int:
    """Write the pages; with --check, only tell whether they are up to date."""
    stale = [
        name for name, text in pages().items()
        if not (HERE / name).exists() or (HERE / name).read_text(encoding="utf-8") != text
    ]  # fmt: skip
    if "--check" in sys.argv:
        print("\n".join(f"docs/reference/{name} is out of date: run script/docs" for name in stale))
        return 1 if stale else 0
    HERE.mkdir(exist_ok=True)
    for name in stale:
        (HERE / name).write_text(pages()[name], encoding="utf-8")
        print(f"wrote docs/reference/{name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
