"""Worlds drawn from the slow model of bond give back the views, and are spread as a plain rejection sampler spreads them."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from scipy.stats import chi2_contingency

from tests.twins.bond import FLAT, Deck, Match, is_spy, observed, replayed
from tests.twins.bond_sampler import RejectionSampler, hidden_pair, situations

# Few cards, many of them equal, and a small hand: so that plain rejection finds worlds.
SMALL = Deck(lairs=(3, 3, 4, 4), spies=(1, 1, 2, 2, 3), doublers="AABB", hand=3)


@pytest.mark.parametrize("players", [2, 3, pytest.param(4, marks=pytest.mark.slow), pytest.param(5, marks=pytest.mark.slow), 6])
@pytest.mark.parametrize("name", situations())
def test_worlds_give_back_the_same_view_at_every_step(name: str, players: int) -> None:
    rng = random.Random(f"{name} {players}")
    match, seat = situations(players)[name](rng)
    for who in (seat, rng.choice([*range(players), None])):
        views = [stood.view(who) for stood in replayed(match)]
        sampler = RejectionSampler(match, who)
        for _ in range(3):
            world = sampler.draw(rng)
            stood = replayed(world)
            assert [other.view(who) for other in stood] == views
            assert stood[-1].truth() == world.truth() and stood[-1].layout == world.layout
            assert stood[-1].passages == world.passages
            assert observed(world, who) == observed(match, who)
            assert Counter([card for hand in world.layout["hands"] for card in hand] + world.layout["pile"]) == Counter(
                match.deck.cards
            )


def test_the_sampler_uses_only_what_the_seat_knows() -> None:
    for name, situation in situations().items():
        match, seat = situation(random.Random(name))
        world = RejectionSampler(match, seat).draw(random.Random(1))
        again = [RejectionSampler(true, seat).draw(random.Random(2)) for true in (match, world)]
        assert again[0].truth() == again[1].truth() and again[0].layout == again[1].layout
        assert again[0].moves == again[1].moves and again[0].passages == again[1].passages


def test_a_world_plays_on_without_touching_the_true_match() -> None:
    rng = random.Random(4)
    for situation in situations(deck=FLAT).values():
        match, seat = situation(rng)
        before = (match.truth(), list(match.moves), repr(match.layout), list(match.passages))
        world = RejectionSampler(match, seat).draw(rng)
        while not world.is_over:
            world.play(rng.choice(world.legal_moves()))
        assert (match.truth(), match.moves, repr(match.layout), match.passages) == before
        assert replayed(world)[-1].truth() == world.truth()


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_hidden_pairs_differ_and_give_the_same_views(players: int) -> None:
    rng = random.Random(players)
    differ = 0
    for name, situation in situations(players).items():
        match, seat = situation(rng)
        for who in (seat, None):
            pair = hidden_pair(match, who, rng)
            assert pair.layout != match.layout or pair.moves != match.moves, name
            assert [stood.view(who) for stood in replayed(pair)] == [stood.view(who) for stood in replayed(match)]
            assert observed(pair, who) == observed(match, who)
            differ += pair.truth() != match.truth()
    assert differ >= 20


def test_a_hidden_pair_of_face_down_spies_commits_others() -> None:
    rng = random.Random(8)
    differ = 0
    for _ in range(20):
        match, seat = situations()["several spies face down"](rng)
        differ += hidden_pair(match, seat, rng).moves != match.moves
    assert differ > 10


def test_a_match_without_a_secret_has_no_pair() -> None:
    match = Match(2, deck=Deck(lairs=(1,) * 9, spies=(1,) * 9, doublers=""), rng=random.Random(1))
    while match.pile:
        match.play({"lair": "skip", "spy": "end"}[match.phase])
    with pytest.raises(ValueError, match="nothing is hidden from seat 0"):
        hidden_pair(match, 0, random.Random(2))


def known_places(match: Match, seat: int | None) -> dict[tuple[str, int], str]:
    """Cards of the deal this seat has seen where they came from: its own hand, its draws, what was turned on the pile."""
    places: dict[tuple[str, int], str] = {}
    if seat is not None:
        places = {(f"hand {seat}", place): card for place, card in enumerate(match.layout["hands"][seat])}
    drawn = [passage for passage in match.passages if passage.source is None]
    for place, passage in enumerate(drawn):
        if passage.drawn_by in (None, seat):
            places["pile", place] = passage.card
    return places


def plain_draw(
    match: Match, seat: int | None, places: dict[tuple[str, int], str], views: list[Any], rng: random.Random
) -> Match | None:
    """One try of the plain sampler, forward in time: deal, force, draw, compare.

    Placed are only the cards in `places`. The piece seen in a move is one of the equal pieces of the deck; that it is among
    the `held` ones of the hand has the chance held / all of them.
    """
    rest = match.deck.cards
    for card in places.values():
        rest.remove(card)
    rng.shuffle(rest)
    size = match.deck.dealt(match.players)
    hands = [[places.get((f"hand {who}", place)) or rest.pop() for place in range(size)] for who in range(match.players)]
    count = len(match.deck.cards) - size * match.players
    pile = [places.get(("pile", place)) or rest.pop() for place in range(count)]
    if backs(match, hands, pile) != backs(match, match.layout["hands"], match.layout["pile"]):
        return None  # some view would tell, and this is quicker than to play until then
    world = Match(match.players, deck=match.deck, layout={"first": match.layout["first"], "hands": hands, "pile": pile}, rng=rng)
    face_down = views[-1]["attack"]["spies"].count(None) if views[-1]["attack"] else 0
    if world.passages[0].card.startswith("spy") != match.passages[0].card.startswith("spy"):
        return None  # its back was seen, before the first view
    for ply, true_move in enumerate(match.moves):
        if world.view(seat) != views[ply]:
            return None
        move = true_move
        if ply >= len(match.moves) - face_down:
            alike = [other for other in world.legal_moves() if world.public_text(other) == match_text(true_move)]
            if not alike:
                return None
            move = rng.choice(alike)
        elif move not in world.legal_moves():
            return None
        elif world.mover != seat:
            shown = played_card(move, world)
            if shown and rng.random() >= world.hands[world.to_move[0]].count(shown) / match.deck.cards.count(shown):
                return None
        world.play(move)
    return world if world.view(seat) == views[-1] else None


def backs(match: Match, hands: Sequence[Sequence[str]], pile: Sequence[str]) -> tuple[list[int], list[bool]]:
    """What all have seen of a deal: how many spies each was dealt, and the back of each card of the pile that lay on top."""
    seen = 1 + sum(passage.source is None for passage in match.passages)
    return [sum(map(is_spy, hand)) for hand in hands], [is_spy(card) for card in pile[:seen]]


def match_text(move: str) -> str:
    """How a move with a face-down spy is seen."""
    return f"spy:?>{move[-1]}" if move.startswith("spy") else "add:?"


def played_card(move: str, world: Match) -> str | None:
    """The card that a move brings out of the mover's hand."""
    word, _, rest = move.split(">", maxsplit=1)[0].partition(":")
    if world.attack is not None and word == "foil":
        return f"doubler:{world.attack.taunt}"
    return {"lair": f"lair:{rest}", "spy": f"spy:{rest}", "add": f"spy:{rest}", "taunt": f"doubler:{rest}"}.get(word)


def find(players: int, is_there: Callable[[Match], bool], seed: int) -> Match:
    rng = random.Random(seed)
    while True:
        match = Match(players, deck=SMALL, rng=rng)
        while not match.is_over and len(match.moves) < 16:
            if is_there(match):
                return match
            match.play(rng.choice(match.legal_moves()))


def moves_begin(match: Match, *words: str) -> bool:
    """Whether moves that begin so have been made, in this order."""
    moves = iter(match.moves)
    return all(any(move.startswith(word) for move in moves) for word in words)


def is_own_face_down(match: Match) -> bool:
    return match.attack is not None and match.attack.face_down and match.attack.attacker == 1


CASES: dict[str, tuple[int, int | None, Callable[[Match], bool]]] = {
    "a spy face down": (2, 0, lambda m: is_own_face_down(m) and len(m.moves) > 5),
    "two spies face down": (2, 0, lambda m: is_own_face_down(m) and m.moves[-1].startswith("add")),
    "two spies face down, a spectator": (2, None, lambda m: is_own_face_down(m) and m.moves[-1].startswith("add")),
    "a steal": (3, 0, lambda m: m.phase == "lair" and moves_begin(m, "lair", "steal:1") and m.turn == 2),
    "robbed, then a spy of the thief": (2, 0, lambda m: m.phase == "lair" and moves_begin(m, "steal:0", "spy:")),
    "several shown by go": (2, 0, lambda m: m.phase == "captured" and moves_begin(m, "add", "go") and m.turn == 1),
    "a taunt by another": (3, 0, lambda m: m.phase == "foil" and m.mover == 0),
    "a foil": (3, 0, lambda m: bool(m.moves) and m.moves[-1] == "foil" and m.turn != 0),
    "a spy of the deck": (3, None, lambda m: m.phase == "lair" and moves_begin(m, "deck") and len(m.moves) <= 6),
}


def facts(world: Match) -> list[str]:
    """What the world fills in, now and in the deal."""
    truth, layout = world.truth(), world.layout
    result = [repr(hand["spies"]) for hand in truth["hands"]]
    result += [repr((hand["lairs"], hand["doublers"])) for hand in truth["hands"]]
    result += [repr(truth["committed"]), repr((truth["committed"], truth["hands"][1]["spies"])), repr(truth["pile"]["spies"])]
    result += [repr(sorted(hand)) for hand in layout["hands"]]
    return result + list(layout["pile"])


@pytest.mark.parametrize("name", CASES)
def test_worlds_are_spread_as_plain_rejection_spreads_them(name: str) -> None:
    players, seat, is_there = CASES[name]
    match = find(players, is_there, seed=len(name))
    rng = random.Random(name)
    views = [stood.view(seat) for stood in replayed(match)]
    places = known_places(match, seat)
    plain: list[list[str]] = []
    tries = 0
    while len(plain) < 400 and tries < 60_000:
        tries += 1
        world = plain_draw(match, seat, places, views, rng)
        if world is not None:
            plain.append(facts(world))
    assert len(plain) >= 100, (len(plain), match.moves)
    sampler = RejectionSampler(match, seat)
    drawn = [facts(sampler.draw(rng)) for _ in range(10 * len(plain))]
    compared = 0
    for part in range(len(plain[0])):
        counts = [Counter(one[part] for one in side) for side in (plain, drawn)]
        p = p_of(*counts)
        if p is not None:
            compared += 1
            assert p > 0.0005, (part, counts)
    assert compared > 0


def p_of(first: Counter[str], second: Counter[str]) -> float | None:
    """χ² of two samples; what is too rare for it counts together. None: nothing varies."""
    share = first.total() / (first.total() + second.total())
    rows: list[list[int]] = []
    rare = [0, 0]
    for outcome in sorted(first | second):
        row = [first[outcome], second[outcome]]
        if sum(row) * share < 5:
            rare = [rare[0] + row[0], rare[1] + row[1]]
        else:
            rows.append(row)
    if sum(rare) * share >= 5:
        rows.append(rare)
    return float(chi2_contingency(rows).pvalue) if len(rows) > 1 else None
