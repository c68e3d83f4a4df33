"""Nothing that the door sends for a seat depends on what the seat cannot know: not a byte, in JSON or binary, nor a length."""

import http.client
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import grpc
import pytest
from google.protobuf.message import Message

from machiavel import v1
from machiavel.clients import Client, connect
from machiavel.server.web import codecs
from machiavel.server.web.json_messages import write_json
from tests.engines.games import INSTALLED
from tests.server.service import seat_calls, witness
from tests.server.service.hosted import Hosted, hosted
from tests.server.service.pairs import Response, pairs
from tests.server.service.seat_calls import advice, analysis, plant_digest, refusals, what_it_sees
from tests.server.web.conftest import WEB
from tests.server.web.http_calls import Place, enveloped, envelopes

FORMS = ("json", "proto")
ELAPSED = re.compile(rb'"elapsed":"[\d.]+s"')
TIMED = ("RecommendMove", "AnalyzeMoves")
STREAMS = ("AnalyzeMoves",)


class DoorCaller:
    """A connection to the door, in one form of messages."""

    def __init__(self, place: Place, form: str) -> None:
        self.connection = http.client.HTTPConnection(*place, timeout=60)
        self.form = form


def ask(caller: Any, path: str, request: Message | bytes) -> Response:
    """All that comes back: status, headers, and each message. How long it took alone is taken out."""
    name = path.rpartition("/")[2]
    data = request if isinstance(request, bytes) else codecs.writer(caller.form)(request)
    headers = {"content-type": f"application/{caller.form}", "x-request-id": "the-same-for-all"}
    if name in STREAMS:
        data, headers["content-type"] = enveloped(data), f"application/connect+{caller.form}"
    caller.connection.request("POST", path, data, headers)
    response = caller.connection.getresponse()
    body = response.read()
    told = {key.lower(): value for key, value in response.getheaders() if key.lower() != "date"}
    if name in STREAMS:
        # What is known at the end, which the clock has no part in, and the end itself.
        return response.status, b"".join(
            untimed(name, one, caller.form) if not flags else one for flags, one in envelopes(body)[-2:]
        )
    if name in TIMED and response.status == 200:
        told.pop("content-length")
        body = untimed(name, body, caller.form)
    return response.status, tuple(told.items()), body


def untimed(name: str, data: bytes, form: str) -> bytes:
    if form == "json":
        return ELAPSED.sub(b"", data)
    message = getattr(v1, f"{name}Response").FromString(data)
    message.ClearField("elapsed")
    return bytes(message.SerializeToString(deterministic=True))


@pytest.fixture(params=FORMS)
def caller(place: Place, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[DoorCaller]:
    monkeypatch.setattr(seat_calls, "ask", ask)
    result = DoorCaller(place, request.param)
    yield result
    result.connection.close()


def told_apart(caller: DoorCaller, game: str, count: int, *more: Any) -> int:
    """How many pairs a seat could tell apart by what it is told, and that it is told something."""
    result = 0
    for first, second, seat in pairs(game, count):
        one, other = (list(everything(caller, state, seat, *more)) for state in (first, second))
        assert len(one) > 20
        result += one != other
    return result


def everything(caller: Any, state: Any, seat: int, bot: str = "ismcts:seed=3") -> Iterator[Response]:
    for told in (what_it_sees, refusals, analysis):
        yield from told(caller, state, seat)
    yield from advice(caller, state, seat, bot)


@pytest.mark.parametrize("game", INSTALLED)
def test_all_that_a_seat_is_told_is_the_same_for_deals_that_differ_in_what_is_hidden(caller: DoorCaller, game: str) -> None:
    assert told_apart(caller, game, 2) == 0


@pytest.mark.parametrize("game", INSTALLED)
def test_the_map_of_unseen_cards_is_among_what_is_told(caller: DoorCaller, game: str) -> None:
    first, _, seat = pairs(game, 2)[0]
    told = [one[-1] for one in advice(cast(Client, caller), first, seat, "ismcts:seed=3")]
    assert len(told) == 2
    for body in told:
        assert isinstance(body, bytes)
        if caller.form == "json":
            assert b'"unseen":{' in body
        else:
            assert v1.RecommendMoveResponse.FromString(body).HasField("unseen")


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("game", INSTALLED)
def test_nothing_differs_in_a_hundred_pairs(caller: DoorCaller, game: str) -> None:
    assert told_apart(caller, game, 100) == 0


@pytest.fixture
def digest_of_truth(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    return plant_digest(monkeypatch)


def test_a_leak_of_a_byte_in_json_is_found_out(
    server: Hosted, place: Place, monkeypatch: pytest.MonkeyPatch, digest_of_truth: list[int]
) -> None:
    monkeypatch.setattr(seat_calls, "ask", ask)
    monkeypatch.setattr(codecs, "write_json", lambda message: write_json(message) + b" " * (digest_of_truth[0] % 1009))
    with hosted(web=WEB) as leaking:
        door = leaking.server.door
        assert door is not None
        caller = DoorCaller(("127.0.0.1", door.port), "json")
        assert told_apart(caller, "whist", 6) >= 3
        caller.connection.close()


class SameIdError(grpc.RpcError):
    """An error as gRPC has it, with the id that the call was given."""

    def __init__(self, error: Any) -> None:
        super().__init__(str(error))
        self.error = error

    def code(self) -> Any:
        return self.error.code()

    def details(self) -> Any:
        return self.error.details()

    def trailing_metadata(self) -> Any:
        return (*self.error.trailing_metadata(), *seat_calls.SAME_ID)


class SameIdStub:
    """Calls whose ids in the log are all the same."""

    def __init__(self, stub: Any) -> None:
        self.stub = stub

    def __getattr__(self, call: str) -> Any:
        def ask(request: Message, timeout: float | None = None) -> Any:
            try:
                return getattr(self.stub, call)(request, timeout=timeout, metadata=seat_calls.SAME_ID)
            except grpc.RpcError as error:
                raise SameIdError(error) from None

        return ask


@pytest.mark.parametrize("game", ["agency", "whist"])
def test_a_seat_of_a_hosted_match_is_told_the_same_too(
    server: Hosted, place: Place, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a client over HTTP."""

    @contextmanager
    def stub(_: str) -> Iterator[Any]:
        with connect(f"http://{place[0]}:{place[1]}") as client:
            yield SameIdStub(client.matches)

    monkeypatch.setattr(witness, "stub", stub)
    for first, second, seat in witness.match_pairs(game, 1):
        one, other = (witness.told(server, state, seat, monkeypatch) for state in (first, second))
        assert len(one) > 20
        assert one == other
