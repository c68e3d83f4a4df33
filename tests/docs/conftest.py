"""A server with a web door, as `make run` has one."""

from collections.abc import Iterator

import pytest

from tests.server.service.hosted import Hosted, hosted


@pytest.fixture(scope="module")
def server() -> Iterator[Hosted]:
    with hosted(web="127.0.0.1:0", think=0.02) as result:
        yield result
