"""A server whose storage fails: a clear error, nothing answered that is not on disk, and it goes on when the fault is gone."""

import os
import random
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest

from machiavel import v1
from machiavel.server.service.app import Server
from machiavel.server.service.config import BadConfig
from machiavel.server.storage import MemoryStorage, SqliteStorage, StorageFailed, Write
from machiavel.server.storage.database_file import DatabaseFile
from tests.server.service.hosted import Hosted, config, hosted
from tests.server.service.match_calls import OPEN, PERSON, bot, create, fresh, over, play_on, refused, snapshot, stub, until
from tests.server.storage.full_disk import full

Fault = Callable[[Hosted, Path], AbstractContextManager[None]]


@contextmanager
def locked(server: Hosted, path: Path) -> Iterator[None]:
    other = sqlite3.connect(path, timeout=60, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


@contextmanager
def read_only(server: Hosted, path: Path) -> Iterator[None]:
    """Each connection that is opened meanwhile refuses to write, as for a read-only file: a process of root could write that."""
    opened = DatabaseFile.open

    def open_to_read(file: DatabaseFile) -> None:
        opened(file)
        assert file.connection is not None
        file.connection.execute("PRAGMA query_only = ON")

    DatabaseFile.open = open_to_read  # type: ignore[method-assign,assignment]
    run(server, lambda storage: storage.file.drop())
    try:
        yield
    finally:
        DatabaseFile.open = opened  # type: ignore[method-assign]
        run(server, lambda storage: storage.file.drop())


@contextmanager
def truncated(server: Hosted, path: Path) -> Iterator[None]:
    whole = run(server, partial(cut_short, path))
    try:
        yield
    finally:
        run(server, lambda _: path.write_bytes(whole))


def cut_short(path: Path, storage: SqliteStorage) -> bytes:
    """What the file was. Nothing is written meanwhile, which would be lost with it."""
    storage.file.checkpoint()
    whole = path.read_bytes()
    os.truncate(path, 4096)
    return whole


@contextmanager
def no_room(server: Hosted, path: Path) -> Iterator[None]:
    with full():
        yield


def run(server: Hosted, work: Callable[[Any], Any]) -> Any:
    """Does something with the storage on its own thread."""

    async def ask() -> Any:
        registry = server.server.registry
        assert registry is not None
        return await registry.store.read(work)

    return server.run(ask())


def moves_on_disk(path: Path) -> int:
    with sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True) as connection:
        result: int = connection.execute('SELECT count(*) FROM events WHERE data LIKE \'%"what": "move"%\'').fetchone()[0]
    connection.close()
    return result


@pytest.mark.parametrize("fault", [locked, read_only, truncated, no_room])
def test_nothing_is_answered_that_is_not_on_disk_and_it_goes_on(
    fault: Fault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("machiavel.server.storage.database_file.WAIT", 0.1)
    path = tmp_path / "m.sqlite3"
    with hosted(storage=f"sqlite:///{path}") as server, stub(server.address) as service:
        made = create(service, "whist", PERSON, PERSON)
        alone = create(service, "whist", bot("random", 0.1), bot("random", 0.1), spectators=True)
        waiting = create(service, "whist", PERSON, OPEN)
        token = next(one for one in made.seat_tokens.values() if snapshot(service, made.match.match, one).position.moves)
        shown = snapshot(service, made.match.match, token)
        play = v1.PlayMoveRequest(
            match=made.match.match,
            token=token,
            move=shown.position.moves[0].text,
            request_id=fresh(),
            expected_version=shown.version,
        )
        join = v1.JoinMatchRequest(code=waiting.code, request_id=fresh())
        with fault(server, path):
            for _ in range(2):
                error = refused(lambda: service.PlayMove(play))
                assert (error.code, error.reason) == (grpc.StatusCode.UNAVAILABLE, "STORAGE")
                assert "/" not in str(error)
            assert refused(lambda: create(service, "whist", PERSON, PERSON)).reason == "STORAGE"
            assert refused(lambda: service.JoinMatch(join)).reason == "STORAGE"
            delete = v1.DeleteMatchRequest(match=made.match.match, token=made.host_token)
            assert refused(lambda: service.DeleteMatch(delete)).reason == "STORAGE"
        first = service.PlayMove(play)
        assert service.PlayMove(play) == first
        shown = snapshot(service, made.match.match, token)
        assert list(shown.observed_moves) == [play.move]
        assert service.JoinMatch(join).token == service.JoinMatch(join).token
        until(lambda: over(snapshot(service, alone.match.match)))
        known = len(snapshot(service, alone.match.match).observed_moves) + 1
        assert moves_on_disk(path) == known


class Ambiguous(MemoryStorage):
    """Writes what it says it could not write, every now and then: as a disk does that fails while it syncs."""

    def __init__(self) -> None:
        super().__init__()
        self.rng = random.Random(5)
        self.failures = 0

    def write(self, writes: Sequence[Write]) -> None:
        kind = self.rng.random()
        if kind < 0.2:
            self.failures += 1
            raise StorageFailed("not written")
        super().write(writes)
        if kind < 0.4:
            self.failures += 1
            raise StorageFailed("written all the same")


def test_a_write_that_failed_and_is_there_all_the_same_is_found_again() -> None:
    storage = Ambiguous()

    class AmbiguousServer(Server):
        def __init__(self, settings: Any) -> None:
            super().__init__(settings, storage)

    with pytest.MonkeyPatch.context() as context:
        context.setattr("tests.server.service.hosted.Server", AmbiguousServer)
        with hosted(think=0.02) as server, stub(server.address) as service:
            request = v1.CreateMatchRequest(game="agency", seats=[v1.SeatSetup(kind=PERSON), bot("random")], request_id=fresh())
            made = insisting(lambda: service.CreateMatch(request))
            name, token = made.match.match, made.seat_tokens[0]
            asked = 0
            while not over(shown := snapshot(service, name, token)):
                if shown.position.moves:
                    move = shown.position.moves[0].text
                    play = v1.PlayMoveRequest(
                        match=name, token=token, move=move, request_id=fresh(), expected_version=shown.version
                    )
                    assert insisting(lambda: service.PlayMove(play)).move.text == move  # noqa: B023
                    asked += 1
                else:
                    time.sleep(0.005)
            state = server.server.registry.sessions[name].match.state  # type: ignore[union-attr]
    assert storage.failures > 5
    assert sum(seat == 0 for seat, _ in state_moves(state)) == asked
    stored = storage.load(name)
    assert stored is not None
    assert [one.seq for one in stored.events] == list(range(1, len(stored.events) + 1))


def insisting(ask: Callable[[], Any]) -> Any:
    while True:
        try:
            return ask()
        except grpc.RpcError as error:
            assert error.code() is grpc.StatusCode.UNAVAILABLE  # noqa: PT017


def state_moves(state: Any) -> list[tuple[int, str]]:
    plain = state.game.replay(state.record().__class__(**{**state.record().__dict__, "moves": ()}))
    result = []
    for move in state.moves:
        result.append((plain.seat_to_move, move))
        plain.play(move)
    return result


def test_a_server_does_not_start_on_a_storage_that_cannot_be_had(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite3"
    path.write_bytes(b"not a database at all" * 1000)
    for place, problem in (
        (f"sqlite:///{path}", "not a database"),
        ("sqlite:////proc/nowhere/m.sqlite3", "cannot be written"),
    ):
        with pytest.raises(BadConfig, match=problem) as caught:
            Hosted(config(storage=place))
        assert ("memory:" in str(caught.value)) == (problem == "cannot be written")  # no way to leave what is kept there
    for place in ("sqlite:///", "postgres://x", "sqlite:relative", "m.sqlite3"):
        with pytest.raises(BadConfig, match="expected sqlite:///FILE or memory:"):
            config(storage=place)


def test_two_servers_do_not_play_the_same_matches(tmp_path: Path) -> None:
    place = f"sqlite:///{tmp_path / 'm.sqlite3'}"
    with hosted(storage=place) as server, stub(server.address) as service:
        with pytest.raises(BadConfig, match="another server"):
            Hosted(config(storage=place))
        made = create(service, "whist", PERSON, bot())
        play_on(service, made.match.match, made.seat_tokens[0], random.Random(1))
