"""A place at a hosted match, for plain code."""

import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing

import grpc

from machiavel.clients import match_requests, requests
from machiavel.clients.calls import QUICK, call, insist
from machiavel.clients.connection import Metadata
from machiavel.clients.errors import from_call
from machiavel.v1 import (
    CreateMatchResponse,
    DeleteMatchRequest,
    ForfeitSeatRequest,
    GetMatchRequest,
    GetRecordRequest,
    GetRecordResponse,
    HandBackSeatRequest,
    HintMoveResponse,
    MatchPosition,
    MatchSeat,
    MatchServiceStub,
    MatchSnapshot,
    PlayMoveRequest,
    PlayMoveResponse,
    RematchRequest,
    TakeBackMoveRequest,
    TakeBackMoveResponse,
    WatchMatchResponse,
)

__all__ = ["HostSession", "SeatSession"]


class SeatSession:
    """A place at a hosted match: a seat's, the host's, or a spectator's. Made by a client, which must stay open.

    `match` is the match's name and `token` what opens the place; who keeps both can come back by `Client.session`. `seat` is None
    for the host and for spectators, and `version` the last version of the match that was seen here. Calls that change something
    are sent again with the same request id while the server is away, so that they happen once.
    """

    def __init__(self, stub: MatchServiceStub, headers: Metadata, match: str, token: str, seat: int | None) -> None:
        self.stub = stub
        self.headers = headers
        self.match = match
        self.token = token
        self.seat = seat
        self.version: int | None = None
        self.played = 0  # the version right after the last answer given here

    def get(self, *, timeout: float = QUICK) -> MatchSnapshot:
        """How the match stands, for this place."""
        request = GetMatchRequest(match=self.match, token=self.token)
        answer = insist(lambda left: self.stub.GetMatch(request, timeout=left, metadata=self.headers), timeout)
        if answer.snapshot.HasField("seat"):
            self.seat = answer.snapshot.seat
        self.version = answer.snapshot.version
        return answer.snapshot

    def play(
        self, move: str, *, expected_version: int | None = None, request_id: str | None = None, timeout: float = QUICK
    ) -> PlayMoveResponse:
        """Answers for the seat.

        Refused as StaleVersion where the seat has been asked anew since `expected_version`; by default, since the version last
        seen here. Who may have to repeat the call from another process gives it a `request_id`, and keeps that; then no version
        is expected unless one is given, and the call must be the same again in all of it.
        """
        if expected_version is None and request_id is None:
            expected_version = self.version
        request = PlayMoveRequest(
            match=self.match,
            token=self.token,
            move=move,
            expected_version=expected_version,
            request_id=request_id or match_requests.new_id(),
        )
        answer = insist(lambda left: self.stub.PlayMove(request, timeout=left, metadata=self.headers), timeout)
        self.played = max(self.played, answer.version)
        self.version = max(self.version or 0, answer.version)
        return answer

    def watch(
        self, *, after: int | None = None, stay: bool = False, patience: float = 60.0
    ) -> Generator[WatchMatchResponse, None, None]:
        """How the match stands, then every event, until it is over; with `after`, only the events after that version.

        Who stays hears of a rematch as well, and the last event is that it has begun.

        After a break it goes on where it was; it gives up when the server has been away for `patience` seconds.
        """
        yield from self.watch_on(match_requests.WatchPosition(self.match, self.token, after, patience, stay=stay))

    def turns(self, *, patience: float = 60.0) -> Generator[MatchPosition, None, None]:
        """Where the game stands, whenever the seat is asked, until the match is over; `moves` are its legal moves.

        While a bot plays for the seat it is not asked. Who does not answer is shown the question again when the position changes.
        """
        watched = match_requests.WatchPosition(self.match, self.token, None, patience)
        with closing(self.watch_on(watched)) as answers:
            for answer in answers:
                position = watched.asks(answer, self.seat, self.played)
                if position is not None:
                    yield position

    def watch_on(self, watched: match_requests.WatchPosition) -> Generator[WatchMatchResponse, None, None]:
        """What `watch` gives, from where somebody else has got to; `watched` tells how far it is."""
        while not watched.over:
            stream = self.stub.WatchMatch(watched.ask(), metadata=self.headers)
            watched.begun(stream)
            try:
                for answer in stream:
                    if watched.take(answer):
                        if answer.snapshot.HasField("seat"):
                            self.seat = answer.snapshot.seat
                        self.version = max(self.version or 0, watched.version)
                        yield answer
                return
            except grpc.RpcError as error:
                time.sleep(watched.pause(from_call(error)))
            finally:
                stream.cancel()  # type: ignore[no-untyped-call]

    def hint(
        self,
        *,
        bot: str = "",
        iterations: int | None = None,
        seconds: float | None = None,
        moves: Sequence[str] = (),
        explain: bool = False,
        what_about: str = "",
        timeout: float | None = None,
    ) -> HintMoveResponse:
        """What a bot would play for the seat, and why; where the match allows hints.

        `explain` says so in sentences, `what_about` holds a move against the best.

        `timeout` is the deadline of the call, in seconds: where no limits are given, it is the time to think.
        """
        request = match_requests.hint(
            self.match,
            self.token,
            bot=bot,
            iterations=iterations,
            seconds=seconds,
            moves=moves,
            explain=explain,
            what_about=what_about,
        )
        timeout = requests.time_of(timeout, seconds)
        return call(lambda: self.stub.HintMove(request, timeout=timeout, metadata=self.headers))

    def take_back(
        self,
        *,
        ply: int | None = None,
        expected_version: int | None = None,
        request_id: str | None = None,
        timeout: float = QUICK,
    ) -> TakeBackMoveResponse:
        """Takes back the seat's last move, or that at `ply`, and all moves since, in a match for practice; it is asked again.

        Refused as StaleVersion where the seat has decided since `expected_version`; as in `play`, by default since the version
        last seen here.
        """
        if expected_version is None and request_id is None:
            expected_version = self.version
        request = TakeBackMoveRequest(
            match=self.match,
            token=self.token,
            ply=ply,
            expected_version=expected_version,
            request_id=request_id or match_requests.new_id(),
        )
        answer = insist(lambda left: self.stub.TakeBackMove(request, timeout=left, metadata=self.headers), timeout)
        self.played = max(self.played, answer.version)
        self.version = max(self.version or 0, answer.version)
        return answer

    def rematch(self, *, rotate: int | None = None, timeout: float = QUICK) -> "SeatSession | None":
        """Asks for another match with the same people and bots, once this one is over; this place in it once it has begun.

        None where others have to ask first: `watch` with `stay` tells when it has begun, and this call gives the place then.
        With `rotate` everybody moves on by so many seats.
        """
        request = RematchRequest(match=self.match, token=self.token, rotate=rotate)
        answer = insist(lambda left: self.stub.Rematch(request, timeout=left, metadata=self.headers), timeout)
        if not answer.rematch.match:
            return None
        seat = answer.seat if answer.HasField("seat") else None
        return SeatSession(self.stub, self.headers, answer.rematch.match, answer.token or self.token, seat)

    def take_over(
        self, bot: str = "", *, seat: int | None = None, think: float | None = None, timeout: float = QUICK
    ) -> MatchSeat:
        """Lets a bot play for the seat, until it is handed back; the host names the seat. `think` is in seconds."""
        request = match_requests.take_over(self.match, self.token, seat, bot, think)
        return insist(lambda left: self.stub.TakeOverSeat(request, timeout=left, metadata=self.headers), timeout).seat

    def hand_back(self, *, seat: int | None = None, timeout: float = QUICK) -> MatchSeat:
        """Lets the person play again; the host names the seat."""
        request = HandBackSeatRequest(match=self.match, token=self.token, seat=seat, request_id=match_requests.new_id())
        return insist(lambda left: self.stub.HandBackSeat(request, timeout=left, metadata=self.headers), timeout).seat

    def forfeit(self, *, timeout: float = QUICK) -> MatchSeat:
        """Gives the seat up for good."""
        request = ForfeitSeatRequest(match=self.match, token=self.token, request_id=match_requests.new_id())
        return insist(lambda left: self.stub.ForfeitSeat(request, timeout=left, metadata=self.headers), timeout).seat

    def record(self, *, timeout: float = QUICK) -> GetRecordResponse:
        """The record of a match that is over, and the salt: `commitment` tells what they must have been committed to by."""
        request = GetRecordRequest(match=self.match, token=self.token)
        return insist(lambda left: self.stub.GetRecord(request, timeout=left, metadata=self.headers), timeout)

    def delete(self, *, timeout: float = QUICK) -> None:
        """Removes the match, over or not; by the host alone."""
        request = DeleteMatchRequest(match=self.match, token=self.token)
        insist(lambda left: self.stub.DeleteMatch(request, timeout=left, metadata=self.headers), timeout)


class HostSession(SeatSession):
    """The place of whoever set a match up: `code` lets others join, `tokens` are those of the persons' seats, to be handed on."""

    def __init__(self, stub: MatchServiceStub, headers: Metadata, made: CreateMatchResponse) -> None:
        super().__init__(stub, headers, made.match.match, made.host_token, None)
        self.created = made.match
        self.code = made.code
        self.tokens: Mapping[int, str] = dict(made.seat_tokens)

    def at(self, seat: int) -> SeatSession:
        """The place of a person's seat, for whoever plays there from this process."""
        if seat not in self.tokens:
            persons = ", ".join(map(str, sorted(self.tokens))) or "none"
            raise ValueError(f"seat {seat} is no person's; expected one of those: {persons}")
        return SeatSession(self.stub, self.headers, self.match, self.tokens[seat], seat)
