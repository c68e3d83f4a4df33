"""Bytes that no gRPC library would send."""

import socket

import pytest

from machiavel.clients import connect
from machiavel.server.service.listener import Listener
from tests.server.service.hosted import Hosted, hosted
from tests.server.service.raw import DATA, EMPTY, END_STREAM, PREFACE, SETTINGS, begun, frame

OK, INVALID_ARGUMENT, UNIMPLEMENTED = b"0", b"3", b"12"
LIST_GAMES = b"/machiavel.v1.GameService/ListGames"


def answer_to(address: str, path: bytes, content: bytes | None, *more: tuple[bytes, bytes]) -> bytes:
    """What comes back, up to the status; a request is sent where there is one."""
    host, _, port = address.rpartition(":")
    result = b""
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(PREFACE + frame(SETTINGS, 0, 0, b""))
        connection.sendall(begun(1, path, *more))
        if content is not None:
            connection.sendall(frame(DATA, END_STREAM, 1, content))
        while b"grpc-status" not in result and (more_of_it := connection.recv(1 << 16)):
            result += more_of_it
    return result


def code_of(answer: bytes) -> bytes:
    """The value that is spelled out after the name of the header."""
    at = answer.index(b"grpc-status") + len(b"grpc-status")
    return answer[at + 1 : at + 1 + answer[at]]


@pytest.mark.parametrize("path", [b"/machiavel.v1.GameService/\xff\xfe", b"/\xc3", b"\x80", b"/\xf0\x9f\x82\xa1/x", b"/%ff/%00"])
def test_a_method_whose_name_is_no_text_is_one_that_there_is_not(server: Hosted, path: bytes) -> None:
    answer = answer_to(server.address, path, EMPTY)
    assert code_of(answer) == UNIMPLEMENTED
    assert b"there is no such method" in answer
    with connect(server.address) as service:
        assert service.list_games()


@pytest.mark.parametrize("name", [b"authorization", b"x-request-id", b"x-other"])
def test_metadata_that_is_no_text_does_no_harm(server: Hosted, name: bytes) -> None:
    assert code_of(answer_to(server.address, LIST_GAMES, EMPTY, (name, b"\xff\xfe"))) == OK


def test_a_call_that_keeps_its_request_to_itself_is_answered_too(server: Hosted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("machiavel.server.service.call_interceptor.PATIENCE", 0.1)
    answer = answer_to(server.address, LIST_GAMES, None)
    assert code_of(answer) == INVALID_ARGUMENT
    assert b"request: is missing after 0.1 s" in answer


def test_a_call_that_ends_without_a_request_is_answered(server: Hosted) -> None:
    answer = answer_to(server.address, LIST_GAMES, b"")
    assert code_of(answer) == INVALID_ARGUMENT
    assert b"request: is missing" in answer


def test_with_a_grpc_of_other_insides_it_serves_and_refuses_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("machiavel.server.service.listener.PRIVATE", ("a_name_that_is_gone",))
    with hosted() as server, connect(server.address) as service:
        assert not isinstance(server.server.server, Listener)
        assert service.list_games()
        assert b"there is no such method" in answer_to(server.address, b"/machiavel.v1.GameService/Nothing", EMPTY)
