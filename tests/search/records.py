"""Records of matches played at random, or gone on with."""

import random
from functools import cache

from machiavel.engines import MissingLuck, Record, State, load
from tests.engines.games import players_of


@cache
def record_of(game: str, players: int = 3, plies: int = 1000) -> Record:
    """A match played at random, by so many players where the game has them."""
    players = players_of(game, players)
    rng = random.Random(f"{game} {players}")
    state = load(game).new(players, seed=rng.getrandbits(64))
    while not state.is_over and len(state.moves) < plies:
        state.play(rng.choice(state.legal_moves()))
    return state.record()


def with_last_moves(state: State, seat: int, move: str) -> Record | None:
    """The match gone on to that move of the seat; who is asked with it, but earlier, answers anything.

    None: it needs luck that is not laid out.
    """
    gone_on = state.copy()
    try:
        while gone_on.seat_to_move != seat:
            gone_on.play(gone_on.legal_moves()[0])
        gone_on.play(move)
    except MissingLuck:
        return None
    return gone_on.record()
