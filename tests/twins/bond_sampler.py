"""Worlds one seat cannot tell from the true one, distributed as a plain rejection sampler would draw them.

The plain sampler shuffles the deck and deals it, forces the moves seen, turns at each steal a card drawn uniformly from the
hand, draws each unseen move uniformly from those that look the same, and keeps what gives the seat the same view at every
step. Cards are pieces: equal ones are one move, and yet it was one of them, and no other, that was played; a move seen
is forced with the piece seen. (Were any card of the same value good enough, a hand that could have shown it at that time
in several ways would weigh no more than one that could in one way only, and worlds would depend on who drew what before
which move, which no view tells.) Here the same worlds are drawn with hardly any rejection:

- A move seen asks one thing of the hidden cards: that its piece was in the hand. `skip`, `end`, `go`, `kill` and `let`
  can be said with any hand, and a foil or a taunt shows its piece.
- Backs are seen: how many spies each hand was dealt, and the kind of every card drawn. So spies and other cards are two
  shuffles that have nothing to do with each other, and neither has the order of backs below the top of the pile. (The
  first card drawn was seen by its back too, though that is before the first view.)
- A match up to now is one to one with (hands and pile now, which piece each draw brought), since all else of it was seen:
  play can be undone. Back in time, the piece drawn is any one of those with its back that are in the hand just after the
  draw. Their number is seen by all; so each way to fill the places now stands for as many deals as any other. A steal has
  the chance 1 in the spies of a hand, whose number is seen as well, so that the piece turned says nothing of the rest.
- Hence the pieces not seen lie uniformly in the places not seen now, and one may be drawn uniformly at each step back.
- Moves are unseen only while spies lie face down: `go` shows them, and they are forced from then on. They belong to
  one turn, after its draw. So the attacker's hand as it was before them is drawn uniformly, then the moves forward
  out of it, each uniformly among different values no higher than the one before, and if there is none the world is rejected.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.twins.bond import HOUSE, Deck, Match, Passage, is_spy, replayed, value


class RejectionSampler:
    """Draws whole matches that the seat, or a spectator (None), cannot tell from the true one."""

    def __init__(self, match: Match, seat: int | None) -> None:
        view = match.view(seat)
        self.seat = seat
        self.others = [other for other in range(match.players) if other != seat]
        self.counts: list[dict[str, int]] = view["hands"]
        self.top: str | None = view["pile"]["top"]
        self.attacker: int | None = None
        self.face_down = 0
        attack = view["attack"]
        if attack and None in attack["spies"]:
            self.attacker = attack["attacker"]
            self.face_down = len(attack["spies"])
        self.unseen = unseen_cards(view, match.deck)
        # Newest first; a draw of another seat is known by its back, spies still face down not at all.
        self.passages = [passage_as_seen(passage, seat) for passage in match.passages]
        for at in range(len(self.passages) - self.face_down, len(self.passages)):
            self.passages[at] = replace(self.passages[at], card="spy:?")
        self.passages.reverse()
        # What is overwritten in each draw below is all that is hidden; the rest of the shell was seen.
        self.shell = match.copy()

    def draw(self, rng: random.Random) -> Match:
        """A world; what is not dealt yet in it will be dealt from `rng`."""
        world = self.draw_now(rng)
        self._undo(world, rng)
        return world

    def draw_now(self, rng: random.Random) -> Match:
        """A world as it stands now: of how it was dealt, which rejects no world, nothing is told."""
        while True:
            world = self._attempt(rng)
            if world is not None:
                return world

    def _attempt(self, rng: random.Random) -> Match | None:
        spies = [card for card in self.unseen if is_spy(card)]
        others = [card for card in self.unseen if not is_spy(card)]
        rng.shuffle(spies)
        rng.shuffle(others)
        world = self.shell.copy()
        world.rng = rng
        for seat in self.others:
            count = self.counts[seat]["spies"] + (self.face_down if seat == self.attacker else 0)
            world.hands[seat] = [spies.pop() for _ in range(count)]
            world.hands[seat] += [others.pop() for _ in range(self.counts[seat]["others"])]
        if self.attacker is not None and not self._commit(world, rng):
            return None
        top = {"spy": spies, "other": others, None: []}[self.top][-1:]
        world.pile = spies + others
        if top:
            world.pile.remove(top[0])
        rng.shuffle(world.pile)
        world.pile = top + world.pile
        return world

    def _commit(self, world: Match, rng: random.Random) -> bool:
        """Draw the face-down spies forward; false where none could have been added."""
        if world.attack is None or self.attacker is None:
            raise AssertionError("nobody has committed a spy")
        hand = world.hands[self.attacker]
        committed: list[int] = []
        for _ in range(self.face_down):
            choices = {value(card) for card in hand if is_spy(card)}
            choices = {spy for spy in choices if not committed or spy <= committed[-1]}
            if not choices:
                return False
            committed.append(rng.choice(sorted(choices)))
            hand.remove(f"spy:{committed[-1]}")
        world.attack.spies = committed
        first = len(world.moves) - self.face_down
        world.moves[first:] = [f"spy:{committed[0]}>{world.attack.target}", *(f"add:{spy}" for spy in committed[1:])]
        return True

    def _undo(self, world: Match, rng: random.Random) -> None:
        """Take all passages back, to the deal."""
        hands = [list(hand) for hand in world.hands]
        drawn_so_far: list[str] = []
        passages: list[Passage] = []
        committed = list(world.attack.spies) if self.face_down and world.attack else []
        for passage in self.passages:
            card = passage.card
            if passage.source is not None:
                if card == "spy:?":
                    card = f"spy:{committed.pop()}"
                hands[passage.source].append(card)
            else:
                if passage.drawn_by is not None:
                    hand = hands[passage.drawn_by]
                    if card in ("spy:?", "?"):
                        wanted = is_spy(card)
                        card = rng.choice(sorted(held for held in hand if is_spy(held) == wanted))
                    hand.remove(card)
                drawn_so_far.append(card)
            passages.append(replace(passage, card=card))
        world.passages = passages[::-1]
        world.layout |= {
            "hands": [world._in_deck_order(hand) for hand in hands],
            "pile": drawn_so_far[::-1] + world.pile,
        }


def unseen_cards(view: dict[str, Any], deck: Deck) -> list[str]:
    """The cards of the deck that the view shows nowhere, in deck order."""
    shown: Counter[str] = Counter()
    for shown_heap in (view["hand"], view["discard"]):
        if shown_heap is not None:
            for kind, name in (("lairs", "lair"), ("spies", "spy"), ("doublers", "doubler")):
                shown.update(f"{name}:{card}" for card in shown_heap[kind])
    shown.update(f"lair:{size}" for lair in view["lairs"] for size in lair)
    attack = view["attack"]
    if attack is not None:
        shown.update(f"spy:{spy}" for spy in attack["spies"] if spy is not None)
        shown.update(f"doubler:{letter}" for letter in attack["taunts"])
        if attack["taunt"] is not None:
            shown[f"doubler:{attack['taunt']}"] += 1
    return list((Counter(deck.cards) - shown).elements())


def passage_as_seen(passage: Passage, seat: int | None) -> Passage:
    """A card drawn by another is known by its back; one that came onto the table is known."""
    if passage.drawn_by is None or passage.drawn_by == seat:
        return passage
    return replace(passage, card="spy:?" if is_spy(passage.card) else "?")


def hidden_pair(match: Match, seat: int | None, rng: random.Random) -> Match:
    """A second match with the same moves as far as `seat` saw them and the same views at every step, but other secrets.

    ValueError where nothing has been hidden from the seat.
    """
    views = [stood.view(seat) for stood in replayed(match)]
    for _ in range(100):
        world = RejectionSampler(match, seat).draw(rng)
        if world.layout == match.layout and world.moves == match.moves:
            continue
        stood = replayed(world)
        if [other.view(seat) for other in stood] != views:
            raise AssertionError("the second match gives another view")
        return stood[-1]
    raise ValueError(f"nothing is hidden from seat {seat}")


Situation = Callable[[random.Random], tuple[Match, int]]
IsThere = Callable[[Match, dict[str, Any]], bool]


def situations(players: int | None = None, deck: Deck = HOUSE) -> dict[str, Situation]:
    """By name, what builds a match with a seat for which the situation is there; without `players` their number is drawn."""

    def build(is_there: IsThere, *, patience: float = 0.0) -> Situation:
        def function(rng: random.Random) -> tuple[Match, int]:
            count = rng.randint(2, 6) if players is None else players
            while True:
                match = Match(count, deck=deck, rng=rng)
                result: list[tuple[int, int]] = []
                while not match.is_over:
                    ply = len(match.moves)
                    result += [(ply, seat) for seat in range(count) if is_there(match, match.view(seat))]
                    match.play(random_move(match, rng, patience))
                if result:
                    ply, seat = rng.choice(result)
                    return replayed(match, moves=match.moves[:ply])[-1], seat

        return function

    return {
        "before the first move": build(lambda match, view: view["ply"] == 0),
        "a taunt asked": build(_is_asked_for_a_foil),
        "a taunt watched": build(lambda match, view: view["phase"] == "foil" and view["mover"] != view["seat"]),
        "a taunt whose twin is out": build(_twin_is_out),
        "a third taunt": build(lambda match, view: bool(view["attack"] and len(view["attack"]["taunts"]) >= 2), patience=0.3),
        "a spy face down": build(lambda match, view: _face_down(view) == 1),
        "several spies face down": build(lambda match, view: _face_down(view) >= 2, patience=0.3),
        "several spies captured": build(_several_captured),
        "own spies face down": build(lambda match, view: view["phase"] == "add" and view["mover"] == view["seat"]),
        "known steals": build(lambda match, view: len(match.layout["steals"]) >= 3 and _is_open(match, view)),
        "robbed": build(_robbed),
        "a late empty pile": build(_late, patience=0.6),
        "spies face down, the pile empty": build(
            lambda match, view: not view["pile"]["count"] and _face_down(view) > 0, patience=0.6
        ),
        "idle turns": build(lambda match, view: view["idle"] > 0, patience=0.85),
    }


def random_move(match: Match, rng: random.Random, patience: float = 0.0) -> str:
    """A random legal move; with this probability one that plays nothing, where the mover is asked for a lair or a spy."""
    quiet = {"lair": "skip", "spy": "end"}.get(match.phase)
    if quiet is not None and rng.random() < patience:
        return quiet
    return rng.choice(match.legal_moves())


def _is_open(match: Match, view: dict[str, Any]) -> bool:
    """Whether two different cards of one back can change places between hands, or a hand and the pile."""
    unseen = unseen_cards(view, match.deck)
    places = [hand for seat, hand in enumerate(view["hands"]) if seat != view["seat"]]
    pile = {"spies": view["pile"]["spies"], "others": view["pile"]["count"] - view["pile"]["spies"]}
    return any(
        len({card for card in unseen if is_spy(card) == (kind == "spies")}) > 1
        and sum(place[kind] > 0 for place in [*places, pile]) > 1
        for kind in ("spies", "others")
    )


def _late(match: Match, view: dict[str, Any]) -> bool:
    """With two players nothing but the past is hidden then: the other holds all that is left."""
    return not view["pile"]["count"] and (match.players == 2 or _is_open(match, view))


def _face_down(view: dict[str, Any]) -> int:
    """How many spies lie face down for this seat."""
    return view["attack"]["spies"].count(None) if view["attack"] else 0


def _is_asked_for_a_foil(match: Match, view: dict[str, Any]) -> bool:
    return bool(view["phase"] == "foil" and view["mover"] == view["seat"])


def _twin_is_out(match: Match, view: dict[str, Any]) -> bool:
    return bool(view["phase"] == "foil" and view["attack"]["taunt"] in view["discard"]["doublers"])


def _several_captured(match: Match, view: dict[str, Any]) -> bool:
    return bool(view["attack"] and view["attack"]["captured"] and len(view["attack"]["spies"]) > 1)


def _robbed(match: Match, view: dict[str, Any]) -> bool:
    return any(move.startswith(f"steal:{view['seat']}>") for move in match.moves)
