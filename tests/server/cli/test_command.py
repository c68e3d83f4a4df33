"""The command as a whole: help, errors, exit codes."""

import subprocess
from importlib.metadata import version

import pytest

from tests.server.cli.command import COMMAND, Runner, environment, run_process


def test_the_version_is_told(run: Runner) -> None:
    ran = run("--version")

    assert (ran.code, ran.out) == (0, f"machiavel {version('machiavel')}\n")


@pytest.mark.parametrize("command", ["", "play", "games", "bots", "bench", "bench playouts"])
def test_help_shows_examples(run: Runner, command: str) -> None:
    ran = run(command, "--help")

    assert ran.code == 0
    assert "examples:\n  machiavel" in ran.out
    assert not ran.err


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("", "the following arguments are required: COMMAND"),
        ("dance", "invalid choice: 'dance'"),
        ("play", "the following arguments are required: GAME"),
        ("play chess", "unknown game 'chess'; installed: "),
        ("play agency --players 9", "option 'players' cannot be 9; expected 2 to 5"),
        ("play agency --players two", "argument --players: 'two' is not a whole number, at least 1"),
        ("play agency --players 2 --seat 2", "--seat 2: with 2 players the seats are 0 to 1"),
        ("play agency --players 4 --bots greedy random", "--bots names 2 bots; with 4 players there are 3 other seats"),
        ("play agency --bots clever", "bot 'clever': there is no bot 'clever'; known: random, greedy"),
        ("play agency --bots random:seed=x", "seed cannot be 'x'; expected a whole number, at least 0"),
        ("play agency --seed -1", "a seed is a whole number"),
        ("play agency --medals 10", "option 'medals' cannot be 10; expected a whole number from 1 to 9"),
        ("play agency --agents belton nobody", "option 'agents' cannot be"),
        ("play agency --deck nowhere.toml", "deck nowhere.toml: file: cannot be read"),
        ("play agency --deck nothing", "option 'deck' cannot be 'nothing'"),
        ("play agency --record no/such/folder/file", "is in none that exists"),
        ("play agency --lang de", "argument --lang: invalid choice: 'de'"),
        ("play agency --pla", "unrecognized arguments: --pla"),
        ("bench playouts --game chess", "unknown game 'chess'"),
        ("bench playouts --players 7", "option 'players' cannot be 7; expected 2 to 5"),
        ("bench playouts --seconds 0", "'0' is not a number of seconds above 0"),
        ("bench playouts --seconds 1 --iterations 5", "not allowed with argument"),
    ],
)
def test_an_error_is_one_clear_line(run: Runner, command: str, problem: str) -> None:
    ran = run(command)

    assert ran.code == 2
    assert not ran.out
    assert ran.err.startswith("machiavel: error: ")
    assert ran.err.count("\n") == 1
    assert problem in ran.err


def test_a_closed_pipe_is_no_traceback() -> None:
    with subprocess.Popen(
        [*COMMAND, "play", "agency", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write("1\n" * 50)
        process.stdin.close()
        errors = process.stderr.read()
        code = process.wait(timeout=20)

    assert (code, errors) == (141, "")


def test_the_command_runs_as_a_module() -> None:
    ran = run_process("games", "--json")

    assert ran.code == 0
    assert "agency" in [game["game"] for game in ran.objects]
