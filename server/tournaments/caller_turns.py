"""Whose turn it is to have a tournament played: of all who wait, the one whose tournaments were played the least."""

from collections.abc import Collection

__all__ = ["CallerTurns"]


class CallerTurns:
    """Machine time by caller. Who comes new begins with as much as the least of those who are there, and so owes nobody."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def meet(self, callers: Collection[str]) -> None:
        """Those are there now; whoever is not is forgotten."""
        self.seconds = {caller: had for caller, had in self.seconds.items() if caller in callers}
        least = min(self.seconds.values(), default=0.0)
        for caller in callers:
            self.seconds.setdefault(caller, least)

    def charge(self, caller: str, seconds: float) -> None:
        self.seconds[caller] = self.seconds.get(caller, 0.0) + seconds

    def next(self, callers: Collection[str]) -> str:
        """One of those that `meet` was told of."""
        return min(callers, key=lambda caller: (self.seconds[caller], caller))
