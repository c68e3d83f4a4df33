"""Files as an author might write them, for tests of what becomes of them."""

from pathlib import Path
from textwrap import dedent

from machiavel.engines import Game
from machiavel.engines.kit.loading import load_file

__all__ = ["HIGHEST", "load_text", "written"]

# The smallest game: each has three cards, and whoever plays the highest one first wins.
HIGHEST = '''
"""Three cards each; the highest card played wins."""
from machiavel.kit import Action, Cards, Count, Deck, Game, Seat, has, one

DECK = Deck(suits="HS", ranks="23456789TJQKA")


class Highest(Game):
    name, version = "highest", 1
    titles = {"en": "Highest card", "fr": "La plus haute"}
    players = [2, 3]
    longest = 9

    hands = Cards(DECK, each_seat=True, seen_by="owner")
    gone = Cards(DECK)
    best = Seat()
    top = Count(most=12)

    play = Action(DECK)

    def deal(self, luck):
        rest = DECK.all
        for seat in self.every_seat():
            self.hands[seat] = luck.cards("hands", rest, 3, at=seat)
            rest ^= self.hands[seat]

    def legal(self, seat):
        return self.hands[seat]

    def apply(self, card, luck):
        self.hands[self.mover] ^= one(card)
        self.gone |= one(card)
        if self.best < 0 or DECK.rank_of(card) > self.top:
            self.best, self.top = self.mover, DECK.rank_of(card)
        self.mover = self.next_seat(self.mover)
        if self.hands[self.mover] == 0:
            self.end()

    def result(self, shares):
        shares[self.best] = 1
'''


def written(folder: Path, text: str, name: str = "mine.py") -> Path:
    """A file with that text."""
    path = folder / name
    path.write_text(dedent(text).lstrip(), encoding="utf-8")
    return path


def load_text(folder: Path, text: str, name: str = "mine.py", *, mode: str | None = None) -> Game:
    """The game of a file with that text."""
    return load_file(written(folder, text, name), mode=mode)
