"""Random bytes that are fetched many at a time are each given once."""

import os
from itertools import pairwise

import pytest

from machiavel.search.entropy import FETCHED, EntropyPool


@pytest.mark.parametrize("size", [1, 8, 1000, FETCHED, 3 * FETCHED])
def test_no_bytes_are_given_twice(size: int) -> None:
    pool = EntropyPool()
    given = [pool.draw(size) for _ in range(2000 if size == 8 else 20)]
    assert {len(one) for one in given} == {size}
    assert all(one != other for one, other in pairwise(given)) or size == 1
    assert len(set(given)) == len(given) or size == 1


def test_a_child_has_bytes_of_its_own() -> None:
    pool = EntropyPool()
    pool.draw(8)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, pool.draw(16))
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reading, 16) != pool.draw(16)
    os.close(reading)
    os.close(writing)
