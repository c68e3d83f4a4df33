"""Views, keys, who is asked, luck and what a seat alone learns, by the runtime of any declared game."""

import ctypes
from typing import Any

import pytest

from machiavel.engines.conformance.engine_struct import LUCK_INVALID, LUCK_MISSING, LaidOutcome, Luck
from machiavel.engines.kit.card_sets import Bag, Deck
from machiavel.engines.kit.declarations import Action, Game
from machiavel.engines.kit.declared_cards import Card, Cards
from machiavel.engines.kit.declared_fields import Count, Dice, Flag, Seats
from tests.engines.kit.runtime_trial import RuntimeTrial

DECK = Deck(suits="AB", ranks="123456")
LETTERS = Bag({"guard": 5, "priest": 2})
STOPS, QUICK = 2, 4


class Table(Game):
    name, version, longest = "table", 1, 300
    titles = {"en": "Table", "fr": "Table"}  # noqa: RUF012
    players = [2, 4]  # noqa: RUF012

    hands = Cards(DECK, each_seat=True, seen_by="owner")
    aside = Cards(DECK, each_seat=True, seen_by="owner")
    face = Card(DECK, each_seat=True, seen_by="shown")
    shown = Seats(each_seat=True)
    gone = Cards(DECK)
    letters = Cards(LETTERS, seen_by="nobody")
    cups = Dice(2, each_seat=True, seen_by="owner")
    purse = Count(each_seat=True, most=300, seen_by="owner")
    past = Count(most=9, forgets=True)
    open = Flag()
    play = Action(DECK)

    def deal(self, luck: Any) -> None: ...
    def legal(self, seat: int) -> Any: ...
    def apply(self, move: int, luck: Any) -> None: ...
    def result(self, shares: list[float]) -> None: ...
    def estimate(self, shares: list[float]) -> None: ...


@pytest.fixture(scope="module")
def trial() -> RuntimeTrial:
    return RuntimeTrial(Table, 4)


def position(trial: RuntimeTrial, **changed: Any) -> bytes:
    fields = {
        "hands": [0b1, 0b110, 0b1000, 0],
        "face": [4, 5, -1, 6],
        "shown": [0b1, 0b11, 0b100, 0],
        "gone": 1 << 11,
        "letters": LETTERS.one(0) * 2 + LETTERS.one(1),
        "cups": [[6, 2], [1, 0], [0, 0], [3, 3]],
        "purse": [300, 1, 2, 3],
        "past": 7,
    }
    return trial.state(**(fields | changed))


def test_a_view_has_what_its_seat_sees_and_how_much_is_hidden(trial: RuntimeTrial) -> None:
    fields = trial.bytes.view_fields(trial.view(position(trial), 1))

    assert fields["hands"] == [0, 0b110, 0, 0]
    assert fields["hands?"] == [1, 0, 1, 0]
    assert (fields["face"], fields["face?"]) == ([0, 5, -1, 0], [1, 0, 0, 1])
    assert (fields["letters"], fields["letters?"]) == (0, 3)
    assert (fields["cups"], fields["cups?"]) == ([[0, 0], [1, 0], [0, 0], [0, 0]], [[1, 1], [0, 0], [0, 0], [1, 1]])
    assert fields["purse"] == [0, 1, 0, 0]
    assert (fields["gone"], fields["shown"]) == (1 << 11, [0b1, 0b11, 0b100, 0])


def test_a_spectator_sees_what_all_see(trial: RuntimeTrial) -> None:
    fields = trial.bytes.view_fields(trial.view(position(trial), -1))

    assert fields["hands"] == fields["purse"] == [0, 0, 0, 0]
    assert fields["face"] == [0, 0, -1, 0]
    assert fields["gone"] == 1 << 11


HIDDEN_FROM_1: list[dict[str, Any]] = [
    {"hands": [0b10000, 0b110, 0b1000000, 0]},
    {"face": [0, 5, -1, 10]},
    {"letters": LETTERS.one(0) * 3},
    {"cups": [[1, 1], [1, 0], [0, 0], [6, 6]]},
    {"purse": [0, 1, 0, 0]},
]
SEEN_BY_1: list[dict[str, Any]] = [
    {"hands": [0b1, 0b100, 0b1000, 0]},
    {"hands": [0b1, 0b110, 0b11000, 0]},
    {"hands": [0b1, 0b110, 0b1000, 1 << 9]},
    {"face": [4, 7, -1, 6]},
    {"face": [-1, 5, -1, 6]},
    {"shown": [0b101, 0b11, 0b100, 0]},
    {"letters": LETTERS.one(0)},
    {"cups": [[6, 2], [2, 0], [0, 0], [3, 3]]},
    {"cups": [[6, 0], [1, 0], [0, 0], [3, 3]]},
    {"purse": [300, 9, 2, 3]},
    {"gone": 1 << 10},
    {"open": 1},
    {"mover": 2},
    {"asked": 3},
    {"ply": 1},
]


@pytest.mark.parametrize("changed", HIDDEN_FROM_1, ids=lambda one: next(iter(one)))
def test_what_is_hidden_changes_neither_view_nor_key(trial: RuntimeTrial, changed: dict[str, Any]) -> None:
    state, other = position(trial), position(trial, **changed)

    assert trial.view(state, 1) == trial.view(other, 1)
    assert trial.key(state, 1) == trial.key(other, 1)


@pytest.mark.parametrize("changed", SEEN_BY_1, ids=lambda one: next(iter(one)))
def test_what_is_seen_changes_view_and_key(trial: RuntimeTrial, changed: dict[str, Any]) -> None:
    state, other = position(trial), position(trial, **changed)

    assert trial.view(state, 1) != trial.view(other, 1)
    assert trial.key(state, 1) != trial.key(other, 1)


def test_history_is_in_the_view_but_not_in_the_key(trial: RuntimeTrial) -> None:
    state, other = position(trial), position(trial, past=8)

    assert trial.view(state, 0) != trial.view(other, 0)
    assert trial.key(state, 0) == trial.key(other, 0)


def test_seats_have_keys_of_their_own(trial: RuntimeTrial) -> None:
    state = trial.state()
    assert len({trial.key(state, seat) for seat in range(-1, 4)}) == 5


# ---- Who is asked ----


def asking(masks: dict[int, dict[str, int]]) -> RuntimeTrial:
    """A game whose move says by its number what the author's code does to the header."""

    def apply(_: int, state: dict[str, Any], move: int) -> None:
        state["score"] = state["asked"]
        state.update(masks.get(move, {}))

    return RuntimeTrial(Table, 4, {"apply": apply})


def header(trial: RuntimeTrial, state: bytes) -> tuple[int, int, int]:
    fields = trial.bytes.state_fields(state)
    return fields["ply"], fields["mover"], fields["asked"]


def test_seats_asked_together_answer_from_the_lowest_on() -> None:
    trial = asking({1: {"asked": 0b1011, "mover": 0}})
    state = trial.applied(trial.state(mover=2), 1)
    assert header(trial, state) == (1, 0, 0b1011)
    assert trial.contract.seats_to_move(trial.rules, state) == 0b1011
    state = trial.applied(state, 0)
    assert header(trial, state) == (2, 1, 0b1010)
    state = trial.applied(state, 0)
    assert header(trial, state) == (3, 3, 0)  # the last one is asked alone
    assert trial.contract.seats_to_move(trial.rules, state) == 0b1000


def test_whoever_is_named_by_the_author_moves_instead_of_those_still_asked() -> None:
    trial = asking({2: {"mover": 3}})
    assert header(trial, trial.applied(trial.state(mover=0, asked=0b111), 2)) == (1, 3, 0)


def test_a_seat_may_be_asked_once_more_with_the_others() -> None:
    trial = asking({3: {"asked": 0b111, "mover": 0}})
    assert header(trial, trial.applied(trial.state(mover=0, asked=0b111), 3)) == (1, 0, 0b111)


def test_the_end_is_the_end_for_all_who_are_asked() -> None:
    trial = asking({4: {"mover": -1}})
    state = trial.applied(trial.state(mover=0, asked=0b111), 4)
    assert header(trial, state) == (1, -1, 0)
    assert trial.contract.seats_to_move(trial.rules, state) == 0


def test_a_horizon_stops_where_the_caller_wants_it_to() -> None:
    trial = asking({5: {"flags?": 1}})
    for flags, mover in ((0, 0), (STOPS, -2)):
        state = ctypes.create_string_buffer(trial.state(), trial.layout.state_size)
        trial.contract.apply(trial.rules, state, 5, trial.luck(1, flags))
        assert trial.mover(state.raw) == mover


# ---- Luck ----


def drawing(called: int, state: dict[str, Any]) -> None:
    """Deals by calling what a kit_call offers."""
    offered = (ctypes.c_uint64 * 5).from_address(called + 64)
    number = ctypes.c_int64
    cards = ctypes.CFUNCTYPE(number, ctypes.c_void_p, number, number, number, number, number)(offered[0])
    card = ctypes.CFUNCTYPE(number, ctypes.c_void_p, number, number, number, number)(offered[1])
    roll = ctypes.CFUNCTYPE(number, ctypes.c_void_p, number, number, number)(offered[2])
    rest = DECK.all
    for seat in range(4):
        state["hands"][seat] = cards(called, 1, seat, 0, rest, 3)
        rest ^= state["hands"][seat]
    state["letters"] = cards(called, 2, 0, 1, LETTERS.all, 4)
    state["past"] = roll(called, 3, 0, 9)
    state["face"][0] = card(called, 4, 0, 0, DECK.all)


def test_what_a_seed_deals_is_the_same_again_and_quick_luck_is_another_draw() -> None:
    trial = RuntimeTrial(Table, 4, {"deal": drawing})

    def dealt(seed: int, flags: int = 0) -> dict[str, Any]:
        state = ctypes.create_string_buffer(trial.layout.state_size)
        trial.contract.deal(trial.rules, trial.luck(seed, flags), state)
        return trial.bytes.state_fields(state.raw)

    assert dealt(1) == dealt(1) != dealt(2)
    assert dealt(1) != dealt(1, QUICK) == dealt(1, QUICK)
    for seed in range(50):
        for flags in (0, QUICK):
            fields = dealt(seed, flags)
            assert sum(fields["hands"]) == DECK.all
            assert [hand.bit_count() for hand in fields["hands"]] == [3, 3, 3, 3]
            assert sum(fields["letters"] >> bits & 15 for bits in (0, 4)) == 4
            assert fields["letters"] >> 4 & 15 <= 2
            assert 1 <= fields["past"] <= 9


def test_laid_out_luck_comes_as_it_lies_and_what_is_missing_is_told() -> None:
    trial = RuntimeTrial(Table, 4, {"deal": drawing})

    def dealt(*outcomes: tuple[int, int, bytes]) -> tuple[dict[str, Any], Luck]:
        laid = (LaidOutcome * len(outcomes))(*(LaidOutcome(one, at, len(values), values) for one, at, values in outcomes))
        luck = Luck()
        luck.laid, luck.laid_count = laid, len(outcomes)
        state = ctypes.create_string_buffer(trial.layout.state_size)
        trial.contract.deal(trial.rules, luck, state)
        return trial.bytes.state_fields(state.raw), luck

    hands = [(1, seat, bytes([3 * seat + 2, 3 * seat, 3 * seat + 1])) for seat in range(4)]
    more = [(2, 0, bytes([1, 0, 0, 1])), (3, 0, bytes([7])), (4, 0, bytes([5]))]
    fields, luck = dealt(*hands, *more)
    assert not luck.failed
    assert fields["hands"] == [0b111 << 3 * seat for seat in range(4)]
    assert (fields["letters"], fields["past"], fields["face"][0]) == (LETTERS.one(0) * 2 + LETTERS.one(1) * 2, 7, 5)

    _, luck = dealt(*hands[:2], *more)
    assert (luck.failed, luck.failed_purpose, luck.failed_counter) == (LUCK_MISSING, 1, 2)
    _, luck = dealt(*hands[:3], (1, 3, bytes([9, 10, 0])), *more)
    assert (luck.failed, luck.failed_counter) == (LUCK_INVALID, 3)
    assert luck.expected[: luck.expected_count] == [9, 10, 11]
    assert trial.runtime.take_fault() is None


# ---- What a seat alone learns ----


def test_a_seat_learns_of_cards_it_is_given_and_shown_and_of_nothing_dealt(trial: RuntimeTrial) -> None:
    before = position(trial, aside=[0, 0, 1 << 8, 0])
    given = position(trial, hands=[0b1, 0b110 | 1 << 8, 0b1000, 0])
    dealt = position(trial, hands=[0b1, 0b110 | 1 << 9, 0b1000, 0], aside=[0, 0, 1 << 8, 0])
    shown = position(trial, shown=[0b11, 0b11, 0b100, 0], aside=[0, 0, 1 << 8, 0])

    assert trial.learnt(before, 0, given, 1) != 0
    assert trial.learnt(before, 0, dealt, 1) == 0
    assert trial.learnt(before, 0, shown, 1) != 0
    assert trial.learnt(before, 0, before, 1) == 0
    assert [trial.learnt(before, 0, after, 3) for after in (given, dealt, shown)] == [0, 0, 0]
    other = position(trial, hands=[0b1, 0b110 | 1 << 9, 0b1000, 0])
    assert trial.learnt(before, 0, given, 1) != trial.learnt(before, 0, other, 1)
