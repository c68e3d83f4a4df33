"""Who may call, and how it is kept from others."""

import json
import urllib.request
from pathlib import Path
from typing import Any

import grpc
import pytest
import trustme
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

from machiavel.clients import BadToken, Client, ServiceError, Tls, connect
from machiavel.server.service.app import SERVICES
from machiavel.server.service.call_interceptor import caller_of
from machiavel.server.service.config import BadConfig
from tests.server.service.hosted import Hosted, hosted

NO_PAIR = r"tls_certificate and tls_key: .* no pair"
TOKEN = "-".join(["a", "token", "of", "some", "length"])


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    path = tmp_path / "tokens.toml"
    path.write_text(f'[tokens]\nada = "{TOKEN}"\nben = "{TOKEN[::-1]}"\n', encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def certificates(authority: trustme.CA, tmp_path: Path) -> dict[str, str]:
    own = authority.issue_cert("localhost", "127.0.0.1")
    own.private_key_pem.write_to_path(tmp_path / "key.pem")
    own.cert_chain_pems[0].write_to_path(tmp_path / "cert.pem")
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    return {"tls_certificate": str(tmp_path / "cert.pem"), "tls_key": str(tmp_path / "key.pem")}


def test_with_tokens_only_who_has_one_may_call(tokens: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with hosted(tokens=str(tokens), log_level="info") as server:
        for token in (None, "another-token-of-some-length", TOKEN[:-1]):
            with connect(server.address, token=token) as service, pytest.raises(BadToken) as caught:
                service.list_games()
            assert caught.value.code is grpc.StatusCode.UNAUTHENTICATED
        with connect(server.address, token=TOKEN) as service:
            assert service.list_games()
        with grpc.insecure_channel(server.address) as channel:  # health is for whoever can reach the server
            stub = health_pb2_grpc.HealthStub(channel)
            assert stub.Check(health_pb2.HealthCheckRequest()).status == health_pb2.HealthCheckResponse.SERVING
    log = capfd.readouterr().err
    assert '"caller": "ada"' in log
    assert TOKEN not in log


@pytest.mark.parametrize("text", ["", "[tokens]", '[tokens]\nada = "short"', '[tokens]\nada = "{0}"\nben = "{0}"', "["])
def test_a_file_of_tokens_is_checked(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tokens.toml"
    path.write_text(text.replace("{0}", TOKEN), encoding="utf-8")
    with pytest.raises(BadConfig, match="tokens"), hosted(tokens=str(path)):
        pass


def test_a_token_never_goes_in_the_clear_to_another_machine() -> None:
    for target in (
        "games.example:7788",
        "127.games.example:7788",
        "192.0.2.7:7788",
        "localhost.games.example:7788",
        "dns:///x:1",
    ):
        with pytest.raises(ValueError, match="in the clear"):
            connect(target, token=TOKEN)
    for target in ("127.0.0.1:1", "127.9.9.9:1", "localhost:1", "[::1]:1", "unix:/run/machiavel"):
        connect(target, token=TOKEN).close()


def test_with_a_certificate_the_way_is_encrypted(certificates: dict[str, str], authority: trustme.CA) -> None:
    root = authority.cert_pem.bytes()
    with hosted(**certificates) as server:
        with connect(server.address, tls=Tls(root)) as service:
            assert service.list_games()
        with connect(server.address) as service, pytest.raises(ServiceError):
            service.list_games(timeout=3)
        with connect(server.address, tls=Tls(trustme.CA().cert_pem.bytes())) as service, pytest.raises(ServiceError):
            service.list_games(timeout=3)


def test_clients_can_be_asked_for_certificates_of_their_own(
    certificates: dict[str, str], authority: trustme.CA, tmp_path: Path
) -> None:
    root = authority.cert_pem.bytes()
    own = authority.issue_cert("somebody@example.org")
    pair = (own.cert_chain_pems[0].bytes(), own.private_key_pem.bytes())
    with hosted(**certificates, tls_clients=str(tmp_path / "ca.pem")) as server:
        with connect(server.address, tls=Tls(root, *pair)) as service:
            assert service.list_games()
        with connect(server.address, tls=Tls(root)) as service, pytest.raises(ServiceError):
            service.list_games(timeout=3)


def test_the_caller_is_whom_its_certificate_is_for(
    certificates: dict[str, str], authority: trustme.CA, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """So that nobody gets more of the work with more connections."""
    root = authority.cert_pem.bytes()
    named = [authority.issue_cert(f"{name}@example.org", common_name=name) for name in ("ada", "ben")]
    with hosted(**certificates, tls_clients=str(tmp_path / "ca.pem"), log_level="info") as server:
        for own in (*named, *named):
            pair = (own.cert_chain_pems[0].bytes(), own.private_key_pem.bytes())
            with connect(server.address, tls=Tls(root, *pair)) as service:
                service.list_games()
                service.recommend_move(service.new_state("whist", 3, seed=1), iterations=10)
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    callers = [line["caller"] for line in lines if line.get("method", "").endswith("RecommendMove")]
    assert callers[:2] == callers[2:]
    assert "CN=ada" in callers[0]
    assert "CN=ben" in callers[1]


def test_a_share_is_that_of_a_token_a_certificate_or_an_address(monkeypatch: pytest.MonkeyPatch, tokens: Path) -> None:
    asked: list[object] = []

    def remember(context: Any) -> object:
        asked.append(caller_of(context))
        return asked[-1]

    monkeypatch.setattr("machiavel.server.service.bot_service.caller_of", remember)
    for settings, token in (({}, None), ({"tokens": str(tokens)}, TOKEN)):
        with hosted(**settings) as server:
            for _ in range(2):
                with connect(server.address, token=token) as service:
                    state = service.new_state("whist", 3, seed=1)
                    for _ in range(2):
                        service.recommend_move(state, iterations=10)
    half = len(asked) // 2
    assert half >= 4
    assert asked == ["ipv4:127.0.0.1"] * half + ["ada"] * half


def test_reflection_is_for_who_may_call(tokens: Path) -> None:
    with hosted(tokens=str(tokens)) as server:
        with grpc.insecure_channel(server.address) as channel, pytest.raises(grpc.RpcError) as caught:
            ProtoReflectionDescriptorDatabase(channel).get_services()
        assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED


def test_a_key_that_is_not_the_certificates_is_named(certificates: dict[str, str], authority: trustme.CA, tmp_path: Path) -> None:
    other = tmp_path / "other.pem"
    authority.issue_cert("localhost").private_key_pem.write_to_path(other)
    with pytest.raises(BadConfig, match=NO_PAIR), hosted(**certificates | {"tls_key": str(other)}):
        pass
    other.write_text("no certificate", encoding="utf-8")
    for name in ("tls_certificate", "tls_key"):
        with pytest.raises(BadConfig, match=NO_PAIR), hosted(**certificates | {name: str(other)}):
            pass
    with pytest.raises(BadConfig, match=r"tls_clients: .* no certificate"), hosted(**certificates, tls_clients=str(other)):
        pass


@pytest.mark.parametrize("name", ["tls_certificate", "tls_key", "tls_clients"])
def test_a_certificate_that_is_not_there_is_named(certificates: dict[str, str], name: str) -> None:
    with pytest.raises(BadConfig, match=f"{name}: .*cannot be read"), hosted(**certificates | {name: "none.pem"}):
        pass


def test_a_port_is_for_one_server(server: Hosted) -> None:
    for name in ("listen", "metrics"):
        with pytest.raises(BadConfig, match=f"{name}: .* cannot be had"), hosted(**{name: server.address}):
            pass


def test_tools_are_told_of_the_services(server: Hosted) -> None:
    with grpc.insecure_channel(server.address) as channel:
        assert set(SERVICES) < set(ProtoReflectionDescriptorDatabase(channel).get_services())
    with hosted(reflection=False) as silent, grpc.insecure_channel(silent.address) as channel, pytest.raises(grpc.RpcError):
        ProtoReflectionDescriptorDatabase(channel).get_services()


def test_health_tells_of_each_service(server: Hosted) -> None:
    with grpc.insecure_channel(server.address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        for name in ("", *SERVICES):
            status = stub.Check(health_pb2.HealthCheckRequest(service=name)).status
            assert status == health_pb2.HealthCheckResponse.SERVING


def test_metrics_count_calls_and_searches(service: Client) -> None:
    with hosted(metrics="127.0.0.1:0") as server, connect(server.address) as client:
        client.list_games()
        with pytest.raises(ServiceError):
            client.new_state("chess", 2)
        text = urllib.request.urlopen(f"http://{server.server.metrics_address}/metrics").read().decode()
    assert 'machiavel_calls_total{code="OK",method="ListGames",reason=""} 1.0' in text
    assert 'machiavel_calls_total{code="NOT_FOUND",method="NewState",reason="UNKNOWN_GAME"} 1.0' in text
    assert "machiavel_searches_running 0.0" in text
