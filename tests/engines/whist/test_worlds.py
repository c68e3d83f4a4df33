"""Worlds of whist are drawn as a rejection sampler draws them."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

import pytest
from scipy.stats import chi2_contingency

from tests.engines.whist.table import GAME, engine_match
from tests.engines.whist.twin import CARDS, Match, sample

SIGNIFICANCE = 0.0001
FACTS = 60
TRIES = 400  # of the sampler for a world: it has no patience for more

Hands = Sequence[Sequence[str]]


def in_play(players: int, rng: random.Random) -> Match:
    match = Match.at_random(players, rng)
    while not match.is_over:
        if rng.random() < 0.06:
            return match
        match.play(rng.choice(match.legal_moves()))
    return in_play(players, rng)


def void_hands(match: Match, seat: int | None) -> list[frozenset[str]]:
    """What is banned from the hands of others that still hold cards."""
    return [frozenset(voids) for other, voids in enumerate(match.voids) if other != seat and match.hands[other] and voids]


def crossing(match: Match, seat: int | None) -> int:
    """How many pairs of hands lack different suits, so that neither may hold all that the other may."""
    return sum(not (one <= other or other <= one) for one, other in combinations(void_hands(match, seat), 2))


def have_the_same(match: Match, seat: int | None) -> bool:
    result = void_hands(match, seat)
    return len(result) > 1 == len(set(result))


SITUATIONS: dict[str, tuple[Sequence[int], Callable[[Match, int | None], bool]]] = {
    "no voids": (range(2, 8), lambda match, seat: not void_hands(match, seat)),
    "one hand with voids": (range(2, 8), lambda match, seat: len(void_hands(match, seat)) == 1),
    "several hands with the same voids": (range(3, 8), have_the_same),
    "hands with different voids": (range(3, 8), lambda match, seat: crossing(match, seat) >= 1),
    "many different voids": (range(4, 8), lambda match, seat: crossing(match, seat) >= 3),
}


def find(situation: str, number: int) -> tuple[Match, int | None]:
    """A position of that kind, not too rare for the sampler and not at the end of a round."""
    players, is_wanted = SITUATIONS[situation]
    rng = random.Random(f"{situation} {number}")
    while True:
        match = in_play(players[number % len(players)], rng)
        seat = rng.choice([None, *range(match.players)])
        if not is_wanted(match, seat) or max(map(len, match.hands)) < 2:
            continue
        if sum(sample(match, seat, rng, TRIES) is not None for _ in range(5)) == 5:
            return match, seat


def facts_of(match: Match, seat: int | None, rng: random.Random) -> list[Callable[[Hands], object]]:
    """Where a card is, where two are, and how the suits are spread."""
    known = {card for _, card in match.played} | set(() if seat is None else match.hands[seat])
    unseen = [card for card in CARDS if card not in known]

    def place(card: str) -> Callable[[Hands], object]:
        return lambda hands: next((other for other, hand in enumerate(hands) if card in hand), None)

    def suits(other: int) -> Callable[[Hands], object]:
        return lambda hands: "".join(sorted(card[0] for card in hands[other]))

    singles = [place(card) for card in unseen] + [suits(other) for other in match.contenders]
    pairs = [tuple(rng.sample(singles, 2)) for _ in range(len(singles))]
    facts = [*singles, *((lambda hands, pair=pair: tuple(fact(hands) for fact in pair)) for pair in pairs)]
    return rng.sample(facts, min(FACTS, len(facts)))


def least_p(facts: Sequence[Callable[[Hands], object]], first: Iterable[Hands], second: Iterable[Hands]) -> float:
    """The least p of all facts, times their number (Bonferroni)."""
    counts = [(Counter[object](), Counter[object]()) for _ in facts]
    for side, worlds in enumerate((first, second)):
        for hands in worlds:
            for fact, pair in zip(facts, counts, strict=True):
                pair[side][fact(hands)] += 1
    return min(1.0, len(facts) * min(p_of(*pair) for pair in counts))


def p_of(first: Counter[object], second: Counter[object]) -> float:
    """χ² of two samples; what is too rare for it counts together."""
    rows = [(first[outcome], second[outcome]) for outcome in first | second]
    common = [row for row in rows if sum(row) >= 20]
    rare = tuple(sum(column) for column in zip(*(row for row in rows if sum(row) < 20), strict=True)) or (0, 0)
    table = [*common, rare] if sum(rare) >= 20 else common
    return float(chi2_contingency(table).pvalue) if len(table) > 1 else 1.0


def engine_worlds(match: Match, seat: int | None, count: int) -> list[Hands]:
    view = engine_match(match).view(seat)
    return [view.determinize(seed).truth()["hands"] for seed in range(count)]


def sampled_worlds(match: Match, seat: int | None, count: int, rng: random.Random) -> list[Hands]:
    return [hands for hands in (sample(match, seat, rng) for _ in range(count)) if hands]


def compare(situation: str, number: int, count: int) -> None:
    rng = random.Random(number)
    match, seat = find(situation, number)
    facts = facts_of(match, seat, rng)
    p = least_p(facts, engine_worlds(match, seat, count), sampled_worlds(match, seat, count, rng))
    assert p > SIGNIFICANCE, f"{situation}, position {number}, seat {seat} of {match.players}: p = {p:.2g}"


@pytest.mark.parametrize("number", [0, 1, *(pytest.param(number, marks=pytest.mark.slow) for number in (2, 3, 4, 5))])
@pytest.mark.parametrize("situation", SITUATIONS)
def test_worlds_are_distributed_as_a_rejection_sampler_draws_them(situation: str, number: int) -> None:
    compare(situation, number, 1500)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_fifty_thousand_worlds_are_distributed_as_a_rejection_sampler_draws_them(situation: str) -> None:
    for number in range(6, 9):
        compare(situation, number, 50_000)


def test_a_sampler_that_forgets_to_reject_is_found_out() -> None:
    """What the comparison is worth: hands filled one after the other, and every such world kept."""
    rng = random.Random(3)
    match, seat = find("many different voids", 1)
    facts = facts_of(match, seat, rng)
    fair = sampled_worlds(match, seat, 6000, rng)

    assert least_p(facts, engine_worlds(match, seat, 6000), fair) > SIGNIFICANCE
    assert least_p(facts, careless_worlds(match, seat, 6000, rng), fair) < SIGNIFICANCE


def careless_worlds(match: Match, seat: int | None, count: int, rng: random.Random) -> list[Hands]:
    known = {card for _, card in match.played} | set(() if seat is None else match.hands[seat])
    worlds: list[Hands] = []
    while len(worlds) < count:
        pool = [card for card in CARDS if card not in known]
        hands = [list(hand) if other == seat else [] for other, hand in enumerate(match.hands)]
        for other, hand in enumerate(match.hands):
            possible = [card for card in pool if card[0] not in match.voids[other]]
            if other != seat and len(possible) >= len(hand):
                hands[other] = rng.sample(possible, len(hand))
                pool = [card for card in pool if card not in hands[other]]
        if [len(hand) for hand in hands] == [len(hand) for hand in match.hands]:
            worlds.append(hands)
    return worlds


def test_worlds_conserve_the_cards_and_respect_all_voids() -> None:
    rng = random.Random(11)
    for number in range(60):
        players = 2 + number % 6
        state = GAME.new(players, seed=number)
        while not state.is_over:
            truth = state.truth()
            for seat in (*range(players), None):
                view = state.view(seat)
                world = view.determinize(rng.getrandbits(64))
                hands = world.truth()["hands"]
                cards = [card for hand in hands for card in hand] + truth["seen"]
                assert world.view(seat) == view
                assert [len(hand) for hand in hands] == truth["hand_counts"]
                assert len(set(cards)) == len(cards)
                assert not [card for other, hand in enumerate(hands) for card in hand if card[0] in truth["voids"][other]]
            state.play(rng.choice(state.legal_moves()))


def test_the_hardest_worlds_are_drawn_in_no_time() -> None:
    """Seven seats at the end of a round, with voids in all directions."""
    view = GAME.view_from_json(
        {
            "game": "whist",
            "rules_version": 1,
            "options": {"players": 7},
            "view": {
                "seat": 4,
                "round": 1,
                "trick": 4,
                "trump": "S",
                "contenders": list(range(7)),
                "leader": 5,
                "table": [],
                "tricks": [0, 1, 0, 1, 0, 1, 0],
                "seen": "C2 C3 C4 C5 D2 D3 D4 D5 D6 D7 H2 H3 H4 H5 H6 S2 S3 S4 S5 S6 S7".split(),
                "voids": [["H"], ["H"], ["C"], ["D"], [], ["H"], ["S"]],
                "hand": "C6 D8 H7 S8".split(),
            },
        }
    )
    for seed in range(2000):
        assert view.determinize(seed).view(4) == view
