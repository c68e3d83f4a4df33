"""Bots from elsewhere: by entry point, behind a server, or a process; what they do wrong is played for them and counted."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from machiavel.engines import BadOption, View, load
from machiavel.search import BadBot, Limits, Recommendation, bots, recommend
from machiavel.search.bots import searcher_of
from machiavel.search.levels import level_of
from machiavel.search.match_runner import contestant
from machiavel.server.tournaments.game_journal import read_results
from machiavel.server.tournaments.plan import TimedSpec, make_plan
from machiavel.server.tournaments.remote_bots import RemoteSpec
from machiavel.server.tournaments.seat_bots import check_spec, seat_bot
from tests.server.cli.command import environment
from tests.server.tournaments.elsewhere import install
from tests.server.tournaments.running import children, games_of, kill, make, play, ran, started, until

SERVE = [sys.executable, "-m", "machiavel.server.cli", "serve", "--listen", "127.0.0.1:0", "--json", "--log-level", "error"]
SERVE += ["--storage", "memory:"]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(install(tmp_path_factory.mktemp("elsewhere")))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with subprocess.Popen(SERVE, stdout=subprocess.PIPE, text=True, env=environment()) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["address"]
        process.terminate()


def test_a_bot_by_entry_point_plays_and_repeats_itself(path: str, tmp_path: Path) -> None:
    command = ("citadel", "--bots", "first", "draws", "random", "--players", "2", "--deals", "2", "--seed", "3")
    for name, executor in (("one", "threads:1"), ("two", "processes:2")):
        done = ran(tmp_path / name, *command, "--executor", executor, PYTHONPATH=path)
        assert done.returncode == 0, done.stderr
    results, timings = read_results(tmp_path / "one")
    assert len(results) == 2 * (3 + 3 * 2)
    assert not results.faults.any()
    assert timings.moves[0] > 0
    assert games_of(tmp_path / "one") == games_of(tmp_path / "two")


@pytest.mark.parametrize(
    "bots",
    [
        ("ismcts:iterations=30", "ismcts:iterations=30,exploration=0.7"),
        ("ismcts:iterations=30,reuse=false", "ismcts:iterations=30,exploration=0.7,reuse=false"),
        ("random", "random@1s"),
        ("draws@8s", "draws@9s"),
    ],
)
def test_bots_that_play_alike_play_the_same_games_whoever_sits_where(bots: tuple[str, str], path: str, tmp_path: Path) -> None:
    done = ran(tmp_path, "whist", "--bots", *bots, "--players", "3", "--deals", "2", "--executor", "threads:1", PYTHONPATH=path)
    assert done.returncode == 0, done.stderr
    games = [json.loads(line) for line in games_of(tmp_path).splitlines()[1:]]
    assert {tuple(game["seats"]) for game in games} == {(0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)}
    of_deals = [[game["moves"] for game in games if game["deal"] == deal] for deal in (0, 1)]
    assert of_deals[0] == of_deals[0][:1] * 6
    assert of_deals[1] == of_deals[1][:1] * 6
    assert of_deals[0][0] != of_deals[1][0]


@pytest.mark.parametrize("bot", ["cheat", "silent", "broken", "hangs@20ms"])
def test_a_bot_that_fails_plays_the_rule_of_thumb_and_is_counted(bot: str, path: str, tmp_path: Path) -> None:
    command = ("whist", "--bots", bot, "greedy", "--players", "2", "--deals", "1", "--executor", "threads:1", "--seed", "3")
    done = ran(tmp_path / "failing", *command, PYTHONPATH=path)
    assert done.returncode == 0, done.stderr
    results, _ = read_results(tmp_path / "failing")
    failing = results.seats == 0
    assert (results.faults[failing] > 0).all()
    assert not results.faults[~failing].any()
    # Everybody played greedy in the end.
    play(make("whist", ["greedy"], 2, seed=3), tmp_path / "greedy", 1)
    greedy, _ = read_results(tmp_path / "greedy")
    assert (results.utilities == greedy.utilities).all()
    assert (results.plies == greedy.plies[0]).all()


def test_a_bot_behind_a_server_plays_as_it_would_here(address: str, tmp_path: Path) -> None:
    plan = make("agency", [f"grpc://{address}/greedy", f"grpc://{address}/level=1,seed=4@5s", "random"], 3)
    assert play(plan, tmp_path / "there", 1).reason == "played"
    results, timings = read_results(tmp_path / "there")
    assert not results.faults.any()
    assert (timings.moves > 0).all()
    here = make("agency", ["greedy", f"grpc://{address}/level=1,seed=4@5s", "random"], 3)
    play(here, tmp_path / "here", 1)
    first, second = (games_of(tmp_path / name).splitlines()[1:] for name in ("there", "here"))
    assert first == second


def test_a_process_is_started_asked_and_ended(tmp_path: Path) -> None:
    spec = f"process:{' '.join(SERVE)}?bot=level=1,seed=2"
    done = ran(tmp_path, "whist", "--bots", spec, "random", "--players", "2", "--deals", "1", "--executor", "processes:2")
    assert done.returncode == 0, done.stderr
    results, _ = read_results(tmp_path)
    assert len(results) == 2
    assert not results.faults.any()
    assert not serving()


def test_a_process_does_not_outlive_a_command_that_is_killed(tmp_path: Path) -> None:
    spec = f"process:{' '.join(SERVE)}?bot=level=10,seed=2"
    process = started(tmp_path, "whist", "--bots", spec, "random", "--players", "2", "--deals", "500", "--executor", "threads:1")
    until(lambda: process.poll() is not None or bool(servers_of(process.pid)))
    assert process.poll() is None
    servers = servers_of(process.pid)
    kill(process.pid)
    process.communicate(timeout=30)
    until(lambda: not any(is_serving(pid) for pid in servers))


def servers_of(pid: int) -> list[int]:
    return [child for child in children(pid) if is_serving(child)]


def is_serving(pid: int) -> bool:
    try:
        return "serve\0--listen" in Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return False


def serving() -> list[str]:
    """Command lines of services that were started by the tests of this module and still run without a parent."""
    result = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = path.read_text().rpartition(")")[2].split()[1]
            line = (path.parent / "cmdline").read_text()
        except OSError:
            continue
        if parent == "1" and "serve\0--listen" in line and str(Path(sys.executable).parent) in line:
            result.append(line)
    return result


@pytest.mark.parametrize(
    ("bot", "problem"),
    [
        ("process:no-such-program", "cannot be started"),
        ("process:echo hello", "printed 'hello' first"),
        ("process:true", "printed '' first"),
        ("grpc://127.0.0.1:1/greedy", "asked for a first move, it gave none"),
    ],
)
def test_a_bot_that_cannot_be_asked_ends_it_before_it_begins(bot: str, problem: str, tmp_path: Path) -> None:
    done = ran(tmp_path / "out", "whist", "--bots", bot, "random", "--players", "2", "--deals", "1", "--executor", "threads:1")
    assert done.returncode == 2
    assert problem in done.stderr
    assert not (tmp_path / "out").exists()


def test_specs_of_bots_behind_the_api() -> None:
    assert RemoteSpec.read("grpc://host:7788/level=7") == RemoteSpec("host:7788", "level7")
    assert RemoteSpec.read("grpcs://host:7788/level=7,seed=3") == RemoteSpec("host:7788", "level7:seed=3", tls=True)
    assert RemoteSpec.read("grpc://host:7788") == RemoteSpec("host:7788", "")
    assert RemoteSpec.read("grpc://[::1]:7788/ismcts:iterations=5") == RemoteSpec("[::1]:7788", "ismcts:iterations=5")
    assert RemoteSpec.read("process:./bot --fast?bot=careful") == RemoteSpec("", "careful", command="./bot --fast")
    assert RemoteSpec.read("process:./bot --what?") == RemoteSpec("", "", command="./bot --what?")


@pytest.mark.parametrize(
    "bot",
    [
        "",
        "clever",
        "grpc://host",
        "grpc://host:x/a",
        "grpc://h:1/level=x",
        "process:",
        "process:'",
        "greedy:a=1",
        "level3:seed=-1",
    ],
)
def test_what_is_no_bot_is_refused(bot: str) -> None:
    with pytest.raises(BadBot):
        check_spec(load("whist"), bot)


def test_a_time_for_a_move_stands_behind_the_bot() -> None:
    assert TimedSpec.read("ismcts:seed=3@20ms") == TimedSpec("ismcts:seed=3", 0.02)
    assert TimedSpec.read("level10@1.5s") == TimedSpec("level10", 1.5)
    assert TimedSpec.read("process:mail me@here.org") == TimedSpec("process:mail me@here.org", None)
    for bad in ("level10@0s", "level10@7200s"):
        with pytest.raises(BadOption):
            TimedSpec.read(bad)


def test_a_time_for_a_move_is_kept(tmp_path: Path) -> None:
    plan = make("whist", ["ismcts:seed=3@2ms", "level1"], 2)
    play(plan, tmp_path, 1)
    _, timings = read_results(tmp_path)
    # It has nothing else to end a search by, and ends it soon after; how soon is no matter of a test.
    assert timings.seconds[0] / timings.moves[0] >= 0.002 * 0.9
    assert timings.moves.tolist()[0] > 0


def test_a_bot_is_named_once() -> None:
    game = load("whist")
    with pytest.raises(BadOption, match="each bot once"):
        make_plan(game, game.make_rules(2), ["greedy", "greedy "], 1)


@pytest.mark.parametrize(
    ("bot", "iterations"),
    [("ismcts:iterations = 40@600s", 40), ("pimc:iterations=40@600s", 40), ("level3@600s", level_of(3, "whist", 3).iterations)],
)
def test_a_time_leaves_a_bot_its_own_amount_at_a_table_with_others_too(
    bot: str, iterations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in compiled code."""
    given: list[int | None] = []

    def recommended(view: View, limits: Limits, *arguments: Any, **named: Any) -> Recommendation:
        given.append(limits.iterations)
        return recommend(view, Limits(iterations=10), *arguments, **named)

    monkeypatch.setattr(bots, "recommend", recommended)
    game, timed = load("whist"), TimedSpec.read(bot)
    view = game.new(3, seed=1).view(0)
    assert seat_bot(bot, 5, None).choose(view) in view.legal_moves()
    assert given == [iterations] == [contestant(game, timed.spec, players=3, seconds=timed.seconds or 0.0).iterations]


@pytest.mark.parametrize(
    "bot", ["ismcts", "ismcts:style=points", "ismcts:seed = 3", "ismcts:reuse=false", "pimc", "level5", "level5:style=points"]
)
def test_a_bot_remembers_at_any_table_what_it_does_in_compiled_code(bot: str) -> None:
    game = load("whist")
    seated = seat_bot(bot, 5, None)
    result = searcher_of(seated.make(), game, 3)
    assert result is not None
    compiled = contestant(game, bot, players=3, seed=5)
    assert (result.reuse, result.parameters) == (compiled.reuse, compiled.parameters)
