"""A case, what comes of it, and what every way into a server has in common."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.message import Message
from google.rpc import error_details_pb2

__all__ = ["LEAVES_AFTER", "LEFT", "REQUEST_ID", "Case", "Outcome", "Way", "decoded", "reason_of"]

LEFT = "LEFT"  # where the caller went away
LEAVES_AFTER = 0.2  # seconds, where a caller leaves before any answer
A_MOMENT = 0.001  # seconds: most often too little for a search
REQUEST_ID = "x-request-id"
# What differs each time that a call is made.
VOLATILE = {"elapsed"}


@dataclass(frozen=True)
class Case:
    """A call, and how its outcomes are held against each other."""

    method: str  # such as GameService.NewState
    request: Message
    code: str = "OK"
    reason: str = ""  # of the ErrorInfo
    token: str = ""  # of the server
    timeout: float | None = None  # seconds
    leaves_after: int | None = None  # answers of a stream, or none of a call that is under way
    compares: str = "all"  # or `last`, the last answer; or `reason`, or `code` alone

    @property
    def is_timed(self) -> bool:
        """Whether a machine with other work may be too late for it, or a quick one in time for once."""
        return self.timeout is not None and (self.code == "OK" or self.timeout <= A_MOMENT)

    @property
    def descriptor(self) -> Any:
        service, _, method = self.method.partition(".")
        return descriptor_pool.Default().FindServiceByName(f"machiavel.v1.{service}").methods_by_name[method]

    @property
    def path(self) -> str:
        return "/machiavel.v1." + self.method.replace(".", "/")

    @property
    def streams(self) -> bool:
        return bool(self.descriptor.server_streaming)

    @property
    def answer_class(self) -> type[Message]:
        return message_factory.GetMessageClass(self.descriptor.output_type)

    @property
    def headers(self) -> dict[str, str]:
        authorization = {"authorization": f"Bearer {self.token}"} if self.token else {}
        return {REQUEST_ID: "a-case"} | authorization


@dataclass(frozen=True)
class Outcome:
    """What a caller got: a code by its name in gRPC, the message of the error, its details, the answers."""

    code: str
    message: str = ""
    details: Sequence[tuple[str, bytes]] = ()  # types and values
    answers: Sequence[Message] = field(default=())


class Way(Protocol):
    """A way into a server."""

    def run(self, case: Case) -> Outcome: ...


def decoded(outcome: Outcome, compares: str) -> Any:
    """What has to be the same for all ways."""
    if compares == "code":
        return outcome.code
    if compares == "reason":
        return outcome.code, reason_of(outcome)
    answers = [stable(answer) for answer in outcome.answers]
    details = [(kind, str(detail(kind, value))) for kind, value in outcome.details]
    return outcome.code, outcome.message, details, answers[-1:] if compares == "last" else answers


def reason_of(outcome: Outcome) -> str:
    """Of the ErrorInfo; empty where there is none."""
    found = [detail(kind, value).reason for kind, value in outcome.details if kind == "google.rpc.ErrorInfo"]  # type: ignore[attr-defined]
    return found[0] if found else ""


def stable(message: Message) -> str:
    result = type(message)()
    result.CopyFrom(message)
    for name in VOLATILE & set(result.DESCRIPTOR.fields_by_name):
        result.ClearField(name)
    return str(result)


def detail(kind: str, value: bytes) -> Message:
    """A detail of an error, such as google.rpc.ErrorInfo."""
    message: Message = getattr(error_details_pb2, kind.rpartition(".")[2])()
    message.ParseFromString(value)
    return message
