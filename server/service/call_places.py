"""The calls under way, and whether there is room for one more."""

from collections import Counter
from typing import Protocol

from machiavel.server.service.config import Config
from machiavel.server.service.refusals import CallError, TooBusy
from machiavel.server.shares import OverShare, Shares

__all__ = ["RETRY_AFTER", "CallPlaces", "CrowdedCalls", "OneCall"]

RETRY_AFTER = 1.0  # seconds
HEALTH_WATCH = "/grpc.health.v1.Health/Watch"
# Streams that last for hours, and do nothing most of the time: counted by themselves.
WATCHES = frozenset({"/machiavel.v1.MatchService/WatchMatch", "/machiavel.v1.TournamentService/WatchTournament"})
# Of the health service, over one connection.
MOST_WATCHES = 16
MOST_CHECKS = 64


class OneCall(Protocol):
    """What is asked of a call here."""

    method: str
    peer: str  # its connection
    source: str  # its address
    share: str  # its caller
    line: str  # in which the loop has its work
    is_open: bool  # of the health service
    is_guest: bool
    token: bytes | None  # what it showed, as the server knows it

    def dismiss(self, error: CallError) -> None:
        """Ends the call with that error."""


class CallPlaces:
    """Belongs to one event loop.

    Calls are shared between callers. A call that waits for a request is idle: if somebody comes who has less, whoever has most
    loses the oldest of these. A watch counts here until its request has come; watchers are counted elsewhere.

    Anybody may ask for the health, so its calls are counted apart. When there are too many, the address that has most of them
    loses its oldest, and among equals the connection that has. So it is with guests, by address.
    """

    def __init__(self, config: Config, shares: Shares) -> None:
        self.shared = shares.resource("calls", config.calls, "calls under way", self.has_ended_idle)
        self.idle: dict[str, dict[OneCall, None]] = {}  # by caller, in the order they came
        self.counted: set[OneCall] = set()
        self.watches: set[OneCall] = set()
        self.checks = CrowdedCalls(config.calls, "calls of the health service under way over", MOST_CHECKS)
        self.health_watches = CrowdedCalls(
            config.calls, "Health.Watch streams over", MOST_WATCHES, "ask Health.Check, or ", stays=True
        )
        self.guests = CrowdedCalls(config.guest_calls, "calls of guests under way")
        self.by_line: dict[str, set[OneCall]] = {}

    def under_way(self, line: str) -> int:
        """How many calls there are in a line, those of the health service among them."""
        return len(self.by_line.get(line, ()))

    def take(self, call: OneCall) -> None:
        """Raises TooBusy."""
        if call.is_open:
            (self.health_watches if call.method == HEALTH_WATCH else self.checks).take(call)
            self.by_line.setdefault(call.line, set()).add(call)
            return
        if call.is_guest:
            self.guests.take(call)
        try:
            self.shared.take(call.share)
        except OverShare as over:
            self.guests.leave(call)
            raise TooBusy.of(over) from None
        self.counted.add(call)
        self.by_line.setdefault(call.line, set()).add(call)

    def wait(self, call: OneCall) -> None:
        """From now on it waits for a request."""
        if call in self.counted:
            self.idle.setdefault(call.share, {})[call] = None

    def begin(self, call: OneCall) -> None:
        """Its request is here."""
        self.stir(call)
        if call.method in WATCHES and call in self.counted:
            self.counted.remove(call)
            self.shared.give(call.share)
            self.leave_line(call)
            self.watches.add(call)

    def leave(self, call: OneCall) -> None:
        """Does nothing where the call has no place."""
        self.leave_line(call)
        for crowd in (self.checks, self.health_watches, self.guests):
            crowd.leave(call)
        self.watches.discard(call)
        if call in self.counted:
            self.counted.remove(call)
            self.stir(call)
            self.shared.give(call.share)

    def leave_line(self, call: OneCall) -> None:
        of_line = self.by_line.get(call.line, set())
        of_line.discard(call)
        if not of_line:
            self.by_line.pop(call.line, None)

    def calls(self) -> set[OneCall]:
        return {*self.counted, *self.watches, *self.checks.calls, *self.health_watches.calls, *self.guests.calls}

    def stir(self, call: OneCall) -> None:
        """It is idle no more."""
        of_caller = self.idle.get(call.share, {})
        of_caller.pop(call, None)
        if not of_caller:
            self.idle.pop(call.share, None)

    def has_ended_idle(self, caller: str) -> bool:
        """Whether the caller had an idle call, of which the oldest has ended."""
        call = next(iter(self.idle.get(caller, ())), None)
        if call is None:
            return False
        over = OverShare("calls", self.shared.total, self.shared.of(caller), "calls without a request", RETRY_AFTER)
        self.leave(call)
        call.dismiss(TooBusy.of(over))
        return True


class CrowdedCalls:
    """So many calls at once, of which whoever has most makes room; with `most_over_one`, so many over one connection, too.

    What `stays` is not ended for somebody who would have as many then.
    """

    def __init__(self, most: int, what: str, most_over_one: int = 0, instead: str = "", *, stays: bool = False) -> None:
        self.most = most
        self.what = what
        self.most_over_one = most_over_one
        self.instead = instead
        self.stays = stays
        self.calls: dict[OneCall, None] = {}  # in the order they came
        self.of_address: Counter[str] = Counter()
        self.of_connection: Counter[str] = Counter()

    def take(self, call: OneCall) -> None:
        """Raises TooBusy."""
        if self.most_over_one and self.of_connection[call.peer] >= self.most_over_one:
            instead = f"end one, {self.instead}" if self.instead else ""
            raise TooBusy(f"{self.what} this connection (at most {self.most_over_one})", RETRY_AFTER, instead)
        if len(self.calls) >= self.most:
            self.end_oldest(call)
        self.calls[call] = None
        self.of_address[call.source] += 1
        self.of_connection[call.peer] += 1

    def end_oldest(self, call: OneCall) -> None:
        """Ends the oldest call of whoever has most of them; raises TooBusy where nobody has more than who makes this one."""
        over_all = " all connections" if self.most_over_one else ""
        error = TooBusy(f"{self.what}{over_all} (at most {self.most})", RETRY_AFTER, self.instead)
        oldest = max(self.calls, key=self.rank)
        address, connection = self.rank(call)
        if self.rank(oldest) <= (address + self.stays * (oldest.source != call.source), connection + self.stays):
            raise error
        self.leave(oldest)
        oldest.dismiss(error)

    def rank(self, call: OneCall) -> tuple[int, int]:
        return self.of_address[call.source], self.of_connection[call.peer] if self.most_over_one else 0

    def leave(self, call: OneCall) -> None:
        """Does nothing where the call has no place."""
        if call not in self.calls:
            return
        del self.calls[call]
        for counted, key in ((self.of_address, call.source), (self.of_connection, call.peer)):
            counted[key] -= 1
            if not counted[key]:
                del counted[key]
