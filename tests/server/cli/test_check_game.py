"""`machiavel check-game`: a game that is sound, and engines that take their process down or never answer."""

import json
import os
import subprocess
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from machiavel.engines import games
from machiavel.server.cli.check_suite import ALL_CHECKS, FOR_EVERY_GAME
from tests.packaging.project import ROOT
from tests.server.cli.command import COMMAND, Ran, Runner, environment

Check = Callable[..., Ran]
SEE = "(see machiavel check-game --help)"
HEAD = """
import ctypes, os, sys, time
from machiavel.engines.bond import BondEngine
from machiavel.engines.whist import WhistEngine
from tests.conformance.faults import faulty
"""
# What `weights` does at the tenth call.
DEATHS = {
    "segfault": ("ctypes.string_at(0)", "the process ended by SIGSEGV"),
    "abort": ("os.abort()", "the process ended by SIGABRT"),
    "exit": ("os._exit(3)", "the process ended with 3"),
    "endless": ("[None for _ in iter(int, 1)]", "no answer within 20 s, so it was stopped"),
}


@pytest.fixture
def plant(tmp_path: Path) -> Callable[[str], Check]:
    """Installs an engine called `planted`, made by this code, and gives what runs the command where it is."""

    def install(code: str) -> Check:
        (tmp_path / "planted.py").write_text(HEAD + textwrap.dedent(code), encoding="utf-8")
        info = tmp_path / "planted-1.5.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: planted\nVersion: 1.5\n")
        (info / "entry_points.txt").write_text("[machiavel.engines]\nplanted = planted:ENGINE\n")
        path = os.pathsep.join(filter(None, [str(tmp_path), str(ROOT), os.environ.get("PYTHONPATH", "")]))

        def run(*arguments: str) -> Ran:
            command = [*COMMAND, "check-game", "planted", *arguments]
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=300, env=environment(PYTHONPATH=path, COLUMNS="120"), check=False
            )
            return Ran(done.returncode, done.stdout, done.stderr)

        return run

    return install


def test_a_sound_game_is_said_to_be_so_check_by_check(run: Runner) -> None:
    ran = run("check-game whist --players 2 --matches 4")

    assert ran.code == 0
    assert ran.out.startswith("whist: Knockout Whist · from machiavel ")
    assert "2 players, 1 case · seed 0\n" in ran.out
    flat = " ".join(ran.out.split())
    assert all(check.proves in flat for check in FOR_EVERY_GAME)
    assert "legal moves ascend, each once, within the bounds of the struct. (1 case, 1 match, " in flat
    assert "– What a seat alone learns by a move follows from what it sees. (the engine has no private_observation)" in flat
    assert ran.out.splitlines()[-1].startswith(f"{len(FOR_EVERY_GAME) + 1} checks: ")
    assert "found" not in ran.out.splitlines()[-1]


def test_json_is_a_line_for_each_check_with_its_figures(run: Runner) -> None:
    ran = run("check-game whist --players 3 --checks keys fitting-worlds --matches 4 --seed 5 --json")

    assert ran.code == 0
    game, loading, *results, end = ran.objects
    assert (game["type"], game["game"], game["seed"]) == ("game", "whist", 5)
    assert game["cases"] == [{"players": 3, "options": {}}]
    assert loading["check"] == "loading"
    assert [one["check"] for one in results] == ["fitting-worlds", "equal-keys", "different-keys"]
    assert all(one["verdict"] == "holds" and one["cases"] == 1 and one["seconds"] >= 0 for one in results)
    assert results[2]["counts"]["matches"] == 400
    assert end == {"type": "end", "checks": 4, "findings": 0, "holds": 4}


def test_options_that_are_on_or_off_are_also_turned_round(run: Runner) -> None:
    (game, *_) = run("check-game agency --players 2 --checks struct --json").objects
    assert [case["options"] for case in game["cases"]] == [{}, {"powers": False}, {"accomplices": False}]

    (game, *_) = run("check-game agency --players 2 --option medals=1 --checks struct --json").objects
    assert [case["options"] for case in game["cases"]] == [{"medals": 1}]


def test_with_seconds_it_goes_on_with_other_seeds(run: Runner) -> None:
    *_, result, end = run("check-game whist --players 2 --checks match-end --seconds 0.5 --json").objects

    assert result["cases"] > 1
    assert result["counts"]["matches"] == 10 * result["cases"]
    assert end["findings"] == 0


def test_the_list_tells_every_check_by_its_sentence(run: Runner) -> None:
    flat = " ".join(run("check-game --list").out.split())
    assert all(f"{check.name}: {check.proves}" in flat for check in ALL_CHECKS)
    assert [one["check"] for one in run("check-game --list --json").objects] == [check.name for check in ALL_CHECKS]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("whist --matches 3 --seconds 3", f"argument --seconds: not allowed with argument --matches {SEE}"),
        ("", f"a GAME is needed, or --list {SEE}"),
        ("chess", f"unknown game 'chess'; installed: {', '.join(games())}"),
        ("whist --players 9", "--players 9: whist is for 2 to 7 players"),
        ("agency --option medals=0", "option 'medals' cannot be 0; expected a whole number from 1 to 9"),
        ("agency --option size=0", "agency has no option 'size'; its options: accomplices, agents, deck, medals, powers"),
    ],
)
def test_what_cannot_be_checked_is_one_line(run: Runner, arguments: str, problem: str) -> None:
    ran = run("check-game", arguments)

    assert (ran.code, ran.out, ran.err) == (2, "", f"machiavel: error: {problem}\n")


def test_an_unknown_check_names_the_chapters(run: Runner) -> None:
    ran = run("check-game whist --checks colours")

    assert ran.code == 2
    assert "--checks colours: there is no such check; chapters: faults, cards, options, moves, " in ran.err


@pytest.mark.parametrize("death", DEATHS)
def test_an_engine_that_takes_its_process_down_is_a_finding_and_the_other_checks_go_on(
    plant: Callable[[str], Check], death: str
) -> None:
    deed, said = DEATHS[death]
    check = plant(f"""
        calls = []

        def weights(original, *arguments):
            original(*arguments)
            calls.append(1)
            if len(calls) == 10:
                {deed}

        ENGINE = faulty(WhistEngine(), {{"weights": weights}}, name="planted").plugin
        """)

    ran = check("--players", "2", "--checks", "moves", "keys", "--limit", "20" if death == "endless" else "300", "--json")

    assert ran.code == 1
    results = {one["check"]: one["verdict"] for one in ran.objects if one["type"] == "result"}
    assert {name for name, verdict in results.items() if verdict == "found"} == {"weights"}
    assert list(results)[-2:] == ["equal-keys", "different-keys"]
    (finding,) = [one for one in ran.objects if one["type"] == "finding"]
    assert (finding["check"], finding["players"], finding["expected"]) == ("weights", 2, "an answer")
    assert finding["came"].startswith(f"{said}; seed ")
    assert " moves: " in finding["came"]


def test_a_finding_names_the_place_and_the_flags_that_find_it_again(plant: Callable[[str], Check]) -> None:
    check = plant("""
        def weights(original, *arguments):
            original(*arguments)
            ctypes.c_float.from_address(arguments[-1]).value = 0

        ENGINE = faulty(WhistEngine(), {"weights": weights}, name="planted").plugin
        """)

    ran = check("--checks", "weights", "--players", "3", "--seed", "4")

    assert ran.code == 1
    assert ran.out.startswith("planted: Knockout Whist · from planted 1.5 · 3 players, 1 case · seed 4\n")
    assert "✗ The rule of thumb gives every legal move a weight above 0, and finite." in ran.out
    assert "weights: 3 players, seed " in ran.out
    assert "expected weights above 0" in ran.out
    assert "came     {'" in ran.out
    again = "machiavel check-game planted --checks weights --players 3 --seed 4"
    assert f"again    {again}\n" in ran.out
    assert ran.out.splitlines()[-1] == "2 checks: 1 hold, 1 found something."
    found = [one for one in check(*again.split()[3:], "--json").objects if one["type"] == "finding"]
    assert all(f"seed {one['seed']}, " in ran.out and one["trial"] == 4 for one in found)
    assert len(found) == ran.out.count("expected weights above 0")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("ENGINE = 7", "IncompatibleEngine: engine 'planted' cannot be loaded: its entry point is int, not an Engine"),
        ("raise RuntimeError('no deck')", "RuntimeError: no deck"),
        ("os.abort()", "the process ended by SIGABRT"),
    ],
)
def test_an_engine_that_cannot_be_loaded_is_a_finding(plant: Callable[[str], Check], code: str, said: str) -> None:
    ran = plant(code)("--json")

    assert ran.code == 1
    _, finding, result, end = ran.objects
    assert (finding["check"], finding["came"]) == ("loading", said)
    assert result["verdict"] == "found"
    assert end == {"type": "end", "checks": 1, "findings": 1, "found": 1}


def test_what_an_engine_prints_does_not_spoil_the_answers(plant: Callable[[str], Check]) -> None:
    check = plant("""
        class Chatty(WhistEngine):
            def make_rules(self, players, options):
                print("making rules")
                os.write(1, b"{}\\n")
                return super().make_rules(players, options)

        ENGINE = faulty(Chatty(), name="planted").plugin
        """)

    ran = check("--players", "2", "--checks", "moves", "--json")

    assert ran.code == 0
    assert "making rules" not in ran.out
    assert all(isinstance(json.loads(line), dict) for line in ran.out.splitlines())


def test_nothing_of_it_is_left_behind(run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)

    assert run("check-game whist --players 2 --checks struct").code == 0
    assert not list(tmp_path.iterdir())


def test_the_worker_ends_with_the_command_whatever_the_engine_does(tmp_path: Path, plant: Callable[[str], Check]) -> None:
    told = tmp_path / "worker"
    plant(f"""
        def weights(original, *arguments):
            open({str(told)!r}, "w").write(str(os.getpid()))
            [None for _ in iter(int, 1)]

        ENGINE = faulty(WhistEngine(), {{"weights": weights}}, name="planted").plugin
        """)
    path = os.pathsep.join(filter(None, [str(tmp_path), str(ROOT), os.environ.get("PYTHONPATH", "")]))
    command = [*COMMAND, "check-game", "planted", "--players", "2", "--checks", "weights"]
    asked = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(PYTHONPATH=path, COLUMNS="120")
    )
    try:
        assert until(lambda: told.exists() and told.read_text())
    finally:
        asked.kill()
        asked.wait()

    assert until(lambda: not is_running(int(told.read_text())))


def until(is_so: Callable[[], object]) -> bool:
    end = time.monotonic() + 120
    while not is_so() and time.monotonic() < end:
        time.sleep(0.05)
    return bool(is_so())


def is_running(process: int) -> bool:
    status = Path(f"/proc/{process}/stat")
    try:
        return status.read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
