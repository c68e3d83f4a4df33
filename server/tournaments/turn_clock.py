"""The time of one turn of a tournament."""

from typing import TYPE_CHECKING

from machiavel.server.tournaments.tournament_entry import TournamentEntry, bytes_of

if TYPE_CHECKING:
    from machiavel.server.tournaments.tournament_registry import TournamentRegistry

__all__ = ["TurnClock"]

LEAST_TURN = 1.0  # seconds that a turn takes
KEPT_EVERY = 10.0  # seconds, after which the time that was used is written down
HOUR, MEGABYTE = 3600.0, 1 << 20


class TurnClock:
    """Charges a tournament with the time of a turn as it goes by, and tells whether the turn is over."""

    def __init__(self, registry: "TournamentRegistry", entry: TournamentEntry) -> None:
        self.registry = registry
        self.entry = entry
        self.began = self.charged = self.kept = registry.clock.monotonic()
        self.problem = ""  # why there is no other turn

    def __call__(self) -> bool:
        """Whether the turn is over."""
        now, bounds = self.registry.clock.monotonic(), self.registry.bounds
        seconds, self.charged = self.registry.clock.elapsed(self.charged), now
        is_due = now - self.kept >= KEPT_EVERY
        if is_due:
            self.kept = now
        self.registry.charge(self.entry, seconds, keeps=is_due)
        if self.entry.seconds >= bounds.hours * HOUR:
            self.problem = f"has used its machine time, {bounds.hours:g} h; expected fewer deals, or bots that think less"
        elif bytes_of(self.registry.place(self.entry)) > bounds.megabytes * MEGABYTE:
            self.problem = f"its games take more than {bounds.megabytes} MiB; expected fewer deals"
        if self.problem or self.registry.must_pause(self.entry):
            return True
        return now - self.began >= LEAST_TURN and self.registry.is_ahead(self.entry)
