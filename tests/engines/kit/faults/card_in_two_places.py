"""A planted fault: a card stays in the hand, though it lies on the table."""

from machiavel.kit import Action, Cards, Count, Deck, Game, one, size

DECK = Deck(suits="RB", ranks="123456")


class CardInTwoPlaces(Game):
    name, version = "card_in_two_places", 1
    titles = {"en": "Twice", "fr": "Double"}
    players = [2]
    longest = 8

    hands = Cards(DECK, each_seat=True, seen_by="owner")
    table = Cards(DECK)
    points = Count(each_seat=True, most=60)
    played = Cards(DECK, each_seat=True, zone=False)

    play = Action(DECK)

    def deal(self, luck):
        rest = DECK.all
        for seat in self.every_seat():
            hand = luck.cards("hands", rest, 4, at=seat)
            rest ^= hand
            self.hands[seat] = hand
            self.points[seat] = 1

    def legal(self, seat):
        return self.hands[seat] & ~self.played[seat]

    def apply(self, card, luck):
        seat = self.mover
        self.played[seat] |= one(card)  # the fault: the hand keeps it
        self.table |= one(card)
        self.points[seat] += DECK.rank_of(card)
        self.mover = self.next_seat(seat)
        if size(self.table) == 8:
            self.end()

    def result(self, shares):
        for seat in self.every_seat():
            shares[seat] = self.points[seat]
