"""A place at a hosted match, against a server that is away, repeats itself and cuts streams: both faces do the same."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Self

import grpc
import pytest

from machiavel.clients import (
    AsyncHostSession,
    AsyncSeatSession,
    Cancelled,
    HostSession,
    NoAccess,
    NoTime,
    SeatSession,
    ServiceError,
    ShuttingDown,
    TooManyWatchers,
    WatchDisplaced,
    commitment,
    connect,
    connect_async,
)
from machiavel.clients.match_requests import WatchPosition
from machiavel.v1 import (
    CreateMatchRequest,
    CreateMatchResponse,
    GetRecordResponse,
    ListMatchesRequest,
    ListMatchesResponse,
    Match,
    MatchEvent,
    MatchMove,
    MatchOver,
    MatchPhase,
    MatchPosition,
    MatchSeat,
    MatchSnapshot,
    Move,
    PlayMoveRequest,
    PlayMoveResponse,
    Record,
    SeatKind,
    WatchMatchRequest,
    WatchMatchResponse,
)
from machiavel.v1.match_service_pb2_grpc import MatchServiceServicer, add_MatchServiceServicer_to_server
from tests.clients.script_door import ScriptDoor

Step = Any  # a message to send, or a status to fail with
AWAY = grpc.StatusCode.UNAVAILABLE
WHILE = (0.4, 2, 10)  # seconds in which to ask twice: as many as it takes on a machine that has other work


class Script(MatchServiceServicer):
    """Answers call by call what it was told, and remembers what it was asked."""

    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps)
        self.asked: list[Any] = []
        self.lock = threading.Lock()

    def answer(self, request: Any, context: grpc.ServicerContext) -> Any:
        with self.lock:
            self.asked.append(request)
            step = self.steps.pop(0)
        if isinstance(step, grpc.StatusCode):
            context.abort(step, "not now")
        return step

    CreateMatch = JoinMatch = GetMatch = PlayMove = HintMove = TakeOverSeat = HandBackSeat = ForfeitSeat = answer
    GetRecord = ListMatches = DeleteMatch = Rematch = TakeBackMove = answer

    def WatchMatch(self, request: WatchMatchRequest, context: grpc.ServicerContext) -> Iterator[WatchMatchResponse]:  # noqa: N802
        with self.lock:
            # The client goes on filling in the request that it has sent.
            self.asked.append(WatchMatchRequest.FromString(request.SerializeToString()))
            steps = self.steps.pop(0)
        for step in steps:
            if isinstance(step, grpc.StatusCode):
                context.abort(step, "not now")
            yield step


class GrpcServing:
    def __init__(self, *steps: Step, script: Script | None = None) -> None:
        self.script = script or Script(*steps)
        self.server = grpc.server(ThreadPoolExecutor(2))
        add_MatchServiceServicer_to_server(self.script, self.server)
        self.address = f"127.0.0.1:{self.server.add_insecure_port('127.0.0.1:0')}"

    def __enter__(self) -> Self:
        self.server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.stop(None).wait()


class HttpServing(ScriptDoor):
    def __init__(self, *steps: Step, script: Script | None = None) -> None:
        super().__init__(script or Script(*steps))


NOWHERE = {GrpcServing: "127.0.0.1:1", HttpServing: "http://127.0.0.1:1"}


@pytest.fixture(params=[GrpcServing, HttpServing], ids=["grpc", "http"])
def serving_by(request: pytest.FixtureRequest) -> Any:
    return request.param


def play_for(seconds: float, service: Any) -> Any:
    return service.session("m", "s", 0).play("A", timeout=seconds)


def watch_for(seconds: float, service: Any) -> Any:
    return service.session("m", "s").watch(patience=seconds)


def answer_with(request_id: str | None, service: Any) -> Any:
    return service.session("m", "s", 0).play("A", request_id=request_id)


Face = Callable[[str, Callable[[Any], Any]], Any]


def plain(address: str, use: Callable[[Any], Any]) -> Any:
    """What comes of using a table, in plain code; streams as lists."""
    with connect(address) as service:
        result = use(service)
        return list(result) if isinstance(result, Iterator) else result


def by_asyncio(address: str, use: Callable[[Any], Any]) -> Any:
    """The same for asyncio."""

    async def main() -> Any:
        async with connect_async(address) as service:
            result = use(service)
            if hasattr(result, "__aiter__"):
                return [answer async for answer in result]
            return await result

    return asyncio.run(main())


FACES = pytest.mark.parametrize("face", [plain, by_asyncio])


def snapshot(version: int, phase: Any = MatchPhase.MATCH_PHASE_PLAYING, *seats: MatchSeat) -> WatchMatchResponse:
    match = Match(match="m", phase=phase, seats=seats)
    return WatchMatchResponse(snapshot=MatchSnapshot(match=match, seat=0, version=version, position=asked(0)))


def asked(*seats: int) -> MatchPosition:
    return MatchPosition(seats_to_move=seats, moves=[Move(text="A")] if 0 in seats else [])


def moved(version: int, *to_move: int) -> WatchMatchResponse:
    event = MatchEvent(version=version, move=MatchMove(seat=1, move=Move(text="B")), position=asked(*to_move))
    return WatchMatchResponse(event=event)


def over(version: int) -> WatchMatchResponse:
    return WatchMatchResponse(event=MatchEvent(version=version, over=MatchOver(utilities=[1, 0])))


def versions(answers: list[WatchMatchResponse]) -> list[int]:
    return [one.snapshot.version if one.HasField("snapshot") else one.event.version for one in answers]


# ---- Shape ----


@pytest.mark.parametrize(("here", "there"), [(SeatSession, AsyncSeatSession), (HostSession, AsyncHostSession)])
def test_both_tables_have_one_shape(here: type, there: type) -> None:
    import inspect

    names = [name for name, _ in inspect.getmembers(here, inspect.isfunction) if name[0] != "_"]
    for name in names:
        one, other = (inspect.signature(getattr(kind, name)) for kind in (here, there))
        assert list(one.parameters.values()) == list(other.parameters.values())
        assert getattr(here, name).__doc__ == getattr(there, name).__doc__
    assert set(names) >= {"get", "play", "watch", "turns", "hint", "take_over", "hand_back", "forfeit", "record", "delete"}


# ---- Calls that are repeated ----


@FACES
def test_a_move_is_sent_again_as_it_was_while_the_server_is_away(face: Face, serving_by: Any) -> None:
    with serving_by(AWAY, AWAY, PlayMoveResponse(move=Move(text="A"), version=4)) as serving:
        answer = face(serving.address, lambda service: service.session("m", "secret", 0).play("A", expected_version=3))
    assert answer.version == 4
    assert len(serving.script.asked) == 3
    first: PlayMoveRequest = serving.script.asked[0]
    assert all(request == first for request in serving.script.asked)
    assert (first.match, first.token, first.move, first.expected_version) == ("m", "secret", "A", 3)
    assert len(first.request_id) >= 16


@FACES
def test_two_moves_have_two_ids_unless_one_is_given(face: Face, serving_by: Any) -> None:
    with serving_by(*[PlayMoveResponse(version=1)] * 3) as serving:
        for request_id in (None, None, "mine-mine-mine-mine"):
            face(serving.address, partial(answer_with, request_id))
    ids = [request.request_id for request in serving.script.asked]
    assert len(set(ids)) == 3
    assert ids[2] == "mine-mine-mine-mine"


@FACES
def test_what_is_refused_is_not_sent_again(face: Face, serving_by: Any) -> None:
    with serving_by(grpc.StatusCode.PERMISSION_DENIED) as serving, pytest.raises(NoAccess) as caught:
        face(serving.address, lambda service: service.session("m", "s", 0).play("A"))
    assert caught.value.code == grpc.StatusCode.PERMISSION_DENIED
    assert len(serving.script.asked) == 1


@FACES
def test_a_server_that_stays_away_is_told_of_when_the_time_is_up(face: Face, serving_by: Any) -> None:
    for seconds in WHILE:
        with serving_by(*[AWAY] * 50) as serving, pytest.raises((ShuttingDown, NoTime)):
            face(serving.address, partial(play_for, seconds))
        if len(serving.script.asked) >= 2:
            break
    assert 2 <= len(serving.script.asked) < 50
    with pytest.raises((ShuttingDown, NoTime)):
        face(NOWHERE[serving_by], lambda service: service.session("m", "s", 0).play("A", timeout=0.2))


@FACES
def test_a_match_is_made_of_seats_in_words_or_messages(face: Face, serving_by: Any) -> None:
    made = CreateMatchResponse(match=Match(match="m"), host_token="h", seat_tokens={0: "zero"}, code="ABC")  # noqa: S106
    with serving_by(AWAY, made) as serving:
        host = face(
            serving.address,
            lambda service: service.create_match(
                "agency", ["person", "open", "level3", "greedy"], think=0.5, hints=True, move_time=90
            ),
        )
        with pytest.raises(ValueError, match="seat 1 is no person's; expected one of those: 0"):
            host.at(1)
    first, request = serving.script.asked
    assert first == request
    assert isinstance(request, CreateMatchRequest)
    person, bot, open_seat = SeatKind.SEAT_KIND_PERSON, SeatKind.SEAT_KIND_BOT, SeatKind.SEAT_KIND_OPEN
    assert [seat.kind for seat in request.seats] == [person, open_seat, bot, bot]
    assert [(seat.bot, seat.think.ToMilliseconds()) for seat in request.seats] == [
        ("", 0),
        ("", 0),
        ("level3", 500),
        ("greedy", 500),
    ]
    assert (request.settings.hints, request.settings.spectators, request.settings.move_time.seconds) == (True, False, 90)
    assert (host.match, host.token, host.code, host.tokens, host.seat) == ("m", "h", "ABC", {0: "zero"}, None)
    assert (host.at(0).token, host.at(0).seat) == ("zero", 0)


@FACES
def test_a_list_goes_over_its_pages(face: Face, serving_by: Any) -> None:
    pages = [
        ListMatchesResponse(matches=[Match(match="c"), Match(match="b")], next_page_token="next"),  # noqa: S106
        AWAY,
        ListMatchesResponse(matches=[Match(match="a")]),
    ]
    with serving_by(*pages) as serving:
        answers = face(serving.address, lambda service: service.list_matches(page_size=2))
    assert [match.match for match in answers] == ["c", "b", "a"]
    requests: list[ListMatchesRequest] = serving.script.asked
    assert [request.page_token for request in requests[1:]] == ["next", "next"]
    assert {request.page_size for request in requests} == {2}


def test_the_commitment_is_a_hash_over_seed_and_salt() -> None:
    response = GetRecordResponse(record=Record(seed=str(2**127 + 5)), salt=bytes(range(32)))
    # The hash of 80 00 … 00 05 00 01 02 … 1f, by another tool.
    assert commitment(response) == "b5c159d2dc39ff2ef84aa19c051b1e49bd3b2e4d62674649b60b5e608b91c0fc"


# ---- Watching ----


@FACES
def test_watching_goes_on_after_a_break_where_it_was(face: Face, serving_by: Any) -> None:
    streams = [
        [snapshot(2), moved(3, 1), AWAY],
        [AWAY],
        [moved(3, 1), moved(4, 0), grpc.StatusCode.CANCELLED],
        [moved(5, 1), over(6)],
    ]
    with serving_by(*streams) as serving:
        answers = face(serving.address, lambda service: service.session("m", "s").watch())
    assert versions(answers) == [2, 3, 4, 5, 6]
    requests: list[WatchMatchRequest] = serving.script.asked
    assert [request.after if request.HasField("after") else None for request in requests] == [None, 3, 3, 4]


@FACES
def test_watching_may_begin_after_a_version(face: Face, serving_by: Any) -> None:
    with serving_by([moved(8, 1), over(9)]) as serving:
        assert versions(face(serving.address, lambda service: service.session("m", "s").watch(after=7))) == [8, 9]
    assert serving.script.asked[0].after == 7


@FACES
def test_watching_ends_at_once_where_the_match_is_over(face: Face, serving_by: Any) -> None:
    with serving_by([snapshot(12, MatchPhase.MATCH_PHASE_OVER)]) as serving:
        assert versions(face(serving.address, lambda service: service.session("m", "s").watch())) == [12]
    assert len(serving.script.asked) == 1


@FACES
def test_watching_gives_up_in_the_end(face: Face, serving_by: Any) -> None:
    for seconds in WHILE:
        with serving_by(*[[AWAY]] * 50) as serving, pytest.raises(ShuttingDown):
            face(serving.address, partial(watch_for, seconds))
        if len(serving.script.asked) >= 2:
            break
    assert 2 <= len(serving.script.asked) < 50


@FACES
def test_what_is_refused_is_not_watched_again(face: Face, serving_by: Any) -> None:
    with serving_by([grpc.StatusCode.PERMISSION_DENIED]) as serving, pytest.raises(NoAccess):
        face(serving.address, lambda service: service.session("m", "s").watch())
    assert len(serving.script.asked) == 1


def test_who_was_crowded_out_comes_again_when_told_to_and_who_was_displaced_does_not() -> None:
    crowded = TooManyWatchers("crowded", grpc.StatusCode.RESOURCE_EXHAUSTED, retry_after=5.0)
    watched = WatchPosition("m", "s", None, 60.0)
    watched.ask()
    with pytest.raises(TooManyWatchers):
        watched.pause(crowded)  # it never was let in
    watched.take(snapshot(2))
    assert watched.pause(crowded) == 5.0
    assert watched.ask().after == 2
    with pytest.raises(WatchDisplaced):
        watched.pause(WatchDisplaced("displaced", grpc.StatusCode.ABORTED))


def test_closing_a_client_ends_its_watching(serving_by: Any) -> None:
    begun, ended = threading.Event(), threading.Event()

    class Endless(Script):
        def WatchMatch(self, request: WatchMatchRequest, context: grpc.ServicerContext) -> Iterator[WatchMatchResponse]:  # noqa: N802
            self.asked.append(request)
            yield snapshot(1)
            ended.wait(30)

    serving = serving_by(script=Endless())
    errors: list[ServiceError] = []

    with serving, connect(serving.address) as service:

        def watch() -> None:
            try:
                for _ in service.session("m", "s").watch():
                    begun.set()
            except ServiceError as error:
                errors.append(error)

        thread = threading.Thread(target=watch)
        thread.start()
        assert begun.wait(30)
        service.close()
        thread.join(30)
        ended.set()
    assert [type(error) for error in errors] == [Cancelled]


@FACES
def test_turns_are_the_positions_in_which_the_seat_is_asked(face: Face, serving_by: Any) -> None:
    taken = MatchSeat(seat=0, kind=SeatKind.SEAT_KIND_PERSON, bot="greedy", taken_over=True)
    back = MatchSeat(seat=0, kind=SeatKind.SEAT_KIND_PERSON)
    events = [
        snapshot(1),
        moved(2, 1),
        moved(3, 0),
        WatchMatchResponse(event=MatchEvent(version=4, seat=taken, position=asked(0))),
        moved(5, 0),
        WatchMatchResponse(event=MatchEvent(version=6, seat=back, position=asked(0))),
        over(7),
    ]
    with serving_by(events) as serving:
        answers = face(serving.address, lambda service: service.session("m", "s", 0).turns())
    assert len(answers) == 3  # of versions 1, 3 and 6
    assert all(move.text == "A" for position in answers for move in position.moves)


def test_a_question_that_was_answered_is_no_turn_again(serving_by: Any) -> None:
    streams = [[snapshot(1), moved(2, 0, 1), moved(3, 0), moved(4, 1), over(5)]]
    with serving_by(*streams, PlayMoveResponse(version=3)) as serving, connect(serving.address) as service:
        table = service.session("m", "s")
        turns = table.turns()
        next(turns)
        table.play("A")  # event 3; event 2 came in between
        assert table.version == 3
        assert len(list(turns)) == 1
    play = serving.script.asked[1]
    assert play.expected_version == 1
