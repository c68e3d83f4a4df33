"""Bots of hosted matches think as long as they are told to, in words or by the clock."""

import asyncio
import time
from typing import Any

import pytest

from machiavel.engines import View
from machiavel.search import Limits, Scheduler
from machiavel.server.matches.bot_players import BotPlayers
from machiavel.server.matches.match_setup import Player, player_of
from tests.search.positions import open_view


class PendingQuestion(Scheduler):
    """A scheduler that notes what ends its searches."""

    def __init__(self) -> None:
        super().__init__(1)
        self.limits: list[Limits] = []

    def submit(self, view: View, limits: Any = None, *arguments: Any, **named: Any) -> Any:
        self.limits.append(limits)
        return super().submit(view, Limits(iterations=10), *arguments, **named)


class Silent:
    """Nothing goes wrong."""

    def bot_failed(self, match: str, kind: str, frames: list[str]) -> None:
        raise AssertionError((match, kind, frames))

    def bot_late(self) -> None:
        raise AssertionError("late")


def limits_of(spec: str) -> Limits:
    """What ends the search of a hosted bot that has a minute."""
    scheduler, view = PendingQuestion(), open_view("whist", seed=2)
    try:
        players = BotPlayers(scheduler, 1, Silent())
        move = asyncio.run(players.choose("match", view, spec, time.monotonic() + 60.0))
        assert move in view.legal_moves()
    finally:
        scheduler.close()
    (result,) = scheduler.limits
    assert result.deadline is not None
    return result


@pytest.mark.parametrize(
    "spec", ["ismcts:iterations=50,seed=1", "ismcts:iterations = 50,seed=1", "pimc: iterations =50 , seed=1"]
)
def test_a_hosted_bot_keeps_the_amount_in_its_text_however_it_is_written(spec: str) -> None:
    assert limits_of(spec).iterations == 50


def test_a_hosted_level_keeps_its_own_amount() -> None:
    assert limits_of("level3:seed=1").iterations is not None


@pytest.mark.parametrize(
    ("text", "player"),
    [
        ("ismcts: iterations = 500", Player("ismcts:iterations=500", "ismcts:iterations=500,seed=7", 0.5)),
        ("level3: seed = 9", Player("level3", "level3:seed=9", 0.5)),
        (" level3 ", Player("level3", "level3:seed=7", 0.5)),
        ("greedy", Player("greedy", "greedy", 0.5)),
        ("random:seed=1", Player("random", "random:seed=1", 0.5)),
    ],
)
def test_a_seat_shows_its_bot_without_its_seed(text: str, player: Player) -> None:
    assert player_of(text, 7, 0.5) == player
