"""GameService says what the engines say."""

import random
from typing import Any

import pytest

from machiavel import engines
from machiavel.clients import Client
from machiavel.server.service import wire
from machiavel.v1 import (
    AgencyOptions,
    BondLayout,
    Deck,
    Layout,
    Options,
    Record,
    State,
    Texts,
    View,
    WhistLayout,
)
from tests.engines.games import INSTALLED, players_of
from tests.search.positions import states
from tests.server.service.hosted import GAMES


def message_of(state: engines.State) -> State:
    return wire.state_message(state)


@pytest.mark.parametrize("name", INSTALLED)
def test_the_games_are_listed_with_players_and_options_in_both_languages(service: Client, name: str) -> None:
    plugin = engines.load(name).plugin
    result = next(game for game in service.list_games() if game.name == name)
    assert list(result.players) == list(plugin.players)
    assert (result.title.en, result.title.fr) == (plugin.titles["en"], plugin.titles["fr"])
    assert [option.name for option in result.options] == [option.name for option in plugin.options]
    assert all(option.help.en and option.help.fr and option.expected.en for option in result.options)


@pytest.mark.parametrize("name", INSTALLED)
def test_a_match_played_over_the_wire_is_the_match_played_here(service: Client, name: str) -> None:
    draw = random.Random(name)
    here = engines.load(name).new(players_of(name), seed=2**127 + 5)
    there = service.new_state(name, players_of(name), seed=2**127 + 5)
    while not here.is_over and len(here.moves) < 60:
        assert there == message_of(here)
        asked = {one.seat: [move.text for move in one.moves] for one in service.legal_moves(there)}
        assert asked == {seat: here.legal_moves(seat) for seat in here.seats_to_move}
        move = draw.choice(here.legal_moves())
        done = service.apply_move(there, move, here.seat_to_move)
        assert (done.seat, done.move.text) == (here.seat_to_move, move)
        here.play(move)
        assert done.public_move.text == here.observed_moves(None)[-1]
        there = done.state
    assert there == message_of(here)
    assert service.get_state(there.record) == there


def test_a_match_goes_on_to_its_results(service: Client) -> None:
    state = service.new_state("whist", 4, seed=1)
    while not state.over:
        (own,) = service.legal_moves(state)
        state = service.apply_move(state, own.moves[0].text).state
    assert sum(state.utilities) == pytest.approx(1)
    assert not state.HasField("seat_to_move")
    assert list(service.legal_moves(state)) == []


@pytest.mark.parametrize("name", INSTALLED)
def test_views_are_what_the_seat_sees_and_read_as_they_were_written(service: Client, name: str) -> None:
    for _, state in zip(range(25), states(name, seed=8, least=2), strict=False):
        message = message_of(state)
        for seat in (None, *range(state.players)):
            response = service.get_view(message, seat)
            assert response.view == wire.view_message(state.view(seat))
            assert wire.read_view(response.view) == state.view(seat)
            assert tuple(response.observed_moves) == state.observed_moves(seat)
            assert set(response.seats_to_move) == state.seats_to_move


@pytest.mark.parametrize("name", INSTALLED)
def test_legal_moves_of_a_view_are_those_of_the_record(service: Client, name: str) -> None:
    state = next(states(name, seed=3, least=2))
    seat = state.seat_to_move
    message = message_of(state)
    (by_view,) = service.legal_moves(service.get_view(message, seat))
    (by_record,) = service.legal_moves(message, seat)
    assert by_view == by_record
    assert all(move.label.en and move.label.fr for move in by_view.moves)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_that_ships_has_messages_of_its_own(name: str) -> None:
    assert wire.part(View(), "seen", name) == name
    assert wire.part(Options(), "game", name) == name
    assert wire.part(Layout(), "game", name) == name


def test_options_travel_both_ways(service: Client) -> None:
    own = AgencyOptions(powers=False, medals=1, deck=Deck(name="house"))
    state = service.new_state("agency", Options(players=4, agency=own), seed=3)
    options = state.record.options
    assert (options.players, options.agency.powers, options.agency.accomplices, options.agency.medals) == (4, False, True, 1)
    with_agents = AgencyOptions(agents=Texts(texts=["wxt", "martha"]))
    again = service.new_state("agency", Options(players=2, agency=with_agents), seed=3)
    assert list(again.record.options.agency.agents.texts) == ["wxt", "martha"]
    assert service.get_state(again) == again


def test_a_deck_of_ones_own_travels_as_tables(service: Client) -> None:
    import tomllib
    from importlib.resources import files

    from machiavel.server.service.messages import struct_of

    tables: dict[str, Any] = tomllib.loads(files("machiavel.engines.agency").joinpath("decks/house.toml").read_text("utf-8"))
    tables["name"] = "mine"
    options = Options(players=3, agency=AgencyOptions(deck=Deck(tables=struct_of(tables))))
    state = service.new_state("agency", options, seed=3)
    assert state.record.options.agency.deck.tables["name"] == "mine"
    (own,) = service.legal_moves(state)
    assert service.apply_move(state, own.moves[0].text).state.ply == 1


def test_luck_laid_out_is_met(service: Client) -> None:
    layout = Layout(bond=BondLayout(first=2, steals=[7]))
    state = service.new_state("bond", 3, seed=1, layout=layout)
    assert state.seat_to_move == 2
    assert state.record.layout == layout
    assert service.get_state(state) == state


def test_luck_laid_out_alone_makes_a_match_without_a_seed(service: Client) -> None:
    dealt = engines.load("whist").new(2, seed=4).truth()
    layout = {"rounds": [{"trump": dealt["trump"], "hands": dealt["hands"]}]}
    message = Layout(whist=WhistLayout())
    wire.put_part(message, "game", "whist", layout)
    state = service.new_state("whist", 2, layout=message)
    assert not state.record.HasField("seed")
    assert state.record.layout == message


def test_without_a_seed_every_match_is_another(service: Client) -> None:
    assert service.new_state("whist", 3).record.seed != service.new_state("whist", 3).record.seed


def test_a_record_kept_as_bytes_replays(service: Client) -> None:
    state = service.new_state("agency", 3, seed=9)
    assert service.get_state(Record.FromString(state.record.SerializeToString())) == state
