"""A game with a field of every kind, hidden from some, from all and from nobody; each move draws all of them anew."""

from machiavel.kit import Action, Bag, Card, Cards, Count, Deck, Dice, Flag, Game, Option, Seat, Seats, one

DECK = Deck(suits="AB", ranks="12345678")
BAG = Bag({"guard": 8, "priest": 4, "king": 1})
LOOKS = (1, 2, 4, 0, 3, 7, 5, 6)


class EveryField(Game):
    name, version = "every_field", 3
    titles = {"en": "Every field", "fr": "Tous les champs"}
    players = [2, 3]
    longest = 40

    rounds = Option(12, least=1, most=20, en="rounds to be played", fr="manches à jouer")
    quick = Option(False, en="six rounds fewer")

    looking = Seats(each_seat=True)
    hands = Cards(DECK, each_seat=True, seen_by="owner", within="may")
    may = Cards(DECK, each_seat=True, zone=False)
    pile = Cards(DECK, seen_by="nobody")
    open = Cards(DECK, tells="changes")
    crowd = Cards(BAG, each_seat=True, seen_by="looking")
    street = Cards(BAG, usually=0)
    face_up = Card(BAG, each_seat=True)
    secret = Card(BAG, seen_by="nobody")
    last = Card(DECK, zone=False, tells="changes")
    noted = Cards(DECK, each_seat=True, seen_by="owner", zone=False)
    cups = Dice(3, sides=4, each_seat=True, seen_by="owner")
    thrown = Dice(2, sorted=False)
    mood = Count(least=-5, most=5, tells="falls")
    score = Count(each_seat=True, most=1000, usually=0, tells="rises")
    grid = Count(length=3, most=9)
    track = Count(each_seat=True, length=2, most=70000)
    purse = Count(each_seat=True, most=9, seen_by="owner")
    awake = Flag(tells="changes")
    turned = Flag(each_seat=True, length=2)
    chief = Seat(tells="changes")
    friends = Seats(tells="changes")

    play = Action(DECK)
    hide = Action(DECK, text="hide:{card}", hidden="hide:?")
    question = Action(who=Seat, kind=BAG, loud=("softly", "loudly"))
    bid = Action(number=range(2, 5))
    rest = Action()

    def deal(self, luck):
        self.chief = -1
        for seat in self.every_seat():
            self.looking[seat] = 1 << seat
        self.draw(luck, 0)

    def draw(self, luck, turn):
        rest, crowd = DECK.all, BAG.all
        self.open = luck.cards("open", rest, 3, at=turn)
        rest ^= self.open
        for seat in self.every_seat():
            self.hands[seat] = luck.cards("hands", rest, 3, at=(turn, seat))
            rest ^= self.hands[seat]
            self.may[seat] = DECK.all ^ self.open
            self.crowd[seat] = 0
            for number in range(turn % 2 + 1):
                kind = luck.card("crowd", crowd, at=(turn, seat, number), deck=BAG)
                self.crowd[seat] += BAG.one(kind)
                crowd -= BAG.one(kind)
            self.noted[seat] = one(luck.card("note", DECK.all, at=(turn, seat), deck=DECK))
            self.purse[seat] = turn % 10
            self.track[seat][0] = 1000 * turn + seat
            self.track[seat][1] = 70000 - turn
            self.turned[seat][turn % 2] ^= 1
            self.looking[seat] = (LOOKS[turn % 8] | 1 << seat) & (1 << self.seats) - 1
            for die in range(3):
                self.cups[seat][die] = luck.die("cup", 4, at=(turn, seat, die)) if die < turn % 4 else 0
            if turn % 3:
                self.face_up[seat] = luck.card("face", crowd, at=(turn, seat), deck=BAG)
                crowd -= BAG.one(self.face_up[seat])
            else:
                self.face_up[seat] = -1
        self.pile = luck.cards("pile", rest, 2, at=turn)
        self.secret = -1
        if turn % 4 == 1:
            self.secret = luck.card("secret", crowd, at=turn, deck=BAG)
            crowd -= BAG.one(self.secret)
        self.street = crowd if turn % 4 == 2 else 0
        for die in range(2):
            self.thrown[die] = luck.die("thrown", at=(turn, die)) if (turn >> die) % 2 else 0

    def legal(self, seat):
        for card in DECK_ORDER:
            if self.hands[seat] >> card & 1:
                yield self.play(card)
                yield self.hide(card)
        for other in self.others(seat):
            yield self.question(other, 1, 0)
            yield self.question(other, 0, 1)
        yield self.bid(4)
        yield self.rest()

    def apply(self, move, luck):
        seat = self.mover
        turn = self.ply + 1
        if move in self.play:
            self.last = self.play.card(move)
            self.score[seat] += 30
        elif move in self.hide:
            self.friends ^= 1 << seat
        elif move in self.question:
            self.chief = self.question.who(move)
        elif move in self.bid:
            self.mood = -(turn % 6)
            self.grid[turn % 3] = self.bid.number(move)
        else:
            self.awake ^= 1
        self.mover = self.next_seat(seat)
        self.draw(luck, turn)
        if turn >= self.rounds - 6 * self.quick:
            self.end()

    def result(self, shares):
        for seat in self.every_seat():
            shares[seat] = self.score[seat]

    def measure(self, score, friendly):
        for seat in self.every_seat():
            score[seat] = self.score[seat]
            friendly[seat] = self.friends >> seat & 1


DECK_ORDER = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
