"""Nothing that crosses the door for a seat depends on what the seat cannot know: answers, streams, errors, headers, sizes."""

import json
import re
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict

from machiavel.engines import State
from machiavel.server.service import hint_messages, wire
from tests.engines.games import INSTALLED
from tests.server.service.pairs import pairs
from tests.server.web.http_calls import CALL, Answer, Place, ask, call, enveloped, envelopes

BOT = "ismcts:seed=3"
NEW_EACH_TIME = {"date", "x-request-id", "content-length"}  # with the time that an answer took, its length changes, too
TIME = re.compile(rb'"elapsed":"[^"]*",?')
NAME = re.compile(rb'"request_?[iI]d":"[^"]*"|"[A-Za-z0-9+/=]{24,}"')  # of a call: in the details of errors, as JSON and as bytes
WRONG = ("zz", "H2", "G8", "M1", "spy:5>0", "go:attic")

Told = list[object]


def kept(answer: Answer) -> object:
    """All of it but times and the call's own name; what is left has its length."""
    headers = sorted((name, value) for name, value in answer.headers.items() if name not in NEW_EACH_TIME)
    body = TIME.sub(b"", answer.body)
    return answer.status, headers, NAME.sub(b"", body) if answer.status != 200 else body


def sources(state: State, seat: int) -> Iterator[dict[str, Any]]:
    """The match as a record, and as what the seat sees of it."""
    yield {"record": MessageToDict(wire.state_message(state).record), "seat": seat}
    yield {"view": MessageToDict(wire.view_message(state.view(seat)))}


def told(place: Place, state: State, seat: int) -> Told:
    """What a seat's host or app gets for it."""
    result: Told = []
    legal = set(state.view(seat).legal_moves())
    for source in sources(state, seat):
        asked = source | {"bot": BOT, "limits": {"iterations": 100}, "explain": True}
        answer = call(place, "BotService/RecommendMove", asked)
        assert answer.status == 200
        assert answer.json["unseen"]["worlds"] >= 500
        result.append(kept(answer))
        result.append(analysis(place, asked))
        for wrong in ({"moves": ["zz"]}, {"seat": 99}, {"bot": "zz"}):
            result.append(kept(call(place, "BotService/RecommendMove", source | {"bot": BOT, **wrong})))
    record = next(sources(state, seat))["record"]
    result.append(kept(call(place, "GameService/GetView", {"record": record, "seat": seat})))
    for move in WRONG:
        if move not in legal:
            result.append(kept(call(place, "GameService/ApplyMove", {"record": record, "move": move, "seat": seat})))
    return result


def analysis(place: Place, asked: dict[str, Any]) -> object:
    """The final answer of a stream, and its end."""
    body = enveloped(json.dumps(asked | {"interval": "60s"}).encode())
    answer = ask(place, "POST", f"{CALL}BotService/AnalyzeMoves", body, {"content-type": "application/connect+json"})
    return answer.status, [(flags, TIME.sub(b"", data)) for flags, data in envelopes(answer.body)][-2:]


def told_apart(place: Place, game: str, count: int) -> int:
    return sum(told(place, first, seat) != told(place, second, seat) for first, second, seat in pairs(game, count))


@pytest.mark.parametrize("game", INSTALLED)
def test_what_a_seat_gets_is_the_same_for_deals_that_differ_in_what_is_hidden(place: Place, game: str) -> None:
    assert told_apart(place, game, 3) == 0


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("game", INSTALLED)
def test_nothing_differs_in_two_hundred_pairs(place: Place, game: str) -> None:
    assert told_apart(place, game, 200) == 0


@pytest.mark.parametrize("game", INSTALLED)
def test_a_map_that_tells_of_the_truth_is_found_out(place: Place, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    truth, honest_state, honest_map = [0], wire.read_state, hint_messages.unseen_message

    def read_state(message: Any) -> State:
        truth[0] = zlib.crc32(message.SerializeToString())
        return honest_state(message)

    def leaking(*arguments: Any) -> Any:
        result = honest_map(*arguments)
        result.standard_error += truth[0] % 1009
        return result

    monkeypatch.setattr(wire, "read_state", read_state)
    monkeypatch.setattr(hint_messages, "unseen_message", leaking)

    assert told_apart(place, game, 3) >= 2
