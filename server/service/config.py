"""How a server is set up: flags before environment before a TOML file, all in one object."""

import ipaddress
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from machiavel.engines.record import parse_seed
from machiavel.server.shares import BadLimits, CallerLimits
from machiavel.server.storage.places import MEMORY, BadPlace, path_of

__all__ = ["PREFIX", "UNIX", "BadConfig", "Config", "address_of", "host_and_port", "is_loopback", "load_config", "read_limits"]

PREFIX = "MACHIAVEL_"
UNIX = "unix:"
LONGEST_SOCKET = 100  # bytes of a path, which systems bound
CALLERS = "callers"  # the tables of limits in the file


class BadConfig(Exception):
    """A setting cannot be; the message names it as it was given, and says what would be right."""


def setting(default: Any, help: str, metavar: str = "", **bounds: Any) -> Any:  # noqa: A002
    return field(default=default, metadata={"help": help, "metavar": metavar, **bounds})


@dataclass(frozen=True)
class Config:
    """Every setting of a server."""

    config: str = setting("", "a TOML file with settings, and with limits by caller in tables [callers.NAME]", "FILE")
    listen: str = setting("127.0.0.1:7788", "where to listen; port 0 takes any that is free", "HOST:PORT")
    plaintext: bool = setting(False, "listen beyond this machine without TLS all the same")
    web: str = setting("", "where to answer calls over HTTP, for browsers and curl; nowhere unless set", "HOST:PORT")
    web_host: str = setting("", "names under which the web door is reached besides its address, with commas between", "NAME,…")
    web_origins: str = setting(
        "", "origins whose pages may call, as https://play.example, with commas between; *: any; its own always may", "ORIGIN,…"
    )
    web_proxies: str = setting(
        "", "addresses or networks of proxies that say whom they call for (x-forwarded-for), with commas between", "ADDRESS,…"
    )
    tls_certificate: str = setting("", "the server's certificate chain, as PEM", "FILE")
    tls_key: str = setting("", "its private key, as PEM", "FILE")
    tls_clients: str = setting("", "who may sign the certificates that clients must then have, as PEM", "FILE")
    tokens: str = setting("", 'a TOML file whose table [tokens] has lines NAME = "TOKEN"; calls must then carry one', "FILE")
    guests: bool = setting(False, "let those play without a token of the server who show a seat's token or a join code")
    guest_calls: int = setting(64, "calls and streams of all guests at once", "N", least=1, most=1_000_000)
    workers: int = setting(0, "threads that search; 0: as many as the machine has cores", "N", least=0, most=1024)
    searches: int = setting(32, "searches at once", "N", least=1, most=100_000)
    queue: int = setting(64, "searches that may wait for a place", "N", least=0, most=1_000_000)
    seconds: float = setting(
        1.0, "time to think where a call sets neither limit nor deadline, in seconds", "S", least=0.01, most=3600
    )
    seconds_most: float = setting(60.0, "the most that any call may think, in seconds", "S", least=0.01, most=86400)
    megabytes: int = setting(64, "the most room that a bot may ask for its tree, in MiB", "N", least=1, most=65536)
    # More than any match takes; reading so much may hold up other calls by a tenth of a second.
    message_kib: int = setting(256, "the largest message that is taken, in KiB", "N", least=16, most=1 << 20)
    calls: int = setting(1024, "calls at once, searches included and open watches aside", "N", least=1, most=1_000_000)
    watchers: int = setting(4096, "streams that watch matches and tournaments at once", "N", least=1, most=1_000_000)
    storage: str = setting(
        "",
        "where hosted matches are kept: sqlite:///FILE, or memory: which forgets them at the end; "
        "unset, a file in $XDG_STATE_HOME/machiavel or ~/.local/state/machiavel",
        "URL",
    )
    keep_over: float | None = setting(
        None,
        "how long a match that is over is kept, in days; 0: until it is deleted; unset, 90 in a file made by this release, "
        "0 in an older one",
        "DAYS",
        kind=float,
        least=0,
        most=36500,
    )
    keep_idle: float | None = setting(
        None,
        "how long a match that is not over is kept while nothing happens in it, in days; 0 and unset: as for --keep-over",
        "DAYS",
        kind=float,
        least=0,
        most=36500,
    )
    matches: int = setting(2000, "hosted matches under way at once", "N", least=1, most=1_000_000)
    kept_megabytes: int = setting(
        4096,
        "what all hosted matches may take where they are kept, in MiB; beyond it no new ones are set up",
        "N",
        least=1,
        most=10**7,
    )
    think: float = setting(
        1.0, "time that a hosted bot takes to answer where its match does not say, in seconds", "S", least=0.02, most=3600
    )
    thinkers: int = setting(
        64, "hosted bots that search at once; others wait in line, accounts in turn", "N", least=1, most=100_000
    )
    tournaments: str = setting("", "where tournaments are kept, which others may then start; none unless set", "DIR")
    tournament_workers: int = setting(1, "processes that play tournaments, behind all else", "N", least=1, most=1024)
    tournament_games: int = setting(200_000, "games that a tournament may have", "N", least=1, most=10**9)
    tournament_queue: int = setting(128, "tournaments under way or in line", "N", least=1, most=100_000)
    tournament_kept: int = setting(200, "tournaments kept, over or not", "N", least=1, most=100_000)
    tournament_hours: float = setting(
        24.0, "machine time for a tournament, in hours: of each process the time of its turns", "H", least=0.001, most=10**6
    )
    tournament_megabytes: int = setting(64, "room for the games of a tournament on disk, in MiB", "N", least=1, most=1 << 20)
    admin: str = setting("", "a Unix socket for the operator, as unix:/run/machiavel/admin.sock; none unless set", "unix:PATH")
    admin_names: str = setting(
        "", "names of tokens with which the operator may call over the gRPC port, too, with commas between", "NAME,…"
    )
    rehearsal: str = setting(
        "",
        "for the tests of a frontend, on this machine alone: every deal, token and move of bots comes of this whole number, and "
        "repeats; bots do not wait",
        "SEED",
    )
    drain: float = setting(10.0, "how long calls under way may still take at a shutdown, in seconds", "S", least=0, most=3600)
    reflection: bool = setting(True, "tell tools which services there are")
    metrics: str = setting("", "where to serve Prometheus metrics over HTTP; nowhere unless set", "HOST:PORT")
    log_level: str = setting("info", "what to log", choices=("debug", "info", "warning", "error"))
    log_format: str = setting("json", "how to log, on stderr", choices=("json", "console"))

    @property
    def operators(self) -> frozenset[str]:
        """Names of tokens that may call AdminService."""
        return frozenset(map(str.strip, self.admin_names.split(","))) if self.admin_names else frozenset()


def load_config(flags: Mapping[str, Any], environment: Mapping[str, str] | None = None) -> Config:
    """The settings: flags (those that are None are not given), then the environment, then the file; raises BadConfig."""
    environment = os.environ if environment is None else environment
    path = flags.get("config") or environment.get(f"{PREFIX}CONFIG", "")
    result: dict[str, Any] = settings_of(path, read_file(path)) if path else {}
    for one in fields(Config):
        name = f"{PREFIX}{one.name.upper()}"
        if name in environment:
            result[one.name] = typed(one.name, environment[name], name)
        if flags.get(one.name) is not None:
            result[one.name] = typed(one.name, flags[one.name], f"--{one.name.replace('_', '-')}")
    config = Config(**result)
    check(config)
    return config


def read_file(path: str) -> dict[str, Any]:
    """Raises BadConfig."""
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadConfig(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def settings_of(path: str, data: dict[str, Any]) -> dict[str, Any]:
    """What a file sets besides limits, which are checked; raises BadConfig."""
    limits_of(path, data)
    known = {one.name for one in fields(Config)} - {"config"}
    for name in data:
        if name not in known | {CALLERS}:
            raise BadConfig(f"{path}: {name}: is unknown; settings: {', '.join(sorted(known))}, and tables [callers.NAME]")
    return {name: typed(name, value, f"{path}: {name}") for name, value in data.items() if name != CALLERS}


def read_limits(path: str) -> CallerLimits:
    """The tables [callers.NAME] of a file; raises BadConfig."""
    return limits_of(path, read_file(path))


def limits_of(path: str, data: dict[str, Any]) -> CallerLimits:
    """Raises BadConfig."""
    try:
        return CallerLimits.parse(data.get(CALLERS, {}))
    except BadLimits as error:
        raise BadConfig(f"{path}: {error}") from None


def typed(name: str, value: Any, given: str) -> Any:
    """A value of a setting, as it is or as a text; raises BadConfig."""
    one = next(one for one in fields(Config) if one.name == name)
    kind, bounds = one.metadata.get("kind", type(one.default)), one.metadata
    try:
        result = convert(kind, value)
    except ValueError:
        words = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
        raise BadConfig(f"{given}: is {value!r}; expected {words[kind]}") from None
    if "choices" in bounds and result not in bounds["choices"]:
        raise BadConfig(f"{given}: is {result!r}; expected one of {', '.join(bounds['choices'])}")
    if "least" in bounds and not bounds["least"] <= result <= bounds["most"]:
        raise BadConfig(f"{given}: is {result:g}; expected {bounds['least']:g} to {bounds['most']:g}")
    return result


def convert(kind: type, value: Any) -> Any:
    if kind is bool:
        if isinstance(value, str) and value.lower() in {"true", "false"}:
            return value.lower() == "true"
    elif kind is str:
        if isinstance(value, str):
            return value
    elif isinstance(value, str | int) and not isinstance(value, bool):
        return kind(value)
    if type(value) is kind:
        return value
    raise ValueError(value)


def check(config: Config) -> None:
    """What settings cannot be together; raises BadConfig."""
    host_and_port(config.listen, "listen")
    if bool(config.tls_certificate) != bool(config.tls_key):
        raise BadConfig("tls_certificate and tls_key: one is set; expected both or neither")
    if config.tls_clients and not config.tls_certificate:
        raise BadConfig("tls_clients: is set without tls_certificate and tls_key")
    for name, place in (("listen", config.listen), ("web", config.web)):
        if place and not config.tls_certificate and not config.plaintext and not is_loopback(host_and_port(place, name)[0]):
            raise BadConfig(
                f"{name}: {place} can be reached from other machines, and nothing would be encrypted; "
                "expected tls_certificate and tls_key, an address such as 127.0.0.1, or plaintext if that is meant"
            )
    if config.guests and not config.tokens:
        raise BadConfig("guests: is set without tokens, and everybody may call; expected tokens, or no guests")
    if config.guests and config.guest_calls >= config.calls:
        raise BadConfig(
            f"guest_calls: is {config.guest_calls}, and there are {config.calls} calls at once in all; "
            "expected less, or more calls, so that guests leave room for others"
        )
    if config.metrics:
        host_and_port(config.metrics, "metrics")
    check_admin(config)
    if config.rehearsal:
        check_rehearsal(config)
    if config.storage:
        try:
            path_of(config.storage)
        except BadPlace as error:
            raise BadConfig(f"storage: {error}") from None


def check_admin(config: Config) -> None:
    """Raises BadConfig."""
    path = config.admin.removeprefix(UNIX)
    if config.admin and (not config.admin.startswith(UNIX) or not path or "\0" in path):
        raise BadConfig(f"admin: is {config.admin!r}; expected unix:PATH, as unix:/run/machiavel/admin.sock")
    if len(path.encode()) > LONGEST_SOCKET:
        raise BadConfig(f"admin: its path has {len(path.encode())} bytes; expected at most {LONGEST_SOCKET}")
    if config.admin_names and not config.tokens:
        raise BadConfig("admin_names: is set without tokens, and nobody has such a name; expected tokens, or no admin_names")
    if "" in config.operators:
        raise BadConfig(f"admin_names: is {config.admin_names!r}; expected names of tokens, with commas between")


def check_rehearsal(config: Config) -> None:
    """Whoever knows the number knows every card and every token; raises BadConfig."""
    try:
        parse_seed(config.rehearsal)
    except ValueError as error:
        raise BadConfig(f"rehearsal: {error}") from None
    for name, place in (("listen", config.listen), ("web", config.web)):
        if place and not is_loopback(host_and_port(place, name)[0]):
            raise BadConfig(
                f"{name}: {place} can be reached from other machines, and in a rehearsal every token can be foretold; "
                "expected an address such as 127.0.0.1, or no rehearsal"
            )
    if config.storage not in {"", MEMORY}:
        raise BadConfig(f"storage: {config.storage} is kept, and a rehearsal begins anew each time; expected {MEMORY}, or none")


def host_and_port(text: str, setting: str) -> tuple[str, int]:
    """The parts of `HOST:PORT`; raises BadConfig."""
    host, colon, port = text.rpartition(":")
    if not colon or not host or not (port.isascii() and port.isdigit()) or int(port) > 65535:
        raise BadConfig(f"{setting}: {text!r} is no address; expected HOST:PORT, as 127.0.0.1:7788 or [::1]:7788")
    return host.strip("[]"), int(port)


def address_of(text: str, setting: str, port: int) -> str:
    """The address that a setting came to, once its port is known."""
    host, _ = host_and_port(text, setting)
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
