"""Pages of what players read: repeatable, in both languages, of every number of players, and of whatever a game tells."""

import re
from typing import Any

import pytest

from bench.phrasebook import pages
from machiavel.engines import LANGUAGES, Game, load

ENTRY = re.compile(r"^(\d+)\. \*\((.+?)\)\* (.+)$", re.MULTILINE)


@pytest.mark.parametrize("game", ["agency", "bond", "citadel", "whist"])
def test_a_page_a_language_is_drawn_by_seed(game: str) -> None:
    first, again, other = (pages(load(game), seed, 6) for seed in (1, 1, 2))
    assert first == again != other
    assert set(first) == set(LANGUAGES)
    for language, page in first.items():
        hints = ENTRY.findall(page.split("\n## ")[1])
        assert [number for number, *_ in hints] == [str(number) for number in range(1, 7)]
        assert len({who for _, who, _ in hints}) == min(6, len(load(game).players))
        asked = {"en": "What if you ", "fr": "Et si tu "}[language]
        assert [text.startswith(asked) for *_, text in hints] == [False, False, True] * 2


def test_moves_are_told_to_seats_and_spectators() -> None:
    page = pages(load("whist"), 1, 12)
    for language, seat, me in (
        ("en", r"you are seat \d of \d", "You play "),
        ("fr", r"tu es le joueur \d sur \d", "Tu joues "),
    ):
        told = ENTRY.findall(page[language].split("\n## ")[2])
        assert len(told) == 12
        assert {bool(re.fullmatch(seat, who)) for _, who, _ in told} == {True, False}
        assert any(text.startswith(me) for *_, text in told)
        assert all(re.fullmatch(seat, who) for _, who, text in told if text.startswith(me))


def test_a_game_that_tells_nothing_has_hints_alone() -> None:
    silent: Any = type("Silent", (type(load("whist").plugin),), {})
    silent.event_kinds = {}
    for page, words in zip(pages(Game(silent()), 1, 3).values(), ("does not tell", "ne raconte pas"), strict=True):
        hints, moves = page.split("\n## ")[1:]
        assert len(ENTRY.findall(hints)) == 3
        assert words in moves and not ENTRY.findall(moves)
