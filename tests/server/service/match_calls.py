"""What tests of hosted matches call, plainly: no client that tries again stands between."""

import random
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import grpc
import pytest

from machiavel import v1
from machiavel.clients import ServiceError
from machiavel.clients.errors import from_call
from machiavel.v1.match_service_pb2_grpc import MatchServiceStub

__all__ = [
    "BOT",
    "OPEN",
    "PERSON",
    "bot",
    "create",
    "first_to_move",
    "fresh",
    "over",
    "play_on",
    "refused",
    "snapshot",
    "stub",
    "until",
]

PERSON, BOT, OPEN = v1.SeatKind.SEAT_KIND_PERSON, v1.SeatKind.SEAT_KIND_BOT, v1.SeatKind.SEAT_KIND_OPEN
QUICK = 0.02  # seconds a bot takes
WAIT = 300  # seconds, where something is wrong


def fresh() -> str:
    return str(uuid.uuid4())


def bot(text: str = "greedy", think: float = QUICK) -> v1.SeatSetup:
    message = v1.SeatSetup(kind=BOT, bot=text)
    message.think.FromNanoseconds(int(think * 1e9))
    return message


def person(kind: Any = PERSON) -> v1.SeatSetup:
    return v1.SeatSetup(kind=kind)


@contextmanager
def stub(address: str) -> Iterator[Any]:
    with grpc.insecure_channel(address) as channel:
        yield MatchServiceStub(channel)


def create(service: Any, game: str, *seats: Any, **settings: Any) -> v1.CreateMatchResponse:
    """A match; seats are kinds or setups."""
    move_time = settings.pop("move_time", None)
    request = v1.CreateMatchRequest(
        game=game,
        seats=[seat if isinstance(seat, v1.SeatSetup) else person(seat) for seat in seats],
        settings=v1.MatchSettings(**settings),
        request_id=fresh(),
    )
    if move_time is not None:
        request.settings.move_time.FromNanoseconds(int(move_time * 1e9))
    response: v1.CreateMatchResponse = service.CreateMatch(request, timeout=WAIT)
    return response


def snapshot(service: Any, match: str, token: str = "") -> v1.MatchSnapshot:
    snapshot: v1.MatchSnapshot = service.GetMatch(v1.GetMatchRequest(match=match, token=token), timeout=WAIT).snapshot
    return snapshot


def over(shown: v1.MatchSnapshot) -> bool:
    return shown.match.phase == v1.MatchPhase.MATCH_PHASE_OVER


def play_on(service: Any, match: str, token: str, rng: random.Random) -> None:
    """Plays the seat of a token to the end, by random moves."""
    for _ in range(20_000):
        shown = snapshot(service, match, token)
        if over(shown):
            return
        if shown.position.moves:
            move = rng.choice(list(shown.position.moves)).text
            play = v1.PlayMoveRequest(match=match, token=token, move=move, request_id=fresh(), expected_version=shown.version)
            try:
                service.PlayMove(play, timeout=WAIT)
            except grpc.RpcError as error:  # a foil that came first has ended what was asked
                assert from_call(error).reason in {"NOT_TO_MOVE", "STALE_VERSION", "MATCH_OVER"}  # noqa: PT017
        else:
            time.sleep(0.005)
    raise AssertionError("the match does not end")


def until(result: Callable[[], Any]) -> Any:
    """What it gives once that is true."""
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        if value := result():
            return value
        time.sleep(0.01)
    raise AssertionError("it never came to that")


def refused(call: Callable[[], Any]) -> Any:
    """The error of a call, as the client has it."""
    with pytest.raises(grpc.RpcError) as caught:
        call()
    error = from_call(caught.value)
    assert isinstance(error, ServiceError)
    return error


def first_to_move(service: Any, made: v1.CreateMatchResponse) -> tuple[int, str, v1.MatchSnapshot]:
    """The seat that is asked, of a match of persons alone, its token, and what it sees."""
    for seat, token in made.seat_tokens.items():
        shown = snapshot(service, made.match.match, token)
        if seat in shown.position.seats_to_move:
            return seat, token, shown
    raise AssertionError("nobody is asked")
