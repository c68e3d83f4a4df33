"""What fuzzing kept, and changes of good inputs, are read or refused in words; and a fault would be found."""

import random
from collections.abc import Iterator

import pytest

from bench.fuzz.__main__ import read_corpus
from bench.fuzz.fuzzed_services import FaultFound, FuzzedServices, check
from bench.fuzz.targets import TARGETS

KEPT, CHANGED = 40, 12
LESS = {"handlers": 4, "door": 4, "decks": 4, "databases": 4}  # so many times less: these take longer


@pytest.fixture(scope="module", autouse=True)
def server() -> Iterator[None]:
    yield
    FuzzedServices.close()


@pytest.mark.parametrize("name", TARGETS)
def test_what_was_kept_and_what_is_made_of_it_is_read_or_refused(name: str) -> None:
    target, draw = TARGETS[name], random.Random(name)
    kept, seeds, less = read_corpus(name), list(target.seeds()), LESS.get(name, 1)
    read = target.make()
    for data in draw.sample(kept, min(len(kept), KEPT // less)):
        read(data)
    for _ in range(CHANGED // less):
        read(target.change(draw.choice(seeds), draw)[: target.longest])

    assert seeds


@pytest.mark.parametrize(
    ("answer", "is_fault"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\n{}", False),
        (b"HTTP/1.1 503 Service Unavailable\r\n\r\n", False),
        (b"HTTP/1.1 500 Internal Server Error\r\n\r\n", True),
        (b'HTTP/1.1 200 OK\r\n\r\n\x02\0\0\0\x21{"error":{"code":"internal"}}', True),
        (b"HTTP/1.1 200 OK\r\n\r\ngrpc-status: 13\r\n", True),
        (b"HTTP/1.1 200 OK\r\n\r\ngrpc-status: 3\r\n", False),
        (b"", False),
        (b"what?", True),
    ],
)
def test_an_answer_that_no_request_should_get_is_found(answer: bytes, is_fault: bool) -> None:
    if is_fault:
        with pytest.raises(FaultFound):
            check(answer)
    else:
        check(answer)
