"""Matches under way, and bytes kept, are shared."""

import pytest

from machiavel.server.matches.hosting_errors import TooManyMatches, TooMuchKept
from machiavel.server.matches.match_shares import MatchShares
from machiavel.server.shares import CallerLimits, Shares

MIB = 1 << 20


def filled(shares: MatchShares, share: str) -> int:
    count = 0
    try:
        while True:
            shares.check(share, {})
            shares.begin(f"{share} {count}", share)
            count += 1
    except TooManyMatches:
        return count


def test_who_sets_up_all_it_can_leaves_room_for_whoever_comes_next() -> None:
    shares = MatchShares(Shares(), 1000, 100)
    assert filled(shares, "greedy") == 938
    assert filled(shares, "polite") == 3
    shares.end("greedy 5")
    shares.end("greedy 5")
    assert len(shares) == 940


def test_a_refusal_tells_of_the_callers_own_matches_and_when_to_come_again() -> None:
    shares = MatchShares(Shares(CallerLimits.parse({"ann": {"matches": 2}})), 1000, 100)
    assert filled(shares, "ann") == 2
    with pytest.raises(TooManyMatches, match=r"at most 2 for you; 2 are yours") as caught:
        shares.check("ann", {})
    assert (caught.value.limit, caught.value.most, caught.value.own, caught.value.retry_after) == (
        "callers.ann.matches",
        2,
        2,
        10,
    )


def test_who_keeps_more_than_its_share_sets_up_no_more_and_others_do() -> None:
    shares = MatchShares(Shares(CallerLimits.parse({"ann": {"kept_megabytes": 3}})), 1000, 100)
    kept = {"ann": 3 * MIB - 1, "ben": 20 * MIB}
    shares.check("ann", kept)
    kept["ann"] += 1
    with pytest.raises(TooMuchKept, match=r"at most 3 for you; 3 are yours.*or delete some"):
        shares.check("ann", kept)
    shares.check("ben", kept)
    shares.check("ann", {"ann": MIB})


def test_a_place_that_was_taken_before_the_match_was_there_counts_once() -> None:
    shares = MatchShares(Shares(), 100, 100)
    shares.take("ann")
    shares.begin("table", "ann", is_taken=True)
    shares.take("ann")
    shares.give("ann")
    assert (shares.under_way.used, len(shares), "table" in shares) == (1, 1, True)
