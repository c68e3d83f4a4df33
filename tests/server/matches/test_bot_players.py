"""Bots of hosted matches think as long as they are told to, in words or by the clock."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from machiavel.engines import View
from machiavel.search import Limits, Scheduler
from machiavel.server.matches.bot_players import BotPlayers
from machiavel.server.matches.match_setup import Player, player_of
from machiavel.server.shares import FairQueue
from tests.search.positions import open_view
from tests.server.clocks import FakeClock


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
        players = BotPlayers(scheduler, FairQueue("bots", 1, 100), Silent())
        move = asyncio.run(players.choose("match", "host", view, spec, time.monotonic() + 60.0))
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


def answers_of(scenario: Callable[[BotPlayers, FakeClock], Awaitable[None]], places: int = 1) -> None:
    async def run() -> None:
        clock = FakeClock(0)
        scheduler = Scheduler(1)
        try:
            await scenario(
                BotPlayers(scheduler, FairQueue("bots", places, 1000, beyond=places, clock=clock), Silent(), clock), clock
            )
        finally:
            scheduler.close()

    asyncio.run(run())


async def until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not happened():
            await asyncio.sleep(0.001)


@pytest.mark.parametrize("spec", ["greedy", "random:seed=1", "level3:seed=1"])
def test_a_bot_that_only_waits_out_its_time_holds_nothing(spec: str) -> None:
    async def scenario(players: BotPlayers, clock: FakeClock) -> None:
        view = open_view("whist", seed=2)
        minute, second = (player_of(spec, 7, think) for think in (60.0, 1.0))
        slow = [asyncio.create_task(players.answer(f"slow {number}", "many", view, minute, 0.0)) for number in range(64)]
        quick = asyncio.create_task(players.answer("quick", "one", view, second, 0.0))
        await until(lambda: sum(not timer.is_cancelled for timer in clock.timers) == 65)
        await until(lambda: not players.searches.used and not players.searches.waiting)
        clock.go_on(1.0)
        assert await quick in view.legal_moves()
        assert not any(task.done() for task in slow)
        clock.go_on(59.0)
        assert set(await asyncio.gather(*slow)) <= set(view.legal_moves())

    answers_of(scenario)


def test_a_bots_time_runs_from_its_question() -> None:
    async def scenario(players: BotPlayers, clock: FakeClock) -> None:
        view = open_view("whist", seed=2)
        clock.go_on(100.0)
        answer = asyncio.create_task(players.answer("match", "one", view, player_of("greedy", 7, 10.0), 95.0))
        await until(lambda: bool(clock.timers))
        assert 103.9 < clock.timers[0].due <= 105.0
        clock.go_on(5.0)
        await answer

    answers_of(scenario)


def test_a_search_yields_only_to_who_has_less_and_after_a_while() -> None:
    async def scenario(players: BotPlayers, clock: FakeClock) -> None:
        view = open_view("whist", seed=2)

        def ask(account: str, match: int) -> asyncio.Task[str]:
            return asyncio.create_task(
                players.answer(f"{account} {match}", account, view, player_of("ismcts", 7, 1e6), clock.monotonic())
            )

        tasks = [ask("many", number) for number in range(4)]
        await until(lambda: len(players.running) == 4)
        tasks.append(ask("one", 1))  # its first place is one besides
        await until(lambda: len(players.running) == 5)
        tasks.append(ask("one", 2))
        await until(lambda: players.searches.waiting == 1)
        await asyncio.sleep(0.05)
        assert players.searches.running == {"many": 4, "one": 1}
        clock.go_on(0.5)
        await until(lambda: players.searches.running == {"many": 2, "one": 2})
        assert not any(task.done() for task in tasks)  # all wait for their time
        for task in tasks:
            task.cancel()

    answers_of(scenario, places=4)
