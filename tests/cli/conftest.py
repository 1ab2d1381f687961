"""The command in this process: its status and what it printed."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from prepwright.cli import prepwright
from prepwright.cli.failures import guarded

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "registrations"


@dataclass(frozen=True)
class Said:
    status: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


Command = Callable[..., Said]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    def call(*arguments: object) -> Said:
        given = [str(one) for one in arguments]
        capsys.readouterr()
        status = guarded(lambda: prepwright.main(given, "prepwright", standalone_mode=False), given)
        printed = capsys.readouterr()
        return Said(status, printed.out, printed.err)

    return call


@pytest.fixture(scope="session")
def registrations() -> list[str]:
    """The request of the example and its two files."""
    request = (EXAMPLE / "request.txt").read_text(encoding="utf-8")
    return [request, str(EXAMPLE / "main_reg.csv"), str(EXAMPLE / "workshop_reg.csv")]
