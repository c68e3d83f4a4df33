"""Knockout Whist once more, as engines/whist/RULES.md has it: its records are those of the compiled engine."""

from machiavel.kit import Action, Card, Cards, Count, Deck, Game, Seat, Seats, one, size

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
        rest = DECK.all
        for seat in self.every_seat():
            self.tricks[seat] = 0
            if self.contenders >> seat & 1:
                self.may[seat] = DECK.all
                self.hands[seat] = luck.cards("hands", rest, 7 - self.round, at=(self.round, seat))
                rest ^= self.hands[seat]
        self.begin_trick()

    def begin_trick(self):
        self.led, self.top = -1, -1
        self.to_come = size(self.contenders)

    def legal(self, seat):
        hand = self.hands[seat]
        if self.led < 0:
            return hand
        return hand & DECK.suit(self.led) or hand

    def apply(self, card, luck):
        seat, suit = self.mover, DECK.suit_of(card)
        self.hands[seat] ^= one(card)
        self.seen |= one(card)
        if self.led < 0:
            self.led, self.top, self.best = suit, card, seat
        else:
            if suit != self.led:
                self.may[seat] &= ~DECK.suit(self.led)
            if card > self.top if suit == DECK.suit_of(self.top) else suit == self.trump:
                self.top, self.best = card, seat
        self.to_come -= 1
        if self.to_come:
            self.mover = self.after(seat)
        else:
            self.mover = self.best
            self.tricks[self.best] += 1
            self.begin_trick()
            if not self.hands[self.best]:
                self.end_round(luck)

    def after(self, seat):
        seat = self.next_seat(seat)
        while not self.contenders >> seat & 1:
            seat = self.next_seat(seat)
        return seat

    def end_round(self, luck):
        safe = 0
        for seat in self.every_seat():
            if self.tricks[seat]:
                safe |= one(seat)
        self.contenders = safe
        if size(safe) == 1:
            self.end()
        else:
            self.round += 1
            self.begin_round(luck)

    def result(self, shares):
        for seat in self.every_seat():
            shares[seat] = self.contenders >> seat & 1
