"""What others do to the file and its log while a server has them open: nothing that was acknowledged goes without a word."""

import contextlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from machiavel.server.storage import SqliteStorage, StorageFailed
from tests.server.storage.writer import Writer

BEFORE, AFTER = 40, 5


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "matches.sqlite3"


def beside(path: Path, end: str) -> Path:
    return Path(f"{path}{end}")


def remove_log(path: Path) -> None:
    beside(path, "-wal").unlink()


def replace_log(path: Path) -> None:
    other = beside(path, "-other")
    other.write_bytes(beside(path, "-wal").read_bytes()[:9000])
    other.replace(beside(path, "-wal"))


def remove_index(path: Path) -> None:
    beside(path, "-shm").unlink()


def empty_log(path: Path) -> None:
    os.truncate(beside(path, "-wal"), 0)


def halve_log(path: Path) -> None:
    log = beside(path, "-wal")
    os.truncate(log, log.stat().st_size // 2)


def swap_file(path: Path) -> None:
    other = beside(path, "-other")
    storage = SqliteStorage(other)
    storage.close()
    other.replace(path)


def remove_file(path: Path) -> None:
    path.unlink()


def write_junk(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.write(os.urandom(size))


def add_a_name(path: Path) -> None:
    os.link(path, beside(path, "-linked"))


def is_kept_or_told(path: Path, kept: int) -> bool:
    """Whether a server that starts now has everything; raises StorageFailed where it says that it has not."""
    storage = SqliteStorage(path)
    try:
        stored = storage.load("a")
        return stored is not None and [one.seq for one in stored.events][:kept] == list(range(1, kept + 1))
    finally:
        storage.close()


HARMLESS = [remove_log, replace_log, remove_index]  # the server has all of it still
HARMFUL = [empty_log, halve_log, swap_file, remove_file, write_junk]


@pytest.mark.parametrize("harm", [*HARMLESS, *HARMFUL])
def test_nothing_that_was_acknowledged_is_missing_after_a_kill_without_a_word(path: Path, harm: Callable[[Path], None]) -> None:
    with Writer(path) as writer:
        writer.write(BEFORE)
        assert writer.kept == BEFORE
        harm(path)
        answers = [writer.write() for _ in range(AFTER)]
        writer.kill()
    assert any(answer.startswith("failed") for answer in answers)
    with contextlib.suppress(*[StorageFailed] * (harm in HARMFUL)):
        assert is_kept_or_told(path, writer.kept)


@pytest.mark.parametrize("harm", [*HARMLESS, *HARMFUL])
def test_a_kill_right_after_it_is_told_at_the_next_start(path: Path, harm: Callable[[Path], None]) -> None:
    with Writer(path) as writer:
        writer.write(BEFORE)
        harm(path)
        writer.kill()
    with contextlib.suppress(StorageFailed):
        assert is_kept_or_told(path, BEFORE)


@pytest.mark.parametrize("harm", HARMLESS)
def test_what_a_removed_log_held_is_saved_and_the_server_goes_on(path: Path, harm: Callable[[Path], None]) -> None:
    with Writer(path) as writer:
        writer.write(BEFORE)
        harm(path)
        assert "-wal" in (told := writer.write()) or "-shm" in told
        assert writer.write() in {f"kept {BEFORE + 1}", f"kept {BEFORE + 2}"}
        writer.write(AFTER)
        writer.kill()
    assert is_kept_or_told(path, writer.kept)


@pytest.mark.parametrize("harm", HARMLESS)
def test_it_is_saved_while_nobody_writes(path: Path, harm: Callable[[Path], None]) -> None:
    with Writer(path) as writer:
        writer.write(BEFORE)
        harm(path)
        assert writer.ask("look").startswith("failed")
        writer.kill()
    assert is_kept_or_told(path, BEFORE)


def test_an_older_copy_under_a_server_that_is_away_is_told(path: Path) -> None:
    copy = beside(path, "-copy")
    with Writer(path) as writer:
        writer.write(BEFORE)
        writer.kill()
    SqliteStorage(path).close()
    shutil.copyfile(path, copy)
    with Writer(path) as writer:
        writer.write(AFTER)
        writer.kill()
    SqliteStorage(path).close()
    shutil.copyfile(copy, path)
    with pytest.raises(StorageFailed) as caught:
        SqliteStorage(path)
    assert f"{AFTER} of its" in caught.value.problem
