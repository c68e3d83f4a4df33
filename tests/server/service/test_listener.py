"""Connections of gRPC are bounded in number, and their handshakes in time."""

import socket
from contextlib import ExitStack

import pytest

from machiavel.clients import ServiceError, connect
from machiavel.server.service import listener
from tests.server.service.hosted import Hosted, hosted

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
