"""Looking for unreachable cycles holds no call up."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from machiavel.engines import games, load
from machiavel.server.garbage import load_games, settle


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


class Knot:
    """Holds itself."""

    def __init__(self) -> None:
        self.itself = self


def test_what_lasts_is_not_looked_at_again() -> None:
    load_games()
    settle()
    before = gc.get_freeze_count()
    assert before > 10_000
    assert len(gc.get_objects()) < before / 10
    assert all(load(name).name == name for name in games())


def test_what_became_unreachable_since_is_freed_the_next_time() -> None:
    knot = Knot()
    settle()
    known = weakref.ref(knot)
    del knot
    gc.collect()
    assert known() is not None, "it was set aside"
    settle()
    assert known() is None
