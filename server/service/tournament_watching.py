"""Streams that watch tournaments: one look at all that are watched, and one answer for all who see the same."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from machiavel.server.clock import Clock
from machiavel.server.service.shared_answers import SharedAnswer
from machiavel.server.tournaments.tournament_entry import OVER, TournamentEntry

__all__ = ["LOOK", "TournamentStream", "TournamentWatching"]

LOOK = 0.05  # seconds between two looks, and at least as long as the last one took: half of the event loop is left to others
AT_ONCE = 16  # streams that are woken in one round of the event loop


@dataclass(eq=False)
class TournamentStream:
    """One stream, and what it was sent last."""

    watched: "WatchedTournament"
    every: float  # seconds between two messages
    clock: Clock
    sent: int = -1  # version
    due: float = 0.0  # by the clock's monotonic time
    waiting: asyncio.Future[None] | None = field(default=None, repr=False)

    @property
    def has_news(self) -> bool:
        return self.watched.entry.version != self.sent

    def answer(self) -> SharedAnswer:
        """How the tournament stands."""
        result = self.watched.answer()
        self.sent = self.watched.version
        self.due = self.clock.monotonic() + self.every
        return result

    @property
    def is_over(self) -> bool:
        """Whether the last answer was the last one that there is."""
        return self.watched.is_over

    def wake(self) -> None:
        if self.waiting is not None and not self.waiting.done():
            self.waiting.set_result(None)

    async def news(self) -> None:
        """Waits until there is something to look at."""
        self.waiting = asyncio.get_running_loop().create_future()
        try:
            await self.waiting
        finally:
            self.waiting = None


class WatchedTournament:
    """All streams of a tournament, and their answer."""

    def __init__(self, entry: TournamentEntry, make: Callable[[TournamentEntry], Any]) -> None:
        self.entry = entry
        self.make = make
        self.streams: dict[TournamentStream, None] = {}
        self.version = -1
        self.is_over = False
        self.shared: SharedAnswer | None = None

    def answer(self) -> SharedAnswer:
        version, is_over = self.entry.version, self.entry.state in OVER
        if self.shared is None or version != self.version:
            self.version, self.is_over, self.shared = version, is_over, SharedAnswer(self.make(self.entry))
        return self.shared


class TournamentWatching:
    """Belongs to one event loop."""

    def __init__(self, make: Callable[[TournamentEntry], Any], is_kept: Callable[[TournamentEntry], bool], clock: Clock) -> None:
        """`make` makes the message of how a tournament stands."""
        self.make = make
        self.is_kept = is_kept
        self.clock = clock
        self.watched: dict[str, WatchedTournament] = {}
        self.looking: asyncio.Task[None] | None = None

    @contextmanager
    def stream(self, entry: TournamentEntry, every: float) -> Iterator[TournamentStream]:
        """A stream that has news at most once in so many seconds, while inside."""
        watched = self.watched.setdefault(entry.name, WatchedTournament(entry, self.make))
        result = TournamentStream(watched, every, self.clock)
        watched.streams[result] = None
        if self.looking is None:
            self.looking = asyncio.get_running_loop().create_task(self.look())
        try:
            yield result
        finally:
            del watched.streams[result]
            if not watched.streams and self.watched.get(entry.name) is watched:
                del self.watched[entry.name]
            if not self.watched:
                self.looking.cancel()
                self.looking = None

    async def look(self) -> None:
        while True:
            began = self.clock.monotonic()
            ready = self.ready(began + LOOK / 2)
            for number in range(0, len(ready), AT_ONCE):
                for one in ready[number : number + AT_ONCE]:
                    one.wake()
                await asyncio.sleep(0)
            await self.clock.sleep(max(LOOK, self.clock.monotonic() - began))

    def ready(self, now: float) -> list[TournamentStream]:
        """Those who wait and have something to look at."""
        result: list[TournamentStream] = []
        for watched in self.watched.values():
            is_kept = self.is_kept(watched.entry)
            streams = (one for one in watched.streams if one.waiting is not None)
            result += [one for one in streams if not is_kept or (one.has_news and one.due <= now)]
        return result
