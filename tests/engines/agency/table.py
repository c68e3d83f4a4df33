"""Tables of agency laid out for tests: a few cards are given, and the rest is filled in the same way every time."""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from machiavel.engines import State, load

GAME = load("agency")
AGENTS = ("belton", "martha", "wxt", "jean", "moignons")
RANKS = {"M": range(1, 11), "B": range(1, 19), "G": range(1, 17), "Y": range(1, 17)}
CARDS = tuple(f"{colour}{rank}" for colour, ranks in RANKS.items() for rank in ranks)
PLANS = tuple("1 1 1+pass_left 2 2 2 2+low_wins 3 3 3 3+plain_mauve 4 4 4 4+blue_over_mauve 5 5 5+follow_suit 6 6".split())
COLOURS = {"M": "mauve", "B": "blue", "G": "green", "Y": "yellow"}

Cards = Sequence[str] | str
Layout = dict[str, Any]


def words(cards: Cards) -> list[str]:
    return cards.split() if isinstance(cards, str) else list(cards)


def full_round(
    players: int,
    hands: Sequence[Cards] = (),
    pile: Cards = "",
    *,
    bottom: Cards = "",
    reserves: Sequence[Cards] = (),
    cards: Sequence[str] = CARDS,
    shuffled: Sequence[str],
) -> Layout:
    """A round of a layout with these cards first in each hand and each reserve, and this top and bottom of the pile.

    Hands and reserves are filled seat by seat from the end of the deck (yellow first); the middle of the pile holds
    the plain plans, then those with accomplices, then the powers.
    """
    dealt = [[words(part[seat]) if seat < len(part) else [] for seat in range(players)] for part in (hands, reserves)]
    taken = {card for part in dealt for some in part for card in some}
    rest = [card for card in cards if card not in taken]
    for part in dealt:
        for some in part:
            some += [rest.pop() for _ in range(6 - len(some))]
    top, last = words(pile), words(bottom)
    middle = Counter(shuffled)
    middle.subtract([*top, *last])
    if min(middle.values()) < 0:
        raise ValueError(f"not in the pile so often: {middle}")
    between = sorted(middle.elements(), key=lambda card: (card[0].isalpha(), "+" in card, card))
    return {"hands": dealt[0], "reserves": dealt[1], "pile": [*top, *between, *last]}


def in_pile(players: int, agents: Sequence[str] | None = None, *, powers: bool = True, accomplices: bool = True) -> list[str]:
    """What the pile of the house deck holds in the first round."""
    plans = [plan if accomplices else plan[0] for plan in PLANS]
    return plans + list(agents or AGENTS[:players]) if powers else plans


def lay(
    players: int,
    hands: Sequence[Cards] = (),
    pile: Cards = "",
    *,
    bottom: Cards = "",
    reserves: Sequence[Cards] = (),
    agents: Sequence[str] | None = None,
    leader: int = 0,
    seed: int | None = 1,
    **options: Any,
) -> State:
    """A match whose first round is laid out (`full_round`) with the house deck; later rounds come from the seed."""
    powers = options.get("powers", True)
    shuffled = in_pile(players, agents, powers=powers, accomplices=options.get("accomplices", True))
    first = full_round(players, hands, pile, bottom=bottom, reserves=reserves, shuffled=shuffled)
    if powers:
        options["agents"] = list(agents or AGENTS[:players])
    return GAME.new(players, seed=seed, layout={"leader": leader, "rounds": [first]}, **options)


def play(state: State, moves: Cards) -> State:
    for move in words(moves):
        state.play(move)
    return state


def seen(state: State, seat: int | None = None) -> dict[str, Any]:
    """The fields of a view."""
    view: dict[str, Any] = state.view(seat).to_json()["view"]
    return view


def play_until(state: State, reached: Callable[[dict[str, Any]], bool], seed: int = 7) -> State:
    """Random moves until the spectator's view is as wanted."""
    rng = random.Random(seed)
    while not reached(seen(state)):
        state.play(rng.choice(state.legal_moves()))
    return state


def play_to(state: State, round_: int, trick: int, seed: int = 7) -> State:
    """Random moves until that trick begins."""
    return play_until(state, lambda view: (view["round"], view["trick"]) >= (round_, trick), seed)


def play_to_the_end(state: State, seed: int = 7) -> State:
    rng = random.Random(seed)
    while not state.is_over:
        state.play(rng.choice(state.legal_moves()))
    return state


# ---- Own decks ----


def deck_of(cards: Mapping[str, Sequence[int]], plans: Sequence[str], agents: Sequence[str] = AGENTS) -> dict[str, Any]:
    """The tables of a deck with these ranks by colour letter and these plans."""
    entries = []
    for plan, count in Counter(plans).items():
        value, _, accomplice = plan.partition("+")
        entry: dict[str, Any] = {"value": int(value), "count": count, "provenance": "test"}
        entries.append(entry | ({"accomplice": accomplice} if accomplice else {}))
    return {
        "name": "test",
        "cards": {name: {"ranks": list(cards.get(letter, ())), "provenance": "test"} for letter, name in COLOURS.items()},
        "plans": entries,
        "agents": [{"id": agent, "provenance": "test"} for agent in agents],
    }


SCORING = {"M": (), "B": range(1, 53), "G": range(1, 7), "Y": range(1, 7)}


def won_by(
    winners: Sequence[int], players: int, leader: int = 0, *, greens: Sequence[int] = (), yellows: Sequence[int] = ()
) -> list[list[str]]:
    """The cards by trick and seat with which these seats win the tricks, and so many green and yellow cards each.

    From the SCORING colours: the highest blue wins; green and yellow come from who neither leads nor wins.
    """
    owed = {"G": list(greens) + [0] * players, "Y": list(yellows) + [0] * players}
    stock = {letter: iter([f"{letter}{rank}" for rank in SCORING[letter]]) for letter in "BGY"}
    tricks = []
    for winner in winners:
        cards = {}
        for seat in range(players):
            if seat not in {leader, winner}:
                colour = next((letter for letter in "GY" if owed[letter][winner]), "B")
                if colour != "B":
                    owed[colour][winner] -= 1
                cards[seat] = next(stock[colour])
        if leader != winner:
            cards[leader] = next(stock["B"])
        cards[winner] = next(stock["B"])
        tricks.append([cards[seat] for seat in range(players)])
        leader = winner
    if any(count > 0 for counts in (owed["G"], owed["Y"]) for count in counts):
        raise ValueError(f"no room for all green and yellow cards: {owed}")
    return tricks


def round_of(tricks: Sequence[Sequence[str]], pile: Cards) -> Layout:
    """The round of a layout in which seats can play these cards trick by trick."""
    seats = range(len(tricks[0]))
    hands, reserves = ([[trick[seat] for trick in half] for seat in seats] for half in (tricks[:6], tricks[6:]))
    return {"hands": hands, "reserves": reserves, "pile": words(pile)}


def play_tricks(state: State, tricks: Sequence[Sequence[str]]) -> State:
    """Each seat, when it is asked, plays its card of the trick."""
    for trick in tricks:
        for _ in trick:
            seat = state.seat_to_move
            assert seat is not None
            state.play(trick[seat])
    return state
