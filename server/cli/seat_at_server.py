"""A match that a server hosts, at this terminal: the server alone holds the match; the front gets the views of one seat."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Protocol

from machiavel import clients, engines
from machiavel.clients import Client, HostSession, SeatSession
from machiavel.engines import View
from machiavel.engines.plugin import Rules
from machiavel.server.cli.arguments import UsageError
from machiavel.server.cli.hosting import TAKE_BACK, Frontend
from machiavel.server.cli.table_bots import file_of_spec
from machiavel.server.service import wire
from machiavel.server.tournaments.bot_files import file_bot, name_of
from machiavel.v1 import Match, MatchEvent, MatchPosition, MatchSeat, MatchSnapshot, SeatKind, SeatSetup

__all__ = ["JoinedMatch", "MatchNotices", "SeatAtServer", "create", "place_of", "rematch", "session_at"]

# How long a server may be away, in seconds: the person may as well leave and come back.
PATIENCE = 120.0
# An answer that came too late for its question, whatever the reason; the match goes on.
LATE = (
    clients.AlreadyAnswered,
    clients.MatchOver,
    clients.NotToMove,
    clients.SeatHeld,
    clients.StaleVersion,
)


@dataclass(frozen=True)
class JoinedMatch:
    """Where somebody plays: the seat's session and, for who set the match up, the host's."""

    session: SeatSession
    host: HostSession | None
    server: str


class MatchNotices(Protocol):
    """Tells the person what is not of the game: who comes and goes, and what becomes of their answers."""

    def waiting(self, seats: Sequence[int]) -> None:
        """These seats are open still."""

    def changed(self, seat: MatchSeat) -> None:
        """Somebody joined, a bot took a seat over or handed it back, a seat was forfeited."""

    def rematch_waits(self) -> None:
        """Others have to ask for the rematch, too."""

    def late(self, error: clients.ServiceError) -> None:
        """The last answer was too late."""

    def taken_back(self, moves: int) -> None:
        """The person's last decision was taken back, and so many moves are undone."""

    def nothing_to_take_back(self) -> None:
        """There is none yet."""

    def frontend(self, view: View, match: Match, seats: Mapping[int, MatchSeat], ply: int) -> Frontend:
        """What shows the game, now that it is dealt."""


class SeatAtServer:
    """A person's seat, from the first look at the match until it is over or left."""

    def __init__(self, session: SeatSession, notices: MatchNotices) -> None:
        self.session = session
        self.notices = notices
        self.match = Match()
        self.seats: dict[int, MatchSeat] = {}
        self.utilities: tuple[float, ...] | None = None
        self.view: View | None = None
        self._front: Frontend | None = None
        self._seen: Mapping[str, Any] = {}
        self._answered = 0  # the version right after the last answer
        self._choices: list[int] = []  # the plies at which there was a choice

    def play(self) -> None:
        """Until the match is over or left. Raises ServiceError."""
        with closing(self.session.watch(patience=PATIENCE)) as answers:
            for answer in answers:
                is_first = answer.HasField("snapshot")
                position = self._look(answer.snapshot) if is_first else self._hear(answer.event)
                version = answer.snapshot.version if is_first else answer.event.version
                if self._is_asked(position, version) and not self._ask(position):
                    return

    def _look(self, snapshot: MatchSnapshot) -> MatchPosition:
        self.match = snapshot.match
        self.seats = {seat.seat: seat for seat in snapshot.match.seats}
        self.utilities = tuple(snapshot.match.utilities) or None
        if snapshot.HasField("position"):
            self._begin(snapshot.position)
        else:
            self._wait()
        return snapshot.position

    def _hear(self, event: MatchEvent) -> MatchPosition:
        what = event.WhichOneof("what")
        if what == "seat":
            self.seats[event.seat.seat] = event.seat
            self.notices.changed(event.seat)
            if self._front is None:
                self._wait()
        elif what == "begun":
            self._begin(event.position)
        elif what == "move" and self._front is not None:
            before = self._seen
            self._see(event.position)
            self._front.moved(before, event.move.seat, event.move.move.text, self._seen)
        elif what == "taken_back" and self._front is not None:
            self._see(event.position)
            self.notices.taken_back(event.taken_back.moves)
            self._front.returned(self._seen, event.position.ply)
        elif what == "over":
            self.utilities = tuple(event.over.utilities)
        return event.position

    def _wait(self) -> None:
        still = [seat.seat for seat in self.seats.values() if seat.kind == SeatKind.SEAT_KIND_OPEN]
        if still:
            self.notices.waiting(still)

    def _begin(self, position: MatchPosition) -> None:
        self._see(position)
        if self.view is not None:
            self._front = self.notices.frontend(self.view, self.match, self.seats, position.ply)
            self._front.begin(self._seen)

    def _see(self, position: MatchPosition) -> None:
        self.view = wire.read_view(position.view)
        self._seen = self.view.to_json()

    def _is_asked(self, position: MatchPosition, version: int) -> bool:
        own = self.seats.get(-1 if self.session.seat is None else self.session.seat, MatchSeat())
        is_held = own.taken_over or own.forfeited
        return self.session.seat in position.seats_to_move and bool(position.moves) and not is_held and version >= self._answered

    def _ask(self, position: MatchPosition) -> bool:
        """Asks until an entry is taken, or comes too late; False where the person leaves."""
        assert self._front is not None  # noqa: S101 - for mypy: who is asked has seen the deal
        moves = [move.text for move in position.moves]
        while (entry := self._front.ask(self._seen, moves)) is not None:
            try:
                if entry == TAKE_BACK:
                    self._answered = self._take_back(position.ply)
                else:
                    self._answered = self.session.play(entry, timeout=PATIENCE).version
                    self._choices += [position.ply] if len(moves) > 1 else []
            except clients.NothingToTakeBack:
                self.notices.nothing_to_take_back()
            except clients.MoveError as error:
                self._front.refuse(self._seen, entry, move_error(error), moves)
            except LATE as error:
                self.notices.late(error)
                return True
            else:
                return True
        return False

    def _take_back(self, ply: int) -> int:
        """Back to the last choice; the version right after it."""
        self._choices = [one for one in self._choices if one < ply]
        back = self._choices.pop() if self._choices else None
        return self.session.take_back(ply=back, timeout=PATIENCE).version


def move_error(error: clients.MoveError) -> engines.MoveError:
    """The error of the engine that the server was given."""
    if isinstance(error, clients.IllegalMove):
        return engines.IllegalMove(error.text, error.seat, error.why, error.legal)
    if isinstance(error, clients.AmbiguousMove):
        return engines.AmbiguousMove(error.text, error.seat, error.candidates)
    return engines.NotAMove(error.text, getattr(error, "expected", ""))


# ---- Coming to the match ----


def create(
    service: Client,
    game: str,
    rules: Rules,
    seat: int,
    others: Mapping[int, str],
    *,
    name: str,
    think: float | None,
    move_time: float | None,
    hints: bool,
    practice: bool,
) -> HostSession:
    """A match with this person on one seat, and bots or whoever joins on the others. Everybody may have its record."""
    setups: list[SeatSetup | str] = []
    for number in range(rules.players):
        if number == seat:
            setups.append(SeatSetup(kind=SeatKind.SEAT_KIND_PERSON, name=name))
        elif (file := file_of_spec(others[number])) is not None:  # which plays from here, as a person would
            file_bot(file)
            setups.append(SeatSetup(kind=SeatKind.SEAT_KIND_PERSON, name=name_of(file)))
        else:
            setups.append(others[number])
    options = wire.options_message(rules.options, game)
    return service.create_match(
        game,
        setups,
        options=options,
        think=think,
        move_time=move_time,
        hints=hints,
        practice=practice,
        rematch=True,
        open_record=True,
    )


def rematch(place: JoinedMatch, notices: MatchNotices) -> JoinedMatch | None:
    """The place in another match with the same people and bots, once all of them have asked for it; None where there is none."""
    try:
        session = place.session.rematch(timeout=PATIENCE)
        if session is None:
            notices.rematch_waits()
            with closing(place.session.watch(stay=True, patience=PATIENCE)) as answers:
                for _ in answers:
                    continue
            session = place.session.rematch(timeout=PATIENCE)
    except (clients.NotAllowed, clients.NoAccess):
        return None
    return None if session is None else JoinedMatch(session, None, place.server)


def place_of(session: SeatSession) -> str:
    """What `session_at` takes: the name of the match, and what opens the place."""
    return f"{session.match}:{session.token}"


def session_at(service: Client, place: str, flag: str) -> SeatSession:
    match, colon, token = place.partition(":")
    if not (match and colon and token):
        raise UsageError(f"{flag} {place}: expected MATCH:TOKEN, as it was told when the match was left")
    return service.session(match, token)
