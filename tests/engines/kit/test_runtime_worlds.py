"""Worlds of the runtime against samplers that draw everything anew until it fits."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import combinations
from typing import Any

import pytest
from scipy.stats import chisquare

from machiavel.engines.kit.card_sets import Bag, Deck
from machiavel.engines.kit.declarations import Action, Game
from machiavel.engines.kit.declared_cards import Card, Cards
from machiavel.engines.kit.declared_fields import Count, Dice, Flag, Seat, Seats
from machiavel.engines.kit.fault_kinds import FaultKind
from tests.engines.chi_square import Fact, least_p
from tests.engines.kit.runtime_trial import RuntimeTrial

TWELVE = Deck(suits="AB", ranks="123456")
FEW = Deck(suits="AB", ranks="1234")
LOTS = Deck(suits="ABCD", ranks="123456789TJQK")
LARGE = Deck(suits="ABCDEFGH", ranks="123456")
ROLES = Deck(["king", "thief", "guard", "fool", "priest"])
LETTERS = Bag({"guard": 5, "priest": 2, "baron": 2, "king": 1})
NUMBER = 3000


class Played(Game):
    """What every one of the games below is declared with."""

    name, version, longest = "played", 1, 60
    titles = {"en": "Played", "fr": "Joué"}  # noqa: RUF012
    players = [4]  # noqa: RUF012
    play = Action()

    def deal(self, luck: Any) -> None: ...
    def legal(self, seat: int) -> Any: ...
    def apply(self, move: int, luck: Any) -> None: ...
    def result(self, shares: list[float]) -> None: ...


class Masks(Played):
    hands = Cards(TWELVE, each_seat=True, seen_by="owner", within="may")
    may = Cards(TWELVE, each_seat=True, zone=False)
    gone = Cards(TWELVE)
    stock = Cards(TWELVE, seen_by="nobody")


class Wide(Played):
    hands = Cards(LOTS, each_seat=True, seen_by="owner", within="may")
    may = Cards(LOTS, each_seat=True, zone=False)


class Round(Played):
    players = [8]  # noqa: RUF012
    hands = Cards(LARGE, each_seat=True, seen_by="owner", within="may")
    may = Cards(LARGE, each_seat=True, zone=False)


class Small(Played):
    hands = Cards(FEW, each_seat=True, seen_by="owner", within="may")
    may = Cards(FEW, each_seat=True, zone=False)
    top = Card(FEW, seen_by="nobody")


class Kinds(Played):
    hands = Cards(LETTERS, each_seat=True, seen_by="owner", within="may")
    may = Cards(LETTERS, each_seat=True, zone=False)
    apart = Card(LETTERS, seen_by="nobody")
    gone = Cards(LETTERS)


class Parts(Played):
    role = Card(ROLES, each_seat=True, seen_by="owner")
    cups = Dice(3, each_seat=True, seen_by="owner")
    loose = Dice(2, sides=4, seen_by="nobody", sorted=False)
    bid = Count(most=9, least=4, seen_by="nobody")
    told = Flag(each_seat=True, seen_by="owner")
    spy = Seat(seen_by="nobody")
    allies = Seats(seen_by="nobody")
    noted = Card(ROLES, each_seat=True, seen_by="owner", zone=False)


def dealt(
    rng: random.Random, pool: list[int], sizes: dict[Any, int], fits: Callable[[dict[Any, list[int]]], bool]
) -> dict[Any, list[int]]:
    """One deal of the pool in places of these sizes, drawn anew until it fits."""
    while True:
        rng.shuffle(pool)
        at, deal = 0, {}
        for place, size in sizes.items():
            deal[place] = pool[at : at + size]
            at += size
        if fits(deal):
            return deal


def bits(cards: Iterable[int], width: int = 1) -> int:
    return sum(1 << width * card for card in cards)


def kinds(cards: int) -> list[int]:
    return [card for card in range(cards.bit_length()) if cards >> card & 1]


def text_of(name: str, truth: dict[str, Any]) -> str:
    return str(truth[name])


def hand_facts(seats: int, cards: range) -> list[Fact]:
    def holder(truth: dict[str, Any], card: int) -> int:
        return next((seat for seat in range(seats) if truth["hands"][seat] >> card & 1), -1)

    return [lambda truth: str(truth["hands"]), *(lambda truth, card=card: holder(truth, card) for card in cards)]


def masked_worlds(sizes: dict[int, int], may: list[int], own: int, number: int) -> Iterator[dict[str, Any]]:
    """Drawn from the list of all deals that fit."""
    rng = random.Random(5)
    deals = [
        {"hands": [own, *(sum(1 << card for card in hand) for hand in (first, second, third))]}
        for first in combinations(kinds(may[1] & ~own), sizes[1])
        for second in combinations(kinds(may[2] & ~own & ~bits(first)), sizes[2])
        for third in combinations(kinds(may[3] & ~own & ~bits(first) & ~bits(second)), sizes[3])
    ]
    return iter(rng.choices(deals, k=number))


@pytest.mark.parametrize(
    ("sizes", "may"),
    [
        ({1: 3, 2: 3, 3: 3}, [TWELVE.all] * 4),
        ({1: 3, 2: 3, 3: 3}, [TWELVE.all, TWELVE.suit(0), TWELVE.all, TWELVE.all]),
        ({1: 2, 2: 3, 3: 1}, [TWELVE.all, TWELVE.suit(0), TWELVE.suit(1) | 0b11000, TWELVE.all]),
        ({1: 3, 2: 4, 3: 2}, [TWELVE.all, 0b000111_111000, 0b111111_000111 | 0b110000, 0b100000_111111]),
        ({1: 2, 2: 2, 3: 2}, [TWELVE.all, 0b000000_001111, 0b000000_111100, 0b000011_110000]),
    ],
)
def test_hands_within_masks_are_drawn_as_by_rejection(sizes: dict[int, int], may: list[int]) -> None:
    trial = RuntimeTrial(Masks, 4)
    own = 0b100
    rest = kinds(TWELVE.all & ~own)
    state = trial.state(hands=[own, *(bits([rest.pop() for _ in range(sizes[seat])]) for seat in (1, 2, 3))], may=may)
    facts = hand_facts(4, range(12))
    assert least_p(facts, trial.worlds(trial.view(state, 0), NUMBER), masked_worlds(sizes, may, own, NUMBER)) > 0.001
    assert not trial.fault()


def small_worlds(may: list[int], number: int) -> Iterator[dict[str, Any]]:
    rng = random.Random(6)

    def fits(deal: dict[int, list[int]]) -> bool:
        return all(bits(deal[seat]) & ~may[seat] == 0 for seat in range(3))

    for _ in range(number):
        deal = dealt(rng, kinds(FEW.all), {0: 2, 1: 3, 2: 2, 3: 0, "top": 1}, fits)
        yield {"hands": [bits(deal[seat]) for seat in range(4)], "top": deal["top"][0]}


def test_deals_are_as_uniform_where_the_last_card_is_a_single_one() -> None:
    trial = RuntimeTrial(Small, 4)
    may = [0b11110000, 0b01111111, 0b11001100, FEW.all]
    state = trial.state(hands=[0b00110000, 0b00001110, 0b11000000, 0], may=may, top=0)
    facts: list[Fact] = [lambda truth: str((truth["hands"], truth["top"])), lambda truth: truth["top"]]
    assert least_p(facts, trial.worlds(trial.view(state, -1), NUMBER), small_worlds(may, NUMBER)) > 0.001


def test_where_few_deals_fit_they_are_counted_and_each_is_as_likely() -> None:
    trial = RuntimeTrial(Wide, 4)
    suits = [LOTS.suit(suit) for suit in range(4)]
    # Each of the three has a suit of its own, but for two cards that change places among them all.
    may = [LOTS.all] + [suits[seat] | 0b1 | 0b10 << 13 | 0b100 << 26 for seat in range(3)]
    state = trial.state(hands=[suits[3], suits[0], suits[1], suits[2]], may=may)
    worlds = list(trial.worlds(trial.view(state, 0), 4000))
    loose = [card for card in range(39) if sum(mask >> card & 1 for mask in may[1:]) > 1]
    assert all(world["hands"][seat] & ~may[seat] == 0 for world in worlds for seat in (1, 2, 3))
    assert all(sum(world["hands"]) == LOTS.all for world in worlds)
    assert trial.runtime.samplers_used()["counted"] > 0

    def exact() -> Iterator[dict[str, Any]]:
        rng = random.Random(7)
        for _ in range(4000):
            places = [1, 2, 3]
            rng.shuffle(places)
            yield {
                "hands": [
                    0,
                    *(sum(1 << card for card, place in zip(loose, places, strict=True) if place == seat) for seat in (1, 2, 3)),
                ]
            }

    kept = sum(1 << card for card in loose)
    drawn = ({"hands": [0, *(hand & kept for hand in world["hands"][1:])]} for world in worlds)
    assert least_p([lambda truth: str(truth["hands"])], drawn, exact()) > 0.001


def test_where_deals_are_too_many_to_count_swaps_lead_to_any_of_them() -> None:
    trial = RuntimeTrial(Round, 8)
    # Each seat has a suit of its own; the three lowest cards of the next one may be there as well.
    may = [LARGE.suit(seat) | 0b111 << (seat + 1) % 8 * 6 for seat in range(8)]
    state = trial.state(hands=[LARGE.suit(seat) for seat in range(8)], may=may)
    moved = Counter[int]()
    for world in trial.worlds(trial.view(state, -1), 300):
        hands = world["hands"]
        assert sum(hands) == LARGE.all
        assert all(hand.bit_count() == 6 and hand & ~may[seat] == 0 for seat, hand in enumerate(hands))
        moved.update(card for card in range(48) if not hands[card // 6] >> card & 1)
    assert trial.runtime.samplers_used()["chained"] > 0
    assert set(moved) == {6 * seat + card for seat in range(8) for card in range(3)}
    assert chisquare(list(moved.values())).pvalue > 0.0001


def test_bags_are_drawn_card_by_card() -> None:
    trial = RuntimeTrial(Kinds, 4)
    all_letters = LETTERS.all
    guard, priest, baron, king = (LETTERS.one(kind) for kind in range(4))
    may = [all_letters, all_letters, priest * 2 + baron * 2 + king, all_letters]
    state = trial.state(hands=[guard, guard + priest, baron, king], may=may, apart=0, gone=guard)
    pool = [kind for kind in range(4) for _ in range(LETTERS.number(all_letters - 2 * guard, kind))]

    def rejection() -> Iterator[dict[str, Any]]:
        rng = random.Random(8)
        for _ in range(NUMBER):
            deal = dealt(rng, pool, {1: 2, 2: 1, 3: 1, "apart": 1}, lambda one: one[2] != [0])
            yield {"hands": [guard, *(bits(deal[seat], 4) for seat in (1, 2, 3))], "apart": deal["apart"][0]}

    facts: list[Fact] = [lambda truth: str((truth["hands"], truth["apart"])), lambda truth: truth["apart"]]
    assert least_p(facts, trial.worlds(trial.view(state, 0), NUMBER), rejection()) > 0.001


def test_roles_dice_and_numbers_are_uniform_in_their_range() -> None:
    trial = RuntimeTrial(Parts, 4)
    state = trial.state(role=[3, 0, 4, 1], cups=[[6, 5, 1], [4, 4, 0], [2, 0, 0], [0, 0, 0]], loose=[1, 1], bid=7)

    def rejection() -> Iterator[dict[str, Any]]:
        rng = random.Random(9)
        for _ in range(NUMBER):
            roles = rng.sample([0, 1, 2, 4], 3)
            cups = [sorted((rng.randint(1, 6) for _ in range(number)), reverse=True) for number in (2, 1, 0)]
            yield {
                "role": [3, *roles],
                "cups": [[6, 5, 1], *([*cup, 0, 0, 0][:3] for cup in cups)],
                "loose": [rng.randint(1, 4), rng.randint(1, 4)],
                "bid": rng.randint(4, 9),
                "told": [0, *(rng.randint(0, 1) for _ in range(3))],
                "spy": rng.randint(-1, 3),
                "allies": rng.randint(0, 15),
                "noted": [-1, -1, -1, -1],
            }

    names = ("role", "cups", "loose", "bid", "told", "spy", "allies", "noted")
    facts: list[Fact] = [partial(text_of, name) for name in names]
    assert least_p(facts, trial.worlds(trial.view(state, 0), NUMBER), rejection()) > 0.001


def test_a_world_is_seen_as_the_state_was() -> None:
    for game, fields in (
        (Masks, {"hands": [1, 2, 4, 8 | 16], "may": [TWELVE.all] * 4, "gone": 32, "stock": 64}),
        (Kinds, {"hands": [1, 2, 16, 0], "may": [LETTERS.all] * 4, "apart": 3, "gone": 1}),
        (Parts, {"role": [3, -1, 4, 1], "cups": [[6, 5, 1], [4, 4, 0], [2, 0, 0], [0, 0, 0]], "noted": [0, 1, 2, 3]}),
    ):
        trial = RuntimeTrial(game, 4)
        state = trial.state(**fields)
        for seat in range(-1, 4):
            view = trial.view(state, seat)
            for seed in range(50):
                world = trial.world(view, seed)
                assert trial.view(world, seat) == view
                assert trial.key(world, seat) == trial.key(state, seat)


def test_where_no_deal_fits_it_is_a_fault() -> None:
    trial = RuntimeTrial(Masks, 4)
    state = trial.state(hands=[1, 2, 4, 8], may=[TWELVE.all, 0b1, TWELVE.all, TWELVE.all])
    world = trial.world(trial.view(state, 0), 1)

    assert trial.mover(world) == -1
    record = trial.runtime.take_fault()
    assert record is not None
    assert (record.kind, record.function, record.seat) == (FaultKind.NO_WORLD, "determinize", 0)


def test_what_an_author_knows_is_put_first_and_the_rest_is_drawn() -> None:
    def determinize(_: int, state: dict[str, Any], seat: int) -> None:
        state["hands"][(seat + 1) % 4] |= 0b10

    trial = RuntimeTrial(Masks, 4, {"determinize": determinize})
    state = trial.state(hands=[1, 6, 8, 48], may=[TWELVE.all] * 4)
    others: dict[int, int] = {}
    for world in trial.worlds(trial.view(state, 0), 1000):
        assert world["hands"][1] & 0b10
        assert [hand.bit_count() for hand in world["hands"]] == [1, 2, 1, 2]
        others[world["hands"][1]] = others.get(world["hands"][1], 0) + 1
    assert len(others) == 10


def test_worlds_that_the_author_calls_impossible_are_drawn_again() -> None:
    trial = RuntimeTrial(Masks, 4, {"possible": lambda _, state, seat: state["hands"][1] & 0b10 and seat == 0})
    state = trial.state(hands=[1, 6, 8, 48], may=[TWELVE.all] * 4)
    assert all(world["hands"][1] & 0b10 for world in trial.worlds(trial.view(state, 0), 200))
