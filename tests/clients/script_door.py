"""A door for HTTP that answers as a script says: the Connect protocol, written by hand and on purpose not by the server."""

import base64
import json
import threading
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import grpc
from google.protobuf import message_factory

from machiavel.v1 import match_service_pb2

__all__ = ["ScriptDoor"]

METHODS = match_service_pb2.DESCRIPTOR.services_by_name["MatchService"].methods_by_name
STATUS = {grpc.StatusCode.UNAVAILABLE: 503, grpc.StatusCode.PERMISSION_DENIED: 403}


class Refused(Exception):
    """A step of the script is a status."""


class Refusing:
    """As much of gRPC's context as a script asks for."""

    def abort(self, code: grpc.StatusCode, details: str) -> None:
        raise Refused(code, details)


class Handler(BaseHTTPRequestHandler):
    """Answers calls of the script's servicer."""

    protocol_version = "HTTP/1.1"
    server: "ScriptDoor"

    def do_POST(self) -> None:
        self.server.heads.append({name.lower(): value for name, value in self.headers.items()})
        body = self.rfile.read(int(self.headers["content-length"]))
        name = self.path.rpartition("/")[2]
        request = message_class(METHODS[name].input_type)
        call = getattr(self.server.script, name)
        if METHODS[name].server_streaming:
            request.ParseFromString(body[5:])
            self.stream(call(request, Refusing()))
        else:
            request.ParseFromString(body)
            self.answer(call, request)

    def answer(self, call: Any, request: Any) -> None:
        try:
            status, kind, data = 200, "application/proto", call(request, Refusing()).SerializeToString()
        except Refused as error:
            status, kind = STATUS.get(error.args[0], 500), "application/json"
            data = json.dumps(error_json(error)).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def stream(self, answers: Iterable[Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/connect+proto")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        final: dict[str, Any] = {}
        try:
            for answer in answers:
                self.frame(0, answer.SerializeToString())
        except Refused as error:
            final = {"error": error_json(error)}
        except OSError:
            self.close_connection = True
            return
        self.frame(2, json.dumps(final).encode())
        self.wfile.write(b"0\r\n\r\n")

    def frame(self, flags: int, data: bytes) -> None:
        """A message, cut in two chunks in its middle."""
        framed = bytes([flags]) + len(data).to_bytes(4, "big") + data
        for part in (framed[:3], framed[3:]):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            self.wfile.flush()

    def log_message(self, *_: object) -> None:
        """Says nothing."""


class ScriptDoor(ThreadingHTTPServer):
    """Listens on a free port of this machine while inside; `heads` are the headers of what it was asked."""

    daemon_threads = True

    def __init__(self, script: Any) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = script
        self.heads: list[dict[str, str]] = []
        self.thread = threading.Thread(target=self.serve_forever, args=(0.02,))

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.thread.join()
        self.server_close()


def message_class(descriptor: Any) -> Any:
    return message_factory.GetMessageClass(descriptor)()


def error_json(error: Refused) -> dict[str, Any]:
    code, details = error.args
    name = "canceled" if code is grpc.StatusCode.CANCELLED else code.name.lower()
    unread = {"type": "google.rpc.ErrorInfo", "value": base64.b64encode(b"\xff").decode().rstrip("=")}
    return {"code": name, "message": details, "details": [unread, {"type": "nothing"}, 7]}
