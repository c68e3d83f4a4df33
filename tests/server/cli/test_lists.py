"""`machiavel games` and `machiavel bots`."""

from pathlib import Path

import pytest

from machiavel.engines import load
from machiavel.search import KINDS, all_styles
from tests.server.cli.command import Runner


def test_games_are_listed_with_all_their_options(run: Runner) -> None:
    ran = run("games")

    assert ran.code == 0
    assert "agency – The Agency\n2–5 players" in ran.out
    for option in load("agency").plugin.options:
        assert option.name in ran.out
        assert option.help["en"] in ran.out


def test_games_and_bots_are_listed_in_french(run: Runner) -> None:
    assert "agency – L’Agence\n2–5 joueurs" in run("games", "--lang", "fr").out
    deck = "le nom d’un jeu de cartes fourni, ou ses tables ; en Python et en ligne de commande, un fichier TOML aussi ;"
    assert f"{deck} par défaut" in " ".join(run("games", "--lang", "fr").out.split())
    assert "greedy – joue ce que préfère la règle empirique du jeu" in run("bots", "--lang", "fr").out


def test_the_locale_chooses_the_language(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "fr_CA.UTF-8")
    assert "joue n’importe quel coup permis" in run("bots").out
    assert "plays any legal move" in run("bots", "--lang", "en").out

    monkeypatch.setenv("LC_ALL", "C")
    assert "plays any legal move" in run("bots").out


def test_games_as_json_are_one_object_each(run: Runner) -> None:
    (agency,) = [game for game in run("games", "--json").objects if game["game"] == "agency"]

    assert agency["players"] == [2, 3, 4, 5]
    assert agency["titles"] == {"en": "The Agency", "fr": "L’Agence"}
    assert {"name", "default", "expected", "help"} == set(agency["options"][0])
    assert agency["options"][0]["expected"] == {"en": "true or false", "fr": "true ou false"}


def test_a_game_that_cannot_be_loaded_is_named_and_hides_no_other(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "oddity-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: oddity\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[machiavel.engines]\nabacus = collections:OrderedDict\n")
    monkeypatch.syspath_prepend(tmp_path)

    for command in ("games", "games --json", "bots", "bots --json"):
        ran = run(command)
        assert ran.code == 0
        assert "agency" in ran.out
        assert ran.err.startswith("machiavel: warning: engine 'abacus' cannot be loaded: ")
        assert ran.err.count("\n") == 1


def test_bots_as_json_are_one_object_each(run: Runner) -> None:
    objects = run("bots", "--json").objects

    styles = all_styles()
    assert [bot["bot"] for bot in objects[: -len(styles)]] == list(KINDS)
    assert [(one["game"], one["style"], one["help"]) for one in objects[-len(styles) :]] == [
        (style.game, style.name, style.help) for style in styles
    ]
    (seed,) = objects[0]["parameters"]
    assert (seed["name"], seed["type"], seed["default"], seed["least"]) == ("seed", "int", None, 0)


def test_bots_of_one_game_tell_how_its_levels_play(run: Runner) -> None:
    agency, whist = run("bots", "agency").out, run("bots", "whist", "--lang", "fr").out

    assert "110 iterations a move, then one of the moves that look nearly as good (sharpness 3, slack 0.07)" in agency
    assert "agency, 2" in agency and "bond" not in agency
    assert "tout le temps qu’on lui donne, ou 10000 itérations si on ne lui en donne pas" in whist
    assert "Elo" not in whist.partition("styles")[0]


def test_bots_of_one_game_as_json(run: Runner) -> None:
    *kinds, style = [line for line in run("bots", "bond", "--json").objects if line.get("style", "points") == "points"]

    assert style["game"] == "bond"
    levels = {kind["bot"]: kind.get("levels", []) for kind in kinds}
    assert levels["greedy"] == []
    assert [(level["players"], level["iterations"]) for level in levels["level7"]] == [(None, 330), (2, 370)]
    assert {rating["game"] for kind in kinds for rating in kind["ratings"]} == {"bond"}


def test_bots_of_a_game_that_is_not_there(run: Runner) -> None:
    assert "unknown game 'chess'; installed: agency" in run("bots", "chess").err
