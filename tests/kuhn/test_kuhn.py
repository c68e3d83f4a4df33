"""Kuhn poker by its rules, all games of it; tests/engines/test_out_of_tree.py installs it first."""

from collections import Counter
from itertools import permutations, product
from statistics import fmean

import pytest

from machiavel.engines import BadLayout, BadOption, State, load
from machiavel.search import Limits, SearchParameters, explain, recommend

GAME = load("kuhn")
RANKS = "JQK"
DEALS = list(permutations(RANKS, 2))
# What seat 0 gains; None where the cards decide.
GAINS = {"pass pass": None, "bet pass": 1, "bet bet": None, "pass bet pass": -1, "pass bet bet": None}
GAMES = list(product(DEALS, GAINS))


def dealt(cards: tuple[str, ...]) -> State:
    return GAME.new(2, layout={"cards": list(cards)})


def played(cards: tuple[str, ...], history: str) -> State:
    state = dealt(cards)
    for move in history.split():
        state.play(move)
    return state


def gain(cards: tuple[str, ...], history: str) -> int:
    """R3, R4, written out."""
    shown = GAINS[history]
    if shown is not None:
        return shown
    stake = 2 if "bet" in history else 1
    return stake if RANKS.index(cards[0]) > RANKS.index(cards[1]) else -stake


def histories(state: State) -> list[str]:
    if state.is_over:
        return [" ".join(state.moves)]
    result = []
    for move in state.legal_moves():
        after = state.copy()
        after.play(move)
        result += histories(after)
    return result


@pytest.mark.parametrize("cards", DEALS)
def test_r2_all_games_there_are(cards: tuple[str, ...]) -> None:
    assert sorted(histories(dealt(cards))) == sorted(GAINS)


@pytest.mark.parametrize(("cards", "history"), GAMES)
def test_r3_r4_who_gains_how_much(cards: tuple[str, ...], history: str) -> None:
    state = played(cards, history)

    assert state.utilities == ((2 + gain(cards, history)) / 4, (2 - gain(cards, history)) / 4)
    assert state.metrics == {"pot": 2 + history.split().count("bet"), "shown": GAINS[history] is None}


@pytest.mark.parametrize(("cards", "history"), GAMES)
def test_nobody_sees_the_others_card_before_it_is_shown(cards: tuple[str, ...], history: str) -> None:
    state = dealt(cards)
    for ply, move in enumerate([*history.split(), None]):
        shown = move is None and GAINS[history] is None
        for seat in (0, 1, None):
            seen = [card if shown or owner == seat else None for owner, card in enumerate(cards)]
            expected = {"seat": seat, "moves": history.split()[:ply], "cards": seen}
            assert state.view(seat).to_json()["view"] == expected
        if move:
            state.play(move)


def test_a_view_is_the_same_whatever_the_other_card_is() -> None:
    for mine, history in product(RANKS, ("", "pass", "bet", "pass bet", "bet pass", "pass bet pass")):
        others = [card for card in RANKS if card != mine]
        assert len({played((mine, card), history).view(0).to_bytes() for card in others}) == 1
        assert len({played((card, mine), history).view(1).to_bytes() for card in others}) == 1


def test_worlds_are_the_two_other_cards_equally_often() -> None:
    count = 4000
    for mine in RANKS:
        view = dealt((mine, next(card for card in RANKS if card != mine))).view(0)
        counts = Counter(tuple(view.determinize(seed).truth()["cards"]) for seed in range(count))
        assert set(counts) == {(mine, card) for card in RANKS if card != mine}
        # Five standard deviations.
        assert all(abs(number - count / 2) < 5 * (count / 4) ** 0.5 for number in counts.values())


def test_a_spectators_worlds_are_all_deals_equally_often() -> None:
    count = 6000
    view = dealt(DEALS[0]).view(None)
    counts = Counter(tuple(view.determinize(seed).truth()["cards"]) for seed in range(count))

    assert set(counts) == set(DEALS)
    assert all(abs(number - count / 6) < 5 * (count * 5 / 36) ** 0.5 for number in counts.values())


def test_the_mean_of_random_games_is_that_of_all_of_them() -> None:
    count = 200_000
    chance = {history: 0.5 ** len(history.split()) for history in GAINS}
    exact = fmean(sum(chance[history] * (2 + gain(cards, history)) / 4 for history in GAINS) for cards in DEALS)
    games = GAME.playouts(count, seed=1, players=2)

    # Utilities lie within 0 … 1, so that a mean strays by at most 0.5 / sqrt(count).
    assert abs(games.utilities[:, 0].mean(dtype=float) - exact) < 5 * 0.5 / count**0.5
    assert abs(games.plies.mean() - sum(chance[history] * len(history.split()) for history in GAINS)) < 0.01


def test_weights_are_those_of_an_equilibrium() -> None:
    assert dealt(("K", "J")).weights()["bet"] > 0.9
    assert dealt(("Q", "K")).weights()["bet"] < 0.1
    assert played(("K", "J"), "bet").weights()["bet"] < 0.1
    assert 0.2 < played(("K", "Q"), "bet").weights()["bet"] < 0.5


def test_options_and_layouts_that_cannot_be() -> None:
    for number in (2, 14, True, "3", None):
        with pytest.raises(BadOption, match="cards"):
            GAME.make_rules(2, cards=number)
    for cards in (None, "KJ", ["K"], ["K", "K"], ["K", "A"], [1, 2], ["K", "Q", "J"]):
        with pytest.raises(BadLayout):
            GAME.new(2, layout={"cards": cards})
    with pytest.raises(BadLayout):
        GAME.new(2, layout={})
    assert GAME.new(2, cards=13, layout={"cards": ["A", "2"]}).truth()["cards"] == ["A", "2"]


def test_hints_speak_of_what_it_declares() -> None:
    view = played(("K", "J"), "pass bet").view(0)
    recommendation = recommend(view, Limits(iterations=800), SearchParameters(exploration=5.0), explain=True)
    explanation = explain(view, recommendation)
    chance = {one.move: one.metrics["shown"] for one in recommendation.candidates}
    assert chance == {"pass": 0, "bet": 1}
    says = "bet keeps you in until the showdown in 100 % of the deals that fit what you know."
    assert explanation.sentences[0].texts["en"] == says
    assert explanation.labels["shown"] == {"en": "showdown", "fr": "abattage"}
