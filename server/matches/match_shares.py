"""Whose matches are under way, and how much is kept for whom."""

from collections.abc import Mapping

from machiavel.server.matches.hosting_errors import TooManyMatches, TooMuchKept
from machiavel.server.shares import OverShare, Shares

__all__ = ["MatchShares"]

MIB = 1 << 20
SOON, LATER = 10.0, 3600.0  # seconds: matches end by themselves; what is kept is removed by its owner, or after days


class MatchShares:
    """Belongs to one event loop. A match, and what is kept of it, counts for the caller that set it up."""

    def __init__(self, shares: Shares, most: int, megabytes: int) -> None:
        """`most` matches under way, and so many MiB kept."""
        self.under_way = shares.resource("matches", most, what="matches under way")
        self.kept = shares.resource("kept_megabytes", megabytes, what="MiB of matches kept")
        self.under_way.retry_after, self.kept.retry_after = SOON, LATER
        self.owners: dict[str, str] = {}  # of matches under way, by name

    def __len__(self) -> int:
        return len(self.owners)

    def __contains__(self, match: str) -> bool:
        return match in self.owners

    def check(self, share: str, kept: Mapping[str, int]) -> None:
        """Whether another match may be set up, where so many bytes are kept for each caller.

        Raises TooManyMatches or TooMuchKept.
        """
        self.count(kept)
        try:
            self.kept.take(share)
        except OverShare as error:
            raise TooMuchKept(error) from None
        self.kept.give(share)
        self.take(share)
        self.under_way.give(share)

    def count(self, kept: Mapping[str, int]) -> None:
        for share in {*kept, *self.kept.taken}:
            difference = kept.get(share, 0) // MIB - self.kept.of(share)
            if difference > 0:
                self.kept.put(share, difference)
            elif difference < 0:
                self.kept.give(share, -difference)

    def take(self, share: str) -> None:
        """A place for a match that is not there yet; raises TooManyMatches."""
        try:
            self.under_way.take(share)
        except OverShare as error:
            raise TooManyMatches(error) from None

    def give(self, share: str) -> None:
        """For a match that did not come about."""
        self.under_way.give(share)

    def begin(self, match: str, share: str, *, is_taken: bool = False) -> None:
        """A match is under way, for which its caller may have taken a place."""
        if match not in self.owners:
            self.owners[match] = share
            if not is_taken:
                self.under_way.put(share)

    def end(self, match: str) -> None:
        """Does nothing where the match is not under way."""
        share = self.owners.pop(match, None)
        if share is not None:
            self.under_way.give(share)
