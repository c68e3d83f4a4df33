"""Kuhn poker: one card each, one round of betting, the higher card wins the pot."""

from machiavel.kit import Action, Card, Cards, Count, Deck, Game, Option, Seat, one

DECK = Deck(["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"])
# How often of a hundred times to bet: first, after a pass or a bet, asked again; with the lowest card, one between, the highest.
BETS = (33, 33, 1, 1, 1, 1, 33, 67, 99, 99, 99, 99)


class Kuhn(Game):
    name, version = "kuhn", 1
    titles = {"en": "Kuhn poker", "fr": "Poker de Kuhn"}
    players, longest = [2], 3
    worth = (-2, 2)  # chips won or lost

    cards = Option(3, least=3, most=13, en="cards in the deck", fr="cartes dans le paquet")

    hands = Card(DECK, each_seat=True, seen_by="owner")
    table = Card(DECK, each_seat=True, tells="changes")  # shown
    unused = Cards(DECK)  # the lowest cards, which are not played with
    chips = Count(each_seat=True, most=2)  # in the pot
    winner = Seat(tells="changes")

    check = Action(text="pass", names="fold")
    bet = Action(names="call")

    def deal(self, luck):
        self.unused = one(13 - self.cards) - 1
        rest = DECK.all ^ self.unused
        for seat in self.every_seat():
            self.hands[seat] = luck.card("cards", rest, at=seat)
            self.chips[seat] = 1
            rest ^= one(self.hands[seat])

    def legal(self, seat):
        yield self.check()
        yield self.bet()

    def apply(self, move, luck):
        seat, other = self.mover, 1 - self.mover
        self.chips[seat] += move in self.bet
        if self.chips[seat] < self.chips[other]:
            self.winner = other
        elif self.ply > 0 and self.chips[seat] == self.chips[other]:
            self.winner = seat if self.hands[seat] > self.hands[other] else other
            for owner in self.every_seat():
                self.table[owner], self.hands[owner] = self.hands[owner], -1
        if self.winner >= 0:
            self.end()
        else:
            self.mover = other

    def result(self, shares):
        stake = min(self.chips[0], self.chips[1])
        for seat in self.every_seat():
            shares[seat] = stake if seat == self.winner else -stake

    def weigh(self, move):
        """By an equilibrium, though never quite sure."""
        card = self.hands[self.mover]
        kind = 2 if card == 12 else card > 13 - self.cards
        chance = BETS[4 * kind + (3 if self.ply == 2 else self.ply + self.chips[0] - 1)]
        return chance if move in self.bet else 100 - chance

    def called(self, move):
        return self.chips[0] != self.chips[1]  # to answer a bet is to fold or to call

    def measure(self, chips):
        for seat in self.every_seat():
            chips[seat] = self.chips[seat]

    words = {
        "en": {
            "labels": {"check": "check", "fold": "fold", "bet": "bet", "call": "call"},
            "phrases": {
                "check": {"do": "check", "you": "you check", "doing": "checking"},
                "fold": {"do": "fold", "you": "you fold", "doing": "folding"},
                "bet": {"do": "bet", "you": "you bet", "doing": "betting"},
                "call": {"do": "call", "you": "you call", "doing": "calling"},
            },
            "events": {
                "check": {"me": "You check.", "they": "{who} checks."},
                "fold": {"me": "You fold.", "they": "{who} folds."},
                "bet": {"me": "You bet one chip.", "they": "{who} bets one chip."},
                "call": {"me": "You call.", "they": "{who} calls."},
                "table": {"me": "You show {now:the}.", "they": "{seat} shows {now:the}."},
                "winner": {"me": "You take the pot.", "they": "{now} takes the pot."},
                "won": {"me": "You win {value} {value:chip|chips}.", "they": "{who} wins {value} {value:chip|chips}."},
            },
            "fields": {"hands": {"label": "Card"}, "hands_counts": {"label": "Face down"}, "chips": {"label": "Chips in the pot"}}
            | {"unused": {"label": "Not played with"}},
            "hints": {
                "chips": {
                    "says": "you put {value} chips into the pot",
                    "more": "you risk more chips",
                    "less": "you risk fewer chips",
                }
            },
        },
        "fr": {
            "labels": {"check": "checker", "fold": "se coucher", "bet": "miser", "call": "suivre"},
            "phrases": {
                "check": {"do": "checke", "you": "tu checkes", "doing": "checker"},
                "fold": {"do": "couche-toi", "you": "tu te couches", "doing": "se coucher"},
                "bet": {"do": "mise", "you": "tu mises", "doing": "miser"},
                "call": {"do": "suis", "you": "tu suis", "doing": "suivre"},
            },
            "events": {
                "check": {"me": "Tu checkes.", "they": "{who} checke."},
                "fold": {"me": "Tu te couches.", "they": "{who} se couche."},
                "bet": {"me": "Tu mises un jeton.", "they": "{who} mise un jeton."},
                "call": {"me": "Tu suis.", "they": "{who} suit."},
                "table": {"me": "Tu montres {now:the}.", "they": "{seat} montre {now:the}."},
                "winner": {"me": "Tu prends le pot.", "they": "{now} prend le pot."},
                "won": {"me": "Tu gagnes {value} {value:jeton|jetons}.", "they": "{who} gagne {value} {value:jeton|jetons}."},
            },
            "fields": {"hands": {"label": "Carte"}, "hands_counts": {"label": "Face cachée"}, "chips": {"label": "Jetons au pot"}}
            | {"unused": {"label": "Hors jeu"}, "winner": {"label": "Gagnant"}},
            "hints": {
                "chips": {"says": "tu mets {value} jetons au pot", "more": "tu risques plus de jetons"}
                | {"less": "tu risques moins de jetons"}
            },
        },
    }
