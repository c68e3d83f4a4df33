"""Tournaments and reviews that an earlier release broke off are gone on with, and come to what an unbroken run comes to."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from machiavel.clients import connect
from machiavel.server.cli import main
from machiavel.v1 import StartTournamentRequest, TournamentState
from tests.before.artifacts import GAMES, RELEASE, copied, differences, rows
from tests.server.cli.command import Runner
from tests.server.service.hosted import hosted

PLAYERS = {"agency": 3, "bond": 2, "citadel": 2, "whist": 4}
FLAGS = "--bots greedy random --deals 6 --seed 7 --executor threads:1"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Runner:
    return Runner(monkeypatch, capsys)


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


# ---- Tournaments ----


@pytest.mark.parametrize("game", GAMES)
def test_a_tournament_is_gone_on_with(run: Runner, game: str, tmp_path: Path) -> None:
    folder, whole = copied(f"tournaments/{game}/half", tmp_path), RELEASE / "tournaments" / game / "whole"
    assert not (folder / "games.jsonl").read_bytes().endswith(b"\n")  # it was broken off in the middle of a line
    result = run(f"tournament {game} --players {PLAYERS[game]} {FLAGS} --output {folder} --resume --json")
    assert result.code == 0, result.err
    assert (folder / "games.jsonl").read_bytes() == (whole / "games.jsonl").read_bytes()
    assert not list(differences(read(whole / "summary.json"), read(folder / "summary.json")))


@pytest.mark.parametrize("game", GAMES)
def test_a_finished_tournament_is_told_of_again_and_its_games_shown(run: Runner, game: str, tmp_path: Path) -> None:
    folder = copied(f"tournaments/{game}/whole", tmp_path)
    before = read(folder / "summary.json")
    assert run(f"report {folder} --json").code == 0
    assert not list(differences(before, read(folder / "summary.json")))
    replayed = run(f"replay {folder} --game 5 --json").objects
    assert replayed[-1]["reason"] == "over"
    assert (
        run(f"tournament {game} --players {PLAYERS[game]} --bots greedy --deals 6 --seed 7 --output {folder} --resume").code == 2
    )


def test_a_server_goes_on_with_what_was_under_way_and_in_line(tmp_path: Path) -> None:
    folder = copied("served", tmp_path)
    entries = [read(path) for path in folder.glob("*/tournament.json")]
    (running,) = (one for one in entries if one["state"] == "running")
    (queued,) = (one for one in entries if one["state"] == "queued")
    before = (folder / running["name"] / "games.jsonl").read_bytes().splitlines()[1:]
    assert 0 < len(before) < 60
    with hosted(tournaments=str(folder)) as server, connect(server.address) as service:
        assert {one.name for one in service.list_tournaments()} == {one["name"] for one in entries}
        for entry in (running, queued):
            *_, last = service.watch_tournament(entry["name"], interval=0.05)
            assert last.tournament.state == TournamentState.TOURNAMENT_STATE_PLAYED
            assert last.tournament.games_played == last.tournament.games
        (request,) = (one for one in started() if one.request_id == queued["request_id"])
        assert service.tournaments.StartTournament(request, timeout=60).tournament.name == queued["name"]
    after = (folder / running["name"] / "games.jsonl").read_bytes().splitlines()[1:]
    assert len(after) == 60
    assert set(before) <= set(after)


def started() -> list[StartTournamentRequest]:
    """What the tournaments were asked for by."""
    calls = [row for row in rows("calls.jsonl") if row["method"].endswith("StartTournament")]
    return [StartTournamentRequest.FromString(base64.b64decode(row["request"])) for row in calls]


# ---- Reviews ----


@pytest.mark.parametrize("game", GAMES)
def test_a_review_is_gone_on_with(run: Runner, game: str, tmp_path: Path) -> None:
    folder, record = copied(f"reviews/{game}/half", tmp_path), RELEASE / "reviews" / game / "record.json"
    known = [line for line in (folder / "judgements.jsonl").read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
    result = run(f"review {record} --iterations 30 --seed 5 --output {folder} --resume --json")
    if json.loads(known[0])["engine"] != machiavel():  # another release judges otherwise, and says so
        assert result.code == 2
        assert "holds another review: engine " in result.err
        return
    assert result.code == 0, result.err
    whole = run(f"review {record} --iterations 30 --seed 5 --output {tmp_path / 'whole'} --json")
    assert whole.code == 0
    mine, unbroken = ((one / "judgements.jsonl").read_bytes().splitlines(keepends=True) for one in (folder, tmp_path / "whole"))
    assert mine[: len(known)] == known
    assert mine[len(known) :] == unbroken[len(known) :]


def machiavel() -> str:
    from machiavel.search.search_run import release

    return release()


def test_another_review_is_refused_in_an_old_folder(run: Runner, tmp_path: Path) -> None:
    folder, record = copied("reviews/whist/half", tmp_path), RELEASE / "reviews" / "whist" / "record.json"
    before = (folder / "judgements.jsonl").read_bytes()
    for flags, field in (("--iterations 31 --seed 5", "iterations 30, not 31"), ("--iterations 30 --seed 6", "seed 5, not 6")):
        result = run(f"review {record} {flags} --output {folder} --resume")
        assert result.code == 2
        assert field in result.err
    assert main(["review", str(record), "--output", str(folder)]) == 2
    assert before.startswith((folder / "judgements.jsonl").read_bytes().rstrip(b"\n"))
