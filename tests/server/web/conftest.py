"""A server with a door, for the tests of a module."""

from collections.abc import Iterator

import pytest

from tests.server.service.hosted import Hosted, hosted
from tests.server.web.http_calls import Place, at

WEB = "127.0.0.1:0"


@pytest.fixture(scope="module")
def server() -> Iterator[Hosted]:
    with hosted(web=WEB) as result:
        yield result


@pytest.fixture(scope="module")
def place(server: Hosted) -> Place:
    """Where the door is."""
    return at(server)
