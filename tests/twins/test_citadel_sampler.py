"""Worlds drawn from the slow model of citadel give back the views, and are spread as a plain rejection sampler spreads them."""

import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from scipy.stats import chi2_contingency

from tests.twins.citadel import TURNS, Match, replayed, replayed_views
from tests.twins.citadel_sampler import RejectionSampler, cards_to_come, hidden_pair, next_luck, situations
from tests.twins.citadel_scenes import HOUSE, TABLES

SITUATIONS = situations(deck=TABLES)


@cache
def built(name: str) -> Match:
    """A match in that situation; not to be played on."""
    return SITUATIONS[name](random.Random(name))


@pytest.mark.parametrize("name", SITUATIONS)
def test_worlds_give_back_the_same_view_at_every_step(name: str) -> None:
    rng = random.Random(name)
    match = built(name)
    views = replayed_views(match)
    for _ in range(3):
        world = RejectionSampler(match).draw(rng)
        assert replayed_views(world) == views
        # All see the same, the host too.
        assert views[-1] == world.truth() == match.truth() and world.moves == match.moves
        assert sorted(world.layout["treasures"]) == sorted(match.layout["treasures"])
        assert sorted(world.layout["locations"]) == sorted(HOUSE.rooms) and len(world.layout["turns"]) == TURNS


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_a_world_plays_on_with_the_luck_it_lays_out_without_touching_the_true_match(players: int) -> None:
    rng = random.Random(players)
    for situation in ("before the first move", "dice shown, to roll again", "a deck to be shuffled"):
        match = situations(players, deck=TABLES)[situation](rng)
        before = (match.truth(), list(match.moves), repr(match.layout))
        world = RejectionSampler(match).draw(rng)
        laid_out = repr(world.layout)
        while not world.is_over:
            # No die can be thrown more often in a turn than a world lays out, so that nothing is left to draw.
            world.play(rng.choice(world.legal_moves()))
        assert repr(world.layout) == laid_out
        assert (match.truth(), match.moves, repr(match.layout)) == before
        assert replayed(world)[-1].truth() == world.truth()


def test_the_sampler_uses_only_what_everybody_knows() -> None:
    for name in SITUATIONS:
        match = built(name)
        world = RejectionSampler(match).draw(random.Random(1))
        again = [RejectionSampler(true).draw(random.Random(2)) for true in (match, world)]
        assert again[0].layout == again[1].layout, name


def test_pairs_differ_in_every_hidden_thing_and_give_the_same_views() -> None:
    rng = random.Random(9)
    cards = 0
    for name in SITUATIONS:
        match = built(name)
        pair = hidden_pair(match, rng)
        views = replayed_views(match, 0)
        for world in pair:
            assert replayed_views(world, 0) == views, name
        assert all(now != then for now, then in zip(*map(next_luck, pair), strict=True)), name
        cards += pair[0].layout["turns"][match.turn]["cards"] != pair[1].layout["turns"][match.turn]["cards"]
    assert cards > len(SITUATIONS) // 3


def test_a_pair_goes_on_differently_once_the_hidden_is_revealed() -> None:
    rng = random.Random(10)
    differ = 0
    for _ in range(20):
        match = SITUATIONS["before the first move"](rng)
        views = []
        for world in hidden_pair(match, rng):
            while world.turn < 3 and not world.is_over:
                world.play(world.legal_moves()[-1])
            views.append(world.view(0))
        differ += views[0] != views[1]
    assert differ == 20


def agree(first: list[Any], second: list[Any]) -> float:
    """p of two samples having one spread."""
    counts = Counter(map(str, first)), Counter(map(str, second))
    return float(chi2_contingency([[count[outcome] for outcome in counts[0] | counts[1]] for count in counts]).pvalue)


Fact = Callable[[Match], object]
FACTS: dict[str, Fact] = {
    "next tile": lambda world: next_luck(world)[0],
    "next location": lambda world: next_luck(world)[1],
    "last location": lambda world: world.layout["locations"][-1],
    "next professor": lambda world: next_luck(world)[2]["professor"],
    "next colour": lambda world: next_luck(world)[2]["colour"],
    "next clock": lambda world: next_luck(world)[2]["clock"],
    "cards of the third turn": lambda world: sorted(world.layout["turns"][2]["cards"]),
    "cards of the fourth turn": lambda world: sorted(world.layout["turns"][3]["cards"]),
    "cards of the fifth turn": lambda world: sorted(world.layout["turns"][4]["cards"]),
    "cards of the sixth turn": lambda world: sorted(world.layout["turns"][5]["cards"]),
}


def plain_world(match: Match, rng: random.Random) -> Match:
    """A world of the plain sampler: stacks and decks laid out anew until the views agree.

    The set-up, what lies on the board and the first throws are taken over: laid out anew they would agree once in millions.
    """
    board = {part: match.layout[part][:3] for part in ("treasures", "locations")}
    board["turns"] = [{"dice": match.layout["turns"][0]["dice"]}]
    set_up = {part: match.layout[part] for part in ("first", "characters", "traps", "off")}
    views = replayed_views(match)
    while True:
        world = Match(match.players, layout={**set_up, **board}, rng=rng)
        for view, move in zip(views, match.moves, strict=False):
            if world.view(None) != view:
                break
            world.play(move)
        else:
            if world.view(None) == views[-1]:
                return world


def test_worlds_are_spread_as_plain_rejection_spreads_them() -> None:
    # One player in the second turn, after a turn in which nothing but its end was played: a draw and dice to agree on.
    rng = random.Random(11)
    match = Match(1, layout={"characters": ["nathan"]}, rng=rng)
    match.play("end")
    plain: dict[str, list[object]] = {name: [] for name in FACTS}
    drawn: dict[str, list[object]] = {name: [] for name in FACTS}
    for _ in range(400):
        # The plain world's future is met by playing on; markers are far off, so that no tile is turned in these turns.
        world = plain_world(match, rng)
        gone = world.tiles_gone
        while world.turn < 7:
            world.play(next((move for move in world.legal_moves() if move.startswith("activate")), "end"))
        stop = Match(1, layout=world.layout, rng=rng)
        stop.turn, stop.tiles_gone = match.turn, gone
        sampled = RejectionSampler(match).draw(rng)
        for name, fact in FACTS.items():
            plain[name].append(fact(stop))
            drawn[name].append(fact(sampled))
    for name in FACTS:
        assert len(set(map(str, plain[name]))) > 1 or name == "cards of the third turn", name
        if name != "cards of the third turn":
            assert agree(plain[name], drawn[name]) > 0.001, name
    # The third draw of two is certain.
    assert len(set(map(str, plain["cards of the third turn"] + drawn["cards of the third turn"]))) == 1


def test_what_is_drawn_lies_evenly() -> None:
    match = Match(2, rng=random.Random(12))
    rng = random.Random(13)
    pairs = Counter(tuple(sorted(cards_to_come(match, rng)[0])) for _ in range(3000))
    assert len(pairs) == 15 and max(pairs.values()) < 1.4 * min(pairs.values())
    tiles = Counter(next_luck(RejectionSampler(match).draw(rng))[0] for _ in range(600))
    assert set(tiles) == set(match.layout["treasures"][3:])
