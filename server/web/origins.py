"""Who may come to the door: under which names, from which pages, and for whom a proxy speaks."""

import ipaddress
from collections.abc import Iterator

from machiavel.server.service.config import BadConfig, Config, host_and_port, is_loopback
from machiavel.server.service.proxies import Proxies, is_address, peer_of, plain
from machiavel.server.service.refusals import ForeignHost, ForeignOrigin
from machiavel.server.web.exchange import Exchange

__all__ = ["Origins", "is_any"]

ANY = "*"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
PORTS = {"http": "80", "https": "443"}
REMEMBERED = "7200"  # seconds that a browser need not ask again
# What a page may send, and what it may read of an answer.
SENT = (
    "authorization, connect-accept-encoding, connect-content-encoding, connect-protocol-version, connect-timeout-ms, "
    "content-type, grpc-accept-encoding, grpc-encoding, grpc-timeout, x-grpc-web, x-request-id, x-user-agent"
)
READ = (
    "connect-accept-encoding, connect-content-encoding, content-encoding, grpc-encoding, grpc-message, grpc-status, "
    "grpc-status-details-bin, retry-after, x-request-id"
)


class Origins:
    """What is told of the door's names, its pages and its proxies."""

    def __init__(self, config: Config) -> None:
        """Raises BadConfig."""
        host, _ = host_and_port(config.web, "web")
        self.takes_addresses = is_any(host)
        near = is_loopback(host) or self.takes_addresses
        self.hosts = {host.lower(), *(LOOPBACK if near else ()), *(name.lower() for name in items(config.web_host))}
        self.origins = frozenset(checked_origin(text) for text in items(config.web_origins))
        self.proxies = Proxies(config.web_proxies)
        self.names = tuple(sorted(self.hosts))
        for name in items(config.web_host):
            if "/" in name or ":" in name:
                raise BadConfig(f"web_host: {name!r} is no name; expected one without a scheme or a port, as play.example")

    def check_host(self, exchange: Exchange) -> None:
        """Raises ForeignHost: a page that gave its own name this address would else read what is meant for no page."""
        name = host_of(exchange.headers.get("host", ""))
        if name not in self.hosts and not (self.takes_addresses and is_address(name)):
            raise ForeignHost(self.names)

    def check_origin(self, exchange: Exchange) -> None:
        """Gives the answer what a page of another origin needs to read it; raises ForeignOrigin."""
        origin = exchange.headers.get("origin")
        if origin is None:  # no page
            return
        exchange.more_headers["vary"] = "origin"
        if self.is_own(origin, exchange):
            return
        if ANY not in self.origins and origin.lower() not in self.origins:
            raise ForeignOrigin
        exchange.more_headers |= {"access-control-allow-origin": origin, "access-control-expose-headers": READ}

    def preflight(self, exchange: Exchange) -> dict[str, str]:
        """What a browser wants to know before it lets a page of another origin call."""
        headers = {
            "access-control-allow-methods": "POST",
            "access-control-allow-headers": SENT,
            "access-control-max-age": REMEMBERED,
        }
        if exchange.headers.get("access-control-request-private-network") == "true":
            headers["access-control-allow-private-network"] = "true"
        return headers

    def is_own(self, origin: str, exchange: Exchange) -> bool:
        """Whether a page came from this door."""
        scheme, _, place = origin.lower().partition("://")
        usual = PORTS.get(scheme, "")
        host = exchange.headers.get("host", "").lower()
        return scheme == self.scheme(exchange) and place.removesuffix(f":{usual}") == host.removesuffix(f":{usual}")

    def scheme(self, exchange: Exchange) -> str:
        """http or https, as the browser knows it: by way of a proxy, perhaps."""
        if self.proxies.has(exchange.client):
            return exchange.headers.get("x-forwarded-proto", exchange.scheme).strip().lower()
        return exchange.scheme

    def peer(self, exchange: Exchange) -> str:
        """Who calls, as gRPC writes it: the connection's other end, or whom the proxies there call for."""
        here = peer_of(plain(exchange.client), exchange.port)
        return self.proxies.peer(here, exchange.headers.get("x-forwarded-for", ""))


def items(text: str) -> Iterator[str]:
    return (item.strip() for item in text.split(",") if item.strip())


def host_of(text: str) -> str:
    """The name without its port."""
    if text.startswith("["):
        return text[1:].partition("]")[0].lower()
    return text.partition(":")[0].rstrip(".").lower()


def is_any(host: str) -> bool:
    return is_address(host) and ipaddress.ip_address(host).is_unspecified


def checked_origin(text: str) -> str:
    """Raises BadConfig."""
    scheme, separator, place = text.lower().partition("://")
    if text != ANY and (scheme not in PORTS or not separator or not place or "/" in place):
        raise BadConfig(f"web_origins: {text!r} is no origin; expected https://play.example, http://127.0.0.1:5173, or *")
    return text.lower()
