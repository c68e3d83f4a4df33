"""Pairs of matches of whist that differ in what a seat cannot know: the hands of the others."""

import copy
import random
from collections.abc import Iterator

from machiavel.engines.whist import _engine
from tests.engines.secrecy import Leak, Pair, Secrecy, leaking
from tests.engines.whist.table import engine_start
from tests.engines.whist.twin import Match, sample

__all__ = ["SECRECY", "with_hands"]


def pairs(_kind: str, count: int) -> Iterator[Pair]:
    """So many, compared in the present round: all before it is the same."""
    rng = random.Random(2718)
    while count:
        match = Match.at_random(rng.randint(2, 7), rng)
        for _ in range(rng.randrange(40)):
            if not match.is_over:
                match.play(rng.choice(match.legal_moves()))
        seat = rng.randrange(match.players)
        hands = sample(match, seat, rng, 2000)
        if not match.is_over and hands and hands != match.hands:
            count -= 1
            starts = (engine_start(match), engine_start(with_hands(match, hands)))
            plies = range(len(match.moves) - len(match.played), len(match.moves) + 1)
            yield Pair(starts, (match.moves, match.moves), [seat], plies)


def with_hands(match: Match, hands: list[list[str]]) -> Match:
    """The match as it would have been if these were the hands now."""
    other = copy.copy(match)
    first = [list(hand) for hand in hands]
    for seat, card in match.played:
        first[seat].append(card)
    other.dealt = [*match.dealt[:-1], (match.trump, first)]
    return other


SECRECY = Secrecy(
    game="whist",
    pairs=pairs,
    tries={"matches": (150, 150, 3000)},
    wrong=("Z9", "C2", "HA", "SA", "", "8", "play C2"),
    state_fields=_engine.state_fields,
    view_fields=_engine.view_fields,
    private=("hands",),
    public=("table", "tricks", "first", "first_safe", "spare"),
    visible=("table", "hand", "seat", "spare"),
    leaks={"hands": Leak(leaking("hands", _engine.state_fields), {"matches": 10}, 10)},
)
