"""Copies of a database: nobody else reads them while they are made, and they take nobody's place."""

import contextlib
import os
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from machiavel.server.matches import backups
from machiavel.server.storage import SqliteStorage, StorageFailed, Write, schema
from machiavel.server.storage.copies import opened_copy
from tests.before.artifacts import copied
from tests.server.storage.entries import event, header


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "matches.sqlite3"


def test_a_copy_is_its_owners_alone_from_its_first_byte_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = copied("matches.sqlite3", tmp_path)
    left = file.with_name(f"{file.name}.newer-wal")
    left.write_bytes(b"of a backup that was killed")
    copy_bytes, modes = shutil.copyfileobj, []

    def copy_and_look(source: Any, target: Any, *more: Any) -> None:
        modes.append(os.fstat(target.fileno()).st_mode & 0o777)
        copy_bytes(source, target, *more)

    monkeypatch.setattr(shutil, "copyfileobj", copy_and_look)
    before = os.umask(0)
    try:
        with opened_copy(file) as storage:
            assert list(storage.names())
    finally:
        os.umask(before)
    assert modes == [0o600]
    assert not list(tmp_path.glob("*.newer*"))


def test_a_backup_takes_no_name_that_was_given_away_meanwhile(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = path.with_name("backup.sqlite3")
    with contextlib.closing(SqliteStorage(path)) as storage:
        storage.write([Write("a", header("a"))])
    monkeypatch.setattr(backups.Report, "read", lambda *_: target.write_bytes(b"somebody's"))
    with pytest.raises(StorageFailed) as caught:
        backups.back_up(path, target)
    assert "File exists" in caught.value.problem
    assert target.read_bytes() == b"somebody's"
    assert not list(path.parent.glob("*.part"))


def test_a_match_is_read_as_it_is_at_one_moment(path: Path) -> None:
    writer = SqliteStorage(path)
    writer.write([Write("a", header("a", phase="playing"))])
    reader = SqliteStorage(path, read_only=True)
    assert reader.connection is not None
    planned = [Write("a", events=[event(1)], phase="over")]

    def write(statement: str) -> None:
        if "FROM events" in statement and planned:
            writer.write([planned.pop()])

    reader.connection.set_trace_callback(write)
    stored = reader.load("a")
    assert not planned
    assert stored is not None
    assert (stored.header.phase, stored.events) == ("playing", [])
    reader.close()
    writer.close()


def test_a_store_whose_first_start_was_cut_short_is_a_new_one(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"PRAGMA application_id = {schema.APPLICATION}; {schema.MIGRATIONS[0]} PRAGMA user_version = 1;")
    with contextlib.closing(SqliteStorage(path)) as storage:
        assert storage.retention() == schema.NEW


def test_another_history_of_a_restored_store_is_not_taken_for_it(path: Path) -> None:
    copy = path.with_name("backup.sqlite3")
    with contextlib.closing(SqliteStorage(path)) as storage:
        storage.write([Write("a", header("a"))])
        backups.back_up(path, copy)
        storage.write([Write("a", events=[event(1)])])
    aside = backups.restore(copy, path).aside
    assert aside is not None
    with contextlib.closing(SqliteStorage(path)) as storage:
        storage.write([Write("b", header("b"))])
    aside.replace(path)
    with pytest.raises(StorageFailed) as caught:
        SqliteStorage(path)
    assert "is another database" in caught.value.problem


@pytest.mark.parametrize("is_root", [True, False])
def test_what_root_restores_is_for_the_servers_user(path: Path, monkeypatch: pytest.MonkeyPatch, is_root: bool) -> None:
    copy, given = path.with_name("backup.sqlite3"), []
    with contextlib.closing(SqliteStorage(path)) as storage:
        storage.write([Write("a", header("a"))])
        backups.back_up(path, copy)
    owner = path.stat()
    monkeypatch.setattr(os, "geteuid", lambda: 0 if is_root else 1000)
    monkeypatch.setattr(os, "chown", lambda file, *to: given.append((Path(file).name, to)))
    backups.restore(copy, path)
    to = (owner.st_uid, owner.st_gid)
    assert given == ([("matches.sqlite3.part", to), ("matches.sqlite3.lock", to)] if is_root else [])
