"""A planted fault: the author's worlds give the other seat its highest possible card more often than the deal does."""

from machiavel.kit import Action, Cards, Count, Deck, Game, high, one, size

DECK = Deck(suits="RB", ranks="123456")


class UnequalWorlds(Game):
    name, version = "unequal_worlds", 1
    titles = {"en": "Worlds", "fr": "Mondes"}
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
        self.points[seat] += DECK.rank_of(card)
        self.mover = self.next_seat(seat)
        if size(self.table) == 8:
            self.end()

    def result(self, shares):
        for seat in self.every_seat():
            shares[seat] = self.points[seat]

    def determinize(self, seat, luck):
        rest = self.unseen(DECK)
        for other in self.every_seat():
            number = self.hidden("hands", other)
            if other != seat and number:
                best = one(high(rest))  # the fault: the highest of all is always there
                self.hands[other] = best | luck.cards("worlds", rest ^ best, number - 1, at=other)
                rest ^= self.hands[other]
