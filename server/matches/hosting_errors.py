"""Why a call for a hosted match is refused; nothing has changed then."""

from collections.abc import Sequence

from machiavel.server.shares import OverShare

__all__ = [
    "AlreadyAnswered",
    "BadCode",
    "HostingError",
    "NoAccess",
    "NotAllowed",
    "NotStarted",
    "NothingToTakeBack",
    "RequestReused",
    "SeatHeld",
    "SeatTaken",
    "SlowWatcher",
    "StaleVersion",
    "TooManyChanges",
    "TooManyMatches",
    "TooManyWatchers",
    "TooMuchKept",
    "WatchDisplaced",
]


class HostingError(Exception):
    """The base of all of them."""

    field = ""  # of the request, where one is wrong


class NoAccess(HostingError):
    """There is no such match, or the token does not open what was asked for. Which of the two must not be told."""

    def __init__(self) -> None:
        super().__init__("there is no such match, or the token does not open it for this call")


class StaleVersion(HostingError):
    """The seat has been asked anew, or has decided, since the version that the call was thought out at."""

    def __init__(self, expected_version: int, version: int, what: str = "has been asked anew") -> None:
        super().__init__(f"the seat {what} since version {expected_version}; look again: it is at {version} now")
        self.expected_version = expected_version
        self.version = version


class RequestReused(HostingError):
    """Another call had that request_id."""

    def __init__(self) -> None:
        super().__init__("another call had this request_id; expected a new one for a new call, a random UUID for example")
        self.field = "request_id"


class BadCode(HostingError):
    """No match has that code."""

    def __init__(self) -> None:
        super().__init__("no match has that code; expected the ten letters and digits that its host was given")


class SeatTaken(HostingError):
    """The seat is not open, or none is any more."""

    def __init__(self, seat: int | None) -> None:
        super().__init__("no seat is open any more" if seat is None else f"seat {seat} is not open; leave it out for one that is")
        self.seat = seat


class NotStarted(HostingError):
    """Open seats have to be taken first."""

    def __init__(self, open_seats: Sequence[int]) -> None:
        super().__init__(f"the match waits for somebody to join at seat {', '.join(map(str, open_seats))}")
        self.open_seats = list(open_seats)


class NotAllowed(HostingError):
    """The match was set up without that."""

    def __init__(self, setting: str) -> None:
        super().__init__(f"the match was set up without settings.{setting}")
        self.setting = setting


class SeatHeld(HostingError):
    """The seat is not held in the way this takes."""

    def __init__(self, seat: int, problem: str) -> None:
        super().__init__(f"seat {seat} {problem}")
        self.seat = seat
        self.problem = problem


class AlreadyAnswered(HostingError):
    """The answer of the seat waits for its turn."""

    def __init__(self, seat: int) -> None:
        super().__init__(f"seat {seat} has answered already; its answer waits for its turn")
        self.seat = seat


class NothingToTakeBack(HostingError):
    """The seat has not decided anything yet, or not there."""

    def __init__(self, seat: int, ply: int | None) -> None:
        place = "no move yet" if ply is None else f"no move at ply {ply}; leave it out for the last one it made"
        super().__init__(f"seat {seat} has made {place}")
        self.seat = seat


class SlowWatcher(HostingError):
    """A watcher did not keep up."""

    def __init__(self, resume_after: int) -> None:
        super().__init__(f"too much happened before this was read; watch again, after version {resume_after}")
        self.resume_after = resume_after


class TooManyChanges(HostingError):
    """A match has been changed, besides by its moves, as often as the server takes."""

    def __init__(self, most: int, problem: str) -> None:
        super().__init__(problem.format(most=most))
        self.most = most


class BeyondShare(HostingError):
    """A caller wants more than its share; the fields say which limit it is, how much that allows, and what the caller has."""

    def __init__(self, over: OverShare) -> None:
        super().__init__(str(over))
        self.limit, self.most, self.own, self.retry_after = over.limit, over.most, over.own, over.retry_after


class TooManyMatches(BeyondShare):
    """As many matches are under way as the server takes, of this caller or of all."""


class TooMuchKept(BeyondShare):
    """What the caller's matches take on disk is all that it may have."""

    def __init__(self, over: OverShare) -> None:
        super().__init__(over)
        self.args = (f"{over}, or delete some",)


class TooManyWatchers(HostingError):
    """A caller has as many open watches as it may have now."""

    def __init__(self, problem: str, over: OverShare, retry_after: float) -> None:
        super().__init__(problem)
        self.limit, self.most, self.own = over.limit, over.most, over.own
        self.retry_after = retry_after  # seconds

    @classmethod
    def of(cls, over: OverShare) -> "TooManyWatchers":
        """There is no room for one more."""
        return cls(str(over), over, over.retry_after)

    @classmethod
    def crowded(cls, over: OverShare, retry_after: float) -> "TooManyWatchers":
        """Somebody with less was let in instead."""
        own = f"{over.own} of {over.most} {over.what} were yours"
        return cls(f"somebody else wants to watch, and {own}; try again in {retry_after:g} s", over, retry_after)


class WatchDisplaced(HostingError):
    """A newer watch with the same token has taken the place of this one."""

    def __init__(self, most: int) -> None:
        problem = f"a newer watch with the same token has taken this place, of which there are {most}"
        super().__init__(f"{problem}; expected fewer at once")
