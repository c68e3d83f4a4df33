"""Nothing that crosses the wire for a seat depends on what the seat cannot know."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from machiavel.clients import Client, ServiceError, connect
from machiavel.engines import State
from machiavel.server.service import wire
from machiavel.v1 import GetViewResponse, LegalMovesResponse
from tests.search.positions import SHIPPED
from tests.search.test_secrecy import state_pairs
from tests.server.service.hosted import hosted

BOTS = ("ismcts:seed=3", "pimc:seed=3,worlds=5", "level3:seed=3", "greedy", "random:seed=3")


def advice(service: Client, state: State, seat: int, bot: str, as_view: bool) -> bytes:
    """All that a seat is told, but for the time it took."""
    source = wire.view_message(state.view(seat)) if as_view else wire.state_message(state)
    limits: dict[str, Any] = {} if bot in {"greedy", "random:seed=3"} else {"iterations": 120, "explain": True}
    answer = service.recommend_move(source, seat=seat, bot=bot, **limits)
    answer.ClearField("elapsed")
    return answer.SerializeToString(deterministic=True)


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("name", SHIPPED)
def test_advice_is_the_same_for_deals_that_differ_in_what_is_hidden(service: Client, name: str, bot: str) -> None:
    for first, second, seat in state_pairs(name, 8):
        told = {advice(service, state, seat, bot, as_view) for state in (first, second) for as_view in (False, True)}
        assert len(told) == 1


@pytest.mark.parametrize("name", SHIPPED)
def test_views_moves_and_errors_are_the_same_too(service: Client, name: str) -> None:
    def told(state: State, seat: int) -> Iterator[bytes]:
        message = wire.state_message(state)
        view: GetViewResponse = service.get_view(message, seat)
        yield view.SerializeToString(deterministic=True)
        yield LegalMovesResponse(seats=service.legal_moves(message, seat)).SerializeToString()
        for wrong in ({"moves": ["zz"]}, {"bot": "zz"}, {"iterations": 0}):
            with pytest.raises(ServiceError) as caught:
                service.recommend_move(view, **wrong)
            yield repr((str(caught.value), caught.value.metadata, caught.value.fields)).encode()

    for first, second, seat in state_pairs(name, 8):
        assert list(told(first, seat)) == list(told(second, seat))


@pytest.mark.parametrize("name", SHIPPED)
def test_an_analysis_ends_the_same_too(service: Client, name: str) -> None:
    def final(state: State, seat: int) -> bytes:
        *_, last = service.analyze_moves(wire.state_message(state), seat=seat, bot="ismcts:seed=2", iterations=150)
        return last.recommendation.SerializeToString(deterministic=True)

    for first, second, seat in state_pairs(name, 3):
        assert final(first, seat) == final(second, seat)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_leak_would_be_found_out(service: Client, name: str) -> None:
    """What goes to the host differs between the deals of each pair."""
    differing = [
        service.get_state(wire.state_message(first)) != service.get_state(wire.state_message(second))
        for first, second, _ in state_pairs(name, 8)
    ]
    assert all(differing)


def test_the_log_tells_of_calls_and_never_of_what_was_in_them(capfd: pytest.CaptureFixture[str]) -> None:
    first, _, seat = state_pairs("whist", 1)[0]
    message = wire.state_message(first)
    with hosted(log_level="debug") as server, connect(server.address) as service:
        service.get_view(message, seat)
        service.recommend_move(message, seat=seat, iterations=50)
        for wrong in ("zz", "HA?", "H2 H3"):
            with pytest.raises(ServiceError):
                service.apply_move(message, wrong)
        message.record.moves.append("H2")
        with pytest.raises(ServiceError):
            service.apply_move(message, "SA")
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert len(lines) == 6
    for line in lines:
        assert set(line) == {"method", "code", "reason", "ms", "request", "caller", "event", "level", "timestamp"}
        assert line["method"].startswith("/machiavel.v1.")
        assert not set(first.moves) & set(line.values())
