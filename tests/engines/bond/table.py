"""Tables of bond laid out for tests: a few cards are given, and the rest is filled in the same way every time."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from machiavel.engines import State, load

GAME = load("bond")
LAIRS = {1: 2, 2: 4, 3: 6, 4: 6}
SPIES = {2: 3, 3: 3, 4: 3, 5: 3, 6: 2, 7: 2, 8: 2}
LETTERS = "ABCDEFGHI"
CARDS = (
    *(f"lair:{value}" for value, count in LAIRS.items() for _ in range(count)),
    *(f"doubler:{letter}" for letter in reversed(LETTERS) for _ in range(2)),
    *(f"spy:{value}" for value, count in SPIES.items() for _ in range(count)),
)
SORTS = ("lairs", "spies", "doublers")

Cards = Sequence[str] | str


def words(cards: Cards) -> list[str]:
    return cards.split() if isinstance(cards, str) else list(cards)


def full_layout(
    players: int, hands: Sequence[Cards], pile: Cards, *, bottom: Cards, first: int, steals: Sequence[int]
) -> dict[str, Any]:
    """All 54 cards: these first in each hand, and this top and bottom of the pile; lairs fill up first, and spies last."""
    dealt = [words(hands[seat]) if seat < len(hands) else [] for seat in range(players)]
    top, last = words(pile), words(bottom)
    left = Counter(CARDS)
    left.subtract([card for hand in dealt for card in hand] + top + last)
    if min(left.values()) < 0:
        raise ValueError(f"not in the deck so often: {left}")
    rest = sorted(left.elements(), key=CARDS.index)
    size = 6 if players <= 3 else 5
    for hand in dealt:
        missing = size - len(hand)
        hand.extend(rest[:missing])
        del rest[:missing]
    return {"first": first, "hands": dealt, "pile": [*top, *rest, *last], "steals": list(steals)}


def lay(
    players: int,
    hands: Sequence[Cards] = (),
    pile: Cards = "",
    *,
    bottom: Cards = "",
    first: int = 0,
    steals: Sequence[int] = (),
    seed: int | None = None,
    moves: Cards = "",
) -> State:
    """A match whose luck is laid out with the house deck, after these moves."""
    layout = full_layout(players, hands, pile, bottom=bottom, first=first, steals=steals)
    return play(GAME.new(players, seed=seed, layout=layout), moves)


def play(state: State, moves: Cards) -> State:
    for move in words(moves):
        state.play(move)
    return state


def seen(state: State, seat: int | None = None) -> dict[str, Any]:
    """The fields of a view."""
    view: dict[str, Any] = state.view(seat).to_json()["view"]
    return view


def truth(state: State) -> dict[str, Any]:
    truth: dict[str, Any] = state.truth()
    return truth


def play_at_random(state: State, seed: int = 7, plies: int = 10**6) -> State:
    rng = random.Random(seed)
    for _ in range(plies):
        if state.is_over:
            break
        state.play(rng.choice(state.legal_moves()))
    return state


def empty(**cards: Sequence[Any]) -> dict[str, list[Any]]:
    """A heap by kind with these cards."""
    return {sort: list(cards.get(sort, ())) for sort in SORTS}


def at(players: int, **view: Any) -> State:
    """A world of a view typed in: how a test begins in the middle of a match."""
    data = {"game": "bond", "rules_version": GAME.rules_version, "options": dict(GAME.make_rules(players).options), "view": view}
    return GAME.view_from_json(data).determinize(1)
