"""What is read again while a server runs: its tokens, the limits of its callers, its certificates."""

import os
import ssl
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import grpc

from machiavel.server.service.config import BadConfig, Config, read_limits
from machiavel.server.service.guests import GUEST
from machiavel.server.service.proxies import Proxies
from machiavel.server.shares import DEFAULT, CallerLimits
from machiavel.server.storage.places import path_of, usual_place
from machiavel.server.web.certificates import tls_context
from machiavel.server.web.origins import Origins

__all__ = ["AccessFiles", "Certificates", "check_files", "read_access_files", "read_tokens"]

MOST_NAMED = 20  # in a message


@dataclass(frozen=True)
class Certificates:
    """The server's certificate, and who may sign those of clients: as gRPC takes them, and as the web door does."""

    pair: tuple[bytes, bytes]  # the key, the chain
    clients: bytes | None
    context: ssl.SSLContext

    def configuration(self) -> grpc.ServerCertificateConfiguration:
        return grpc.ssl_server_certificate_configuration([self.pair], self.clients)


@dataclass(frozen=True)
class AccessFiles:
    """The contents of these files, checked."""

    tokens: Mapping[str, str]  # names by token; empty where everybody may call
    limits: CallerLimits
    certificates: Certificates | None


def read_access_files(config: Config) -> AccessFiles:
    """Raises BadConfig."""
    tokens = read_tokens(config.tokens) if config.tokens else {}
    if config.guests and GUEST in tokens.values():
        raise BadConfig(f"tokens: {config.tokens}: {GUEST!r} is what guests are called; expected another name, or no guests")
    if DEFAULT in tokens.values():
        raise BadConfig(f"tokens: {config.tokens}: [callers.{DEFAULT}] is for all without a table; expected another name")
    check_operators(config, tokens.values())
    limits = read_limits(config.config) if config.config else CallerLimits()
    strangers = sorted(set(limits.tables) - {*tokens.values(), DEFAULT, GUEST})
    if tokens and strangers:  # without tokens nobody knows who may come
        raise BadConfig(
            f"{config.config}: callers.{strangers[0]}: no token in {config.tokens} has that name; "
            f"expected one of {', '.join(sorted(tokens.values())[:MOST_NAMED])}, {DEFAULT} or {GUEST}"
        )
    return AccessFiles(tokens, limits, read_certificates(config) if config.tls_certificate else None)


def check_operators(config: Config, names: Collection[str]) -> None:
    """Raises BadConfig for an operator that nobody can be, or everybody; `names` are those of tokens."""
    for name in config.operators:
        if name == GUEST and config.guests:
            raise BadConfig(f"admin_names: {GUEST!r} is whoever comes without a token; expected another name, or no guests")
        if name not in names:
            raise BadConfig(
                f"admin_names: no token in {config.tokens} is named {name!r}; "
                f"expected some of {', '.join(sorted(names)[:MOST_NAMED])}"
            )


def check_files(config: Config) -> AccessFiles:
    """Besides these whatever else a server reads of its settings before it listens; raises BadConfig."""
    Proxies(config.web_proxies)
    if config.web:
        Origins(config)
    for name, place in folders(config):
        if not nearest(place).is_dir() or not os.access(nearest(place), os.W_OK | os.X_OK):
            raise BadConfig(f"{name}: {place}: cannot be written to; expected a folder of this server's own")
    return read_access_files(config)


def folders(config: Config) -> Iterator[tuple[str, Path]]:
    """What is written to, by the setting that says where."""
    path = path_of(config.storage or usual_place())
    if path is not None and not config.rehearsal:
        yield "storage", path.parent
    if config.tournaments:
        yield "tournaments", Path(config.tournaments)


def nearest(place: Path) -> Path:
    """The folder itself, or the one that it would be made in."""
    place = place.absolute()
    return next((one for one in (place, *place.parents) if one.exists()), place)


def read_tokens(path: str) -> dict[str, str]:
    """Names by token; raises BadConfig."""
    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadConfig(f"tokens: {path}: cannot be read: {getattr(error, 'strerror', None) or 'is no TOML'}") from None
    tokens = data.get("tokens")
    if (
        not isinstance(tokens, dict)
        or not tokens
        or not all(isinstance(token, str) and len(token) >= 16 for token in tokens.values())
    ):
        raise BadConfig(f'tokens: {path}: expected a table [tokens] with lines NAME = "TOKEN", each of 16 characters at least')
    if len(set(tokens.values())) < len(tokens):
        raise BadConfig(f"tokens: {path}: two names have the same token")
    return {token: name for name, token in tokens.items()}


def read_certificates(config: Config) -> Certificates:
    """Raises BadConfig; gRPC would only say that it cannot listen."""

    def pem(name: str) -> bytes:
        path = getattr(config, name)
        try:
            return Path(path).read_bytes()
        except OSError as error:
            raise BadConfig(f"{name}: {path}: cannot be read: {error.strerror}") from None

    clients = pem("tls_clients") if config.tls_clients else None
    pair = (pem("tls_key"), pem("tls_certificate"))
    return Certificates(pair, clients, tls_context(config))
