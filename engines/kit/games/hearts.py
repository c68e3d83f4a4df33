"""Hearts as OpenSpiel plays it: one deal of thirteen cards each, and nobody wants the points."""

from machiavel.kit import Action, Card, Cards, Count, Deck, Flag, Game, Option, Trick, has, one, size

DECK = Deck(suits="CDHS", ranks="23456789TJQKA")
SUITS = Deck(["clubs", "diamonds", "hearts", "spades"])
WAYS = Deck(["keep", "left", "across", "right"])  # the number of each: so many seats on
HEARTS, TWO, QUEEN = DECK.suit(2), DECK.card("C2"), DECK.card("SQ")
POINTS = HEARTS | one(QUEEN)


class Hearts(Game):
    name, version = "hearts", 1
    titles = {"en": "Hearts", "fr": "Dame de pique"}
    players, longest = [4], 64  # plies: twelve cards are passed, 52 played
    passing = Option(True, en="pass three cards first", fr="passer trois cartes d'abord")
    hands = Cards(DECK, each_seat=True, seen_by="owner", within="may", tells="gains")
    aside = Cards(DECK, each_seat=True, seen_by="owner", usually=0, tells="gains")  # chosen to be passed
    table = Card(DECK, each_seat=True, usually=-1)
    gone = Cards(DECK)  # in finished tricks
    led = Card(SUITS, zone=False, zone_at="place", usually=-1)
    points = Count(each_seat=True, most=26, tells="rises", usually=0)
    way = Card(WAYS, zone=False, zone_at="place", shown_while="choosing", usually=0)  # where cards are passed to
    choosing = Flag(zone_at="nowhere")  # they are being chosen
    passed = Cards(DECK, each_seat=True, seen_by="owner", zone=False, zone_at="hand", forgets=True, usually=0)
    may = Cards(DECK, each_seat=True, zone=False)  # what each can still hold, for all that was seen
    trick = Trick("table", led="led")
    play = Action(DECK)
    give = Action(DECK, text="pass:{card}", hidden="pass:?", together=3, into="aside")

    def deal(self, luck):
        self.way = luck.card("way", WAYS.all) if self.passing else 0
        rest = DECK.all
        for seat in self.every_seat():
            self.hands[seat] = luck.cards("hands", rest, 13, at=seat)
            self.may[seat] = DECK.all
            rest ^= self.hands[seat]
        if self.way:
            self.choosing = 1
            self.ask(0b1111)
        else:
            self.begin()

    def begin(self):
        """Whoever has the two of clubs leads it, so everybody knows where it is."""
        for seat in self.every_seat():
            self.may[seat] ^= one(TWO) & ~self.hands[seat]
            if has(self.hands[seat], TWO):
                self.mover = seat

    def legal(self, seat):
        hand = self.hands[seat]
        if self.choosing:
            return self.give.each(hand)
        if self.led >= 0:
            return hand & DECK.suit(self.led) or (hand if self.gone else hand & ~POINTS or hand)
        if self.gone:
            return hand if self.gone & POINTS else hand & ~HEARTS or hand
        return one(TWO)

    def apply(self, move, luck):
        if self.choosing:
            self.put_aside(self.mover, self.give.card(move))
        else:
            self.lay(self.mover, move, DECK.suit_of(move))

    def put_aside(self, seat, card):
        self.hands[seat] ^= one(card)
        self.aside[seat] |= one(card)
        if size(self.aside[seat]) < 3:
            self.ask(self.asked | 1 << seat)
        elif self.asked == 0:
            self.choosing = 0
            for giver in self.every_seat():
                self.hands[(giver + self.way) % 4] |= self.aside[giver]
                self.passed[giver], self.aside[giver] = self.aside[giver], 0
            self.begin()

    def lay(self, seat, card, suit):
        self.hands[seat], self.table[seat] = self.hands[seat] ^ one(card), card
        if self.led < 0:
            self.led = suit
            if has(HEARTS, card) and not self.gone & POINTS:
                self.may[seat] &= HEARTS  # it has nothing else
        elif suit != self.led:
            self.may[seat] &= ~DECK.suit(self.led)
            if has(POINTS, card) and not self.gone:
                self.may[seat] &= POINTS
        self.mover = self.next_seat(seat)
        if self.table[self.mover] >= 0:
            self.end_trick()

    def end_trick(self):
        trick, best = 0, -1
        for seat in self.every_seat():
            card = self.table[seat]
            if DECK.suit_of(card) == self.led and card > best:
                self.mover, best = seat, card
            trick |= one(card)
            self.table[seat] = -1
        self.points[self.mover] += size(trick & HEARTS) + 13 * has(trick, QUEEN)
        self.gone, self.led = self.gone | trick, -1
        if self.gone == DECK.all:
            self.end()

    def result(self, shares):
        moon = max(self.points[0], self.points[1], self.points[2], self.points[3]) == 26
        for seat in self.every_seat():
            shares[seat] = self.points[seat] if moon else 26 - self.points[seat]

    def determinize(self, seat, luck):
        """What a seat passed on is there still, unless it was played; the rest is drawn."""
        assert self.led >= 0 or max(self.table[0], self.table[1], self.table[2], self.table[3]) < 0, "which suit was led?"
        if seat >= 0:
            self.hands[(seat + self.way) % 4] |= self.passed[seat] & self.unseen(DECK)

    def measure(self, points):
        for seat in self.every_seat():
            points[seat] = self.points[seat]

    words = {
        "en": {
            "labels": {"give": "pass {card:the}", "give_hidden": "pass a card"},
            "phrases": {"give": {"do": "pass {card:the}", "you": "you pass {card:the}", "doing": "passing {card:the}"}}
            | {"give_hidden": {"do": "pass a card", "you": "you pass a card", "doing": "passing a card"}},
            "events": {
                "give": {"me": "You pass {card:the}.", "they": "{who} passes {card:the}."},
                "give_hidden": {"they": "{who} passes a card."},
                "hands": {"me": "You get {cards:the}.", "they": "{seat} gets {cards:the}."},
                "aside": {"me": "That makes {now} of 3.", "they": "{seat} puts {cards:the} aside."},
                "points": {"me": "You take {by} {by:point|points}.", "they": "{seat} takes {by} {by:point|points}."},
                "won": {"me": "You win with {points:# point|# points}.", "they": "{who} wins with {points:# point|# points}."},
            },
            "about": {"H": "Whoever takes it gets 1 point. Points are bad, unless you take all 26."}
            | {"SQ": "Whoever takes it gets 13 points. Points are bad, unless you take all 26."},
            "cards": {"keep": "no cards", "left": "to the left", "across": "across the table", "right": "to the right"},
            "fields": {"hands": {"label": "Hand"}, "hands_counts": {"label": "Cards"}, "aside_counts": {"label": "Put aside"}}
            | {"gone": {"label": "Played"}, "way": {"label": "Pass three cards"}, "passed": {"label": "Passed"}}
            | {"aside": {"label": "Put aside"}, "led": {"label": "Suit led"}, "choosing": {"label": "Still passing"}},
            "hints": {
                "headline": "points",
                "points": {"good": -1, "says": "you take {value} points", "more": "you take more points"}
                | {"less": "you take fewer points"},
            },
        },
        "fr": {
            "labels": {"give": "passer {card:the}", "give_hidden": "passer une carte"},
            "phrases": {"give": {"do": "passe {card:the}", "you": "tu passes {card:the}", "doing": "passer {card:the}"}}
            | {"give_hidden": {"do": "passe une carte", "you": "tu passes une carte", "doing": "passer une carte"}},
            "events": {
                "give": {"me": "Tu passes {card:the}.", "they": "{who} passe {card:the}."},
                "give_hidden": {"they": "{who} passe une carte."},
                "hands": {"me": "Tu reçois {cards:the}.", "they": "{seat} reçoit {cards:the}."},
                "aside": {"me": "Ça fait {now} sur 3.", "they": "{seat} met {cards:the} de côté."},
                "points": {"me": "Tu ramasses {by} {by:point|points}.", "they": "{seat} ramasse {by} {by:point|points}."},
                "won": {"me": "Tu gagnes avec {points:# point|# points}.", "they": "{who} gagne avec {points:# point|# points}."},
            },
            "cards": {"keep": "aucune carte", "left": "à gauche", "across": "en face", "right": "à droite"}
            | {"clubs": "trèfle", "diamonds": "carreau", "hearts": "cœur", "spades": "pique"},
            "about": {"H": "Celui qui la ramasse prend 1 point. Mieux vaut n'en avoir aucun, ou bien les 26."}
            | {"SQ": "Celui qui la ramasse prend 13 points. Mieux vaut n'en avoir aucun, ou bien les 26."},
            "fields": {"hands": {"label": "Main"}, "hands_counts": {"label": "Cartes"}, "aside_counts": {"label": "De côté"}}
            | {"aside": {"label": "De côté"}, "gone": {"label": "Jouées"}, "way": {"label": "Passe trois cartes"}}
            | {"passed": {"label": "Données"}, "led": {"label": "Couleur demandée"}, "choosing": {"label": "On échange encore"}},
            "hints": {
                "points": {"says": "tu ramasses {value} points", "more": "tu ramasses plus de points"}
                | {"less": "tu ramasses moins de points"},
            },
        },
    }
