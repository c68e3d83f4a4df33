"""Games out of files: what is refused, and in which words."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from machiavel.engines import BadGameFile, UnknownGame, add_file, added_files, games, load, registry
from machiavel.engines.kit.loading import load_file
from tests.engines.kit.authors import HIGHEST, load_text, written

IMPORTS = "from machiavel.kit import Action, Cards, Count, Deck, Game\n"


@pytest.fixture
def no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is added is forgotten after the test."""
    for table in ("_files", "_texts", "_loaded"):
        monkeypatch.setattr(registry, table, dict(getattr(registry, table)))


def test_a_file_makes_a_game_that_is_registered_nowhere(tmp_path: Path) -> None:
    game = load_text(tmp_path, HIGHEST)

    assert (game.name, game.rules_version, list(game.players)) == ("highest", 1, [2, 3])
    assert game.plugin.titles == {"en": "Highest card", "fr": "La plus haute"}
    assert "highest" not in games()
    with pytest.raises(UnknownGame):
        load("highest")


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("def f(:\n", 1, "invalid syntax"),
        ("import os\n", 1, "os"),
        (IMPORTS, None, "Game"),
        (IMPORTS + "DECK = Deck(['a', 'a'])\n", 2, "twice"),
        (IMPORTS + "x = 1\ny = x / 0\n", 3, "ZeroDivisionError: division by zero"),
        (IMPORTS + "raise SystemExit('no more')\n", 2, "SystemExit: no more"),
        (HIGHEST + "\n\nclass Other(Game):\n    pass\n", 42, "Other"),
        (HIGHEST.replace('name, version = "highest", 1', "version = 1"), 7, "name"),
    ],
)
def test_a_file_that_is_no_game_is_refused_at_its_line(tmp_path: Path, text: str, line: int | None, problem: str) -> None:
    with pytest.raises(BadGameFile) as caught:
        load_text(tmp_path, text)

    place = f"mine.py:{line}: " if line else "mine.py: "
    assert caught.value.line == line
    assert place in str(caught.value)
    assert problem in caught.value.problem
    assert caught.value.message("fr") != str(caught.value)


def test_a_file_that_is_not_there_is_told_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(BadGameFile, match=r"nothing\.py: "):
        load_file(tmp_path / "nothing.py")
    with pytest.raises(BadGameFile, match=r": is a folder; expected a Python file with a game"):
        load_file(tmp_path)


def test_no_more_of_a_file_is_read_than_a_game_may_have() -> None:
    with pytest.raises(BadGameFile, match="is larger than 1000000 bytes"):
        load_file("/dev/zero")


def test_an_added_file_is_known_by_its_name_in_this_process(tmp_path: Path, no_files: None) -> None:
    path = written(tmp_path, HIGHEST)
    game = add_file(path)

    assert load("highest") is game
    assert "highest" in games()
    assert added_files()["highest"] == path
    assert registry.file_of("highest") == path
    assert registry.file_of("whist") is None


def test_the_same_file_is_the_same_game_until_its_text_changes(tmp_path: Path, no_files: None) -> None:
    path = written(tmp_path, HIGHEST)
    game = add_file(path)
    assert add_file(str(path)) is game

    written(tmp_path, HIGHEST.replace('"highest", 1', '"highest", 2'))
    assert add_file(path).rules_version == 2
    assert load("highest").rules_version == 2

    written(tmp_path, HIGHEST.replace('"highest", 1', '"higher", 2'))
    add_file(path)
    assert list(added_files()) == ["higher"]


def test_threads_that_add_a_file_at_once_get_the_same_game(tmp_path: Path, no_files: None) -> None:
    path = written(tmp_path, HIGHEST)
    with ThreadPoolExecutor(4) as pool:
        added = list(pool.map(lambda _: add_file(path), range(8)))

    assert all(game is added[0] for game in added)


def test_a_name_that_is_taken_is_refused_unless_it_is_to_be_replaced(tmp_path: Path, no_files: None) -> None:
    add_file(written(tmp_path, HIGHEST))
    other = written(tmp_path, HIGHEST, "other.py")
    with pytest.raises(BadGameFile, match=r"other\.py: its game is named highest, as that of .*mine\.py"):
        add_file(other)
    assert add_file(other, instead=True) is load("highest")

    whist = written(tmp_path, HIGHEST.replace('"highest"', '"whist"'), "whist.py")
    with pytest.raises(BadGameFile, match=r"whist\.py: its game is named whist, as one that is installed"):
        add_file(whist)
    assert load("whist").plugin.name == "whist"
    assert add_file(whist, instead=True) is load("whist")
