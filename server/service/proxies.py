"""Whom a proxy calls for: what x-forwarded-for says, from the proxies that the operator names."""

import ipaddress
from functools import lru_cache

from machiavel.server.service.config import BadConfig

__all__ = ["Proxies", "is_address", "peer_of", "plain"]

REMEMBERED = 1024  # addresses; whoever calls calls again


class Proxies:
    """The proxies of a server."""

    def __init__(self, text: str) -> None:
        """`text` has addresses and networks, with commas between; raises BadConfig."""
        self.networks = tuple(checked_network(item.strip()) for item in text.split(",") if item.strip())

    def has(self, host: str) -> bool:
        return (
            bool(self.networks)
            and is_address(host)
            and any(ipaddress.ip_address(plain(host)) in network for network in self.networks)
        )

    def client(self, host: str, forwarded: str) -> str:
        """The address that calls: the connection's other end, or whom the proxies there call for, by `x-forwarded-for`."""
        host = plain(host)
        if self.has(host):
            for name in reversed(forwarded.split(",")):
                if not is_address(name.strip()):
                    break
                host = plain(name.strip())
                if not self.has(host):
                    break
        return host

    def peer(self, peer: str, forwarded: str) -> str:
        """The same of gRPC's name for the connection's other end, which stays as it is where no proxy is there."""
        if not self.networks:
            return peer
        host = peer.partition(":")[2].rpartition(":")[0].removeprefix("%5B").removesuffix("%5D")
        client = self.client(host, forwarded)
        return peer if client == plain(host) else peer_of(client, 0)


def peer_of(host: str, port: int) -> str:
    """An address as gRPC writes it."""
    return f"ipv6:%5B{host}%5D:{port}" if ":" in host else f"ipv4:{host}:{port}"


@lru_cache(REMEMBERED)
def is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


@lru_cache(REMEMBERED)
def plain(host: str) -> str:
    """An address of the fourth version as such, where it is written as one of the sixth."""
    address = ipaddress.ip_address(host) if is_address(host) else None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return host if mapped is None else str(mapped)


def checked_network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    """Raises BadConfig."""
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise BadConfig(f"web_proxies: {text!r} is no address; expected 10.0.0.7, or a network as 10.0.0.0/8") from None
