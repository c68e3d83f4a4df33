"""Ends searches so early that their answers are out before the deadlines of their calls, however busy the machine is."""

import asyncio
import math
from collections.abc import Callable
from typing import NamedTuple

from machiavel.search import Job
from machiavel.server.clock import SYSTEM_CLOCK, Clock
from machiavel.server.service.fair_loop import OWN_WORK, work_for

__all__ = ["CALM", "Deadlines", "Load", "margin_of"]

# The part of the time to the deadline that is kept for the way back, in seconds between two bounds; and what is kept besides for
# each other search under way, since answers that fall due together are made one by one. All of it is for a machine that has
# nothing else to do: where a search gets its core only half of the time, it is twice as much.
MARGIN, LEAST_MARGIN, MOST_MARGIN = 0.08, 0.006, 0.1
CROWD = 0.002
USUAL_MOST, MOST_KEPT = 0.5, 0.75  # of the time to the deadline, on a calm machine and on any
BUSY, BUSY_LAG = 1.25, 0.005  # stretch, and seconds, from which on a machine is not calm
PULSE = 0.04  # seconds between two looks at how busy the machine is
MEMORABLE = 0.4  # seconds for which that says something
SAFETY = 1.5  # how much worse it may come than it was


class Load(NamedTuple):
    """How busy the server and its machine are."""

    others: int = 0  # searches under way
    stretch: float = 1.0  # how many times longer than its work a search takes
    lag: float = 0.0  # seconds that the event loop comes late


CALM = Load()


def margin_of(remaining: float, load: Load = CALM) -> float:
    """What is kept of so many seconds to a deadline."""
    usual = min(max(MARGIN * remaining, LEAST_MARGIN), MOST_MARGIN) + CROWD * load.others
    if load.stretch < BUSY and load.lag < BUSY_LAG:
        return min(usual, USUAL_MOST * remaining)
    return min(load.stretch * usual + SAFETY * load.lag, MOST_KEPT * remaining)


class Deadlines:
    """Belongs to one event loop; looks at the machine only while it has a deadline to keep."""

    def __init__(self, stretch: Callable[[], float], clock: Clock = SYSTEM_CLOCK) -> None:
        """`stretch` is how many times longer than its work a search takes now, on its thread."""
        self.stretch = stretch
        self.clock = clock
        self.jobs: dict[Job, tuple[float, float]] = {}  # the deadline, and the seconds that there were to it
        self.lagged, self.looked = 0.0, 0.0  # seconds that the event loop came late at worst, and when that was seen
        self.pulse: asyncio.Task[None] | None = None

    @property
    def lag(self) -> float:
        """Seconds that the event loop comes late; what was seen long ago fades."""
        return self.lagged * math.exp((self.looked - self.clock.monotonic()) / MEMORABLE)

    def add(self, job: Job, deadline: float, remaining: float) -> None:
        self.jobs[job] = (deadline, remaining)
        if self.pulse is None:
            self.pulse = asyncio.get_running_loop().create_task(self.look(), context=work_for(OWN_WORK))

    def remove(self, job: Job) -> None:
        self.jobs.pop(job, None)

    async def look(self) -> None:
        try:
            while self.jobs:
                due = self.clock.monotonic() + PULSE
                await asyncio.sleep(PULSE)
                now = self.clock.monotonic()
                self.lagged, self.looked = max(now - due, self.lag), now
                self.tighten()
        finally:
            self.pulse = None

    def tighten(self) -> None:
        """Lets searches end earlier, where the machine needs longer now for their answers: the last one first."""
        stretch, latest = self.stretch(), float("inf")
        for job, (deadline, remaining) in sorted(self.jobs.items(), key=lambda one: -one[1][0]):
            latest = min(latest - CROWD * stretch, deadline - margin_of(remaining, Load(0, stretch, self.lag)))
            job.end_by(max(latest, deadline - MOST_KEPT * remaining))
