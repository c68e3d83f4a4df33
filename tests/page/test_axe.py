"""axe finds nothing serious or critical on any page of the page, light and English on a desktop, dark and French on a phone."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.page.browser import driven
from tests.server.service.hosted import hosted

GAMES = ("agency", "bond", "citadel", "whist", "hearts", "liars_dice", "kuhn")
PAGES = {
    "home", "setup", "setup with friends", "setup to watch", "join", "join without a match", "lobby", "a match that is over",
    "watched", "review", "record", "rules", "tournaments", "a tournament", "about", "settings", "gallery", "nowhere",
    "puzzles", "a puzzle", "a puzzle that was solved", "learn", "coach", "a hand for the coach", "advice of the coach",
    "a move for the coach", "a question of the coach",
}  # fmt: skip
LOOKS = ("desktop", "phone")
# Who sits there besides two people.
BOTS: dict[str, list[str]] = {"kuhn": [], "hearts": ["level1", "level1"]}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    kept = str(tmp_path_factory.mktemp("tournaments"))
    with hosted(think=0.02, web="127.0.0.1:0", tournaments=kept) as server:
        assert server.server.web_address is not None
        yield server.server.web_address


def is_fit(seen: Any) -> None:
    assert [finding for one in seen["seen"] for finding in one["grave"]] == []
    assert all(one["rules"] > 10 for one in seen["seen"])  # so it has looked
    assert seen["faults"] == []


@pytest.mark.parametrize("look", LOOKS)
def test_every_page_is_fit_for_all(address: str, look: str) -> None:
    seen = driven("pagesByAxe", address, look=look)

    is_fit(seen)
    assert {one["state"] for one in seen["seen"]} == PAGES


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("look", LOOKS)
def test_the_table_of_every_game_is_fit_for_all(address: str, look: str, game: str) -> None:
    seen = driven("tableByAxe", address, look=look, game=game, seats=BOTS.get(game, ["level1"]))

    is_fit(seen)
    states = {one["state"] for one in seen["seen"]}
    # A match of kuhn has three answers at most.
    assert states >= {"asked", "result", "over"}
    assert states == {"asked", "hints", "menu", "rules", "others", "result", "over"} or game == "kuhn"
