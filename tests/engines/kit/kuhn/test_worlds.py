"""Worlds of Kuhn poker: each card that is not seen, as often as any other."""

from collections import Counter

import pytest
from scipy.stats import chisquare

from tests.engines.kit.kuhn.table import GAME, engine_match
from tests.engines.kit.kuhn.twin import RANKS, Match


@pytest.mark.parametrize("size", [3, 4, 13])
@pytest.mark.parametrize("moves", ["", "pass", "bet", "pass bet"])
def test_each_other_card_is_as_likely(size: int, moves: str) -> None:
    match = Match(["K", "Q"], size)
    for move in moves.split():
        match.play(move)
    view = engine_match(match).view(0)
    found = Counter(view.determinize(seed).truth()["hands"][1] for seed in range(2600))

    assert set(found) == set(RANKS[-size:]) - {"K"}
    assert chisquare(list(found.values())).pvalue > 0.0005


def test_a_spectator_thinks_every_pair_possible() -> None:
    view = GAME.new(2, seed=1).view(None)
    found = Counter(tuple(view.determinize(seed).truth()["hands"]) for seed in range(3000))

    assert len(found) == 6
    assert chisquare(list(found.values())).pvalue > 0.0005


def test_cards_that_were_shown_are_in_every_world() -> None:
    match = Match(["J", "Q"])
    for move in ("bet", "bet"):
        match.play(move)
    view = engine_match(match).view(None)

    assert {tuple(view.determinize(seed).view(None).to_json()["view"]["table"]) for seed in range(50)} == {("J", "Q")}
