"""What the page may cost without a clock: bytes, shifts of its layout, what is animated. See `bench/page.py` for the rest."""

from collections.abc import Iterator

import pytest

from bench.page import ANIMATED, BYTES, CLS
from machiavel.engines import load
from tests.page.browser import driven
from tests.page.elsewhere import serving


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.mark.parametrize("game", ["agency", "bond", "citadel", "whist"])
def test_a_first_visit_is_small(address: str, game: str) -> None:
    seen = driven("bytes", address, title=load(game).plugin.titles["en"])

    assert seen["faults"] == []
    assert 10_000 < seen["home"] < seen["table"]
    # The page itself; what the game and the match say comes on top.
    assert sum(one["size"] for one in seen["all"] if "machiavel.v1" not in one["path"]) <= BYTES


@pytest.mark.parametrize(("game", "players", "look"), [("whist", 2, "desktop"), ("agency", 4, "phone"), ("bond", 6, "phone")])
def test_nothing_jumps_in_a_whole_match_and_only_what_costs_nothing_moves(
    address: str, game: str, players: int, look: str
) -> None:
    seen = driven("shifts", address, game=game, players=players, look=look)

    assert seen["faults"] == []
    assert seen["moves"] > 10
    assert seen["cls"] <= CLS, seen["shifts"]
    assert set(seen["animated"]) == ANIMATED  # so something moved
