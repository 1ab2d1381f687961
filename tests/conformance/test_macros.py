"""Every macro on every engine: its examples hold, also inside a step."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from sqlglot import exp

from prepwright import engines
from prepwright.engines import Engine
from prepwright.functions import FUNCTIONS, MACROS
from prepwright.workflow.expressions.parsing import parse
from tests.workflow.running import after

EXAMPLES = [
    pytest.param(call, wanted, id=call)
    for macro in MACROS.values()
    for call, wanted in macro.examples
]


@pytest.fixture(scope="module")
def opened_engine(engine_name: str) -> Iterator[Engine]:
    with engines.opened(engine_name) as engine:
        yield engine


@pytest.mark.parametrize(("call", "wanted"), EXAMPLES)
def test_an_example_of_a_macro_holds(call: str, wanted: Any, opened_engine: Engine) -> None:
    made = opened_engine.fetch(exp.select(parse(call).as_("v"))).column("v")[0].as_py()
    assert made == wanted
    assert isinstance(made, (type(wanted), Decimal))  # 128-bit whole numbers arrive as decimals


def test_every_macro_has_examples_and_says_what_it_does() -> None:
    for macro in MACROS.values():
        assert macro.examples, macro.name
        assert macro.says.endswith("."), macro.name


def test_every_macro_works_in_a_step(engine_name: str) -> None:
    calls = [call for macro in MACROS.values() for call, _ in macro.examples]
    columns = [{"name": f"v{place}", "value": call} for place, call in enumerate(calls)]
    made = after("project", {"columns": columns}, [{"x": 1}], engine=engine_name)
    wanted = [value for macro in MACROS.values() for _, value in macro.examples]
    assert list(made[0].values()) == wanted


def test_a_macro_never_takes_the_name_of_a_catalogued_function() -> None:
    assert not set(MACROS) & FUNCTIONS
