"""What callers share: whether there is more than one."""

from machiavel.server.clock import SystemClock
from machiavel.server.shares import Shares
from machiavel.server.shares.share_registry import LATELY


class SetClock(SystemClock):
    now = 1000.0

    def monotonic(self) -> float:
        return self.now


def test_a_server_is_shared_while_another_caller_was_there_lately() -> None:
    clock = SetClock()
    shares = Shares(clock=clock)
    assert not shares.is_shared
    for _ in range(3):
        shares.seen("ann")
        assert not shares.is_shared
    shares.seen("ben")
    assert shares.is_shared
    clock.now += LATELY / 2
    shares.seen("ben")
    assert shares.is_shared
    clock.now += LATELY
    shares.seen("ben")
    assert not shares.is_shared
    shares.seen("ann")
    assert shares.is_shared
