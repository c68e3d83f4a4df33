"""Tournaments for tests: small ones, played here, in processes of their own, or by the command."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from machiavel.engines import load
from machiavel.server.tournaments.executors import open_pool
from machiavel.server.tournaments.game_journal import GAMES, GameJournal, read_results
from machiavel.server.tournaments.plan import Plan, make_plan
from machiavel.server.tournaments.remote_bots import processes_of
from machiavel.server.tournaments.tournament_run import Outcome, Tournament, setup_of
from tests.server.cli.command import COMMAND, environment

__all__ = ["games_of", "interrupted", "make", "play", "ran", "started", "under_way", "until"]


def make(game: str, bots: Sequence[str], players: int, *, seed: int = 7, options: Any = None, **more: Any) -> Plan:
    stored = load(game)
    return make_plan(stored, stored.make_rules(players, **(options or {})), bots, seed, **more)


def play(
    plan: Plan, folder: Path, deals: int, executor: str = "threads:1", prepare: Callable[[Tournament], None] = lambda _: None
) -> Outcome:
    """One run; `prepare` may change it before it begins."""
    with GameJournal.open(folder, plan) as journal, processes_of(plan.bots) as addresses, open_pool(executor) as pool:
        known, _ = read_results(folder)
        tournament = Tournament(plan, deals, journal, pool, setup_of(plan, dict(addresses)), known)
        prepare(tournament)
        return tournament.run()


def games_of(folder: Path) -> bytes:
    return (folder / GAMES).read_bytes()


def started(folder: Path, *arguments: str, **changes: str) -> "subprocess.Popen[str]":
    """The command, under way."""
    return subprocess.Popen(
        [*COMMAND, "tournament", *arguments, "--output", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(**changes),
    )


def ran(folder: Path, *arguments: str, **changes: str) -> "subprocess.CompletedProcess[str]":
    process = started(folder, *arguments, **changes)
    out, err = process.communicate(timeout=300)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def until(condition: Callable[[], bool], seconds: float = 120) -> None:
    """Waits for it; raises where it does not come."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"{condition} did not come about")
        time.sleep(0.02)


def under_way(folder: Path, games: int, *arguments: str) -> "subprocess.Popen[str]":
    """The command, when so many games are on disk and others are not; begun anew where it was too quick to be looked at."""
    path = folder / GAMES
    for _ in range(10):
        process = started(folder, *arguments)
        until(lambda: process.poll() is not None or (path.exists() and path.read_bytes().count(b"\n") > games))  # noqa: B023
        if process.poll() is None:
            return process
        _, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        shutil.rmtree(folder)
    raise AssertionError("it was too quick")


def interrupted(folder: Path, games: int, signum: int, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """The command, sent a signal when so many games are on disk."""
    process = under_way(folder, games, *arguments)
    process.send_signal(signum)
    out, err = process.communicate(timeout=120)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    result = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            result.append(int(path.parent.name))
    return result


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


PYTHON = sys.executable
