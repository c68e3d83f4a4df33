"""What a call can fail with: the server's errors by their names, with their fields."""

import contextlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import grpc
from google.protobuf.message import DecodeError

from machiavel.clients import status_pb2

__all__ = [
    "DETAILS",
    "AlreadyAnswered",
    "AmbiguousMove",
    "BadBot",
    "BadCode",
    "BadDeck",
    "BadGameFile",
    "BadLayout",
    "BadOption",
    "BadRecord",
    "BadRequest",
    "BadToken",
    "BadView",
    "Cancelled",
    "Draining",
    "Fault",
    "ForeignHost",
    "ForeignOrigin",
    "GameError",
    "GameFault",
    "IllegalMove",
    "IncompatibleEngine",
    "MatchNotOver",
    "MatchOver",
    "MessageTooLarge",
    "MissingLuck",
    "MoveError",
    "NoAccess",
    "NoTime",
    "NoTournaments",
    "NotAMove",
    "NotAdmin",
    "NotAllowed",
    "NotStarted",
    "NotToMove",
    "NothingToTakeBack",
    "OtherTournament",
    "ReadOnly",
    "RequestReused",
    "SeatHeld",
    "SeatTaken",
    "ServiceError",
    "ShuttingDown",
    "SlowWatcher",
    "StaleVersion",
    "StorageFailed",
    "TooBusy",
    "TooManyChanges",
    "TooManyMatches",
    "TooManyTournaments",
    "TooManyWatchers",
    "TooMuchKept",
    "UnknownEncoding",
    "UnknownGame",
    "UnknownMethod",
    "UnknownService",
    "UnknownTournament",
    "WatchDisplaced",
    "from_call",
]

DOMAIN = "machiavel"
DETAILS = "grpc-status-details-bin"


class ServiceError(Exception):
    """A call failed.

    `code` is gRPC's; `reason` the server's name for it, empty where the error did not come from the server; `fields` are the
    paths in the request that are wrong, with what is wrong there; `retry_after` is in seconds, None where the server says
    nothing; `request_id` is the name of the call in the server's log.
    """

    texts: ClassVar[tuple[str, ...]] = ()  # fields that are texts
    values: ClassVar[Mapping[str, Any]] = {}  # other fields, and what they are where the server does not say

    def __init__(
        self,
        message: str,
        code: grpc.StatusCode,
        *,
        reason: str = "",
        metadata: Mapping[str, str] | None = None,
        fields: Mapping[str, str] | None = None,
        retry_after: float | None = None,
        request_id: str = "",
    ) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.metadata = dict(metadata or {})
        self.fields = dict(fields or {})
        self.retry_after = retry_after
        self.request_id = request_id
        for name in self.texts:
            setattr(self, name, self.metadata.get(name, ""))
        for name, missing in self.values.items():
            setattr(self, name, read(self.metadata.get(name), missing))


def read(text: str | None, missing: Any) -> Any:
    """A value out of its JSON; what was cut short is no JSON any more."""
    try:
        value = missing if text is None else json.loads(text)
    except ValueError:
        value = missing
    return tuple(value) if isinstance(value, list) else value


class GameError(ServiceError):
    """The rules refuse it; a call that raises one has changed nothing."""


class UnknownGame(GameError):
    """The server has no such game."""

    name: str
    known: tuple[str, ...]
    texts = ("name",)
    values: ClassVar[Mapping[str, Any]] = {"known": ()}


class IncompatibleEngine(GameError):
    """A game's engine does not fit the server's release."""

    name: str
    what: str
    texts = ("name", "what")


class BadGameFile(GameError):
    """A file that the server was given holds no game that can be played; `line` is where, None where that is not known."""

    problem: str
    line: int | None
    texts = ("problem",)
    values: ClassVar[Mapping[str, Any]] = {"line": None}


class GameFault(GameError):
    """The rules of a game in a file went wrong on the server; `what` says where, for its author."""

    game: str
    what: str
    texts = ("game", "what")


class BadOption(GameError):
    """An option, a limit or a parameter has a value it cannot have."""

    option: str
    expected: str
    texts = ("option", "expected")


class BadDeck(GameError):
    """A deck breaks a constraint."""

    source: str
    key: str
    problem: str
    texts = ("source", "key", "problem")


class BadLayout(GameError):
    """Luck that was laid out is impossible."""

    field: str
    problem: str
    texts = ("field", "problem")


class MissingLuck(GameError):
    """The match needs luck that was neither laid out nor seeded."""

    field: str
    texts = ("field",)


class BadView(GameError):
    """A view is malformed or contradicts itself."""

    field: str
    problem: str
    texts = ("field", "problem")


class BadRecord(GameError):
    """A record is malformed, or does not replay."""

    field: str
    problem: str
    texts = ("field", "problem")


class MatchOver(GameError):
    """Nobody can move any more."""


class MatchNotOver(GameError):
    """A result was asked for too early."""


class NotToMove(GameError):
    """A seat that is not asked was to move; `seat` is None for a spectator."""

    seat: int | None
    seats_to_move: tuple[int, ...]
    values: ClassVar[Mapping[str, Any]] = {"seat": None, "seats_to_move": ()}


class MoveError(GameError):
    """A text cannot be played; `text` is the text as given."""

    text: str


class NotAMove(MoveError):
    """The text is no move of this game at all."""

    expected: str
    texts = ("text", "expected")


class IllegalMove(MoveError):
    """The text is a move, but not a legal one now."""

    seat: int
    why: str
    legal: tuple[str, ...]
    texts = ("text", "why")
    values: ClassVar[Mapping[str, Any]] = {"seat": -1, "legal": ()}


class AmbiguousMove(MoveError):
    """The text fits more than one legal move."""

    seat: int
    candidates: tuple[str, ...]
    texts = ("text",)
    values: ClassVar[Mapping[str, Any]] = {"seat": -1, "candidates": ()}


class BadBot(GameError):
    """The text of a bot names no bot, or a parameter it cannot have."""

    text: str
    problem: str
    texts = ("text", "problem")


class BadRequest(ServiceError):
    """A field of the request is missing or cannot be."""

    field: str
    problem: str
    texts = ("field", "problem")


class MessageTooLarge(ServiceError):
    """The request is larger than what the server takes; both sizes are in bytes."""

    size: int
    most: int
    values: ClassVar[Mapping[str, Any]] = {"size": 0, "most": 0}


class UnknownMethod(ServiceError):
    """The server has no such method; `services` are those it has."""

    services: tuple[str, ...]
    values: ClassVar[Mapping[str, Any]] = {"services": ()}


class ForeignHost(ServiceError):
    """The server was called over HTTP by a name that is not its own; `known` are its names."""

    known: tuple[str, ...]
    values: ClassVar[Mapping[str, Any]] = {"known": ()}


class ForeignOrigin(ServiceError):
    """The call came over HTTP from a page that may not call."""


class UnknownEncoding(ServiceError):
    """The server does not know what the request is compressed with; `known` is what it does."""

    known: tuple[str, ...]
    values: ClassVar[Mapping[str, Any]] = {"known": ()}


class UnknownService(ServiceError):
    """The health of a service was asked for that the server does not have."""

    name: str
    known: tuple[str, ...]
    texts = ("name",)
    values: ClassVar[Mapping[str, Any]] = {"known": ()}


class TooBusy(ServiceError):
    """The server has too many calls or searches already; `retry_after` says when to come again."""


class NoTime(ServiceError):
    """The deadline passed, or left no time to think."""


class ShuttingDown(ServiceError):
    """The server is going, or cannot be reached."""


class BadToken(ServiceError):
    """A token is missing or unknown."""


class NoAccess(ServiceError):
    """There is no such match, or the token does not open what was asked for."""


class StaleVersion(ServiceError):
    """The seat has been asked anew since the version that was expected."""

    expected_version: int
    version: int
    values: ClassVar[Mapping[str, Any]] = {"expected_version": -1, "version": -1}


class RequestReused(ServiceError):
    """Another call had that request id."""

    field: str
    texts = ("field",)


class BadCode(ServiceError):
    """No match has that code."""


class SeatTaken(ServiceError):
    """The seat is not open; or, where `seat` is None, no seat is open any more."""

    seat: int | None
    values: ClassVar[Mapping[str, Any]] = {"seat": None}


class NotStarted(ServiceError):
    """The match waits for its open seats to be taken."""

    open_seats: tuple[int, ...]
    values: ClassVar[Mapping[str, Any]] = {"open_seats": ()}


class NotAllowed(ServiceError):
    """The match was set up without that."""

    setting: str
    texts = ("setting",)


class SeatHeld(ServiceError):
    """The seat is not held in the way that the call takes."""

    seat: int
    problem: str
    texts = ("problem",)
    values: ClassVar[Mapping[str, Any]] = {"seat": -1}


class AlreadyAnswered(ServiceError):
    """The seat has answered, and its answer waits for its turn."""

    seat: int
    values: ClassVar[Mapping[str, Any]] = {"seat": -1}


class NothingToTakeBack(ServiceError):
    """The seat has made no move yet, or none at that ply."""

    seat: int
    values: ClassVar[Mapping[str, Any]] = {"seat": -1}


class StorageFailed(ServiceError):
    """The server cannot read or write what it keeps just now; nothing was answered that is not on disk."""


class SlowWatcher(ServiceError):
    """A watcher did not keep up; it may go on from `resume_after`."""

    resume_after: int
    values: ClassVar[Mapping[str, Any]] = {"resume_after": -1}


class TooManyChanges(ServiceError):
    """The match has been taken over and back, or followed by rematches, `most` times, and that is all the server takes."""

    most: int
    values: ClassVar[Mapping[str, Any]] = {"most": 0}


class TooManyMatches(ServiceError):
    """As many matches are under way as the server takes."""


class TooManyWatchers(ServiceError):
    """The caller has as many open watches as it may have now, or somebody with fewer was let in instead.

    `retry_after` says when to come again.
    """


class WatchDisplaced(ServiceError):
    """Newer watches with the same token have taken the place of this one."""


class TooMuchKept(ServiceError):
    """What the caller's matches take on disk is all that it may have; deleting some helps at once."""


class UnknownTournament(ServiceError):
    """The caller has no tournament of that name."""

    name: str
    texts = ("name",)


class OtherTournament(ServiceError):
    """Another tournament was started with that request_id, which is in `given`."""

    given: str
    texts = ("given",)


class TooManyTournaments(ServiceError):
    """Too many tournaments are in line, `most` of them; `retry_after` says when to come again."""

    most: int
    values: ClassVar[Mapping[str, Any]] = {"most": 0}


class NoTournaments(ServiceError):
    """The server keeps no tournaments."""


class ReadOnly(ServiceError):
    """The server changes nothing that it keeps just now; `retry_after` says when to come again."""


class Draining(ServiceError):
    """The server takes no new matches and tournaments just now; `retry_after` says when to come again."""


class NotAdmin(ServiceError):
    """Only an operator of the server may call that."""


class Fault(ServiceError):
    """A fault of the server."""


class Cancelled(ServiceError):
    """The call was cancelled, by whoever made it or by the server."""


def all_kinds(kind: type[ServiceError]) -> list[type[ServiceError]]:
    return [kind, *(one for child in kind.__subclasses__() for one in all_kinds(child))]


def reason_of(kind: type[ServiceError]) -> str:
    """`NotAMove` is NOT_A_MOVE."""
    if kind is StorageFailed:
        return "STORAGE"
    return "".join(f"_{letter}" if letter.isupper() else letter.upper() for letter in kind.__name__)[1:]


KINDS = {reason_of(kind): kind for kind in all_kinds(ServiceError) if kind not in {ServiceError, GameError, MoveError}}
# Where gRPC itself failed, or a server that says no more.
CODES = {
    grpc.StatusCode.CANCELLED: Cancelled,
    grpc.StatusCode.DEADLINE_EXCEEDED: NoTime,
    grpc.StatusCode.PERMISSION_DENIED: NoAccess,
    grpc.StatusCode.UNAUTHENTICATED: BadToken,
    grpc.StatusCode.UNIMPLEMENTED: UnknownMethod,
    grpc.StatusCode.UNAVAILABLE: ShuttingDown,
}


def details_of(call: Any) -> Iterable[Any]:
    """What a server says besides code and message; nothing where that cannot be read."""
    message = status_pb2.Status()
    for name, value in call.trailing_metadata() or ():
        if name == DETAILS and isinstance(value, bytes):
            with contextlib.suppress(DecodeError):
                message.ParseFromString(value)
    return message.details


def from_call(error: grpc.RpcError) -> ServiceError:
    """The error of a call, as one of ours; names that this release does not know are plain ServiceErrors."""
    call: Any = error  # both kinds of channel raise calls
    code, message = call.code(), call.details() or ""
    info, wrong, retry, request = (
        status_pb2.ErrorInfo(),
        status_pb2.BadRequest(),
        status_pb2.RetryInfo(),
        status_pb2.RequestInfo(),
    )
    for detail in details_of(call):
        for message_of in (info, wrong, retry, request):
            if detail.type_url.rpartition(".")[2] == type(message_of).__name__:
                with contextlib.suppress(DecodeError):
                    message_of.ParseFromString(detail.value)
    reason = info.reason if info.domain == DOMAIN else ""
    kind = KINDS.get(reason) or CODES.get(code, ServiceError)
    return kind(
        message,
        code,
        reason=reason,
        metadata=info.metadata,
        fields={one.field: one.description for one in wrong.field_violations},
        retry_after=retry.retry_delay.ToNanoseconds() / 1e9 if retry.HasField("retry_delay") else None,
        request_id=request.request_id,
    )
