"""Knockout Whist once more, as engines/whist/RULES.md has it: its records are those of the compiled engine."""

from machiavel.kit import Action, Card, Cards, Count, Deck, Game, Seat, Seats, has, one

DECK = Deck(suits="CDHS", ranks="23456789TJQKA")
SUITS = Deck(["C", "D", "H", "S"])


class Whist(Game):
    name, version = "whist", 1
    titles = {"en": "Knockout Whist", "fr": "Whist à élimination"}
    players = range(2, 8)
    longest = 196

    hands = Cards(DECK, each_seat=True, seen_by="owner", within="may")
    seen = Cards(DECK)  # played in this round
    trump = Card(SUITS, zone=False)
    led = Card(SUITS, zone=False)
    best = Seat()  # takes the trick so far …
    top = Card(DECK, zone=False)  # … with this card
    tricks = Count(each_seat=True, most=7)  # of this round
    contenders = Seats()  # still in
    to_come = Count(most=7)  # seats that still play to this trick
    round = Count(most=6)
    may = Cards(DECK, each_seat=True, zone=False)  # what each can still hold

    play = Action(DECK)

    def deal(self, luck):
        self.contenders = (1 << self.seats) - 1
        self.begin_round(luck)

    def begin_round(self, luck):
        self.trump = luck.card("trump", SUITS.all, at=self.round)
        self.seen = 0
        self.led = -1
        self.to_come = 0
        rest = DECK.all
        for seat in self.every_seat():
            self.tricks[seat] = 0
            self.may[seat] = DECK.all
            if self.contenders >> seat & 1:
                self.hands[seat] = luck.cards("hands", rest, 7 - self.round, at=(self.round, seat))
                rest ^= self.hands[seat]
                self.to_come += 1

    def legal(self, seat):
        hand = self.hands[seat]
        if self.led < 0:
            return hand
        return hand & DECK.suit(self.led) or hand

    def apply(self, card, luck):
        seat, suit = self.mover, DECK.suit_of(card)
        self.hands[seat] ^= one(card)
        self.seen |= one(card)
        ...
