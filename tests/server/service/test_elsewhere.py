"""Games from elsewhere, which have no messages of their own, travel as Structs."""

from typing import Any

import pytest
from google.protobuf.struct_pb2 import Struct

from machiavel.clients import BadOption, BadRequest, BadView, Client
from machiavel.server.service import wire
from machiavel.server.service.messages import read, struct_of
from machiavel.v1 import Layout, Options
from tests.engines.games import INSTALLED, players_of


@pytest.fixture
def strange(monkeypatch: pytest.MonkeyPatch) -> None:
    """All games are as strange to the server as one that another distribution brings."""
    monkeypatch.setattr(wire, "part", lambda *_: "other")


@pytest.mark.usefixtures("strange")
@pytest.mark.parametrize("name", INSTALLED)
def test_a_match_its_views_and_its_advice_travel_all_the_same(service: Client, name: str) -> None:
    state = service.new_state(name, players_of(name, 2), seed=5)
    while state.ply < 12 and not state.over:
        seen = service.get_view(state, state.seat_to_move)
        assert seen.view.WhichOneof("seen") == "other"
        assert wire.view_message(wire.read_view(seen.view)) == seen.view
        answer = service.recommend_move(seen, bot="ismcts:iterations=20,seed=1")
        state = service.apply_move(state, answer.move.text).state
    assert service.get_state(state) == state


@pytest.mark.usefixtures("strange")
def test_errors_name_the_place_in_the_struct(service: Client) -> None:
    with pytest.raises(BadOption) as option:
        service.new_state("agency", Options(players=3, other=struct_of({"medals": 10})))
    assert list(option.value.fields) == ["options.other.medals"]
    with pytest.raises(BadOption) as unknown:
        service.new_state("agency", Options(players=3, other=struct_of({"self": 10})))
    assert list(unknown.value.fields) == ["options.other.self"]
    with pytest.raises(BadRequest) as players:
        service.new_state("agency", Options(players=3, other=struct_of({"players": 4})))
    assert list(players.value.fields) == ["options.other.players"]
    view = service.get_view(service.new_state("whist", 2, seed=1), 0).view
    view.other["trump"] = "X"
    with pytest.raises(BadView) as wrong:
        service.recommend_move(view)
    assert list(wrong.value.fields) == ["view.other.trump"]


@pytest.mark.usefixtures("strange")
def test_luck_is_laid_out_in_the_games_own_form(service: Client) -> None:
    state = service.new_state("bond", 3, seed=1, layout=Layout(other=struct_of({"first": 2, "steals": [7]})))
    assert state.seat_to_move == 2
    assert service.get_state(state) == state


def test_json_is_what_it_was_after_a_journey() -> None:
    data: dict[str, Any] = {"a": None, "b": [1, 2.5, "x", True, {"c": []}], "d": {}, "e": -(2**40)}
    result = read(struct_of(data), "")
    assert result == data
    assert [type(value) for value in result["b"][:2]] == [int, float]


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_that_json_has_not_are_refused(number: float) -> None:
    message = Struct()
    message["a"] = [number]
    with pytest.raises(Exception, match=r"options\.other\.a\[0\]: is (nan|inf); expected a finite number"):
        read(message, "options.other")
