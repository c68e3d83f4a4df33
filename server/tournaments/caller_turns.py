"""Whose turn it is to have a tournament played: of all who wait, the one whose tournaments were played the least."""

from collections.abc import Collection

__all__ = ["CallerTurns"]

REMEMBERED = 4096  # callers that are not there any more


class CallerTurns:
    """Machine time by caller.

    Who comes new begins one turn before the least of those who are there, and so comes next, for one turn. Who comes back has
    what it had, so that nobody gains by leaving.
    """

    def __init__(self, turn: float) -> None:
        self.turn = turn  # seconds
        self.seconds: dict[str, float] = {}
        self.present: set[str] = set()

    def meet(self, callers: Collection[str]) -> None:
        """Those are there now."""
        least = min((self.seconds[caller] for caller in self.present & set(callers)), default=0.0)
        for caller in sorted(set(callers) - self.present):
            self.seconds[caller] = max(self.seconds.pop(caller, least - self.turn), least - self.turn)
        self.present = set(callers)
        for caller in [one for one in self.seconds if one not in self.present][:-REMEMBERED]:
            del self.seconds[caller]

    def charge(self, caller: str, seconds: float) -> None:
        self.seconds[caller] += seconds

    def next(self) -> str:
        """One of those who are there."""
        return min(self.present, key=lambda caller: (self.seconds[caller], caller))

    def is_ahead(self, caller: str) -> bool:
        """Whether somebody who is there has had less by a whole turn."""
        return any(self.seconds[other] <= self.seconds[caller] - self.turn for other in self.present - {caller})
