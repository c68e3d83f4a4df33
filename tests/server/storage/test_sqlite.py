"""The file: its tables from version to version, and what becomes of it on a disk that fails."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from machiavel.server.storage import SqliteStorage, StorageFailed, Write, schema
from machiavel.server.storage.schema import COUNTED, MIGRATIONS, migrate
from tests.server.storage.entries import event, header
from tests.server.storage.full_disk import full

NOBODY = 65534
CREATED = Write("a", header("a"), [event(1)])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "matches.sqlite3"


@pytest.fixture
def storage(path: Path) -> Iterator[SqliteStorage]:
    result = SqliteStorage(path)
    result.write([CREATED])
    yield result
    result.close()


@contextmanager
def failing(problem: str) -> Iterator[None]:
    """What is told to callers names no file; what is told to the log does."""
    with pytest.raises(StorageFailed) as caught:
        yield
    assert re.search(problem, caught.value.problem), caught.value.problem
    assert "/" not in str(caught.value)


def kept(storage: SqliteStorage) -> list[int]:
    stored = storage.load("a")
    return [] if stored is None else [one.seq for one in stored.events]


def on_disk(path: Path) -> list[int]:
    """What somebody else reads there."""
    with sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True) as connection:
        return [row[0] for row in connection.execute("SELECT seq FROM events ORDER BY seq")]


def test_it_is_written_ahead_and_synced(storage: SqliteStorage) -> None:
    assert storage.connection is not None
    assert storage.connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert storage.connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_nobody_but_its_owner_may_read_it(storage: SqliteStorage, path: Path) -> None:
    assert path.stat().st_mode & 0o077 == 0


def test_what_was_kept_is_there_when_it_is_opened_again(storage: SqliteStorage, path: Path) -> None:
    storage.close()
    again = SqliteStorage(path)
    assert kept(again) == [1]
    again.close()


@pytest.mark.parametrize("version", range(len(MIGRATIONS)))
def test_tables_of_every_older_version_are_brought_up_to_date_with_what_they_hold(
    path: Path, version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as context:
        context.setattr(schema, "MIGRATIONS", MIGRATIONS[:version])
        connection = sqlite3.connect(path, isolation_level=None)
        migrate(connection)
        assert connection.execute("PRAGMA user_version").fetchone() == (version,)
        if version:
            values = ("a", "anna", 1, b"host", None, "{}", "waiting", "{}")
            columns = "match, account, created, host, code, setup, phase, summary"
            connection.execute(f"INSERT INTO matches ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)  # noqa: S608
        if version >= COUNTED:
            connection.execute("UPDATE identity SET matches = 1")
        connection.close()
    storage = SqliteStorage(path)
    assert storage.connection is not None
    assert storage.connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    assert list(storage.names()) == ["a"] * bool(version)
    storage.close()


def test_a_migration_that_fails_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    SqliteStorage(path).close()
    monkeypatch.setattr(schema, "MIGRATIONS", (*MIGRATIONS, "CREATE TABLE more (x); CREATE TABLE more (x);"))
    with failing("already exists"):
        SqliteStorage(path)
    monkeypatch.undo()
    storage = SqliteStorage(path)
    assert storage.connection is not None
    assert not storage.connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'more'").fetchall()
    storage.close()


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        (f"PRAGMA user_version = {len(MIGRATIONS) + 1}", "newer release"),
        ("PRAGMA application_id = 7", "something else"),
    ],
)
def test_a_file_of_a_newer_release_or_of_something_else_is_left_alone(path: Path, statement: str, problem: str) -> None:
    SqliteStorage(path).close()
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()
    before = path.read_bytes()
    for _ in range(2):
        with failing(problem):
            SqliteStorage(path)
    assert path.read_bytes() == before


def test_two_servers_do_not_keep_their_matches_in_one_file(storage: SqliteStorage, path: Path) -> None:
    with failing(rf"another server \(process {os.getpid()}\) keeps its matches there"):
        SqliteStorage(path)
    Path(f"{path}.lock").write_text("")  # of a release that did not say who it was
    with failing("another server keeps its matches there"):
        SqliteStorage(path)
    assert kept(SqliteStorage(path, read_only=True)) == [1]
    storage.close()
    SqliteStorage(path).close()


def test_what_is_left_of_deleted_matches_is_not_gone_through(storage: SqliteStorage) -> None:
    assert storage.connection is not None
    asked: list[str] = []
    storage.connection.set_trace_callback(asked.append)
    storage.lasts("over", 99, (1, "a"), 5)
    storage.listed(None, "over", None, 5)
    storage.connection.set_trace_callback(None)
    for query in (one for one in asked if one.startswith("SELECT match")):
        plan = storage.connection.execute(f"EXPLAIN QUERY PLAN {query}").fetchall()
        steps = [row[3] for row in plan if " events " not in row[3]]
        assert any("USING INDEX matches_by_phase (phase=?" in step for step in steps), steps
        assert not any("SCAN" in step or "TEMP" in step for step in steps), steps
    (index,) = storage.connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'matches_by_phase'").fetchone()
    assert index.endswith("WHERE NOT deleted")


def test_a_server_that_was_killed_does_not_keep_others_out(path: Path) -> None:
    code = f"import os, signal; from machiavel.server.storage import SqliteStorage; s = SqliteStorage({str(path)!r})"
    done = subprocess.run([sys.executable, "-c", f"{code}; os.kill(os.getpid(), signal.SIGKILL)"], check=False)
    assert done.returncode == -signal.SIGKILL
    SqliteStorage(path).close()


# ---- A disk that fails: what is refused is not there, what is acknowledged is, and it goes on when the fault is gone ----


@contextmanager
def out_of_pages(storage: SqliteStorage) -> Iterator[None]:
    """The database may not have more pages than it has."""
    assert storage.connection is not None
    (pages,) = storage.connection.execute("PRAGMA page_count").fetchone()
    storage.connection.execute(f"PRAGMA max_page_count = {pages}")
    yield


def refused(storage: SqliteStorage, path: Path, write: Write, problem: str) -> None:
    before = on_disk(path)
    with failing(problem):
        storage.write([write])
    assert on_disk(path) == before


def goes_on(storage: SqliteStorage, path: Path) -> None:
    number = len(kept(storage)) + 1
    storage.write([Write("a", events=[event(number)])])
    assert kept(storage) == on_disk(path) == list(range(1, number + 1))


def test_a_disk_that_takes_no_more_of_a_file(storage: SqliteStorage, path: Path) -> None:
    with full():
        refused(storage, path, Write("a", events=[event(2)]), "full|disk I/O error")
    goes_on(storage, path)


def test_a_full_disk(storage: SqliteStorage, path: Path) -> None:
    big = header("b", setup="x" * 100_000)
    with out_of_pages(storage):
        refused(storage, path, Write("b", big), "full")
    goes_on(storage, path)
    storage.write([Write("b", big)])


def test_a_file_that_may_not_be_written(storage: SqliteStorage, path: Path) -> None:
    assert storage.connection is not None
    storage.connection.execute("PRAGMA query_only = ON")  # what a read-only file answers, whoever this process is
    refused(storage, path, Write("a", events=[event(2)]), "readonly")
    goes_on(storage, path)


@contextmanager
def nobody_writes(place: Path) -> Iterator[None]:
    """Neither in the folder nor in its files; root, who may do anything, is somebody else meanwhile."""
    for one in place.iterdir():
        one.chmod(0o444)
    place.chmod(0o555)
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)
        place.chmod(0o755)
        for one in place.iterdir():
            one.chmod(0o644)


def test_a_file_and_a_folder_that_this_user_may_not_write() -> None:
    with tempfile.TemporaryDirectory() as name:  # pytest's own folders are closed to others
        place = Path(name)
        path = place / "matches.sqlite3"
        storage = SqliteStorage(path, alone=False)
        storage.write([CREATED])
        storage.file.drop()
        with nobody_writes(place):
            with failing("readonly|unable to open|read-only"):
                storage.write([Write("a", events=[event(2)])])
            with failing("cannot be written: Permission denied"):
                SqliteStorage(place / "other.sqlite3")
        goes_on(storage, path)
        storage.close()


def test_a_database_that_somebody_else_has_locked(storage: SqliteStorage, path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    refused(storage, path, Write("a", events=[event(2)]), "locked")
    other.execute("ROLLBACK")
    other.close()
    goes_on(storage, path)


@pytest.mark.parametrize("size", [0, 100, 5000])
def test_a_database_that_is_cut_short(storage: SqliteStorage, path: Path, size: int) -> None:
    storage.file.checkpoint()
    assert kept(storage) == [1]
    whole = path.read_bytes()
    assert len(whole) > 5000
    os.truncate(path, size)
    for _ in range(2):
        with failing("cut short|malformed|not a database|another"):
            storage.write([Write("a", events=[event(2)])])
        with pytest.raises(StorageFailed):
            storage.load("a")
    assert path.stat().st_size == size
    with path.open("r+b") as file:
        file.write(whole)
    goes_on(storage, path)


def test_a_database_that_is_cut_short_to_what_it_was_before_it_grew(storage: SqliteStorage, path: Path) -> None:
    before = path.stat().st_size
    storage.write([Write("b", header("b", setup="x" * 100_000)), Write("a", events=[event(2)])])
    storage.file.checkpoint()
    assert path.stat().st_size > before
    whole = path.read_bytes()
    os.truncate(path, before)
    with failing("cut short"):
        storage.write([Write("a", events=[event(3)])])
    with path.open("r+b") as file:
        file.write(whole)
    goes_on(storage, path)


def test_a_database_that_is_gone_or_is_another(storage: SqliteStorage, path: Path, tmp_path: Path) -> None:
    aside = tmp_path / "aside"
    names = [Path(f"{path}{end}") for end in ("", "-wal", "-shm")]
    for name in names:
        name.rename(f"{aside}{name.name}")
    with pytest.raises(StorageFailed):
        storage.write([Write("a", events=[event(2)])])
    other = SqliteStorage(path, alone=False)
    other.write([CREATED])
    other.close()
    with failing("another"):
        storage.write([Write("a", events=[event(2)])])
    for name in names:
        name.unlink(missing_ok=True)
        Path(f"{aside}{name.name}").rename(name)
    goes_on(storage, path)


def test_a_damaged_database_is_no_storage_to_begin_with(path: Path) -> None:
    path.write_bytes(b"not a database at all, but long enough to look at" * 100)
    with failing("not a database"):
        SqliteStorage(path)


def test_a_damaged_database_of_which_sqlite_speaks_in_no_utf_8_is_no_storage_either(path: Path) -> None:
    SqliteStorage(path).close()
    named = path.read_bytes().replace(b"tablematchesmatches", b"table\xadatchesmatches", 1)
    path.write_bytes(named.replace(b"CREATE TABLE matches", b"CREATE TABLE (atches", 1))
    with failing("can't decode byte 0xad"):
        SqliteStorage(path)
