"""Interpreted rules: each fault with its kind, line and words; states in bytes; what is hidden."""

import re
from math import prod
from pathlib import Path

import pytest

from machiavel.engines.kit.checker import check_program
from machiavel.engines.kit.fault_kinds import FUEL, MOST_YIELDED, FaultKind
from machiavel.engines.kit.interpreted import PeekingRule
from machiavel.engines.kit.interpreted_faults import fault_of
from machiavel.engines.kit.layout import layout_of
from machiavel.engines.kit.source import GameSource
from tests.engines.kit.small_games import TrialLuck, line_of, position_of, source_of
from tests.packaging.project import ROOT

# What stands in `apply`, its last line the one that fails; how Python calls it; and what it says.
FAULTS = {
    "self.led = self.points[move + 3]": (FaultKind.BAD_INDEX, IndexError, "list index out of range"),
    "self.led = self.points[self.best]": (FaultKind.BAD_INDEX, IndexError, "index -1 of 3: 0 to 2"),
    "self.points[move + 3] = 1": (FaultKind.BAD_INDEX, IndexError, "list assignment index out of range"),
    "self.points[self.best] = 27 + move": (FaultKind.BAD_INDEX, IndexError, "index -1 of 3: 0 to 2"),
    "self.led = self.grid[self.best][1]": (FaultKind.BAD_INDEX, IndexError, "index -1 of 3: 0 to 2"),
    "self.grid[1][move + 3] = 1": (FaultKind.BAD_INDEX, IndexError, "index 3 of 3: 0 to 2"),
    "self.led = TABLE[5 + move]": (FaultKind.BAD_INDEX, IndexError, "tuple index out of range"),
    "self.led = TABLE[self.best]": (FaultKind.BAD_INDEX, IndexError, "index -1 of 5: 0 to 4"),
    "self.pile = DECK.suit(self.led + 2)": (FaultKind.BAD_INDEX, IndexError, "tuple index out of range"),
    "self.wide = LIMIT + LIMIT + move": (FaultKind.OVERFLOW, OverflowError, "9223372036854775808 does not fit into 64 bits"),
    "self.wide = LIMIT * 4": (FaultKind.OVERFLOW, OverflowError, "18446744073709551616 does not fit into 64 bits"),
    "self.wide = 1 << 63 + move": (FaultKind.OVERFLOW, OverflowError, "64 bits"),
    "self.wide = 1 << LIMIT": (FaultKind.OVERFLOW, OverflowError, "64 bits"),
    "self.wide = 10 ** (30 + move)": (FaultKind.OVERFLOW, OverflowError, "64 bits"),
    "self.wide = -LIMIT * 2\nself.wide = -self.wide": (FaultKind.OVERFLOW, OverflowError, "9223372036854775808"),
    "self.wide = -LIMIT * 2\nself.wide = abs(self.wide)": (FaultKind.OVERFLOW, OverflowError, "9223372036854775808"),
    "self.wide = -LIMIT * 2\nself.wide = self.wide // self.best": (FaultKind.OVERFLOW, OverflowError, "9223372036854775808"),
    "self.wide = int(1e300 + move)": (FaultKind.OVERFLOW, OverflowError, "int(1e+300)"),
    "self.points[2] = 30 + move": (
        FaultKind.DOES_NOT_FIT,
        OverflowError,
        "points[2] would be 30; at most 26 fit (Count(most=26))",
    ),
    "self.points[move] -= 1": (FaultKind.DOES_NOT_FIT, OverflowError, "points[0] would be -1; at least 0 is needed"),
    "self.led += 5": (FaultKind.DOES_NOT_FIT, OverflowError, "led would be 5; at most 4 fit (Count(most=4))"),
    "self.pile = 1 << 10 + move": (
        FaultKind.DOES_NOT_FIT,
        OverflowError,
        "pile would be 1024; it holds a set of this deck's cards",
    ),
    "self.best = 3 + move": (FaultKind.DOES_NOT_FIT, OverflowError, "best would be 3; it holds -1 or a seat"),
    "self.cups[1][1] = 7 + move": (FaultKind.DOES_NOT_FIT, OverflowError, "cups[1][1] would be 7; it holds 0 or 1 to 6"),
    "self.mover = 3 + move": (FaultKind.DOES_NOT_FIT, OverflowError, "self.mover would be 3; seats are 0 to 2"),
    "self.ask(8 * move)": (FaultKind.DOES_NOT_FIT, OverflowError, "self.ask(0): expected a set of seats as bits, from 1 to 7"),
    "self.led = 3 // move": (FaultKind.DIVISION, ZeroDivisionError, "by zero"),
    "self.led = 3 % move": (FaultKind.DIVISION, ZeroDivisionError, "by zero"),
    "self.led = int(3 / move)": (FaultKind.DIVISION, ZeroDivisionError, "by zero"),
    "self.led = 1 >> self.best": (FaultKind.BAD_SHIFT, ValueError, "negative shift count"),
    "self.wide = 1 << self.best": (FaultKind.BAD_SHIFT, ValueError, "negative shift count"),
    "self.pile = one(self.top)": (FaultKind.BAD_SHIFT, ValueError, "negative shift count"),
    "while True: self.led = 1": (FaultKind.NO_FUEL, RuntimeError, "more than 100,000 turns"),
    "for x in range(LIMIT): self.led = 1": (FaultKind.NO_FUEL, RuntimeError, "more than 100,000 turns"),
    'raise Wrong("so it goes")': (FaultKind.RAISED, Exception, "so it goes"),
    "raise KeyError('nobody')": (FaultKind.RAISED, KeyError, "nobody"),
    'assert move, "never zero"': (FaultKind.ASSERTION, AssertionError, "never zero"),
    "self.led = low(self.pile)": (FaultKind.EMPTY_SET, ValueError, "low() of no cards"),
    "self.led = high(self.pile)": (FaultKind.EMPTY_SET, ValueError, "high() of no cards"),
    "self.led = size(~self.pile)": (FaultKind.NO_SET, ValueError, "-1 is no set of cards"),
    "for x in cards(~self.pile): self.led = 1": (FaultKind.NO_SET, ValueError, "-1 is no set of cards"),
    "self.led = TOKENS.size(~self.pile)": (FaultKind.NO_SET, ValueError, "-1 is no set of cards"),
    'self.pile = luck.cards("a", DECK.all, 11 + move)': (
        FaultKind.BAD_LUCK,
        ValueError,
        "11 cards are to be drawn, and there are 10",
    ),
    'self.pile = luck.cards("a", DECK.all, move - 1)': (FaultKind.BAD_LUCK, ValueError, "-1 cards are to be drawn"),
    'self.top = luck.card("a", self.pile)': (FaultKind.BAD_LUCK, ValueError, "there is none"),
    'self.led = luck.die("a", move)': (FaultKind.BAD_LUCK, ValueError, "a die of 0 sides"),
    'self.led = luck.die("a", at=self.best)': (FaultKind.BAD_COUNTER, ValueError, "at=-1: expected 0 to 4294967295"),
    'self.led = luck.die("a", at=(1, 256 + move))': (FaultKind.BAD_COUNTER, ValueError, "at=256: expected 0 to 255"),
    "self.wide = self.bid(0, 1 + move)": (FaultKind.BAD_PART, ValueError, "the part number of bid would be 0; expected 1 to 4"),
    "self.wide = self.play(self.top)": (FaultKind.BAD_PART, ValueError, "the part card of play would be -1; expected 0 to 9"),
    "self.wide = self.bid.face(move)": (FaultKind.BAD_PART, ValueError, "no part of a move"),
    "self.wide = LIMIT\nx = self.wide / 2": (FaultKind.INEXACT, OverflowError, "too large for a float"),
}


@pytest.mark.parametrize("body", FAULTS)
def test_a_fault_is_raised_as_python_would_with_its_line(tmp_path: Path, body: str) -> None:
    fault, kind, text = FAULTS[body]
    source = source_of(tmp_path, apply=body)
    with pytest.raises(kind, match=re.escape(text)) as caught:
        position_of(source).apply(0, TrialLuck())

    assert fault_of(caught.value, source.path)[:2] == (fault, line_of(tmp_path, body.splitlines()[-1]))
    assert caught.traceback[1].name == "apply"
    assert str(caught.traceback[1].path) == source.path


def test_an_exception_of_the_authors_is_of_its_own_class(tmp_path: Path) -> None:
    source = source_of(tmp_path, apply='raise Wrong("so it goes")')
    with pytest.raises(source.module.Wrong):
        position_of(source).apply(0, TrialLuck())


def test_the_line_is_that_of_the_function_that_was_called(tmp_path: Path) -> None:
    source = source_of(tmp_path, apply="self.lay(move)", lay="def lay(self, card):\n    self.led = 9 + card")
    with pytest.raises(OverflowError) as caught:
        position_of(source).apply(0, TrialLuck())

    assert fault_of(caught.value, source.path) == (
        FaultKind.DOES_NOT_FIT,
        line_of(tmp_path, "self.led = 9 + card"),
        9,
        led_of(source),
    )


def led_of(source: GameSource) -> int:
    return layout_of(source.description, 3).numbers["led"]


def test_faults_are_numbered_as_in_the_header() -> None:
    text = (ROOT / "engines/kit/kit_call.h").read_text(encoding="utf-8")
    names = re.findall(r"^    KIT_(\w+),", text.split("};")[0], re.MULTILINE)

    assert names == [one.name for one in FaultKind]
    assert re.findall(r"#define KIT_(?:FUEL|MOVES) (\d+)", text) == [str(FUEL), str(MOST_YIELDED)]


def test_fuel_is_for_one_call_and_for_all_its_loops(tmp_path: Path) -> None:
    turns = f"for x in range({FUEL // 2}):\n    self.led = 1\n"
    position = position_of(source_of(tmp_path, apply=turns * 2))
    for _ in range(3):
        position.apply(0, TrialLuck())
    position = position_of(source_of(tmp_path, apply=f"{turns * 2}while self.led:\n    self.led = 0"))
    with pytest.raises(RuntimeError):
        position.apply(0, TrialLuck())


# ---- Bytes ----


def test_states_are_written_as_they_were_read(tmp_path: Path) -> None:
    source = source_of(tmp_path)
    position = position_of(source, 2)
    position.hands = [3, 1 << 9]
    position.grid, position.cups = [[1, 2, 3], [4, 5, 9]], [[1, 0, 6], [2, 2, 2]]
    position.wide, position.top, position.best, position.points = -(2**63), 9, 1, [26, 0]
    position.ply, position.mover, position.asked, position.flags = 39, 1, 3, 1
    data = position.dump()
    layout = layout_of(source.description, 2)
    other = position_of(source, 2)
    other.load(data)

    assert len(data) == layout.state_size
    assert other.dump() == data
    for name in ("hands", "grid", "cups", "wide", "top", "best", "points", "ply", "mover", "asked", "flags"):
        assert getattr(other, name) == getattr(position, name)
    for slot in layout.slots:
        value = getattr(position, slot.name)
        while isinstance(value, list):
            value = value[0]
        raw = data[slot.offset : slot.offset + slot.width]
        assert int.from_bytes(raw, "little", signed=slot.signed) == value


def test_fields_stand_where_they_do_for_any_number_of_players(tmp_path: Path) -> None:
    source = source_of(tmp_path)
    few, many = layout_of(source.description, 2), layout_of(source.description, 3)
    hidden = [slot.seen_by != "all" for slot in few.slots]

    assert [(slot.name, slot.offset, slot.lengths) for slot in few.slots] == [
        (slot.name, slot.offset, slot.lengths) for slot in many.slots
    ]
    assert {slot.used[0] for slot in few.slots if slot.each_seat} == {2}
    assert hidden == sorted(hidden)
    assert all(slot.offset % slot.width == 0 for slot in few.slots)
    ends = [slot.offset + slot.width * prod(slot.lengths) for slot in few.slots]
    assert all(end <= slot.offset for end, slot in zip(ends, few.slots[1:], strict=False))
    assert few.view_size % 16 == few.state_size % 16 == 0
    assert few.hidden_at == {"hands": few.state_size, "cups": few.state_size + 3}


# ---- What is answered ----


def test_legal_answers_a_set_with_the_number_of_its_actions_first_move(tmp_path: Path) -> None:
    text = "if seat == 0:\n    return 5\nreturn self.take.each(self.bag) if seat == 1 else self.play.each(DECK.rank(2))"
    position = position_of(source_of(tmp_path, legal=text))
    position.bag = 0x012

    assert position.legal(0) == (0, 5)
    assert position.legal(1) == (10 + 24, 0b011)
    assert position.legal(2) == (0, 1 << 2 | 1 << 7)


def test_legal_may_yield_moves_and_sets_of_them(tmp_path: Path) -> None:
    text = "yield self.stop()\nfor number in range(1, 3):\n    yield self.bid(number, 6)\nyield from self.play.each(6)"
    position = position_of(source_of(tmp_path, legal=text))

    assert position.legal(0) == [37, 10 + 5, 10 + 11, 1, 2]


def test_a_move_that_is_none_is_a_fault_where_it_is_yielded(tmp_path: Path) -> None:
    source = source_of(tmp_path, legal="yield 38 + seat")
    with pytest.raises(ValueError, match="38 is no move; moves are 0 to 37") as caught:
        position_of(source).legal(0)

    assert fault_of(caught.value, source.path) == (FaultKind.BAD_MOVE, line_of(tmp_path, "yield 38 + seat"), 38, 38)


def test_every_part_of_every_move_is_found_again(tmp_path: Path) -> None:
    text = "assert move in self.bid\nself.wide = self.bid.face(move)\nassert self.bid(self.bid.number(move), self.wide) == move"
    position = position_of(source_of(tmp_path, apply=text))
    faces = []
    for move in range(10, 34):
        position.apply(move, TrialLuck())
        faces.append(position.wide)

    assert faces == [1, 2, 3, 4, 5, 6] * 4


def test_shares_weights_and_metrics_are_floats(tmp_path: Path) -> None:
    source = source_of(
        tmp_path,
        result="shares[0] = 3 / 2\nshares[1] += self.seats\nself.halve(shares)",
        halve="def halve(self, shares):\n    for seat in self.every_seat():\n        shares[seat] *= 0.5",
        weigh="def weigh(self, move):\n    return 1 if move else 0.5",
        measure="def measure(self, points):\n    points[self.seats - 1] = 7",
        estimate="def estimate(self, shares):\n    self.result(shares)",
    )
    position = position_of(source)
    shares, points = [0.0] * 3, [0.0] * 3
    position.estimate(shares)
    position.measure(points)

    assert shares == [0.75, 1.5, 0.0]
    assert points == [0.0, 0.0, 7.0]
    assert [position.weigh(0), position.weigh(1)] == [0.5, 1.0]
    assert isinstance(position.weigh(1), float)
    assert source.description.metrics == ("points",)


def test_luck_is_drawn_with_purpose_and_counter(tmp_path: Path) -> None:
    text = 'self.pile = luck.cards("a", DECK.all, 2, at=(3, 4))\n'
    text += 'self.bag = TOKENS.one(luck.card("b", TOKENS.all))\nself.led = luck.die("c", 4, at=(1, 2, 3))'
    source = source_of(tmp_path, apply=text)
    luck, events = TrialLuck(), source.description.luck
    position = position_of(source)
    position.apply(0, luck)

    assert [(events[name].depth, events[name].deck, events[name].sides) for name in "abc"] == [
        (2, 0, None),
        (0, 1, None),
        (3, None, 4),
    ]
    assert luck.drawn == [
        (events["a"].purpose, 3 << 8 | 4, 0),
        (events["b"].purpose, 0, 1),
        (events["c"].purpose, 1 << 16 | 2 << 8 | 3, 4),
    ]
    assert position.pile.bit_count() == 2


def test_worlds_know_what_is_hidden(tmp_path: Path) -> None:
    text = 'def determinize(self, seat, luck):\n    self.led = self.hidden("hands", 1) % 5\n'
    text += '    self.wide = self.hidden("cups", 2)\n    self.pile = self.unseen(DECK)'
    source = source_of(tmp_path, determinize=text)
    position = position_of(source)
    position.determinize(1, TrialLuck())
    numbers = layout_of(source.description, 3).numbers

    assert position.led == (10 * numbers["hands"] + 1) % 5
    assert position.wide == 30 * numbers["cups"] + 6 + 7 + 8
    assert position.pile == 7


def test_the_end_is_final_and_a_new_mover_is_asked_alone(tmp_path: Path) -> None:
    text = "if move == 0:\n    self.ask(6)\nelif move == 1:\n    self.mover = 2\nelse:\n    self.end()\n"
    source = source_of(tmp_path, apply=f"{text}    self.mover = 1\n    self.ask(3)")
    position = position_of(source)
    found = []
    for move in (0, 1, 0, 2):
        position.apply(move, TrialLuck())
        found.append((position.mover, position.asked))

    assert found == [(1, 6), (2, 0), (1, 6), (-1, 0)]


def test_options_and_numbers_of_players_are_constants(tmp_path: Path) -> None:
    source = source_of(tmp_path, apply="if self.fast:\n    self.led = self.rounds\nelse:\n    self.led = self.seats")
    slow, fast = (position_of(source, 2, fast=flag, rounds=4) for flag in (0, 1))
    slow.apply(0, TrialLuck())
    fast.apply(0, TrialLuck())

    assert (slow.led, fast.led) == (2, 4)
    assert not any(
        "If" in type(one).__name__ for one in check_program(source, 2, {"fast": 1, "rounds": 4}).functions["apply"].body
    )


# ---- What is hidden ----


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("return self.hands[seat] & self.hands[(seat + 1) % 3]", "hands[1]"),
        ("return DECK.all if self.cups[2][1] == 3 else 1", "cups[2][1]"),
        ("x = self.hands[2]\nif x:\n    return 1\nreturn 2", "hands[2]"),
        ("return size(self.hands[1])", "hands[1]"),
    ],
)
def test_a_rule_that_looks_at_what_is_hidden_is_found(tmp_path: Path, text: str, place: str) -> None:
    source = source_of(tmp_path, legal=text)
    position = position_of(source)
    position.hands = [1, 2, 4]
    position.legal(0)
    position.hide_from(0)
    with pytest.raises(PeekingRule) as caught:
        position.legal(0)

    line = text.splitlines()[0] if "x =" not in text else "if x:"
    assert str(caught.value) == place
    assert fault_of(caught.value, source.path)[1] == line_of(tmp_path, line)


def test_a_rule_that_looks_at_its_own_hand_alone_is_none(tmp_path: Path) -> None:
    position = position_of(source_of(tmp_path, legal="return self.hands[seat]"))
    position.hands = [1, 2, 4]
    position.hide_from(2)

    assert position.legal(2) == (0, 4)
