"""The metrics are read at one path, and what is wrong with another request is said."""

import http.client
from collections.abc import Iterator

import pytest

from tests.server.service.hosted import hosted


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with hosted(metrics="127.0.0.1:0") as server:
        yield server.server.metrics_address or ""


def answer(address: str, method: str, path: str) -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection(address, timeout=60)
    try:
        connection.request(method, path)
        result = connection.getresponse()
        return result.status, dict(result.getheaders()), result.read().decode()
    finally:
        connection.close()


def test_the_metrics_are_at_their_path(address: str) -> None:
    status, headers, text = answer(address, "GET", "/metrics")
    assert (status, headers["Content-Type"].split(";")[0]) == (200, "text/plain")
    assert "machiavel_searches_running 0.0" in text
    assert answer(address, "GET", "/metrics?name[]=machiavel_matches")[2].splitlines()[-1] == "machiavel_matches 0.0"
    status, headers, text = answer(address, "HEAD", "/metrics")
    assert (status, text) == (200, "")
    assert int(headers["Content-Length"]) > 1000


@pytest.mark.parametrize("path", ["/", "/metrics/", "/favicon.ico", "/metric", "/metrics/x", "/%2e%2e/metrics", "/%ff"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_another_path_is_told_the_right_one(address: str, method: str, path: str) -> None:
    assert answer(address, method, path)[::2] == (404, "there is nothing here; the metrics are at /metrics\n")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "BREW"])
def test_another_method_is_told_the_right_ones(address: str, method: str) -> None:
    status, headers, text = answer(address, method, "/metrics")
    assert (status, headers["Allow"]) == (405, "GET, HEAD")
    assert text == "the metrics are only read; expected GET, HEAD\n"


def test_over_ipv6_too() -> None:
    with hosted(metrics="[::1]:0") as server:
        address = server.server.metrics_address or ""
        assert address.startswith("[::1]:")
        assert answer(address, "GET", "/metrics")[0] == 200
