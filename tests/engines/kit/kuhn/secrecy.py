"""Pairs of matches of Kuhn poker that differ in what a seat cannot know: the other card."""

import random
from collections.abc import Iterator

from tests.engines.kit.kuhn.table import NATIVE, engine_start
from tests.engines.kit.kuhn.twin import RANKS, Match
from tests.engines.secrecy import Leak, Pair, Secrecy, leaking

__all__ = ["SECRECY"]


def pairs(_kind: str, count: int) -> Iterator[Pair]:
    """So many, before a card is shown."""
    rng = random.Random(2718)
    while count:
        match = Match.at_random(rng)
        for _ in range(rng.randrange(4)):
            if not match.is_over:
                match.play(rng.choice(match.legal_moves()))
        if not match.is_shown:
            count -= 1
            seat = rng.randrange(2)
            other = list(match.cards)
            other[1 - seat] = rng.choice([card for card in RANKS[-match.size :] if card not in match.cards])
            starts = (engine_start(match), engine_start(Match(other, match.size)))
            yield Pair(starts, (match.moves, match.moves), [seat], range(len(match.moves) + 1))


SECRECY = Secrecy(
    game="kuhn",
    pairs=pairs,
    tries={"matches": (100, 100, 1000)},
    wrong=("call", "", "K", "bet:1"),
    state_fields=NATIVE.state_fields,
    view_fields=NATIVE.view_fields,
    private=("hands",),
    public=("ply", "mover", "asked", "flags?", "seat", "table", "unused", "chips", "winner"),
    visible=("ply", "mover", "asked", "flags?", "seat", "table", "unused", "chips", "winner", "hands", "hands?"),
    leaks={"hands": Leak(leaking("hands", NATIVE.state_fields), {"matches": 10}, 10)},
)
