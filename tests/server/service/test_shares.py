"""What a caller is told who wants more than its share."""

from google.rpc import error_details_pb2

from machiavel.server.service import status
from machiavel.server.service.refusals import TooBusy
from machiavel.server.shares import OverShare


def test_a_refusal_says_which_limit_how_much_and_when_to_come_again() -> None:
    error = TooBusy.of(OverShare("callers.ada.calls", 3, 2, "calls under way", 2.5))

    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    message = status.status_of(error, "", "id")
    assert message.details[0].Unpack(info)
    assert message.details[2].Unpack(retry)

    assert info.reason == "TOO_BUSY"
    assert dict(info.metadata) == {"limit": "callers.ada.calls", "most": "3", "own": "2"}
    assert retry.retry_delay.ToTimedelta().total_seconds() == 2.5
    assert message.message == "too many calls under way already (at most 3 for you; 2 are yours); try again in 2.5 s"
