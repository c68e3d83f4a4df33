"""A planted fault: cards come back to the hand they were played from, so the game never ends."""

from machiavel.kit import Action, Cards, Count, Deck, Game, size

DECK = Deck(suits="RB", ranks="123456")


class EndlessGame(Game):
    name, version = "endless_game", 1
    titles = {"en": "No end", "fr": "Sans fin"}
    players = [2]
    longest = 200

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
        # The fault: the card stays where it is.
        self.points[seat] = 1 + DECK.rank_of(card)
        self.mover = self.next_seat(seat)
        if size(self.table) == 8:
            self.end()

    def result(self, shares):
        for seat in self.every_seat():
            shares[seat] = self.points[seat]
