"""A planted fault: a field with forgets=True on which legal moves depend."""

from machiavel.kit import Action, Cards, Count, Deck, Game, one, size

DECK = Deck(suits="RB", ranks="123456")


class ForgetfulKey(Game):
    name, version = "forgetful_key", 1
    titles = {"en": "Key", "fr": "Clé"}
    players = [2]
    longest = 8

    hands = Cards(DECK, each_seat=True, seen_by="owner")
    table = Cards(DECK)
    points = Count(each_seat=True, most=60)
    first = Count(most=12, forgets=True)

    play = Action(DECK)

    def deal(self, luck):
        rest = DECK.all
        for seat in self.every_seat():
            hand = luck.cards("hands", rest, 4, at=seat)
            rest ^= hand
            self.hands[seat] = hand
            self.points[seat] = 1

    def legal(self, seat):
        hand = self.hands[seat]
        if self.ply > 3 and self.first % 2:  # the fault: the key leaves `first` out
            return hand & DECK.suit(0) or hand
        return hand

    def apply(self, card, luck):
        seat = self.mover
        self.hands[seat] ^= one(card)
        self.table |= one(card)
        self.points[seat] += DECK.rank_of(card)
        if self.ply == 0:
            self.first = card
        self.mover = self.next_seat(seat)
        if size(self.table) == 8:
            self.end()

    def result(self, shares):
        for seat in self.every_seat():
            shares[seat] = self.points[seat]
