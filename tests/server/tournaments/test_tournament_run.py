"""The runner: the same games whoever plays them, whoever is killed meanwhile, and however often it begins again."""

import concurrent.futures
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from machiavel.engines import BadOption
from machiavel.server.tournaments.executors import check_executor, open_pool
from machiavel.server.tournaments.finish import SUMMARY, finish
from machiavel.server.tournaments.game_journal import GAMES, read_results
from machiavel.server.tournaments.results import Results
from machiavel.server.tournaments.tournament_run import Progress, Tournament
from tests.server.tournaments.running import children, games_of, interrupted, kill, make, play, ran, started, under_way, until

BOTS = ["ismcts:iterations=20", "greedy", "random"]
DEALS = 12
COMMAND = ("agency", "--bots", *BOTS, "--players", "4", "--deals", str(DEALS), "--seed", "7")
GAMES_IN_ALL = DEALS * 36
LONG = ("--deals", "2000")  # more than are played before a test breaks off; what is beyond the first is cut off again


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What one process plays."""
    folder = tmp_path_factory.mktemp("reference")
    done = ran(folder, *COMMAND, "--executor", "processes:1")
    assert done.returncode == 0, done.stderr
    assert len(read_results(folder)[0]) == GAMES_IN_ALL
    return folder


def assert_same(folder: Path, reference: Path) -> None:
    """Games and summary, to the byte."""
    assert games_of(folder) == games_of(reference)
    if not (folder / SUMMARY).exists():
        finish(folder)
    assert (folder / SUMMARY).read_bytes() == (reference / SUMMARY).read_bytes()


def made_elsewhere() -> concurrent.futures.Executor:
    return concurrent.futures.ThreadPoolExecutor(2)


@pytest.mark.parametrize(
    "executor",
    [
        "processes:2",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("threads:1", "threads:3")),
        f"{__name__}:made_elsewhere",
    ],
)
def test_the_games_are_the_same_whoever_plays_them(executor: str, reference: Path, tmp_path: Path) -> None:
    done = ran(tmp_path, *COMMAND, "--executor", executor, PYTHONPATH=str(Path(__file__).parents[3]))
    assert done.returncode == 0, done.stderr
    assert_same(tmp_path, reference)


@pytest.fixture
def cluster() -> Iterator[tuple[str, list[int]]]:
    process = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("cluster.py"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    data = json.loads(process.stdout.readline())
    yield data["address"], data["pids"]
    process.communicate(timeout=60)


def test_two_workers_of_dask_play_the_same_games_though_one_is_killed(
    cluster: tuple[str, list[int]], reference: Path, tmp_path: Path
) -> None:
    address, pids = cluster
    process = under_way(tmp_path, 1, *COMMAND, "--executor", f"dask://{address}")
    kill(pids[0])
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert_same(tmp_path, reference)


def lines(folder: Path) -> int:
    path = folder / GAMES
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_a_killed_worker_makes_no_difference(reference: Path, tmp_path: Path) -> None:
    plan = make("agency", BOTS, 4)
    killed: list[int] = []

    def prepare(tournament: Tournament) -> None:
        def watch(progress: Progress) -> None:
            if not killed and progress.played > GAMES_IN_ALL // 8:
                killed.extend(worker.pid for worker in tournament.pool._executor.workers)  # type: ignore[attr-defined]
                kill(killed[0])

        tournament.watch = watch

    outcome = play(plan, tmp_path, DEALS, "processes:2", prepare)
    assert killed
    assert outcome.progress.lost == 1
    assert_same(tmp_path, reference)


def cut(folder: Path) -> bytes:
    """Leaves a journal the games of the first deals, as if no more had been asked for; the journal."""
    lines = games_of(folder).splitlines(keepends=True)
    kept = [line for line in lines[1:] if not line.endswith(b"]}\n") or json.loads(line)["deal"] < DEALS]
    (folder / GAMES).write_bytes(b"".join([lines[0], *kept]))
    return games_of(folder)


def test_a_killed_run_leaves_no_worker_and_is_gone_on_with(reference: Path, tmp_path: Path) -> None:
    process = started(tmp_path, *COMMAND, *LONG, "--executor", "processes:2")
    until(lambda: process.poll() is not None or lines(tmp_path) > GAMES_IN_ALL // 4)
    assert process.poll() is None, "it was too quick"
    workers = children(process.pid)
    kill(process.pid)
    process.communicate(timeout=60)
    until(lambda: not any(Path(f"/proc/{pid}").exists() and state_of(pid) != "Z" for pid in workers))
    kept = cut(tmp_path)
    done = ran(tmp_path, *COMMAND, "--executor", "processes:2", "--resume")
    assert done.returncode == 0, done.stderr
    assert set(kept.splitlines()[:-1]) <= set(games_of(tmp_path).splitlines())
    assert_same(tmp_path, reference)


def state_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


@pytest.mark.parametrize(
    ("signum", "executor"),
    [
        (signal.SIGINT, "processes:2"),
        (signal.SIGTERM, "threads:2"),
        pytest.param(signal.SIGINT, "threads:2", marks=pytest.mark.slow),
        pytest.param(signal.SIGTERM, "processes:2", marks=pytest.mark.slow),
    ],
)
def test_a_stopped_run_says_how_to_go_on(executor: str, signum: int, reference: Path, tmp_path: Path) -> None:
    done = interrupted(tmp_path, GAMES_IN_ALL // 8, signum, *COMMAND, *LONG, "--executor", executor)
    assert done.returncode == 130, done.stderr
    assert "Traceback" not in done.stderr
    assert "--resume" in done.stderr
    assert f"stopped with {lines(tmp_path) - 1} of {2000 * 36} games" in done.stderr
    again = ran(tmp_path, *COMMAND, *LONG, "--executor", executor)
    assert again.returncode == 2
    assert "--resume goes on" in again.stderr
    cut(tmp_path)
    assert ran(tmp_path, *COMMAND, "--executor", executor, "--resume").returncode == 0
    assert_same(tmp_path, reference)


def test_a_worker_that_always_dies_ends_the_run(tmp_path: Path) -> None:
    done = ran(tmp_path, *COMMAND, "--executor", "processes:1", PYTHONPATH=str(deadly(tmp_path / "code")))
    assert done.returncode == 2
    assert "workers were lost 4 times" in done.stderr


def deadly(folder: Path) -> Path:
    """Code that ends every process that is to play, before it does."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text("import os, sys\nif 'spawn_main' in ' '.join(sys.orig_argv): os._exit(1)\n")
    return folder


def test_what_decides_it_is_the_same_however_often_one_looks(tmp_path: Path) -> None:
    plan = make("whist", ["greedy", "random"], 2)

    def judge(results: Results) -> int | None:
        """Decided by the fifteenth deal in which the first bot wins both."""
        won = results.utilities[results.seats == 0].reshape(-1, 2).sum(axis=1)
        result = (won == 2).cumsum() >= 15
        return int(result.argmax()) + 1 if result.any() else None

    for name, executor in (("one", "threads:1"), ("more", "threads:3")):
        outcome = play(plan, tmp_path / name, 400, executor, lambda tournament: setattr(tournament, "judge", judge))
        assert outcome.reason == "decided"
        assert outcome.deals == len(read_results(tmp_path / name)[0]) // 2 < 400
    assert games_of(tmp_path / "one") == games_of(tmp_path / "more")


def test_a_run_that_is_stopped_at_once_keeps_nothing_half(tmp_path: Path) -> None:
    plan = make("agency", BOTS, 4)
    stop = threading.Event()
    stop.set()
    outcome = play(plan, tmp_path, DEALS, "threads:1", lambda tournament: setattr(tournament, "stop", stop))
    assert outcome.reason == "stopped"
    assert len(read_results(tmp_path)[0]) == outcome.progress.played < GAMES_IN_ALL


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cores",
        "processes:0",
        "processes:many",
        "threads:",
        "dask://",
        "dask://here",
        "os:",
        ":os",
        "no.such.module:make",
        "os:getcwd",
    ],
)
def test_what_is_no_executor_is_refused(text: str) -> None:
    with pytest.raises(BadOption, match="expected"), open_pool(text):
        pass


def test_executors_are_checked_before_anything_begins() -> None:
    for text in ("processes", "processes:3", "threads:1", "dask://127.0.0.1:8786", "package.module:make"):
        check_executor(text)
    with pytest.raises(BadOption):
        check_executor("cores")
