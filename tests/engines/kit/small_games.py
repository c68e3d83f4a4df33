"""Small games for tests: a text with one method written by the test, checked and interpreted."""

import random
from pathlib import Path
from textwrap import indent
from typing import Any

from machiavel.engines.kit.checker import check_program, load_source
from machiavel.engines.kit.interpreted import interpreted_class
from machiavel.engines.kit.source import GameSource

HEAD = """from machiavel.kit import (
    Action, Bag, Card, Cards, Count, Deck, Dice, Flag, Game, Option, Seat, Seats, cards, has, high, low, one, size
)

DECK = Deck(suits="RB", ranks="12345")
TOKENS = Bag({"sun": 3, "moon": 2, "star": 1})
TABLE = (3, 1, 4, 1, 5)
LIMIT = 2**62


class Wrong(Exception):
    pass


def double(x):
    return 2 * x


class Mine(Game):
    name, titles, players, longest = "mine", {"en": "Mine"}, [2, 3], 40
    FIVE = 5
    fast = Option(False, en="fast")
    rounds = Option(3, en="rounds", least=1, most=9)

    hands = Cards(DECK, each_seat=True, seen_by="owner")
    pile = Cards(DECK)
    bag = Cards(TOKENS)
    top = Card(DECK)
    led = Count(most=4)
    wide = Count(least=-(2**63), most=2**63 - 1)
    points = Count(each_seat=True, most=26)
    grid = Count(each_seat=True, length=3, most=9)
    broken = Flag()
    best = Seat()
    out = Seats()
    cups = Dice(3, each_seat=True, seen_by="owner")

    play = Action(DECK)
    bid = Action(number=range(1, 5), face=range(1, 7))
    take = Action(TOKENS)
    stop = Action()

"""
METHODS = {
    "deal": "def deal(self, luck):\n    self.mover = 0",
    "legal": "def legal(self, seat):\n    return DECK.all",
    "apply": "def apply(self, move, luck):\n    self.end()",
    "result": "def result(self, shares):\n    for seat in self.every_seat():\n        shares[seat] = 1",
}


def text_of(**methods: str) -> str:
    """The text of a game with these methods, whole or only what stands in them, and others that do next to nothing."""
    result = HEAD
    for name, default in {**METHODS, **{name: "" for name in methods if name not in METHODS}}.items():
        body = methods.get(name, default)
        if not body.startswith(("def ", "@")):
            first = default.partition("\n")[0] or f"def {name}(self):"
            body = f"{first}\n{indent(body, '    ')}"
        result += indent(body, "    ") + "\n\n"
    return result


def source_of(folder: Path, **methods: str) -> GameSource:
    path = folder / "mine.py"
    path.write_text(text_of(**methods), encoding="utf-8")
    return load_source(path)


def line_of(folder: Path, part: str) -> int:
    """The line of a game's file that says this."""
    lines = (folder / "mine.py").read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.strip() == part.strip())


def position_of(source: GameSource, seats: int = 3, **options: int) -> Any:
    """A position with nothing in it."""
    chosen = {name: int(option.default) for name, option in source.description.options.items()}
    program = check_program(source, seats, chosen | options)
    position: Any = interpreted_class(source, program)()
    for name, field in source.description.fields.items():
        setattr(position, name, field.start(seats))
    position.ply = position.mover = position.asked = position.flags = position._kit_seat = 0
    return position


class TrialLuck:
    """Luck by a seed."""

    def __init__(self, seed: int = 1) -> None:
        self.random = random.Random(seed)
        self.drawn: list[tuple[int, ...]] = []

    def draw_cards(self, purpose: int, counter: int, deck: int, cards: int, count: int) -> int:
        self.drawn.append((purpose, counter, deck))
        return sum(1 << card for card in self.random.sample([card for card in range(64) if cards >> card & 1], count))

    def draw_card(self, purpose: int, counter: int, deck: int, cards: int) -> int:
        self.drawn.append((purpose, counter, deck))
        width = 4 if deck == 1 else 1
        return self.random.choice([card for card in range(64) if cards >> card * width & (1 << width) - 1])

    def roll(self, purpose: int, counter: int, sides: int) -> int:
        self.drawn.append((purpose, counter, sides))
        return self.random.randint(1, sides)

    def hidden(self, slot: int, index: int) -> int:
        return 10 * slot + index

    def unseen(self, deck: int) -> int:
        return 7
