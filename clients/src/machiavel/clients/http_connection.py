"""HTTP/1.1 for the client: connections that are kept for the next call, proxies, and answers that are read as they come."""

import asyncio
import base64
import socket
import ssl
import tempfile
import time
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self
from urllib.parse import unquote, urlsplit

from machiavel.clients.connection import Tls, is_local

__all__ = ["HttpConnection", "HttpConnections", "HttpFailure", "HttpTarget"]

PORTS = {"http": 80, "https": 443}
PIECE = 1 << 16
LONGEST_HEAD = 1 << 16
# Seconds. Servers and proxies drop a quiet connection after a minute or more, so that one this young is there still.
KEPT = 30.0
CONNECTS_WITHIN = 20.0
MOST_KEPT = 8
# The system asks so often whether the other side of a quiet stream lives; the stream ends when it does not, or takes nothing
# for a minute of what it is sent.
KEEPALIVE = (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3), ("TCP_USER_TIMEOUT", 60_000))


class HttpFailure(Exception):
    """There is no connection, it ended in the middle of an answer, or what came is no HTTP."""


@dataclass(frozen=True)
class HttpTarget:
    """Where a server is, as a URL says it."""

    scheme: str
    host: str
    port: int
    prefix: str = ""  # of every path

    @classmethod
    def read(cls, target: str) -> Self:
        """Raises ValueError."""
        parts = urlsplit(target)
        try:
            port = parts.port
        except ValueError:
            port = 0
        if not parts.hostname or port == 0 or "//" in parts.path or parts.username or parts.query or parts.fragment:
            raise ValueError(
                f"{target!r} is no address of a server; expected http://HOST:PORT or https://HOST, with a path at most"
            )
        return cls(parts.scheme.lower(), parts.hostname, port or PORTS[parts.scheme.lower()], parts.path.rstrip("/"))

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"


@dataclass(frozen=True)
class Proxy:
    """A proxy for HTTP, and what it wants to know of who asks."""

    host: str
    port: int
    authorization: str = ""

    @classmethod
    def of(cls, target: HttpTarget) -> Self | None:
        """The one that the environment names for this target; raises ValueError for one that is not spoken to over HTTP."""
        address = urllib.request.getproxies().get(target.scheme)
        if is_local(f"http://{target.authority}") or not address or urllib.request.proxy_bypass(f"{target.host}:{target.port}"):
            return None
        parts = urlsplit(address if "://" in address else f"http://{address}")
        if parts.scheme != "http" or not parts.hostname:
            raise ValueError(f"{target.scheme}_proxy is {address!r}; expected http://HOST:PORT")
        user = "" if parts.username is None else f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        return cls(parts.hostname, parts.port or 80, user and f"Basic {base64.b64encode(user.encode()).decode()}")


@dataclass(frozen=True)
class HttpHead:
    """The beginning of an answer; names of headers are in lower case."""

    status: int
    reason: str
    headers: Mapping[str, str]


class HttpConnection:
    """One connection, which answers one request after the other."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.used = time.monotonic()
        self.is_reused = False
        self.has_answered = False  # at least a byte, since it was asked last
        self.is_over = True  # the body, and the connection may be asked again
        self.left: int | None = 0  # bytes of the body, or of its chunk; None: up to the end of the connection
        self.is_chunked = False

    @property
    def is_fit(self) -> bool:
        """Whether it may be asked again."""
        is_there = not self.reader.at_eof() and not self.writer.is_closing()
        return self.is_over and is_there and time.monotonic() - self.used < KEPT

    def abort(self) -> None:
        """Closes it at once, and wakes whoever reads."""
        self.is_over = False
        self.writer.transport.abort()

    async def ask(self, request: bytes) -> HttpHead:
        """Sends a request; the beginning of its answer. Raises HttpFailure."""
        self.has_answered = self.is_over = False
        # Nobody waits until all is sent: a server that refuses a request may answer before it has read it.
        self.writer.write(request)
        try:
            while (head := head_of(await self.reader.readuntil(b"\r\n\r\n"))).status < 200:
                pass
        except (OSError, EOFError, asyncio.LimitOverrunError) as error:
            raise HttpFailure(f"the connection ended before there was an answer{said(error)}") from None
        finally:
            self.has_answered = self.has_answered or not self.reader.at_eof()
        self.has_answered = True
        self.is_chunked = head.headers.get("transfer-encoding", "").lower() == "chunked"
        length = head.headers.get("content-length", "")
        self.left = 0 if self.is_chunked else int(length) if length.isascii() and length.isdigit() else None
        self.closes = self.left is None or head.headers.get("connection", "").lower() == "close"
        return head

    async def more(self) -> bytes:
        """The next piece of the body; nothing at its end. Raises HttpFailure."""
        try:
            if self.is_chunked and self.left == 0:
                self.left = int((await self.reader.readline()).partition(b";")[0], 16)
                if self.left == 0:
                    while (await self.reader.readline()).strip():
                        pass
                    return self.end()
            elif self.left == 0:
                return self.end()
            data = await self.reader.read(PIECE if self.left is None else min(self.left, PIECE))
            if not data and self.left is None:
                return self.end()
            if not data:
                raise HttpFailure("the connection ended in the middle of an answer")
            if self.left is not None:
                self.left -= len(data)
                if self.is_chunked and self.left == 0:
                    await self.reader.readexactly(2)
        except (OSError, EOFError, ValueError, asyncio.LimitOverrunError) as error:
            raise HttpFailure(f"the connection ended in the middle of an answer{said(error)}") from None
        return data

    def end(self) -> bytes:
        self.is_over = not self.closes
        self.used = time.monotonic()
        self.is_reused = True
        return b""


def head_of(data: bytes) -> HttpHead:
    """Raises HttpFailure."""
    first, *lines = data.decode("latin-1").rstrip("\r\n").split("\r\n")
    version, _, rest = first.partition(" ")
    status, _, reason = rest.partition(" ")
    if not version.startswith("HTTP/1.") or not (status.isascii() and status.isdigit()):
        raise HttpFailure(f"what came is no answer of HTTP/1.1 but {first[:40]!r}; is this the address for HTTP?")
    pairs = (line.partition(":") for line in lines)
    return HttpHead(int(status), reason, {name.strip().lower(): value.strip() for name, _, value in pairs})


def said(error: BaseException) -> str:
    """What the system says, if it says something."""
    return f": {error.strerror}" if isinstance(error, OSError) and error.strerror else ""


class HttpConnections:
    """The connections to one server: as many as there are calls at once, a few of which are kept. Belongs to one event loop."""

    def __init__(self, target: HttpTarget, tls: Tls | None) -> None:
        if tls is not None and target.scheme == "http":
            raise ValueError(f"http://{target.authority} is not encrypted; expected https://, or no certificates")
        self.target = target
        self.proxy = Proxy.of(target)
        self.context = context_of(tls or Tls()) if target.scheme == "https" else None
        self.kept: list[HttpConnection] = []

    async def take(self) -> HttpConnection:
        """One that nobody else uses; raises HttpFailure."""
        while self.kept:
            connection = self.kept.pop()
            if connection.is_fit:
                return connection
            connection.abort()
        where = self.target if self.proxy is None else self.proxy
        try:
            async with asyncio.timeout(CONNECTS_WITHIN):
                return await self.connect(where.host, where.port)
        except TimeoutError:
            raise HttpFailure(f"{where.host}:{where.port} does not answer within {CONNECTS_WITHIN:g} s") from None
        except ssl.SSLCertVerificationError as error:
            raise HttpFailure(f"the certificate of {self.target.authority} is not trusted: {error.verify_message}") from None
        except (OSError, EOFError) as error:
            raise HttpFailure(f"{where.host}:{where.port} cannot be reached: {said(error)[2:] or error}") from None

    def give_back(self, connection: HttpConnection) -> None:
        if connection.is_fit and len(self.kept) < MOST_KEPT:
            self.kept.append(connection)
        else:
            connection.abort()

    def close(self) -> None:
        for connection in self.kept:
            connection.abort()
        self.kept.clear()

    async def connect(self, host: str, port: int) -> HttpConnection:
        is_direct = self.proxy is None
        reader, writer = await asyncio.open_connection(
            host,
            port,
            limit=LONGEST_HEAD,
            ssl=self.context if is_direct else None,
            server_hostname=self.target.host if is_direct and self.context else None,
        )
        keep_alive(writer.get_extra_info("socket"))
        connection = HttpConnection(reader, writer)
        if self.proxy is not None and self.context is not None:
            await self.tunnel(connection, self.proxy)
        return connection

    async def tunnel(self, connection: HttpConnection, proxy: Proxy) -> None:
        """Has the proxy connect, and encrypts the way through it."""
        address = f"{self.target.host}:{self.target.port}"
        lines = [f"CONNECT {address} HTTP/1.1", f"Host: {address}"]
        if proxy.authorization:
            lines.append(f"Proxy-Authorization: {proxy.authorization}")
        head = await connection.ask("\r\n".join([*lines, "\r\n"]).encode())
        if head.status != 200:
            connection.abort()
            raise HttpFailure(f"the proxy {proxy.host}:{proxy.port} refuses to connect: {head.status} {head.reason}")
        await connection.writer.start_tls(self.context, server_hostname=self.target.host)  # type: ignore[arg-type]
        connection.is_over = True

    def request(self, path: str, headers: Mapping[str, str], body: bytes) -> bytes:
        """A POST as it goes over the wire."""
        target = self.target
        where = f"{target.prefix}{path}"
        own = {"Host": target.authority, "Content-Length": str(len(body))}
        if self.proxy is not None and self.context is None:
            where = f"http://{target.authority}{where}"
            if self.proxy.authorization:
                own["Proxy-Authorization"] = self.proxy.authorization
        lines = [f"POST {where} HTTP/1.1", *(f"{name}: {value}" for name, value in (own | dict(headers)).items())]
        if any("\r" in line or "\n" in line for line in lines):
            raise ValueError("a header holds the end of a line")
        return "\r\n".join([*lines, "\r\n"]).encode("latin-1") + body


def keep_alive(connected: socket.socket) -> None:
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in KEEPALIVE:
        if hasattr(socket, name):  # other systems have other names, or none
            connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def context_of(tls: Tls) -> ssl.SSLContext:
    """Raises ValueError for certificates that are none."""
    try:
        context = ssl.create_default_context(cadata=None if tls.root is None else tls.root.decode("ascii"))
        if tls.certificate is not None:
            with tempfile.NamedTemporaryFile() as file:  # readable by nobody else; Python takes no other
                file.write(tls.certificate + b"\n" + (tls.key or b""))
                file.flush()
                context.load_cert_chain(file.name)
    except (ssl.SSLError, UnicodeDecodeError) as error:
        raise ValueError(f"tls: expected certificates as PEM, and a key that fits: {error}") from None
    context.set_alpn_protocols(["http/1.1"])
    return context
