"""A function that holds seats: through breaks and restarts, each move once, its faults told; both faces do the same."""

import asyncio
import inspect
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from machiavel.clients import (
    BotFault,
    BotTurn,
    HostSession,
    NoAccess,
    SeatSession,
    ShuttingDown,
    connect,
    connect_async,
    serve_bot,
    serve_bot_async,
)
from machiavel.v1 import Match, MatchPhase
from tests.server.matches.process import Served, free_port
from tests.server.service.hosted import Hosted, hosted

QUICK = 0.02  # seconds that a bot takes
Seats = Callable[[Any], list[tuple[str, str]]]


def first(view: dict[str, Any], moves: list[str]) -> str:
    assert view
    return moves[0]


@pytest.fixture(scope="module")
def server() -> Iterator[Hosted]:
    with hosted(think=QUICK, web="127.0.0.1:0") as result:
        yield result


@pytest.fixture(params=["grpc", "http"])
def address(request: pytest.FixtureRequest, server: Hosted) -> str:
    """Of the same server, by either of its doors."""
    return server.address if request.param == "grpc" else str(server.server.web_address)


def plain(address: str, function: Any, places: list[tuple[str, str]], **more: Any) -> list[Match]:
    with connect(address) as service:
        return serve_bot(function, *[service.session(*place) for place in places], **more)


def by_asyncio(address: str, function: Any, places: list[tuple[str, str]], **more: Any) -> list[Match]:
    async def main() -> list[Match]:
        async with connect_async(address) as service:
            return await serve_bot_async(function, *[service.session(*place) for place in places], **more)

    return asyncio.run(main())


FACES = pytest.mark.parametrize("face", [plain, by_asyncio])


def table(server: Hosted, *seats: str, game: str = "whist", **settings: Any) -> HostSession:
    service = connect(server.address)
    try:
        return service.create_match(game, seats, think=QUICK, **settings)
    finally:
        service.close()


def places(host: HostSession, *seats: int) -> list[tuple[str, str]]:
    return [(host.match, host.tokens[seat]) for seat in seats]


@FACES
def test_a_function_plays_a_match_to_its_end(server: Hosted, address: str, face: Any) -> None:
    (match,) = face(address, first, places(table(server, "person", "greedy"), 0))
    assert match.phase == MatchPhase.MATCH_PHASE_OVER
    assert sum(match.utilities) == 1
    assert [seat.bot for seat in match.seats] == ["", "greedy"]


@FACES
def test_several_seats_are_held_at_once_of_several_matches(server: Hosted, address: str, face: Any) -> None:
    one, other = table(server, "person", "person", "person"), table(server, "greedy", "person", game="agency")
    running, most, seats = 0, 0, set()
    lock = threading.Lock()

    def move(view: dict[str, Any], moves: list[str], turn: BotTurn) -> str:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
            seats.add((turn.game, turn.seat))
        assert view["seat"] == turn.seat
        with lock:
            running -= 1
        return moves[-1]

    ended = face(address, move, [*places(one, 0, 1, 2), *places(other, 1)])
    assert [match.match for match in ended] == [one.match] * 3 + [other.match]
    assert seats == {("whist", 0), ("whist", 1), ("whist", 2), ("agency", 1)}
    assert most == 1  # one call of the function at a time


@FACES
def test_a_function_is_told_what_its_seat_sees_and_how_long_it_has(server: Hosted, address: str, face: Any) -> None:
    turns: list[BotTurn] = []

    def move(view: dict[str, Any], moves: list[str], turn: BotTurn) -> str:
        assert (view, moves) == (turn.view, turn.moves)
        turns.append(turn)
        return moves[0]

    host = table(server, "person", "greedy", game="kuhn", move_time=3600)
    face(address, move, places(host, 0))
    turn = turns[0]
    assert (turn.match, turn.game, turn.players, turn.seat) == (host.match, "kuhn", 2, 0)
    assert turn.seconds is not None and 3500 < turn.seconds <= 3600
    assert turn.version >= 0 and [move.text for move in turn.position.moves] == turn.moves
    assert all(move.label.en and move.label.fr for move in turn.position.moves)
    own, others = turn.view["hands"]
    assert own and others is None  # a card of one's own, none of theirs
    assert turn.view["chips"] == [1, 1] and isinstance(turn.view["ply"], int)


@FACES
def test_what_is_empty_or_zero_in_a_view_is_there(server: Hosted, address: str, face: Any) -> None:
    views: list[dict[str, Any]] = []

    def move(view: dict[str, Any], moves: list[str]) -> str:
        views.append(view)
        return moves[0]

    face(address, move, places(table(server, "person", "greedy"), 0))
    assert views[0]["hand"]["cards"]
    assert all({"ply", "tricks", "table", "winners", "hand_counts"} <= set(view) for view in views)


# ---- Faults ----


@FACES
def test_an_exception_of_the_function_is_told_with_where_it_was_raised(server: Hosted, address: str, face: Any) -> None:
    def move(view: dict[str, Any], moves: list[str]) -> str:
        return str(view["no such field"])

    place = places(table(server, "person", "person"), *(0, 1))
    with pytest.raises(
        BotFault, match=r"the bot at seat [01], ply 0 of match \S+: KeyError: 'no such field'; expected one of "
    ) as caught:
        face(address, move, place)
    assert isinstance(caught.value.__cause__, KeyError)
    assert caught.value.__cause__.__traceback__ is not None
    assert caught.value.turn.moves and caught.value.answer is None
    matches = face(address, first, place)  # the seats have waited
    assert {match.phase for match in matches} == {MatchPhase.MATCH_PHASE_OVER}


@FACES
@pytest.mark.parametrize(
    ("answer", "told"), [("ZZ", "it gave 'ZZ': 'ZZ' is not a move"), (7, "it gave 7, which is no text"), (None, "it gave None")]
)
def test_what_is_no_legal_move_is_a_fault(server: Hosted, address: str, face: Any, answer: Any, told: str) -> None:
    place = places(table(server, "person", "person"), *(0, 1))
    with pytest.raises(BotFault, match=told) as caught:
        face(address, lambda view, moves: answer, place)
    assert caught.value.answer == answer


@FACES
def test_a_move_may_be_given_in_place_of_a_fault(server: Hosted, address: str, face: Any) -> None:
    faults: list[BotFault] = []

    def instead(fault: BotFault) -> str:
        faults.append(fault)
        return fault.turn.moves[0]

    (match,) = face(address, lambda view, moves: "ZZ", places(table(server, "person", "greedy"), 0), on_fault=instead)
    assert match.phase == MatchPhase.MATCH_PHASE_OVER
    assert len(faults) > 3
    with pytest.raises(BotFault, match="it gave 'still none'"):
        face(
            address,
            lambda view, moves: "ZZ",
            places(table(server, "person", "person"), 0, 1),
            on_fault=lambda fault: "still none",
        )


@FACES
def test_who_is_no_seat_or_unknown_is_told_so(server: Hosted, address: str, face: Any) -> None:
    host = table(server, "person", "greedy")
    with pytest.raises(ValueError, match="is of no seat; expected a seat's"):
        face(address, first, [(host.match, host.token)])
    with pytest.raises(NoAccess):
        face(address, first, [*places(host, 0), (host.match, "wrong")])


def test_functions_take_two_arguments_or_three() -> None:
    def lonely(view):  # type: ignore[no-untyped-def]
        return view

    async def later(view: Any, moves: Any) -> str:
        return f"{view}{moves}"

    with pytest.raises(TypeError, match=r"lonely\(view\) is no bot; expected move\(view, moves\) or move\(view, moves, turn\)"):
        serve_bot(lonely)
    with pytest.raises(TypeError, match="expected a plain one, or serve_bot_async"):
        serve_bot(later)
    assert inspect.signature(serve_bot).parameters.keys() == inspect.signature(serve_bot_async).parameters.keys()


def test_an_async_function_thinks_for_several_seats_at_once(server: Hosted, address: str) -> None:
    both = asyncio.Event()
    waiting = 0

    async def move(view: dict[str, Any], moves: list[str]) -> str:
        nonlocal waiting
        waiting += 1
        if waiting == 2:
            both.set()
        await both.wait()
        return moves[0]

    hosts = [table(server, "person", "person") for _ in range(2)]
    ended = by_asyncio(address, move, [place for host in hosts for place in places(host, 0, 1)])
    assert len(ended) == 4


def test_what_a_bot_was_too_slow_for_is_no_fault(server: Hosted) -> None:
    host = table(server, "person", "greedy")
    with connect(server.address) as service:
        taken = service.session(host.match, host.token)

        def move(view: dict[str, Any], moves: list[str]) -> str:
            taken.take_over("random", seat=0, think=QUICK)
            return moves[0]

        (match,) = serve_bot(move, service.session(host.match, host.tokens[0]))
    assert match.seats[0].taken_over
    assert match.phase == MatchPhase.MATCH_PHASE_OVER


# ---- Breaks ----


@pytest.mark.parametrize(("face", "door"), [(plain, "http"), (by_asyncio, "grpc")])
def test_a_seat_is_held_over_restarts_and_no_move_is_made_twice(tmp_path: Path, face: Any, door: str) -> None:
    web = f"127.0.0.1:{free_port()}"
    with Served(tmp_path / "matches.sqlite", "--web", web) as served:
        served.start()
        with connect(served.address) as service:
            host = service.create_match("whist", ["person", "greedy"], think=QUICK)
        answers: list[tuple[int, str]] = []

        def move(view: dict[str, Any], moves: list[str], turn: BotTurn) -> str:
            if len(answers) in {1, 3}:
                served.kill()
                served.start()
            answers.append((turn.ply, moves[-1]))
            return moves[-1]

        address = f"http://{web}" if door == "http" else served.address
        (match,) = face(address, move, places(host, 0), patience=60)
        with connect(served.address) as service:
            record = service.session(host.match, host.token).record().record
    assert match.phase == MatchPhase.MATCH_PHASE_OVER
    plies = [ply for ply, _ in answers]
    assert plies == sorted(set(plies))  # asked once in each position
    assert [record.moves[ply] for ply in plies] == [move for _, move in answers]


def test_a_server_that_stays_away_is_told_of(server: Hosted) -> None:
    host = table(server, "person", "person")
    for face in (plain, by_asyncio):
        with pytest.raises(ShuttingDown, match=r"127\.0\.0\.1:1 cannot be reached"):
            face("http://127.0.0.1:1", first, places(host, 0), patience=0.2)


def test_a_refusal_that_is_no_fault_of_the_bot_ends_it(server: Hosted) -> None:
    host = table(server, "person", "person")
    with connect(server.address) as service:
        session: SeatSession = service.session(host.match, host.tokens[0])
        ended = threading.Event()

        def move(view: dict[str, Any], moves: list[str]) -> str:
            ended.set()
            service.session(host.match, host.token).delete()
            return moves[0]

        with pytest.raises(NoAccess):
            serve_bot(move, session, service.session(host.match, host.tokens[1]))
        assert ended.is_set()
