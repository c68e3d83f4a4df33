"""Rules of games in files: their digest, their options, how they are run, and the games in the box."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from machiavel.engines import BadOption, BadRecord, Engine, Game, Record, games, load
from machiavel.engines.conformance import ENGINE_CHECKS, ConformanceCase, NotTried, Trial
from machiavel.engines.kit.engine import KitEngine
from machiavel.engines.kit.loading import load_file
from tests.engines.kit.authors import HIGHEST, load_text, written

FILES = Path(__file__).parent / "files"
OPTIONAL = {"plausibility", "plausibility-at-first", "plausibility-later", "rules-for-players", "hint-metrics", "hint-texts"}


def engine_of(game: Game) -> KitEngine:
    assert isinstance(game.plugin, KitEngine)
    return game.plugin


def digest(folder: Path, *changes: tuple[str, str]) -> str:
    text = HIGHEST
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    digest: str = load_text(folder, text).make_rules(2).digest
    return digest


# ---- The digest ----


@pytest.mark.parametrize(
    "change",
    [
        ('"""Three cards each; the highest card played wins."""', '"""Otherwise."""  # a comment'),
        ('"Highest card"', '"The highest"'),
        ("players = [2, 3]", "players = [2]"),
        ("hands = Cards(", 'words = {"en": {"labels": {"play": "lay {card}"}}}\n    hands = Cards('),
        ("shares[self.best] = 1", "for seat in self.every_seat():\n            shares[seat] = seat == self.best"),
        ("top = Count(most=12)", "top = Count(most=12, usually=3, zone_at='table', tells='rises', forgets=True)"),
    ],
)
def test_what_does_not_change_the_position_does_not_change_the_digest(tmp_path: Path, change: tuple[str, str]) -> None:
    assert digest(tmp_path, change) == digest(tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        ('"highest", 1', '"highest", 2'),
        ('"highest", 1', '"lowest", 1'),
        ("Count(most=12)", "Count(most=13)"),
        ("    gone = Cards(DECK)", "    gone = Cards(DECK)\n    more = Count()"),
        ('seen_by="owner")', 'seen_by="owner", zone=False)'),
        ('Deck(suits="HS"', 'Deck(suits="HD"'),
        ("Action(DECK)", 'Action(DECK, text="lay:{card}")'),
        ("    play = Action(DECK)", "    play = Action(DECK)\n    wait = Action()"),
        ("    best = Seat()", '    quick = Option(False, en="quick")\n    best = Seat()'),
        ('luck.cards("hands"', 'luck.cards("deal"'),
    ],
)
def test_what_changes_the_position_changes_the_digest(tmp_path: Path, change: tuple[str, str]) -> None:
    imports = ("import Action,", "import Option, Action,")
    assert digest(tmp_path, imports, change) != digest(tmp_path)


def test_a_record_is_refused_once_the_declarations_are_others(tmp_path: Path) -> None:
    game = load_text(tmp_path, HIGHEST)
    state = game.new(2, seed=4)
    state.play(state.legal_moves()[0])
    record = Record.from_json(state.record().to_json())
    assert load_text(tmp_path, HIGHEST + "# the same").replay(record).to_bytes() == state.to_bytes()

    with pytest.raises(BadRecord, match="digest"):
        load_text(tmp_path, HIGHEST.replace("most=12", "most=14")).replay(record)
    with pytest.raises(BadRecord, match="rules_version"):
        load_text(tmp_path, HIGHEST.replace('"highest", 1', '"highest", 2')).replay(record)


def test_options_and_players_are_part_of_the_digest() -> None:
    game = load_file(FILES / "every_field.py")

    digests = {
        game.make_rules(players, **options).digest for players in (2, 3) for options in ({}, {"rounds": 3}, {"quick": True})
    }
    assert len(digests) == 6


# ---- Options ----


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"rounds": 21}, "option 'rounds' cannot be 21; expected a whole number from 1 to 20"),
        ({"rounds": True}, "option 'rounds' cannot be True"),
        ({"quick": 1}, "option 'quick' cannot be 1; expected true or false"),
        ({"slow": True}, "option 'slow' cannot be True; expected one of these options: quick, rounds"),
    ],
)
def test_an_option_has_the_values_that_its_author_allows(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadOption) as caught:
        load_file(FILES / "every_field.py").make_rules(2, **options)

    assert str(caught.value).startswith(problem)


def test_functions_see_options_as_numbers() -> None:
    game = load_file(FILES / "every_field.py")

    def plies(**options: Any) -> int:
        return int(game.playouts(1, seed=1, players=2, **options).plies[0])

    assert (plies(), plies(rounds=8), plies(rounds=8, quick=True)) == (12, 8, 2)


# ---- How they are run ----


@pytest.mark.parametrize("mode", ["llvm", "gcc", "interpreted"])
def test_a_game_is_run_as_it_is_asked_for(mode: str) -> None:
    game, usual = load_file(FILES / "every_field.py", mode=mode), load_file(FILES / "every_field.py")

    rules = game.make_rules(3)
    assert engine_of(game).mode(rules) == mode
    assert game.new(3, seed=7).to_bytes() == usual.new(3, seed=7).to_bytes()
    assert game.playouts(20, seed=2, players=3).utilities.tolist() == usual.playouts(20, seed=2, players=3).utilities.tolist()


def test_the_environment_says_how_games_are_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MACHIAVEL_KIT", "interpreted")
    game = load_text(tmp_path, HIGHEST)
    assert engine_of(game).mode(game.make_rules(2)) == "interpreted"

    monkeypatch.setenv("MACHIAVEL_KIT", "fast")
    with pytest.raises(BadOption, match="one of llvm, gcc, interpreted"):
        load_text(tmp_path, HIGHEST).make_rules(3)


# ---- The whole ----


@pytest.mark.parametrize("players", [2, 3])
def test_a_small_game_fulfils_the_contract(tmp_path: Path, players: int) -> None:
    case = ConformanceCase(load_text(tmp_path, HIGHEST), players, {})
    found = []
    for check in ENGINE_CHECKS:
        trial = Trial(case, check.name, effort=0.2)
        try:
            found += list(check.findings(trial))
        except NotTried:
            assert check.name in OPTIONAL
    assert not found


# ---- The games in the box ----


@pytest.mark.parametrize("name", ["hearts", "kuhn", "liars_dice"])
def test_games_in_the_box_are_installed(name: str) -> None:
    game = load(name)

    assert name in games()
    assert isinstance(game.plugin, Engine)
    assert engine_of(game).path.name == f"{name}.py"
    assert {option.name for option in game.plugin.options} == {"hearts": {"passing"}, "kuhn": {"cards"}, "liars_dice": set()}[
        name
    ]
    assert all(game.plugin.rules_texts().values())


def test_nothing_of_the_kit_is_loaded_before_it_is_needed(tmp_path: Path) -> None:
    code = (
        "import sys, machiavel.engines as e; e.games(); e.load('whist').new(2, seed=1)\n"
        "assert not [name for name in sys.modules if 'engines.kit' in name or 'llvmlite' in name]\n"
        f"e.add_file({str(written(tmp_path, HIGHEST))!r})\n"
        "assert 'llvmlite' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
