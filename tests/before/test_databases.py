"""A database of every release opens in this one, with all it holds; a newer one is refused in words, and left as it is."""

import sqlite3
from pathlib import Path

import pytest

from machiavel.server.matches.backups import back_up
from machiavel.server.matches.verification import verify
from machiavel.server.storage import Retention, SqliteStorage, StorageFailed
from machiavel.server.storage.schema import MIGRATIONS

RELEASES = sorted(Path(__file__).parent.glob("*/matches.sqlite3"))


@pytest.mark.parametrize("kept", RELEASES, ids=lambda one: one.parent.name)
def test_a_database_of_every_release_opens_with_all_it_holds(kept: Path, tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite3"
    path.write_bytes(kept.read_bytes())
    before = back_up(path, tmp_path / "before.sqlite3")
    SqliteStorage(path).close()
    storage = SqliteStorage(path, read_only=True)
    told = list(verify(storage))
    assert storage.problem() == ""
    assert len(told) == before.matches and not [one for one in told if one.problem]
    if kept.parent.name == "0.1.0":
        assert storage.retention() == Retention(0, 0)
    storage.close()


def test_every_release_has_left_one() -> None:
    assert {one.parent for one in RELEASES} == {one for one in Path(__file__).parent.glob("[0-9]*") if one.is_dir()}


def test_a_newer_database_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite3"
    SqliteStorage(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    connection.close()
    before = path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(StorageFailed) as caught:
            SqliteStorage(path, read_only=read_only)
        assert "written by a newer release" in caught.value.problem
        assert "take that release, or a backup from before" in caught.value.problem
    assert path.read_bytes() == before
