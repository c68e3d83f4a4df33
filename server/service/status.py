"""Errors as gRPC statuses: one table of codes, and the details that go with them."""

import json
from collections.abc import Mapping
from typing import Any

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from google.rpc.status_pb2 import Status

from machiavel import engines, search
from machiavel.server import operating_mode
from machiavel.server.matches import hosting_errors as hosting
from machiavel.server.service import refusals
from machiavel.server.storage import StorageFailed
from machiavel.server.tournaments import tournament_registry

__all__ = ["CODES", "DETAILS", "code_of", "reason_of", "status_of"]

DOMAIN = "machiavel"
DETAILS = "grpc-status-details-bin"
# Trailers of more than 8 KiB are refused on the way: each text is cut to so many bytes, and all metadata together.
LONGEST, MOST = 600, 2400
# What every refusal of more than a caller's share carries.
OF_SHARES = ("limit", "most", "own")

INVALID, UNMET = grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.FAILED_PRECONDITION
# What each error is to gRPC, and which of its fields it carries.
CODES: Mapping[type[Exception], tuple[grpc.StatusCode, tuple[str, ...]]] = {
    engines.UnknownGame: (grpc.StatusCode.NOT_FOUND, ("name", "known")),
    engines.IncompatibleEngine: (UNMET, ("name", "what")),
    engines.BadGameFile: (UNMET, ("problem", "line")),
    engines.GameFault: (grpc.StatusCode.INTERNAL, ("game", "what")),
    engines.BadOption: (INVALID, ("option", "expected")),
    engines.BadDeck: (INVALID, ("source", "key", "problem")),
    engines.BadLayout: (INVALID, ("field", "problem")),
    engines.MissingLuck: (UNMET, ("field",)),
    engines.BadView: (INVALID, ("field", "problem")),
    engines.BadRecord: (INVALID, ("field", "problem")),
    engines.MatchOver: (UNMET, ()),
    engines.MatchNotOver: (UNMET, ()),
    engines.NotToMove: (UNMET, ("seat", "seats_to_move")),
    engines.NotAMove: (INVALID, ("text", "expected")),
    engines.IllegalMove: (INVALID, ("text", "seat", "why", "legal")),
    engines.AmbiguousMove: (INVALID, ("text", "seat", "candidates")),
    search.BadBot: (INVALID, ("text", "problem")),
    refusals.BadRequest: (INVALID, ("field", "problem")),
    refusals.MessageTooLarge: (grpc.StatusCode.RESOURCE_EXHAUSTED, ("size", "most")),
    refusals.UnknownMethod: (grpc.StatusCode.UNIMPLEMENTED, ("services",)),
    refusals.ForeignHost: (grpc.StatusCode.PERMISSION_DENIED, ("known",)),
    refusals.ForeignOrigin: (grpc.StatusCode.PERMISSION_DENIED, ()),
    refusals.UnknownEncoding: (grpc.StatusCode.UNIMPLEMENTED, ("known",)),
    refusals.UnknownService: (grpc.StatusCode.NOT_FOUND, ("name", "known")),
    refusals.TooBusy: (grpc.StatusCode.RESOURCE_EXHAUSTED, ()),
    refusals.NoTime: (grpc.StatusCode.DEADLINE_EXCEEDED, ()),
    refusals.ShuttingDown: (grpc.StatusCode.UNAVAILABLE, ()),
    refusals.BadToken: (grpc.StatusCode.UNAUTHENTICATED, ()),
    hosting.NoAccess: (grpc.StatusCode.PERMISSION_DENIED, ()),
    hosting.StaleVersion: (grpc.StatusCode.ABORTED, ("expected_version", "version")),
    hosting.RequestReused: (INVALID, ("field",)),
    hosting.BadCode: (grpc.StatusCode.NOT_FOUND, ()),
    hosting.SeatTaken: (UNMET, ("seat",)),
    hosting.NotStarted: (UNMET, ("open_seats",)),
    hosting.NotAllowed: (UNMET, ("setting",)),
    hosting.SeatHeld: (UNMET, ("seat", "problem")),
    hosting.AlreadyAnswered: (UNMET, ("seat",)),
    hosting.NothingToTakeBack: (UNMET, ("seat",)),
    hosting.SlowWatcher: (grpc.StatusCode.ABORTED, ("resume_after",)),
    hosting.TooManyChanges: (UNMET, ("most",)),
    hosting.TooManyMatches: (grpc.StatusCode.RESOURCE_EXHAUSTED, ()),
    hosting.TooMuchKept: (grpc.StatusCode.RESOURCE_EXHAUSTED, ()),
    hosting.TooManyWatchers: (grpc.StatusCode.RESOURCE_EXHAUSTED, ()),
    hosting.WatchDisplaced: (grpc.StatusCode.ABORTED, ()),
    StorageFailed: (grpc.StatusCode.UNAVAILABLE, ()),
    tournament_registry.UnknownTournament: (grpc.StatusCode.NOT_FOUND, ("name",)),
    tournament_registry.OtherTournament: (grpc.StatusCode.ALREADY_EXISTS, ("given",)),
    tournament_registry.TooManyTournaments: (grpc.StatusCode.RESOURCE_EXHAUSTED, ("most",)),
    refusals.NoTournaments: (UNMET, ()),
    refusals.NotAdmin: (grpc.StatusCode.PERMISSION_DENIED, ()),
    operating_mode.ReadOnly: (grpc.StatusCode.UNAVAILABLE, ()),
    operating_mode.Draining: (grpc.StatusCode.UNAVAILABLE, ()),
}


def code_of(error: Exception) -> grpc.StatusCode:
    """INTERNAL for what is none of ours."""
    return CODES.get(type(error), (grpc.StatusCode.INTERNAL, ()))[0]


def reason_of(error: Exception) -> str:
    """`NotAMove` is NOT_A_MOVE; FAULT for what is none of ours."""
    if type(error) not in CODES:
        return "FAULT"
    if isinstance(error, StorageFailed):
        return "STORAGE"
    return "".join(f"_{letter}" if letter.isupper() else letter.upper() for letter in type(error).__name__)[1:]


def status_of(error: Exception, field: str, request_id: str) -> Status:
    """The status of an error, with its details; a fault of our own says nothing but its id."""
    is_ours = type(error) in CODES
    message = cut(str(error)) if is_ours else "a fault of the server; its log has more under the request id"
    names = CODES[type(error)][1] if is_ours else ()
    limit: str = getattr(error, "limit", "")
    if is_ours and limit:
        names = tuple(dict.fromkeys((*names, *OF_SHARES)))
    details: list[Message] = [
        error_details_pb2.ErrorInfo(reason=reason_of(error), domain=DOMAIN, metadata=metadata_of(error, names)),
        error_details_pb2.RequestInfo(request_id=request_id),
    ]
    field = field or (error.field if isinstance(error, refusals.CallError | hosting.HostingError) else "")
    if field and is_ours:
        details.append(error_details_pb2.BadRequest(field_violations=violations(error, field)))
    seconds: float | None = getattr(error, "retry_after", None)
    if is_ours and seconds is not None:
        retry = error_details_pb2.RetryInfo()
        retry.retry_delay.FromNanoseconds(int(seconds * 1e9))
        details.append(retry)
    result = Status(code=code_of(error).value[0], message=message)
    for detail in details:
        result.details.add().Pack(detail, deterministic=True)
    return result


def violations(error: Exception, field: str) -> list[error_details_pb2.BadRequest.FieldViolation]:
    """One for each field that is wrong, as far as there is room; the first is the one the message speaks of."""
    result = [error_details_pb2.BadRequest.FieldViolation(field=cut(field), description=cut(str(error)))]
    if isinstance(error, engines.BadView | engines.BadLayout):
        path = field.removesuffix(error.field) if field.endswith(error.field) else f"{field}."
        left = MOST - result[0].ByteSize()
        for one, message in list(zip(error.problems, error.messages("en"), strict=True))[1:]:
            result.append(error_details_pb2.BadRequest.FieldViolation(field=cut(path + one.field), description=cut(message)))
            left -= result[-1].ByteSize()
            if left < 0:
                return result[:-1]
    return result


def metadata_of(error: Exception, names: tuple[str, ...]) -> dict[str, str]:
    """The fields as far as they fit: texts as they are, all else as JSON, lists with as many items as there is room for."""
    result, left = {}, MOST
    for name in names:
        value: Any = getattr(error, name)
        text = value if isinstance(value, str) else json.dumps(shortened(value), ensure_ascii=False)
        result[name] = cut(text, min(LONGEST, left)) if isinstance(value, str) else text
        left -= len(result[name].encode())
    return result


def shortened(value: Any) -> Any:
    if not isinstance(value, tuple | list):
        return value
    kept: list[Any] = []
    for item in value:
        if len(json.dumps([*kept, item], ensure_ascii=False).encode()) > LONGEST:
            break
        kept.append(item)
    return kept


def cut(text: str, most: int = LONGEST) -> str:
    """No more bytes than that, at the end of a character; what is no text at all is replaced."""
    data = text.encode("utf-8", "replace")
    if len(data) <= most:
        return data.decode()
    return data[: max(0, most - 4)].decode("utf-8", "ignore") + " …"
