"""Tables of whist laid out for tests."""

import random
from collections.abc import Sequence
from typing import Any

from machiavel.engines import State, load
from tests.engines.whist.twin import CARDS, SUITS, Match

__all__ = ["GAME", "engine_match", "engine_start", "lay", "play", "play_to_the_end", "seen"]

GAME = load("whist")

Cards = Sequence[str] | str


def words(cards: Cards) -> list[str]:
    return cards.split() if isinstance(cards, str) else list(cards)


def lay(players: int, *rounds: tuple[str, Sequence[Cards]], seed: int | None = 1) -> State:
    """A match whose first rounds are laid out as (trump suit, hands); a hand named in part is filled up from the end of the deck.

    Where a round is not the first, an empty hand stays empty, for its seat is out.
    """
    laid = []
    for number, (trump, some) in enumerate(rounds):
        hands = [words(hand) for hand in some] + [[] for _ in range(players - len(some))]
        rest = [card for card in CARDS if not any(card in hand for hand in hands)]
        for hand in hands:
            if hand or number == 0:
                hand += [rest.pop() for _ in range(7 - number - len(hand))]
        laid.append({"trump": trump, "hands": hands})
    return GAME.new(players, seed=seed, layout={"rounds": laid})


def play(state: State, moves: Cards) -> State:
    for move in words(moves):
        state.play(move)
    return state


def seen(state: State, seat: int | None = None) -> dict[str, Any]:
    """The fields of a view."""
    view: dict[str, Any] = state.view(seat).to_json()["view"]
    return view


def play_to_the_end(state: State, seed: int = 7) -> State:
    rng = random.Random(seed)
    while not state.is_over:
        state.play(rng.choice(state.legal_moves()))
    return state


def engine_start(match: Match) -> State:
    """The engine's state at the start of the twin's match, all luck of it laid out."""
    rounds = [{"trump": trump, "hands": hands} for trump, hands in match.dealt]
    # A match may go on after what the twin has played: what is not laid out comes from the seed.
    return GAME.new(match.players, seed=1, layout={"rounds": rounds})


def engine_match(match: Match) -> State:
    """The engine's state of the twin's match as it stands."""
    return play(engine_start(match), match.moves)


assert set(SUITS) == {card[0] for card in CARDS}
