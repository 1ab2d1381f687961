"""The house rules that a machine can check; CONTRIBUTING.md says what they are for."""

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "prepwright"

MODULE_LINES = 500
UNIT_LINES = 250
FUNCTION_LINES = 60
PARAMETERS = 8
NESTING = 4
FILES_IN_FOLDER = 12

PLURAL_ROOMS = {
    "operators", "macros", "formats", "measures", "detectors", "phrases", "rules",
    "stages", "models", "routes", "suites", "library", "cli", "export",
}  # fmt: skip
"""Rooms that hold one small file for each thing of a kind, as many as there are."""

EXCEPTIONS: dict[str, str] = {}
"""Files (`src/prepwright/…`) or functions (`src/prepwright/….py:name`) that a size rule passes
over, each with its reason."""

NAMELESS = {"utils", "util", "helpers", "helper", "common", "core", "base", "misc", "shared"}

HEAVY = {"duckdb", "pyarrow", "pandas", "numpy", "sqlglot", "pyspark", "polars", "openpyxl"}


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def python_files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def unexcused(faults: dict[str, str]) -> list[str]:
    """Return the faults that no exception is made for, as lines."""
    return [f"{place}: {fault}" for place, fault in faults.items() if place not in EXCEPTIONS]


def is_unit(path: Path) -> bool:
    return path.parent.name in PLURAL_ROOMS and path.name != "__init__.py"


def test_no_module_is_too_long() -> None:
    faults: dict[str, str] = {}
    for path in python_files("src", "tests", "benchmarks"):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        limit = UNIT_LINES if is_unit(path) and PACKAGE in path.parents else MODULE_LINES
        if lines > limit:
            faults[shown(path)] = f"{lines} lines, at most {limit}"
    assert not unexcused(faults)


def test_no_function_is_too_long() -> None:
    faults: dict[str, str] = {}
    for path in python_files("src", "tests", "benchmarks"):
        for node in functions(path):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES:
                faults[f"{shown(path)}:{node.name}"] = f"{lines} lines, at most {FUNCTION_LINES}"
    assert not unexcused(faults)


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    names = [item.arg for item in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    return len([name for name in names if name not in {"self", "cls"}])


def test_no_function_takes_too_many_parameters() -> None:
    faults: dict[str, str] = {}
    for path in python_files("src"):
        for node in functions(path):
            if parameters(node) > PARAMETERS:
                place = f"{shown(path)}:{node.name}"
                faults[place] = f"{parameters(node)} parameters, at most {PARAMETERS}"
    assert not unexcused(faults)


def depth(node: ast.AST) -> int:
    """Return how many blocks are nested in `node`; an `elif` is no deeper than its `if`."""
    blocks = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)
    deepest = 0
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        chained = isinstance(node, ast.If) and [child] == node.orelse and isinstance(child, ast.If)
        deepest = max(deepest, depth(child) + (isinstance(child, blocks) and not chained))
    return deepest


def test_no_function_nests_too_deep() -> None:
    faults: dict[str, str] = {}
    for path in python_files("src"):
        for node in functions(path):
            if depth(node) > NESTING:
                place = f"{shown(path)}:{node.name}"
                faults[place] = f"{depth(node)} blocks deep, at most {NESTING}"
    assert not unexcused(faults)


def test_no_folder_holds_too_many_files() -> None:
    files = Counter(path.parent for path in python_files("src") if path.name != "__init__.py")
    faults = {
        shown(folder): f"{count} files, at most {FILES_IN_FOLDER}"
        for folder, count in files.items()
        if count > FILES_IN_FOLDER and folder.name not in PLURAL_ROOMS
    }
    assert not unexcused(faults)


def test_every_exception_is_still_needed_and_says_why() -> None:
    for place, reason in EXCEPTIONS.items():
        path, _, name = place.partition(":")
        assert (ROOT / path).exists(), f"{place} is gone; take it off the list"
        assert not name or name in {node.name for node in functions(ROOT / path)}, place
        assert len(reason.split()) > 2, f"{place} needs a reason"


def test_every_module_is_named_after_its_idea() -> None:
    vague = [shown(path) for path in python_files("src") if path.stem in NAMELESS]
    private = [shown(path) for path in python_files("src") if re.match(r"_[^_]", path.stem)]
    assert not vague
    assert not private


def operator_files() -> list[Path]:
    return sorted((PACKAGE / "workflow" / "operators").glob("[!_]*.py"))


@pytest.mark.skipif(not operator_files(), reason="no operators yet")
def test_an_operator_is_called_alike_everywhere() -> None:
    for path in operator_files():
        camel = "".join(word.capitalize() for word in path.stem.split("_"))
        classes = {node.name: node for node in parsed(path).body if isinstance(node, ast.ClassDef)}
        assert camel in classes, f"{shown(path)} has no class {camel}"
        literals = {
            ast.unparse(node.annotation)
            for node in classes[camel].body
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "operator"
        }
        assert literals == {f"Literal['{path.stem}']"}, shown(path)


@pytest.mark.parametrize("arguments", [["-c", "import prepwright"], ["-m", "prepwright", "--help"]])
def test_neither_import_nor_help_loads_a_data_library(arguments: list[str]) -> None:
    command = [sys.executable, "-X", "importtime", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    modules = [line.rpartition("|")[2].strip() for line in done.stderr.splitlines()]
    loaded = {module.partition(".")[0] for module in modules}
    assert "prepwright" in loaded
    assert not loaded & HEAVY


def test_the_version_is_said_alike_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assigned = {
        ast.unparse(node.targets[0]): ast.literal_eval(node.value)
        for node in parsed(PACKAGE / "__init__.py").body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__version__"
    }
    assert assigned == {"__version__": project["version"]}


def tracked_text() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of every file that is, or would be, in the repository."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(listing, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode != 0:
        pytest.skip("not in a git repository")
    for name in filter(None, done.stdout.split("\0")):
        path = ROOT / name
        if path.is_file() and path.stat().st_size < 2_000_000:
            yield name, path.read_bytes().decode("utf-8", errors="ignore")


def test_no_file_names_a_machine_or_a_registry() -> None:
    # Put together from halves, or this file would name them.
    machine = [r"(?<![\w.$}\"'*])/" + rest for rest in ("home/", "root/", "Users/", "work/")]
    registries = ["py" + "pi.org", "python" + "hosted", "registry.npm" + "js", "deb.deb" + "ian"]
    pattern = re.compile("|".join([*machine, *map(re.escape, registries)]))
    assert not [
        f"{name}: {found.group()}"
        for name, text in tracked_text()
        for found in pattern.finditer(text)
    ]


def test_the_lock_holds_plain_pins_alone() -> None:
    lines = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert pins
    assert not [line for line in pins if not re.fullmatch(r"[\w.\-]+==[\w.\-]+", line)]


def test_the_lock_pins_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    lines = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8").splitlines()
    pinned = {re.sub(r"[-_.]+", "-", line.partition("==")[0]).lower() for line in lines}
    assert not [name for name in wanted if re.split(r"[\[<>=~ ]", name)[0].lower() not in pinned]


TEMPLATES = sorted((ROOT / "script" / "templates").glob("*.py.txt"))


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_a_template_is_a_module_that_says_where_it_goes(template: Path) -> None:
    text = template.read_text(encoding="utf-8")
    filled = text.replace("{{name}}", "swap_case").replace("{{Class}}", "SwapCase")
    place, then, *module = filled.splitlines()
    assert re.fullmatch(r"# to: src/prepwright/[a-z_/]+/swap_case\.py", place)
    assert then.startswith("# next: ")
    assert ast.get_docstring(ast.parse("\n".join(module)))
