"""All that callers of a server share, and who has what of it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from machiavel.server.clock import SYSTEM_CLOCK, Clock
from machiavel.server.shares.caller_limits import CallerLimits
from machiavel.server.shares.fair_queue import FairQueue
from machiavel.server.shares.shared_resource import SharedResource

__all__ = ["Shares", "Usage"]

LATELY = 1.0  # seconds


@dataclass(frozen=True)
class Usage:
    """How much of a thing there is, how much is taken, and by whom."""

    total: int
    used: int
    callers: Mapping[str, int]


class Shares:
    """Belongs to one event loop. `known` is how many callers may come, zero where nobody can say."""

    def __init__(self, limits: CallerLimits | None = None, known: int = 0, clock: Clock = SYSTEM_CLOCK) -> None:
        self.limits = limits or CallerLimits()
        self.clock = clock
        self.resources: dict[str, SharedResource] = {}
        self.queues: dict[str, FairQueue] = {}
        self.known = known
        self.last = self.before = ("", -math.inf)  # who asked last, and who did before somebody else; and when

    def resource(self, name: str, total: int, what: str = "", give_way: Callable[[str], bool] | None = None) -> SharedResource:
        """The one of that name, made where there is none yet."""
        if name not in self.resources:
            self.resources[name] = SharedResource(name, total, self.limits, what=what, give_way=give_way)
            self.resources[name].known = self.known
        return self.resources[name]

    def queue(self, name: str, places: int, line: int, **more: Any) -> FairQueue:
        """The one of that name, made where there is none yet."""
        if name not in self.queues:
            self.queues[name] = FairQueue(name, places, line, self.limits, clock=self.clock, **more)
        return self.queues[name]

    def seen(self, caller: str) -> None:
        """The caller asks for something."""
        now, (last, _) = self.clock.monotonic(), self.last
        if caller != last:
            self.before = self.last
        self.last = caller, now

    @property
    def is_shared(self) -> bool:
        """Whether more than one caller asked for something within the last second."""
        return self.clock.monotonic() - self.before[1] < LATELY

    def replace(self, limits: CallerLimits, known: int) -> None:
        """From now on these hold; what is taken already stays."""
        self.limits.replace(limits)
        self.known = known
        for queue in self.queues.values():
            queue.hand_out()
        for resource in self.resources.values():
            resource.known = known

    def usage(self) -> Mapping[str, Usage]:
        """By the names of resources and queues; who waits in a queue is under `NAME.LINE`, as `searches.waiting`."""
        result = {name: Usage(one.total, one.used, dict(one.taken)) for name, one in self.resources.items()}
        for name, queue in self.queues.items():
            result[name] = Usage(queue.places + queue.beyond, queue.used, dict(queue.running))
            waiting = {caller: queue.waiting_of(caller) for caller in queue.lines}
            result[f"{name}.{queue.line_name}"] = Usage(queue.line, queue.waiting, waiting)
        return result
