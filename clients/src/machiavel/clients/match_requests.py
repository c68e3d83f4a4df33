"""Hosted matches, for both faces of the client: their requests, and how far somebody has watched one."""

import datetime as dt
import hashlib
import time
import uuid
from collections.abc import Sequence
from typing import Any

from machiavel.clients.calls import pauses, will_pass
from machiavel.clients.errors import Cancelled, ServiceError, SlowWatcher, TooBusy, TooManyWatchers
from machiavel.clients.requests import limits_of
from machiavel.v1 import (
    CreateMatchRequest,
    GetRecordResponse,
    HintMoveRequest,
    ListMatchesRequest,
    Match,
    MatchPhase,
    MatchPosition,
    MatchSettings,
    Options,
    SeatKind,
    SeatSetup,
    TakeOverSeatRequest,
    WatchMatchRequest,
    WatchMatchResponse,
)

__all__ = ["Seat", "WatchPosition", "commitment", "create", "hint", "listing", "new_id", "take_over"]

Seat = SeatSetup | str
LASTING = 25.0  # a stream that lasted longer was one, even if nothing happened; attempts to connect last less
LEFT = "hannel closed"  # what gRPC says where it is this client that was closed
KINDS = {"person": SeatKind.SEAT_KIND_PERSON, "open": SeatKind.SEAT_KIND_OPEN}


def new_id() -> str:
    """A `request_id` that nobody guesses."""
    return str(uuid.uuid4())


def commitment(response: GetRecordResponse) -> str:
    """What the server must have published at the start of a match with this record: see `Match.commitment`."""
    return hashlib.sha256(int(response.record.seed).to_bytes(16, "big") + response.salt).hexdigest()


# ---- Requests ----


def create(
    game: str,
    seats: Sequence[Seat],
    *,
    options: Options | None,
    think: float | None,
    move_time: float | None,
    settings: MatchSettings,
    request_id: str | None,
) -> CreateMatchRequest:
    if move_time is not None:
        settings.move_time.FromTimedelta(dt.timedelta(seconds=move_time))
    return CreateMatchRequest(
        game=game,
        options=options,
        seats=[setup(seat, think) for seat in seats],
        settings=settings,
        request_id=request_id or new_id(),
    )


def setup(seat: Seat, think: float | None) -> SeatSetup:
    """A seat as a message: `person`, `open`, or else the text of a bot."""
    if isinstance(seat, SeatSetup):
        return seat
    if seat in KINDS:
        return SeatSetup(kind=KINDS[seat])
    message = SeatSetup(kind=SeatKind.SEAT_KIND_BOT, bot=seat)
    if think is not None:
        message.think.FromTimedelta(dt.timedelta(seconds=think))
    return message


def hint(
    match: str,
    token: str,
    *,
    bot: str,
    iterations: int | None,
    seconds: float | None,
    moves: Sequence[str],
    explain: bool,
    what_about: str,
) -> HintMoveRequest:
    limits = limits_of(iterations, seconds)
    return HintMoveRequest(match=match, token=token, bot=bot, limits=limits, moves=moves, explain=explain, what_about=what_about)


def take_over(match: str, token: str, seat: int | None, bot: str, think: float | None) -> TakeOverSeatRequest:
    request = TakeOverSeatRequest(match=match, token=token, seat=seat, bot=bot, request_id=new_id())
    if think is not None:
        request.think.FromTimedelta(dt.timedelta(seconds=think))
    return request


def listing(phase: "MatchPhase.ValueType | None", page_size: int) -> ListMatchesRequest:
    return ListMatchesRequest(page_size=page_size, phase=phase or MatchPhase.MATCH_PHASE_UNSPECIFIED)


# ---- Watching ----


class WatchPosition:
    """How far somebody has watched a match, so that after a break it goes on from there."""

    def __init__(self, match: str, token: str, after: int | None, patience: float, *, stay: bool = False) -> None:
        self.request = WatchMatchRequest(match=match, token=token, after=after, stay=stay)
        self.patience = patience
        self.version = -1 if after is None else after
        self.held: set[int] = set()  # seats that a bot plays for their persons
        self.has_begun = False
        self.over = False
        self.match = Match()  # as far as it is known; its results at the end
        self.stream: Any = None  # of plain code, while it lasts
        self.heard()

    def heard(self) -> None:
        self.away_since: float | None = None
        self.pauses = pauses()

    def ask(self) -> WatchMatchRequest:
        """What to ask for now."""
        self.asked = time.monotonic()
        return self.request

    def take(self, answer: WatchMatchResponse) -> bool:
        """Whether it is new; what comes a second time is not."""
        self.heard()
        self.has_begun = True
        version = answer.snapshot.version if answer.HasField("snapshot") else answer.event.version
        if version <= self.version:
            return False
        self.version = version
        self.request.after = version
        if answer.HasField("snapshot"):
            self.match.CopyFrom(answer.snapshot.match)
            is_over = answer.snapshot.match.phase == MatchPhase.MATCH_PHASE_OVER
            self.over = is_over and (not self.request.stay or bool(answer.snapshot.rematch.match))
            self.held = {seat.seat for seat in answer.snapshot.match.seats if seat.taken_over or seat.forfeited}
        elif answer.event.HasField("over"):
            self.over = not self.request.stay
            self.match.phase = MatchPhase.MATCH_PHASE_OVER
            self.match.utilities[:] = answer.event.over.utilities
        elif answer.event.HasField("rematch"):
            self.over = bool(answer.event.rematch.match)
        elif answer.event.HasField("seat"):
            seat = answer.event.seat
            if seat.seat < len(self.match.seats):
                self.match.seats[seat.seat].CopyFrom(seat)
            (self.held.add if seat.taken_over or seat.forfeited else self.held.discard)(seat.seat)
        return True

    def pause(self, error: ServiceError) -> float:
        """How long to wait before watching goes on; raises the error where it cannot, or has not for too long."""
        now = time.monotonic()
        if now - self.asked > LASTING:
            self.heard()
        if self.away_since is None:
            self.away_since = now
        is_cancelled = isinstance(error, Cancelled) and LEFT not in str(error)
        is_crowded_out = self.has_begun and isinstance(error, TooBusy | TooManyWatchers)  # for somebody who has less
        is_break = will_pass(error) or is_cancelled or is_crowded_out or isinstance(error, SlowWatcher)
        pause = max(next(self.pauses), error.retry_after or 0.0)
        if not is_break or now + pause > self.away_since + self.patience:
            raise error from None
        return 0.0 if isinstance(error, SlowWatcher) else pause

    def begun(self, stream: Any) -> None:
        """Watches by that stream from now on."""
        self.stream = stream
        if self.over:  # left meanwhile
            stream.cancel()

    def leave(self) -> None:
        """Ends the watching of plain code, from any thread."""
        self.over = True
        if self.stream is not None:
            self.stream.cancel()

    def check_seat(self, seat: int | None) -> int:
        """Raises ValueError for a place that nobody is asked at."""
        if seat is None:
            raise ValueError(f"the token for match {self.request.match} is of no seat; expected a seat's, as host.at(0) has")
        return seat

    def asks(self, answer: WatchMatchResponse, seat: int | None, played: int) -> MatchPosition | None:
        """Where the game stands, if the seat is to answer there; not what is older than the answer it gave last."""
        position = answer.snapshot.position if answer.HasField("snapshot") else answer.event.position
        is_asked = seat is not None and seat in position.seats_to_move and bool(position.moves)
        return position if is_asked and seat not in self.held and self.version >= played else None
