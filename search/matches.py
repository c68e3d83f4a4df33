"""The old name of `machiavel.search.match_runner`."""

from machiavel.search.match_runner import (
    Contestant,
    Interval,
    MatchResults,
    bootstrap,
    contestant,
    play_matches,
    rotations,
    seatings_of,
)
from machiavel.search.old_names import warn_of_old

__all__ = ["Contestant", "Interval", "Matches", "bootstrap", "contestant", "play_matches", "rotations", "seatings_of"]

Matches = MatchResults

warn_of_old("machiavel.search.matches", "machiavel.search.match_runner")
