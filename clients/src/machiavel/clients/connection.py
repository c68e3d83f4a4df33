"""How a server is reached: address, credentials, retries."""

import ipaddress
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import grpc

__all__ = ["OPTIONS", "Metadata", "Tls", "credentials", "headers", "is_local", "is_url"]

Metadata = tuple[tuple[str, str], ...]

# gRPC tries a call again only where it cannot have had an effect: these are such, all but a stream that has begun to answer.
# Calls of MatchService are repeated by `insist`, longer than gRPC would, with their request ids.
UNARY = ("GameService", "BotService")
RETRY = {
    "maxAttempts": 4,
    "initialBackoff": "0.1s",
    "maxBackoff": "2s",
    "backoffMultiplier": 2,
    "retryableStatusCodes": ["UNAVAILABLE"],
}
SERVICE_CONFIG = {
    "methodConfig": [
        {"name": [{"service": "machiavel.v1.BotService", "method": method} for method in ("AnalyzeMoves", "ReviewGame")]},
        {"name": [{"service": f"machiavel.v1.{service}"} for service in UNARY], "retryPolicy": RETRY},
    ]
}
MEGABYTE = 1 << 20
OPTIONS: list[tuple[str, Any]] = [
    ("grpc.service_config", json.dumps(SERVICE_CONFIG)),
    ("grpc.enable_retries", 1),
    ("grpc.max_receive_message_length", 16 * MEGABYTE),
    # A connection for each client: servers without tokens share out their work by connections.
    ("grpc.use_local_subchannel_pool", 1),
    # A server that comes back is met again within seconds, and a connection that died unnoticed within a minute.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2000),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
]


@dataclass(frozen=True)
class Tls:
    """Certificates, as PEM: whom to trust (None: whom the system trusts), and one's own where the server asks for it."""

    root: bytes | None = None
    certificate: bytes | None = None
    key: bytes | None = None


def credentials(tls: Tls) -> grpc.ChannelCredentials:
    return grpc.ssl_channel_credentials(tls.root, tls.key, tls.certificate)


def is_url(target: str) -> bool:
    """Whether it is the URL of a door for HTTP, and no HOST:PORT."""
    return target.lower().startswith(("http://", "https://"))


def is_local(target: str) -> bool:
    """Whether it is an address of this machine that nothing else can listen in on."""
    if target.startswith("unix:"):
        return True
    host = (urlsplit(target).hostname or "") if is_url(target) else target.rpartition(":")[0].strip("[]")
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name, which anybody may have given to any machine
        return False


def headers(target: str, token: str | None, tls: Tls | None) -> Metadata:
    """What goes with every call; raises ValueError rather than send a token where others could read it."""
    if token is None:
        return ()
    is_encrypted = target.lower().startswith("https://") if is_url(target) else tls is not None
    if not is_encrypted and not is_local(target):
        right = "https://" if is_url(target) else "tls=Tls()"
        raise ValueError(f"a token would go to {target} in the clear; expected {right}, or an address of this machine")
    return (("authorization", f"Bearer {token}"),)
