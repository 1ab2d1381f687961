"""Malformed input through the real command: three lines, status 2, no traceback, or it works.

Each case runs in a process of its own, in a folder of its own; most in forks of a warm process.
"""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

Made = list[str | Path]
Case = Callable[[Path], Made]

GOOD = "id,name\n1,Ann\n2,Bob\n"


def steps(*more: dict[str, Any], name: str = "out.csv") -> str:
    made = [{"id": "t", "operator": "input", "table": "t"}, *more]
    last = {"id": "o", "operator": "output", "input": made[-1]["id"], "name": name}
    return json.dumps({"version": 1, "steps": [*made, last]})


def step(operator: str, **settings: Any) -> dict[str, Any]:
    return {"id": "s", "operator": operator, "input": "t", **settings}


def file(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def on_table(content: str | bytes, name: str = "t.csv") -> Case:
    """Return the case of a table with that content, through a workflow that is right."""

    def made(folder: Path) -> Made:
        workflow = file(folder, "w.json", steps())
        return [
            "run",
            workflow,
            "--input",
            f"t={file(folder, name, content)}",
            "-o",
            folder / "out",
        ]

    return made


def on_workflow(content: str | bytes) -> Case:
    """Return the case of a workflow with that content, over a table that is right."""

    def made(folder: Path) -> Made:
        workflow = file(folder, "w.json", content)
        table = file(folder, "t.csv", GOOD)
        return ["run", workflow, "--input", f"t={table}", "-o", folder / "out"]

    return made


def on_step(operator: str, **settings: Any) -> Case:
    return on_workflow(steps(step(operator, **settings)))


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


Command = Callable[[Case, Path], Done]


@pytest.fixture(scope="module")
def ran() -> Iterator[Command]:
    """Give the function that runs a case, in a process of its own."""
    command = [sys.executable, Path(__file__).with_name("forked_command.py")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:

        def run(case: Case, folder: Path) -> Done:
            assert server.stdin and server.stdout
            said = {name: folder / f"said on {name}" for name in ("stdout", "stderr")}
            request = {"cwd": folder, "arguments": [*map(str, case(folder))], **said}
            server.stdin.write(json.dumps(request, default=str) + "\n")
            server.stdin.flush()
            status = int(server.stdout.readline())
            return Done(status, **{n: f.read_text(errors="replace") for n, f in said.items()})

        yield run
        assert server.stdin
        server.stdin.close()


def refused(done: Done | subprocess.CompletedProcess[str], folder: Path) -> str:
    """Check that the command refused its input as it should, and return what it said."""
    assert done.returncode == 2, (done.returncode, done.stdout[-500:], done.stderr[-2000:])
    assert "Traceback" not in done.stderr
    assert "something failed that should not" not in done.stderr
    lines = done.stderr.rstrip("\n").split("\n")
    assert len(lines) % 3 == 0, done.stderr
    for first, found, fix in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        assert first and not first.startswith(" ")
        assert found.startswith("  found: ") and len(found) > 9
        assert fix.startswith("  fix: ") and len(fix) > 7
        assert max(len(first), len(found), len(fix)) < 1_000
    out = folder / "out"
    assert not out.is_dir() or not list(out.glob(".partial*"))
    return done.stderr


def truncated_parquet() -> bytes:
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.table({"a": list(range(1000))}), sink)
    return sink.getvalue().to_pybytes()[:-200]


def cycle() -> str:
    return json.dumps({"version": 1, "steps": [
        {"id": "t", "operator": "input", "table": "t"},
        {"id": "a", "operator": "union", "inputs": ["t", "b"]},
        {"id": "b", "operator": "filter", "input": "a", "where": "true"},
        {"id": "o", "operator": "output", "input": "a", "name": "x.csv"}]})  # fmt: skip


def derived(expression: str) -> Case:
    return on_step("project", columns=[{"name": "v", "value": expression}])


def given(*arguments: str) -> Case:
    """Return the case of a command line over a right workflow and table."""

    def made(folder: Path) -> Made:
        file(folder, "w.json", steps())
        file(folder, "t.csv", GOOD)
        (folder / "folder").mkdir()
        return list(arguments)

    return made


def running(*arguments: str) -> Case:
    """Return the case of a run of a right workflow with these arguments."""
    return given("run", "w.json", "-o", "out", *arguments)


WORKFLOWS: dict[str, tuple[Case, str]] = {
    "broken JSON": (on_workflow('{"version": 1, "steps": ['), "not JSON"),
    "an empty workflow file": (on_workflow(""), "not JSON"),
    "a workflow that is text": (on_workflow("just words"), "not JSON"),
    "a workflow that is a list": (on_workflow("[]"), ""),
    "a workflow that is a number": (on_workflow("7"), ""),
    "a workflow that is null": (on_workflow("null"), ""),
    "a workflow without steps": (on_workflow('{"version": 1}'), "'steps' is missing"),
    "a workflow with no step": (on_workflow('{"version": 1, "steps": []}'), "steps"),
    "steps that are an object": (on_workflow('{"version": 1, "steps": {}}'), "steps"),
    "steps that are numbers": (on_workflow('{"version": 1, "steps": [1, null, []]}'), "step 1"),
    "a version from the future": (on_workflow('{"version": 9, "steps": [1]}'), "version"),
    "an unknown name on top": (on_workflow(steps()[:-1] + ', "extra": 1}'), "'extra'"),
    "NaN in JSON": (on_step("sort", limit=float("nan")), "NaN"),
    "a huge number": (on_workflow(steps(step("sort", limit=1)).replace("1}", "1e999}", 1)), ""),
    "a number of 10,000 digits": (on_workflow(f'{{"version": {"9" * 10_000}}}'), ""),
    "JSON 100,000 levels deep": (on_workflow("[" * 100_000), "not JSON"),
    "a NUL in the workflow": (on_workflow(steps().replace("out.csv", "a\\u0000.csv")), "file name"),
    "NUL bytes for a workflow": (on_workflow(b"\0" * 100), "not JSON"),
    "a workflow in a wrong encoding": (on_workflow(b'{"version": 1, "request": "\xff"}'), ""),
    "binary junk for a workflow": (on_workflow(bytes(range(256)) * 50), ""),
    "a circle": (on_workflow(cycle()), "circle"),
    "an unknown operator": (on_step("fliter", where="true"), "did you mean 'filter'?"),
    "an unknown setting": (on_step("filter", wheer="true"), "'wheer'"),
    "an unknown column": (on_step("filter", where="nmae = 'x'"), "did you mean 'name'?"),
    "an unknown step": (on_workflow(steps(step("sort", input="tt"))), "'tt'"),
    "a sub-query": (on_step("filter", where="id IN (SELECT 1)"), "sub-query"),
    "a file in an expression": (derived("read_text('/etc/passwd')"), "read_text"),
    "an environment variable": (derived("getenv('HOME')"), "getenv"),
    "a second statement": (derived("1; DROP TABLE t"), "not one expression"),
    "a hidden comment": (derived("1 -- + 2"), "comment"),
    "an expression of 1 MB": (derived("1 + " * 250_000 + "1"), "too long"),
    "10,000 brackets": (derived("(" * 9_000 + "1" + ")" * 9_000), "nested too deeply"),
    "an expression that never ends": (derived("'abc"), "cannot be read"),
    "a cast that fails": (derived("CAST(name AS INTEGER)"), "TRY_CAST"),
    "an output in another folder": (on_workflow(steps(name="../x.csv")), "plain file name"),
    "an output at the root": (on_workflow(steps(name="/x.csv")), "plain file name"),
    "an output of unknown format": (on_workflow(steps(name="x.exe")), "no known format"),
    "an output with no name": (on_workflow(steps(name="")), ""),
    "an output with the name of a file of ours": (on_workflow(steps(name="run.json")), "run.json"),
    "a very long output name": (on_workflow(steps(name="x" * 400 + ".csv")), ""),
    "a script": (on_workflow(json.dumps({"version": 1, "steps": [
        {"id": "t", "operator": "input", "table": "t"},
        {"id": "s", "operator": "script", "inputs": ["t"], "code": "def transform(t): return t",
         "columns": [{"name": "a"}]},
        {"id": "o", "operator": "output", "input": "s", "name": "x.csv"}]})), "cannot be executed"),
}  # fmt: skip

TABLES: dict[str, tuple[Case, str]] = {
    "an empty file": (on_table(""), "the file is empty"),
    "a file of blank lines": (on_table("\n\n\n"), "empty"),
    "binary junk": (on_table(bytes(range(256)) * 40), ""),
    "an image called CSV": (on_table(b"\x89PNG\r\n\x1a\n" + bytes(200)), ""),
    "NUL bytes": (on_table(b"\0" * 1000), ""),
    "a truncated Parquet file": (on_table(truncated_parquet(), "t.parquet"), "t.parquet"),
    "an empty Parquet file": (on_table("", "t.parquet"), "t.parquet"),
    "a broken workbook": (on_table(b"PK\x03\x04 no more", "t.xlsx"), "t.xlsx"),
    "an unknown suffix": (on_table(b"\x00\x01\x02", "t.xyz"), "t.xyz"),
    "broken JSON for a table": (on_table('[{"a": 1}, {"a":', "t.json"), "t.json"),
    "a JSON table that is a number": (on_table("7", "t.json"), "t.json"),
    "deep JSON for a table": (on_table("[" * 100_000, "t.json"), "t.json"),
    "a broken line of JSON Lines": (on_table('{"a": 1}\n{"a": \n', "t.jsonl"), "t.jsonl"),
}

COMMANDS: dict[str, tuple[Case, str]] = {
    "no such file": (running("--input", "t=tt.csv"), "tt.csv"),
    "no such workflow": (given("run", "ww.json", "--input", "t=t.csv", "-o", "out"), "ww.json"),
    "a folder for a workflow": (given("run", "folder", "-o", "out"), "folder"),
    "an empty folder for a table": (running("--input", "t=folder"), "folder"),
    "no table at all": (running(), "'t'"),
    "a table the workflow lacks": (running("--input", "u=t.csv"), "'t'"),
    "the same table twice": (running("--input", "t=t.csv", "--input", "t=w.json"), "t"),
    "no pair": (running("--input", "t.csv"), "names no table"),
    "a table with an empty name": (running("--input", "=t.csv"), ""),
    "a file for the folder of results": (
        given("run", "w.json", "--input", "t=t.csv", "-o", "t.csv"), "a file, not a folder"),
    "results below a file": (
        given("run", "w.json", "--input", "t=t.csv", "-o", "t.csv/out"), "t.csv"),
    "no folder of results": (given("run", "w.json", "--input", "t=t.csv"), "--out"),
    "an unknown engine": (running("--input", "t=t.csv", "--engine", "dukdb"), "duckdb"),
    "no threads": (running("--input", "t=t.csv", "--threads", "0"), "threads"),
    "memory that is text": (running("--input", "t=t.csv", "--memory", "much"), "memory"),
    "an unknown verb": (given("rnu", "w.json"), "did you mean 'run'?"),
    "an unknown option": (running("--inptu", "t=t.csv"), "--inptu"),
    "a request over no file": (given("prepare", "drop rows with missing name", "-o", "out"), ""),
    "a path of 5,000 characters": (running("--input", "t=" + "x" * 5_000), ""),
    "explaining a table": (given("explain", "t.csv"), "not JSON"),
    "validating a table": (given("validate", "t.csv"), "not JSON"),
}  # fmt: skip

ALL = {**WORKFLOWS, **TABLES, **COMMANDS}


@pytest.mark.parametrize("name", ALL)
def test_bad_input_is_refused_in_three_lines(name: str, ran: Command, tmp_path: Path) -> None:
    case, said = ALL[name]
    assert said in refused(ran(case, tmp_path), tmp_path)


WORKS: dict[str, tuple[str | bytes, str, str]] = {
    "a header alone": ("a,b\n", "t.csv", "a,b\n"),
    "a header without a line end": ("a,b", "t.csv", "a,b\n"),
    "duplicate headers": ("a,a,A\n1,2,3\n", "t.csv", "a,a_2,A_3\n1,2,3\n"),
    "a blank header": ("a,,c\n1,2,3\n", "t.csv", "a,column_2,c\n1,2,3\n"),
    "one cell": ("x\n", "t.csv", "x\n"),
    "a byte order mark": (b"\xef\xbb\xbfa,b\n1,2\n", "t.csv", "a,b\n1,2\n"),
    "UTF-16": ("a,b\n1,é\n".encode("utf-16"), "t.csv", "a,b\n1,é\n"),
    "cp1252": ("name,town\nJosé,Málaga\nZoë,Köln\n".encode("cp1252"), "t.csv",
               "name,town\nJosé,Málaga\nZoë,Köln\n"),
    "carriage returns": (b"a,b\r\n1,2\r\n", "t.csv", "a,b\n1,2\n"),
    "an empty JSON list": ("[]", "t.json", ""),
    "NaN in a JSON table stays text": ('[{"a": NaN}]', "t.json", "a\nNaN\n"),
    "a quote that nothing closes is a character": ('a,b\n1,"x\n2,y\n', "t.csv",
                                                   'a,b\n1,"""x"\n2,y\n'),
    "a huge number stays text": ("a,b\n1e999,99999999999999999999\n", "t.csv",
                                 "a,b\n1e999,99999999999999999999\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", WORKS)
def test_odd_but_sound_input_works(name: str, ran: Command, tmp_path: Path) -> None:
    content, path, wanted = WORKS[name]
    done = ran(on_table(content, path), tmp_path)
    if not wanted:
        refused(done, tmp_path)
        return
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "out.csv").read_text(encoding="utf-8") == wanted


def test_ten_thousand_columns_work_or_are_refused(ran: Command, tmp_path: Path) -> None:
    names = ",".join(f"c{n}" for n in range(10_000))
    cells = ",".join(str(n) for n in range(10_000))
    done = ran(on_table(f"{names}\n{cells}\n"), tmp_path)
    if done.returncode:
        refused(done, tmp_path)
    else:
        assert (tmp_path / "out" / "out.csv").read_text() == f"{names}\n{cells}\n"


def test_a_cell_of_five_megabytes_works(ran: Command, tmp_path: Path) -> None:
    content = f"a,b\n{'x' * 5_000_000},1\n"
    done = ran(on_table(content), tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "out.csv").read_text() == content


WITHOUT_RIGHTS = """
import io, os, sys
from contextlib import redirect_stderr, suppress
from prepwright.cli import main

warm, *rest = sys.argv[1:]
for table in (warm, "absent.csv"):
    with suppress(SystemExit), redirect_stderr(io.StringIO()):
        main(["run", "w.json", "--input", "t=" + table, "-o", "warm"])
if not os.getuid():
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
main(rest)
"""
"""A command in a process that gives up the rights of root once everything is imported."""


def without_rights(folder: Path) -> subprocess.CompletedProcess[str]:
    for place in (folder, folder.parent, folder.parent.parent):
        place.chmod(0o755)
    arguments = ["run", "w.json", "--input", "t=t.csv", "-o", "out"]
    warm = file(folder, "warm.csv", GOOD)
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_RIGHTS, str(warm), *arguments],
        cwd=folder, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def test_a_file_without_permission_is_refused(tmp_path: Path) -> None:
    on_table(GOOD)(tmp_path)
    (tmp_path / "t.csv").chmod(0)
    tmp_path.chmod(0o777)
    assert "t.csv" in refused(without_rights(tmp_path), tmp_path)


@pytest.mark.skipif(bool(os.getuid()), reason="only root can give a folder to somebody else")
def test_a_folder_without_permission_is_refused(tmp_path: Path) -> None:
    on_table(GOOD)(tmp_path)
    assert "out" in refused(without_rights(tmp_path), tmp_path)
    assert not (tmp_path / "out").exists()


def limited_files() -> None:
    """Let every file end after 64 kB, as a full disk does; a write beyond it fails."""
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (65_536, 65_536))


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet", "xlsx"])
def test_a_full_disk_is_told_and_leaves_nothing(suffix: str, tmp_path: Path) -> None:
    # A small file system cannot be mounted everywhere; a limit on the size of files fails the same
    # writes, with another number.
    table = file(tmp_path, "t.csv", "a,b\n" + "".join(f"{n * 7919},{n}x\n" for n in range(60_000)))
    workflow = file(tmp_path, "w.json", steps(name=f"out.{suffix}"))
    command = [sys.executable, "-m", "prepwright", "run", str(workflow), "--input", f"t={table}",
               "-o", str(tmp_path / "out")]  # fmt: skip
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False,
        preexec_fn=limited_files, timeout=120,
    )  # fmt: skip
    refused(done, tmp_path)
    assert not (tmp_path / "out").exists()


def test_standard_output_that_is_full_or_closed_is_no_traceback(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    command = [sys.executable, "-m", "prepwright", *map(str, on_table(GOOD)(tmp_path))]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "the disk is full" in done.stderr
