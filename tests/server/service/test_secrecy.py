"""Nothing that crosses the wire for a seat depends on what the seat cannot know."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import grpc
import pytest

from machiavel.clients import Client, ServiceError, connect
from machiavel.server.service import bot_service, hint_messages, status, wire
from tests.engines.games import INSTALLED
from tests.search.pairs import state_pairs
from tests.server.service.hosted import hosted
from tests.server.service.pairs import Response, pairs
from tests.server.service.seat_calls import advice, analysis, carried_on, plant_digest, refusals, what_it_sees

BOTS = ("ismcts:seed=3", "pimc:seed=3,worlds=5", "level3:seed=3", "greedy", "random:seed=3")


def told_apart(service: Client, game: str, count: int, told: Callable[..., Iterator[Response]], *more: Any) -> int:
    """How many pairs a seat could tell apart by what it is told."""
    return sum(
        list(told(service, first, seat, *more)) != list(told(service, second, seat, *more))
        for first, second, seat in pairs(game, count)
    )


# ---- Deals that differ in what is hidden ----


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("game", INSTALLED)
def test_advice_is_the_same_for_deals_that_differ_in_what_is_hidden(service: Client, game: str, bot: str) -> None:
    for first, second, seat in pairs(game, 8):
        told = {one for state in (first, second) for one in advice(service, state, seat, bot)}
        assert len(told) == 1
        assert all(isinstance(message, bytes) for one in told for message in one)


@pytest.mark.parametrize("game", INSTALLED)
def test_an_analysis_ends_the_same_too(service: Client, game: str) -> None:
    for first, second, seat in pairs(game, 4):
        told = {one for state in (first, second) for one in analysis(service, state, seat)}
        assert len(told) == 1
        assert all(isinstance(message, bytes) for one in told for message in one)


@pytest.mark.parametrize("game", INSTALLED)
def test_views_and_moves_are_the_same_too(service: Client, game: str) -> None:
    assert told_apart(service, game, 8, what_it_sees) == 0


@pytest.mark.parametrize("game", INSTALLED)
def test_views_that_are_carried_on_are_the_same_too(service: Client, game: str) -> None:
    assert told_apart(service, game, 3, carried_on) == 0


@pytest.mark.parametrize("game", INSTALLED)
def test_errors_are_the_same_too(service: Client, game: str) -> None:
    assert told_apart(service, game, 4, refusals) == 0
    first, _, seat = pairs(game, 4)[0]
    assert all(isinstance(told[0], grpc.StatusCode) for told in refusals(service, first, seat))


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("game", INSTALLED)
def test_nothing_differs_in_three_hundred_pairs(service: Client, game: str) -> None:
    for told in (what_it_sees, carried_on, refusals, analysis):
        assert told_apart(service, game, 300, told) == 0
    assert told_apart(service, game, 300, advice, "ismcts:seed=3") == 0


# ---- A service that lets something out ----


@pytest.fixture
def digest_of_truth(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    return plant_digest(monkeypatch)


@pytest.mark.parametrize("game", INSTALLED)
@pytest.mark.parametrize("leak", ["luck", "length", "map"])
def test_a_leak_in_the_advice_is_found_out(
    service: Client, monkeypatch: pytest.MonkeyPatch, digest_of_truth: list[int], game: str, leak: str
) -> None:
    honest, honest_message, honest_map = bot_service.question, wire.recommendation_message, hint_messages.unseen_message

    def lucky(*arguments: Any) -> Any:
        asked = honest(*arguments)
        parameters = asked.searcher.parameters
        return replace(asked, searcher=replace(asked.searcher, parameters=replace(parameters, seed=digest_of_truth[0])))

    def long(*arguments: Any) -> Any:
        result = honest_message(*arguments)
        result.engine += "." * (digest_of_truth[0] % 1009)
        return result

    def shifted(*arguments: Any) -> Any:
        result = honest_map(*arguments)
        result.standard_error += digest_of_truth[0] % 1009
        return result

    if leak == "map":
        monkeypatch.setattr(hint_messages, "unseen_message", shifted)
    elif leak == "luck":
        monkeypatch.setattr(bot_service, "question", lucky)
    else:
        monkeypatch.setattr(wire, "recommendation_message", long)
    assert told_apart(service, game, 8, advice, "ismcts:seed=3") >= 4
    assert told_apart(service, game, 4, analysis) >= 2


@pytest.mark.parametrize("game", INSTALLED)
def test_a_leak_in_an_error_is_found_out(
    service: Client, monkeypatch: pytest.MonkeyPatch, digest_of_truth: list[int], game: str
) -> None:
    honest = status.metadata_of

    def leaking(*arguments: Any) -> dict[str, str]:
        return honest(*arguments) | {"legal": "." * (digest_of_truth[0] % 1009)}

    monkeypatch.setattr(status, "metadata_of", leaking)
    assert told_apart(service, game, 6, refusals) >= 3


@pytest.mark.parametrize("game", INSTALLED)
def test_a_view_that_is_the_hosts_is_found_out(service: Client, game: str) -> None:
    """What goes to the host differs between the deals of each pair."""
    differing = [
        service.get_state(wire.state_message(first)) != service.get_state(wire.state_message(second))
        for first, second, _ in pairs(game, 8)
    ]
    assert all(differing)


# ---- The log ----


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
        with pytest.raises(grpc.RpcError):
            service.channel.unary_unary("/machiavel.v1.GameService/HA", bytes, bytes)(b"H2")
    told, *lines = (json.loads(line) for line in capfd.readouterr().err.splitlines())
    assert told["event"] == "retention"
    assert len(lines) == 7
    for line in lines:
        assert set(line) == {"method", "code", "reason", "ms", "request", "caller", "event", "level", "timestamp"}
        assert line["method"].startswith("/machiavel.v1.") or line["method"] == "unknown"
        assert "HA" not in line["method"]
        assert not set(first.moves) & set(line.values())
