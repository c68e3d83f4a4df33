"""Tournaments of a game in a file: workers load it by its path, wherever they are, and play nothing by other rules."""

import json
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from machiavel.engines import BadView, GameError, add_file, registry
from machiavel.server.journal import BadJournal
from machiavel.server.tournaments.batches import BatchSetup, game_of
from machiavel.server.tournaments.game_journal import read_plan, read_results
from tests.server.game_file import changed, duel_file
from tests.server.tournaments.running import games_of, make, play, ran

BOTS = ["ismcts:iterations=20", "greedy", "random"]
OTHER_RULES = ("most=5, en", "most=6, en")  # the option goes further: another schema, another digest


@pytest.fixture
def duel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("_loaded", "_files", "_texts"):
        monkeypatch.setattr(registry, name, dict(getattr(registry, name)))
    path = duel_file(tmp_path)
    add_file(path)
    return path


def command(duel: Path, folder: Path, *flags: str) -> "subprocess.CompletedProcess[str]":
    return ran(folder, str(duel), "--bots", *BOTS, "--players", "2", "--deals", "6", "--seed", "7", *flags)


def test_the_games_are_the_same_in_processes_in_threads_and_here(duel: Path, tmp_path: Path) -> None:
    play(make("duel", BOTS, 2), tmp_path / "here", 6)
    play(make("duel", BOTS, 2), tmp_path / "processes", 6, "processes:2")
    done = command(duel, tmp_path / "command", "--executor", "threads:2")

    assert done.returncode == 0, done.stderr
    assert games_of(tmp_path / "here") == games_of(tmp_path / "processes") == games_of(tmp_path / "command")


@pytest.fixture
def cluster() -> Iterator[str]:
    pytest.importorskip("distributed")
    with subprocess.Popen(
        [sys.executable, "-m", "tests.server.tournaments.cluster"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["address"]
        process.communicate()


@pytest.mark.slow
def test_workers_of_a_cluster_load_it_too(duel: Path, tmp_path: Path, cluster: str) -> None:
    play(make("duel", BOTS, 2), tmp_path / "here", 6)
    play(make("duel", BOTS, 2), tmp_path / "cluster", 6, f"dask://{cluster}")
    assert games_of(tmp_path / "here") == games_of(tmp_path / "cluster")


def test_workers_that_find_a_changed_file_play_nothing_and_name_both_digests(duel: Path, tmp_path: Path) -> None:
    plan = make("duel", BOTS, 2)
    changed(duel, *OTHER_RULES)
    with pytest.raises(GameError) as caught:
        play(plan, tmp_path / "out", 6, "processes:1")
    other = add_file(duel).make_rules(2).digest

    assert other != plan.digest
    assert str(duel) in str(caught.value) and plan.digest in str(caught.value) and other in str(caught.value)
    assert len(read_results(tmp_path / "out")[0]) == 0


def test_workers_that_find_another_game_in_the_file_say_which(duel: Path) -> None:
    plan = make("duel", BOTS, 2)
    changed(duel, '"duel", 1', '"quarrel", 1')
    with pytest.raises(GameError, match=r"another game in .*: quarrel, not duel"):
        game_of(BatchSetup(plan.game, plan.digest, '{"players": 2}', plan.bots, (None,) * 3, plan.seed, str(duel)))


def test_a_comment_changes_nothing_for_workers_and_resuming(duel: Path, tmp_path: Path) -> None:
    assert command(duel, tmp_path / "out").returncode == 0
    changed(duel, "# both at once", "# face down")
    resumed = ran(tmp_path / "out", str(duel), "--bots", *BOTS, "--players", "2", "--deals", "8", "--seed", "7", "--resume")
    assert resumed.returncode == 0, resumed.stderr
    assert read_plan(tmp_path / "out" / "games.jsonl") == make("duel", BOTS, 2)


def test_a_changed_file_is_not_resumed(duel: Path, tmp_path: Path) -> None:
    assert command(duel, tmp_path / "out").returncode == 0
    changed(duel, *OTHER_RULES)
    resumed = command(duel, tmp_path / "out", "--resume")
    assert resumed.returncode == 2 and "digest" in resumed.stderr

    plan = read_plan(tmp_path / "out" / "games.jsonl")
    add_file(duel)
    with pytest.raises(BadJournal, match=f"than {duel} has now: digest {plan.digest}"):
        _ = plan.rules


def test_a_report_is_made_with_its_file(duel: Path, tmp_path: Path) -> None:
    assert command(duel, tmp_path / "out").returncode == 0
    report = [sys.executable, "-m", "machiavel.server.cli", "report", str(tmp_path / "out")]
    without = subprocess.run(report, capture_output=True, text=True, check=False)
    made = subprocess.run([*report, "--game", str(duel), "--lang", "fr"], capture_output=True, text=True, check=False)

    assert without.returncode == 2 and "unknown game 'duel'" in without.stderr
    assert made.returncode == 0, made.stderr


# ---- Views that travel ----

LOAD = "import pickle, sys; view = pickle.load(sys.stdin.buffer); print(view.game.name, view.legal_moves())"


def unpickled(data: bytes) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run([sys.executable, "-c", LOAD], input=data, capture_output=True, check=False)


def test_a_pickled_view_finds_its_file_in_another_process_and_is_refused_by_other_rules(duel: Path) -> None:
    view = add_file(duel).new(2, seed=1).view(0)
    data = pickle.dumps(view)
    assert pickle.loads(data) == view  # noqa: S301 - our own

    found = unpickled(data)
    assert found.stdout.decode().strip() == f"duel {view.legal_moves()}", found.stderr.decode()
    changed(duel, *OTHER_RULES)
    assert b"were written by another game, other rules or another release" in unpickled(data).stderr
    add_file(duel)
    with pytest.raises(BadView):
        pickle.loads(data)  # noqa: S301 - our own
