"""Watchers who wait share one copy of the match; each is told every event all the same, and none changes it for the others."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack, aclosing
from typing import Any

import pytest

from machiavel import v1
from machiavel.server.matches.match import Match
from machiavel.server.matches.match_session import MatchSession
from machiavel.server.service.watching import watch
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


def standing(match: Match) -> Any:
    return len(match.events), dict(match.versions), match.state.to_bytes()


async def watched_together(server: Hosted, name: str) -> list[list[v1.MatchEvent]]:
    """What each is told while moves are made one by one, for each of which those who have read everything wait."""
    assert server.server.registry is not None
    session = await server.server.registry.find(name)
    told: list[list[v1.MatchEvent]] = [[] for _ in VIEWERS]
    async with AsyncExitStack() as stack:
        streams = [await stack.enter_async_context(aclosing(watch(session, viewer, None))) for viewer in VIEWERS]
        for stream in streams:
            assert (await anext(stream)).message.HasField("snapshot")
        readers = streams
        for _ in range(MOVES):
            waiting = [asyncio.ensure_future(anext(stream)) for stream in readers]
            await asyncio.sleep(0)  # until they wait
            shared = session.match
            assert shared is not None
            before = standing(shared)
            await play(session)
            for events, answer in zip(told, await asyncio.gather(*waiting), strict=False):
                events.append(answer.message.event)
            assert standing(shared) == before
            readers = streams[:-1]
        told[-1] += [(await anext(streams[-1])).message.event for _ in range(MOVES - 1)]
    return told


def test_those_who_wait_for_one_event_are_each_told_it(server: Hosted) -> None:
    with stub(server.address) as service:
        made = create(service, "whist", PERSON, PERSON, PERSON, spectators=True)
    told = server.run(asyncio.wait_for(watched_together(server, made.match.match), 60))
    first = told[0][0].version
    for events in told:
        assert [one.version for one in events] == list(range(first, first + MOVES))
        assert [one.move.move.text for one in events] == [one.move.move.text for one in told[0]]
    assert told[0] == told[1] == told[-1]
