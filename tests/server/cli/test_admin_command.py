"""`machiavel admin`: what it prints, for people and as JSON, and what it says where it cannot."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from machiavel.clients import Client, NoAccess, connect
from machiavel.v1 import Options, TournamentPlan
from tests.server.cli.command import Runner
from tests.server.service.hosted import hosted

ADA = "0123456789abcdef"
PLAN = TournamentPlan(game="whist", options=Options(players=2), bots=["greedy", "random"], seed="7", deals=3)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The operator's way in, and where callers are."""
    folder = tmp_path_factory.mktemp("operated")
    (folder / "tokens.toml").write_text(f'[tokens]\nada = "{ADA}"\n')
    (folder / "server.toml").write_text("[callers.ada]\nmatches = 50\n")
    way = f"unix:{folder / 'admin.sock'}"
    with hosted(
        admin=way,
        tokens=str(folder / "tokens.toml"),
        config=str(folder / "server.toml"),
        tournaments=str(folder / "tournaments"),
    ) as server:
        yield way, server.address


@pytest.fixture
def way(place: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("MACHIAVEL_ADMIN", place[0])
    return place[0]


@pytest.fixture
def ada(place: tuple[str, str]) -> Iterator[Client]:
    with connect(place[1], token=ADA) as service:
        yield service
        for one in service.list_tournaments():
            service.delete_tournament(one.name)


def test_the_status_names_who_has_what_and_how_much_of_it_may_be_had(run: Runner, way: str, ada: Client) -> None:
    host = ada.create_match("whist", ["person", "greedy"])
    shown = run(f"admin status --server {way}")
    assert shown.code == 0
    assert "ada" in shown.out
    assert "(at most 50)" in shown.out
    (result,) = run("admin status --json").objects
    assert result["matches"] == 1
    assert result["resources"]["matches"]["callers"]["ada"] == {"used": 1, "most": 50}
    assert (result["read_only"], result["draining"]) == (False, False)
    host.delete()


@pytest.mark.usefixtures("way")
def test_matches_are_listed_ended_and_removed(run: Runner, ada: Client) -> None:
    host = ada.create_match("whist", ["person", "greedy"])
    assert host.match in run("admin matches").out
    (listed,) = run("admin matches --account ada --json").objects
    assert (listed["account"], listed["phase"]) == ("ada", "playing")
    assert not run("admin matches --account bert --json").objects
    (ended,) = run(f"admin end match {host.match} --json").objects
    assert (ended["phase"], ended["utilities"]) == ("over", [0.5, 0.5])
    assert run(f"admin remove match {host.match} --json").objects == [{"match": host.match, "removed": True}]
    with pytest.raises(NoAccess):
        host.get()
    missing = run("admin end match nothing")
    assert missing.code == 2
    assert "machiavel: error: --server" in missing.err


@pytest.mark.usefixtures("way")
def test_tournaments_are_listed_and_removed(run: Runner, ada: Client) -> None:
    name = ada.start_tournament(PLAN).name
    (listed,) = run("admin tournaments --json").objects
    assert (listed["tournament"], listed["account"], listed["games"]) == (name, "ada", 6)
    assert name in run("admin tournaments").out
    assert run(f"admin remove tournament {name}").code == 0
    assert not ada.list_tournaments()


@pytest.mark.usefixtures("way")
def test_data_is_counted_before_it_is_erased(run: Runner, ada: Client) -> None:
    ada.create_match("whist", ["person", "greedy"])
    counted = run("admin erase account ada --dry-run --json").objects
    assert counted == [{"account": "ada", "dry_run": True, "matches": counted[0]["matches"], "tournaments": 0, "renamed": 0}]
    assert list(ada.list_matches())
    assert "erased" in run("admin erase account ada").out
    assert not list(ada.list_matches())
    assert "0" in run("admin erase person Wilhelmine").out


@pytest.mark.usefixtures("way")
def test_the_server_is_made_read_only_and_drained_and_back(run: Runner) -> None:
    run("admin read-only on --reason disk")
    (result,) = run("admin status --json").objects
    assert (result["read_only"], result["reason"]) == (True, "disk")
    assert "read-only: nothing is changed (disk)" in run("admin status").out
    assert run("admin read-only off --json").objects == [{"read_only": False, "reason": "", "draining": False}]
    assert json.loads(run("admin drain on --json").out)["draining"]
    assert "draining" in run("admin status").out
    assert "again" in run("admin drain off").out


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("admin status", "--server: is missing; expected unix:PATH"),
        ("admin status --server http://127.0.0.1:1", "is a door for HTTP"),
        ("admin status --server unix:/nowhere/admin.sock", "--server unix:/nowhere/admin.sock:"),
        ("admin", "ACTION"),
    ],
)
def test_what_cannot_be_reached_is_said_in_a_line(
    words: str, problem: str, run: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("MACHIAVEL_ADMIN", raising=False)
    monkeypatch.chdir(tmp_path)
    result = run(words)
    assert result.code == 2
    assert problem in result.err
