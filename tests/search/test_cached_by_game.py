"""What is made once of a game is made anew when its name means another one."""

from pathlib import Path

import pytest

from machiavel.engines import add_file, load, registry
from machiavel.search.cached_by_game import cached_by_game
from machiavel.search.parameters import defaults_of
from tests.server.game_file import changed, duel_file


@pytest.fixture
def duel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("_loaded", "_files", "_texts"):
        monkeypatch.setattr(registry, name, dict(getattr(registry, name)))
    return duel_file(tmp_path)


def test_it_is_made_once_and_again_when_a_file_was_read_again(duel: Path) -> None:
    asked: list[str] = []

    def players(name: str) -> tuple[int, ...]:
        asked.append(name)
        return tuple(load(name).players)

    lengths = cached_by_game(players)
    add_file(duel)
    assert lengths("duel") == lengths("duel") == (2,)
    assert lengths("whist") == lengths("whist") == tuple(load("whist").players)
    changed(duel, "# both at once", "# face down")
    add_file(duel)
    assert lengths("duel") == (2,)
    assert asked == ["duel", "whist", "duel"]


def test_a_name_without_a_game_is_kept_too() -> None:
    asked: list[str] = []

    def capitals(name: str) -> str:
        asked.append(name)
        return name.upper()

    names = cached_by_game(capitals)
    assert [names("nobody"), names("nobody"), names("")] == ["NOBODY", "NOBODY", ""]
    assert asked == ["nobody", ""]


def test_how_a_game_is_searched_follows_its_file(duel: Path) -> None:
    add_file(duel)
    hidden = dict(defaults_of("duel"))
    changed(duel, ', hidden="face-down")', ")")
    add_file(duel)
    assert dict(defaults_of("duel")) != hidden
