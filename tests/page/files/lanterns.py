"""Lanterns: everyone lays a card a round, the higher one wins it. Its cards have names that occur nowhere else."""

from machiavel.kit import Action, Card, Cards, Count, Deck, Game, one

DECK = Deck(
    [f"lantern-{word}-{number:02d}" for number, word in enumerate(["amber", "birch", "cedar", "delta", "ember", "frost"] * 4)]
)


class Lanterns(Game):
    name, version = "lanterns", 1
    titles = {"en": "Lanterns", "fr": "Lanternes"}
    players = [2, 3, 4]
    longest = 24

    hands = Cards(DECK, each_seat=True, seen_by="owner")
    table = Card(DECK, each_seat=True)
    gone = Cards(DECK)
    won = Count(each_seat=True, most=6)
    play = Action(DECK)

    def deal(self, luck):
        rest = DECK.all
        for seat in self.every_seat():
            self.hands[seat] = luck.cards("hands", rest, 6, at=seat)
            rest ^= self.hands[seat]

    def legal(self, seat):
        return self.hands[seat]

    def apply(self, card, luck):
        self.hands[self.mover] ^= one(card)
        self.table[self.mover] = card
        self.mover = self.next_seat(self.mover)
        if self.table[self.mover] >= 0:
            self.end_round()

    def end_round(self):
        best = 0
        for seat in self.every_seat():
            if self.table[seat] > self.table[best]:
                best = seat
        for seat in self.every_seat():
            self.gone |= one(self.table[seat])
            self.table[seat] = -1
        self.won[best] += 1
        self.mover = best
        if self.hands[best] == 0:
            self.end()

    def result(self, shares):
        for seat in self.every_seat():
            shares[seat] = self.won[seat]
