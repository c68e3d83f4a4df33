"""Who calls for a match, and whether the call has come before."""

import hashlib
import re
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message

from machiavel.server.draws import Draw
from machiavel.server.matches.hosting_errors import NoAccess
from machiavel.server.matches.match import Match
from machiavel.server.matches.match_events import SPECTATOR, Viewer
from machiavel.server.matches.match_session import MatchSession, RequestKey
from machiavel.server.matches.tokens import digest_of, is_same
from machiavel.server.service.guests import is_guest
from machiavel.server.service.refusals import BadRequest

__all__ = ["HOST", "Caller", "request_id", "request_key", "who"]

REQUEST_ID = re.compile(r"[\w.:-]{16,64}", re.ASCII)
HOST = "host"


@dataclass(frozen=True)
class Caller:
    """Whom a token makes the caller in one match."""

    session: MatchSession
    is_host: bool
    viewer: Viewer  # the host sees what a spectator sees

    @property
    def actor(self) -> str:
        return HOST if self.is_host else f"seat {self.viewer}"

    def own_seat(self, request: Any) -> int:
        """The token's seat; raises NoAccess where the request names another, or the token is of none."""
        if self.viewer is SPECTATOR or (request.HasField("seat") and request.seat != self.viewer):
            raise NoAccess
        return self.viewer

    def seat_in_charge(self, request: Any) -> int:
        """The token's seat, or of the host any seat that is named; raises NoAccess or BadRequest."""
        if not self.is_host:
            return self.own_seat(request)
        seats = len(self.session.match.seats)
        if not request.HasField("seat"):
            raise BadRequest("seat", f"is missing; expected of the host 0 to {seats - 1}")
        if not 0 <= request.seat < seats:
            raise BadRequest("seat", f"is {request.seat}; expected 0 to {seats - 1}")
        return int(request.seat)


def who(session: MatchSession, token: str) -> Caller:
    """Compares with every token there is, whichever fits; raises NoAccess. A guest must show a seat's."""
    match: Match = session.match
    is_host = is_same(token, session.header.host)
    fitting = [number for number, seat in enumerate(match.seats) if is_same(token, bytes.fromhex(seat.token)) and seat.token]
    if is_guest.get() and not fitting:
        raise NoAccess
    if is_host:
        return Caller(session, is_host=True, viewer=SPECTATOR)
    if fitting:
        return Caller(session, is_host=False, viewer=fitting[0])
    if not token and match.setup.settings.spectators:
        return Caller(session, is_host=False, viewer=SPECTATOR)
    raise NoAccess


def request_id(text: str, draw: Draw) -> str:
    """What a call is known by: its id, or where it has none something nobody will ask for again. Raises BadRequest."""
    return checked_id(text) if text else draw(16).hex()


def checked_id(text: str) -> str:
    """Raises BadRequest."""
    if not REQUEST_ID.fullmatch(text):
        raise BadRequest("request_id", "expected 16 to 64 letters, digits, `-`, `_`, `.` or `:`, such as a random UUID")
    return text


def request_key(actor: str, request: Any) -> RequestKey | None:
    """What a call is found again by; None where it gives no id. Raises BadRequest."""
    message: Message = request
    if not request.request_id:
        return None
    name = message.DESCRIPTOR.name.encode()
    digest = hashlib.sha256(name + b"\n" + message.SerializeToString(deterministic=True)).digest()
    return RequestKey(actor, digest_of(checked_id(request.request_id)), digest)
