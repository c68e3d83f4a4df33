"""What an author's text means in machine code, by LLVM and by GCC: as in Python, or a fault that says where."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from machiavel.engines.kit.fault_kinds import FaultKind
from tests.engines.kit.tiny_programs import FIRST_LINE, LEGAL_LINE, tiny_runner

LEAST, MOST = -(2**63), 2**63 - 1
NUMBERS = (0, 1, -1, 2, -2, 7, -7, 63, 64, 1000, -1000, 2**31, -(2**31), 2**53, 2**62, -(2**62), MOST, LEAST, LEAST + 1)
pytestmark = [pytest.mark.parametrize("mode", ["llvm", "gcc"])]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MACHIAVEL_KIT_CACHE", str(tmp_path / "cache"))


def python(op: str, a: int, b: int) -> int | FaultKind:
    """What Python says, within 64 bits."""
    if op in {"//", "%"} and b == 0:
        return FaultKind.DIVISION
    if op in {"<<", ">>"} and b < 0:
        return FaultKind.BAD_SHIFT
    if op == "<<" and a and b > 64:
        return FaultKind.OVERFLOW
    result: int = 0 if op == "<<" and a == 0 else eval(f"a {op} b", {"a": a, "b": b})  # noqa: S307
    return result if LEAST <= result <= MOST else FaultKind.OVERFLOW


@pytest.mark.parametrize(
    "op", ["+", "-", "*", "//", "%", "<<", ">>", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "and", "or"]
)
def test_two_whole_numbers(tmp_path: Path, mode: str, op: str) -> None:
    runner = tiny_runner(tmp_path, mode, f"self.out = self.a {op} self.b")
    for a in NUMBERS:
        for b in NUMBERS:
            expected, answer = python(op, a, b), runner.apply(a=a, b=b)
            if isinstance(expected, FaultKind):
                assert answer.fault is not None, (a, b)
                assert (answer.fault[0], answer.fault[1]) == (expected, FIRST_LINE), (a, b)
            else:
                assert answer.fault is None, (a, b, answer.fault)
                assert runner.value(answer, "out") == expected, (a, b)


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 7, 62, 63, 64])
def test_powers(tmp_path: Path, mode: str, exponent: int) -> None:
    runner = tiny_runner(tmp_path, mode, f"self.out = self.a ** {exponent}")
    for a in (*range(-12, 13), 2**31, 3037000499, -3037000500, LEAST, MOST):
        answer, expected = runner.apply(a=a), a**exponent
        if LEAST <= expected <= MOST:
            assert runner.value(answer, "out") == expected, a
        else:
            assert answer.fault == (FaultKind.OVERFLOW, FIRST_LINE, 0, 0), a


def test_a_power_that_is_found_in_the_game(tmp_path: Path, mode: str) -> None:
    runner = tiny_runner(tmp_path, mode, "self.out = self.a ** self.byte")

    assert runner.out(a=3, byte=39) == 3**39
    assert runner.out(a=-2, byte=63) == LEAST
    assert runner.out(a=-1, byte=199) == -1
    assert runner.out(a=0, byte=0) == 1
    assert runner.apply(a=3, byte=40).fault == (FaultKind.OVERFLOW, FIRST_LINE, 0, 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-self.a", lambda a: -a),
        ("~self.a", lambda a: ~a),
        ("not self.a", lambda a: not a),
        ("abs(self.a)", abs),
        ("min(self.a, 5, 6)", lambda a: min(a, 5)),
        ("max(self.a, 5)", lambda a: max(a, 5)),
        ("bool(self.a)", bool),
        ("3 if self.a > 2 else self.a", lambda a: 3 if a > 2 else a),
        ("-7 < self.a <= 63", lambda a: -7 < a <= 63),
        ("self.a // 7", lambda a: a // 7),
        ("self.a % -7", lambda a: a % -7),
        ("self.a % 8", lambda a: a % 8),
        ("self.a >> 1", lambda a: a >> 1),
        ("self.a >> 70", lambda a: a >> 70),
        ("self.a % -1", lambda _: 0),
    ],
)
def test_one_whole_number(tmp_path: Path, mode: str, text: str, expected: Callable[[int], int]) -> None:
    runner = tiny_runner(tmp_path, mode, f"self.out = {text}")
    for a in NUMBERS:
        wanted, answer = int(expected(a)), runner.apply(a=a)
        if wanted > MOST:
            assert answer.fault == (FaultKind.OVERFLOW, FIRST_LINE, 0, 0)
        else:
            assert runner.value(answer, "out") == wanted, a


def test_nothing_may_be_shifted_however_far(tmp_path: Path, mode: str) -> None:
    """Known to be nothing, it needs no check; by more than 63, the machine's own shift would be anything."""
    runner = tiny_runner(tmp_path, mode, "self.out = TABLE[((self.a & 0) << self.byte) % 3]")

    assert [runner.out(a=9, byte=byte) for byte in (0, 63, 64, 100, 200)] == [4] * 5


def test_a_constant_that_no_float_holds_is_a_fault(tmp_path: Path, mode: str) -> None:
    runner = tiny_runner(tmp_path, mode, "self.out = int((2**53 + self.FAR) / 3)")

    assert runner.apply().fault == (FaultKind.INEXACT, FIRST_LINE, 2**53 + 1, 0)


def test_what_stands_behind_a_false_one_is_not_computed(tmp_path: Path, mode: str) -> None:
    runner = tiny_runner(tmp_path, mode, "self.out = self.a and 1 // self.b or 9")

    assert [runner.out(a=0, b=0), runner.out(a=2, b=1), runner.out(a=2, b=5)] == [9, 1, 9]
    assert runner.apply(a=2, b=0).fault == (FaultKind.DIVISION, FIRST_LINE, 0, 0)


def test_floats_are_those_of_python(tmp_path: Path, mode: str) -> None:
    text = "shares[0] = self.a * 0.1 + 0.2\nshares[1] = float(self.a) / 3 - self.b / 7"
    runner = tiny_runner(tmp_path, mode, result=text)
    for a, b in ((1, 2), (-5, 10**9), (2**53, -(2**53)), (0, 0)):
        answer = runner.runner.run("result", runner.state(a=a, b=b))
        assert answer.arrays[0][:2] == (a * 0.1 + 0.2, float(a) / 3 - b / 7)


def test_a_number_that_no_float_holds_is_a_fault(tmp_path: Path, mode: str) -> None:
    runner = tiny_runner(tmp_path, mode, "self.out = int(self.a * 1.0)")

    assert runner.out(a=2**53) == 2**53
    assert runner.out(a=-(2**53)) == -(2**53)
    assert runner.apply(a=2**53 + 1).fault == (FaultKind.INEXACT, FIRST_LINE, 2**53 + 1, 0)
    assert runner.apply(a=LEAST).fault == (FaultKind.INEXACT, FIRST_LINE, LEAST, 0)


@pytest.mark.parametrize(
    "text", ["1e300 * self.a", "-1e300 * self.a", "1e300 * self.a * 1e300", "(1e300 * self.a * 1e300) * 0.0"]
)
def test_a_float_that_is_no_whole_number_is_a_fault(tmp_path: Path, mode: str, text: str) -> None:
    runner = tiny_runner(tmp_path, mode, f"self.out = int({text})")

    assert runner.apply(a=1).fault == (FaultKind.OVERFLOW, FIRST_LINE, 0, 0)
    assert runner.out(a=0) == 0


def test_whole_numbers_out_of_floats_go_towards_nothing(tmp_path: Path, mode: str) -> None:
    runner = tiny_runner(tmp_path, mode, "self.out = int(self.a / 2)")

    assert [runner.out(a=a) for a in (5, -5, 1, -1)] == [2, -2, 0, 0]


@pytest.mark.parametrize(("seat", "place"), [(0, -1), (0, 2), (2, 0), (-1, 0), (MOST, 0), (0, LEAST)])
def test_an_index_that_is_too_far_is_a_fault(tmp_path: Path, mode: str, seat: int, place: int) -> None:
    runner = tiny_runner(tmp_path, mode, "self.out = self.grid[self.a][self.b]")
    wrong = seat if seat not in {0, 1} else place

    assert runner.apply(a=seat, b=place).fault == (FaultKind.BAD_INDEX, FIRST_LINE, wrong, 2)


def test_each_element_has_its_place(tmp_path: Path, mode: str) -> None:
    runner = tiny_runner(tmp_path, mode, "self.grid[self.a][self.b] = self.byte")
    for seat in range(2):
        for place in range(2):
            answer = runner.apply(a=seat, b=place, byte=5)
            assert [runner.value(answer, "grid", index) for index in range(4)] == [
                5 * (index == 2 * seat + place) for index in range(4)
            ]


@pytest.mark.parametrize("value", [201, -1, 256, 2**40, LEAST])
def test_a_value_that_does_not_fit_is_a_fault(tmp_path: Path, mode: str, value: int) -> None:
    runner = tiny_runner(tmp_path, mode, "self.byte = self.a")
    number = [slot.name for slot in runner.program.slots].index("byte")

    assert runner.apply(a=value).fault == (FaultKind.DOES_NOT_FIT, FIRST_LINE, value, number)
    assert runner.value(runner.apply(a=200), "byte") == 200


def test_a_table_item(tmp_path: Path, mode: str) -> None:
    runner = tiny_runner(tmp_path, mode, "self.out = TABLE[self.a]")

    assert [runner.out(a=a) for a in range(3)] == [4, -9, 1 << 40]
    assert runner.apply(a=3).fault == (FaultKind.BAD_INDEX, FIRST_LINE, 3, 3)
    assert runner.apply(a=-1).fault == (FaultKind.BAD_INDEX, FIRST_LINE, -1, 3)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("size(self.a)", lambda a: a.bit_count()),
        ("low(self.a)", lambda a: (a & -a).bit_length() - 1),
        ("high(self.a)", lambda a: a.bit_length() - 1),
        ("BAG.size(self.a)", lambda a: sum(a >> bits & 15 for bits in range(0, 64, 4))),
    ],
)
def test_sets(tmp_path: Path, mode: str, text: str, expected: Callable[[int], int]) -> None:
    runner = tiny_runner(tmp_path, mode, f"self.out = {text}")
    for a in (0, 1, 2, 12, 0xF0F, MOST, 1 << 62, -1, LEAST):
        answer = runner.apply(a=a)
        if a < 0:
            assert answer.fault == (FaultKind.NO_SET, FIRST_LINE, a, 0)
        elif a == 0 and text[:3] in {"low", "hig"}:
            assert answer.fault == (FaultKind.EMPTY_SET, FIRST_LINE, 0, 0)
        else:
            assert runner.value(answer, "out") == expected(a)


@pytest.mark.parametrize(
    ("loop", "numbers"),
    [
        ("range(self.a)", range),
        ("range(2, self.a)", lambda a: range(2, a)),
        ("range(self.a, -3, -1)", lambda a: range(a, -3, -1)),
        ("range(self.a, 20, 3)", lambda a: range(a, 20, 3)),
        ("range(self.a, -20, -7)", lambda a: range(a, -20, -7)),
        ("cards(self.a & 1023)", lambda a: [card for card in range(10) if a >> card & 1]),
        ("BAG.kinds(self.a & 255)", lambda a: [kind for kind in range(2) if a >> 4 * kind & 15]),
        ("TABLE", lambda _: [4, -9, 1 << 40]),
    ],
)
def test_loops(tmp_path: Path, mode: str, loop: str, numbers: Callable[[int], Iterable[int]]) -> None:
    text = f"found, last = 7, -1\nfor one in {loop}:\n    last = one\n"
    text += "    if one == 5:\n        continue\n    if one > 12:\n        break\n"
    runner = tiny_runner(tmp_path, mode, text + "    found = found * 3 + one\nself.out, self.b = found, last")
    for a in (-25, -8, -3, 0, 1, 2, 3, 6, 11, 19, 20):
        found, last = 7, -1
        for one in numbers(a):
            last = one
            if one == 5:
                continue
            if one > 12:
                break
            found = found * 3 + one
        answer = runner.apply(a=a)
        assert answer.fault is None
        assert (runner.value(answer, "out"), runner.value(answer, "b")) == (found, last), a


@pytest.mark.parametrize("step", [1, 2, 5, -1, -3])
def test_a_loop_ends_at_the_edge_of_64_bits(tmp_path: Path, mode: str, step: int) -> None:
    edge = MOST if step > 0 else LEAST
    text = f"n = 0\nfor one in range(self.a, {edge}, {step}):\n    n += 1\nself.out = n"
    runner = tiny_runner(tmp_path, mode, text)
    for far in (0, 1, 4, 9, 10):
        start = edge - far if step > 0 else edge + far
        assert runner.out(a=start) == len(range(start, edge, step))


def test_a_loop_has_fuel(tmp_path: Path, mode: str) -> None:
    runner = tiny_runner(tmp_path, mode, "n = 0\nwhile n < self.a:\n    n += 1\nself.out = n")

    assert runner.out(a=100_000) == 100_000
    assert runner.apply(a=100_001).fault == (FaultKind.NO_FUEL, FIRST_LINE + 1, 0, 0)


def test_who_is_next_and_the_end(tmp_path: Path, mode: str) -> None:
    runner = tiny_runner(tmp_path, mode, "if self.a < 9:\n    self.mover = self.a\nelse:\n    self.end()\n    self.mover = 0")

    assert runner.apply(a=1).state[2:4] == b"\1\0"
    assert runner.apply(a=9).state[2:4] == b"\xff\0"
    assert runner.apply(a=2).fault == (FaultKind.DOES_NOT_FIT, FIRST_LINE + 1, 2, -1)
    assert runner.apply(a=-1).fault == (FaultKind.DOES_NOT_FIT, FIRST_LINE + 1, -1, -1)


def test_several_seats_are_asked(tmp_path: Path, mode: str) -> None:
    runner = tiny_runner(tmp_path, mode, "self.ask(self.a)")

    assert [runner.apply(a=a).state[2:4] for a in (1, 2, 3)] == [b"\0\1", b"\1\2", b"\0\3"]
    assert runner.apply(a=0).fault == (FaultKind.DOES_NOT_FIT, FIRST_LINE, 0, -2)
    assert runner.apply(a=4).fault == (FaultKind.DOES_NOT_FIT, FIRST_LINE, 4, -2)


def test_an_exception_of_the_authors_own(tmp_path: Path, mode: str) -> None:
    runner = tiny_runner(tmp_path, mode, "if self.a == 1:\n    raise ValueError('no')\nassert self.a != 2, 'never'")

    assert runner.apply(a=1).fault == (FaultKind.RAISED, FIRST_LINE + 1, 0, 0)
    assert runner.apply(a=2).fault == (FaultKind.ASSERTION, FIRST_LINE + 2, 0, 0)
    assert runner.apply(a=3).fault is None


def test_legal_tells_a_set_and_whose_moves_it_is(tmp_path: Path, mode: str) -> None:
    text = "if self.a:\n    return self.play.each(self.a)\nreturn self.hands[seat]"
    runner = tiny_runner(tmp_path, mode, legal=text)

    assert runner.legal(hands=5).value == 5
    assert runner.legal(a=9).value == 9
    assert runner.legal(a=1 << 12).fault == (FaultKind.BAD_PART, LEGAL_LINE + 1, 1 << 12, 1 << 12)


def test_legal_yields_moves(tmp_path: Path, mode: str) -> None:
    runner = tiny_runner(tmp_path, mode, legal="for n in range(self.a):\n    yield n % 20\nyield self.bid(2, self.b)")

    assert runner.legal(a=2, b=3).moves == (0, 1, 12 + 6 + 2)
    assert runner.legal(a=257).fault == (FaultKind.TOO_MANY_MOVES, LEGAL_LINE + 1, 0, 0)
    assert runner.legal(b=7).fault == (FaultKind.BAD_PART, LEGAL_LINE + 2, 6, 6)


def test_luck_is_asked_by_name_and_its_faults_have_a_line(tmp_path: Path, mode: str) -> None:
    text = "self.a += 1\nself.out = luck.die('roll', self.a, at=(self.b, 3))"
    runner = tiny_runner(tmp_path, mode, text)

    assert 1 <= runner.out(a=5, b=2) <= 6
    assert runner.apply(a=-1).fault == (FaultKind.BAD_LUCK, FIRST_LINE + 1, 0, 0)
    assert runner.apply(a=5, b=1 << 24).fault == (FaultKind.BAD_COUNTER, FIRST_LINE + 1, 1 << 24, 0)


def test_names_may_have_any_letters(tmp_path: Path, mode: str) -> None:
    runner = tiny_runner(tmp_path, mode, "à_gauche, Ω = self.a, 2\nself.out = à_gauche - Ω")

    assert runner.out(a=7) == 5
