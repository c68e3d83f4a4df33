"""Worlds drawn from the slow model give back the views, and are spread as a plain rejection sampler spreads them."""

import itertools
import random
from collections import Counter
from collections.abc import Callable

import pytest
from scipy.stats import chi2_contingency, chisquare

from tests.twins.agency import Match
from tests.twins.agency_sampler import RejectionSampler, hidden_pair, observed, replayed, situations, small_deck


@pytest.mark.parametrize("name", situations())
def test_worlds_give_back_the_same_view_at_every_step(name: str) -> None:
    rng = random.Random(name)
    for _ in range(4):
        match, seat = situations()[name](rng)
        views = [stood.view(seat) for stood in replayed(match)]
        sampler = RejectionSampler(match, seat)
        for _ in range(3):
            world = sampler.draw(rng)
            stood = replayed(world)
            assert [other.view(seat) for other in stood] == views
            assert stood[-1].truth() == world.truth()
            assert observed(world, seat) == observed(match, seat)
            cards = [card for hand in world.hands + world.reserves for card in hand] + world.seen
            assert len(set(cards)) == len(cards) == len(match.deck.cards)
            assert sorted(lying.card for lying in world.pile) == sorted(lying.card for lying in match.pile)


def test_the_sampler_uses_only_what_the_seat_knows() -> None:
    for name, situation in situations().items():
        match, seat = situation(random.Random(name))
        world = RejectionSampler(match, seat).draw(random.Random(1))
        again = [RejectionSampler(true, seat).draw(random.Random(2)) for true in (match, world)]
        assert again[0].truth() == again[1].truth() and again[0].layout == again[1].layout


def test_a_world_plays_on_without_touching_the_true_match() -> None:
    rng = random.Random(4)
    for situation in situations().values():
        match, seat = situation(rng)
        before = (match.truth(), list(match.moves), repr(match.layout))
        world = RejectionSampler(match, seat).draw(rng)
        while not world.is_over:
            world.play(rng.choice(world.legal_moves()))
        assert (match.truth(), match.moves, repr(match.layout)) == before


def test_hidden_pairs_differ_and_give_the_same_views() -> None:
    rng = random.Random(5)
    for name, situation in situations().items():
        match, seat = situation(rng)
        for who in (seat, None):
            pair = hidden_pair(match, who, rng)
            assert pair.layout != match.layout or pair.moves != match.moves, name
            assert pair.view(who) == match.view(who)
            assert observed(pair, who) == observed(match, who)


def test_a_hidden_pair_of_a_whole_match_differs_in_old_passes() -> None:
    rng = random.Random(6)
    deck = small_deck(4, plans=(*["2"] * 10, *["1+pass_left"] * 5))
    match = Match(4, deck=deck, rng=rng)
    while not match.is_over:
        match.play(rng.choice(match.legal_moves()))
    pair = hidden_pair(match, 1, rng)
    differ = sum(one != other for one, other in zip(pair.moves, match.moves, strict=True))
    assert differ > 5 and pair.view(1) == match.view(1)


def plain_draw(match: Match, seat: int, rng: random.Random) -> tuple[list[list[str]], list[list[str | None]]] | None:
    """One try of the plain sampler, forward in time, in the first half of round 1: deal, force, draw, compare.

    Placed are only the seat's own hand, the hand it looked at before the first trick, and what was played before the
    first pass. The pass this seat received is a move it saw, and is forced.
    """
    view = match.view(seat)
    players = match.players
    rest = [card for card in match.deck.cards if card not in match.layout["rounds"][0]["hands"][seat]]
    look = view["look"] if view["look"] and view["look"]["cards"] else None
    if look:
        rest = [card for card in rest if card not in look["cards"]]
    rng.shuffle(rest)
    hands: list[list[str]] = [[] for _ in range(players)]
    hands[seat] = list(match.layout["rounds"][0]["hands"][seat])
    if look:
        hands[look["target"]] = list(look["cards"])
    for entry in itertools.takewhile(lambda entry: not entry["pass_left"], view["half"]):
        for who, card in zip(entry["order"], entry["cards"], strict=False):
            if card in rest:
                rest.remove(card)
                hands[who].append(card)
    for hand in hands:
        hand += [rest.pop() for _ in range(6 - len(hand))]
    all_given: list[list[str | None]] = []
    for entry in view["half"]:
        given: list[str | None] = [None] * players
        if entry["pass_left"]:
            for giver in range(players):
                seen = {seat: entry["gave"], (seat - 1) % players: entry["received"]}
                given[giver] = seen.get(giver) or rng.choice(hands[giver])
                if given[giver] not in hands[giver]:
                    return None
            for giver, card in enumerate(given):
                assert card is not None
                hands[giver].remove(card)
                hands[(giver + 1) % players].append(card)
        all_given.append(given)
        for who, card in zip(entry["order"], entry["cards"], strict=False):
            led = entry["cards"][0][0]
            if card not in hands[who]:
                return None
            if entry["follow_suit"] and card[0] != led and any(other[0] == led for other in hands[who]):
                return None
            hands[who].remove(card)
    return hands, all_given


def three_players(top: list[str], stop: Callable[[Match], bool], seed: int) -> Match:
    """Seat 0 is Moignons; the pile begins as told; random moves until `stop` says the situation is there."""
    rng = random.Random(seed)
    deck = small_deck(3, plans=(*["2"] * 8, *["1+pass_left"] * 4, *["5+follow_suit"] * 4))
    agents = ["moignons", "wxt", "jean"]
    while True:
        rest = [*deck.plans, *agents]
        for card in top:
            rest.remove(card)
        first = Match(3, deck=deck, agents=agents, rng=rng).layout
        first["rounds"][0]["pile"] = [*top, *rest]
        match = Match(3, deck=deck, agents=agents, layout=first, rng=rng)
        while match.round == 1 and match.trick <= 3:
            if stop(match):
                return match
            match.play(rng.choice(match.legal_moves()))


def discarded(match: Match) -> bool:
    cards = match.half[0].cards
    return match.half[0].order[0] == 0 and all(card[0] != cards[0][0] for card in cards[1:])


CASES: dict[str, tuple[list[str], Callable[[Match], bool], int]] = {
    "a pass and two cards": (["1+pass_left"], lambda m: m.phase == "play" and len(m.table) == 2, 400),
    "a look, a pass and three cards": (
        ["moignons", "1+pass_left"],
        lambda m: m.trick == 2 and m.looks[-1] is not None and m.looks[-1].target == 1,
        400,
    ),
    "a look at the right neighbour, a pass and three cards": (
        ["moignons", "1+pass_left"],
        lambda m: m.trick == 2 and m.looks[-1] is not None and m.looks[-1].target == 2,
        400,
    ),
    "a look and two passes": (
        ["moignons", "1+pass_left", "1+pass_left"],
        lambda m: m.trick == 2 and m.phase == "play" and m.looks[-1] is not None and m.looks[-1].target == 1,
        150,
    ),
    "a look at the right neighbour and two passes": (
        ["moignons", "1+pass_left", "1+pass_left"],
        lambda m: m.trick == 2 and m.phase == "play" and m.looks[-1] is not None and m.looks[-1].target == 2,
        250,
    ),
    "a void and a pass": (
        ["5+follow_suit", "1+pass_left"],
        lambda m: m.trick == 2 and m.phase == "play" and discarded(m),
        200,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_equal_to_the_plain_rejection_sampler(name: str) -> None:
    top, stop, wanted = CASES[name]
    match = three_players(top, stop, seed=len(name) + 8)
    rng = random.Random(name)
    unseen = {card for card in match.deck.cards if card not in match.view(0)["seen"] + match.hands[0]}
    look = match.looks[-1]
    marked = sorted(unseen & set(look.cards)) if look else sorted(unseen)[:6]

    def category(hands: list[list[str]], given: list[list[str | None]]) -> tuple[int, ...]:
        """How many marked and blue cards seat 1 holds, who passed marked or played cards, if 1 holds what 0 gave."""
        passed = [card for cards in given for card in cards[1:] if card is not None]
        return (
            len(set(hands[1]) & set(marked)),
            sum(card[0] == "B" for card in hands[1]) // 2,
            sum((card in marked) * 2**at for at, card in enumerate(passed)),
            sum((card in match.seen) * 2**at for at, card in enumerate(passed)),
            sum((cards[0] in hands[1]) * 2**at for at, cards in enumerate(given)),
        )

    plain: list[tuple[int, ...]] = []
    while len(plain) < wanted:
        world = plain_draw(match, 0, rng)
        if world is not None:
            plain.append(category(*world))
    sampler = RejectionSampler(match, 0)
    placed = []
    for _ in range(20 * wanted):
        drawn = sampler.half.draw(rng)
        placed.append(category(drawn.hands, drawn.given))
    for part in range(5):
        counts = [Counter(one[part] for one in plain), Counter(one[part] for one in placed)]
        common = [key for key in counts[1] if counts[1][key] >= 20 * 5]
        table = [[count[key] for key in common] for count in counts]
        rare = [sum(count.values()) - sum(row) for count, row in zip(counts, table, strict=True)]
        if any(rare):
            table = [[*row, other] for row, other in zip(table, rare, strict=True)]
        if len(table[0]) > 1:
            assert chi2_contingency(table).pvalue > 0.001, (part, counts)


def test_unseen_places_of_each_segment_are_filled_uniformly() -> None:
    rng = random.Random(9)
    for name in ("two segments", "after Martha's bottom card"):
        match, seat = situations()[name](rng)
        sampler = RejectionSampler(match, seat)
        worlds = [sampler.draw(rng) for _ in range(2000)]
        for places, unseen in sampler.segments:
            for at in places[:1] + places[-1:]:
                counts = Counter(world.pile[at].card for world in worlds)
                share = Counter(unseen)
                expected = [2000 * share[card] / len(unseen) for card in share]
                assert len(share) == 1 or chisquare([counts[card] for card in share], expected).pvalue > 0.001
