"""Pairs of matches of hearts that differ in what a seat cannot know: the other hands, and what the others passed."""

import random
from collections.abc import Iterator

from tests.engines.kit.hearts.table import NATIVE, engine_start
from tests.engines.kit.hearts.twin import WAYS, Match, sample
from tests.engines.secrecy import Leak, Pair, Secrecy, leaking

__all__ = ["SECRECY"]

KINDS = {"before passing": (0, 12), "in play": (12, 50), "without passing": (0, 40)}
PUBLIC = ("ply", "mover", "asked", "flags?", "seat", "table", "gone", "led", "points", "way", "choosing", "may")
state_fields = NATIVE.state_fields


def pairs(kind: str, count: int) -> Iterator[Pair]:
    rng = random.Random(f"2718 {kind}")
    while count:
        match = Match.at_random(rng)
        if (WAYS[match.way or "keep"] > 0) == (kind == "without passing"):
            continue
        for _ in range(rng.randrange(*KINDS[kind])):
            match.play(rng.choice(match.legal_moves()))
        seat = rng.choice([*range(4), None])
        world = sample(match, seat, rng, 500)
        if world is not None and world.hands != match.hands:
            count -= 1
            dealt, moves = history(match, world, seat, rng)
            starts = (engine_start(match), engine_start(Match(dealt, match.way)))
            yield Pair(starts, (match.moves, moves), [seat], range(len(moves) + 1))


def history(match: Match, world: Match, seat: int | None, rng: random.Random) -> tuple[list[list[str]], list[str]]:
    """The hands as they would have been dealt, and the moves, if the world were so."""
    held = [[*hand, *(card for owner, card in match.played if owner == other)] for other, hand in enumerate(world.hands)]
    passed = [list(cards) for cards in world.chosen]
    if not match.is_passing and any(match.chosen):
        for giver in range(4):
            receiver = match.receiver(giver)
            if seat is None or seat not in {giver, receiver}:
                passed[giver] = rng.sample(held[receiver], 3)
            held[receiver] = [card for card in held[receiver] if card not in passed[giver]]
    dealt = [hand + cards for hand, cards in zip(held, passed, strict=True)]
    before = [f"pass:{card}" for cards in passed for card in cards]
    return dealt, [*before, *(card for _, card in match.played)]


SECRECY = Secrecy(
    game="hearts",
    pairs=pairs,
    tries=dict.fromkeys(KINDS, (30, 30, 600)),
    wrong=("Z9", "C2", "HA", "SQ", "", "pass:C2", "pass:?", "pass"),
    state_fields=state_fields,
    view_fields=NATIVE.view_fields,
    private=("hands", "aside", "passed"),
    public=PUBLIC,
    visible=(*PUBLIC, "hands", "aside", "passed", "hands?", "aside?", "passed?"),
    leaks={
        "hands": Leak(leaking("hands", state_fields), {"in play": 10}, 10),
        "aside": Leak(leaking("aside", state_fields), {"before passing": 20}, 5),
        "passed": Leak(leaking("passed", state_fields), {"in play": 10}, 5),
    },
)
