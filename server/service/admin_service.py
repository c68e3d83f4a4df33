"""AdminService: what the operator of a server may do. Shows no card, no move and no token."""

import asyncio
from collections.abc import Collection
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import grpc

from machiavel import v1
from machiavel.server.matches.erasure import account_erased, person_erased
from machiavel.server.matches.hosting_errors import NoAccess
from machiavel.server.matches.match import OVER, Match
from machiavel.server.matches.match_registry import MatchRegistry
from machiavel.server.operating_mode import OperatingMode
from machiavel.server.service.call_interceptor import caller
from machiavel.server.service.kept_responses import without_person
from machiavel.server.service.match_lists import MatchPage
from machiavel.server.service.match_wire import duration_message, listed_message
from machiavel.server.service.refusals import BadRequest, NotAdmin, NoTournaments, located
from machiavel.server.service.tournament_service import in_folder, tournament_message
from machiavel.server.shares import Usage
from machiavel.server.storage import Header, Write
from machiavel.server.tournaments.tournament_entry import TournamentEntry, bytes_of
from machiavel.server.tournaments.tournament_registry import TournamentRegistry
from machiavel.v1 import admin_service_pb2
from machiavel.v1.admin_service_pb2_grpc import AdminServiceServicer

if TYPE_CHECKING:
    from machiavel.server.service.app import Server

__all__ = ["ADMIN", "AdminService"]

Context = grpc.aio.ServicerContext[Any, Any]
ADMIN = admin_service_pb2.DESCRIPTOR.services_by_name["AdminService"].full_name
LONGEST_REASON = 200


class AdminService(AdminServiceServicer):
    """`names` are those of tokens that may call; None: whoever reaches it may."""

    def __init__(self, server: "Server", names: Collection[str] | None) -> None:
        self.server = server
        self.names = names

    @property
    def mode(self) -> OperatingMode:
        return self.server.mode

    @property
    def matches(self) -> MatchRegistry:
        assert self.server.registry is not None  # noqa: S101 - for the type: it serves only once there is one
        return self.server.registry

    @property
    def tournaments(self) -> TournamentRegistry:
        if self.server.tournaments is None:
            raise NoTournaments
        return self.server.tournaments

    def check(self) -> None:
        """Raises NotAdmin, before anything of the request is looked at."""
        if self.names is not None and caller.get() not in self.names:
            raise NotAdmin

    # ---- Who uses what ----

    async def GetStatus(self, request: v1.GetStatusRequest, context: Context) -> v1.GetStatusResponse:  # noqa: ARG002, N802
        self.check()
        matches, tournaments = self.unfinished()
        self.matches.under_way.count(self.matches.store.storage.kept())
        usage = self.server.shares.usage()
        return v1.GetStatusResponse(
            version=version("machiavel"),
            uptime=duration_message(self.server.uptime),
            mode=self.mode_message(),
            matches=matches,
            tournaments=tournaments,
            resources=[self.usage_message(name, usage[name]) for name in sorted(usage)],
        )

    def unfinished(self) -> tuple[int, int]:
        tournaments = self.server.tournaments
        return len(self.matches.unfinished), 0 if tournaments is None else tournaments.unfinished

    def usage_message(self, name: str, usage: Usage) -> v1.SharedResourceUsage:
        limits, limit = self.server.shares.limits, name.rpartition(".")[2]
        most_first = sorted(usage.callers.items(), key=lambda one: (-one[1], one[0]))
        callers = [v1.CallerUsage(caller=one, used=used, most=limits.most(one, limit)) for one, used in most_first]
        return v1.SharedResourceUsage(name=name, total=usage.total, used=usage.used, callers=callers)

    def mode_message(self) -> v1.ServerMode:
        return v1.ServerMode(read_only=self.mode.read_only, reason=self.mode.reason, draining=self.mode.draining)

    # ---- Matches ----

    async def ListHostedMatches(  # noqa: N802
        self,
        request: v1.ListHostedMatchesRequest,
        context: Context,  # noqa: ARG002
    ) -> v1.ListHostedMatchesResponse:
        self.check()
        page = MatchPage(request, self.matches.retention)
        account = request.account if request.HasField("account") else None
        headers = await self.matches.store.read(partial(page.headers, account))
        shown = await asyncio.to_thread(page.message, headers)
        matches = [v1.HostedMatch(match=one, account=header.account) for one, header in zip(shown.matches, headers, strict=False)]
        return v1.ListHostedMatchesResponse(matches=matches, next_page_token=shown.next_page_token)

    async def EndMatch(self, request: v1.EndMatchRequest, context: Context) -> v1.EndMatchResponse:  # noqa: ARG002, N802
        self.check()
        if request.remove:
            await self.remove(request.match)
            return v1.EndMatchResponse()
        session = await self.matches.find(request.match)

        def do(draft: Match, now: int) -> bytes:
            if draft.phase != OVER:
                with located(lambda _: "match"):
                    draft.give_up(now)
            return b""

        await session.change(do, None)
        header = await self.matches.store.read(lambda storage: storage.load(request.match))
        if header is None:
            raise NoAccess
        return v1.EndMatchResponse(match=hosted_message(header.header))

    async def remove(self, name: str) -> None:
        """One that cannot be played, too; raises NoAccess."""
        if name in self.matches.unplayable:
            await self.matches.store.write(Write(name, delete=True))
            self.matches.removed([name])
            return
        try:
            await (await self.matches.find(name)).delete()
        except NoAccess:
            stored = await self.matches.store.read(lambda storage: storage.load(name))
            if stored is None or not stored.deleted:
                raise

    # ---- Tournaments ----

    async def ListHostedTournaments(  # noqa: N802
        self,
        request: v1.ListHostedTournamentsRequest,
        context: Context,  # noqa: ARG002
    ) -> v1.ListHostedTournamentsResponse:
        self.check()
        entries = self.tournaments.of(request.account if request.HasField("account") else None)
        tournaments = await asyncio.to_thread(lambda: [self.tournament(one) for one in entries])
        return v1.ListHostedTournamentsResponse(tournaments=tournaments)

    async def EndTournament(  # noqa: N802
        self,
        request: v1.EndTournamentRequest,
        context: Context,  # noqa: ARG002
    ) -> v1.EndTournamentResponse:
        self.check()
        with located(lambda _: "name"):
            entry = self.tournaments.entry(request.name, None)
        if request.remove:
            await in_folder(self.tournaments.forget, entry)
            return v1.EndTournamentResponse()
        await in_folder(self.tournaments.cancel, entry)
        return v1.EndTournamentResponse(tournament=self.tournament(entry))

    def tournament(self, entry: TournamentEntry) -> v1.HostedTournament:
        size = bytes_of(self.tournaments.place(entry))
        return v1.HostedTournament(tournament=tournament_message(entry), account=entry.caller, bytes=size)

    # ---- People's data ----

    async def EraseData(self, request: v1.EraseDataRequest, context: Context) -> v1.EraseDataResponse:  # noqa: ARG002, N802
        self.check()
        whose = request.WhichOneof("whose")
        if whose is None or not getattr(request, whose):
            raise BadRequest(whose or "whose", "is missing; expected the name of a token, or a person's name at seats")
        if not request.dry_run:
            self.mode.check_writable()
        if whose == "person":
            renamed = await person_erased(self.matches, request.person, without_person, dry_run=request.dry_run)
            if not request.dry_run:
                self.server.telemetry.erased(whose, matches=renamed)
            return v1.EraseDataResponse(renamed=renamed)
        matches = await account_erased(self.matches, request.account, dry_run=request.dry_run)
        entries = self.server.tournaments.of(request.account) if self.server.tournaments is not None else []
        for entry in [] if request.dry_run else entries:
            await in_folder(self.tournaments.forget, entry)
        if not request.dry_run:
            self.server.telemetry.erased(whose, account=request.account, matches=matches, tournaments=len(entries))
        return v1.EraseDataResponse(matches=matches, tournaments=len(entries))

    # ---- What it does not do just now ----

    async def SetReadOnly(self, request: v1.SetReadOnlyRequest, context: Context) -> v1.SetReadOnlyResponse:  # noqa: ARG002, N802
        self.check()
        if len(request.reason) > LONGEST_REASON:
            raise BadRequest("reason", f"has {len(request.reason)} characters; expected at most {LONGEST_REASON}")
        was, self.mode.read_only = self.mode.read_only, request.read_only
        self.mode.reason = request.reason if request.read_only else ""
        if request.read_only:
            self.matches.pause()
            await self.matches.store.read(lambda _: None)  # what was to be written before is, then
        elif was:
            self.matches.go_on()
        if self.server.tournaments is not None:
            await asyncio.to_thread(self.server.tournaments.settle)
        self.server.telemetry.mode_changed(read_only=self.mode.read_only, draining=self.mode.draining)
        return v1.SetReadOnlyResponse(mode=self.mode_message())

    async def SetDraining(self, request: v1.SetDrainingRequest, context: Context) -> v1.SetDrainingResponse:  # noqa: ARG002, N802
        self.check()
        self.mode.draining = request.draining
        self.server.health.set_draining(request.draining)
        self.server.telemetry.mode_changed(read_only=self.mode.read_only, draining=self.mode.draining)
        matches, tournaments = self.unfinished()
        return v1.SetDrainingResponse(mode=self.mode_message(), matches=matches, tournaments=tournaments)


def hosted_message(header: Header) -> v1.HostedMatch:
    return v1.HostedMatch(match=listed_message(header), account=header.account)
