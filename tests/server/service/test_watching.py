"""All who see the same are told it by one message; who comes back, or does not read, is told where it stands all the same."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack, aclosing
from typing import Any

import pytest

from machiavel import v1
from machiavel.server.matches.hosting_errors import SlowWatcher
from machiavel.server.matches.match import Match
from machiavel.server.matches.match_session import MatchSession
from machiavel.server.service import broadcast
from machiavel.server.service.broadcast import TOLD, Audience
from machiavel.server.service.call_turns import CallTurns
from machiavel.server.service.shared_answers import SharedAnswer, SharedBytes, writing
from machiavel.server.service.watching import WatchMeans, watch
from machiavel.server.web.bodies import gzipped
from tests.server.service.hosted import Hosted, hosted
from tests.server.service.match_calls import PERSON, create, stub

VIEWERS = (None, None, 0, 1, None)  # the last reads one event, and the others when all have come
MOVES = 6


@pytest.fixture(scope="module")
def server() -> Iterator[Hosted]:
    with hosted() as result:
        yield result


async def play(session: MatchSession) -> None:
    """The first legal move of whoever is asked."""

    def do(match: Match, now: int) -> bytes:
        seat = match.state.seat_to_move
        assert seat is not None
        return match.answer(seat, match.state.legal_moves()[0], now).encode()

    await session.change(do, None)


async def session_of(server: Hosted, name: str) -> MatchSession:
    assert server.server.registry is not None
    return await server.server.registry.find(name)


async def watched_together(server: Hosted, name: str) -> list[list[SharedAnswer]]:
    """What each is told while moves are made one by one, for each of which those who have read everything wait."""
    session = await session_of(server, name)
    told: list[list[SharedAnswer]] = [[] for _ in VIEWERS]
    async with AsyncExitStack() as stack:
        streams = [await stack.enter_async_context(aclosing(watch(session, viewer, None))) for viewer in VIEWERS]
        for stream in streams:
            assert (await anext(stream)).message.HasField("snapshot")
        readers = streams
        for _ in range(MOVES):
            waiting = [asyncio.ensure_future(anext(stream)) for stream in readers]
            await asyncio.sleep(0)  # until they wait
            await play(session)
            for events, answer in zip(told, await asyncio.gather(*waiting), strict=False):
                events.append(answer)
            readers = streams[:-1]
        told[-1] += [await anext(streams[-1]) for _ in range(MOVES - 1)]
        audience = session.audience
        assert isinstance(audience, Audience)
        waiting = [asyncio.ensure_future(anext(stream)) for stream in streams]
        await asyncio.sleep(0)
        kept = [len(cast.frames) for cast in audience.broadcasts.values()]
        await play(session)
        await asyncio.gather(*waiting)
    assert kept == [0, 0, 0]  # all had had everything
    assert session.audience is None
    return told


def new_match(server: Hosted) -> str:
    with stub(server.address) as service:
        return create(service, "whist", PERSON, PERSON, PERSON, spectators=True).match.match


def test_those_who_wait_for_one_event_are_each_told_it_by_one_message(server: Hosted) -> None:
    told = server.run(asyncio.wait_for(watched_together(server, new_match(server)), 60))
    first = told[0][0].message.event.version
    for answers in told:
        assert [one.message.event.version for one in answers] == list(range(first, first + MOVES))
    for alike in zip(told[0], told[1], told[4], strict=True):
        assert len(set(map(id, alike))) == 1
    for one, other in zip(told[0], told[2], strict=True):
        assert one.message.event.move.move.text == other.message.event.move.move.text
        assert one is not other


def test_what_is_replayed_after_a_version_is_what_was_told(server: Hosted) -> None:
    async def replayed(name: str) -> None:
        session = await session_of(server, name)
        async with aclosing(watch(session, 0, None)) as stream:
            start = (await anext(stream)).message.snapshot.version
            for _ in range(MOVES):
                await play(session)
            live = [(await anext(stream)).message for _ in range(MOVES)]
        for after in range(start, start + MOVES):
            async with aclosing(watch(session, 0, after)) as stream:
                assert [(await anext(stream)).message for _ in live[after - start :]] == live[after - start :]
                waiting = asyncio.ensure_future(anext(stream))
                await asyncio.sleep(0)
                assert not waiting.done()
                waiting.cancel()
                await asyncio.gather(waiting, return_exceptions=True)

    server.run(asyncio.wait_for(replayed(new_match(server)), 60))


def test_who_comes_while_a_move_is_being_told_is_told_it_once(server: Hosted) -> None:
    async def joined(name: str) -> None:
        session = await session_of(server, name)
        async with aclosing(watch(session, None, None)) as first, aclosing(watch(session, None, None)) as second:
            await anext(first)
            await play(session)
            snapshot = (await anext(second)).message.snapshot
            event = (await anext(first)).message.event
            assert snapshot.version == event.version
            await play(session)
            assert (await anext(second)).message.event.version == snapshot.version + 1

    server.run(asyncio.wait_for(joined(new_match(server)), 60))


def test_a_shared_answer_is_written_once_in_each_form() -> None:
    wrote: list[str] = []

    def json(_: object) -> bytes:
        wrote.append("json")
        return b"{}" * 1000

    def proto(_: object) -> bytes:
        wrote.append("proto")
        return b""

    answer, text, plain = SharedAnswer(v1.WatchMatchResponse()), writing(json, SharedBytes), writing(proto)
    assert text(answer) is text(answer)
    assert plain(answer) == plain(answer)
    assert wrote == ["json", "proto"]
    assert gzipped(text(answer)) is gzipped(text(answer))
    assert plain(v1.WatchMatchResponse()) == b""
    assert wrote == ["json", "proto", "proto"]


def test_a_fault_over_a_message_ends_the_watch_and_is_told(server: Hosted, monkeypatch: pytest.MonkeyPatch) -> None:
    async def failing(name: str) -> None:
        session = await session_of(server, name)
        async with aclosing(watch(session, 0, None)) as stream:
            await anext(stream)
            waiting = asyncio.ensure_future(anext(stream))
            await asyncio.sleep(0)
            monkeypatch.setattr("machiavel.server.service.match_wire.event_message", None)
            await play(session)
            with pytest.raises(TypeError):
                await waiting

    server.run(asyncio.wait_for(failing(new_match(server)), 60))


def test_nothing_is_made_for_those_who_do_not_read_and_they_are_told_where_to_go_on(
    server: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("machiavel.server.service.broadcast.MOST_BEHIND", 3)

    async def slow(name: str) -> None:
        session = await session_of(server, name)
        async with aclosing(watch(session, None, None)) as stream:
            version = (await anext(stream)).message.snapshot.version
            audience = session.audience
            assert isinstance(audience, Audience)
            for _ in range(3):
                await play(session)
                await asyncio.sleep(0)
            assert (len(audience.changes), len(audience.broadcasts[None].frames)) == (3, 0)
            await play(session)
            assert len(audience.changes) == 0
            with pytest.raises(SlowWatcher) as behind:
                await anext(stream)
            assert behind.value.resume_after == version

    server.run(asyncio.wait_for(slow(new_match(server)), 60))


def test_what_a_viewer_is_not_shown_puts_it_behind_by_nothing(server: Hosted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("machiavel.server.service.broadcast.MOST_BEHIND", 3)

    def claim(match: Match, now: int) -> bytes:
        match.add(now, "claimed", seat=0, token=match.seats[0].token)
        return b""

    async def hidden(name: str) -> None:
        session = await session_of(server, name)
        async with aclosing(watch(session, None, None)) as stream:
            version = (await anext(stream)).message.snapshot.version
            audience = session.audience
            assert isinstance(audience, Audience)
            await play(session)
            for _ in range(6):
                await session.change(claim, None)
            assert audience.broadcasts[None].untold == 1
            assert (await anext(stream)).message.event.version == version + 1
            for _ in range(6):
                await session.change(claim, None)
            assert not audience.changes

    server.run(asyncio.wait_for(hidden(new_match(server)), 60))


def test_many_matches_at_once_are_told_a_little_in_each_round_of_the_loop(
    server: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds, made = 0, Counter[int]()
    answer = broadcast.event_answer

    def noted(*given: Any) -> SharedAnswer:
        made[rounds] += 1
        return answer(*given)

    monkeypatch.setattr(broadcast, "event_answer", noted)
    names = [new_match(server) for _ in range(3 * TOLD)]

    async def told() -> None:
        means = WatchMeans(turns=CallTurns(TOLD))

        async def counting() -> None:
            nonlocal rounds
            while True:
                rounds += 1
                await asyncio.sleep(0)

        async with AsyncExitStack() as stack:
            sessions = [await session_of(server, name) for name in names]
            streams = [await stack.enter_async_context(aclosing(watch(one, None, None, means=means))) for one in sessions]
            for stream in streams:
                await anext(stream)
            waiting = [asyncio.ensure_future(anext(stream)) for stream in streams]
            await asyncio.sleep(0)
            counter = asyncio.ensure_future(counting())
            await asyncio.gather(*(play(session) for session in sessions))
            await asyncio.gather(*waiting)
            counter.cancel()

    server.run(asyncio.wait_for(told(), 60))
    assert made.total() == len(names)
    assert max(made.values()) <= TOLD
