"""Flags of games: what a game declares, and the command line knows no more."""

import argparse
from types import SimpleNamespace
from typing import Any

import pytest

from machiavel.engines import Option, games, load
from machiavel.server.cli.arguments import Parser
from machiavel.server.cli.options import add_game_flags, flag_of, game_flags
from tests.server.cli.command import Runner

WORDS = {"en": "50 % of it", "fr": "la moitié"}


def option(name: str, default: object, **more: Any) -> Option:
    return Option(name, default, WORDS, WORDS, **more)


@pytest.mark.parametrize("game", games())
def test_help_of_a_game_lists_all_its_options_and_no_others(run: Runner, game: str) -> None:
    out = run("play", game, "--help").out

    own = {one.name for one in load(game).plugin.options}
    assert (f"options of {game}:" in out) == bool(own)
    flags = out.partition("examples:")[0]
    for other in games():
        for one in load(other).plugin.options:
            assert (flag_of(one.name) in flags) == (one.name in own)


def test_a_flag_of_a_game_does_what_its_option_does(run: Runner) -> None:
    def options(*flags: str) -> dict[str, Any]:
        _, view, *_ = run("play --json --seed 1", *flags).objects
        return dict(view["options"])

    assert options("agency --no-powers --no-accomplices --medals 3") == options(
        "agency --option powers=false --option accomplices=false --option medals=3"
    )
    assert options("agency --powers")["powers"] is True
    team = list(load("citadel").new(5, seed=1).view(0).to_json()["view"]["characters"])[:2]
    seated = options("citadel --setting all --characters", *team)
    assert (seated["players"], seated["setting"], seated["characters"]) == (2, "all", team)


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Parser:
    """A command with a flag --seed, where two games are installed."""
    declared = {
        "chess": [option("time_left", 5), option("seed", 0), option("names", None, is_by_seat=True), option("board", "wood")],
        "go": [option("names", "all"), option("komi", 6.5), option("ko", True), option("board", "stone")],
    }
    monkeypatch.setattr("machiavel.server.cli.options.games", lambda: tuple(declared))
    plugins = {name: SimpleNamespace(plugin=SimpleNamespace(options=options)) for name, options in declared.items()}
    monkeypatch.setattr("machiavel.server.cli.options.load", plugins.__getitem__)
    parser = Parser(prog="play")
    parser.add_argument("game", nargs="?")
    parser.add_argument("--seed")
    return parser


def given(parser: Parser, line: str) -> tuple[argparse.Namespace, dict[str, Any]]:
    add_game_flags(parser, line.split())
    arguments = parser.parse_args(line.split())
    return arguments, game_flags(arguments)


def test_flags_have_the_kind_of_their_option(planted: Parser) -> None:
    arguments, options = given(planted, "chess --time-left 7 --seed 3 --names ann bob --board 8 --komi 2.5 --no-ko")

    assert options == {"time_left": 7, "names": ["ann", "bob"], "board": "8", "komi": 2.5, "ko": False}
    assert arguments.seed == "3"  # the command's own


def test_where_two_games_differ_the_one_that_is_named_has_the_flag(planted: Parser) -> None:
    assert given(planted, "--names x go --ko")[1] == {"names": "x", "ko": True}


def test_help_is_of_the_game_that_is_named(planted: Parser) -> None:
    add_game_flags(planted, ["go"])

    told = " ".join(planted.format_help().split())
    assert "options of go: --names N 50 % of it: 50 % of it (all)" in told
    assert "--time-left" not in told
