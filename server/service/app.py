"""A server: its services, its port, its beginning and its end."""

import asyncio
import ssl
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

import grpc
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health import SERVICE_NAME as HEALTH
from grpc_reflection.v1alpha import reflection

from machiavel.server.clock import SYSTEM_CLOCK, Clock, RehearsalClock
from machiavel.server.draws import SYSTEM_DRAWS, Draws, RehearsalDraws
from machiavel.server.matches.bot_players import ENDLESS, BotPlayers
from machiavel.server.matches.expiry import Expiry
from machiavel.server.matches.match_registry import MatchRegistry
from machiavel.server.matches.match_shares import MatchShares
from machiavel.server.operating_mode import OperatingMode
from machiavel.server.service.access_files import AccessFiles, Certificates, read_access_files
from machiavel.server.service.admin_port import AdminPort
from machiavel.server.service.admin_service import AdminService
from machiavel.server.service.bot_service import BotService
from machiavel.server.service.broadcast import TOLD
from machiavel.server.service.call_interceptor import KIB, CallInterceptor, Tokens, UnknownMethods
from machiavel.server.service.call_turns import PacedTurns
from machiavel.server.service.config import UNIX, BadConfig, Config, address_of, host_and_port
from machiavel.server.service.game_service import GameService
from machiavel.server.service.handlers import Handlers
from machiavel.server.service.health import Health
from machiavel.server.service.listener import connection_options, listener, ping_options
from machiavel.server.service.match_service import MatchService
from machiavel.server.service.search_queue import REHEARSED, SearchQueue
from machiavel.server.service.server_service import ServerService
from machiavel.server.service.telemetry import Telemetry
from machiavel.server.service.tournament_service import TournamentService, make_registry
from machiavel.server.service.watchers import Watchers
from machiavel.server.service.watching import WatchMeans
from machiavel.server.service.worker_thread import RequestWorker, WorkerThread
from machiavel.server.shares import Shares
from machiavel.server.storage import (
    AsyncStorage,
    Retention,
    Step,
    Storage,
    StorageDenied,
    StorageFailed,
    no_step,
    open_storage,
    usual_place,
)
from machiavel.server.storage.places import MEMORY
from machiavel.server.web.door import Door
from machiavel.server.web.origins import is_any
from machiavel.server.web.pages import UNBUILT
from machiavel.v1 import bot_service_pb2, game_service_pb2, match_service_pb2, server_service_pb2, tournament_service_pb2
from machiavel.v1.admin_service_pb2_grpc import add_AdminServiceServicer_to_server
from machiavel.v1.bot_service_pb2_grpc import add_BotServiceServicer_to_server
from machiavel.v1.game_service_pb2_grpc import add_GameServiceServicer_to_server
from machiavel.v1.match_service_pb2_grpc import add_MatchServiceServicer_to_server
from machiavel.v1.server_service_pb2_grpc import add_ServerServiceServicer_to_server
from machiavel.v1.tournament_service_pb2_grpc import add_TournamentServiceServicer_to_server

__all__ = ["Server"]

OTHER_STORAGE = (
    "expected a file that this server alone writes to, --storage sqlite:///FILE, "
    "or --storage memory: which forgets its matches at the end"
)
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
        self.access = read_access_files(config)
        self.mode = OperatingMode()
        self.tokens = Tokens(self.access.tokens)
        self.shares = Shares(self.access.limits, known_callers(config, self.access), clock)
        self.telemetry = Telemetry(config, stream, clock)
        self.search_queue = SearchQueue(config, clock, self.shares)
        self.worker = RequestWorker(self.shares)
        self.replaying = WorkerThread(self.shares.queue("replaying", 1, config.watchers, what="watches from earlier on wait"))
        told = PacedTurns(TOLD, lambda: self.calls.turns.is_asked)
        self.watch_means = WatchMeans(self.telemetry.watched, told, self.replaying)
        self.reading = WorkerThread(self.shares.queue("reading", 1, config.queue, what="readings of tournaments wait"))
        self.following = WorkerThread(self.shares.queue("following", 1, config.queue, what="views to carry on wait"))
        self.telemetry.running.set_function(lambda: self.search_queue.running)
        self.telemetry.waiting.set_function(lambda: self.search_queue.admission.waiting)
        self.watchers = Watchers(self.shares, config.watchers, config.guest_calls, clock)
        self.telemetry.watchers.set_function(lambda: len(self.watchers.streams))
        self.registry: MatchRegistry | None = None
        self.tournaments = make_registry(
            config, self.shares, self.mode, clock=clock, draws=self.draws, tell=self.telemetry.tournament_failed
        )
        self.health = Health(SERVICES)
        self.calls = CallInterceptor(config, self.tokens, self.telemetry, SERVICES, clock, shares=self.shares, worker=self.worker)
        self.server: Any = None
        self.port = 0
        self.door: Door | None = None
        self.admin: AdminPort | None = None
        self.began = clock.monotonic()

    @property
    def uptime(self) -> float:
        """Seconds."""
        return self.clock.monotonic() - self.began

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
        return f"{'https' if self.config.tls_certificate else 'http'}://{self.door.address}"

    @property
    def page_address(self) -> str | None:
        """Where a browser on this machine finds the page; None: there is none."""
        if self.door is None or not self.door.has_page:
            return None
        host, _ = host_and_port(self.config.web, "web")
        near = address_of("localhost:0", "web", self.door.port) if is_any(host) else self.door.address
        return f"{'https' if self.config.tls_certificate else 'http'}://{near}/"

    async def start(self) -> None:
        """Raises BadConfig where it cannot listen."""
        self.registry = registry = await self.open_registry()
        options = [
            ("grpc.max_receive_message_length", min(HARD_LIMIT * self.config.message_kib * KIB, MOST_BYTES)),
            ("grpc.so_reuseport", 0),  # a second server on the same port is a mistake, not a helper
            *ping_options(),
            *connection_options(),
        ]
        self.server = listener(self.calls, UnknownMethods(self.calls), options)
        self.calls.order(asyncio.get_running_loop())
        handlers: Any = Handlers(self.server)  # which generated code takes for a server
        add_GameServiceServicer_to_server(
            GameService(self.draws, self.search_queue, self.worker, self.following, self.telemetry.puzzles_dropped), handlers
        )
        add_BotServiceServicer_to_server(BotService(self.search_queue, self.worker), handlers)
        matches = MatchService(registry, self.search_queue, self.worker, self.watchers, self.watch_means)
        add_MatchServiceServicer_to_server(matches, handlers)
        tournaments = TournamentService(self.tournaments, self.config, self.draws, self.watchers, self.reading)
        add_TournamentServiceServicer_to_server(tournaments, handlers)
        information = ServerService(
            self.config, SERVICES, self.shares.limits, web_port=lambda: self.door.port if self.door else 0
        )
        add_ServerServiceServicer_to_server(information, handlers)
        health_pb2_grpc.add_HealthServicer_to_server(self.health, self.server)
        if self.config.operators:  # not at the web door
            add_AdminServiceServicer_to_server(AdminService(self, self.config.operators), self.server)
        if self.config.reflection:
            names = (*SERVICES, HEALTH, reflection.SERVICE_NAME)
            reflection.enable_server_reflection(names, self.server)
        try:
            if self.access.certificates is None:
                self.port = self.server.add_insecure_port(self.config.listen)
            else:
                self.port = self.server.add_secure_port(self.config.listen, self.credentials(self.access.certificates))
        except RuntimeError:
            await self.close()
            raise BadConfig(f"listen: {self.config.listen} cannot be had; is another server there?") from None
        if self.config.web:
            try:
                door = Door(self.config, self.calls, handlers.by_path, lambda: self.health.is_serving, self.tls)
                door.bind()
                self.door = door
                if not door.has_page:
                    self.telemetry.page_missing(UNBUILT)
            except BadConfig:
                await self.close()
                raise
        try:
            await registry.start()
        except StorageFailed as error:
            await self.close()
            raise BadConfig(f"storage: {error.problem}") from None
        registry.go(Expiry(registry, registry.retention.over, registry.retention.idle).run())
        if self.tournaments is not None:
            try:
                self.tournaments.open()
            except OSError as error:
                await self.close()
                raise BadConfig(f"tournaments: {self.config.tournaments}: cannot be had: {error.strerror}") from None
        await self.server.start()
        if self.door is not None:
            await self.door.open()
        if self.config.admin:
            self.admin = AdminPort(self, Path(self.config.admin.removeprefix(UNIX)))
            try:
                await self.admin.open()
            except BadConfig:
                await self.stop()
                raise

    def tls(self) -> ssl.SSLContext | None:
        """That of the next handshake at the web door."""
        certificates = self.access.certificates
        return None if certificates is None else certificates.context

    def credentials(self, first: Certificates) -> grpc.ServerCredentials:
        """gRPC asks at each handshake whether there is another certificate, from threads of its own."""
        given = first

        def news() -> grpc.ServerCertificateConfiguration | None:
            nonlocal given
            last = self.access.certificates
            if last is None or last is given:
                return None
            given = last
            return last.configuration()

        dynamic: Any = grpc.dynamic_ssl_server_credentials  # whose types know nothing of None
        asks = first.clients is not None
        result: grpc.ServerCredentials = dynamic(first.configuration(), news, require_client_authentication=asks)
        return result

    async def reload(self) -> bool:
        """Reads tokens, limits and certificates again, and says whether they are right; where they are not nothing changes."""
        try:
            access = await asyncio.to_thread(read_access_files, self.config)
        except BadConfig as error:
            self.telemetry.reload_failed(str(error))
            return False
        self.access = access
        self.tokens.replace(access.tokens)
        self.shares.replace(access.limits, known_callers(self.config, access))
        self.calls.dismiss_strangers()
        self.telemetry.reloaded(len(access.tokens), len(access.limits.tables))
        return True

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
            retention = await asyncio.to_thread(self.retention_of, storage)
        except StorageFailed as error:
            await self.close()
            wanted = f"; {OTHER_STORAGE}" if isinstance(error, StorageDenied) else ""
            raise BadConfig(f"storage: {error.problem}{wanted}") from None
        iterations = REHEARSED if self.config.rehearsal else None
        bots = self.shares.queue("bots", self.config.thinkers, ENDLESS, beyond=self.config.thinkers, line_name="bots_waiting")
        players = BotPlayers(self.search_queue.scheduler, bots, self.telemetry, self.clock, iterations=iterations)
        registry = MatchRegistry(
            AsyncStorage(storage, self.telemetry.storage_failed, self.mode),
            players,
            self.telemetry,
            MatchShares(self.shares, self.config.matches, self.config.kept_megabytes),
            self.step,
            clock=self.clock,
            draws=self.draws,
            settles=bool(self.config.rehearsal),
            retention=retention,
            mode=self.mode,
        )
        self.telemetry.matches.set_function(lambda: len(registry.under_way))
        return registry

    def retention_of(self, storage: Storage) -> Retention:
        """What the settings say, or the storage where they say nothing; settings say so from then on. Raises StorageFailed."""
        own = storage.retention()
        over = own.over if self.config.keep_over is None else self.config.keep_over
        idle = own.idle if self.config.keep_idle is None else self.config.keep_idle
        self.config = replace(self.config, keep_over=over, keep_idle=idle)
        self.telemetry.retention(over, idle)
        return Retention(over, idle)

    def usual_place(self) -> str:
        """Where matches are kept unless it is said."""
        return MEMORY if self.config.rehearsal else usual_place()

    async def stop(self) -> None:
        """Take no new calls, give those under way some time, end all searches."""
        self.health.close()
        self.search_queue.admission.close()
        self.calls.pace.close()
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
        if self.admin is not None:
            await self.admin.close()
        if self.door is not None:
            await self.door.close()
        if self.registry is not None:
            await self.registry.close()
        if self.tournaments is not None:
            await asyncio.to_thread(self.tournaments.close)
        for thread in (self.worker, self.reading, self.following, self.replaying):
            thread.close()
        await self.search_queue.close()
        self.watchers.close()
        await asyncio.sleep(0)  # for what the last searches still call
        self.telemetry.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.stop()


def known_callers(config: Config, access: AccessFiles) -> int:
    """How many may come; zero where nobody can say. Guests are one."""
    return len(access.tokens) + config.guests
