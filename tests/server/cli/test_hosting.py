"""A hosted match: who is given what, and how a record reaches the disk."""

import ast
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from machiavel.engines import MoveError, State, View, load
from machiavel.search import make_bot
from machiavel.server import games
from machiavel.server.cli import tables
from machiavel.server.cli.hosting import host, write_record


class Spy:
    """A front that plays the first legal move and remembers all it was given."""

    def __init__(self) -> None:
        self.given: list[object] = []

    def begin(self, view: Mapping[str, Any]) -> None:
        self.given.append(view)

    def moved(self, before: Mapping[str, Any], seat: int, move: str, after: Mapping[str, Any]) -> None:
        self.given += [before, seat, move, after]

    def returned(self, view: Mapping[str, Any], ply: int) -> None:
        raise AssertionError(ply)

    def ask(self, view: Mapping[str, Any], moves: list[str]) -> str | None:
        self.given += [view, moves]
        return moves[0]

    def refuse(self, view: Mapping[str, Any], entry: str, error: MoveError, moves: list[str]) -> None:
        raise AssertionError(entry)


def test_a_front_is_given_nothing_but_the_view_of_its_seat_and_moves_as_it_saw_them() -> None:
    state = load("agency").new(4, seed=6, medals=1)
    bot = make_bot("random:seed=3")
    spy = Spy()

    host(state, 1, {0: bot, 2: bot, 3: bot}, spy)

    again = load("agency").new(4, seed=6, medals=1)
    views = [again.view(1).to_json()]
    for move in state.moves:
        again.play(move)
        views.append(again.view(1).to_json())
    shown = [item for item in spy.given if isinstance(item, dict)]
    assert all(view in views for view in shown)
    assert [item for item in spy.given if isinstance(item, str)] == list(state.observed_moves(1))
    json.dumps(spy.given)


def test_a_bot_is_given_nothing_but_the_view_of_its_seat() -> None:
    class Nosy:
        spec = "nosy"

        def choose(self, *given: object) -> str:
            (view,) = given
            assert isinstance(view, View)
            assert view.seat in view.seats_to_move
            return view.legal_moves()[-1]

    state = load("agency").new(2, seed=6, medals=1)

    host(state, 0, {1: Nosy()}, Spy())

    assert state.is_over


def test_tables_know_of_no_state_and_no_game() -> None:
    ours = [file for file in Path(games.__file__).parent.rglob("*.py") if file.name != "form.py"]
    for file in [*Path(tables.__file__).parent.glob("*.py"), *ours]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert not any(alias.name.startswith("machiavel") for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and str(node.module).startswith("machiavel.engines"):
                # Words for people, and what is printed on the things of a game.
                allowed = {"labels", "house", "events", "phrases", "refusals"}
                names = {alias.name for alias in node.names}
                assert str(node.module).rpartition(".")[2] in allowed or names == {"LANGUAGES"}


def test_a_record_that_cannot_be_finished_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state: State = load("agency").new(2, seed=6)
    file = tmp_path / "match.json"
    write_record(file, state.record())
    old = file.read_text(encoding="utf-8")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    state.play(state.legal_moves()[0])
    with pytest.raises(OSError, match="No space left"):
        write_record(file, state.record())

    assert file.read_text(encoding="utf-8") == old
    assert list(tmp_path.iterdir()) == [file]
