"""`machiavel play --bots FILE`, at a table of one's own and at one that a server hosts, by either of its doors."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from machiavel.clients import connect
from machiavel.server.cli.table_bots import served_files
from machiavel.v1 import MatchPhase
from tests.server.cli.command import Runner
from tests.server.service.hosted import Hosted, hosted

ONES = "1\n" * 400


@pytest.fixture(scope="module")
def server() -> Iterator[Hosted]:
    with hosted(think=0.02, web="127.0.0.1:0") as result:
        yield result


@pytest.fixture(params=["grpc", "http"])
def address(request: pytest.FixtureRequest, server: Hosted) -> str:
    """Of the same server, by either of its doors."""
    return server.address if request.param == "grpc" else str(server.server.web_address)


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    path = tmp_path / "mybot.py"
    path.write_text("def move(view, moves):\n    return moves[-1]\n", encoding="utf-8")
    return path


def test_a_file_plays_at_a_table(run: Runner, bot: Path) -> None:
    ran = run(f"play whist --bots {bot} greedy --seed 5 --json", entries=ONES)
    assert (ran.code, ran.err) == (0, "")
    match, *_, end = ran.objects
    assert match["bots"] == [None, "mybot", "greedy"]
    assert end["reason"] == "over"
    assert run(f"play whist --bots {bot} greedy --seed 5", entries=ONES).out.count("mybot") > 3


def test_what_a_file_does_wrong_is_told_and_greedy_plays(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "faulty.py"
    path.write_text("def move(view, moves):\n    return view['nothing']\n", encoding="utf-8")
    ran = run(f"play whist --bots {path} --players 2 --seed 5 --json", entries=ONES)
    assert ran.code == 0
    assert set(ran.err.splitlines()) == {f"machiavel: warning: {path}: line 2: KeyError: 'nothing'; greedy plays instead"}
    usual = run("play whist --bots greedy --players 2 --seed 5 --json", entries=ONES)
    assert ran.objects[-1] == usual.objects[-1]


def test_a_file_that_is_no_bot_is_told_before_anything_begins(run: Runner, tmp_path: Path, server: Hosted) -> None:
    path = tmp_path / "empty.py"
    path.write_text("", encoding="utf-8")
    for more in ("", f"--server {server.address}"):
        ran = run(f"play whist --bots {path} {more}")
        assert (ran.code, ran.out) == (2, "")
        assert "it has no function move; expected a Python file with a function move(view, moves)" in ran.err


def test_a_file_holds_seats_of_a_match_that_a_server_hosts(run: Runner, bot: Path, address: str) -> None:
    ran = run(f"play whist --server {address} --bots {bot} greedy {bot} --think 0.02 --json", entries=ONES)
    assert (ran.code, ran.err) == (0, "")
    match = next(line for line in ran.objects if line["type"] == "match")
    assert match["names"] == ["", "mybot", "", "mybot"]
    assert match["bots"] == [None, None, "greedy", None]
    assert ran.objects[-1]["reason"] == "over"


def test_faults_of_a_file_at_a_server_are_told_and_greedy_plays(run: Runner, tmp_path: Path, address: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text("def move(view, moves, turn):\n    raise RuntimeError(turn.game)\n", encoding="utf-8")
    ran = run(f"play kuhn --server {address} --bots {path} --players 2 --json", entries=ONES)
    assert ran.code == 0
    assert ran.objects[-1]["reason"] == "over"
    assert set(ran.err.splitlines()) <= {f"machiavel: warning: {path}: line 2: RuntimeError: kuhn; greedy plays instead"}


def test_who_leaves_leaves_the_seats_of_files_to_greedy(run: Runner, bot: Path, address: str) -> None:
    ran = run(f"play whist --server {address} --bots {bot} --players 2 --json", entries="q\n")
    assert ran.objects[-1]["reason"] == "left"
    match, token = ran.objects[0]["back"].split(":")
    with connect(address) as service:
        seats = service.session(match, token).get().match.seats
    assert [seat.taken_over for seat in seats] == [False, True]


def test_a_file_wants_every_rematch_that_the_people_want(bot: Path, address: str) -> None:
    with connect(address) as service:
        host = service.create_match("kuhn", ["person", "person"], rematch=True)
        mine, sessions = host.at(0), [host.at(1)]
        with served_files({str(bot): sessions}):
            for _ in range(3):
                for position in mine.turns():
                    mine.play(position.moves[0].text)
                again = mine.rematch()
                for _ in mine.watch(stay=True) if again is None else ():
                    continue
                mine = again or mine.rematch() or mine
            matches = {mine.match, host.match}
            assert len(matches) == 2
            for position in mine.turns():
                mine.play(position.moves[0].text)
        assert mine.get().match.phase == MatchPhase.MATCH_PHASE_OVER


def test_matches_are_listed_by_either_door(run: Runner, address: str) -> None:
    with connect(address) as service:
        made = service.create_match("kuhn", ["person", "person"])
    assert made.match in {line["match"] for line in run(f"matches --server {address} --json").objects}


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ("--server http://127.0.0.1:1 --tls", "http://127.0.0.1:1 is not encrypted; expected https://, or no certificates"),
        ("--server http://games.example --token abc", "a token would go to http://games.example in the clear; expected https://"),
        ("--server http://user@games.example", "is no address of a server; expected http://HOST:PORT or https://HOST"),
    ],
)
def test_addresses_that_cannot_be_are_one_line(run: Runner, flags: str, message: str) -> None:
    ran = run(f"play whist {flags}")
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err and ran.err.count("\n") == 1
