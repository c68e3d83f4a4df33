"""Matches that have been kept for long enough: those that are over, and those that everybody has left."""

from collections.abc import Collection, Sequence
from functools import partial

from machiavel.server.matches.match import OVER, PLAYING, SECOND, WAITING
from machiavel.server.matches.match_registry import MatchRegistry
from machiavel.server.operating_mode import ReadOnly
from machiavel.server.storage import LastActivity, Storage, StorageFailed, Write

__all__ = ["DAY", "Expiry"]

DAY = 86400 * SECOND
EVERY = 600.0  # seconds between two rounds; the first comes so long after the start, in which settings can be put right
PAUSE = 0.1  # seconds between two steps of a round, in which others write
STEP = 10  # matches that are looked at in one step


class Expiry:
    """Removes them, a few at a time. What is kept for 0 days is kept until it is deleted.

    Matches that cannot be played, since their game has other rules now, are kept, too.
    """

    def __init__(self, registry: MatchRegistry, over: float, idle: float) -> None:
        self.registry = registry
        self.days = {OVER: over, WAITING: idle, PLAYING: idle}

    async def run(self) -> None:
        """Round after round, for as long as the server runs."""
        while any(self.days.values()):
            await self.registry.clock.sleep(EVERY)
            try:
                await self.round()
            except ReadOnly:
                continue
            except StorageFailed as error:
                self.registry.fault_log.storage_failed(error.problem)

    async def round(self) -> None:
        """Looks at each match that is old enough, once; raises StorageFailed or ReadOnly."""
        for phase, days in self.days.items():
            if days:
                await self.remove(phase, self.registry.clock.wall() - int(days * DAY))

    async def remove(self, phase: str, before: int) -> None:
        """Those in which nothing has happened since."""
        removed, after = 0, None
        try:
            while page := await self.registry.store.read(partial(looked_up, phase, before, after)):
                removed += await self.remove_idle(phase, before, after, page)
                after = (page[-1].created, page[-1].match)
                await self.registry.clock.sleep(PAUSE)
        finally:
            if removed:
                self.registry.fault_log.matches_removed(phase, removed)

    async def remove_idle(self, phase: str, before: int, after: tuple[int, str] | None, page: Sequence[LastActivity]) -> int:
        registry = self.registry
        registry.mode.check_writable()
        # Who comes to a match from here on finds the match removed: the storage does one thing after the other.
        away = {one.match for one in page if one.time < before} - registry.sessions.keys() - registry.loading.keys()
        away -= registry.unplayable
        removed = await registry.store.read(partial(removed_of, away, phase, before, after))
        for name in removed:
            registry.under_way.end(name)
        sessions = [session for one in page if (session := registry.sessions.get(one.match)) is not None]
        return len(removed) + sum([await session.delete(before) for session in sessions if session.is_idle(before)])


def looked_up(phase: str, before: int, after: tuple[int, str] | None, storage: Storage) -> list[LastActivity]:
    return storage.lasts(phase, before, after, STEP)


def removed_of(names: Collection[str], phase: str, before: int, after: tuple[int, str] | None, storage: Storage) -> list[str]:
    """Removes those of the names that are idle still; in one step, so that nothing comes between the look and the removal."""
    idle = [one.match for one in storage.lasts(phase, before, after, STEP) if one.match in names and one.time < before]
    if idle:
        storage.write([Write(name, delete=True) for name in idle])
    return idle
