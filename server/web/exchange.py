"""One request of HTTP and its answer, as ASGI hands them over."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from machiavel.server.web.bodies import Body

__all__ = ["Exchange", "Scope"]

Scope = MutableMapping[str, Any]
UNCHANGED = 304


class Exchange:
    """A request, and what answers it: whole at once, or begun, written piece by piece and finished."""

    def __init__(
        self, scope: Scope, receive: Callable[[], Awaitable[Any]], send: Callable[[dict[str, Any]], Awaitable[None]]
    ) -> None:
        self.send = send
        self.method: str = scope["method"]
        self.path: str = scope["raw_path"].decode("latin-1")  # a call has one spelling
        self.scheme: str = scope["scheme"]
        self.client: str = (scope["client"] or ("", 0))[0]
        self.port: int = (scope["client"] or ("", 0))[1]
        self.connection: Any = scope["state"]["connection"]
        self.headers = headers_of(scope["headers"])
        declared = self.headers.get("content-length", "")
        self.body = Body(receive, int(declared) if declared.isdecimal() else None)
        self.more_headers: dict[str, str] = {}  # of every answer
        self.is_begun = False
        self.came = asyncio.get_running_loop().time()

    @property
    def waited(self) -> float:
        """Seconds since it came."""
        return asyncio.get_running_loop().time() - self.came

    def refuse(self) -> None:
        """The request is refused, and is to be told so; whoever comes meanwhile may have its connection."""
        self.connection.refuse()

    async def pass_over(self) -> None:
        """Takes what is still sent of a request that is refused already."""
        self.refuse()
        await self.body.pass_over()

    async def respond(self, status: int, headers: Mapping[str, str], content: bytes) -> None:
        held = self.connection.hold()
        # Of what is unchanged the length would be that of what is not sent.
        length = {} if status == UNCHANGED else {"content-length": str(len(content))}
        await self.begin(status, {**headers, **length})
        await self.finish(content)
        held.flush()

    async def begin(self, status: int, headers: Mapping[str, str]) -> None:
        self.is_begun = True
        whole = {**headers, **self.more_headers}
        if "vary" in headers and "vary" in self.more_headers:
            whole["vary"] = f"{headers['vary']}, {self.more_headers['vary']}"
        pairs = [(name.encode(), value.encode("latin-1", "replace")) for name, value in whole.items()]
        await self.send({"type": "http.response.start", "status": status, "headers": pairs})

    async def write(self, content: bytes) -> None:
        await self.send({"type": "http.response.body", "body": content, "more_body": True})

    async def finish(self, content: bytes = b"") -> None:
        await self.send({"type": "http.response.body", "body": content, "more_body": False})


def headers_of(pairs: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """By name in small letters; of a name that comes again, all values."""
    result: dict[str, str] = {}
    for raw_name, raw_value in pairs:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        result[name] = f"{result[name]}, {value}" if name in result else value
    return result
