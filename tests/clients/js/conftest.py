"""One server for the tests of this folder."""

from collections.abc import Iterator

import pytest

from tests.server.service.hosted import Hosted, hosted


@pytest.fixture(scope="session")
def server() -> Iterator[Hosted]:
    with hosted(think=0.02, web="127.0.0.1:0") as result:
        yield result
