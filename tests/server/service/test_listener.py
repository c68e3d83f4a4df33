"""Connections of gRPC are bounded in number, and their handshakes in time; new calls are taken as they come."""

import asyncio
import socket
import threading
import time
from collections import Counter
from contextlib import ExitStack
from typing import Any

import pytest

from bench.abuse.callers import GrpcCaller
from machiavel.clients import ServiceError, connect
from machiavel.server.service import listener
from machiavel.server.service.call_interceptor import ENDED_AT_ONCE, Call
from machiavel.server.service.listener import AHEAD, Listener, PromptServer, hear
from tests.server.service.hosted import Hosted, config, hosted

MOST = 64
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes.fromhex("000000040000000000")


def connection(server: Hosted, stack: ExitStack) -> socket.socket:
    host, _, port = server.address.rpartition(":")
    return stack.enter_context(socket.create_connection((host, int(port)), 60))


def test_connections_beyond_those_that_may_be_are_closed_and_the_next_comes_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "MOST_CONNECTIONS", MOST)
    with hosted() as server, ExitStack() as stack:
        others = [connection(server, stack) for _ in range(MOST)]
        for other in others:
            other.sendall(PREFACE)
            assert other.recv(9)
        with connect(server.address) as service, pytest.raises(ServiceError):
            service.list_games(timeout=3)
        for other in others:
            other.close()
        with connect(server.address) as service:
            assert service.list_games()


def test_who_never_says_hello_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "HANDSHAKE", 300)
    with hosted() as server, ExitStack() as stack:
        silent = connection(server, stack)
        while silent.recv(1000):
            pass


CALLS = 320  # more than the socket takes by which gRPC tells the loop of them, a byte at a time


def test_calls_that_came_while_the_loop_was_away_are_all_taken_in_a_few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds, begun, sent = 0, list[int](), threading.Event()
    begin = PromptServer.begin

    def noted(server: Any, *given: Any) -> None:
        begun.append(rounds)
        begin(server, *given)

    def count(loop: asyncio.AbstractEventLoop) -> None:
        nonlocal rounds
        rounds += 1
        time.sleep(0.005)  # as other work of a round does: meanwhile gRPC can tell what has come
        if len(begun) < CALLS:
            loop.call_soon(count, loop)

    async def crowd(server: Hosted) -> None:
        caller = GrpcCaller(server.address, "")
        await caller.call("GameService/ListGames", b"")
        begun.clear()
        server.loop.call_soon_threadsafe(sent.wait, 60)
        server.loop.call_soon_threadsafe(count, server.loop)
        crowd = [asyncio.ensure_future(caller.call("GameService/ListGames", b"")) for _ in range(CALLS)]
        await asyncio.sleep(2.0)  # for the last of them to arrive, on a machine with other work, too
        sent.set()
        await asyncio.gather(*crowd)
        await caller.close()

    with hosted() as server:
        monkeypatch.setattr(PromptServer, "begin", noted)
        asyncio.run(crowd(server))
    assert begun[-1] - begun[0] <= 10 * CALLS // AHEAD


def test_calls_that_end_at_once_are_worked_off_a_few_in_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds, ended, end = 0, list[int](), Call.end

    def noted(call: Any, *given: Any) -> None:
        ended.append(rounds)
        end(call, *given)

    def count(loop: asyncio.AbstractEventLoop) -> None:
        nonlocal rounds
        rounds += 1
        loop.call_soon(count, loop)

    async def crowd(server: Hosted) -> None:
        caller = GrpcCaller(server.address, "")
        begun = [asyncio.ensure_future(caller.begin("GameService/GetState", 60)) for _ in range(CALLS)]
        while len(server.server.calls.places.calls()) < len(begun):
            await asyncio.sleep(0.01)
        monkeypatch.setattr(Call, "end", noted)
        server.loop.call_soon_threadsafe(count, server.loop)
        server.loop.call_soon_threadsafe(time.sleep, 1.0)  # what ends meanwhile ends in one moment
        for one in begun:
            one.cancel()
        await asyncio.gather(*begun, return_exceptions=True)
        while server.server.calls.places.calls():
            await asyncio.sleep(0.01)
        await caller.close()

    with hosted() as server:
        asyncio.run(crowd(server))
    assert len(ended) >= CALLS
    assert max(Counter(ended).values()) <= 2 * ENDED_AT_ONCE


def test_a_call_whose_time_is_over_when_its_turn_comes_is_never_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, begin, ended = Counter[tuple[bool, bool]](), PromptServer.begin, threading.Event()

    def noted(server: Any, *given: Any) -> bool:
        is_late, before = given[3].time_remaining() <= 0, len(server.under_way)
        answer = begin(server, *given)
        seen[is_late, len(server.under_way) > before] += 1
        return answer

    async def crowd(server: Hosted) -> None:
        caller = GrpcCaller(server.address, "")
        await caller.call("GameService/ListGames", b"", 60)  # so that there is a connection
        server.loop.call_soon_threadsafe(ended.wait, 60)
        late = [caller.call("GameService/ListGames", b"", 3) for _ in range(CALLS)]
        await asyncio.gather(*late, return_exceptions=True)
        ended.set()
        assert await caller.call("GameService/ListGames", b"", 60)
        await caller.close()

    with hosted() as server:
        monkeypatch.setattr(PromptServer, "begin", noted)
        asyncio.run(crowd(server))
    assert set(seen) == {(True, False), (False, True)}
    assert seen[True, False] >= AHEAD  # gRPC hands over as many that came, whether or not their time is over


def test_calls_that_wait_when_the_server_stops_leave_no_fault_in_the_log(capfd: pytest.CaptureFixture[str]) -> None:
    async def crowd(server: Hosted) -> None:
        caller = GrpcCaller(server.address, "")
        waiting = [asyncio.ensure_future(caller.begin("GameService/GetState", 60)) for _ in range(CALLS)]
        while not server.server.calls.places.calls():
            await asyncio.sleep(0.01)
        await asyncio.to_thread(server.stop)
        for one in waiting:
            one.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await caller.close()

    asyncio.run(crowd(Hosted(config())))
    told = capfd.readouterr().err
    assert "fault" not in told
    assert "Traceback" not in told


def test_grpc_is_heard_by_a_listener_that_knows_how_it_tells() -> None:
    async def callbacks() -> list[Any]:
        made = listener.listener(None, None, [])
        assert isinstance(made, Listener)
        selector: Any = asyncio.get_running_loop()
        found = [key.data[0]._callback for key in selector._selector.get_map().values()]
        await made.stop(None)
        return found

    assert hear in [getattr(one, "func", None) for one in asyncio.run(callbacks())]


def test_all_that_was_told_is_heard_at_once() -> None:
    here, there = socket.socketpair()
    with here, there:
        here.setblocking(False)
        there.sendall(bytes(200))
        left = list[int]()

        def look() -> None:
            with pytest.raises(BlockingIOError):
                here.recv(1)
            left.append(0)

        hear(here, look)
        assert left == [0]


def test_an_event_of_a_loop_that_is_closed_keeps_no_other_back() -> None:
    left = ["closed", "closed", "open", "closed", "open"]
    heard: list[str] = []

    def handle() -> None:
        while left:
            heard.append(left.pop(0))
            if heard[-1] == "closed":
                raise RuntimeError("Event loop is closed")

    one, other = socket.socketpair()
    with one, other:
        one.setblocking(False)
        other.send(b"12345")
        hear(one, handle)
    assert heard.count("open") == 2
