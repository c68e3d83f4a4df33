"""Every test that takes a `case` runs for every installed engine."""

import pytest

from tests.conformance.cases import all_cases


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", all_cases(), ids=str)
