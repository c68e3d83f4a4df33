"""The check of bots: those that play here are good in every corner; each kind of fault is found."""

import json
import subprocess
from typing import Any

import pytest

from machiavel.engines import games, load
from machiavel.server.tournaments.compliance import ComplianceCase, check_case
from tests.server.cli.command import COMMAND, Runner, environment, run_process
from tests.server.tournaments.elsewhere import install


def check(spec: str, game: str, players: int, decisions: int = 40) -> ComplianceCase:
    stored = load(game)
    return check_case(spec, None, stored, stored.make_rules(players), decisions=decisions, seed=1)


@pytest.mark.parametrize("spec", ["random", "greedy", "ismcts:iterations=5", "pimc:iterations=64,worlds=4", "level1"])
def test_the_bots_of_the_house_are_good_everywhere(spec: str) -> None:
    for game in games():
        for players in load(game).players:
            case = check(spec, game, players, 20)
            assert case.faults == [], f"{game}, {players}"
            assert case.repeats


def test_corners_are_among_what_is_asked() -> None:
    asked = {
        game: {corner for players in load(game).players for corner in check("greedy", game, players).corners} for game in games()
    }
    for game, corners in asked.items():
        # At Kuhn poker there always is a choice.
        assert {"last moves", *(["one legal move"] if game != "kuhn" else [])} <= corners
    assert {"asked with others", "asked before its turn", "choice of pass", "choice of lead", "choice of look"} <= asked["agency"]
    assert {"choice of taunt", "choice of steal"} <= asked["bond"]
    assert {"choice of activate", "choice of card", "choice of choose"} <= asked["citadel"]
    assert any("reroll" in corner for corner in asked["citadel"])


def test_a_search_that_remembers_need_not_repeat_itself() -> None:
    case = check("ismcts:iterations=40,reuse=true,seed=3", "bond", 3)
    assert case.faults == []
    assert case.repeats is None


def checked(path: str, *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    command = [*COMMAND, "check-bot", *arguments, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(PYTHONPATH=path), check=False, timeout=120)
    assert "Traceback" not in done.stderr
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(install(tmp_path_factory.mktemp("elsewhere")))


@pytest.mark.parametrize(
    ("bot", "code", "kinds"),
    [
        ("first", 0, set()),
        ("draws", 0, set()),
        ("draws:seed=4", 0, set()),
        ("cheat", 1, {"illegal"}),
        ("silent", 1, {"illegal"}),
        ("broken", 1, {"failed"}),
        ("hangs@5ms", 1, {"late"}),
    ],
)
def test_each_fault_is_found(bot: str, code: int, kinds: set[str], path: str) -> None:
    result, cases = checked(path, bot, "--game", "whist", "--players", "3", "--decisions", "8")
    assert result == code
    assert {fault["kind"] for case in cases for fault in case["faults"]} == kinds
    assert len(cases) == 1


def test_one_that_draws_its_luck_from_elsewhere_does_not_repeat_itself(path: str) -> None:
    code, cases = checked(path, "counts", "--game", "whist", "--players", "3", "--decisions", "30")
    assert code == 0
    assert cases[0]["repeats"] is None  # it has no seed, so it need not


def test_people_read_a_line_a_case(run: Runner) -> None:
    done = run("check-bot greedy --game bond --decisions 10")
    assert done.code == 0
    lines = done.out.splitlines()
    assert len(lines) == 5
    assert all("good" in line and "repeats itself" in line for line in lines)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("clever",), "there is no bot 'clever'"),
        (("greedy", "--game", "chess"), "unknown game 'chess'"),
        (("greedy", "--game", "bond", "--players", "7"), "--players 7: bond is for 2 to 6 players"),
        (("grpc://here/greedy",), "there is no HOST:PORT"),
    ],
)
def test_what_cannot_be_checked_is_refused(arguments: tuple[str, ...], message: str) -> None:
    done = run_process("check-bot", *arguments)
    assert done.code == 2
    assert message in done.err
