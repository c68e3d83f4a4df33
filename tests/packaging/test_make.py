"""What `make` does, as far as it can be told without doing it."""

import os
import subprocess

import pytest

from tests.engines.games import GAMES
from tests.packaging.project import ROOT


def make(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Nothing is done; all that would be done in a fresh checkout is printed."""
    return really_make("--dry-run", "--always-make", *arguments)


def really_make(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = ["make", "--no-print-directory", *arguments]
    # These tests may have been started by make.
    plain = {
        name: value for name, value in os.environ.items() if name not in {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "GAME", "ARGS"}
    }
    return subprocess.run(command, cwd=ROOT, env=plain, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("arguments", [[], ["GAME="], ["GAME=chess"], ["GAME=bond whist"]])
def test_quick_without_a_game_says_which_there_are_and_does_nothing(arguments: list[str]) -> None:
    told = make("quick", *arguments)

    assert told.returncode != 0
    assert told.stdout == ""
    assert f"expected one of {' '.join(GAMES)}, as in: make quick GAME={GAMES[0]}" in told.stderr


@pytest.mark.parametrize("game", GAMES)
def test_quick_runs_the_tests_of_one_game(game: str) -> None:
    last = make("quick", f"GAME={game}").stdout.splitlines()[-1]

    assert f" -k {game} tests/engines " in last


def test_install_does_all_that_run_needs_and_starts_nothing() -> None:
    install, run = (make(target).stdout.splitlines() for target in ("install", "run"))

    assert install == run[:-1]
    assert run[-1].startswith(".venv/bin/machiavel serve ")
    assert not [line for line in install if "machiavel serve" in line]


def test_every_target_is_in_the_help() -> None:
    helped = really_make("help").stdout
    lines = (ROOT / "Makefile").read_text(encoding="utf-8").splitlines()
    (phony,) = [line.split()[1:] for line in lines if line.startswith(".PHONY:")]

    assert [line.split()[0] for line in helped.splitlines()] == sorted(phony, key=helped.index)
