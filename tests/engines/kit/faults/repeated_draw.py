"""A planted fault: a die is rolled for each card played, and rolled as if it were the one of the card before."""

from machiavel.kit import Action, Cards, Count, Deck, Game, one, size

DECK = Deck(suits="RB", ranks="123456")


class RepeatedDraw(Game):
    name, version = "repeated_draw", 1
    titles = {"en": "Eight cards", "fr": "Huit cartes"}
    players = [2]
    longest = 8

    hands = Cards(DECK, each_seat=True, seen_by="owner")
    table = Cards(DECK)
    points = Count(each_seat=True, most=60)

    play = Action(DECK)

    def deal(self, luck):
        rest = DECK.all
        for seat in self.every_seat():
            hand = luck.cards("hands", rest, 4, at=seat)
            rest ^= hand
            self.hands[seat] = hand
            self.points[seat] = 1

    def legal(self, seat):
        return self.hands[seat]

    def apply(self, card, luck):
        seat = self.mover
        self.hands[seat] ^= one(card)
        self.table |= one(card)
        self.points[seat] += luck.die("bonus", at=seat)  # the fault: at=(seat, self.ply) is another die each time
        self.mover = self.next_seat(seat)
        if size(self.table) == 8:
            self.end()

    def result(self, shares):
        for seat in self.every_seat():
            shares[seat] = self.points[seat]
