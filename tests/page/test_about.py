"""What cards and other things do is told to whoever asks, on the page, by mouse, keys or finger; asking does nothing else."""

from collections.abc import Iterator
from typing import Any

import pytest

from machiavel.engines import load
from tests.page.browser import driven
from tests.page.elsewhere import serving


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as address:
        yield address


def texts(game: str, *kinds: str) -> set[str]:
    """What the game says of all its things of these kinds."""
    rules = load(game).make_rules(3)
    house = rules.tables.house
    names = {"card": house.cards, "character": house.characters, "door": house.door_names}
    return {load(game).plugin.thing_about(rules, kind, text, "en") for kind in kinds for text in names[kind]}


def test_who_points_at_a_card_or_comes_to_it_by_keys_reads_what_it_does_and_plays_nothing(address: str) -> None:
    seen: Any = driven("aboutByPointer", address, game="citadel", people=3)

    cards, others = texts("citadel", "card"), texts("citadel", "character", "door")
    assert seen["faults"] == []
    assert seen["description"] in cards
    name, about, act = seen["hovered"]
    assert name and about == seen["description"] and act.startswith("Click: ")
    assert seen["stays"]
    assert seen["focused"][1] in cards
    assert len(seen["seats"]) >= 12 + 18 + 3 + 12 + 3  # rooms, doors and seats, and what lies in the rooms: traps, treasures
    for seat in seen["seats"]:
        assert "\n".join(seat["told"][1:]).startswith(seat["about"]), seat
    assert {seat["told"][1] for seat in seen["seats"]} & others
    assert seen["shifted"] == 0
    assert seen["calls"] == [] and seen["played"] == 0


@pytest.mark.parametrize(("game", "has_sign"), [("citadel", True), ("bond", True)])
def test_a_finger_asks_by_holding_a_card_or_by_its_sign_and_plays_by_a_tap_alone(address: str, game: str, has_sign: bool) -> None:
    seen = driven("aboutByTouch", address, game=game, people=3)

    assert seen["faults"] == []
    assert len(seen["held"]) == 3 and seen["held"][2].startswith("Tap: ")
    assert seen["hasSign"] == has_sign
    assert seen["signed"] == seen["held"]
    assert seen["asked"] == 0


def test_who_only_watches_sees_the_cards_of_the_turn_and_what_they_do(address: str) -> None:
    seen = driven("aboutWatched", address, game="citadel", people=2)

    assert seen["faults"] == []
    assert seen["shown"] == 2
    assert seen["hovered"][1] in texts("citadel", "card")
