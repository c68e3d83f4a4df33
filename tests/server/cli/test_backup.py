"""`machiavel backup` copies what a server keeps while it serves, `machiavel restore` puts it back, and both replay it first."""

import contextlib
import json
import os
import random
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from machiavel.server.storage import SqliteStorage, StorageFailed
from tests.before.artifacts import copied
from tests.server.cli.command import Runner
from tests.server.service.hosted import hosted
from tests.server.service.match_calls import PERSON, bot, create, play_on, stub
from tests.server.storage.writer import Writer


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store" / "m.sqlite3"


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "backup.sqlite3"


@pytest.fixture
def made(path: Path) -> Iterator[str]:
    """A server that is playing matches of bots; the place it keeps them."""
    place = f"sqlite:///{path}"
    with hosted(storage=place, think=0.02) as server, stub(server.address) as service:
        for _ in range(3):
            create(service, "bond", bot("random"), bot("random"))
        yield place


def names(path: Path) -> list[str]:
    with contextlib.closing(SqliteStorage(path, read_only=True)) as storage:
        return list(storage.names())


def test_a_backup_is_made_while_the_server_writes_and_holds_one_moment(run: Runner, made: str, path: Path, target: Path) -> None:
    done = run("backup", str(target), "--storage", made, "--json")
    assert done.code == 0, done.err
    (told,) = done.objects
    assert told["matches"] == 3 and told["problems"] == [] and told["commits"] >= 3
    assert target.stat().st_mode & 0o077 == 0
    assert sorted(one.name for one in target.parent.iterdir()) == ["backup.sqlite3", "store"]  # it stands alone
    assert run("verify", "--storage", f"sqlite:///{target}").code == 0
    assert names(target) == names(path)


def test_backups_made_while_a_process_writes_all_it_can_are_each_whole(run: Runner, path: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    with Writer(path) as writer:
        writer.write()
        ended = threading.Event()

        def write() -> None:
            while not ended.is_set():
                assert writer.write().startswith("kept")

        thread = threading.Thread(target=write)
        thread.start()
        try:
            held = []
            for number in range(5):
                done = run("backup", str(tmp_path / f"{number}.sqlite3"), "--storage", f"sqlite:///{path}", "--json")
                assert "does not replay" in json.dumps(done.objects[0]["problems"])  # a match that is none, in whole pages
                with contextlib.closing(SqliteStorage(tmp_path / f"{number}.sqlite3", read_only=True)) as storage:
                    assert storage.problem() == ""
                    stored = storage.load("a")
                    assert stored is not None
                    held.append(len(stored.events))
                    assert [one.seq for one in stored.events] == list(range(1, held[-1] + 1))
        finally:
            ended.set()
            thread.join()
        assert held == sorted(held) and 0 < held[0] <= held[-1] <= writer.kept


def test_what_was_backed_up_comes_back_and_goes_on(run: Runner, path: Path, target: Path) -> None:
    place = f"sqlite:///{path}"
    with hosted(storage=place, think=0.02) as server, stub(server.address) as service:
        match = create(service, "bond", PERSON, bot("random"), bot("random"))
        assert run("backup", str(target), "--storage", place).code == 0
        play_on(service, match.match.match, match.seat_tokens[0], random.Random(1))
        done = run("restore", str(target), "--storage", place)
        assert done.code == 2 and "another server" in done.err  # not while one serves from there
    done = run("restore", str(target), "--storage", place, "--json")
    assert done.code == 0, done.err
    aside = Path(done.objects[0]["aside"])
    assert names(aside) == names(path) == [match.match.match]
    with hosted(storage=place, think=0.02) as server, stub(server.address) as service:
        play_on(service, match.match.match, match.seat_tokens[0], random.Random(2))
    assert run("verify", "--storage", place).code == 0
    assert target.exists()


def test_a_store_that_lost_something_is_restored_or_taken_as_it_is(run: Runner, path: Path, target: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    with Writer(path) as writer:
        writer.write(3)
        older = copied_whole(path, tmp_path / "older.sqlite3")
        writer.write(4)
        writer.kill()
    Path(f"{path}-wal").unlink()
    shutil.copyfile(older, path)
    with pytest.raises(StorageFailed) as caught:
        SqliteStorage(path)
    assert "has lost the last 4 of its 8 commits" in caught.value.problem
    assert run("verify", "--storage", f"sqlite:///{path}").code == 1
    done = run("restore", "--what-is-left", "--storage", f"sqlite:///{path}", "--json")
    (told,) = done.objects
    assert (told["lost"], told["commits"], told["matches"]) == (4, 4, 1)
    storage = SqliteStorage(path)
    stored = storage.load("a")
    storage.close()
    assert stored is not None
    assert len(stored.events) == 3


def copied_whole(path: Path, target: Path) -> Path:
    with contextlib.closing(sqlite3.connect(path)) as source, contextlib.closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
    return target


def test_a_file_of_an_earlier_release_is_backed_up_before_a_server_touches_it(run: Runner, target: Path, tmp_path: Path) -> None:
    file = copied("matches.sqlite3", tmp_path)
    before = file.read_bytes()
    done = run("backup", str(target), "--storage", f"sqlite:///{file}", "--json")
    assert done.code == 0, done.out + done.err
    assert done.objects[0]["matches"] > 10
    assert file.read_bytes() == before
    done = run("restore", str(target), "--storage", f"sqlite:///{tmp_path / 'new.sqlite3'}")
    assert done.code == 0, done.out + done.err


def test_nothing_is_written_over_and_nothing_damaged_is_put_in_place(run: Runner, made: str, path: Path, target: Path) -> None:
    target.write_bytes(b"somebody's")
    assert "is there already" in run("backup", str(target), "--storage", made).err
    assert target.read_bytes() == b"somebody's"
    before = names(path)
    place = f"sqlite:///{path.parent / 'other.sqlite3'}"
    done = run("restore", str(target), "--storage", place)
    assert done.code == 2 and "not a database" in done.err
    assert "expected a backup, or --what-is-left" in run("restore", "--storage", place).err
    assert names(path) == before
    assert not list(path.parent.glob("*.part*"))


def test_the_store_is_the_one_that_the_servers_settings_name(
    run: Runner, path: Path, target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.parent.mkdir()
    with Writer(path) as writer:
        writer.write(3)
        writer.kill()
    settings = tmp_path / "server.toml"
    settings.write_text(f'storage = "sqlite:///{path}"\n')
    monkeypatch.setenv("MACHIAVEL_STORAGE", f"sqlite:///{path}")
    assert run("backup", str(target), "--json").objects[0]["commits"] == 4
    monkeypatch.delenv("MACHIAVEL_STORAGE")
    assert run("restore", str(target), "--config", str(settings), "--json").objects[0]["commits"] == 4
    assert "1 matches replayed" in run("verify", "--config", str(settings)).out
    assert "cannot be read" in run("verify", "--config", str(tmp_path / "none.toml")).err


def test_a_backup_of_a_store_that_lost_something_says_so_and_a_restored_one_how_far_it_is_behind(
    run: Runner, path: Path, target: Path, tmp_path: Path
) -> None:
    path.parent.mkdir()
    place = f"sqlite:///{path}"
    with Writer(path) as writer:
        writer.write(3)
        assert run("backup", str(target), "--storage", place, "--json").objects[0]["lost"] == 0
        writer.write(4)
        writer.kill()
    os.truncate(f"{path}-wal", 0)
    done = run("backup", str(tmp_path / "short.sqlite3"), "--storage", place, "--json")
    assert (done.code, done.objects[0]["commits"], done.objects[0]["lost"]) == (1, 0, 8)
    done = run("restore", str(target), "--storage", place, "--json")
    assert (done.objects[0]["commits"], done.objects[0]["lost"]) == (4, 4)
