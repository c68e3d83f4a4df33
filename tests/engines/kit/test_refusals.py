"""What has no place in a game is refused at its line, in both languages, with what to write instead."""

from pathlib import Path

import pytest

from machiavel.engines.errors import BadGameFile
from machiavel.engines.kit.checker import load_source
from tests.engines.kit.small_games import line_of, position_of, source_of, text_of

# What stands in `apply`, its last line the one that is refused, and what the refusal says.
REFUSED = {
    "x = [1, 2]": "tuple of constants",
    "x = {1: 2}": "tuple of constants",
    "x = (1, 2)": "tuple of constants",
    "x = [y for y in range(3)]": "for loop",
    "x = sum(y for y in TABLE)": "for loop",
    "x = sorted(TABLE)": "for loop",
    "x = lambda: 1": "def",
    "x = None": "-1 or 0",
    "x = 'text'": "DECK.card",
    "x = f'{move}'": "DECK.card",
    "x = move is 1": "==",
    "x = (y := 1)": ":=",
    "x = TABLE[1:2]": "slices",
    "x = double(*TABLE)": "one by one",
    "x = yield": "yield",
    "x = self.pionts[0]": "self.points",
    "x = self.no_such_thing_at_all": "there is no self.no_such_thing_at_all",
    "self.pionts[0] = 1": "self.points",
    "x = dubble(1)": "double",
    "x = unknown": "there is no unknown",
    "x = DECK": "no number",
    "x = luck": "passed on",
    "x = self.points": "self.points[…]",
    "x = self.grid[0]": "self.grid[…][…]",
    "x = self.led[0]": "self.led",
    "x = move[0]": "indices are for",
    "x = points[0]": "points is the game's; write self.points",
    "points[0] = 1": "points is the game's; write self.points",
    "self.FIVE = 1": "FIVE is a constant of the class; what changes is a field, such as FIVE = Count()",
    "x = led": "led is the game's; write self.led",
    "x = bid(1, 2)": "bid is the game's; write self.bid",
    "x = move in self.bidd": "did you mean self.bid?",
    "self.points = 1": "self.points[…]",
    "self.ply = 1": "cannot be set",
    "self.asked = 1": "self.ask(seats)",
    "self.seats = 1": "cannot be set",
    "self.fast = 1": "cannot be set",
    "luck = 1": "another name",
    "print(move)": "print",
    "open(move)": "there is no open",
    "x = move.bit_count()": "cannot be called",
    "x = luck.shuffle(1)": "cards, card and die",
    'x = luck.die("a", 6, 7, 8)': 'luck.die("roll", 6',
    'x = luck.die("b", at=(1, 2, 3, 4))': "up to three",
    'x = luck.cards("c", 7)': "luck.cards",
    'x = luck.cards("d", self.wide, 3)': "deck=DECK",
    'x = luck.cards("e", self.bag, 3)': "card by card",
    "x = DECK.suit('R')": "DECK.card",
    "x = DECK.card('Z9')": "R1, R2",
    "x = DECK.card(move)": "in quotes",
    "x = DECK.colour(1)": "a deck has no colour",
    "x = self.bid(1)": "2 parts: number, face",
    "x = self.bid.colour(move)": "number, face",
    "x = self.play.each(7)": "return self.give.each(hand)",
    "x = 2 ** move - 2 ** -move": "negative",
    "x = 7.5 // 2": "int(…)",
    "x = 2.5\nself.led = x": "int(…)",
    "x = 2.5\ny = TABLE[x]": "int(…)",
    "x = double(2.5)": "x: float",
    "x = double(1, 2)": "2 arguments",
    "x = double(x=1)": "by position",
    "move = 2.5": "move: float",
    "x = 1000000000000000000000": "64 bits",
    "if move:\n    x = 1\ny = x": "on every way",
    "for x in range(move):\n    pass\ny = x": "on every way",
    "while move:\n    x = 1\n    break\ny = x": "on every way",
    "for x in move:\n    pass": "range(…)",
    "for x, y in range(3):\n    pass": "one name",
    "for x in range(0, 9, move):\n    pass": "constant",
    "x = range(3)": "for x in range(…)",
    "x = cards(7)": "for x in cards(…)",
    "x = self.every_seat()": "for x in every_seat(…)",
    "x = self.end()": "line of its own",
    "x: int": "value",
    "x, y = move": "a, b",
    "x, y = 1, 2, 3": "2 names for 3 values",
    "move == 1": "does nothing",
    "move": "does nothing",
    "raise": "raise ValueError",
    "raise move": "raise ValueError",
    "raise ValueError(move)": "in quotes",
    "x = move in DECK.all": "has(set, card)",
    "x = move in self.pile": "has(set, card)",
    "x = self.legal(0)": "called from outside",
    "return move": "returns nothing",
    "self.horizon()": "estimate",
    "x = self.hidden('hands', 0)": "determinize",
    "x = self.unseen(DECK)": "determinize",
    "global x": "field",
    "del move": "0 or -1",
    "import enum": "top of the file",
    "try:\n    pass\nfinally:\n    pass": "test before",
    "with move:\n    pass": "no with",
    "match move:\n    case 1:\n        pass": "if and elif",
    "pass\ndef inner():\n    pass": "a method",
    "class Inner:\n    pass": "outside",
    "x = len(self.points)": "self.seats",
    "x = min(move)": "two numbers",
    "x = (1, 2.5)[move]": "indices are for",
    "for x in range(3):\n    pass\nelse:\n    x = 1": "no else",
    "_kit1 = 3": "another name",
}
OF_BLOCKS = ("try", "with", "match move", "def", "class", "for x in move", "for x, y", "for x in range(0")


@pytest.mark.parametrize("body", REFUSED)
def test_what_has_no_place_in_a_game_is_refused_at_its_line(tmp_path: Path, body: str) -> None:
    with pytest.raises(BadGameFile) as caught:
        source_of(tmp_path, apply=body)
    lines = body.splitlines()
    wanted = next((line for line in lines if line.startswith(OF_BLOCKS)), lines[-1])

    assert caught.value.line == line_of(tmp_path, wanted)
    assert REFUSED[body] in caught.value.problem
    assert caught.value.message("fr") != caught.value.message("en")


@pytest.mark.parametrize(
    ("method", "text", "part"),
    [
        ("legal", "if seat:\n    return 1", "on some ways"),
        ("legal", "self.led = 1\nreturn 1", "only look"),
        ("legal", "return self.bid.each(7)", "one by one"),
        ("legal", "yield 1\nreturn 7", "not both"),
        ("legal", "return", "missing"),
        ("result", "self.led = 1", "only look"),
        ("result", "shares[0] = self.twice()", "no self.twice"),
        ("apply", "def apply(self, move):\n    pass", "def apply(self, move, luck)"),
        ("deal", "def deal(self, cards):\n    pass", "def deal(self, luck)"),
        ("apply", "@staticmethod\ndef apply(self, move, luck):\n    pass", "decorator"),
        ("apply", "def apply(self, move, luck, x=1):\n    pass", "plain parameters"),
        ("apply", "def apply(self, _kit, luck):\n    pass", "_kit cannot be set; take another name"),
        ("estimate", "def estimate(self):\n    pass", "def estimate(self, shares)"),
    ],
)
def test_a_method_is_refused_for_what_it_may_not_be(tmp_path: Path, method: str, text: str, part: str) -> None:
    with pytest.raises(BadGameFile) as caught:
        source_of(tmp_path, **{method: text})

    assert part in caught.value.problem
    assert caught.value.line


def test_functions_that_call_themselves_are_refused(tmp_path: Path) -> None:
    there = "def there(self, x):\n    return self.back(x)"
    back = "def back(self, x):\n    return self.there(x)"
    with pytest.raises(BadGameFile, match="calls itself"):
        source_of(tmp_path, apply="self.led = self.there(move)", there=there, back=back)


def test_loops_over_cards_in_loops_over_cards_come_to_an_end_in_time(tmp_path: Path) -> None:
    lines = [f"{'    ' * depth}for c{depth} in cards(DECK.all):" for depth in range(7)]
    with pytest.raises(BadGameFile, match="apply may come to more than 1000000000000 steps") as caught:
        source_of(tmp_path, apply="\n".join([*lines, "                            self.led = c0 % 4"]))

    assert caught.value.line == line_of(tmp_path, "def apply(self, move, luck):")
    assert position_of(source_of(tmp_path, apply="\n".join([*lines[:3], "            self.led = c0 % 4"]))).legal(0)


def test_functions_that_call_others_twice_each_come_to_an_end_in_time(tmp_path: Path) -> None:
    steps = {
        f"f{depth}": f"def f{depth}(self, x):\n    return self.f{depth + 1}(x) + self.f{depth + 1}(x)" for depth in range(60)
    }
    with pytest.raises(BadGameFile, match="f21 may come to more than 1000000000000 steps"):
        source_of(tmp_path, apply="self.led = self.f0(move) % 4", **steps, f60="def f60(self, x):\n    return x")


def test_an_event_is_drawn_in_one_way(tmp_path: Path) -> None:
    with pytest.raises(BadGameFile, match=r"the event a is drawn otherwise in line \d+"):
        source_of(tmp_path, apply='x = luck.die("a", at=1)\ny = luck.die("a", at=(1, 2))')
    with pytest.raises(BadGameFile, match="two decks"):
        source_of(tmp_path, apply='x = luck.card("a", DECK.all)\ny = luck.card("a", TOKENS.all)')


def test_what_is_never_called_may_be_any_python(tmp_path: Path) -> None:
    source = source_of(tmp_path, shown="def shown(self):\n    return [str(one) for one in self.points]")

    assert position_of(source).legal(0)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("weight", "weight is called by nobody; did you mean weigh?"),
        ("determinise", "determinise is called by nobody; did you mean determinize?"),
        ("mesure", "mesure is called by nobody; did you mean measure?"),
        ("__init__", "a game has no __init__; what holds at the start is set in deal"),
    ],
)
def test_a_method_that_its_author_surely_thinks_is_called_is_refused(tmp_path: Path, name: str, told: str) -> None:
    with pytest.raises(BadGameFile) as caught:
        source_of(tmp_path, **{name: f"def {name}(self):\n    pass"})

    assert told in caught.value.problem
    assert caught.value.line == line_of(tmp_path, f"def {name}(self):")


def test_an_own_method_may_have_nearly_the_name_of_one_of_every_game(tmp_path: Path) -> None:
    source = source_of(tmp_path, apply="self.led = self.weight(move) % 4", weight="def weight(self, x):\n    return x")

    assert position_of(source).legal(0)


@pytest.mark.parametrize("name", ["one", "size"])
def test_a_function_of_the_kit_that_is_not_imported_is_named_with_its_import(tmp_path: Path, name: str) -> None:
    path = tmp_path / "game.py"
    path.write_text(text_of(apply=f"self.led = {name}(move)").replace(f", {name}", ""), encoding="utf-8")

    with pytest.raises(BadGameFile) as caught:
        load_source(path)

    assert f"{name} is not imported; write from machiavel.kit import {name} on top" in caught.value.problem
