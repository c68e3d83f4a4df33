"""`machiavel verify` replays what a server keeps, changes nothing, and says what is not as it should be."""

import json
import random
import sqlite3
from pathlib import Path

import pytest

from tests.server.cli.command import Runner
from tests.server.service.hosted import hosted
from tests.server.service.match_calls import OPEN, PERSON, bot, create, play_on, stub


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file with a match that is over, one under way and one that waits."""
    path = tmp_path_factory.mktemp("kept") / "m.sqlite3"
    with hosted(storage=f"sqlite:///{path}", think=0.02) as server, stub(server.address) as service:
        made = create(service, "bond", PERSON, bot("random"), bot("random"))
        play_on(service, made.match.match, made.seat_tokens[0], random.Random(1))
        create(service, "agency", PERSON, bot("random"))
        create(service, "whist", PERSON, OPEN)
    return path.read_bytes()


@pytest.fixture
def path(kept: bytes, tmp_path: Path) -> Path:
    result = tmp_path / "m.sqlite3"
    result.write_bytes(kept)
    return result


def test_every_match_is_replayed_and_nothing_is_changed(run: Runner, path: Path) -> None:
    before = path.read_bytes()
    done = run("verify", "--storage", f"sqlite:///{path}", "--json")
    whole, *result = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 0
    assert whole == {"type": "database", "problem": ""}
    assert sorted((one["game"], one["phase"]) for one in result) == [
        ("agency", "playing"),
        ("bond", "over"),
        ("whist", "waiting"),
    ]
    assert all(one["problem"] == "" for one in result)
    assert path.read_bytes() == before
    assert "3 matches replayed, 0 of them" in run("verify", "--storage", f"sqlite:///{path}").out


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        ("DELETE FROM events WHERE seq = 3", "does not replay"),
        ('UPDATE events SET data = replace(data, \'"move": "skip"\', \'"move": "lair:9"\')', "does not replay"),
        ('UPDATE matches SET setup = replace(setup, \'"seed": "\', \'"seed": "1\')', "does not replay"),
        ("UPDATE matches SET phase = 'playing' WHERE phase = 'over'", "is listed as playing"),
        ("UPDATE matches SET summary = '{}' WHERE phase = 'over'", "is listed otherwise"),
        ("UPDATE matches SET setup = '{'", "does not replay"),
    ],
)
def test_what_is_not_as_it_should_be_is_said_and_has_an_exit_code(run: Runner, path: Path, damage: str, problem: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(damage)
    connection.commit()
    connection.close()
    done = run("verify", "--storage", f"sqlite:///{path}", "--json")
    assert done.code == 1
    assert any(problem in json.loads(line)["problem"] for line in done.out.splitlines())
    assert run("verify", "--storage", f"sqlite:///{path}").code == 1


@pytest.mark.parametrize("place", ["memory:", "sqlite:///", "mysql://x", "sqlite:////nowhere/m.sqlite3"])
def test_where_nothing_can_be_kept_nothing_is_verified(run: Runner, place: str) -> None:
    done = run("verify", "--storage", place)
    assert done.code == 2
    assert "--storage" in done.err
