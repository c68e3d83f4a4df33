"""A thing of which there is so much: who has how much of it, and whether somebody may have more."""

from collections.abc import Callable
from heapq import nlargest

from machiavel.server.shares.caller_limits import CallerLimits
from machiavel.server.shares.over_share import OverShare

__all__ = ["SharedResource"]

HALF = 2
PART = 16  # one part in so many is kept for those who have little
RETRY_AFTER = 1.0  # seconds
MOST_ASKED = 16  # callers that are asked to give way, those with most first


class SharedResource:
    """Belongs to one event loop.

    Whoever is alone may have all but a small reserve. Of the reserve each caller gets a sixteenth of what is free, one at least,
    where all are known half of what would be its equal share; and one is left there for each known caller that has none.
    With `give_way`, whoever comes with less than another has may be made room for: it is called with the caller who has most,
    takes something back from that one at once, and returns whether it did.
    """

    def __init__(
        self,
        name: str,
        total: int,
        limits: CallerLimits | None = None,
        *,
        what: str = "",
        retry_after: float = RETRY_AFTER,
        give_way: Callable[[str], bool] | None = None,
    ) -> None:
        """`what` is what refusals call it, as `calls under way`."""
        self.name = name
        self.total = total
        self.limits = limits or CallerLimits()
        self.what = what or name
        self.retry_after = retry_after
        self.give_way = give_way
        self.known = 0  # callers that may come, where that is known
        self.used = 0
        self.taken: dict[str, int] = {}

    @property
    def reserve(self) -> int:
        """What nobody gets who has much already: enough for each known caller, as far as that is not more than half of all."""
        return max(1, self.total // PART, min(self.known, self.total // 2))

    @property
    def owed(self) -> int:
        """What is left for known callers who have nothing yet."""
        return max(0, min(self.known, self.total // 2) - len(self.taken))

    def of(self, caller: str) -> int:
        return self.taken.get(caller, 0)

    def allows(self, caller: str, amount: int = 1) -> bool:
        """Whether the caller may have so much more as things stand."""
        own, most, free = self.of(caller), self.limits.most(caller, self.name), self.total - self.used
        if amount > free or (most is not None and own + amount > most):
            return False
        if self.used + amount <= self.total - self.reserve:
            return True
        own_part = max(1, free // PART, self.total // (HALF * self.known) if self.known else 0)
        return own + amount <= own_part and (not own or free - amount >= self.owed)

    def take(self, caller: str, amount: int = 1) -> None:
        """Raises OverShare."""
        most = self.limits.most(caller, self.name)
        if most is not None and self.of(caller) + amount > most:
            raise OverShare(self.limits.name(caller, self.name), most, self.of(caller), self.what, self.retry_after)
        if not self.allows(caller, amount) and not self.has_made_room(caller, amount):
            raise OverShare(self.name, self.total, self.of(caller), self.what, self.retry_after)
        self.put(caller, amount)

    def put(self, caller: str, amount: int = 1) -> None:
        """Counts without asking: for what is there already, as after a restart."""
        self.used += amount
        self.taken[caller] = self.of(caller) + amount

    def give(self, caller: str, amount: int = 1) -> None:
        self.used -= amount
        self.taken[caller] -= amount
        if not self.taken[caller]:
            del self.taken[caller]

    def has_made_room(self, caller: str, amount: int) -> bool:
        """Whether so much was given back by callers who have more than this one would have."""
        if self.give_way is None:
            return False
        before, own = self.used, self.of(caller) + amount
        while before - self.used < amount:
            richer = nlargest(MOST_ASKED, (other for other, had in self.taken.items() if had > own), key=self.of)
            if not any(self.give_way(other) for other in richer):
                return False
        return True
