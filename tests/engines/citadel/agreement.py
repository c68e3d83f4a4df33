"""Random matches of citadel, for its engine and its twin to play."""

import random
from typing import Any

from machiavel.engines import State
from tests.conformance.cases import CURIOUS
from tests.engines.agreement import Agreement, compare_seats
from tests.engines.citadel.table import CHARACTERS, GAME
from tests.twins.citadel import Match, replayed
from tests.twins.citadel_sampler import RejectionSampler, lively_move, new_match

__all__ = ["AGREEMENT", "compare", "engine_start"]

SETTINGS = ("without_55", "all", "without_30", "without_30_and_55")
MOVES = "go unlock disarm take card bonus power end activate reroll choose keep enough".split()


def engine_start(match: Match) -> State:
    """The engine's match with the twin's luck, at its start."""
    return GAME.new(layout=match.layout, seed=0, **match.options)


def random_match(seed: int) -> Match:
    """A whole match: of random moves, or of livelier ones that get somewhere; now and then in a curious house."""
    rng = random.Random(seed)
    players = 1 + seed % 5
    options: dict[str, Any] = {"setting": rng.choice(SETTINGS), "deck": CURIOUS if rng.random() < 0.3 else "house"}
    if rng.random() < 0.3:
        options["characters"] = rng.sample(CHARACTERS, players)
    match = Match(players, rng=rng, **options)
    if rng.random() < 0.5 and options["deck"] == "house":
        match = new_match(rng, players)
    kind = rng.random()
    while not match.is_over:
        if kind < 0.2:
            match.play(sensible_move(match))
        elif kind < 0.7:
            match.play(lively_move(match, rng))
        else:
            match.play(rng.choice(match.legal_moves()))
    return match


def sensible_move(match: Match) -> str:
    """What the engine's rule of thumb likes best where the twin stands, or else no match would ever be won."""
    data = GAME.new(seed=0, **match.options).view(None).to_json()
    weights = GAME.view_from_json(data | {"view": match.view(match.active)}).determinize(0).weights()
    return max(weights, key=weights.__getitem__)


def compare(state: State, twin: Match) -> None:
    compare_seats(state, twin)
    assert state.truth() == twin.truth()


def kinds_of(match: Match) -> set[str]:
    """The words that moves begin with, and `enough`, with which some end; besides, how the match came out."""
    assert match.result is not None
    words = {move.partition(":")[0] for move in match.moves}
    return words | {"enough" for move in match.moves if move.endswith(":enough")} | {match.result}


def dealt(players: int, seed: int) -> Match:
    """All luck to come is laid out."""
    rng = random.Random(seed)
    return RejectionSampler(Match(players, rng=rng)).draw(rng)


AGREEMENT = Agreement(
    game="citadel",
    random_match=random_match,
    engine_start=engine_start,
    twin_start=lambda match: replayed(match, moves=[])[-1],
    compare=compare,
    copied=Match.copy,
    kinds_of=kinds_of,
    kinds=(*MOVES, "won", "lost"),
    matches=30,
    positions=1500,
    dealt=dealt,
    counted=[(1, 3, 3), (3, 4, 3), (5, 5, 3)],
)
