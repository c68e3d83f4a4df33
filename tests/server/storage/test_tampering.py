"""What others do to the file and its log while a server has them open: nothing that was acknowledged goes without a word."""

import contextlib
import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from machiavel.server.matches.backups import accept_what_is_left, back_up, restore
from machiavel.server.storage import Conflict, SqliteStorage, StorageFailed, Write, database_file
from machiavel.server.storage.lock_file import LockFile
from tests.server.storage.entries import answer, event, header
from tests.server.storage.full_disk import full
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


@pytest.mark.parametrize("harm", [*HARMLESS, *HARMFUL, add_a_name])
def test_what_happens_in_the_middle_of_a_commit_is_noticed_before_it_is_acknowledged(
    path: Path, harm: Callable[[Path], None]
) -> None:
    planned: list[Callable[[Path], None]] = []

    def step(name: str) -> None:
        if name == "written" and planned:
            planned.pop()(path)

    storage = SqliteStorage(path, step)
    storage.write([Write("a", header("a"))])
    for number in range(1, BEFORE):
        storage.write([Write("a", events=[event(number)])])
    planned.append(harm)
    with pytest.raises(StorageFailed):
        storage.write([Write("a", events=[event(BEFORE)])])
    assert not planned
    storage.close()


class SpoiledCheckpoints:
    """A connection, in whose next checkpoint somebody does harm."""

    def __init__(self, connection: sqlite3.Connection, harm: Callable[[], None]) -> None:
        self.connection = connection
        self.harm: Callable[[], None] | None = harm

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        result = self.connection.execute(statement, *values)
        if "checkpoint" in statement and self.harm is not None:
            harm, self.harm = self.harm, None
            harm()
        return result

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)


@pytest.mark.parametrize("harm", [remove_log, replace_log, remove_index, swap_file, remove_file, add_a_name])
def test_what_happens_in_the_middle_of_a_checkpoint_is_noticed_before_anything_is_acknowledged(
    path: Path, monkeypatch: pytest.MonkeyPatch, harm: Callable[[Path], None]
) -> None:
    storage = SqliteStorage(path)
    storage.write([Write("a", header("a"), [event(1)])])
    monkeypatch.setattr(database_file, "CHECKPOINT", 1)
    spoiled: Any = SpoiledCheckpoints(storage.file.connection, lambda: harm(path))  # type: ignore[arg-type]
    storage.file.connection = spoiled
    with pytest.raises(StorageFailed):
        storage.write([Write("a", events=[event(2)])])
    assert spoiled.harm is None
    storage.close()
    if harm is add_a_name:
        beside(path, "-linked").unlink()
    assert is_kept_or_told(beside(path, ".saved") if harm in {swap_file, remove_file} else path, 2)


def test_a_file_that_is_swapped_while_it_is_opened_is_noticed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    storage = SqliteStorage(path)
    storage.write([Write("a", header("a"))])
    storage.close()
    beside(path, ".lock").unlink()
    look_through = database_file.DatabaseFile.look_through

    def look_and_swap(file: database_file.DatabaseFile, connection: sqlite3.Connection) -> None:
        look_through(file, connection)
        path.rename(beside(path, "-away"))
        beside(path, "-away").with_suffix(".copy").write_bytes(beside(path, "-away").read_bytes())
        beside(path, "-away").with_suffix(".copy").replace(path)

    monkeypatch.setattr(database_file.DatabaseFile, "look_through", look_and_swap)
    with pytest.raises(StorageFailed) as caught:
        SqliteStorage(path)
    assert "is another file than before" in caught.value.problem


def test_a_log_that_began_anew_is_followed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite writes it from its beginning again, once all of it is in the main file."""
    monkeypatch.setattr(database_file, "CHECKPOINT", 30_000)
    storage = SqliteStorage(path)
    storage.write([Write("a", header("a"))])
    log = storage.file.log
    assert log is not None
    ends = []
    for number in range(1, BEFORE):
        storage.write([Write("a", events=[event(number)])])
        ends.append(log.end)
    assert sum(after < before for before, after in pairwise(ends)) >= 2
    assert max(ends) < 60_000 <= beside(path, "-wal").stat().st_size + 30_000
    empty_log(path)
    with pytest.raises(StorageFailed):
        storage.write([Write("a", events=[event(BEFORE)])])
    storage.close()


def test_a_batch_that_is_taken_back_leaves_nothing_that_is_taken_for_a_commit(path: Path) -> None:
    storage = SqliteStorage(path)
    storage.write([Write("a", header("a"))])
    large = [Write("a", events=[replace(event(number), data="x" * 9000)]) for number in range(1, 500)]
    for _ in range(2):
        with pytest.raises(Conflict):
            storage.write([*large, Write("a", events=[event(1)])])  # so much that it is in the log before its end
        storage.write([Write("a", answer=answer("seat 0", os.urandom(8)))])
    storage.write(large)
    storage.close()
    assert SqliteStorage(path, read_only=True).problem() == ""


def test_the_lock_file_is_made_anew_while_nobody_else_has_the_store(path: Path) -> None:
    storage = SqliteStorage(path)
    storage.write([Write("a", header("a"))])
    beside(path, ".lock").unlink()
    storage.write([Write("a", events=[event(1)])])
    with pytest.raises(StorageFailed, match="nothing was done"):
        SqliteStorage(path)
    beside(path, ".lock").unlink()
    other = LockFile(path)
    with pytest.raises(StorageFailed) as caught:
        storage.write([Write("a", events=[event(2)])])
    assert "another server" in caught.value.problem
    other.close()
    storage.write([Write("a", events=[event(2)])])
    storage.close()


def test_a_database_that_was_taken_away_is_saved(path: Path) -> None:
    storage = SqliteStorage(path)
    storage.write([Write("a", header("a"), [event(1)])])
    swap_file(path)
    with pytest.raises(StorageFailed) as caught:
        storage.write([Write("a", events=[event(2)])])
    assert f"machiavel restore {path}.saved --storage sqlite:///{path}" in caught.value.problem
    storage.close()
    saved = SqliteStorage(beside(path, ".saved"), read_only=True)
    assert saved.problem() == ""
    assert saved.load("a") is not None
    assert beside(path, ".saved").stat().st_mode & 0o077 == 0
    saved.close()


def test_a_removed_log_is_saved_though_somebody_reads_all_the_while(path: Path) -> None:
    storage = SqliteStorage(path)
    storage.write([Write("a", header("a"))])
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM events").fetchone()
    for number in range(1, BEFORE):
        storage.write([Write("a", events=[event(number)])])
    remove_log(path)
    with pytest.raises(StorageFailed) as caught:
        storage.write([Write("a", events=[event(BEFORE)])])
    assert f"until then in {path}.saved" in caught.value.problem
    assert is_kept_or_told(beside(path, ".saved"), BEFORE - 1)
    with pytest.raises(StorageFailed):
        storage.look()
    reader.close()
    storage.file.try_again = 0.0
    with pytest.raises(StorageFailed, match="nothing was done") as caught:
        storage.look()
    assert "saved into the main file" in caught.value.problem
    assert not beside(path, ".saved").exists()
    storage.write([Write("a", events=[event(BEFORE)])])
    storage.close()
    assert is_kept_or_told(path, BEFORE)


@pytest.mark.parametrize("harm", [remove_log, swap_file, remove_file])
def test_what_a_full_disk_has_no_room_for_is_held_until_it_has(path: Path, harm: Callable[[Path], None]) -> None:
    storage = SqliteStorage(path)
    storage.write([Write("a", header("a"))])
    for number in range(1, BEFORE):
        storage.write([Write("a", events=[replace(event(number), data="x" * 9000)])])
    harm(path)
    with full():
        for _ in range(2):
            with pytest.raises(StorageFailed) as caught:
                storage.look()
            assert "could not be saved" in caught.value.problem
            assert "it has the only copy" in caught.value.problem
            storage.file.try_again = 0.0
    with pytest.raises(StorageFailed) as caught:
        storage.look()
    assert "all that it held was saved" in caught.value.problem
    storage.close()
    assert is_kept_or_told(path if harm is remove_log else beside(path, ".saved"), BEFORE - 1)


def test_a_file_that_comes_back_before_it_could_be_saved_is_gone_on_with(path: Path) -> None:
    storage = SqliteStorage(path)
    storage.write([Write("a", header("a"), [event(1)])])
    path.rename(beside(path, "-away"))
    with full(), pytest.raises(StorageFailed):
        storage.look()
    beside(path, "-away").rename(path)
    storage.write([Write("a", events=[event(2)])])
    storage.close()
    assert is_kept_or_told(path, 2)


def test_nothing_that_a_server_saved_is_written_over(path: Path) -> None:
    storage = SqliteStorage(path)
    for number in range(1, 3):
        storage.write([Write(f"a{number}", header(f"a{number}"))])
        path.rename(beside(path, "-away"))
        with pytest.raises(StorageFailed):
            storage.look()
        beside(path, "-away").rename(path)
        storage.look()
    storage.close()
    for end, matches in ((".saved", ["a1"]), (".saved-2", ["a1", "a2"])):
        saved = SqliteStorage(beside(path, end), read_only=True)
        assert list(saved.names()) == matches
        saved.close()


def test_what_is_put_there_instead_is_not_saved_for_what_was_taken_away(path: Path) -> None:
    older = beside(path, "-older")
    storage = SqliteStorage(path)
    storage.write([Write("a", header("a"), [event(1)])])
    back_up(path, older)
    storage.write([Write("a", events=[event(2)])])
    older.replace(path)
    beside(path, "-wal").unlink()
    for _ in range(4):
        with pytest.raises(StorageFailed):
            storage.look()
    assert [one.name for one in path.parent.glob("*.sav*")] == [f"{path.name}.saved"]
    storage.close()
    assert is_kept_or_told(beside(path, ".saved"), 2)


def test_what_was_saved_is_named_first_at_the_next_start_and_is_not_passed_over(path: Path) -> None:
    storage = SqliteStorage(path)
    storage.write([Write("a", header("a"), [event(1)])])
    remove_file(path)
    with pytest.raises(StorageFailed) as caught:
        storage.look()
    command = f"machiavel restore {path}.saved --storage sqlite:///{path}"
    assert command in caught.value.problem
    storage.close()
    with pytest.raises(StorageFailed) as caught:
        SqliteStorage(path)
    assert f"kept there; restore what the server saved when it was taken away ({command})" in caught.value.problem
    assert "--what-is-left" not in caught.value.problem
    with pytest.raises(StorageFailed) as caught:
        accept_what_is_left(path)
    assert command in caught.value.problem
    beside(path, ".saved").rename(beside(path, "-elsewhere"))
    with pytest.raises(StorageFailed) as caught:
        accept_what_is_left(path)
    assert "nothing is left there" in caught.value.problem
    with pytest.raises(StorageFailed):
        SqliteStorage(path)
    restore(beside(path, "-elsewhere"), path)
    assert is_kept_or_told(path, 1)


@pytest.mark.parametrize("gone", ["", "-wal"])
def test_a_restoring_that_was_killed_half_way_leaves_the_other_half_for_the_next(path: Path, gone: str) -> None:
    """Of the database and its log one stands aside already, or is gone."""
    copy = beside(path, "-backup")
    with Writer(path) as writer:
        writer.write(BEFORE)
        back_up(path, copy)
        writer.write(AFTER)
        writer.kill()
    log = beside(path, "-wal").read_bytes()
    beside(path, gone).rename(beside(path, f".before-1{gone}"))
    restore(copy, path)
    if gone:
        assert beside(path, ".before-2").exists() and beside(path, ".before-1-wal").read_bytes() == log
    else:
        assert beside(path, ".before-2-wal").read_bytes() == log
    assert is_kept_or_told(path, BEFORE)


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    """Another process reads from a database, as `machiavel backup` does."""
    code = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); c.execute('BEGIN'); "
        "c.execute('SELECT count(*) FROM events').fetchone(); print('reads', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        assert reader.stdout is not None
        assert reader.stdout.readline() == b"reads\n"
        yield
        reader.communicate(b"")


def test_a_log_of_before_that_somebody_still_reads_is_followed_from_where_it_ends(path: Path) -> None:
    """The server was killed during a backup, and starts at once."""
    with Writer(path) as writer:
        writer.write(3)
        with reading(path):
            writer.kill()
            storage = SqliteStorage(path)
            assert beside(path, "-wal").stat().st_size
            storage.write([Write("a", events=[event(4)])])
            empty_log(path)
            with pytest.raises(StorageFailed) as caught:
                storage.look()
            assert "cut short" in caught.value.problem
            storage.close()


def test_a_log_of_before_is_put_into_the_main_file_once_nobody_reads_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_file, "CHECKPOINT", 100_000)
    with Writer(path) as writer:
        writer.write(3)
        with reading(path):
            writer.kill()
            storage = SqliteStorage(path)
            storage.write([Write("a", events=[event(4)])])
    for number in range(5, 65):
        storage.write([Write("a", events=[replace(event(number), data="x" * 9000)])])
    assert beside(path, "-wal").stat().st_size < 200_000
    storage.close()
    assert is_kept_or_told(path, 64)


@pytest.mark.parametrize("harm", [remove_file, swap_file])
def test_a_store_whose_file_goes_before_the_first_commit_begins_anew(path: Path, harm: Callable[[Path], None]) -> None:
    storage = SqliteStorage(path)
    harm(path)
    with pytest.raises(StorageFailed):
        storage.look()
    assert not beside(path, ".saved").exists()
    storage.write([Write("a", header("a"), [event(1)])])
    storage.close()
    assert is_kept_or_told(path, 1)


def test_files_that_cannot_be_looked_at_while_a_log_is_saved_are_a_fault_of_the_storage(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = SqliteStorage(path)
    storage.write([Write("a", header("a"), [event(1)])])
    remove_log(path)
    stat, failing = database_file.DatabaseFile.stat, [True]

    def broken(file: database_file.DatabaseFile, end: str = "") -> os.stat_result | None:
        if failing:
            raise OSError(errno.EIO, "Input/output error")
        return stat(file, end)

    monkeypatch.setattr(database_file.DatabaseFile, "stat", broken)
    for _ in range(2):
        with pytest.raises(StorageFailed):
            storage.look()
    failing.clear()
    with contextlib.suppress(StorageFailed):
        storage.look()
    storage.write([Write("a", events=[event(2)])])
    storage.close()
    assert is_kept_or_told(path, 2)
