"""Pairs of matches of liar's dice that differ in what a seat cannot know: the dice under the other cups."""

import copy
import random
from collections.abc import Iterator

from tests.engines.kit.liars_dice.agreement import random_move
from tests.engines.kit.liars_dice.table import NATIVE, engine_start
from tests.engines.kit.liars_dice.twin import Match
from tests.engines.secrecy import Leak, Pair, Secrecy, leaking

__all__ = ["SECRECY", "rolled_anew"]

PUBLIC = ("ply", "mover", "asked", "flags?", "seat", "dice", "number", "face", "bidder", "round", "lifted")


def pairs(_kind: str, count: int) -> Iterator[Pair]:
    """So many, compared in the present round: all before it is the same."""
    rng = random.Random(2718)
    while count:
        match = Match.at_random(rng.randint(2, 4), rng)
        for _ in range(rng.randrange(40)):
            if not match.is_over:
                match.play(random_move(match, rng))
        seat = rng.randrange(match.players)
        if not match.is_over and match.dice[seat] < sum(match.dice):
            count -= 1
            starts = (engine_start(match), engine_start(rolled_anew(match, seat, rng)))
            plies = range(len(match.moves) - len(match.bids), len(match.moves) + 1)
            yield Pair(starts, (match.moves, match.moves), [seat], plies)


def rolled_anew(match: Match, seat: int | None, rng: random.Random) -> Match:
    """The match with other dice under the other cups."""
    other = copy.deepcopy(match)
    for owner, cup in enumerate(other.cups):
        if owner != seat:
            cup[:] = [rng.randint(1, 6) for _ in cup]
            if cup:
                cup[0] = 1 + match.cups[owner][0] % 6
    other.rolled[-1] = [list(cup) for cup in other.cups]
    return other


SECRECY = Secrecy(
    game="liars_dice",
    pairs=pairs,
    tries={"matches": (100, 100, 2000)},
    wrong=("lie", "13x1", "1x7", "", "0x0", "bid"),
    state_fields=NATIVE.state_fields,
    view_fields=NATIVE.view_fields,
    private=("cups",),
    public=PUBLIC,
    visible=(*PUBLIC, "cups", "cups?"),
    leaks={"cups": Leak(leaking("cups", NATIVE.state_fields), {"matches": 10}, 10)},
)
