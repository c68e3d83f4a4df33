"""Random programs mean what they mean to Python, and no value leaves the bounds that the checker gives it."""

import ast
import random
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.kit_programs import DrawnLuck, random_state
from bench.random_programs import random_game
from machiavel.engines.kit import interpreted
from machiavel.engines.kit.box import FOLDER
from machiavel.engines.kit.checker import check_program, load_source
from machiavel.engines.kit.interpreted import InterpretedPosition, interpreted_class
from machiavel.engines.kit.interpreted_faults import HELPERS
from machiavel.engines.kit.program import Expression, Program
from machiavel.engines.kit.python_functions import FunctionWriter
from machiavel.engines.kit.source import GameSource
from tests.engines.kit.small_games import TrialLuck, source_of

SEATS = 3


def seeds(first: int) -> list[object]:
    """A few, and many for those who have time."""
    return [seed if seed < first + 2 else pytest.param(seed, marks=pytest.mark.slow) for seed in range(first, first + 40)]


class BoundsWriter(FunctionWriter):
    """Writes every int of a program with its bounds around it."""

    def written(self, value: Expression) -> ast.expr:
        result = super().written(value)
        if value.type != "int":
            return result
        return ast.Call(ast.Name("_kit_within", ast.Load()), [result, ast.Constant(value.low), ast.Constant(value.high)], [])


def within(value: int | None, low: int, high: int) -> int | None:
    """A value, unless it is outside its bounds; None is what a function answers that answers nothing."""
    if value is not None and not low <= value <= high:
        raise SystemExit(f"{value} is outside {low} to {high}")
    return value


@pytest.fixture
def bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions whose every value is looked at."""
    monkeypatch.setattr(interpreted, "FunctionWriter", BoundsWriter)
    monkeypatch.setitem(HELPERS, "_kit_within", within)


def random_source(folder: Path, seed: int) -> tuple[GameSource, int]:
    game = random_game(seed, 24)
    path = folder / "random_game.py"
    path.write_text(game.text, encoding="utf-8")
    return load_source(path), game.counts["apply"]


def calls(program: Program, position: InterpretedPosition, count: int, seed: int) -> Iterator[tuple[bytes, int]]:
    chance = random.Random(seed)
    position.load(bytes(4096))
    blank, asks = position.dump(), FunctionWriter(program).asks
    for which in range(count):
        for _ in range(4):
            yield random_state(chance, program, which, blank, asks=asks), chance.randrange(program.move_limit)


@pytest.mark.parametrize("seed", seeds(0))
def test_no_value_of_a_random_program_leaves_its_bounds(tmp_path: Path, bounded: None, seed: int) -> None:
    source, count = random_source(tmp_path, seed)
    program = check_program(source, SEATS, {})
    position = interpreted_class(source, program)()
    luck: Any = DrawnLuck()
    ended = 0
    for state, move in calls(program, position, count, seed):
        position.load(state)
        try:
            position.apply(move, luck)
            ended += 1
        except Exception:  # noqa: BLE001, S110 - faults are no matter here
            pass

    assert ended > 5


@pytest.mark.parametrize("game", ["hearts", "liars_dice", "kuhn"])
def test_no_value_of_the_games_in_the_box_leaves_its_bounds(bounded: None, game: str) -> None:
    source = load_source(FOLDER / f"{game}.py")
    seats = source.description.most_seats
    options = {name: int(option.default) for name, option in source.description.options.items()}
    for seed in range(6):
        position = interpreted_class(source, check_program(source, seats, options))()
        shares = [0.0] * seats
        played(source, position, seats, seed)
        position.result(shares)

        assert any(shares)


def played(source: GameSource, position: Any, seats: int, seed: int) -> None:
    """A game to its end, by random moves."""
    for name, field in source.description.fields.items():
        setattr(position, name, field.start(seats))
    position.ply = position.mover = position.asked = position.flags = position._kit_seat = 0
    chance, luck = random.Random(seed), TrialLuck(seed)
    position.deal(luck)
    while position.mover >= 0:
        found = position.legal(position.mover)
        if isinstance(found, tuple):
            found = [found[0] + card for card in range(63) if found[1] >> card & 1]
        position.asked &= ~(1 << position.mover)
        position.apply(chance.choice(found), luck)
        position.ply += 1
        if position.asked:
            position.mover = (position.asked & -position.asked).bit_length() - 1


# ---- Against plain Python ----


class PlainLuck:
    """What `luck` is in plain Python: events by their names."""

    def __init__(self, source: GameSource) -> None:
        self.decks = source.description.decks
        self.luck = source.description.luck
        self.inner = DrawnLuck()

    def drawn(self, name: str, event: str, at: Any, *arguments: int) -> Any:
        parts = at if isinstance(at, tuple) else (at,)
        counter = 0
        for part in parts:
            counter = counter << 8 | part
        deck = self.luck[event].deck
        middle = () if deck is None else (deck,)
        return getattr(self.inner, name)(zlib.crc32(event.encode()), counter, *middle, *arguments)

    def cards(self, event: str, cards: int, number: int, *, at: Any = 0, deck: Any = None) -> Any:
        return self.drawn("draw_cards", event, at, cards, number)

    def card(self, event: str, cards: int, *, at: Any = 0, deck: Any = None) -> Any:
        return self.drawn("draw_card", event, at, cards)

    def die(self, event: str, sides: int = 6, *, at: Any = 0) -> Any:
        return self.drawn("roll", event, at, sides)


@pytest.mark.parametrize("seed", seeds(100))
def test_a_random_program_does_what_it_does_in_plain_python(tmp_path: Path, seed: int) -> None:
    source, count = random_source(tmp_path, seed)
    program = check_program(source, SEATS, {})
    position: Any = interpreted_class(source, program)()
    compared = 0
    for state, move in calls(program, position, count, seed):
        position.load(state)
        plain: Any = source.description.game(SEATS)
        for name in source.description.fields:
            value = getattr(position, name)
            setattr(
                plain, name, [list(one) if isinstance(one, list) else one for one in value] if isinstance(value, list) else value
            )
        plain.ply, plain.mover, plain.asked = struct.unpack_from("<HbB", state)
        try:
            position.apply(move, DrawnLuck())
        except Exception:  # noqa: BLE001, S112 - what is a fault here may be none in Python
            continue
        plain.apply(move, PlainLuck(source))
        compared += 1
        for name in (*source.description.fields, "mover", "asked"):
            assert getattr(plain, name) == getattr(position, name), name

    assert compared > 5


CONSTRUCTS = {
    "chained comparisons": ("1 if 0 <= move < self.led < 9 else 2", lambda m: 1 if 0 <= m < 3 else 2),
    "and keeps values": ("self.led and move", lambda m: m),
    "or keeps values": ("move or self.led", lambda m: m or 3),
    "not is a number": ("(not move) + 5", lambda m: (not m) + 5),
    "floors": ("-move // 4 * 100 + -move % 4", lambda m: -m // 4 * 100 + -m % 4),
    "floors of negative divisors": ("move // -4 * 100 + move % -4", lambda m: m // -4 * 100 + m % -4),
    "shifts": ("(move << 3 | move >> 1) ^ ~move", lambda m: (m << 3 | m >> 1) ^ ~m),
    "powers": ("move ** 2 - 2 ** move", lambda m: m**2 - 2**m),
    "functions": (
        "max(move, 4, 2) - min(move, 3) + abs(2 - move) + double(move)",
        lambda m: max(m, 4, 2) - min(m, 3) + abs(2 - m) + 2 * m,
    ),
    "tables": ("TABLE[move % len(TABLE)]", lambda m: (3, 1, 4, 1, 5)[m % 5]),
    "membership": (
        "(move in (1, 3)) + 2 * (move not in TABLE) + 4 * (move in self.play)",
        lambda m: (m in (1, 3)) + 2 * (m not in (3, 1, 4, 1, 5)) + 4 * (m < 10),
    ),
    "floats": ("int(move / 2 * 3.0 - 0.5) + int(float(move) > 2)", lambda m: int(m / 2 * 3.0 - 0.5) + int(float(m) > 2)),
    "constants of the class": ("self.FIVE + Mine.FIVE", lambda m: 10),
    "sets": ("size(DECK.all ^ one(3)) + low(6) + high(6) + has(6, move % 3)", lambda m: 9 + 1 + 2 + (m % 3 in (1, 2))),
    "decks": ("DECK.suit_of(move % 10) * 10 + DECK.rank_of(move % 10)", lambda m: m % 10 // 5 * 10 + m % 10 % 5),
    "bags": ("TOKENS.size(TOKENS.all) + TOKENS.number(TOKENS.all, move % 3)", lambda m: 6 + (3, 2, 1)[m % 3]),
    "a bag without one": ("TOKENS.all - TOKENS.one(TOKENS.kind('moon'))", lambda m: 0x113),
    "texts of cards": ("DECK.cards('R2 B1') + DECK.card('B5')", lambda m: 0b100010 + 9),
    "seats": ("self.next_seat(move % 3) * 10 + self.seats", lambda m: (m + 1) % 3 * 10 + 3),
}


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_expressions_mean_what_they_mean_to_python(tmp_path: Path, name: str) -> None:
    text, expected = CONSTRUCTS[name]
    check_moves(tmp_path, f"self.led = 3\nself.wide = {text}", expected)


BLOCKS: dict[str, tuple[str, Callable[[int], int]]] = {
    "cards of a set": ("for x in cards(0b10110):\n    t = t * 10 + x", lambda m: 124),
    "cards of a set that changes": (
        "self.pile = 7\nfor x in cards(self.pile):\n    self.pile = 0\n    t = t * 10 + x",
        lambda m: 12,
    ),
    "kinds of a bag": ("for x in TOKENS.kinds(0x201):\n    t = t * 10 + x + 1", lambda m: 13),
    "others": ("for x in self.others(1):\n    if x == 2:\n        continue\n    t = t * 10 + x + 1", lambda m: 1),
    "the last other": ("x = 9\nfor x in self.others(2):\n    pass\nt = x", lambda m: 1),
    "every seat": ("for x in self.every_seat():\n    t = t * 10 + x", lambda m: 12),
    "a table": ("for x in TABLE:\n    t = t * 10 + x", lambda m: 31415),
    "backwards": ("for x in range(5, 0, -2):\n    t = t * 10 + x", lambda m: 531),
    "bounds found once": ("n = 3\nfor x in range(n):\n    n = 9\n    x = x + 1\n    t = t * 10 + x", lambda m: 123),
    "break and what follows": ("for x in range(9):\n    if x == move % 9:\n        break\nt = x", lambda m: m % 9),
    "while": (
        "n = move\nwhile n > 0:\n    n -= 3\n    if n % 2:\n        continue\n    t += n",
        lambda m: sum(n for n in range(m - 3, -3, -3) if n % 2 == 0),
    ),
    "swaps": ("a, b = move, 7\na, b = b, a\nt = a * 100 + b", lambda m: 700 + m),
    "swapped items": (
        "self.led, self.best = 1, 2\nself.led, self.best = self.best, self.led\nt = self.led * 10 + self.best",
        lambda m: 21,
    ),
    "several targets": ("a = b = self.points[2] = move % 26\nt = a + b + self.points[2]", lambda m: 3 * (m % 26)),
    "an index found once": (
        "self.led = 1\nself.points[self.led] += self.two()\nt = self.points[1] * 10 + self.points[2]",
        lambda m: 20,
    ),
    "annotations": ("n: int = move\nt = n", lambda m: m),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_statements_mean_what_they_mean_to_python(tmp_path: Path, name: str) -> None:
    text, expected = BLOCKS[name]
    two = "def two(self):\n    self.led = 2\n    return 2"
    check_moves(tmp_path, f"t = 0\n{text}\nself.wide = t", expected, two=two)


def check_moves(folder: Path, text: str, expected: Callable[[int], int], **methods: str) -> None:
    source = source_of(folder, apply=text, **methods)
    position: Any = interpreted_class(source, check_program(source, SEATS, {"fast": 0, "rounds": 3}))()
    found = []
    for move in range(38):
        plain: Any = source.description.game(SEATS)
        for name, field in source.description.fields.items():
            setattr(position, name, field.start(SEATS))
        position.ply = position.mover = position.asked = position.flags = 0
        position.apply(move, TrialLuck())
        plain.apply(move, TrialLuck())
        found.append(position.wide)
        assert plain.wide == position.wide

    assert found == [expected(move) for move in range(38)]
