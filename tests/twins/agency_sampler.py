"""Worlds one seat cannot tell from the true one, distributed as a plain rejection sampler would draw them.

The plain sampler deals a round, forces the moves seen, draws each unseen pass uniformly from the giver's legal ones and
keeps what gives the seat the same view at every step. The number of legal passes is the size of the giver's hand, which
is the same in every world; so what it keeps is uniform over all pairs (deal, unseen passes) that give the same views.
Here the same uniform pairs are drawn with fewer rejections:

- The pile and the cards are independent given the views: no card dealt depends on the pile but for the stakes, which
  were seen. In each segment the cards without a known place were shuffled uniformly; a place seen takes its card out
  and says nothing else, also below Martha's plan, where all places down to the bottom become known.
- Earlier rounds and, in tricks 7-12, the first six tricks stay as they were: the hands of a half are all played in it,
  and the reserves were cards of their own, so that nothing unseen in an earlier half bears on this one. Hence only
  the present half is checked.
- Within the half a pair (hands at its start, cards passed) corresponds one to one to a pair (hands now, cards passed):
  play and passes can be undone. So the hands now are drawn uniformly, and then, from the last trick back to the first,
  each unseen pass uniformly from the hand it arrived in. The size of that hand too is the same in every world, so every
  pair is as likely as any other, and those that contradict the view are rejected. A card played is thereby always
  found where it was played.
- A card this seat gave or was shown is nowhere but where it can have got to since, at most one seat to the left for
  each pass. Each way to place such cards is drawn with the weight of the ways to place all others around them.
"""

from __future__ import annotations

import copy
import itertools
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tests.twins.agency import HOUSE, Deck, Look, Match, PileCard, is_power


def observed(match: Match, seat: int | None) -> list[str]:
    """The moves as that seat, or a spectator (None), saw them."""
    seen = []
    giver = 0  # passes are asked in seat order from seat 0
    for move in match.moves:
        is_pass = move.startswith("pass:")
        seen.append("pass:?" if is_pass and giver != seat else move)
        giver = (giver + 1) % match.players if is_pass else 0
    return seen


@dataclass
class HalfSeen:
    """What a seat (None: a spectator) has seen of one half; `unseen` are the cards that may be in others' hands now."""

    seat: int | None
    tricks: list[dict[str, Any]]
    look: dict[str, Any] | None
    hand: list[str]
    hand_counts: list[int]
    still_to_give: list[int]
    unseen: list[str]


@dataclass
class HalfWorld:
    """One way the half may have been."""

    hands: list[list[str]]
    hands_at_start: list[list[str]]
    given: list[list[str | None]]
    looked_at: list[str]
    in_no_hand: list[str]


class HalfSampler:
    """Draws the half from what one seat has seen of it."""

    def __init__(self, seen: HalfSeen) -> None:
        self.seen = seen
        self.players = len(seen.hand_counts)
        self.others = [seat for seat in range(self.players) if seat != seen.seat]
        self.passes = [entry["trick"] for entry in seen.tricks if self._is_exchanged(entry)]
        tracked = self._tracked()
        self.untracked = [card for card in seen.unseen if card not in tracked]
        self.placings = list(self._placings_of(tracked))
        self.weights = list(itertools.accumulate(weight for _, weight in self.placings))

    def _is_exchanged(self, entry: dict[str, Any]) -> bool:
        return bool(entry["pass_left"]) and not self._is_in_progress(entry)

    def _is_in_progress(self, entry: dict[str, Any]) -> bool:
        return bool(entry["pass_left"] and entry is self.seen.tricks[-1] and self.seen.still_to_give)

    def _tracked(self) -> dict[str, list[int]]:
        """For each unseen card this seat was shown or gave, the seats it can have got to."""
        last_known: dict[str, tuple[int, int]] = {}  # card: (seat, number of passes since)
        for entry in self.seen.tricks:
            if self._is_exchanged(entry) and self.seen.seat is not None:
                passes = sum(trick > entry["trick"] for trick in self.passes)
                last_known[entry["gave"]] = ((self.seen.seat + 1) % self.players, passes)
        look = self.seen.look
        if look is not None and look["cards"] is not None:
            passes = sum(trick >= look["trick"] for trick in self.passes)
            for card in look["cards"]:
                # Unless this seat had the card later and gave it again.
                if card not in last_known or last_known[card][1] >= passes:
                    last_known[card] = (look["target"], passes)
        tracked = {}
        for card, (start, passes) in last_known.items():
            if card in self.seen.unseen:
                reached = [(start + step) % self.players for step in range(passes + 1)]
                if self.seen.seat in reached:
                    # It would be in this seat's own hand, or its last known place a later one.
                    reached = reached[: reached.index(self.seen.seat)]
                tracked[card] = list(dict.fromkeys(reached))
        return tracked

    def _placings_of(self, tracked: dict[str, list[int]]) -> Any:
        """Every way to place the tracked cards, with its weight."""
        look = self.seen.look
        for seats in itertools.product(*tracked.values()):
            placing = dict(zip(tracked, seats, strict=True))
            free = [self.seen.hand_counts[seat] - seats.count(seat) for seat in self.others]
            if min(free) < 0:
                continue
            if look is not None and look["cards"] is not None:
                # No more cards than passes since have left the hand that was looked at.
                gone = sum(placing.get(card, look["target"]) != look["target"] for card in look["cards"])
                if gone > sum(trick >= look["trick"] for trick in self.passes):
                    continue
            yield placing, 1 / math.prod(math.factorial(room) for room in free)

    def draw(self, rng: random.Random) -> HalfWorld:
        while True:
            world = self._attempt(rng)
            if world is not None:
                return world

    def _attempt(self, rng: random.Random) -> HalfWorld | None:
        seen = self.seen
        hands: list[list[str]] = [[] for _ in range(self.players)]
        if seen.seat is not None:
            hands[seen.seat] = list(seen.hand)
        (placing,) = rng.choices([placing for placing, _ in self.placings], cum_weights=self.weights)
        for card, seat in placing.items():
            hands[seat].append(card)
        cards = list(self.untracked)
        rng.shuffle(cards)
        for seat in self.others:
            while len(hands[seat]) < seen.hand_counts[seat]:
                hands[seat].append(cards.pop())
        world = HalfWorld([list(hand) for hand in hands], hands, [], [], cards)
        if self._undo(world, rng):
            return world
        return None

    def _undo(self, world: HalfWorld, rng: random.Random) -> bool:
        """Take the half back, from the last trick to the first; false where the view is contradicted."""
        hands = world.hands_at_start
        look = self.seen.look
        if look is not None and look["trick"] not in [entry["trick"] for entry in self.seen.tricks]:
            world.looked_at = list(hands[look["target"]])
            if look["cards"] is not None and set(world.looked_at) != set(look["cards"]):
                return False
        for entry in reversed(self.seen.tricks):
            played = list(zip(entry["order"], entry["cards"], strict=False))
            for seat, card in reversed(played):
                led = entry["cards"][0][0]
                if entry["follow_suit"] and card[0] != led and any(other[0] == led for other in hands[seat]):
                    return False
                hands[seat].append(card)
            given: list[str | None] = [None] * self.players
            if entry["pass_left"] and not self._undo_pass(entry, hands, given, rng):
                return False
            world.given.insert(0, given)
            if look is not None and look["trick"] == entry["trick"]:
                world.looked_at = list(hands[look["target"]])
                if look["cards"] is not None and set(world.looked_at) != set(look["cards"]):
                    return False
        return True

    def _undo_pass(self, entry: dict[str, Any], hands: list[list[str]], given: list[str | None], rng: random.Random) -> bool:
        in_progress = self._is_in_progress(entry)
        for giver in range(self.players):
            holder = giver if in_progress else (giver + 1) % self.players
            if giver == self.seen.seat:
                given[giver] = entry["gave"]
            elif holder == self.seen.seat:
                given[giver] = entry["received"]
            elif not (in_progress and giver in self.seen.still_to_give):
                given[giver] = rng.choice(hands[holder])
            if given[giver] is not None and given[giver] not in hands[holder]:
                return False
        if not in_progress:
            for giver, card in enumerate(given):
                assert card is not None
                hands[(giver + 1) % self.players].remove(card)
                hands[giver].append(card)
        return True


def half_seen(match: Match, seat: int | None) -> HalfSeen:
    """The present half as the seat sees it."""
    view = match.view(seat)
    hand = view["hand"] or []
    return HalfSeen(
        seat=seat,
        tricks=view["half"],
        look=view["look"],
        hand=hand,
        hand_counts=view["hand_counts"],
        still_to_give=view["to_move"] if view["phase"] == "pass" else [],
        unseen=[card for card in match.deck.cards if card not in view["seen"] and card not in hand],
    )


class RejectionSampler:
    """Draws whole matches that the seat cannot tell from the true one."""

    def __init__(self, match: Match, seat: int | None) -> None:
        view = match.view(seat)
        self.half = HalfSampler(half_seen(match, seat))
        self.is_first_half = view["reserve"] > 0
        self.segments: list[tuple[list[int], list[str]]] = []
        place = 0
        for segment in view["segments"]:
            unseen_places = [at for at in range(place, place + segment["size"]) if view["pile"][at] == "?"]
            self.segments.append((unseen_places, segment["unseen"]))
            place += segment["size"]
        self.pass_plies = [ply for ply, move in enumerate(observed(match, seat)) if move.startswith("pass:")]
        # What is overwritten in each draw below is all that is hidden; the rest of the shell is public or of the past.
        self.shell = copy_match(match)

    def draw(self, rng: random.Random) -> Match:
        """A world; what is not dealt yet in it will be dealt from `rng`."""
        half = self.half.draw(rng)
        world = copy_match(self.shell)
        world.rng = rng
        in_order = world._in_deck_order
        world.hands = [in_order(hand) for hand in half.hands]
        dealt = world.layout["rounds"][-1]
        at_start = [in_order(hand) for hand in half.hands_at_start]
        if self.is_first_half:
            # The cards in no hand were left in a random order.
            reserves = [in_order(half.in_no_hand[6 * seat : 6 * seat + 6]) for seat in range(world.players)]
            world.reserves = [list(reserve) for reserve in reserves]
            dealt |= {"hands": at_start, "reserves": reserves}
        else:
            dealt["reserves"] = at_start
        for trick, given in zip(world.half, half.given, strict=True):
            trick.given = given
        passed = [card for given in half.given for card in given if card is not None]
        for ply, card in zip(self.pass_plies[len(self.pass_plies) - len(passed) :], passed, strict=True):
            world.moves[ply] = f"pass:{card}"
        look = world.looks[-1]
        if look is not None:
            world.looks[-1] = replace(look, cards=in_order(half.looked_at))
        for places, unseen in self.segments:
            for at, card in zip(places, rng.sample(unseen, len(unseen)), strict=True):
                lying = world.pile[at]
                lying.card = card
                world.layout["rounds"][lying.shuffled_in - 1]["pile"][lying.place] = card
        return world


def copy_match(match: Match) -> Match:
    """The match so far, free to be changed; luck laid out for later is not taken along."""
    twin = copy.copy(match)
    rounds = list(match.layout["rounds"])
    # Only the pile of the last two rounds can still have unseen cards.
    for at in range(max(0, len(rounds) - 2), len(rounds)):
        rounds[at] = rounds[at] | {"pile": list(rounds[at]["pile"])}
    twin.layout = match.layout | {"rounds": rounds}
    twin._rounds_laid_out = rounds
    twin.hands = [list(hand) for hand in match.hands]
    twin.reserves = [list(reserve) for reserve in match.reserves]
    twin.pile = [PileCard(lying.card, lying.shuffled_in, lying.place, lying.place_seen) for lying in match.pile]
    half = [replace(trick, given=list(trick.given), cards=list(trick.cards)) for trick in match.half]
    twin.halves = [*match.halves[:-1], half]
    twin.plans_won = [list(won) for won in match.plans_won]
    for name in ("looks", "moves", "medals", "powers_used", "greens", "yellows", "trick_winners", "seen", "table"):
        setattr(twin, name, list(getattr(match, name)))
    return twin


def replayed(match: Match, layout: dict[str, Any] | None = None, moves: list[str] | None = None) -> list[Match]:
    """The match played again from its layout (or another) and moves: how it stood before each move and at the end."""
    again = Match(
        match.players,
        deck=match.deck,
        powers=match.powers,
        accomplices=match.accomplices,
        medals=match.medals_to_win,
        agents=match.agents_option,
        layout=copy.deepcopy(layout or match.layout),
        rng=random.Random(0),
    )
    stood = []
    for move in match.moves if moves is None else moves:
        stood.append(copy_match(again))
        again.play(move)
    return [*stood, again]


def hidden_pair(match: Match, seat: int | None, rng: random.Random) -> Match:
    """A second match with the same moves as far as `seat` saw them and the same views at every step, but other secrets.

    ValueError where nothing has been hidden from the seat.
    """
    views = [stood.view(seat) for stood in replayed(match)]
    for _ in range(100):
        world = RejectionSampler(match, seat).draw(rng)
        layout = copy.deepcopy(world.layout)
        _redraw_earlier_halves(match, seat, world, layout, rng)
        if layout == match.layout and world.moves == match.moves:
            continue
        stood = replayed(match, layout, world.moves)
        if [other.view(seat) for other in stood] != views:
            raise AssertionError("the second match gives another view")
        return stood[-1]
    raise ValueError(f"nothing is hidden from seat {seat}")


def _redraw_earlier_halves(match: Match, seat: int | None, world: Match, layout: dict[str, Any], rng: random.Random) -> None:
    """Draw the halves that are over as well: who was dealt what, and who passed what."""
    passed: list[str] = []
    for number, (tricks, look) in enumerate(zip(match.halves[:-1], match.looks[:-1], strict=True)):
        seen = HalfSeen(
            seat=seat,
            tricks=[match._trick_as_seen(trick, seat) for trick in tricks],
            look=None if look is None else _look_as_seen(look, seat),
            hand=[],
            hand_counts=[0] * match.players,
            still_to_give=[],
            unseen=[],
        )
        half = HalfSampler(seen).draw(rng)
        key = "hands" if number % 2 == 0 else "reserves"
        layout["rounds"][number // 2][key] = [match._in_deck_order(hand) for hand in half.hands_at_start]
        passed += [card for given in half.given for card in given if card is not None]
    plies = [ply for ply, move in enumerate(match.moves) if move.startswith("pass:")]
    for ply, card in zip(plies, passed, strict=False):
        world.moves[ply] = f"pass:{card}"


def _look_as_seen(look: Look, seat: int | None) -> dict[str, Any]:
    cards = look.cards if look.looker == seat else None
    return {"trick": look.trick, "looker": look.looker, "target": look.target, "cards": cards}


def small_deck(players: int, **changes: Any) -> Deck:
    """A deck of 12 cards a player, all of them dealt."""
    highest = {"M": 2 * players, "B": 4 * players, "G": 3 * players, "Y": 3 * players}
    cards = tuple(f"{colour}{rank}" for colour in highest for rank in range(1, highest[colour] + 1))
    return replace(Deck(cards=cards, plans=HOUSE.plans, agents=HOUSE.agents), **changes)


Situation = Callable[[random.Random], tuple[Match, int]]


def situations(players: int | None = None) -> dict[str, Situation]:
    """By name, what builds a match on a small deck with a seat for which the situation is there.

    Without `players` their number is drawn: 2-5, or 3-5 where with two a pass hides nothing.
    """
    many = {"plans": (*HOUSE.plans[:12], *["5+follow_suit"] * 4, *["1+pass_left"] * 4)}
    passes = {"plans": (*HOUSE.plans[:16], *["1+pass_left"] * 4)}

    def build(least: int, is_there: Callable[[Match, dict[str, Any]], bool], **changes: Any) -> Situation:
        def function(rng: random.Random) -> tuple[Match, int]:
            count = rng.randint(least, 5) if players is None or least == 5 else players
            deck = small_deck(count, **changes)
            while True:
                match = Match(count, deck=deck, rng=rng)
                result = []
                while not match.is_over:
                    ply = len(match.moves)
                    result += [(ply, seat) for seat in range(count) if is_there(match, match.view(seat))]
                    match.play(rng.choice(match.legal_moves()))
                if result:
                    ply, seat = rng.choice(result)
                    return replayed(match, moves=match.moves[:ply])[-1], seat

        return function

    return {
        "first round": build(2, _first_round),
        "two segments": build(2, _two_segments),
        "after a look": build(2, lambda match, view: _passes_since_look(view) == 0),
        "after a look and a pass": build(3, lambda match, view: _passes_since_look(view) == 1, **passes),
        "after a void and a pass": build(3, _void_then_pass, **many),
        "after Martha's bottom card": build(2, _power_known_below),
        "five players after trick 6": build(5, _after_trick_6),
        "pass in progress": build(3, _some_have_given, **passes),
    }


def _first_round(match: Match, view: dict[str, Any]) -> bool:
    return bool(view["round"] == 1)


def _two_segments(match: Match, view: dict[str, Any]) -> bool:
    return len(view["segments"]) == 2 and all(len(segment["unseen"]) > 1 for segment in view["segments"])


def _exchanges(view: dict[str, Any]) -> list[int]:
    in_progress = view["trick"] if view["phase"] == "pass" else None
    return [entry["trick"] for entry in view["half"] if entry["pass_left"] and entry["trick"] != in_progress]


def _passes_since_look(view: dict[str, Any]) -> int | None:
    """None without a look of this seat, or when nothing of the half is left to be hidden."""
    look = view["look"]
    if look is None or look["cards"] is None or view["hand_counts"][look["target"]] < 2:
        return None
    exchanges = _exchanges(view)
    return len(exchanges) if all(trick >= look["trick"] for trick in exchanges) else None


def _void_then_pass(match: Match, view: dict[str, Any]) -> bool:
    exchanges = _exchanges(view)
    voids = [
        entry["trick"]
        for entry in view["half"]
        for seat, card in zip(entry["order"], entry["cards"], strict=False)
        if entry["follow_suit"] and card[0] != entry["cards"][0][0] and seat != view["seat"]
    ]
    return len(exchanges) == 1 and bool(voids) and voids[0] < exchanges[0] and max(view["hand_counts"]) > 1


def _power_known_below(match: Match, view: dict[str, Any]) -> bool:
    return any(is_power(card) for card in view["pile"][1:])


def _some_have_given(match: Match, view: dict[str, Any]) -> bool:
    return match.phase == "pass" and 0 < len(view["to_move"]) < match.players


def _after_trick_6(match: Match, view: dict[str, Any]) -> bool:
    return match.trick > 6 and max(view["hand_counts"]) > 1
