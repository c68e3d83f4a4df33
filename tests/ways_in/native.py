"""Native gRPC, by which the others are judged; and whatever else can stand in for a channel of grpc's."""

from collections.abc import Callable
from threading import Event, Timer
from typing import Any

import grpc
from google.protobuf.message import Message
from google.rpc import status_pb2

from tests.ways_in.way import LEAVES_AFTER, LEFT, Case, Outcome

__all__ = ["NativeWay"]


class NativeWay:
    """Calls over channels that `connected` makes."""

    def __init__(self, connected: Callable[[], Any]) -> None:
        self.connected = connected

    def run(self, case: Case) -> Outcome:
        channel = self.connected()
        has_left = Event()

        def leave() -> None:
            has_left.set()
            channel.close()

        leaves = Timer(LEAVES_AFTER, leave)
        answers: list[Message] = []
        try:
            if case.leaves_after == 0:
                leaves.start()
            return self.over(channel, case, answers)
        except grpc.RpcError as error:
            if has_left.is_set():
                return Outcome(LEFT)
            return Outcome(error.code().name, error.details() or "", details_of(error), answers)
        finally:
            leaves.cancel()
            channel.close()

    def over(self, channel: Any, case: Case, answers: list[Message]) -> Outcome:
        kind = channel.unary_stream if case.streams else channel.unary_unary
        call = kind(case.path, type(case.request).SerializeToString, case.answer_class.FromString)
        answer = call(case.request, timeout=case.timeout, metadata=tuple(case.headers.items()))
        if not case.streams:
            return Outcome("OK", answers=[answer])
        for one in answer:
            answers.append(one)
            if len(answers) == case.leaves_after:
                answer.cancel()
                return Outcome(LEFT, answers=answers)
        return Outcome("OK", answers=answers)


def details_of(error: Any) -> list[tuple[str, bytes]]:
    for name, value in error.trailing_metadata() or ():
        if name == "grpc-status-details-bin":
            status = status_pb2.Status.FromString(value)
            return [(one.TypeName(), one.value) for one in status.details]
    return []
