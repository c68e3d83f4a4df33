"""Liar's dice: bids on all dice under all cups; whoever is wrong loses one; ones count as any face."""

from machiavel.kit import Action, Count, Dice, Game, Seat, Tally


class LiarsDice(Game):
    name, version = "liars_dice", 1
    titles = {"en": "Liar's dice", "fr": "Perudo"}
    players = [2, 3, 4]
    longest = 473  # with twelve dice all 72 bids and a call, then with eleven, …

    cups = Dice(3, each_seat=True, seen_by="owner")
    dice = Count(each_seat=True, most=3, tells="falls")
    number = Count(most=12)  # the last bid; 0: none yet
    face = Count(most=6, die=True)
    bidder = Seat()
    round = Count(most=11, zone_at="nowhere", usually=0)
    lifted = Dice(3, each_seat=True, forgets=True, usually=0)  # what lay under the cups at the last call

    liar = Action()
    bid = Action(number=range(1, 13), face=range(1, 7), text="{number}x{face}")
    count = Tally("lifted", face="face", wild=1, after="liar", told=("bidder", "number"))

    def deal(self, luck):
        for seat in self.every_seat():
            self.dice[seat] = 3
        self.roll(luck)

    def roll(self, luck):
        self.number, self.face, self.bidder = 0, 0, -1
        for seat in self.every_seat():
            for die in range(self.dice[seat]):
                self.cups[seat][die] = luck.die("roll", 6, at=(self.round, seat, die))

    def legal(self, seat):
        if self.number:
            yield self.liar()
        for face in range(self.face + 1, 7 if self.number else 1):
            yield self.bid(self.number, face)
        for number in range(self.number + 1, self.all_dice() + 1):
            for face in range(1, 7):
                yield self.bid(number, face)

    def all_dice(self):
        total = 0
        for seat in self.every_seat():
            total += self.dice[seat]
        return total

    def apply(self, move, luck):
        if move in self.bid:
            self.number, self.face, self.bidder = self.bid.number(move), self.bid.face(move), self.mover
            self.mover = self.next_with_dice(self.mover)
        else:
            self.lift(luck)

    def next_with_dice(self, seat):
        seat = self.next_seat(seat)
        while self.dice[seat] == 0:
            seat = self.next_seat(seat)
        return seat

    def lift(self, luck):
        found = 0
        for seat in self.every_seat():
            for die in range(3):
                shown = self.cups[seat][die]
                self.lifted[seat][die], self.cups[seat][die] = shown, 0
                found += shown == self.face or shown == 1
        loser = self.mover if found >= self.number else self.bidder
        self.dice[loser] -= 1
        self.round += 1
        self.mover = loser if self.dice[loser] else self.next_with_dice(loser)
        if self.dice[self.mover] == self.all_dice():
            self.end()
        else:
            self.roll(luck)

    def result(self, shares):
        for seat in self.every_seat():
            shares[seat] = self.dice[seat] > 0

    def measure(self, dice):
        for seat in self.every_seat():
            dice[seat] = self.dice[seat]

    words = {
        "en": {
            "labels": {"liar": "call liar", "bid": "bid {number} × {face}"},
            "phrases": {
                "liar": {"do": "call liar", "you": "you call liar", "doing": "calling liar"},
                "bid": {"do": "bid {number} × {face}", "you": "you bid {number} × {face}", "doing": "bidding {number} × {face}"},
            },
            "events": {
                "liar": {"me": "You do not believe it.", "they": "{who} does not believe it."},
                "bid": {"me": "You bid {number} × {face}.", "they": "{who} bids {number} × {face}."},
                "count": {"me": "{found} found under the cups; you bid {number} × {face}."}
                | {"they": "{found} found under the cups; {bidder} bid {number} × {face}."},
                "dice": {"me": "You lose a die; {now} left.", "they": "{seat} loses a die; {now} left."},
                "won": {"me": "You win: nobody else has dice.", "they": "{who} wins: nobody else has dice."},
            },
            "fields": {"cups": {"label": "Under the cup"}, "lifted": {"label": "At the last call"}},
            "hints": {
                "dice": {"good": 1, "says": "you end with {value} dice", "more": "you keep more dice", "less": "you keep fewer"}
            },
        },
        "fr": {
            "labels": {"liar": "dire que c'est faux", "bid": "annoncer {number} × {face}"},
            "phrases": {
                "liar": {"do": "dis que c'est faux", "you": "tu dis que c'est faux", "doing": "dire que c'est faux"},
                "bid": {"do": "annonce {number} × {face}", "you": "tu annonces {number} × {face}"}
                | {"doing": "annoncer {number} × {face}"},
            },
            "events": {
                "liar": {"me": "Tu n'y crois pas.", "they": "{who} n'y croit pas."},
                "bid": {"me": "Tu annonces {number} × {face}.", "they": "{who} annonce {number} × {face}."},
                "count": {"me": "On en trouve {found} ; tu avais annoncé {number} × {face}."}
                | {"they": "On en trouve {found} ; {bidder} avait annoncé {number} × {face}."},
                "dice": {"me": "Tu perds un dé ; il t'en reste {now}.", "they": "{seat} perd un dé ; il lui en reste {now}."},
                "won": {"me": "Tu gagnes : les autres n'ont plus de dés.", "they": "{who} gagne : les autres n'ont plus de dés."},
            },
            "fields": {"cups": {"label": "Sous le gobelet"}, "dice": {"label": "Dés"}, "lifted": {"label": "Au dernier doute"}}
            | {"number": {"label": "Nombre"}, "face": {"label": "Face"}}
            | {"bidder": {"label": "Annonce"}, "round": {"label": "Manche"}},
            "hints": {
                "dice": {"says": "tu finis avec {value} dés", "more": "tu gardes plus de dés", "less": "tu gardes moins de dés"}
            },
        },
    }
