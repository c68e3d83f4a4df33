"""Matches that are removed when they have been kept for long enough, by a clock that the test moves on."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from machiavel.search import Scheduler
from machiavel.server.matches import expiry
from machiavel.server.matches.bot_players import BotPlayers
from machiavel.server.matches.expiry import DAY, EVERY, Expiry
from machiavel.server.matches.hosting_errors import NoAccess
from machiavel.server.matches.match import OVER, PLAYING, WAITING, Match
from machiavel.server.matches.match_registry import MatchRegistry
from machiavel.server.matches.match_setup import Player, Seat, Settings, Setup
from machiavel.server.matches.match_shares import MatchShares
from machiavel.server.service.watching import watch
from machiavel.server.shares import FairQueue, Shares
from machiavel.server.storage import AsyncStorage, MemoryStorage, SqliteStorage, Storage, StorageFailed, Write
from tests.server.clocks import FakeClock
from tests.server.matches.played import NOW, first_match, setup_of

KINDS = ("memory", "sqlite")
Work = Callable[["Room"], Awaitable[None]]


class FakeTelemetry:
    """What is told of a registry."""

    def __init__(self) -> None:
        self.removed: list[tuple[str, int]] = []
        self.problems: list[str] = []

    def matches_unplayable(self, game: str, count: int, problem: str) -> None:
        raise AssertionError(problem)

    def matches_removed(self, phase: str, count: int) -> None:
        self.removed.append((phase, count))

    def storage_failed(self, problem: str) -> None:
        self.problems.append(problem)

    def match_failed(self, match: str, kind: str, frames: list[str]) -> None:
        raise AssertionError((match, kind, frames))

    def bot_failed(self, match: str, kind: str, frames: list[str]) -> None:
        raise AssertionError((match, kind, frames))

    def bot_late(self) -> None:
        pass


class Room:
    """A registry with matches in it, and a clock that stands until it is moved on."""

    def __init__(self, storage: Storage, over: float, idle: float) -> None:
        self.storage = storage
        self.told = FakeTelemetry()
        self.clock = FakeClock(NOW)
        self.scheduler = Scheduler(1)
        players = BotPlayers(self.scheduler, FairQueue("bots", 4, 100), self.told)
        shares = MatchShares(Shares(), 2000, 20)
        self.registry = MatchRegistry(AsyncStorage(storage), players, self.told, shares, clock=self.clock)
        self.expiry = Expiry(self.registry, over, idle)

    @property
    def now(self) -> int:
        return self.clock.wall()

    @now.setter
    def now(self, nanoseconds: int) -> None:
        self.clock.set_wall(nanoseconds)

    async def after(self, days: float) -> None:
        """A round, so many days after now."""
        self.now += int(days * DAY)
        await self.expiry.round()

    @property
    def kept(self) -> set[str]:
        return set(self.storage.names())


def name_of(text: str) -> str:
    return text.ljust(22, "-")


def put(storage: Storage, name: str, setup: Setup, phase: str, *, plies: int = 3, created: int = NOW) -> None:
    """A match as it was left: so many moves after its creation, each a second later."""
    match = Match.begin(name_of(name), setup)
    match.start(created)
    draw = random.Random(name)
    while phase != WAITING and match.phase == PLAYING and (phase == OVER or match.plies < plies):
        seat = match.state.seat_to_move or 0
        match.answer(seat, draw.choice(match.state.legal_moves()), created + (match.plies + 1) * 10**9)
    assert match.phase == phase
    header = setup.header(match.name, "anna", created, b"host", name.encode() if phase == WAITING else None)
    write = Write(match.name, header, match.events, phase=match.phase, summary=match.summary())
    storage.write([write])


def put_all(storage: Storage) -> None:
    put(storage, "over", setup_of("whist", 2, 1), OVER)
    put(storage, "playing", setup_of("whist", 2, 2), PLAYING)
    put(storage, "waiting", setup_of("whist", 2, 3, (Seat("person"), Seat("open"))), WAITING)


@pytest.fixture(params=KINDS)
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    found_storage: Storage = MemoryStorage() if request.param == "memory" else SqliteStorage(tmp_path / "matches.sqlite3")
    yield found_storage
    found_storage.close()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expiry, "PAUSE", 0.0)


def run(storage: Storage, work: Work, over: float = 0, idle: float = 0) -> FakeTelemetry:
    async def main() -> FakeTelemetry:
        room = Room(storage, over, idle)
        await room.registry.start()
        try:
            await work(room)
        finally:
            await room.registry.close()
            room.scheduler.close()
        return room.told

    return asyncio.run(main())


@pytest.mark.parametrize(
    ("over", "idle", "gone_after_8", "gone_after_31"),
    [
        (0, 0, set(), set()),
        (7, 0, {"over"}, {"over"}),
        (0, 7, {"playing", "waiting"}, {"playing", "waiting"}),
        (30, 7, {"playing", "waiting"}, {"over", "playing", "waiting"}),
    ],
)
def test_what_is_over_and_what_is_left_are_kept_as_long_as_each_is_to_be(
    storage: Storage, over: float, idle: float, gone_after_8: set[str], gone_after_31: set[str]
) -> None:
    put_all(storage)
    everything = {name_of(name) for name in ("over", "playing", "waiting")}

    async def work(room: Room) -> None:
        await room.after(6.9)
        assert room.kept == everything
        for gone in (gone_after_8, gone_after_31):
            await room.after(1.1 if gone is gone_after_8 else 23)
            assert room.kept == everything - {name_of(name) for name in gone}
            for name in gone:
                with pytest.raises(NoAccess):
                    await room.registry.find(name_of(name))
            assert room.registry.unfinished == room.kept - {name_of("over")}

    told = run(storage, work, over, idle)
    assert sum(count for _, count in told.removed) == len(gone_after_31)
    assert {phase for phase, _ in told.removed} == gone_after_31
    assert not told.problems


def test_what_happens_in_it_keeps_a_match(storage: Storage) -> None:
    put_all(storage)

    async def work(room: Room) -> None:
        room.now += 5 * DAY
        playing, waiting = [await room.registry.find(name_of(name)) for name in ("playing", "waiting")]

        def play(draft: Match, _: int) -> bytes:
            seat = draft.state.seat_to_move or 0
            draft.answer(seat, draft.state.legal_moves()[0], room.now)
            return b""

        def join(draft: Match, _: int) -> bytes:
            draft.join(None, "Bert", "00", room.now)
            return b""

        await playing.change(play, None)
        await waiting.change(join, None)
        await room.after(6.9)
        assert len(room.kept) == 3
        await room.after(0.2)
        assert room.kept == {name_of("over")}

    run(storage, work, idle=7)


def test_who_watches_keeps_a_match_and_so_does_a_clock_that_runs(storage: Storage) -> None:
    put(storage, "watched", setup_of("whist", 2, 1), PLAYING)
    put(storage, "clocked", setup_of("whist", 2, 2, settings=Settings(move_time=7 * 86400.0)), PLAYING)
    put(storage, "bots", setup_of("whist", 2, 3, (Seat("bot", player=Player("greedy", "greedy", 3600.0)),) * 2), PLAYING)

    async def work(room: Room) -> None:
        watched = await room.registry.find(name_of("watched"))
        watched.watchers[None] = 1
        await room.after(1)
        assert len(room.kept) == 3
        watched.watchers.clear()
        await room.after(1)
        assert room.kept == {name_of("clocked"), name_of("bots")}

    run(storage, work, idle=0.5)


def test_who_stays_after_the_end_keeps_no_match(storage: Storage) -> None:
    put(storage, "over", setup_of("whist", 2, 1), OVER)

    async def work(room: Room) -> None:
        session = await room.registry.find(name_of("over"))
        staying = asyncio.create_task(anext(watch(session, 0, session.match.versions[0], stays=True)))
        await asyncio.sleep(0)
        assert session.watchers
        await room.after(8)
        assert not room.kept
        with pytest.raises(NoAccess):
            await staying

    run(storage, work, over=7)


def test_an_answer_that_others_are_not_shown_does_not_keep_a_match(storage: Storage) -> None:
    """How long a match stays tells nobody that a seat has answered."""

    def passing(match: Match) -> bool:
        return len(match.state.seats_to_move) == match.state.players

    start = first_match("agency", 3, passing)
    hidden = start.copy()
    hidden.answer(2, hidden.questions[2].legal_moves(2)[0], NOW + 6 * DAY)
    for name, match in (("plain", start), ("hidden", hidden)):
        header = match.setup.header(name_of(name), "anna", NOW, b"host", None)
        storage.write([Write(name_of(name), header, match.events, phase=match.phase, summary=match.summary())])

    async def work(room: Room) -> None:
        await room.after(6.9)
        assert len(room.kept) == 2
        await room.after(0.2)
        assert room.kept == set()

    run(storage, work, idle=7)


def test_a_round_goes_in_small_steps_and_others_write_between_them(storage: Storage) -> None:
    count = 53
    for number in range(count):
        put(storage, f"old{number}", setup_of("whist", 2, number), PLAYING, plies=0)
    put(storage, "new", setup_of("whist", 2, 99), PLAYING, created=NOW + DAY)
    sizes: list[int] = []
    write = storage.write

    def counted(writes: Any) -> None:
        sizes.append(sum(one.delete for one in writes))
        write(writes)

    storage.write = counted  # type: ignore[method-assign]

    async def work(room: Room) -> None:
        for name in list(room.registry.sessions):
            if name != name_of("new"):
                room.registry.forget(room.registry.sessions[name])  # as after a start of a release that cannot play them
        task = asyncio.create_task(room.after(1.5))
        table = await room.registry.find(name_of("new"))
        while not task.done():
            await table.change(answered, None)
        await task
        assert room.kept == {name_of("new")}

    run(storage, work, idle=1)
    deletions = [size for size in sizes if size]
    assert sum(deletions) == count
    assert max(deletions) <= 10
    assert sizes.count(0) >= 3


def answered(draft: Match, now: int) -> bytes:
    if draft.phase == PLAYING:
        draft.answer(draft.state.seat_to_move or 0, draft.state.legal_moves()[0], now)
    return b""


def test_whoever_comes_while_a_match_is_removed_finds_it_gone_or_there(storage: Storage) -> None:
    for number in range(20):
        put(storage, f"m{number}", setup_of("whist", 2, number), OVER)

    async def work(room: Room) -> None:
        room.now += 2 * DAY
        names = sorted(room.kept)
        task = asyncio.create_task(room.expiry.round())
        await asyncio.sleep(0)
        outcomes = await asyncio.gather(*(room.registry.find(name) for name in names), return_exceptions=True)
        await task
        for name, outcome in zip(names, outcomes, strict=True):
            if isinstance(outcome, NoAccess):
                assert name not in room.kept and name not in room.registry.sessions
            else:
                assert not isinstance(outcome, BaseException)
                assert outcome.is_gone == (name not in room.kept)
                assert (room.registry.sessions.get(name) is outcome) == (name in room.kept)
        assert not room.registry.loading
        await room.expiry.round()
        assert room.kept == set()
        assert not room.registry.sessions

    run(storage, work, over=1)


def test_what_happens_between_the_look_and_the_removal_keeps_a_match() -> None:
    storage = MemoryStorage()
    for name in ("left", "moved"):
        put(storage, name, setup_of("whist", 2, 1), PLAYING)
    lasts, looks = storage.lasts, [0]

    def looked_at(*arguments: Any) -> Any:
        answer = lasts(*arguments)
        looks[0] += arguments[0] == PLAYING
        if looks == [1]:
            events = list(storage.matches[name_of("moved")].events.values())
            storage.write([Write(name_of("moved"), events=[replace(events[-1], seq=len(events) + 1, time=NOW + DAY)])])
        return answer

    storage.lasts = looked_at  # type: ignore[method-assign,assignment]

    async def work(room: Room) -> None:
        room.registry.sessions.clear()  # as of a release that cannot play them
        await room.after(1.5)
        assert room.kept == {name_of("moved")}

    run(storage, work, idle=1)


def test_a_storage_that_fails_is_told_and_the_next_round_goes_on() -> None:
    storage = MemoryStorage()
    put_all(storage)
    lasts, failures = storage.lasts, [True, True]

    def failing(*arguments: Any) -> Any:
        if failures:
            failures.pop()
            raise StorageFailed("the disk is gone")
        return lasts(*arguments)

    storage.lasts = failing  # type: ignore[method-assign,assignment]

    async def work(room: Room) -> None:
        room.now += 2 * DAY
        task = room.registry.go(room.expiry.run())
        async with asyncio.timeout(60):
            while len(room.told.removed) < 3:
                room.clock.go_on(EVERY)
                await asyncio.sleep(0)
        assert not task.done()

    told = run(storage, work, over=1, idle=1)
    assert told.problems == ["the disk is gone"] * 2
    assert sorted(told.removed) == [(OVER, 1), (PLAYING, 1), (WAITING, 1)]


def test_matches_that_are_removed_make_room_for_others() -> None:
    storage = MemoryStorage()
    put_all(storage)

    async def work(room: Room) -> None:
        assert len(room.registry.unfinished) == 2
        await room.after(2)
        assert room.registry.unfinished == set()

    run(storage, work, idle=1)
