"""A planted fault: what a card is called is told by a hand that not all see."""

from machiavel.kit import Action, Cards, Count, Deck, Game, one, size

DECK = Deck(suits="RB", ranks="123456")


class PeekingCalled(Game):
    name, version = "peeking_called", 1
    titles = {"en": "Peeking", "fr": "Indiscret"}
    players = [2]
    longest = 8

    hands = Cards(DECK, each_seat=True, seen_by="owner")
    table = Cards(DECK)
    points = Count(each_seat=True, most=60)

    play = Action(DECK, names="last_card")

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

    def called(self, card):
        return size(self.hands[self.mover]) == 1  # the fault
