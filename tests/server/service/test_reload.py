"""Tokens, limits and certificates are read again while the server runs, all of them or none."""

import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
import trustme

from machiavel.clients import BadToken, Tls, TooBusy, connect
from tests.server.service.hosted import Hosted, hosted

ADA, BEN = "-".join(["the", "token", "of", "ada"]), "-".join(["the", "token", "of", "ben"])


def write_tokens(folder: Path, **tokens: str) -> None:
    lines = "".join(f'{name} = "{token}"\n' for name, token in tokens.items())
    (folder / "tokens.toml").write_text(f"[tokens]\n{lines}", encoding="utf-8")


def write_limits(folder: Path, text: str) -> None:
    (folder / "server.toml").write_text(text, encoding="utf-8")


def write_certificate(folder: Path, authority: trustme.CA) -> None:
    own = authority.issue_cert("localhost", "127.0.0.1")
    own.private_key_pem.write_to_path(folder / "key.pem")
    own.cert_chain_pems[0].write_to_path(folder / "cert.pem")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reload")


@pytest.fixture(scope="module")
def first() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def server(folder: Path, first: trustme.CA) -> Iterator[Hosted]:
    write_certificate(folder, first)
    write_tokens(folder, ada=ADA)
    write_limits(folder, 'web = "127.0.0.1:0"\n')
    files = {"tls_certificate": f"{folder}/cert.pem", "tls_key": f"{folder}/key.pem", "tokens": f"{folder}/tokens.toml"}
    with hosted(config=f"{folder}/server.toml", **files) as result:
        yield result


@pytest.fixture(autouse=True)
def as_before(server: Hosted, folder: Path, first: trustme.CA) -> Iterator[None]:
    yield
    write_certificate(folder, first)
    write_tokens(folder, ada=ADA)
    write_limits(folder, 'web = "127.0.0.1:0"\n')
    assert server.run(server.server.reload())


def test_a_token_that_is_added_opens_the_server_and_one_that_is_gone_does_not(
    server: Hosted, folder: Path, first: trustme.CA
) -> None:
    root = first.cert_pem.bytes()
    with connect(server.address, token=ADA, tls=Tls(root)) as ada, connect(server.address, token=BEN, tls=Tls(root)) as ben:
        match = ada.create_match("whist", ["person", "greedy", "greedy"])
        watch = ada.session(match.match, match.tokens[0]).watch()
        next(watch)
        with pytest.raises(BadToken):
            ben.list_games()

        write_tokens(folder, ben=BEN)
        assert server.run(server.server.reload())

        assert ben.list_games()
        with pytest.raises(BadToken):
            ada.list_games()
        with pytest.raises(BadToken):  # what is under way ends, too
            for _ in watch:
                pass


def test_limits_hold_from_the_next_call_on(server: Hosted, folder: Path, first: trustme.CA) -> None:
    with connect(server.address, token=ADA, tls=Tls(first.cert_pem.bytes())) as ada:
        assert ada.list_games()

        write_limits(folder, "[callers.ada]\ncalls = 0\n")
        assert server.run(server.server.reload())

        with pytest.raises(TooBusy) as caught:
            ada.list_games()
        assert caught.value.metadata == {"limit": "callers.ada.calls", "most": "0", "own": "0"}
        assert caught.value.retry_after == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tokens.toml", "[tokens]\n"),
        ("server.toml", "[callers.ada]\ncals = 3\n"),
        ("server.toml", "[callers.adda]\ncalls = 3\n"),
        ("server.toml", "["),
        ("cert.pem", "no certificate"),
        ("key.pem", ""),
    ],
)
def test_a_file_that_is_wrong_changes_nothing(server: Hosted, folder: Path, first: trustme.CA, name: str, text: str) -> None:
    write_tokens(folder, ben=BEN)
    write_limits(folder, "[callers.default]\ncalls = 0\n")
    (folder / name).write_text(text, encoding="utf-8")

    assert not server.run(server.server.reload())

    with connect(server.address, token=ADA, tls=Tls(first.cert_pem.bytes())) as ada:
        assert ada.list_games()


def test_the_next_handshake_has_the_new_certificate_at_both_doors(server: Hosted, folder: Path, first: trustme.CA) -> None:
    other = trustme.CA()
    with connect(server.address, token=ADA, tls=Tls(first.cert_pem.bytes())) as open_before:
        assert open_before.list_games()

        write_certificate(folder, other)
        assert server.run(server.server.reload())

        with connect(server.address, token=ADA, tls=Tls(other.cert_pem.bytes())) as ada:
            assert ada.list_games()
        assert open_before.list_games()  # an open connection stays as it is
    assert trusts(server, other)
    assert not trusts(server, first)


def trusts(server: Hosted, authority: trustme.CA) -> bool:
    """Whether who trusts that authority gets a connection to the web door."""
    context = ssl.create_default_context()
    context.load_verify_locations(cadata=authority.cert_pem.bytes().decode())
    assert server.server.door is not None
    try:
        with socket.create_connection(("127.0.0.1", server.server.door.port), 30) as plain:
            context.wrap_socket(plain, server_hostname="localhost").close()
    except ssl.SSLCertVerificationError:
        return False
    return True


def test_who_signs_the_certificates_of_clients_can_change(folder: Path, first: trustme.CA, tmp_path: Path) -> None:
    second, root = trustme.CA(), first.cert_pem.bytes()
    pairs = []
    for authority in (first, second):
        own = authority.issue_cert("somebody@example.org")
        pairs.append((own.cert_chain_pems[0].bytes(), own.private_key_pem.bytes()))
    first.cert_pem.write_to_path(tmp_path / "ca.pem")
    write_certificate(tmp_path, first)
    files = {"tls_certificate": f"{tmp_path}/cert.pem", "tls_key": f"{tmp_path}/key.pem", "tls_clients": f"{tmp_path}/ca.pem"}
    with hosted(**files) as server:
        second.cert_pem.write_to_path(tmp_path / "ca.pem")
        assert server.run(server.server.reload())
        with connect(server.address, tls=Tls(root, *pairs[1])) as service:
            assert service.list_games()
        channel = grpc.secure_channel(server.address, grpc.ssl_channel_credentials(root, pairs[0][1], pairs[0][0]))
        with channel, pytest.raises(grpc.FutureTimeoutError):
            grpc.channel_ready_future(channel).result(2)
