"""The Python face keeps matches, callers and memory apart."""

import copy
import gc
import inspect
import json
import pickle
import weakref
from dataclasses import replace
from typing import Any

import pytest

from machiavel.engines import (
    LANGUAGES,
    BadOption,
    BadRecord,
    BadView,
    Game,
    GameError,
    IllegalMove,
    IncompatibleEngine,
    Rules,
    State,
    View,
    errors,
    load,
)
from machiavel.engines.record import Record, parse_seed
from tests.engines.games import INSTALLED, players_of

GAME = load("agency")


def house_tables(name: str = "mine") -> dict[str, Any]:
    """The house deck under another name, as tables."""
    deck = GAME.make_rules(2).tables.deck
    colours = ("mauve", "blue", "green", "yellow")
    return {
        "name": name,
        "cards": {
            colour: {"ranks": [rank for other, rank in deck.cards if other == number], "provenance": "x"}
            for number, colour in enumerate(colours)
        },
        "plans": [{"value": 1, "count": 20, "provenance": "x"}],
        "agents": [{"id": agent, "provenance": "x"} for agent in ("belton", "martha")],
    }


def test_rules_of_another_game_or_none_at_all_are_refused() -> None:
    stranger = Rules(GAME.make_rules(2).capsule, 2, {}, "00")
    for rules in (stranger, None, 5):
        with pytest.raises(BadOption, match=r"rules made by Game\.make_rules of agency"):
            GAME.deal(rules, seed=1)  # type: ignore[arg-type]
        with pytest.raises(BadOption):
            GAME.view_from_bytes(rules, b"")  # type: ignore[arg-type]


def test_what_one_caller_names_a_deck_reaches_no_other() -> None:
    GAME.new(2, seed=1, deck=house_tables("a secret name"))
    view = GAME.new(2, seed=1, deck=house_tables("another")).view(0)
    assert "a secret name" not in json.dumps(view.to_json())
    assert GAME.new(2, seed=1).record().options["deck"] == "house"


def test_options_given_out_are_copies() -> None:
    state = GAME.new(2, seed=1, deck=house_tables())
    state.view(0).to_json()["options"]["deck"]["plans"][0]["count"] = 3
    record = state.record()
    record.options["deck"]["plans"][0]["count"] = 4
    assert GAME.replay(state.record()).to_bytes() == state.to_bytes()


def test_options_taken_in_are_copies() -> None:
    tables = house_tables()
    state = GAME.new(2, seed=1, deck=tables)
    tables["plans"][0]["count"] = 3
    assert GAME.replay(state.record()).to_bytes() == state.to_bytes()


def test_states_and_views_are_made_nowhere_else() -> None:
    for kind in (State, View):
        for make in (kind, lambda kind=kind: kind.__new__(kind)):
            with pytest.raises(TypeError, match="come from"):
                make()


def test_views_are_pickled_and_states_are_copied() -> None:
    state = GAME.new(3, seed=1, deck="house")
    view = state.view(1)
    assert pickle.loads(pickle.dumps(view)) == view  # noqa: S301 - our own
    for other in (copy.copy(state), copy.deepcopy(state)):
        other.play(other.legal_moves()[0])
        assert len(other.moves) == len(state.moves) + 1
    with pytest.raises(TypeError, match="records"):
        pickle.dumps(state)


@pytest.mark.parametrize("players", [2.0, True, "3", None, 1, 6, pytest.param(10**5000, id="huge"), [2], {}])
def test_a_number_of_players_that_cannot_be_is_refused(players: object) -> None:
    with pytest.raises(BadOption, match="players"):
        GAME.new(players, seed=1)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["[" * 100_000, "{" * 100_000, '{"a":' * 100_000, "", "null", "[1]", b"\xff"])
def test_hostile_json_is_refused_as_what_it_is(text: str | bytes) -> None:
    with pytest.raises(BadRecord):
        Record.from_json(text)
    with pytest.raises(BadView):
        GAME.view_from_json(text)


def test_objects_with_other_keys_than_texts_are_refused() -> None:
    with pytest.raises(BadRecord):
        Record.from_json({1: 2})
    with pytest.raises(BadView):
        GAME.view_from_json({1: 2})  # type: ignore[dict-item]


def test_the_inside_of_a_view_is_told_where_it_belongs() -> None:
    with pytest.raises(BadView, match="expected an object with game, options, rules_version, view; what was given belongs under"):
        GAME.view_from_json(GAME.new(3, seed=1).view(0).to_json()["view"])


def test_what_came_from_outside_is_not_given_back_at_any_length() -> None:
    state = GAME.new(3, seed=1)
    for call in (
        lambda: state.play("G" * 1_000_000),
        lambda: GAME.new(3, seed="9" * 1_000_000),  # type: ignore[arg-type]
        lambda: GAME.new(3, seed=10**5000),
        lambda: GAME.new(3, medals=10**5000),
        lambda: GAME.new(3, layout={"leader": "x" * 1_000_000}),
    ):
        with pytest.raises(GameError) as refused:
            call()
        assert len(str(refused.value)) < 3000


def test_policies_that_cannot_be_are_refused() -> None:
    impossible: list[Any] = [3, [[], []], ["random"], ["random", "best"], "random"]
    for policies in impossible:
        with pytest.raises(BadOption, match="policies"):
            GAME.playouts(1, players=2, policies=policies)


def test_a_record_is_not_its_json() -> None:
    record = GAME.new(3, seed=1).record()
    with pytest.raises(BadRecord, match=r"Record\.from_json"):
        GAME.replay(record.to_json())  # type: ignore[arg-type]
    assert GAME.replay(Record.from_json(json.dumps(record.to_json()))).record() == record


def test_errors_come_back_from_other_processes_whole() -> None:
    listed = [getattr(errors, name) for name in errors.__all__ if name not in {"GameError", "MoveError"}]
    kinds = [one for one in listed if inspect.isclass(one)]
    made = [kind(**{name: ["G8"] if name == "legal" else "x" for name in inspect.signature(kind).parameters}) for kind in kinds]
    assert made
    for error in made:
        again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


@pytest.mark.parametrize("name", INSTALLED)
def test_a_view_knows_its_seat_without_being_written_as_json(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    state = load(name).new(players_of(name), seed=1)
    raw, plugin, calls = state.view(1).to_bytes(), state.game.plugin, list[bytes]()
    view_json = plugin.view_json

    def watched(rules: Rules, view: bytes) -> dict[str, Any]:
        calls.append(view)
        return view_json(rules, view)

    monkeypatch.setattr(plugin, "view_json", watched)
    seats = [None, *range(state.players)]
    assert [state.view(seat).seat for seat in seats] == seats
    assert not calls
    # Bytes from outside are read once.
    assert state.game.view_from_bytes(state.rules, raw).seat == 1
    assert len(calls) == 1


@pytest.mark.parametrize("name", INSTALLED)
def test_the_last_move_is_the_last_of_those_a_seat_has_seen(name: str) -> None:
    state = load(name).new(players_of(name), seed=4)
    assert state.last_move(None) is None
    while not state.is_over and len(state.moves) < 40:
        state.play(state.legal_moves()[len(state.moves) % len(state.legal_moves())])
        for seat in (None, *range(state.players)):
            assert state.last_move(seat) == state.observed_moves(seat)[-1]
    with pytest.raises(BadOption, match="seat"):
        state.last_move(state.players)


@pytest.mark.parametrize("name", INSTALLED)
def test_the_words_of_the_last_move_are_those_for_what_a_seat_has_seen_of_it(name: str) -> None:
    state = load(name).new(players_of(name), seed=4)
    plugin, rules = state.game.plugin, state.rules
    assert state.last_move_labels(None) is None
    while not state.is_over and len(state.moves) < 40:
        mover, text = state.seat_to_move, state.legal_moves()[len(state.moves) % len(state.legal_moves())]
        move = state.resolve(text)
        state.play(text)
        for seat in (None, *range(state.players)):
            label = plugin.move_label if seat == mover else plugin.public_label
            labels = state.last_move_labels(seat)
            assert labels == {language: label(rules, move, language) for language in LANGUAGES}
            labels["en"] = "mine"
            assert state.last_move_labels(seat) != labels
    with pytest.raises(BadOption, match="seat"):
        state.last_move_labels(state.players)


def test_what_a_text_meant_once_it_means_for_a_seat_that_may_play_it_and_for_no_other() -> None:
    game = load("whist")
    for seed in range(20):
        state = game.new(3, seed=seed)
        while not state.is_over:
            legal = state.legal_moves()
            for card in ("CA", "H9", "S2"):
                if card in legal:
                    assert game.plugin.move_text(state.rules, state.resolve(card)) == card
                else:
                    with pytest.raises(IllegalMove):
                        state.resolve(card)
            state.play(legal[0].lower())


def test_labels_are_the_engines_and_no_callers_to_change() -> None:
    state = load("whist").new(3, seed=1)
    for _ in range(2):
        labels = state.game.move_labels(state.rules, " ht ")
        assert labels == {"en": "10 of hearts", "fr": "10 de cœur"}
        labels["en"] = "mine"
    with pytest.raises(GameError, match="zz"):
        state.game.move_labels(state.rules, "zz")


@pytest.mark.parametrize("digest", ["sha256:00", "abc", "0x00", "", "00 00", b"00", None])
def test_rules_with_a_digest_that_is_not_hexadecimal_are_refused_when_they_are_made(digest: Any) -> None:
    plugin = copy.copy(load("whist").plugin)
    make = plugin.make_rules
    plugin.make_rules = lambda players, options: replace(make(players, options), digest=digest)  # type: ignore[method-assign]
    with pytest.raises(IncompatibleEngine, match=r"engine 'whist' .* digest .*; expected pairs of hexadecimal digits"):
        Game(plugin).make_rules(3)


@pytest.mark.parametrize(
    "seed", ["9" * 4000, "9" * 40, "x" * 4000, "-1", -1, 2**128, pytest.param(10**5000, id="huge"), True, None, 1.5]
)
def test_a_seed_that_cannot_be_is_shown_as_it_was_given_and_shortened(seed: object) -> None:
    with pytest.raises(ValueError, match=r"^is .*; expected a whole number from 0 to 2\^128 - 1$") as refused:
        parse_seed(seed)
    message = str(refused.value)
    assert message.startswith("is -1;") == (seed == -1)
    assert len(message) < 160
    if isinstance(seed, str) and len(seed) > 100:
        assert seed[:20] in message
        assert "4,000 characters" in message


@pytest.mark.parametrize("name", INSTALLED)
def test_rules_that_nobody_holds_any_more_are_freed(name: str) -> None:
    players = players_of(name, 2)
    plugin, state = load(name).plugin, load(name).new(players, seed=1)
    rules = plugin.make_rules(players, {})
    seen = plugin.view_json(rules, state.seen_by(0))
    plugin.view_bytes(rules, seen)
    plugin.move_text(rules, 0)
    freed = weakref.ref(rules)
    del rules
    gc.collect()

    assert freed() is None


def test_rules_that_are_asked_for_again_and_again_are_kept_however_many_others_come() -> None:
    game, medals = load("agency"), range(1, 10)
    usual = game.make_rules(4)
    others = [(players, most, powers) for players in range(2, 6) for most in medals for powers in (False, True)]
    for players, most, powers in others:
        game.make_rules(players, medals=most, powers=powers)
        assert game.make_rules(4) is usual
