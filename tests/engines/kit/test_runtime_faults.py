"""What the runtime does where a game's own code goes wrong, and what it asks of its answers."""

import ctypes
from typing import Any

import pytest

from machiavel.engines.kit.card_sets import Deck
from machiavel.engines.kit.declarations import Action, Game
from machiavel.engines.kit.declared_cards import Cards
from machiavel.engines.kit.declared_fields import Count
from machiavel.engines.kit.fault_kinds import FaultKind
from tests.engines.kit.runtime_trial import RuntimeTrial

DECK = Deck(suits="AB", ranks="1234")
RESERVED = 10  # behind the moves of `play` and `ends`


class Head(ctypes.Structure):
    """The beginning of a kit_call."""

    _fields_ = [
        ("fuel", ctypes.c_int64),
        ("fault", ctypes.c_int32),
        ("line", ctypes.c_int32),
        ("a", ctypes.c_int64),
        ("b", ctypes.c_int64),
        ("first", ctypes.c_int64),
    ]


class Taken(Game):
    name, version, longest = "taken", 1, 4
    titles = {"en": "Taken", "fr": "Pris"}  # noqa: RUF012
    players = [2]  # noqa: RUF012

    hands = Cards(DECK, each_seat=True, seen_by="owner")
    score = Count(each_seat=True, most=9)
    play = Action(DECK)
    ends = Action(number=range(2))

    def deal(self, luck: Any) -> None: ...
    def legal(self, seat: int) -> Any: ...
    def apply(self, move: int, luck: Any) -> None: ...
    def result(self, shares: list[float]) -> None: ...
    def weigh(self, move: int) -> float: ...  # type: ignore[empty-body]
    def estimate(self, shares: list[float]) -> None: ...


def fail(kind: FaultKind, line: int = 7, a: int = 3, b: int = 2) -> Any:
    def function(called: int, *_: object) -> int:
        head = Head.from_address(called)
        head.fault, head.line, head.a, head.b = kind, line, a, b
        return 0

    return function


def goes_on(_: int, state: dict[str, Any], move: int) -> None:
    state["score"][0] = move
    state["mover"] = 1 - state["mover"]


def hand(_: int, state: dict[str, Any], seat: int) -> int:
    return state["hands"][seat]  # type: ignore[no-any-return]


def trial(**functions: Any) -> RuntimeTrial:
    return RuntimeTrial(Taken, 2, {"legal": hand, "apply": goes_on} | functions)


def test_a_fault_is_kept_with_all_that_repeats_the_call() -> None:
    one = trial(apply=fail(FaultKind.BAD_INDEX))
    state = one.state(hands=[3, 12], mover=1)
    after = one.applied(state, 2, 5 << 64 | 9)

    assert one.mover(after) == -1
    assert one.utilities(after) == [0.5, 0.5]
    assert one.fault()
    record = one.runtime.take_fault()
    assert record is not None
    assert (record.kind, record.line, record.a, record.b) == (FaultKind.BAD_INDEX, 7, 3, 2)
    assert (record.function, record.data, record.move, record.seat, record.seed) == ("apply", state, 2, 1, 5 << 64 | 9)
    assert record.is_whole


def test_the_first_fault_counts_and_once_taken_the_next_call_is_clean() -> None:
    one = trial(apply=fail(FaultKind.DIVISION, 1), legal=fail(FaultKind.OVERFLOW, 2))
    state = one.state(hands=[3, 12])
    one.applied(state, 1)
    one.legal(state, 0)

    record = one.runtime.take_fault()
    assert record is not None
    assert (record.kind, record.line) == (FaultKind.DIVISION, 1)
    assert not one.fault()
    assert one.runtime.take_fault() is None


def test_faults_of_other_rules_are_not_ones_own() -> None:
    one, other = trial(apply=fail(FaultKind.DIVISION)), trial()
    one.applied(one.state(hands=[1, 2]), 0)

    assert one.fault()
    assert not other.fault()
    assert one.runtime.take_fault() is not None


def test_legal_moves_after_a_fault_are_one_move_that_ends_the_match() -> None:
    one = trial(legal=fail(FaultKind.NO_FUEL))
    state = one.state(hands=[3, 12])

    assert one.legal(state, 0) == [RESERVED]
    assert one.mover(one.applied(state, RESERVED)) == -1
    assert one.runtime.take_fault() is not None


@pytest.mark.parametrize(
    ("answer", "kind"),
    [(0, FaultKind.NO_MOVE), (1 << 9, None), (1 << 10, FaultKind.BAD_MOVE), (1 << 62, FaultKind.BAD_MOVE)],
)
def test_sets_of_moves_must_be_moves(answer: int, kind: FaultKind | None) -> None:
    one = trial(legal=lambda *_: answer)
    moves = one.legal(one.state(), 1)

    record = one.runtime.take_fault()
    assert (record and record.kind) == kind
    assert moves == ([9] if kind is None else [RESERVED])
    assert record is None or record.seat == 1


@pytest.mark.parametrize(
    ("moves", "kind"),
    [
        ([8, 1, 3], None),
        ([], FaultKind.NO_MOVE),
        ([2, 2], FaultKind.SAME_MOVE),
        ([1, 10], FaultKind.BAD_MOVE),
        ([*range(10), 1], FaultKind.TOO_MANY_MOVES),
    ],
)
def test_lists_of_moves_are_put_in_order_and_must_be_moves(moves: list[int], kind: FaultKind | None) -> None:
    def legal(called: int, *_: object) -> int:
        yielded = (ctypes.c_uint16 * 256).from_address(called + YIELDED + 4)
        for at, move in enumerate(moves):
            yielded[at] = move
        ctypes.c_uint32.from_address(called + YIELDED).value = len(moves)
        return -1

    one = trial(legal=legal)
    answer = one.legal(one.state(), 0)
    record = one.runtime.take_fault()
    assert (record and record.kind) == kind
    assert answer == (sorted(moves) if kind is None else [RESERVED])


YIELDED = ctypes.sizeof(Head) + 8 * ctypes.sizeof(ctypes.c_void_p)  # luck, rules, view and five functions stand between


def test_a_match_that_does_not_end_is_a_fault_at_its_last_ply() -> None:
    one = trial()
    state = one.state(hands=[255, 255])
    for ply in range(4):
        assert one.mover(state) == ply % 2
        state = one.applied(state, 1)

    assert one.mover(state) == -1
    record = one.runtime.take_fault()
    assert record is not None
    assert (record.kind, record.a, record.function) == (FaultKind.ENDLESS, 4, "apply")


@pytest.mark.parametrize(
    ("shares", "expected"),
    [((3, 1), [0.75, 0.25]), ((0, 0), [0.5, 0.5]), ((-1, 1), None), ((float("nan"), 1), None), ((float("inf"), 1), None)],
)
def test_shares_are_of_their_sum_and_never_negative(shares: tuple[float, float], expected: list[float] | None) -> None:
    def result(_: int, __: object, filled: Any) -> None:
        filled[0], filled[1] = shares

    one = trial(result=result)
    utilities = one.utilities(one.state(mover=-1))
    record = one.runtime.take_fault()
    assert utilities == (expected or [0.5, 0.5])
    assert (record and record.kind) == (None if expected else FaultKind.BAD_RESULT)


def test_worth_says_what_is_0_and_what_is_1() -> None:
    class Worth(Taken):
        name, worth = "worth", (-2, 2)

    def result(_: int, __: object, filled: Any) -> None:
        filled[0], filled[1] = 1, -1

    one = RuntimeTrial(Worth, 2, {"result": result})
    assert one.utilities(one.state(mover=-1)) == [0.75, 0.25]

    one = RuntimeTrial(Worth, 2, {"result": lambda _, __, filled: filled.__setitem__(0, 3)})
    one.utilities(one.state(mover=-1))
    record = one.runtime.take_fault()
    assert record is not None
    assert (record.kind, record.a) == (FaultKind.BAD_RESULT, 0)


def test_weights_must_be_above_0() -> None:
    for weight, kind in (
        (2.5, None),
        (0.0, FaultKind.BAD_WEIGHT),
        (-1.0, FaultKind.BAD_WEIGHT),
        (float("nan"), FaultKind.BAD_WEIGHT),
    ):
        one = trial(weigh=lambda *_, weight=weight: weight)
        weights = (ctypes.c_float * 2)()
        one.contract.weights(one.rules, one.state(hands=[3, 0]), (ctypes.c_uint16 * 2)(0, 1), 2, weights)
        record = one.runtime.take_fault()
        assert (record and record.kind) == kind
        assert list(weights) == ([2.5, 2.5] if kind is None else [1, 1])
