"""The coach in Chromium: laid-out matches entered as a person at the table sees them; all advice is asked for with true views."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.page.browser import driven
from tests.page.coached import script_of, seen_by_page
from tests.server.service.hosted import hosted

# The game, how many play, one's own seat, and how many moves are entered.
MATCHES = [
    ("agency", 3, 0, 22),
    ("bond", 3, 0, 22),
    ("citadel", 2, 0, 16),
    ("whist", 3, 1, 24),
    ("hearts", 4, 2, 22),
    ("kuhn", 2, 0, 3),
    ("liars_dice", 3, 0, 14),
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with hosted(think=0.02, web="127.0.0.1:0") as server:
        assert server.server.web_address is not None
        yield server.server.web_address


def asked_for(seen: Any, when: object) -> list[Any]:
    """The views that advice was asked for then: after so many moves, or by a name of what was done."""
    return [seen_by_page(view) for view in seen["views"].get(str(when), [])]


@pytest.mark.parametrize(("game", "players", "own", "plies"), MATCHES)
def test_a_match_is_entered_with_mistakes_and_all_advice_is_for_the_true_view(
    address: str, game: str, players: int, own: int, plies: int
) -> None:
    script = script_of(game, players, own, plies)
    seen = driven("coached", address, script=script)

    assert seen["faults"] == []
    assert seen["steps"] == len(script["steps"])
    assert seen["slips"] > 0
    assert seen["refused"] == 1
    assert (seen["reloads"], seen["again"]) == ((1, 1) if plies > 9 else (0, 0))
    true = script["views"]
    assert true
    for number, view in true.items():
        assert view in asked_for(seen, number), number
    # What is still asked about the view before is asked with a true one, too.
    for when in seen["views"].keys() - {"by mistake"}:
        assert all(view in true.values() for view in asked_for(seen, when)), when


@pytest.mark.parametrize(("game", "players", "own", "plies"), [("whist", 2, 0, 12), ("agency", 2, 0, 8)])
def test_on_a_phone_it_is_the_same(address: str, game: str, players: int, own: int, plies: int) -> None:
    script = script_of(game, players, own, plies)
    seen = driven("coached", address, script=script, look="phone")

    assert seen["faults"] == []
    assert seen["wide"] == []
    assert all(view in asked_for(seen, number) for number, view in script["views"].items())


def test_what_was_entered_is_on_this_device_alone_and_its_address_brings_it_back(address: str) -> None:
    script = script_of("whist", 3, 0, 8)
    seen = driven("coachKept", address, script=script)

    assert seen["faults"] == []
    assert seen["listed"] == ["Knockout Whist"]
    assert seen["again"] == seen["steps"] == 8
    assert seen["elsewhere"] == 0  # another browser knows nothing of it
    assert seen["removed"] == []
    # The names of who sits there never leave the page.
    assert seen["told"] == "Camille" and not seen["sent"]
