"""Positions to search from, of every game that ships."""

import random
from collections.abc import Iterator
from typing import Any

from machiavel.engines import State, View, load
from machiavel.search import SearchParameters
from machiavel.search._search import Search, root_moves
from tests.engines.games import INSTALLED

SHIPPED = INSTALLED
VARIANTS = ("single", "multi", "pimc")
MEGABYTE = 1 << 20
MOST_MOVES = {"kuhn": 2}  # that a game offers at once, where there are but a few


def asked(state: State) -> View:
    """What the seat to move sees."""
    return state.view(state.seat_to_move)


def states(game: str, seed: int = 0, least: int = 3, players: int | None = None, **options: Any) -> Iterator[State]:
    """Positions without end in which there is a choice of so many moves at least, spread over numbers of players and matches.

    Where a game never offers so many, of as many as it does.
    """
    rng = random.Random(f"{game} {seed}")
    plugin = load(game)
    least = min(least, MOST_MOVES.get(game, least))
    while True:
        state = plugin.new(players or rng.choice(plugin.players), seed=rng.getrandbits(64), **options)
        for _ in range(rng.randrange(40)):
            if not state.is_over:
                state.play(rng.choice(state.legal_moves()))
        if not state.is_over and len(state.legal_moves()) >= least:
            yield state


def open_view(game: str, seed: int = 0, least: int = 3, players: int | None = None, **options: Any) -> View:
    """What the mover sees in one of `states`."""
    return asked(next(states(game, seed, least, players, **options)))


def search_of(view: View, arena: int = MEGABYTE, **parameters: Any) -> Search:
    """A search of all legal moves."""
    plain: dict[str, Any] = {"seed": 1, "policy": "uniform"}
    return Search(view, root_moves(view), SearchParameters(**plain | parameters).for_game(view.game), arena)
