"""What a message takes does not grow with the match, and nothing is written or read twice on the way to it."""

import asyncio
import json
import random
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import pytest

from machiavel import v1
from machiavel.engines import Game, load
from machiavel.search import Limits, Recommendation, recommend
from machiavel.server.matches.match import Match
from machiavel.server.matches.match_events import SPECTATOR, read
from machiavel.server.matches.questions import Restart
from machiavel.server.service import match_wire, wire
from machiavel.server.service.game_service import GameService
from tests.engines.games import INSTALLED, players_of
from tests.search.positions import states
from tests.server.matches.played import NOW, begun, play_until

Answer = TypeVar("Answer")
LATE = {"kuhn": 2, "liars_dice": 8}  # moves, in games that may be over soon; in all others 30
TEXTS = ("move_text", "public_text", "parse_move", "move_label")


def answer(call: Coroutine[Any, Any, Answer]) -> Answer:
    return asyncio.run(call)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """The calls of some methods of a game's plugin from now on, by name."""

    def count(game: Game, *names: str) -> list[str]:
        calls: list[str] = []

        def watched(name: str) -> Callable[..., Any]:
            method = getattr(game.plugin, name)

            def watch(*arguments: Any) -> Any:
                calls.append(name)
                return method(*arguments)

            return watch

        for name in names:
            monkeypatch.setattr(game.plugin, name, watched(name), raising=False)
        return calls

    return count


@pytest.mark.parametrize("name", INSTALLED)
def test_a_view_is_written_as_json_once_for_its_message(name: str, counted: Callable[..., list[str]]) -> None:
    state = next(state for state in states(name, 5, 2) if len(state.moves) >= min(5, LATE.get(name, 5)))
    request = v1.GetViewRequest(record=wire.state_message(state).record, seat=0)
    calls = counted(state.game, "view_json")
    answer(GameService().GetView(request, None))  # type: ignore[arg-type]
    assert calls == ["view_json"]


@pytest.mark.parametrize("name", INSTALLED)
def test_a_record_that_has_been_replayed_is_replayed_without_reading_a_text_anew(
    name: str, counted: Callable[..., list[str]]
) -> None:
    state = next(state for state in states(name, 5, 2) if len(state.moves) >= LATE.get(name, 21))
    request = v1.GetStateRequest(record=wire.state_message(state).record)
    before = answer(GameService().GetState(request, None))  # type: ignore[arg-type]
    calls = counted(state.game, *TEXTS)
    assert answer(GameService().GetState(request, None)) == before  # type: ignore[arg-type]
    assert not calls


def test_a_move_of_a_hosted_match_is_read_once(counted: Callable[..., list[str]]) -> None:
    match = begun("agency", 3, 11, options={"medals": 8})
    calls = counted(match.state.game, "parse_move")
    for ply in range(12):
        seat = min(set(match.pending_questions) - set(match.pending_answers))
        text = match.questions[seat].legal_moves(seat)[0]
        calls.clear()
        message = wire.move_message(match.state, match.answer(seat, f" {text.lower()} ", NOW + ply))
        assert message.text == text
        assert len(calls) == 1


@pytest.mark.parametrize("name", INSTALLED)
def test_an_event_late_in_a_match_takes_what_an_early_one_takes(name: str, counted: Callable[..., list[str]]) -> None:
    match = begun(name, players_of(name), 3)
    assert play_until(match, lambda one: one.plies >= LATE.get(name, 30), random.Random(3))
    last = next(read(event) for event in reversed(match.events) if read(event).what == "move")
    calls = counted(match.state.game, "public_text", "move_text")
    message = match_wire.event_message(match, last, SPECTATOR, Restart())
    assert len(calls) <= 2
    assert message.move.move.text == match.state.observed_moves(SPECTATOR)[-1]


def test_how_a_match_stands_is_told_without_writing_json(monkeypatch: pytest.MonkeyPatch) -> None:
    match = begun("bond", 3, 3)
    told = json.loads(match.summary())["seats"][1]

    def never(self: Match) -> str:
        raise AssertionError("JSON was written")

    monkeypatch.setattr(Match, "summary", never)
    message = match_wire.seat_message(match, 1)
    assert (message.seat, message.name, message.taken_over) == (1, told["name"], told["taken_over"])
    assert v1.SeatKind.Name(message.kind) == f"SEAT_KIND_{told['kind'].upper()}"


def test_what_is_added_to_a_match_is_not_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    match = begun("whist", 3, 3)

    def never(text: str) -> object:
        raise AssertionError(f"read back: {text}")

    with monkeypatch.context() as patched:
        patched.setattr("machiavel.server.matches.match.json.loads", never)
        match.answer(min(match.pending_questions), match.state.legal_moves()[0], NOW)
    assert match.plies == 1


def test_parameters_are_told_without_the_whole_answer_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    state = load("whist").new(3, seed=1)
    view = state.view(state.seat_to_move)
    recommendation = recommend(view, Limits(iterations=50))
    expected = recommendation.to_json()["parameters"]

    def never(self: Recommendation) -> dict[str, Any]:
        raise AssertionError("the whole answer was made JSON")

    monkeypatch.setattr(Recommendation, "to_json", never)
    message = wire.recommendation_message(view, recommendation).parameters
    assert (message.variant, message.seed, message.threads) == tuple(expected[name] for name in ("variant", "seed", "threads"))
