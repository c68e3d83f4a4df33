"""The port where Prometheus fetches the metrics: GET /metrics, and nothing else."""

import socket
import threading
from collections.abc import Callable, Iterable
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CollectorRegistry, make_wsgi_app

__all__ = ["PATH", "Exporter"]

PATH = "/metrics"
METHODS = "GET, HEAD"
Respond = Callable[[str, list[tuple[str, str]]], object]


class Exporter(ThreadingMixIn, WSGIServer):
    """Serves in threads of its own, from the beginning until it is closed."""

    daemon_threads = True

    def __init__(self, host: str, port: int, registry: CollectorRegistry) -> None:
        """Raises OSError where it cannot listen."""
        self.address_family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[
            0
        ]
        super().__init__((str(address[0]), port), MetricsHandler)
        self.set_app(app(registry))
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request: object, client_address: object) -> None:
        """Who asked has hung up."""

    def close(self) -> None:
        self.shutdown()
        self.server_close()


class MetricsHandler(WSGIRequestHandler):
    """Says nothing of requests."""

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
        pass


def app(registry: CollectorRegistry) -> Callable[[dict[str, Any], Respond], Iterable[bytes]]:
    metrics = make_wsgi_app(registry)

    def answer(environ: dict[str, Any], respond: Respond) -> Iterable[bytes]:
        method = environ["REQUEST_METHOD"]
        if environ["PATH_INFO"] != PATH:
            return refuse(method, respond, "404 Not Found", f"there is nothing here; the metrics are at {PATH}\n")
        if method not in METHODS.split(", "):
            return refuse(method, respond, "405 Method Not Allowed", f"the metrics are only read; expected {METHODS}\n")
        if method == "GET":
            result: Iterable[bytes] = metrics(environ, respond)
            return result
        headers: list[tuple[str, str]] = []
        body = b"".join(metrics(environ | {"REQUEST_METHOD": "GET"}, lambda _, given: headers.extend(given)))
        respond("200 OK", [*headers, ("Content-Length", str(len(body)))])
        return []

    return answer


def refuse(method: str, respond: Respond, status: str, problem: str) -> Iterable[bytes]:
    headers = [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(problem)))]
    respond(status, [*headers, ("Allow", METHODS)] if status.startswith("405") else headers)
    return [] if method == "HEAD" else [problem.encode()]
