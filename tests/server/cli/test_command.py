"""The command as a whole: help, errors, exit codes."""

import contextlib
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.server.cli.command import COMMAND, Runner, environment, run_process


def test_the_version_is_told(run: Runner) -> None:
    ran = run("--version")

    assert (ran.code, ran.out) == (0, f"machiavel {version('machiavel')}\n")


@pytest.mark.parametrize("command", ["", "play", "games", "bots", "tournament", "replay", "check-bot", "bench", "bench playouts"])
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
        ("play", "GAME is missing; `machiavel games` lists what can be played"),
        ("play chess", "unknown game 'chess'; installed: "),
        ("play agency --players 9", "--players 9: agency is for 2 to 5 players"),
        ("play agency --players two", "argument --players: expected a whole number, at least 1, not 'two'"),
        ("play agency --players 2 --seat 2", "--seat 2: with 2 players the seats are 0 to 1"),
        ("play agency --players 4 --bots greedy random", "--bots names 2 bots; with 4 players there are 3 other seats"),
        ("play agency --bots clever", "bot 'clever': there is no bot 'clever'; known: random, greedy"),
        ("play agency --bots random:seed=x", "seed cannot be 'x'; expected a whole number, at least 0"),
        ("play agency --seed -1", "argument --seed: expected a whole number from 0 to 2^128 - 1, not '-1'"),
        ("play agency --medals 10", "--medals 10: expected a whole number from 1 to 9"),
        ("play agency --medals 0", "--medals 0: expected a whole number from 1 to 9"),
        ("play agency --medals many", "--medals many: expected a whole number from 1 to 9"),
        ("play agency --agents martha", "--agents names 1, one for each player: agency is for 2 to 5 players"),
        ("play agency --bots a b c d e", "--bots names 5 bots, which makes 6 players: agency is for 2 to 5 players"),
        ("play agency --agents wxt wxt", "--agents wxt wxt: expected 2 different ones of belton, "),
        ("play agency --option medals", "argument --option: expected NAME=VALUE, not 'medals'"),
        ("play agency --option medals=0", "--option medals=0: expected a whole number from 1 to 9"),
        ("play agency --option cards=5", "agency has no option 'cards'; its options: accomplices, agents, "),
        ("play agency --medals 1 --option medals=1", "option 'medals' is given twice"),
        ("play whist --medals 1", "whist has no option 'medals'; its options: none"),
        ("play citadel --setting harder", "--setting harder: expected one of "),
        ("play citadel --characters a b c d e f", "--characters names 6, one for each player: citadel is for 1 to 5 players"),
        ("play bond --powers", "bond has no option 'powers'; its options: deck"),
        ("play agency --foo", "unrecognized arguments: --foo (see machiavel play --help)"),
        ("bench playouts --foo", "unrecognized arguments: --foo (see machiavel bench playouts --help)"),
        ("dance\x1b[31m", "\\x1b[31m"),
        ("play agency --agents belton nobody", "--agents belton nobody: expected 2 different ones of belton, "),
        ("play agency --deck nowhere.toml", "deck nowhere.toml: file: cannot be read"),
        (
            "play agency --deck nothing",
            "--deck nothing: there is no such file; expected a TOML file, or the name of a shipped deck, such as house",
        ),
        ("play agency --record no/such/folder/file", "--record no/such/folder/file: there is no folder no/such/folder"),
        ("play agency --lang de", "argument --lang: invalid choice: 'de'"),
        ("play agency --pla", "unrecognized arguments: --pla"),
        ("bench playouts --game chess", "unknown game 'chess'"),
        ("bench playouts --players 7", "--players 7: agency is for 2 to 5 players"),
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
    assert "\x1b" not in ran.err


@pytest.mark.parametrize("command", ["games", "bots", "play agency", "bench playouts --iterations 1", "games --json"])
def test_a_pipe_that_nobody_reads_ends_any_command_with_141(command: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*COMMAND, *command.split()],
        stdin=subprocess.DEVNULL,
        stdout=writer,
        stderr=subprocess.PIPE,
        env=environment(),
        check=False,
    )
    os.close(writer)

    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize("command", ["games", "bots --json", "play agency"])
def test_a_full_disk_is_one_clear_line(command: str) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [*COMMAND, *command.split()],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            check=False,
        )

    problem = b"machiavel: error: the output cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, problem)


@pytest.mark.parametrize("command", ["games --lang fr", "bots", "play agency --seed 5", "bench playouts --iterations 1"])
def test_piped_lines_have_no_blanks_at_their_ends(run: Runner, command: str) -> None:
    lines = run(command, entries=["1", "hand", "?"]).out.splitlines()

    assert lines
    assert not [line for line in lines if line != line.rstrip()]


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
        with contextlib.suppress(BrokenPipeError):  # it may have gone already
            process.stdin.write("1\n" * 50)
            process.stdin.close()
        errors = process.stderr.read()
        code = process.wait(timeout=120)

    assert (code, errors) == (141, "")


def test_the_command_runs_as_a_module() -> None:
    ran = run_process("games", "--json")

    assert ran.code == 0
    assert "agency" in [game["game"] for game in ran.objects]


def test_the_command_begins_without_what_few_of_its_commands_need() -> None:
    heavy = ("scipy", "llvmlite", "grpc", "structlog", "machiavel.engines.kit", "machiavel.engines.kit.proofs")
    script = f"import sys, machiavel.server.cli; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
