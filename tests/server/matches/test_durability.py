"""Nothing is answered that is not synced to the disk: while a sync is held back, so is the answer."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from machiavel.clients import Client, HostSession, StorageFailed, connect
from machiavel.v1 import SeatKind
from tests.server.matches.process import LAUNCH, Served

PATIENCE = 300.0
MOMENT = 0.3  # in which an answer that waits for nothing has come, many times over
# A server whose database promises less.
LOOSE = """
import functools, runpy, sqlite3
class Loose(sqlite3.Connection):
    def execute(self, query, *values):
        return super().execute(query.replace("synchronous = FULL", "synchronous = OFF"), *values)
sqlite3.connect = functools.partial(sqlite3.connect, factory=Loose)
runpy.run_module("tests.server.matches.launch", run_name="__main__")
"""

Change = Callable[[Client, HostSession], object]
CHANGES: dict[str, Change] = {
    "create": lambda service, _: service.create_match("whist", ["person", "open"]).match,
    "join": lambda service, host: service.join_match(host.code).seat,
    "play": lambda _, host: host.at(0).play(host.at(0).get().position.moves[0].text).version,
    "take over": lambda _, host: host.take_over("greedy", seat=0).taken_over,
    "hand back": lambda _, host: host.hand_back(seat=0).seat,
    "forfeit": lambda _, host: host.at(0).forfeit().forfeited,
    "delete": lambda _, host: host.delete(),
}


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that stands before fsync and fdatasync."""
    library = tmp_path_factory.mktemp("syncs") / "syncs.so"
    source = Path(__file__).with_name("syncs.c")
    subprocess.run(["gcc", "-shared", "-fPIC", "-Wall", "-Werror", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, shim: Path) -> Iterator[tuple[Client, "Syncs"]]:
    """For all changes; each is of a match of its own."""
    with serving(tmp_path_factory.mktemp("changes"), shim) as result:
        yield result


class Syncs:
    """What the shim is told, and what it tells."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def told(self, what: str) -> Iterator[None]:
        (self.folder / what).touch()
        try:
            yield
        finally:
            (self.folder / what).unlink(missing_ok=True)

    @property
    def lines(self) -> list[str]:
        """Of the database and its log alone."""
        log = self.folder / "log"
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        return [line for line in lines if "matches.sqlite" in line]

    def wait_for(self, what: str, after: int) -> None:
        until = time.monotonic() + PATIENCE
        while not any(line.startswith(what) for line in self.lines[after:]):
            assert time.monotonic() < until, self.lines[after:]
            time.sleep(0.005)


@contextmanager
def serving(folder: Path, shim: Path, *command: str) -> Iterator[tuple[Client, Syncs]]:
    """Bots take so long that nothing happens by itself where nobody says otherwise."""
    with Served(folder / "matches.sqlite", "--think", "60") as served:
        served.start(command=command or LAUNCH, LD_PRELOAD=str(shim), SYNCS_FOLDER=str(folder))
        with connect(served.address) as service:
            yield service, Syncs(folder)


def set_up(service: Client, change: str) -> HostSession:
    """A match in which the change can be made, and nothing else happens."""
    host = service.create_match("whist", ["person", "open" if change == "join" else "person"])
    if change == "hand back":
        host.take_over("random", seat=0)
    if change == "play":
        seat = next(seat for seat in (0, 1) if host.at(seat).get().position.moves)
        host.tokens = {0: host.tokens[seat]}
    return host


@pytest.mark.parametrize("change", CHANGES)
def test_an_answer_waits_for_the_disk(served: tuple[Client, Syncs], change: str) -> None:
    service, syncs = served
    with ThreadPoolExecutor(1) as pool:
        host = set_up(service, change)
        seen = len(syncs.lines)
        with syncs.told("hold"):
            answer: Future[Any] = pool.submit(CHANGES[change], service, host)
            syncs.wait_for("begins", seen)
            time.sleep(MOMENT)
            assert not answer.done()
            assert not any(line.startswith("done") for line in syncs.lines[seen:])
            assert is_healthy(service)  # who waits for the disk waits alone
        answer.result(PATIENCE)
        assert any(line.startswith("done") and line.endswith("-wal") for line in syncs.lines[seen:])


def is_healthy(service: Client) -> bool:
    status = health_pb2_grpc.HealthStub(service.channel).Check(health_pb2.HealthCheckRequest(), timeout=PATIENCE).status
    return bool(status == health_pb2.HealthCheckResponse.SERVING)


def test_a_database_that_does_not_sync_is_found_out(tmp_path: Path, shim: Path) -> None:
    with serving(tmp_path, shim, sys.executable, "-c", LOOSE) as (service, syncs), ThreadPoolExecutor(1) as pool:
        host = set_up(service, "play")
        seen = len(syncs.lines)
        with syncs.told("hold"):
            answer = pool.submit(CHANGES["play"], service, host)
            answer.result(PATIENCE)  # held back by nothing
        assert syncs.lines[seen:] == []


def test_what_a_bot_plays_is_shown_once_it_is_synced(tmp_path: Path, shim: Path) -> None:
    with serving(tmp_path, shim) as (service, syncs), ThreadPoolExecutor(1) as pool:
        host = service.create_match("whist", ["person", "person"])
        first = next(seat for seat in (0, 1) if host.at(seat).get().position.moves)
        watch = host.at(1 - first).watch()
        next(watch)
        host.take_over("greedy", seat=first, think=3)
        assert next(watch).event.HasField("seat")
        with syncs.told("hold"):
            shown = pool.submit(next, watch)
            syncs.wait_for("begins", len(syncs.lines))
            time.sleep(MOMENT)
            assert not shown.done()
        event = shown.result(PATIENCE).event
        assert (event.HasField("move"), event.move.seat) == (True, first)


def test_a_sync_that_fails_is_an_error_and_the_repetition_finds_out_what_became_of_it(tmp_path: Path, shim: Path) -> None:
    with serving(tmp_path, shim) as (service, syncs):
        host = set_up(service, "play")
        table = host.at(0)
        before = table.get()
        move = before.position.moves[0].text
        with syncs.told("fail"), pytest.raises(StorageFailed) as caught:
            table.play(move, request_id="b" * 32, timeout=0.5)
        assert caught.value.code == grpc.StatusCode.UNAVAILABLE
        answer = table.play(move, request_id="b" * 32)
        assert table.play(move, request_id="b" * 32) == answer
        after = table.get()
        assert after.position.ply == before.position.ply + 1
        assert {seat.kind for seat in after.match.seats} == {SeatKind.SEAT_KIND_PERSON}
