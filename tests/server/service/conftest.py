"""What the tests of the service share."""

from collections.abc import Iterator

import pytest

from machiavel.clients import Client, connect
from tests.server.service.hosted import Hosted, hosted


@pytest.fixture(scope="module")
def server() -> Iterator[Hosted]:
    with hosted() as result:
        yield result


@pytest.fixture(scope="module")
def service(server: Hosted) -> Iterator[Client]:
    with connect(server.address) as result:
        yield result
