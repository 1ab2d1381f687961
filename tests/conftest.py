"""What every test shares: property tests that take no wall-clock time for a fault, and engines."""

import pytest
from hypothesis import settings

from prepwright import engines

settings.register_profile("house", deadline=None, print_blob=True, database=None)
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--engine",
        default="duckdb",
        help="engines that run the tests of workflows, separated by commas; or all",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine_name" not in metafunc.fixturenames:
        return
    asked = str(metafunc.config.getoption("--engine"))
    names = engines.names() if asked == "all" else tuple(filter(None, asked.split(",")))
    usable = [_usable(name) for name in names]
    metafunc.parametrize("engine_name", usable, scope="session")


def _usable(name: str) -> object:
    """Return the engine's name as a parameter that skips its tests where it is not installed."""
    absent = name not in engines.names()
    return pytest.param(
        name, marks=pytest.mark.skipif(absent, reason=f"no engine {name} is installed")
    )
