"""The client for whoever runs a server: who uses what, and the end of what must end."""

from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Self

import grpc

from machiavel.clients.calls import QUICK, call
from machiavel.clients.connection import OPTIONS, Tls, credentials, headers, is_url
from machiavel.v1 import (
    AdminServiceStub,
    EndMatchRequest,
    EndTournamentRequest,
    EraseDataRequest,
    EraseDataResponse,
    GetStatusRequest,
    GetStatusResponse,
    HostedMatch,
    HostedTournament,
    ListHostedMatchesRequest,
    ListHostedTournamentsRequest,
    MatchPhase,
    ServerMode,
    SetDrainingRequest,
    SetDrainingResponse,
    SetReadOnlyRequest,
)

__all__ = ["AdminClient", "connect_admin"]

LONG = 600.0  # seconds that erasing may take, or the end of a tournament


class AdminClient:
    """A connection to a server's operator; its methods take and give messages of `machiavel.v1`, and raise ServiceError."""

    def __init__(self, target: str, *, token: str | None = None, tls: Tls | None = None) -> None:
        if is_url(target):
            raise ValueError(f"{target}: is a door for HTTP, where nobody is an operator; expected unix:PATH or HOST:PORT")
        self.headers = headers(target, token, tls)
        secure = None if tls is None else credentials(tls)
        self.channel = (
            grpc.insecure_channel(target, options=OPTIONS)
            if secure is None
            else grpc.secure_channel(target, secure, options=OPTIONS)
        )
        self.stub = AdminServiceStub(self.channel)

    def close(self) -> None:
        """The client is of no use afterwards."""
        self.channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def status(self, *, timeout: float = QUICK) -> GetStatusResponse:
        """What the server is doing, and who uses how much of what is shared."""
        return call(lambda: self.stub.GetStatus(GetStatusRequest(), timeout=timeout, metadata=self.headers))

    def matches(
        self,
        account: str | None = None,
        phase: MatchPhase.ValueType = MatchPhase.MATCH_PHASE_UNSPECIFIED,
        *,
        timeout: float = QUICK,
    ) -> Iterator[HostedMatch]:
        """Matches of all accounts, or of one, the newest first, fetched page by page."""
        page = ""
        while True:
            request = ListHostedMatchesRequest(account=account, phase=phase, page_size=100, page_token=page)
            response = call(lambda: self.stub.ListHostedMatches(request, timeout=timeout, metadata=self.headers))  # noqa: B023
            yield from response.matches
            page = response.next_page_token
            if not page:
                return

    def end_match(self, match: str, *, timeout: float = QUICK) -> HostedMatch:
        """Ends a match with equal shares for all seats; one that is over stays as it is."""
        request = EndMatchRequest(match=match)
        return call(lambda: self.stub.EndMatch(request, timeout=timeout, metadata=self.headers)).match

    def remove_match(self, match: str, *, timeout: float = QUICK) -> None:
        """Removes a match, over or not."""
        request = EndMatchRequest(match=match, remove=True)
        call(lambda: self.stub.EndMatch(request, timeout=timeout, metadata=self.headers))

    def tournaments(self, account: str | None = None, *, timeout: float = QUICK) -> Sequence[HostedTournament]:
        """Tournaments of all accounts, or of one, the newest first."""
        request = ListHostedTournamentsRequest(account=account)
        return call(lambda: self.stub.ListHostedTournaments(request, timeout=timeout, metadata=self.headers)).tournaments

    def end_tournament(self, name: str, *, timeout: float = LONG) -> HostedTournament:
        """Ends a tournament; what was played is kept."""
        request = EndTournamentRequest(name=name)
        return call(lambda: self.stub.EndTournament(request, timeout=timeout, metadata=self.headers)).tournament

    def remove_tournament(self, name: str, *, timeout: float = LONG) -> None:
        """Removes a tournament with its games; ends it first."""
        request = EndTournamentRequest(name=name, remove=True)
        call(lambda: self.stub.EndTournament(request, timeout=timeout, metadata=self.headers))

    def erase_account(self, account: str, *, dry_run: bool = False, timeout: float = LONG) -> EraseDataResponse:
        """Erases an account's matches and tournaments; with `dry_run` counts only."""
        return self._erase(EraseDataRequest(account=account, dry_run=dry_run), timeout)

    def erase_person(self, person: str, *, dry_run: bool = False, timeout: float = LONG) -> EraseDataResponse:
        """Takes a person's name out of every match; with `dry_run` counts only."""
        return self._erase(EraseDataRequest(person=person, dry_run=dry_run), timeout)

    def _erase(self, request: EraseDataRequest, timeout: float) -> EraseDataResponse:
        return call(lambda: self.stub.EraseData(request, timeout=timeout, metadata=self.headers))

    def set_read_only(self, read_only: bool, reason: str = "", *, timeout: float = LONG) -> ServerMode:
        """Whether the server changes what it keeps; callers are told the reason why not."""
        request = SetReadOnlyRequest(read_only=read_only, reason=reason)
        return call(lambda: self.stub.SetReadOnly(request, timeout=timeout, metadata=self.headers)).mode

    def set_draining(self, draining: bool, *, timeout: float = QUICK) -> SetDrainingResponse:
        """Whether the server takes no new matches and tournaments."""
        request = SetDrainingRequest(draining=draining)
        return call(lambda: self.stub.SetDraining(request, timeout=timeout, metadata=self.headers))


def connect_admin(target: str, *, token: str | None = None, tls: Tls | None = None) -> AdminClient:
    """The operator's client: of `unix:PATH`, as `serve --admin` has it, or of HOST:PORT with an operator's token."""
    return AdminClient(target, token=token, tls=tls)
