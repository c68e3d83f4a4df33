"""Pairs of matches of bond that differ in what a seat or a spectator cannot know, and what of the state is private."""

import random
from collections.abc import Iterator

from machiavel.engines.bond import _engine
from tests.engines.bond.distribution import engine_start
from tests.engines.secrecy import Leak, Pair, Secrecy, leaking
from tests.twins.bond import Match
from tests.twins.bond_sampler import hidden_pair, random_move, situations

__all__ = ["SECRECY", "STATISTICS", "twin_pairs"]

WRONG = "Z9 lair:1 lair:9 spy:5>0 spy:2>1 steal:0>0 steal:1>0 deck>0 add:8 add:2 taunt:A foil".split()
PRIVATE = ("hands", "committed", "pile", "top_card")
STATISTICS = ("steals", "turns", "killed", "foiled", "wrecked", "outcome", "spare")


def twin_pairs(count: int) -> Iterator[tuple[Match, Match, int | None]]:
    """Matches of the twin, in every situation there is; at most so many pairs."""
    rng = random.Random(2718)
    builders = [*situations().values()]
    for number in range(count):
        if number % 3:
            match, result = builders[number % len(builders)](rng)
            seat = (result, rng.randrange(match.players), None)[number % 5 % 3]
        else:
            match = Match(rng.randint(2, 6), rng=rng)
            for _ in range(rng.randrange(100)):
                if not match.is_over:
                    match.play(random_move(match, rng, 0.2))
            seat = rng.randrange(match.players)
        try:
            yield match, hidden_pair(match, seat, rng), seat
        except ValueError:  # nothing was hidden from that seat
            continue


def pairs(_kind: str, count: int) -> Iterator[Pair]:
    for match, other, seat in twin_pairs(count):
        starts = (engine_start(match), engine_start(other))
        yield Pair(starts, (match.moves, other.moves), [seat], range(len(match.moves) + 1))


SECRECY = Secrecy(
    game="bond",
    pairs=pairs,
    tries={"matches": (30, 25, 1000)},
    wrong=(*WRONG, ""),
    state_fields=_engine.state_fields,
    view_fields=_engine.view_fields,
    private=PRIVATE,
    public=("table", *STATISTICS),
    visible=("table", "hand", "committed", "seat", "spare"),
    leaks={field: Leak(leaking(field, _engine.state_fields), {"matches": 40}, 1) for field in PRIVATE},
)
