"""At tables of every size: who answers each question as it is put gets the moves that they have."""

import io
import random
from collections.abc import Iterator
from typing import Any

import pytest
from rich.console import Console

from machiavel.engines import State, View, load
from machiavel.server.cli.interview import Interview, interview
from machiavel.server.forms import make_form
from tests.server.cli.table_answers import ANSWERS

Json = dict[str, Any]


def positions(game: str, players: int, count: int) -> Iterator[View]:
    """Views of seat 0, where the form puts whoever types; but in the first trick of whist, which seat 0 leads, of anybody."""
    rng = random.Random(f"{game} {players}")
    for _ in range(3000):
        state = load(game).new(players, seed=rng.getrandbits(64))
        for _ in range(rng.randrange(110)):
            if not state.is_over:
                state.play(rng.choice(state.legal_moves()))
        if not state.is_over and is_askable(game, state):
            count -= 1
            yield state.view(state.seat_to_move)
        if not count:
            return
    raise AssertionError("too few positions")


def is_askable(game: str, state: State) -> bool:
    seen = state.view(state.seat_to_move).to_json()["view"]
    if game == "whist" and (seen["round"], seen["trick"]) == (1, 1):
        return True
    return state.seat_to_move == 0 and (game != "citadel" or seen["phase"] == "act")


def interviewed(view: View, answers: Json, monkeypatch: pytest.MonkeyPatch) -> View | None:
    """What comes of the interview; no question is put twice."""
    form = make_form(view.game)
    asked: list[str] = []

    def ask(self: Interview, step: Any) -> bool:
        assert step.key not in asked, (step.key, answers, console.file.getvalue())  # type: ignore[attr-defined]
        asked.append(step.key)
        self.keep(step, answers[step.key] or step.usual(self.answers) or "")
        return True

    monkeypatch.setattr(Interview, "ask", ask)
    monkeypatch.setattr(Interview, "agree", lambda _: True)
    console = Console(file=io.StringIO())
    return interview(form, console, "en", {"players": view.players})


@pytest.mark.parametrize("remembers", [True, False], ids=["all", "little"])
@pytest.mark.parametrize(("game", "players"), [(game, players) for game in ANSWERS for players in load(game).players])
def test_what_is_seen_at_a_table_can_be_typed_in(
    game: str, players: int, remembers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for view in positions(game, players, 12):
        result = interviewed(view, ANSWERS[game](view, remembers=remembers), monkeypatch)
        assert result is not None
        assert result.seat == view.seat
        assert result.legal_moves() == view.legal_moves()
