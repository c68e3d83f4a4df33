"""A slow twin of hearts, written from the page of rules alone, and a rejection sampler on top of it."""

import copy
import random
from collections.abc import Iterator, Sequence

__all__ = ["CARDS", "WAYS", "Match", "sample"]

SUITS, RANKS = "CDHS", "23456789TJQKA"
CARDS = tuple(suit + rank for suit in SUITS for rank in RANKS)
WAYS = {"keep": 0, "left": 1, "across": 2, "right": 3}


def in_order(cards: Sequence[str]) -> list[str]:
    return sorted(cards, key=CARDS.index)


def is_point(card: str) -> bool:
    return card[0] == "H" or card == "SQ"


class Match:
    """The host's truth; without a way there is no passing."""

    players = 4

    def __init__(self, hands: Sequence[Sequence[str]], way: str | None) -> None:
        self.dealt, self.way = [list(hand) for hand in hands], way
        self.hands = [list(hand) for hand in hands]
        self.chosen: list[list[str]] = [[] for _ in range(4)]
        self.moves: list[str] = []
        self.trick: list[tuple[int, str]] = []
        self.played: list[tuple[int, str]] = []
        self.points = [0] * 4
        self.is_passing = WAYS[way or "keep"] > 0
        self.mover = 0 if self.is_passing else self.first

    @classmethod
    def at_random(cls, rng: random.Random) -> "Match":
        deck = rng.sample(CARDS, 52)
        return cls([deck[seat::4] for seat in range(4)], rng.choice([None, *WAYS]))

    @property
    def first(self) -> int:
        """H3.1."""
        return next(seat for seat, hand in enumerate(self.hands) if "C2" in hand)

    @property
    def first_leader(self) -> int:
        """Whom everybody knows to have had the two of clubs."""
        return self.played[0][0] if self.played else self.mover

    @property
    def is_over(self) -> bool:
        return len(self.played) == 52

    @property
    def to_move(self) -> list[int]:
        """H2.4: all who have not chosen three cards."""
        if self.is_passing:
            return [seat for seat in range(4) if len(self.chosen[seat]) < 3]
        return [] if self.is_over else [self.mover]

    def legal_moves(self, seat: int | None = None) -> list[str]:
        seat = self.mover if seat is None else seat
        hand = in_order(self.hands[seat])
        if self.is_passing:
            return [f"pass:{card}" for card in hand]
        return [] if self.is_over else playable(hand, [card for _, card in self.trick], [card for _, card in self.played])

    def play(self, move: str) -> None:
        if move not in self.legal_moves():
            raise ValueError(f"{move} is not legal")
        self.moves.append(move)
        card = move.removeprefix("pass:")
        self.hands[self.mover].remove(card)
        if self.is_passing:
            self.chosen[self.mover].append(card)
            self.mover += len(self.chosen[self.mover]) == 3
            if self.mover == 4:
                self.pass_all()
            return
        self.trick.append((self.mover, card))
        self.played.append((self.mover, card))
        self.mover = (self.mover + 1) % 4
        if len(self.trick) == 4:
            self.end_trick()

    def pass_all(self) -> None:
        """H2.3."""
        for seat, cards in enumerate(self.chosen):
            self.hands[self.receiver(seat)] += cards
        self.is_passing = False
        self.mover = self.first

    def receiver(self, seat: int) -> int:
        return (seat + WAYS[self.way or "keep"]) % 4

    def end_trick(self) -> None:
        """H3.4, H4.1."""
        led = self.trick[0][1][0]
        self.mover = max((RANKS.index(card[1]), seat) for seat, card in self.trick if card[0] == led)[1]
        self.points[self.mover] += sum(13 if card == "SQ" else card[0] == "H" for _, card in self.trick)
        self.trick = []

    def results(self) -> list[int]:
        """H4.2."""
        if 26 in self.points:
            return [26 if points == 26 else 0 for points in self.points]
        return [26 - points for points in self.points]

    def utilities(self) -> list[float]:
        return [result / sum(self.results()) for result in self.results()]


def playable(hand: Sequence[str], trick: Sequence[str], played: Sequence[str]) -> list[str]:
    """H3.1 to H3.5: of a hand, with these cards in the trick under way, and these in all so far."""
    if not played:
        return ["C2"]
    if trick:
        suited = [card for card in hand if card[0] == trick[0][0]]
        if suited:
            return suited
        return (len(played) < 4 and [card for card in hand if not is_point(card)]) or list(hand)
    if any(map(is_point, played)):
        return list(hand)
    return [card for card in hand if card[0] != "H"] or list(hand)


def sample(match: Match, seat: int | None, rng: random.Random, tries: int) -> Match | None:
    """A match that could have led to what the seat has seen, each alike; None if no try fits.

    Cards that were played were in the hands that played them, and what the seat passed on went where it went. The others are
    shuffled, and a deal is thrown away if by it somebody has played what was not to be played.
    """
    places = [(other, kind) for other in range(4) if other != seat for kind in ("hands", "chosen") if getattr(match, kind)[other]]
    if not match.is_passing:
        places = [(other, kind) for other, kind in places if kind == "hands"]
    unseen = [card for other, kind in places for card in getattr(match, kind)[other]]
    for _ in range(tries):
        rng.shuffle(unseen)
        held, at = {"hands": list(match.hands), "chosen": list(match.chosen)}, 0
        for other, kind in places:
            size = len(held[kind][other])
            held[kind][other] = unseen[at : at + size]
            at += size
        if match.is_passing or fits(held["hands"], match, seat):
            world = copy.deepcopy(match)
            world.hands, world.chosen = held["hands"], held["chosen"]
            return world
    return None


def fits(hands: Sequence[Sequence[str]], match: Match, seat: int | None) -> bool:
    """Whether what the seat passed on is where it must be, and every card was playable, if these are the hands now."""
    held = [set(hand) for hand in hands]
    for other, card in match.played:
        held[other].add(card)
    if seat is not None and not set(match.chosen[seat]) <= held[match.receiver(seat)]:
        return False
    return "C2" in held[match.first_leader] and all(each_was_playable(held, match.played))


def each_was_playable(hands: list[set[str]], played: Sequence[tuple[int, str]]) -> Iterator[bool]:
    cards = [card for _, card in played]
    for number, (other, card) in enumerate(played):
        yield card in playable(in_order([*hands[other]]), cards[number - number % 4 : number], cards[:number])
        hands[other].remove(card)
