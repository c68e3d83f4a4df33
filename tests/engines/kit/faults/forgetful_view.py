"""A planted fault: nobody sees the first card of each, not even whoever laid it down."""

from machiavel.kit import Action, Cards, Count, Deck, Game, one, size

DECK = Deck(suits="RB", ranks="123456")


class ForgetfulView(Game):
    name, version = "forgetful_view", 1
    titles = {"en": "Forgetful", "fr": "Oublieux"}
    players = [2]
    longest = 8

    hands = Cards(DECK, each_seat=True, seen_by="owner")
    table = Cards(DECK)
    points = Count(each_seat=True, most=60)
    down = Cards(DECK, seen_by="nobody")

    play = Action(DECK)
    hide = Action(DECK, text="hide:{card}", hidden="hide:?")

    def deal(self, luck):
        rest = DECK.all
        for seat in self.every_seat():
            hand = luck.cards("hands", rest, 4, at=seat)
            rest ^= hand
            self.hands[seat] = hand
            self.points[seat] = 1

    def legal(self, seat):
        return self.hide.each(self.hands[seat]) if self.ply < 2 else self.play.each(self.hands[seat])

    def apply(self, move, luck):
        seat = self.mover
        card = self.hide.card(move) if move in self.hide else self.play.card(move)
        self.hands[seat] ^= one(card)
        if move in self.hide:
            self.down |= one(card)  # the fault
        else:
            self.table |= one(card)
        self.points[seat] += DECK.rank_of(card) if move in self.play else 0
        self.mover = self.next_seat(seat)
        if size(self.table) == 6:
            self.end()

    def result(self, shares):
        for seat in self.every_seat():
            shares[seat] = self.points[seat]
