"""A planted fault: who does not follow suit has shown that it cannot, and no field keeps it."""

from machiavel.kit import Action, Cards, Count, Deck, Game, one, size

DECK = Deck(suits="RB", ranks="123456")


class ForgottenVoid(Game):
    name, version = "forgotten_void", 1
    titles = {"en": "Void", "fr": "Chicane"}
    players = [2]
    longest = 8

    hands = Cards(DECK, each_seat=True, seen_by="owner")
    table = Cards(DECK)
    points = Count(each_seat=True, most=60)
    led = Cards(DECK, zone=False)

    play = Action(DECK)

    def deal(self, luck):
        rest = DECK.all
        for seat in self.every_seat():
            hand = luck.cards("hands", rest, 4, at=seat)
            rest ^= hand
            self.hands[seat] = hand
            self.points[seat] = 1

    def legal(self, seat):
        follow = self.hands[seat] & self.led
        return follow or self.hands[seat]  # the fault: what this shows of a hand is not kept

    def apply(self, card, luck):
        seat = self.mover
        self.hands[seat] ^= one(card)
        self.table |= one(card)
        self.points[seat] += DECK.rank_of(card)
        self.led = 0 if self.led else DECK.suit(DECK.suit_of(card))
        self.mover = self.next_seat(seat)
        if size(self.table) == 8:
            self.end()

    def result(self, shares):
        for seat in self.every_seat():
            shares[seat] = self.points[seat]
