"""Every line that a server leaves on stderr is one of its log, whoever wrote it."""

import contextlib
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import trustme

from machiavel.clients import connect
from machiavel.server.cli.stderr import logged_stderr, read
from tests.server.cli.command import COMMAND, environment
from tests.server.service.hosted import config, hosted

WAIT = 60  # seconds, where something is wrong
STDERR = 2
HANDSHAKE = "ssl_transport_security"  # the file of gRPC that tells of handshakes that fail


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    own, folder = trustme.CA().issue_cert("127.0.0.1"), tmp_path_factory.mktemp("certificates")
    own.private_key_pem.write_to_path(folder / "key.pem")
    own.cert_chain_pems[0].write_to_path(folder / "cert.pem")
    return ("--tls-certificate", f"{folder}/cert.pem", "--tls-key", f"{folder}/key.pem")


@contextmanager
def serving(*arguments: str, **variables: str) -> Iterator[tuple[tuple[str, int], Any]]:
    """Where a server in a process of its own listens, and the process."""
    command = [*COMMAND, "serve", "--listen", "127.0.0.1:0", "--json", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment(**variables)) as process:
        try:
            assert process.stdout is not None
            host, _, port = json.loads(process.stdout.readline())["address"].rpartition(":")
            yield (host, int(port)), process
        finally:
            process.kill()


def test_a_server_without_stderr_answers() -> None:
    command = [*COMMAND, "serve", "--listen", "127.0.0.1:0", "--storage", "memory:", "--json"]
    closed = ["sh", "-c", 'exec "$@" 2>&-', "sh", *command]
    with subprocess.Popen(closed, stdout=subprocess.PIPE, text=True, env=environment()) as process:
        try:
            assert process.stdout is not None
            with connect(json.loads(process.stdout.readline())["address"]) as service:
                assert service.list_games()
            process.send_signal(signal.SIGTERM)
            assert process.wait(WAIT) == 0
        finally:
            process.kill()


def test_a_server_within_a_program_without_stderr_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with hosted(log_level="info") as server, connect(server.address) as service:
        assert service.list_games()


def send(address: tuple[str, int], data: bytes) -> None:
    """Until the server hangs up."""
    with socket.create_connection(address, timeout=WAIT) as connection, contextlib.suppress(ConnectionError):
        connection.sendall(data)
        while connection.recv(1 << 16):
            pass


@pytest.mark.parametrize("verbosity", [{}, {"GRPC_VERBOSITY": "debug", "GRPC_TRACE": "all"}], ids=["as usual", "all of gRPC"])
def test_what_grpc_says_is_json_from_the_first_line_to_the_last(certificates: tuple[str, ...], verbosity: dict[str, str]) -> None:
    with serving(*certificates, "--log-format", "json", **verbosity) as (address, process):
        written = list[str]()
        reader = threading.Thread(target=lambda: written.extend(process.stderr))
        reader.start()
        end = time.monotonic() + WAIT
        # All that gRPC can say is more than fits into the pipe at times, and what does not fit is lost.
        while not any("Handshake failed" in line for line in tuple(written)) and time.monotonic() < end:
            for garbage in (b"GET / HTTP/1.1\r\n\r\n", bytes(100), b"\x16\x03\x01\x02\x00" + b"x" * 600):
                send(address, garbage)
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        reader.join(WAIT)
    lines = [json.loads(line) for line in written]
    told = [line for line in lines if HANDSHAKE in line.get("source", "")]
    assert told
    assert {line["event"] for line in told} == {"grpc"}
    assert all("level" in line and "timestamp" in line for line in lines)
    assert any(line["message"].startswith("Handshake failed") for line in told)


def test_what_grpc_says_is_in_the_format_for_people_too(certificates: tuple[str, ...]) -> None:
    with serving(*certificates, "--log-format", "console") as (address, process):
        send(address, b"GET / HTTP/1.1\r\n\r\n")
        process.send_signal(signal.SIGTERM)
        _, written = process.communicate(timeout=WAIT)
    (line,) = (line for line in written.splitlines() if HANDSHAKE in line)
    assert "[info     ] grpc " in line


def test_who_wants_errors_alone_is_not_told_of_a_handshake(certificates: tuple[str, ...]) -> None:
    with serving(*certificates, "--log-level", "error") as (address, process):
        send(address, b"GET / HTTP/1.1\r\n\r\n")
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=WAIT)[1] == ""
        assert process.returncode == 0


def logged(capfd: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capfd.readouterr().err.splitlines()]


def test_whoever_writes_there_writes_lines_of_the_log(capfd: pytest.CaptureFixture[str]) -> None:
    with logged_stderr(config(log_level="warning")):
        os.write(STDERR, b"E0102 03:04:05.678901   77 some_file.cc:12] it broke\nI0102 03:04:05.678901   77 a.cc:1] it is well\n")
        os.write(STDERR, b"\n\xff raw\n")
        subprocess.run(["sh", "-c", "echo another process >&2"], check=True)
        os.write(STDERR, b"x" * 20_000 + b"\nwithout an end")
    lines = logged(capfd)
    assert [(line["level"], line["event"], line.get("source")) for line in lines[:1]] == [("error", "grpc", "some_file.cc:12")]
    assert [line["message"] for line in lines[:3]] == ["it broke", "\ufffd raw", "another process"]
    assert "".join(line["message"] for line in lines[3:-1]) == "x" * 20_000
    assert lines[-1]["message"] == "without an end"
    os.write(STDERR, b"as it was\n")
    assert capfd.readouterr().err == "as it was\n"


@pytest.mark.parametrize("size", [8192, 8193, 20_000, 60_000, 200_000])
def test_a_line_is_cut_at_its_greatest_length_however_it_came(size: int) -> None:
    log, (reading, writing) = Mock(), os.pipe()
    reader = threading.Thread(target=read, args=(reading, log))
    reader.start()
    with os.fdopen(writing, "wb", buffering=0) as pipe:
        pipe.write(b"x" * size + b"\n")
    reader.join(WAIT)
    lengths = [len(call.kwargs["message"]) for call in log.warning.call_args_list]
    assert lengths == [8192] * (size // 8192) + [size % 8192] * (size % 8192 > 0)


def test_what_libraries_log_is_logged_without_what_an_error_says(capfd: pytest.CaptureFixture[str]) -> None:
    with logged_stderr(config(log_level="warning")):
        logging.getLogger("grpc").warning("a word of %s", "theirs")
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn("is old", DeprecationWarning, stacklevel=1)
        try:
            raise RuntimeError("the hand is H2 H3 H4")
        except RuntimeError:
            logging.getLogger("asyncio").exception("the hand is %s", "H2 H3 H4")
    first, second, third = logged(capfd)
    assert (first["event"], first["logger"], first["message"]) == ("library", "grpc", "a word of theirs")
    assert "DeprecationWarning: is old" in second["message"]
    assert (third["level"], third["logger"], third["kind"]) == ("error", "asyncio", "RuntimeError")
    assert Path(__file__).name in third["frames"][0]
    assert "H2" not in json.dumps(third)


def test_a_call_of_a_library_that_cannot_be_read_raises_nothing_there(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])  # pytest's own raise

    class Silent:
        def __str__(self) -> str:
            raise RuntimeError("the hand is H2 H3 H4")

    with logged_stderr(config(log_level="warning")):
        logging.getLogger("grpc").warning("%d matches", "the hand is H2 H3 H4")
        logging.getLogger("asyncio").error(Silent())
    lines = logged(capfd)
    assert [(line["level"], line["event"], line["logger"], line["kind"]) for line in lines] == [
        ("warning", "library", "grpc", "unreadable"),
        ("error", "library", "asyncio", "unreadable"),
    ]
    assert "H2" not in json.dumps(lines)


def test_more_than_the_pipe_takes_keeps_no_writer_waiting(capfd: pytest.CaptureFixture[str]) -> None:
    """It may have the lock that the reader needs; what is lost are whole lines."""
    with logged_stderr(config(log_level="warning")):
        lost = 0
        while not lost:
            try:
                os.write(STDERR, b"y" * 999 + b"\n")
            except BlockingIOError:
                lost += 1
    assert {line["message"] for line in logged(capfd)} == {"y" * 999}
