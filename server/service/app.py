"""A server: its services, its port, its beginning and its end."""

import asyncio
import ssl
import tomllib
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

import grpc
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health import SERVICE_NAME as HEALTH
from grpc_reflection.v1alpha import reflection

from machiavel.server.clock import SYSTEM_CLOCK, Clock, RehearsalClock
from machiavel.server.draws import SYSTEM_DRAWS, Draws, RehearsalDraws
from machiavel.server.matches.bot_players import BotPlayers
from machiavel.server.matches.expiry import Expiry
from machiavel.server.matches.match_registry import MatchRegistry
from machiavel.server.service.bot_service import BotService
from machiavel.server.service.call_interceptor import KIB, CallInterceptor, Tokens, UnknownMethods
from machiavel.server.service.config import BadConfig, Config, address_of
from machiavel.server.service.game_service import GameService
from machiavel.server.service.guests import GUEST
from machiavel.server.service.handlers import Handlers
from machiavel.server.service.health import Health
from machiavel.server.service.listener import listener, ping_options
from machiavel.server.service.match_service import MatchService
from machiavel.server.service.search_queue import REHEARSED, SearchQueue
from machiavel.server.service.server_service import ServerService
from machiavel.server.service.telemetry import Telemetry
from machiavel.server.service.tournament_service import TournamentService, make_registry
from machiavel.server.shares import CallerLimits, Shares
from machiavel.server.storage import AsyncStorage, Step, Storage, StorageFailed, no_step, open_storage, usual_place
from machiavel.server.storage.places import MEMORY
from machiavel.server.web.door import Door
from machiavel.v1 import bot_service_pb2, game_service_pb2, match_service_pb2, server_service_pb2, tournament_service_pb2
from machiavel.v1.bot_service_pb2_grpc import add_BotServiceServicer_to_server
from machiavel.v1.game_service_pb2_grpc import add_GameServiceServicer_to_server
from machiavel.v1.match_service_pb2_grpc import add_MatchServiceServicer_to_server
from machiavel.v1.server_service_pb2_grpc import add_ServerServiceServicer_to_server
from machiavel.v1.tournament_service_pb2_grpc import add_TournamentServiceServicer_to_server

__all__ = ["Server"]

SERVICES = (
    game_service_pb2.DESCRIPTOR.services_by_name["GameService"].full_name,
    bot_service_pb2.DESCRIPTOR.services_by_name["BotService"].full_name,
    match_service_pb2.DESCRIPTOR.services_by_name["MatchService"].full_name,
    tournament_service_pb2.DESCRIPTOR.services_by_name["TournamentService"].full_name,
    server_service_pb2.DESCRIPTOR.services_by_name["ServerService"].full_name,
)
# gRPC takes messages of so many times what is allowed, that they may be refused with details; what is larger it refuses itself.
HARD_LIMIT = 4
MOST_BYTES = (1 << 31) - 1  # that gRPC can be told
LAST = 1.0  # seconds, for what is left of calls that were ended


class Server:
    """A server in a running event loop; `async with` starts it, and drains it at the end.

    `storage` is one to use in place of the configured one; `step` hears of each step of a change to a hosted match; `stream`
    takes the log in place of stderr. A `clock` must give the machine's monotonic time, since searches end by it.
    """

    def __init__(
        self,
        config: Config,
        storage: Storage | None = None,
        step: Step = no_step,
        clock: Clock = SYSTEM_CLOCK,
        stream: TextIO | None = None,
    ) -> None:
        self.config = config
        self.storage = storage
        self.step = step
        self.clock = clock = RehearsalClock() if config.rehearsal else clock
        self.draws: Draws = RehearsalDraws(int(config.rehearsal)) if config.rehearsal else SYSTEM_DRAWS
        self.tokens = Tokens(read_tokens(config.tokens) if config.tokens else {})
        if config.guests and GUEST in self.tokens.names.values():
            raise BadConfig(f"tokens: {config.tokens}: {GUEST!r} is what guests are called; expected another name, or no guests")
        self.credentials = read_credentials(config) if config.tls_certificate else None
        self.shares = Shares(CallerLimits(), len(self.tokens.names), clock)
        self.telemetry = Telemetry(config, stream, clock)
        self.search_queue = SearchQueue(config, clock)
        self.telemetry.running.set_function(lambda: self.search_queue.running)
        self.telemetry.waiting.set_function(lambda: len(self.search_queue.admission.waiting))
        self.registry: MatchRegistry | None = None
        self.tournaments = make_registry(config, clock, self.draws)
        self.health = Health(SERVICES)
        self.calls = CallInterceptor(config, self.tokens, self.telemetry, SERVICES, clock)
        self.server: Any = None
        self.port = 0
        self.door: Door | None = None

    @property
    def address(self) -> str:
        """Where it listens, once started."""
        return address_of(self.config.listen, "listen", self.port)

    @property
    def metrics_address(self) -> str | None:
        """Where Prometheus fetches its metrics; None: nowhere."""
        exporter = self.telemetry.exporter
        return None if exporter is None else address_of(self.config.metrics, "metrics", exporter.server_port)

    @property
    def web_address(self) -> str | None:
        """Where the web door is; None: nowhere."""
        if self.door is None:
            return None
        return f"{'https' if self.credentials else 'http'}://{self.door.address}"

    async def start(self) -> None:
        """Raises BadConfig where it cannot listen."""
        self.registry = registry = await self.open_registry()
        options = [
            ("grpc.max_receive_message_length", min(HARD_LIMIT * self.config.message_kib * KIB, MOST_BYTES)),
            ("grpc.so_reuseport", 0),  # a second server on the same port is a mistake, not a helper
            *ping_options(),
        ]
        self.server = listener(self.calls, UnknownMethods(self.calls), options)
        handlers: Any = Handlers(self.server)  # which generated code takes for a server
        add_GameServiceServicer_to_server(GameService(self.draws, self.search_queue), handlers)
        add_BotServiceServicer_to_server(BotService(self.search_queue), handlers)
        add_MatchServiceServicer_to_server(MatchService(registry, self.search_queue), handlers)
        add_TournamentServiceServicer_to_server(TournamentService(self.tournaments, self.config, self.draws), handlers)
        information = ServerService(self.config, SERVICES, web_port=lambda: self.door.port if self.door else 0)
        add_ServerServiceServicer_to_server(information, handlers)
        health_pb2_grpc.add_HealthServicer_to_server(self.health, self.server)
        if self.config.reflection:
            names = (*SERVICES, HEALTH, reflection.SERVICE_NAME)
            reflection.enable_server_reflection(names, self.server)
        try:
            if self.credentials is None:
                self.port = self.server.add_insecure_port(self.config.listen)
            else:
                self.port = self.server.add_secure_port(self.config.listen, self.credentials)
        except RuntimeError:
            await self.close()
            raise BadConfig(f"listen: {self.config.listen} cannot be had; is another server there?") from None
        if self.config.web:
            try:
                door = Door(self.config, self.calls, handlers.by_path, lambda: not self.health.closed.is_set())
                door.bind()
                self.door = door
            except BadConfig:
                await self.close()
                raise
        try:
            await registry.start()
        except StorageFailed as error:
            await self.close()
            raise BadConfig(f"storage: {error.problem}") from None
        registry.go(Expiry(registry, self.config.keep_over, self.config.keep_idle).run())
        if self.tournaments is not None:
            try:
                self.tournaments.open()
            except OSError as error:
                await self.close()
                raise BadConfig(f"tournaments: {self.config.tournaments}: cannot be had: {error.strerror}") from None
        await self.server.start()
        if self.door is not None:
            await self.door.open()

    async def broken(self) -> None:
        """Waits until it serves no more though nobody stopped it, which is raised as RuntimeError."""
        await asyncio.shield(self.server.wait_for_termination())  # what is cancelled there can never end
        raise RuntimeError("the server ended by itself; what gRPC logged says why")

    async def open_registry(self) -> MatchRegistry:
        """Raises BadConfig where the storage cannot be had."""
        storage = self.storage
        try:
            if storage is None:
                storage = await asyncio.to_thread(open_storage, self.config.storage or self.usual_place(), self.step)
        except StorageFailed as error:
            await self.close()
            raise BadConfig(
                f"storage: {error.problem}; expected a file that this server alone writes to, --storage sqlite:///FILE, "
                "or --storage memory: which forgets its matches at the end"
            ) from None
        iterations = REHEARSED if self.config.rehearsal else None
        players = BotPlayers(self.search_queue.scheduler, self.config.thinkers, self.telemetry, self.clock, iterations=iterations)
        registry = MatchRegistry(
            AsyncStorage(storage),
            players,
            self.telemetry,
            self.config.matches,
            self.step,
            clock=self.clock,
            draws=self.draws,
            settles=bool(self.config.rehearsal),
        )
        self.telemetry.matches.set_function(lambda: len(registry.unfinished))
        return registry

    def usual_place(self) -> str:
        """Where matches are kept unless it is said."""
        return MEMORY if self.config.rehearsal else usual_place()

    async def stop(self) -> None:
        """Take no new calls, give those under way some time, end all searches."""
        self.health.close()
        self.search_queue.admission.close()
        if self.registry is not None:
            self.registry.rest()
        if self.door is not None:
            self.door.shut()
        if self.server is not None:
            ending = [asyncio.create_task(self.server.stop(self.config.drain + LAST))]
            if self.door is not None:
                ending.append(asyncio.create_task(self.door.finish()))
            await asyncio.wait(ending, timeout=self.config.drain)
            self.calls.dismiss()
            await asyncio.wait(ending, timeout=LAST)
            for work in ending[1:]:
                work.cancel()
            await ending[0]
        await self.close()

    async def close(self) -> None:
        if self.door is not None:
            await self.door.close()
        if self.registry is not None:
            await self.registry.close()
        if self.tournaments is not None:
            await asyncio.to_thread(self.tournaments.close)
        await self.search_queue.close()
        await asyncio.sleep(0)  # for what the last searches still call
        self.telemetry.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.stop()


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


def read_credentials(config: Config) -> grpc.ServerCredentials:
    def pem(name: str) -> bytes:
        path = getattr(config, name)
        try:
            return Path(path).read_bytes()
        except OSError as error:
            raise BadConfig(f"{name}: {path}: cannot be read: {error.strerror}") from None

    clients = pem("tls_clients") if config.tls_clients else None
    pair = (pem("tls_key"), pem("tls_certificate"))
    check_certificates(config)
    return grpc.ssl_server_credentials([pair], clients, require_client_auth=clients is not None)


def check_certificates(config: Config) -> None:
    """Raises BadConfig; gRPC would only say that it cannot listen."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(config.tls_certificate, config.tls_key, password=lambda: b"")
    except (ssl.SSLError, ValueError):
        raise BadConfig(
            f"tls_certificate and tls_key: {config.tls_certificate} and {config.tls_key} are no pair; "
            "expected a certificate chain and its private key without a password, both as PEM"
        ) from None
    try:
        if config.tls_clients:
            context.load_verify_locations(config.tls_clients)
    except ssl.SSLError:
        raise BadConfig(f"tls_clients: {config.tls_clients} holds no certificate; expected PEM") from None
