"""Clocks of persons over a restart, whatever has been done to the machine's clock meanwhile."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from machiavel.search import Scheduler
from machiavel.server.matches.bot_players import BotPlayers
from machiavel.server.matches.match import SECOND, Match
from machiavel.server.matches.match_registry import MatchRegistry
from machiavel.server.matches.match_session import MatchSession
from machiavel.server.matches.match_setup import Player, Settings
from machiavel.server.matches.match_shares import MatchShares
from machiavel.server.service.match_wire import snapshot_message
from machiavel.server.service.telemetry import Telemetry
from machiavel.server.shares import FairQueue, Shares
from machiavel.server.storage import AsyncStorage, MemoryStorage, Storage, Write
from tests.server.clocks import FakeClock
from tests.server.matches.played import NOW, setup_of
from tests.server.service.hosted import config

NAME = "m" * 22
LIMIT = 20.0  # seconds
DAY, HOUR = 86400 * SECOND, 3600 * SECOND
STEPS = (-25 * HOUR, -SECOND, 0, SECOND, 25 * HOUR, 400 * DAY)


def stored(created: int) -> Storage:
    """A match of persons that was left while one of them had so long to answer."""
    storage = MemoryStorage()
    setup = setup_of("whist", 3, 1, settings=Settings(move_time=LIMIT))
    match = Match.begin(NAME, setup)
    match.start(created)
    header = replace(setup.header(NAME, "", created, b"host", None), phase=match.phase, summary=match.summary())
    storage.write([Write(NAME, header, match.events)])
    return storage


def due_of(table: MatchSession, seat: int) -> int:
    """As the seat is told it, in nanoseconds since 1970."""
    return snapshot_message(table, seat).position.due.ToNanoseconds()


def run(storage: Storage, clock: FakeClock, work: Callable[[MatchRegistry, MatchSession], Awaitable[None]]) -> None:
    """Does something in a server that has just begun."""

    async def main() -> None:
        scheduler, told = Scheduler(1), Telemetry(config())
        players = BotPlayers(scheduler, FairQueue("bots", 1, 100), told, clock)
        registry = MatchRegistry(AsyncStorage(storage), players, told, MatchShares(Shares(), 20, 20), clock=clock)
        try:
            await registry.start()
            await work(registry, await registry.find(NAME))
        finally:
            await registry.close()
            await asyncio.to_thread(scheduler.close)

    asyncio.run(main())


class Listener:
    """Hears that the match has changed."""

    def __init__(self) -> None:
        self.heard = asyncio.Event()

    def changed(self, before: Match) -> None:
        self.heard.set()

    def look(self) -> None:
        """Nothing ends here."""


async def rings(registry: MatchRegistry, table: MatchSession, seat: int, clock: FakeClock, seconds: float) -> None:
    """Asserts that the seat's time is up in so many seconds, and not before."""
    clock.go_on(seconds - 1)
    assert not registry.tasks
    assert not table.match.seats[seat].forfeited
    table.audience = listener = Listener()
    clock.go_on(1.0)
    await listener.heard.wait()
    assert table.match.seats[seat].forfeited


def test_a_clock_that_was_set_back_over_a_restart_gives_nobody_more_time() -> None:
    async def main() -> None:
        scheduler, told = Scheduler(1), Telemetry(config())
        players, shares = BotPlayers(scheduler, FairQueue("bots", 1, 100), told), MatchShares(Shares(), 20, 20)
        registry = MatchRegistry(AsyncStorage(stored(time.time_ns() + 25 * HOUR)), players, told, shares)
        try:
            await registry.start()
            table = await registry.find(NAME)
            (seat,) = table.match.pending_questions
            assert due_of(table, seat) - time.time_ns() <= LIMIT * SECOND
        finally:
            await registry.close()
            await asyncio.to_thread(scheduler.close)

    asyncio.run(main())


@pytest.mark.parametrize("step", STEPS)
def test_after_a_restart_a_question_has_its_whole_time_and_no_more(step: int) -> None:
    async def work(registry: MatchRegistry, table: MatchSession) -> None:
        (seat,) = table.match.pending_questions
        assert due_of(table, seat) == clock.wall() + LIMIT * SECOND
        await rings(registry, table, seat, clock, LIMIT)

    clock = FakeClock(NOW + step)
    run(stored(NOW), clock, work)


@pytest.mark.parametrize("step", STEPS)
def test_a_clock_that_is_set_while_a_question_stands_changes_nothing_about_its_time(step: int) -> None:
    async def work(registry: MatchRegistry, table: MatchSession) -> None:
        (seat,) = table.match.pending_questions
        clock.go_on(LIMIT / 2)
        clock.set_wall(clock.wall() + step)
        await rings(registry, table, seat, clock, LIMIT / 2)

    clock = FakeClock(NOW)
    run(stored(NOW), clock, work)


@pytest.mark.parametrize("step", STEPS)
def test_a_question_asked_after_the_clock_was_set_has_its_whole_time_by_the_new_one(step: int) -> None:
    async def work(registry: MatchRegistry, table: MatchSession) -> None:
        (seat,) = table.match.pending_questions
        clock.set_wall(clock.wall() + step)
        move = table.match.questions[seat].legal_moves(seat)[0]

        def answer(draft: Match, now: int) -> bytes:
            draft.answer(seat, move, now)
            return b""

        await table.change(answer, None)
        (other,) = table.match.pending_questions
        assert due_of(table, other) == clock.wall() + LIMIT * SECOND
        assert table.match.events[-1].time == clock.wall()
        await rings(registry, table, other, clock, LIMIT)

    clock = FakeClock(NOW)
    run(stored(NOW), clock, work)


@pytest.mark.parametrize("step", STEPS)
def test_a_seat_handed_back_after_a_restart_is_told_when_its_time_is_up(step: int) -> None:
    """The second time in the same nanosecond, as a clock that was set back may show it: its time runs anew all the same."""

    async def work(registry: MatchRegistry, table: MatchSession) -> None:
        (seat,) = table.match.pending_questions
        bot, shown = Player("greedy", "greedy", 1000.0), clock.wall() + step

        def hand_over_and_back(draft: Match, now: int) -> bytes:
            draft.take_over(seat, bot, now)
            draft.hand_back(seat, now)
            return b""

        for _ in range(2):
            clock.go_on(LIMIT / 2)
            clock.set_wall(shown)
            await table.change(hand_over_and_back, None)
            assert due_of(table, seat) == shown + LIMIT * SECOND
        await rings(registry, table, seat, clock, LIMIT)

    clock = FakeClock(NOW)
    run(stored(NOW), clock, work)
