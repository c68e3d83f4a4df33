"""Whom a proxy calls for: what x-forwarded-for says, from the proxies that the operator names."""

import ipaddress
from functools import lru_cache

from machiavel.server.service.config import BadConfig

__all__ = ["NETWORK", "Proxies", "is_address", "network_of", "peer_of", "plain", "source_named"]

NETWORK = 64  # bits that one client's addresses of IPv6 have in common; it may use as many of those as it likes
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
        host = host_of(peer)
        client = self.client(host, forwarded)
        return peer if client == plain(host) else peer_of(client, 0)


def peer_of(host: str, port: int) -> str:
    """An address as gRPC writes it."""
    return f"ipv6:%5B{host}%5D:{port}" if ":" in host else f"ipv4:{host}:{port}"


def host_of(peer: str) -> str:
    """The address in gRPC's name for the other end of a connection."""
    host = peer.partition(":")[2].rpartition(":")[0]
    return host.removeprefix("%5B").removeprefix("[").removesuffix("%5D").removesuffix("]")


def source_named(peer: str) -> str:
    """Who that is, of those of whom nothing but the address is known, without the port: `ipv4:192.0.2.7`, `ipv6:2001:db8::/64`.

    Whoever opens more connections, comes to another door, or has another address of the network is the same.
    """
    if not peer.startswith(("ipv4:", "ipv6:")):
        return peer
    network = network_of(host_of(peer))
    return f"ipv6:{network}" if ":" in network else f"ipv4:{network}"


@lru_cache(REMEMBERED)
def network_of(host: str) -> str:
    """What one client is taken to have: an address of the fourth version, or a network of the sixth."""
    host = plain(host)
    if ":" not in host or not is_address(host):
        return host
    return str(ipaddress.ip_network((int(ipaddress.IPv6Address(host)), NETWORK), strict=False))


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
