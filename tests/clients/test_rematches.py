"""Moves taken back and rematches from Python, plain and asyncio: both faces do the same."""

import asyncio
from collections.abc import Iterator

import pytest

from machiavel.clients import NotAllowed, NothingToTakeBack, StaleVersion, connect, connect_async
from tests.server.service.hosted import Hosted, hosted


@pytest.fixture(scope="module")
def server() -> Iterator[Hosted]:
    with hosted(rehearsal="7", storage="") as result:
        yield result


def test_a_move_is_taken_back_and_the_turn_comes_again(server: Hosted) -> None:
    with connect(server.address) as service:
        session = service.create_match("whist", ["person", "greedy", "greedy"], practice=True).at(0)
        turns = session.turns()
        with pytest.raises(NothingToTakeBack) as caught:
            session.take_back()
        assert caught.value.seat == 0
        first = next(turns)
        session.play(first.moves[0].text)
        later = next(turns)
        assert session.take_back().taken_back.moves == later.ply - first.ply
        again = next(turns)
        assert (again.view, again.moves) == (first.view, first.moves)
        session.play(again.moves[-1].text)
        next(turns)
        with pytest.raises(StaleVersion):
            session.take_back(expected_version=1)
        assert session.take_back(ply=first.ply).taken_back.ply == first.ply
        turns.close()


def test_so_it_is_with_asyncio(server: Hosted) -> None:
    async def play() -> None:
        async with connect_async(server.address) as service:
            session = (await service.create_match("whist", ["person", "greedy", "greedy"], practice=True, rematch=True)).at(0)
            taken = 0
            async for position in session.turns():
                await session.play(position.moves[0].text)
                if not taken:
                    taken = (await session.take_back()).taken_back.moves
            assert taken
            again = await session.rematch(rotate=1)
            assert again is not None
            assert again.seat == 1
            assert (await again.get()).match.predecessor == session.match

    asyncio.run(play())


def test_a_rematch_is_waited_for_and_each_has_a_place_in_it(server: Hosted) -> None:
    with connect(server.address) as service:
        host = service.create_match("whist", ["person", "person"], rematch=True)
        sessions = [host.at(0), host.at(1)]
        for one in sessions:
            one.forfeit()
        assert sessions[0].rematch() is None
        last = [answer.event.rematch for answer in sessions[1].watch(after=0) if answer.event.HasField("rematch")]
        assert last == []  # who does not stay hears nothing of it
        places = [sessions[1].rematch(), sessions[0].rematch(), host.rematch()]
        assert [one.seat if one else -1 for one in places] == [1, 0, None]
        assert len({one.match for one in places if one}) == 1
        *_, told = sessions[0].watch(after=0, stay=True)
        assert told.event.rematch.match == places[0].match if places[0] else False
        (snapshot,) = host.watch(stay=True)
        assert snapshot.snapshot.rematch == told.event.rematch


def test_where_it_is_the_hosts_alone_seats_are_refused(server: Hosted) -> None:
    with connect(server.address) as service:
        host = service.create_match("whist", ["person", "greedy"])
        host.at(0).forfeit()
        with pytest.raises(NotAllowed):
            host.at(0).rematch()
