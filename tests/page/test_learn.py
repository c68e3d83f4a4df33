"""Learning by playing: a first match of each game, from its tile to the list of what was learnt, in Chromium."""

from collections.abc import Iterator
from typing import Any

import pytest

from machiavel.engines import load
from tests.page.browser import driven
from tests.page.elsewhere import serving

GAMES = ("agency", "bond", "citadel", "whist", "hearts", "liars_dice", "kuhn")
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "isMobile": True, "hasTouch": True}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as address:
        yield address


def is_taught(seen: Any) -> None:
    """Lessons came, each once, each where it can be read and beside what it is about, and are listed at the end."""
    lessons = seen["lessons"]
    names = [lesson["name"] for lesson in lessons]
    assert seen["faults"] == []
    assert len(names) == len(set(names)) >= 3
    assert [lesson["name"] for lesson in lessons if not lesson["isWithin"] or not lesson["isSeen"]] == []
    assert [lesson["name"] for lesson in lessons if lesson["points"] != "true"] == []
    assert [lesson["name"] for lesson in lessons if lesson["covered"] > 0.5] == []
    # What matters at the very end is listed there alone, and who plays on at once has done with a lesson.
    texts = [lesson["text"] for lesson in lessons]
    assert [text for text in seen["learnt"] if text in texts] == texts
    assert len(set(seen["learnt"])) == len(seen["learnt"])
    assert {lesson["way"] for lesson in lessons} == {"key", "button", "tap"}
    assert seen["kept"] == 0  # the next table is not set up like this one


@pytest.mark.parametrize("game", GAMES)
def test_a_first_match_tells_each_rule_once_when_it_first_matters_and_lists_them_at_the_end(address: str, game: str) -> None:
    seen = driven("learnt", address, title=load(game).plugin.titles["en"])

    is_taught(seen)
    # Nothing happens while one reads: what came with one moment was told at that moment.
    versions = [int(lesson["version"]) for lesson in seen["lessons"]]
    assert versions == sorted(versions)
    assert seen["moves"] > 0


@pytest.mark.parametrize("game", ["agency", "whist"])
def test_lessons_fit_on_a_phone_in_french(address: str, game: str) -> None:
    settings = {"language": "fr", "theme": "dark"}
    seen = driven("learnt", address, title=load(game).plugin.titles["fr"], settings=settings, **PHONE)

    is_taught(seen)
