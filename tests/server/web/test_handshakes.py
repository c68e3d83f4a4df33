"""Handshakes of TLS are counted from the first byte on, so that who begins them and waits keeps nobody out."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
import trustme

from tests.server.service.hosted import Hosted, hosted
from tests.server.service.match_calls import until as until_true

MOST = 64  # connections, where there are that few calls; half as many may agree on TLS


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def server(authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    folder = tmp_path_factory.mktemp("handshakes")
    own = authority.issue_cert("localhost")
    own.private_key_pem.write_to_path(folder / "key.pem")
    own.cert_chain_pems[0].write_to_path(folder / "cert.pem")
    with hosted(
        web="127.0.0.1:0", calls=8, watchers=8, tls_certificate=f"{folder}/cert.pem", tls_key=f"{folder}/key.pem"
    ) as result:
        yield result


def plain(server: Hosted, stack: ExitStack) -> socket.socket:
    assert server.server.door is not None
    return stack.enter_context(socket.create_connection(("127.0.0.1", server.server.door.port), 60))


def answers(server: Hosted, authority: trustme.CA, stack: ExitStack) -> bool:
    context = ssl.create_default_context(cadata=authority.cert_pem.bytes().decode())
    with context.wrap_socket(plain(server, stack), server_hostname="localhost") as wire:
        wire.sendall(b"GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n")
        return wire.recv(100).startswith(b"HTTP/1.1 200")


def test_who_begins_many_handshakes_loses_the_oldest_and_keeps_nobody_out(server: Hosted, authority: trustme.CA) -> None:
    door = server.server.door
    assert door is not None
    with ExitStack() as stack:
        silent = [plain(server, stack) for _ in range(MOST)]
        assert {one.recv(1) for one in silent[: MOST // 2]} == {b""}
        assert len(door.newcomers) == MOST // 2

        assert answers(server, authority, stack)

        assert len(door.newcomers) < MOST // 2
        assert not door.state.connections or len(door.state.connections) == 1
    until_true(lambda: not door.newcomers)


def test_what_is_no_tls_ends_its_handshake_alone(server: Hosted, authority: trustme.CA) -> None:
    door = server.server.door
    assert door is not None
    with ExitStack() as stack:
        other = plain(server, stack)
        other.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert b"HTTP" not in other.recv(100)
        assert answers(server, authority, stack)
    until_true(lambda: not door.newcomers)
