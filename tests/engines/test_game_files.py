"""What lies beside a game's code is found from its class, in whatever module of its package that stands."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from machiavel.engines import LANGUAGES, Engine, IncompatibleEngine

SOURCE = """
from machiavel.engines.whist import WhistEngine
from machiavel.engines import Engine

class Mine(WhistEngine):
    name = "mine"

class Bare(Engine):
    name = "bare"

Bare.__abstractmethods__ = frozenset()
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package with a game in one of its modules."""
    folder = tmp_path / "game_in_a_module"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "engine.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    for name in [name for name in sys.modules if name.startswith(folder.name)]:
        del sys.modules[name]


def game(package: Path, name: str) -> Engine:
    made: Engine = getattr(import_module(f"{package.name}.engine"), name)()
    return made


def test_words_rules_hints_and_levels_of_a_game_in_a_module_are_its_own(package: Path) -> None:
    for folder, ending, text in (("words", "toml", "title = 'Mine in {}'"), ("rules", "md", "# Mine in {}\n")):
        (package / folder).mkdir()
        for language in LANGUAGES:
            (package / folder / f"{language}.{ending}").write_text(text.format(language))
    (package / "search.toml").write_text("[defaults]\nexploration = 9\n")
    mine = game(package, "Mine")

    assert dict(mine.titles) == {"en": "Mine in en", "fr": "Mine in fr"}
    assert mine.rules_text("fr") == "# Mine in fr\n"
    assert mine.search_data() == {"defaults": {"exploration": 9}}


def test_what_a_game_does_not_bring_is_that_of_the_game_it_derives_from(package: Path) -> None:
    assert game(package, "Mine").titles["en"] == "Knockout Whist"


def test_a_game_without_words_is_refused_where_they_are_asked_for(package: Path) -> None:
    bare = game(package, "Bare")

    assert bare.search_data() == {}
    with pytest.raises(IncompatibleEngine, match="no folder words/"):
        bare.phrases()
