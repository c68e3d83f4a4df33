"""A slow twin of whist, written from RULES.md alone, and a rejection sampler on top of it."""

import random
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["CARDS", "SUITS", "Match", "sample", "winner"]

SUITS, RANKS = "CDHS", "23456789TJQKA"
CARDS = tuple(suit + rank for suit in SUITS for rank in RANKS)

Deal = tuple[str, list[list[str]]]  # the trump suit, and the hand of each seat


def playable(hand: Sequence[str], led: str | None) -> list[str]:
    """R3.3."""
    suited = [card for card in hand if card[0] == led]
    return sorted(suited or hand, key=CARDS.index)


def winner(trick: Sequence[Sequence[Any]], trump: str) -> int:
    """R3.4; the trick is a list of seat and card."""
    led = trick[0][1][0]
    suit = trump if any(card[0] == trump for _, card in trick) else led
    _, seat = max((RANKS.index(card[1]), seat) for seat, card in trick if card[0] == suit)
    return int(seat)


class Match:
    """The host's truth; the deals come from `deal(round, contenders)`."""

    def __init__(self, players: int, deal: Callable[[int, list[int]], Deal]) -> None:
        self.players = players
        self.deal = deal
        self.contenders = list(range(players))
        self.round = 0
        self.mover = 0
        self.moves: list[str] = []
        self.dealt: list[Deal] = []
        self.begin_round()

    @classmethod
    def at_random(cls, players: int, rng: random.Random) -> "Match":
        def deal(round_: int, contenders: list[int]) -> Deal:
            deck = rng.sample(CARDS, 52)
            hands = [[deck.pop() for _ in range(7 - round_) if seat in contenders] for seat in range(players)]
            return rng.choice(SUITS), hands

        return cls(players, deal)

    def begin_round(self) -> None:
        trump, hands = self.deal(self.round, self.contenders)
        self.dealt.append((trump, [list(hand) for hand in hands]))
        self.trump = trump
        self.hands = [list(hand) for hand in hands]
        self.trick: list[tuple[int, str]] = []
        self.played: list[tuple[int, str]] = []  # in this round
        self.tricks = [0] * self.players
        self.voids: list[set[str]] = [set() for _ in range(self.players)]

    @property
    def is_over(self) -> bool:
        return len(self.contenders) == 1

    @property
    def led(self) -> str | None:
        return self.trick[0][1][0] if self.trick else None

    def legal_moves(self) -> list[str]:
        return [] if self.is_over else playable(self.hands[self.mover], self.led)

    def play(self, card: str) -> None:
        if card not in self.legal_moves():
            raise ValueError(f"{card} is not legal")
        if self.trick and card[0] != self.led:
            self.voids[self.mover].add(self.trick[0][1][0])
        self.moves.append(card)
        self.hands[self.mover].remove(card)
        self.trick.append((self.mover, card))
        self.played.append((self.mover, card))
        at = self.contenders.index(self.mover)
        self.mover = self.contenders[(at + 1) % len(self.contenders)]
        if len(self.trick) == len(self.contenders):
            self.mover = winner(self.trick, self.trump)
            self.tricks[self.mover] += 1
            self.trick = []
            if not any(self.hands):
                self.end_round()

    def end_round(self) -> None:
        self.contenders = [seat for seat in self.contenders if self.tricks[seat]]
        if not self.is_over:
            self.round += 1
            self.begin_round()


def sample(match: Match, seat: int | None, rng: random.Random, tries: int | None = None) -> list[list[str]] | None:
    """The hands of a deal that could have led to what the seat has seen in this round, each alike; None if no try fits.

    Cards that were played were in the hands that played them; the others are shuffled, and a deal is thrown away if by it
    somebody has played what was not to be played.
    """
    own = [] if seat is None else match.hands[seat]
    known = {*own, *(card for _, card in match.played)}
    unseen = [card for card in CARDS if card not in known]
    while tries is None or tries > 0:
        tries = None if tries is None else tries - 1
        rng.shuffle(unseen)
        at = 0
        hands = []
        for other, hand in enumerate(match.hands):
            hands.append(list(hand) if other == seat else unseen[at : at + len(hand)])
            at += 0 if other == seat else len(hand)
        if fits(match, hands):
            return hands
    return None


def fits(match: Match, hands: Sequence[Sequence[str]]) -> bool:
    """Whether every card of this round was playable, if these are the hands now."""
    held = [list(hand) for hand in hands]
    for other, card in match.played:
        held[other].append(card)
    for number, (other, card) in enumerate(match.played):
        first = number - number % len(match.contenders)
        if card not in playable(held[other], match.played[first][1][0] if number > first else None):
            return False
        held[other].remove(card)
    return True
