"""Worlds of citadel that nobody at the table can tell from the true one, and matches that differ only in what is hidden.

All seats see the same, and every move is seen; so a plain rejection sampler, which lays out all luck anew and keeps what gives
the same views at every step, keeps a layout if and only if it begins as the true one did: the tiles and location cards out
so far, the cards shown, the dice thrown. Nothing else of it was looked at. So the rest is drawn uniformly as it lies: what is
left of both stacks in any order, the cards face down of each seat in any order, then whole decks shuffled anew, each die thrown
afresh.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tests.twins.citadel import TURNS, Match, replayed
from tests.twins.citadel_house import COLOURS, DICE, Effect, House, read_house


def known_luck(match: Match) -> dict[str, Any]:
    """The layout of the match as far as everybody has seen it."""
    gone = match.tiles_gone
    turns = [
        {"cards": turn["cards"], "dice": {die: turn.get("dice", {}).get(die, [])[: thrown[die]] for die in DICE}}
        for turn, thrown in zip(match.layout["turns"], match.throws, strict=False)
    ]
    return {
        **match.layout,
        "treasures": match.layout["treasures"][:gone],
        "locations": match.layout["locations"][:gone],
        "turns": turns,
    }


def cards_to_come(match: Match, rng: random.Random) -> list[list[str]]:
    """What is drawn in each turn after this one, up to the last, as the decks might lie."""
    decks = [list(match.house.characters[who].cards) for who in match.characters]
    face_down = [[card for card in deck if card not in match.discards[seat]] for seat, deck in enumerate(decks)]
    face_down[match.active] = [card for card in face_down[match.active] if card not in match.shown]
    for cards in face_down:
        rng.shuffle(cards)
    turns = []
    for turn in range(match.turn, TURNS):
        seat = (match.layout["first"] + turn) % match.players
        if not face_down[seat]:
            face_down[seat] = rng.sample(decks[seat], len(decks[seat]))
        turns.append([face_down[seat].pop(), face_down[seat].pop()])
    return turns


class RejectionSampler:
    """Draws whole matches that give the same views as the true one at every step.

    All their luck to come is laid out; or that of so many turns alone, where the rest will be drawn when it is met.
    """

    def __init__(self, match: Match, turns: int = TURNS) -> None:
        self.match = match
        self.turns = turns
        self.most_throws = most_throws(match.house)
        self.shell = match.copy()
        self.shell.layout = known_luck(match)

    def draw(self, rng: random.Random) -> Match:
        """A world; it plays on without touching the true match."""
        house = self.match.house
        world = self.shell.copy()
        world.rng = rng
        known = world.layout
        for part, items in (("treasures", self.match.layout["treasures"]), ("locations", house.rooms)):
            # Sorted first: nothing may depend on how the true stack lies.
            rest = sorted(set(items) - set(known[part]))
            rng.shuffle(rest)
            known[part] = known[part] + rest
        dice = known["turns"][-1]["dice"]
        known["turns"][-1]["dice"] = {die: dice[die] + self._throws(die, rng) for die in DICE}
        known["turns"] += [
            {"cards": cards, "dice": {die: self._throws(die, rng) for die in DICE}}
            for cards in cards_to_come(world, rng)[: self.turns]
        ]
        return world

    def _throws(self, die: str, rng: random.Random) -> list[Any]:
        return [rng.choice(self.match.house.faces[die]) for _ in range(self.most_throws)]


def most_throws(house: House) -> int:
    """No die can be thrown more often in one turn: at first, and by all rights of the ability, the bonus and one card."""

    def rights(effects: Iterable[Effect]) -> int:
        return sum(effect.do == "reroll" for effect in effects)

    return 1 + max(
        rights([who.ability]) + rights(who.bonus) + max(rights(card) for card in who.cards.values())
        for who in house.characters.values()
    )


def hidden_pair(match: Match, rng: random.Random) -> tuple[Match, Match]:
    """Two matches with the moves and the views of this one at every step, and another future each.

    The next tile, the next location and the dice of the next turn differ, and all else that lies face down is drawn apart.
    """
    sampler = RejectionSampler(match)
    first = sampler.draw(rng)
    while True:
        second = sampler.draw(rng)
        if all(now != then for now, then in zip(next_luck(first), next_luck(second), strict=True)):
            return first, second


def next_luck(world: Match) -> list[Any]:
    """The next tile, the next location, and the next dice of a world whose luck is laid out; all of them are hidden yet."""
    gone = world.tiles_gone
    turns = world.layout["turns"]
    if world.turn < TURNS:
        dice = {die: thrown[0] for die, thrown in turns[world.turn]["dice"].items()}
    else:
        dice = {die: turns[-1]["dice"][die][world.throws[-1][die]] for die in DICE}
    return [world.layout["treasures"][gone], world.layout["locations"][gone], dice]


Deck = str | Path | dict[str, Any]
Situation = Callable[[random.Random], Match]
IsThere = Callable[[Match], bool]
PATIENCE = 3000


def situations(players: int | None = None, setting: str | None = None, deck: Deck = "house") -> dict[str, Situation]:
    """By name, what builds a match in which the situation is there; players and setting not given are drawn.

    ValueError from one that the cards of the house do not bring about.
    """

    def build(name: str, is_there: IsThere) -> Situation:
        def function(rng: random.Random) -> Match:
            for _ in range(PATIENCE):
                result = stopped_where(is_there, new_match(rng, players, setting, deck), rng)
                if result is not None:
                    return result
            raise ValueError(f"no match came there in {PATIENCE}: {name}")

        return function

    return {name: build(name, is_there) for name, is_there in SITUATIONS.items()}


def stopped_where(is_there: IsThere, match: Match, rng: random.Random) -> Match | None:
    """The match played, and stopped at a random position of those that are so; None if it never came there."""
    result: list[int] = []
    while True:
        if is_there(match):
            result.append(len(match.moves))
        if match.is_over:
            break
        match.play(lively_move(match, rng))
    return replayed(match, moves=match.moves[: rng.choice(result)])[-1] if result else None


def new_match(rng: random.Random, players: int | None = None, setting: str | None = None, deck: Deck = "house") -> Match:
    """A match in which something can be reached: the first rooms with treasures have windows, as a draw may well bring it."""
    count = rng.randint(1, 5) if players is None else players
    house = read_house(deck)
    locations = rng.sample(house.windows, len(house.windows))
    setting = setting or rng.choice(list(house.settings))
    return Match(count, setting=setting, deck=deck, layout={"locations": locations}, rng=rng)


def lively_move(match: Match, rng: random.Random) -> str:
    """A random legal move, but treasures are taken, traps disarmed that guard one, and turns seldom ended early."""
    moves = match.legal_moves()
    wanted = {trap for colour in COLOURS for trap in match.house.treasures[match.on_board(colour).treasure].traps}
    return rng.choices(moves, [_liveliness(match, move, wanted) for move in moves])[0]


def _liveliness(match: Match, move: str, wanted: set[str]) -> float:
    words = move.split(":")
    if words[-1] == "take":
        return 1000
    if words[0] in ("end", "keep") or words[-1] == "enough":
        return 0.3
    here = match.places[match.active]
    if words[-1] == "disarm":
        return 30 if here is None or match.traps[here] in wanted else 3
    if words[-1] in match.house.rooms and (words[0] == "go" or words[-2] == "go"):
        goal = words[-1] not in match.off and match.traps[words[-1]] in wanted
        goal = goal or any(match.on_board(colour).room == words[-1] for colour in COLOURS)
        return 6 if goal else 1
    return 2


def _asked_by(match: Match, *effects: str) -> bool:
    under_way = match.under_way
    return match.phase == "card" and under_way is not None and under_way.effects[under_way.at].do in effects


def _least_left(match: Match) -> int:
    return min(match.minutes_left(colour) for colour in COLOURS)


def _face_down(match: Match, seat: int) -> int:
    """Cards of the seat that nobody has seen since they were shuffled."""
    return 6 - len(match.discards[seat]) - (2 if seat == match.active else 0)


SITUATIONS: dict[str, IsThere] = {
    "before the first move": lambda match: not match.moves,
    "over": lambda match: match.is_over,
    "won": lambda match: match.result == "won",
    "one treasure from the end": lambda match: not match.is_over and max(len(match.saved), len(match.lost)) == 3,
    "some saved": lambda match: len(match.saved) >= 2 and not match.is_over,
    "five minutes left": lambda match: not match.is_over and _least_left(match) == 5,
    "several about to be lost": lambda match: (
        not match.is_over and sum(match.minutes_left(colour) <= 10 for colour in COLOURS) >= 2
    ),
    "in front of a treasure": lambda match: "take" in match.legal_moves(),
    "a treasure where the professor is": lambda match: (
        not match.is_over and any(match.on_board(colour).room == match.professor for colour in COLOURS)
    ),
    "held": lambda match: match.held,
    "held, dice shown": lambda match: match.held and match.phase == "dice",
    "dice shown, to roll again": lambda match: match.phase == "dice" and any(match.rerolls.values()),
    "dice shown, to choose": lambda match: match.phase == "dice" and match.chooses > 0,
    "dice rolled again": lambda match: match.phase == "dice" and max(match.throws[-1].values()) > 1,
    "rights of several kinds": lambda match: sum(rights > 0 for rights in [*match.rerolls.values(), match.chooses]) > 1,
    "a power to be turned up": lambda match: match.phase == "activate" and match.under_way is None,
    "a power to be turned up under a card": lambda match: match.phase == "activate" and match.under_way is not None,
    "a power turned up in its owner's turn": lambda match: match.activated,
    "a bonus to be used": lambda match: any(move.startswith("bonus") for move in match.legal_moves()),
    "a bonus under way": lambda match: (
        match.phase == "card" and match.under_way is not None and match.under_way.source == "bonus"
    ),
    "an ability to be used": lambda match: any(move.startswith("power") for move in match.legal_moves()),
    "all powers up": lambda match: all(match.powers),
    "a card asks where to go": lambda match: _asked_by(match, "step", "leap"),
    "a card asks for a door": lambda match: _asked_by(match, "unlock_here", "unlock_near", "unlock_anywhere"),
    "a card asks for a trap": lambda match: _asked_by(match, "disarm_near", "disarm_anywhere", "disarm_type"),
    "a card asks for an exit of the professor": lambda match: _asked_by(match, "lure"),
    "a card asks for a team-mate": lambda match: _asked_by(match, "anyone_goes", "anyone_acts"),
    "the next two cards are certain": lambda match: any(_face_down(match, seat) == 2 for seat in range(match.players)),
    "a deck to be shuffled": lambda match: any(_face_down(match, seat) == 0 for seat in range(match.players)),
    "the clock turned back": lambda match: (
        match.played is not None
        and match.moves[-1:] == [f"card:{match.played}"]
        and any(effect.do == "time_back" for effect in match.house.effects(match.played))
    ),
    "late": lambda match: match.turn > 16 and not match.is_over,
}
