"""Requests as the house reads them."""

import tracemalloc

import pytest

from machiavel import v1
from machiavel.engines import LANGUAGES, State, load
from machiavel.engines.declared import DeclaredEngine
from machiavel.engines.plugin import Engine
from machiavel.search import Limits, recommend
from machiavel.server.service import wire
from machiavel.server.service.refusals import Refusal


def test_of_a_long_record_that_cannot_be_only_what_can_is_looked_at() -> None:
    game = load("whist")
    state = game.deal(game.make_rules(3), seed=7)
    record = v1.Record()
    wire.put_record(record, state.record())
    record.moves.extend(["no move"] * 60_000)
    tracemalloc.start()
    try:
        with pytest.raises(Refusal) as caught:
            wire.read_state(record)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert caught.value.field == "record.moves[0]"
    assert most < 200_000  # bytes; a text for each move would be three million


@pytest.mark.parametrize(
    ("game", "text", "hidden"),
    [("hearts", "pass:?", "passer une carte"), ("agency", "pass:?", "passer une carte cachée"), ("bond", "spy:?>1", None)],
)
def test_a_hidden_move_of_a_line_is_told_as_all_moves_are_that_look_the_same(game: str, text: str, hidden: str | None) -> None:
    state = load(game).new(4 if game == "hearts" else 3, seed=2)
    plugin, rules = state.game.plugin, state.rules
    assert isinstance(plugin, DeclaredEngine)
    table = plugin.moves.table(rules)
    alike = [move for move, public in table.public.items() if public == text]
    labels = {tuple(plugin.public_label(rules, move, language) for language in LANGUAGES) for move in alike}
    message = wire.line_move_message(state.view(0), text)

    assert len(alike) > 1 and message.text == text
    assert labels == {(message.label.en, message.label.fr)}
    assert hidden in {None, message.label.fr} and "?" not in message.label.fr


@pytest.mark.parametrize("game", ["bond", "citadel", "hearts", "liars_dice", "whist"])
def test_the_moves_of_a_line_have_their_labels(game: str) -> None:
    state = load(game).new(4 if game == "hearts" else 3, seed=2)
    for _ in range(14):
        state.play(state.legal_moves()[0])
    view = state.view(state.seat_to_move)
    found = recommend(view, Limits(iterations=3000))
    message = wire.recommendation_message(view, found)

    assert any(one.line for one in message.candidates)
    for one in message.candidates:
        assert [move.text for move in one.line_moves] == list(one.line)
        assert all(move.label.en and move.label.fr for move in one.line_moves)


def test_a_hidden_move_of_a_game_that_does_not_say_what_it_is_called_is_told_by_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    state: State = load("hearts").new(4, seed=2)
    monkeypatch.setattr(type(state.game.plugin), "hidden_label", Engine.hidden_label)

    assert wire.line_move_message(state.view(0), "pass:?") == v1.Move(
        text="pass:?", label=v1.LocalizedText(en="pass:?", fr="pass:?")
    )
