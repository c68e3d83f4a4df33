"""The streams that watch: whose they are, who may have one more, and which of them gives way."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from machiavel.server.clock import SYSTEM_CLOCK, Clock, Timer
from machiavel.server.matches.hosting_errors import TooManyWatchers, WatchDisplaced
from machiavel.server.service.guests import GUEST
from machiavel.server.shares import OverShare, Shares

__all__ = ["MOST_OF_SEAT", "WatchPlace", "Watchers", "cut_of"]

MOST_OF_SEAT = 16  # streams of one seat, or of the host
STALLED = 30.0  # seconds that a message may take to go out, before its stream is cut
SWEEP = 5.0  # seconds between two looks for those
CROWDED = 5.0  # seconds after which who was made to give way may come again

Holder = tuple[str, str]  # a match, and whose of it: its host, or a seat


def nothing() -> None:
    """Nobody waits."""


def cut_of(context: Any) -> Callable[[], None]:
    """What ends a call whose client does not read."""
    result: Callable[[], None] = getattr(context, "cut", nothing)
    return result


@dataclass(eq=False)
class WatchPlace:
    """One stream's. It has lost its place as soon as it has an error, and ends with that as soon as it can."""

    caller: str = ""
    source: str = ""  # the address that a guest comes from
    holder: Holder | None = None  # None for spectators, and for watches of tournaments
    cut: Callable[[], None] = nothing  # ends a stream that nobody reads
    wake: Callable[[], None] = nothing
    error: Exception | None = None
    sending_since: float | None = field(default=None, repr=False)  # by the clock's monotonic time, while a message goes out
    keeps: bool = False  # although it has an error, its share is given back only when the stream has ended

    @property
    def is_movable(self) -> bool:
        """Whether it can be ended at once. gRPC takes no status while a message goes out that nobody reads."""
        return self.sending_since is None or self.cut is not nothing

    def end(self, error: Exception) -> None:
        self.error = error
        if self.sending_since is not None:
            self.cut()
        self.wake()

    def check(self) -> None:
        """Raises what ends it."""
        if self.error is not None:
            raise self.error


class Watchers:
    """Belongs to one event loop.

    Spectators never keep seats and hosts out: who watches with a token of the match, and finds the caller's share full, takes the
    place of that caller's oldest spectator, or else of the same token's oldest stream.
    """

    def __init__(self, shares: Shares, most: int, most_guests: int, clock: Clock = SYSTEM_CLOCK) -> None:
        self.resource = shares.resource("watchers", most, "open watches", self.give_way)
        self.most_guests = most_guests
        self.clock = clock
        self.streams: dict[WatchPlace, None] = {}  # all that have not ended; those with an error have no place
        self.spectators: dict[str, dict[WatchPlace, None]] = {}  # by caller, oldest first; so is all that follows
        self.seats: dict[str, dict[WatchPlace, None]] = {}
        self.holders: dict[Holder, dict[WatchPlace, None]] = {}
        self.timer: Timer | None = None

    @contextmanager
    def place(self, caller: str, source: str, holder: Holder | None, cut: Callable[[], None] = nothing) -> Iterator[WatchPlace]:
        """A place while inside, unless another takes it; raises TooManyWatchers."""
        place = WatchPlace(caller, source, holder, cut)
        self.take(place)
        self.streams[place] = None
        if self.timer is None:
            self.timer = self.clock.call_later(SWEEP, self.sweep)
        try:
            yield place
        finally:
            del self.streams[place]
            if place.error is None:
                self.leave(place)
            if place.error is None or place.keeps:
                self.resource.give(place.caller)

    def take(self, place: WatchPlace) -> None:
        holder, caller = place.holder, place.caller
        if holder is not None and len(self.holders.get(holder, ())) >= MOST_OF_SEAT:
            self.end(next(iter(self.holders[holder])), WatchDisplaced(MOST_OF_SEAT))
        if caller == GUEST and self.guests() >= self.guest_limit():
            self.swap_guests(place)
        else:
            try:
                self.resource.take(caller)
            except OverShare as over:
                self.swap(place, over)
        for kept, key in self.kept(place):
            kept.setdefault(key, {})[place] = None

    def kept(self, place: WatchPlace) -> Iterator[tuple[dict[Any, dict[WatchPlace, None]], Any]]:
        if place.holder is None:
            yield self.spectators, place.caller
        else:
            yield self.seats, place.caller
            yield self.holders, place.holder

    def leave(self, place: WatchPlace) -> None:
        for kept, key in self.kept(place):
            del kept[key][place]
            if not kept[key]:
                del kept[key]

    # ---- Who gives way ----

    def end(self, place: WatchPlace, error: Exception, *, is_swapped: bool = False) -> None:
        """Takes a place away; where it is swapped, somebody of the same caller has it now."""
        self.leave(place)
        place.keeps = not place.is_movable
        if not is_swapped and not place.keeps:
            self.resource.give(place.caller)
        place.end(error)

    def swap(self, place: WatchPlace, over: OverShare) -> None:
        """Puts one in the place of another of the same caller; raises TooManyWatchers."""
        if place.holder is not None:
            for spectator in self.spectators.get(place.caller, ()):
                if spectator.is_movable:
                    self.end(spectator, TooManyWatchers.crowded(over, CROWDED), is_swapped=True)
                    return
            for other in self.holders.get(place.holder, ()):
                if other.caller == place.caller and other.is_movable:
                    self.end(other, WatchDisplaced(len(self.holders[place.holder])), is_swapped=True)
                    return
        raise TooManyWatchers.of(over) from None

    def give_way(self, caller: str) -> bool:
        """Ends the oldest of a caller who has most, spectators first."""
        for place in itertools.chain(self.spectators.get(caller, ()), self.seats.get(caller, ())):
            if place.is_movable:
                name, total = self.resource.name, self.resource.total
                over = OverShare(name, total, self.resource.of(caller), self.resource.what, CROWDED)
                self.end(place, TooManyWatchers.crowded(over, CROWDED))
                return True
        return False

    # ---- Guests ----

    def guests(self) -> int:
        return self.resource.of(GUEST)

    def guest_limit(self) -> int:
        named = self.resource.limits.most(GUEST, self.resource.name)
        return self.most_guests if named is None else named

    def swap_guests(self, place: WatchPlace) -> None:
        """The address with most streams loses its oldest, unless it is the newcomer's own; raises TooManyWatchers."""
        over = OverShare("guest_calls", self.guest_limit(), self.guests(), "open watches of guests", CROWDED)
        places = [one for one in self.seats.get(GUEST, ()) if one.is_movable]
        addresses = Counter(one.source for one in places)
        most = max(addresses.values(), default=0)
        if addresses[place.source] >= most:
            self.swap(place, over)
            return
        oldest = next(one for one in places if addresses[one.source] == most)
        self.end(oldest, TooManyWatchers.crowded(over, CROWDED), is_swapped=True)

    # ---- Who does not read ----

    def sweep(self) -> None:
        """Cuts streams that nobody reads, so that they keep neither a place nor what was to be sent."""
        before = self.clock.monotonic() - STALLED
        for place in list(self.streams):
            if place.sending_since is not None and place.sending_since < before:
                place.cut()
        self.timer = self.clock.call_later(SWEEP, self.sweep) if self.streams else None

    def close(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
