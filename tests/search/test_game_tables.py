"""What a game says of its search stands in its folder, and what cannot be is told with game, key and what would be right."""

import importlib
import tomllib
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bench.search_files import with_tables
from machiavel.engines import Game, IncompatibleEngine, load, registry
from machiavel.engines.conformance.engine_struct import Contract, capsule_of, contract_of
from machiavel.engines.whist import ENGINE, WhistEngine
from machiavel.search import make_bot
from machiavel.search.bots import check_room
from machiavel.search.calibration import curve_of
from machiavel.search.levels import LEVELS, level_of, levels_of, ratings_in
from machiavel.search.parameters import defaults_of
from machiavel.search.styles import styles_of
from tests.engines.games import INSTALLED

NUMBERS = count()  # what was read of a game is kept, so each is another one
TEN = "[[levels]]\niterations = 7\n" * 10
TERM = 'metric = "tricks", weight = 0.9, worst = 0, best = 8'
STYLE = f'[styles.points]\nen = "wants tricks"\nfr = "veut des plis"\nown = 0.1\nterms = [{{ {TERM} }}]\n'
ROWS = ", ".join(f"[{elo}, {elo - 1}, {elo + 1}]" for elo in range(10))
Made = Callable[[str], str]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Made:
    """The name of a game that plays as whist does and has such a file."""
    owned = []

    def make(text: str) -> str:
        game = f"odd{next(NUMBERS)}"
        contract = Contract.from_buffer_copy(contract_of(ENGINE))
        contract.name = game.encode()
        owned.append(contract)

        class OddEngine(WhistEngine):
            name = game
            capsule = capsule_of(contract)

            def search_data(self) -> Mapping[str, Any]:
                return tomllib.loads(text)

        monkeypatch.setitem(registry._loaded, game, Game(OddEngine()))
        return game

    return make


def test_a_game_has_what_its_file_says(made: Made) -> None:
    own = '[defaults]\npolicy = "weighted"\nprior = 0.5\n'
    measured = f"[calibration.3]\nbias = 0.5\nslope = 1\n[ratings.2]\nelo_low_high = [{ROWS}]\n"
    game = made(f"{own}{TEN}by_players.3 = {{ iterations = 9 }}\n{STYLE}{measured}")

    check_room(make_bot("level3"), load(game), 3)
    assert defaults_of(game) == {**defaults_of("checkers"), "policy": "weighted", "prior": 0.5}
    assert [level_of(10, game, players).iterations for players in (0, 2, 3)] == [7, 7, 9]
    assert styles_of(game)["points"].terms[0].metric == "tricks"
    assert (curve_of(game, 3).bias, curve_of(game, 2).is_identity) == (0.5, True)
    assert [rating.elo for rating in ratings_in(game)[2]] == list(range(10))


def test_a_game_that_says_nothing_has_what_any_game_has(made: Made) -> None:
    game = made("")

    check_room(make_bot("level3"), load(game), 3)
    assert (defaults_of(game), levels_of(game)) == (defaults_of("checkers"), levels_of("checkers"))
    assert (styles_of(game), ratings_in(game), curve_of(game, 2).is_identity) == ({}, {}, True)


@pytest.mark.parametrize("game", INSTALLED)
def test_every_game_here_has_a_file_that_can_be(game: str) -> None:
    check_room(make_bot("greedy"), load(game))
    assert load(game).plugin.search_data()["calibration"]
    assert len(levels_of(game)) == len(LEVELS)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[level]\n", "level is unknown; keys here: calibration, defaults, levels, ratings, styles"),
        ("defaults = 3\n", "defaults is 3; expected a table"),
        ('[defaults]\npolicy = "best"\n', "defaults.policy is 'best'; expected one of uniform, weighted, own"),
        ("[defaults]\nexploration = -1\n", "defaults.exploration is -1; expected a number from 0 to 100"),
        ("[defaults]\ninference = 1\n", "defaults.inference is 1; expected true or false"),
        (
            "[defaults]\nthreads = 2\n",
            "defaults.threads is unknown; keys here: cutoff, exploration, inference, policy, prior, variant",
        ),
        ("[defaults]\ncutoff = 3\n", "defaults.cutoff is 3; expected 0: {game} has no estimate of a position"),
        ("[[levels]]\niterations = 7\n" * 9, "levels has 9 tables; expected 10, from level 1 on"),
        (f"{TEN}sharpness = 40\n", "levels[9].sharpness is 40; expected a whole number from 0 to 32"),
        (TEN.replace("= 7", "= 0", 1), "levels[0].iterations is 0; expected a whole number from 1 to 1000000000"),
        ("[[levels]]\nslack = 0.1\n" * 10, "levels[0].iterations is missing; expected a whole number from 1 to 1000000000"),
        (f"{TEN}by_players.9 = {{}}\n", "levels[9].by_players.9 is unknown; keys here: 2, 3, 4, 5, 6, 7"),
        (f"{TEN}by_players.3 = {{ slack = 2 }}\n", "levels[9].by_players.3.slack is 2; expected a number from 0 to 1"),
        (f"{TEN}search = {{ cutoff = 4 }}\n", "levels[9].search.cutoff is 4; expected 0: {game} has no estimate of a position"),
        (STYLE.replace("points", "greedy"), "styles.greedy is unknown; keys here: cautious, points, spoiler, team-player"),
        (STYLE.replace("fr =", "de ="), "styles.points.fr is missing; expected what it goes for, in words"),
        (STYLE.replace("0.1", "0.2"), "styles.points.own and the weights of the terms add up to 1.1; expected 1"),
        (STYLE.replace('metric = "tricks"', 'metric = "gold"'), "styles.points.terms[0].metric is 'gold'; expected one of "),
        (STYLE.replace("best = 8", "best = 0"), "styles.points.terms[0].best is 0, as is worst; expected two numbers"),
        (
            STYLE.replace("best = 8", 'best = 8, whose = "mine"'),
            "styles.points.terms[0].whose is 'mine'; expected one of own, others, weakest",
        ),
        ("[calibration.9]\nbias = 0\nslope = 1\n", "calibration.9 is unknown; keys here: 2, 3, 4, 5, 6, 7"),
        ("[calibration.2]\nbias = 0\nslope = 0\n", "calibration.2.slope is 0; expected a number from 0.001 to 1000"),
        ("[calibration.2]\nbias = 0\n", "calibration.2.slope is missing; expected a number from 0.001 to 1000"),
        (
            "[ratings.2]\nelo_low_high = [[1, 2, 3]]\n",
            "ratings.2.elo_low_high is [[1, 2, 3]]; expected 10 lists of three numbers",
        ),
    ],
)
def test_what_cannot_be_is_told_before_any_match(text: str, problem: str, made: Made) -> None:
    """Whoever plays: a bot that does not search, too."""
    game = made(text)

    for bot in ("random", "greedy", "level3", "ismcts"):
        with pytest.raises(IncompatibleEngine) as caught:
            check_room(make_bot(bot), load(game), 2)
        assert str(caught.value).startswith(f"engine '{game}' cannot be loaded: search.toml: {problem.format(game=game)}")


def test_the_file_lies_beside_the_code_of_the_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    code = "from machiavel.engines.whist import WhistEngine\nclass TestedEngine(WhistEngine): pass\n"
    for package, says in (("odd_package", "[defaults]\nprior = 3\n"), ("odd_no_toml", "prior"), ("odd_without", None)):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("")
        (tmp_path / package / "engine.py").write_text(code)
        if says is not None:
            (tmp_path / package / "search.toml").write_text(says)

    def data_of(package: str) -> Mapping[str, Any]:
        return importlib.import_module(f"{package}.engine").TestedEngine().search_data()  # type: ignore[no-any-return]

    assert data_of("odd_package") == {"defaults": {"prior": 3}}
    assert data_of("odd_without") == ENGINE.search_data()  # what it is made of has one
    with pytest.raises(IncompatibleEngine, match=r"'whist' cannot be loaded: search.toml is no TOML: "):
        data_of("odd_no_toml")


# ---- What is measured goes there ----


def test_measured_tables_take_the_place_of_those_there_were() -> None:
    text = "# a file\n\n# of calibration\n[calibration.2]\nbias = 1\n\n[calibration.4]\nbias = 2\n\n[ratings.2]\nelo = 3\n"

    after = with_tables(text, ["[calibration.2]\nbias = 8", "[calibration.3]\nbias = 9", "[styles.x]\nown = 1"])

    assert after == (
        "# a file\n\n# of calibration\n[calibration.2]\nbias = 8\n\n[calibration.4]\nbias = 2\n\n[calibration.3]\nbias = 9\n\n"
        "[ratings.2]\nelo = 3\n\n[styles.x]\nown = 1\n"
    )
    assert with_tables("", ["[ratings.2]\nelo = 3"]) == "[ratings.2]\nelo = 3\n"


@pytest.mark.parametrize("game", INSTALLED)
def test_tables_written_as_they_are_change_no_file(game: str) -> None:
    from bench.calibration import tables
    from machiavel.search.calibration import curves_of

    found = load(game).plugin.search_file()
    assert found is not None
    text = found.read_text(encoding="utf-8")
    assert with_tables(text, tables(dict(curves_of(game)))) == text
