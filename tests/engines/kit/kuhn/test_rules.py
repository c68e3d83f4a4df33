"""The rules of Kuhn poker, by their numbers in engines/kit/games/RULES.md."""

from collections import Counter
from itertools import permutations

import pytest

from machiavel.engines import LANGUAGES, BadOption, GameEvent, SeenMove, State, Teller
from machiavel.engines.position_labels import labels_here
from tests.engines.kit.kuhn.table import GAME, seen
from tests.engines.kit.kuhn.twin import RANKS

DEALS = list(permutations("JQK", 2))
# What seat 0 gains; None where the cards decide.
GAINS = {"pass pass": None, "bet pass": 1, "bet bet": None, "pass bet pass": -1, "pass bet bet": None}


def played(cards: tuple[str, ...], moves: str = "") -> State:
    state = GAME.new(2, layout={"cards": list(cards)})
    for move in moves.split():
        state.play(move)
    return state


def test_k1_1_a_chip_and_a_card_each() -> None:
    state = GAME.new(2, seed=1)

    assert seen(state)["chips"] == [1, 1]
    assert len(set(state.truth()["hands"])) == 2


@pytest.mark.parametrize("cards", [3, 4, 13])
def test_k1_2_the_highest_ranks_are_played_with(cards: int) -> None:
    states = [GAME.new(2, seed=seed, cards=cards) for seed in range(300)]
    found = Counter(card for state in states for card in state.truth()["hands"])

    assert set(found) == set(RANKS[-cards:])
    assert set(seen(states[0])["unused"]) == set(RANKS[:-cards])


@pytest.mark.parametrize("cards", [2, 14])
def test_k1_2_there_are_three_to_thirteen_cards(cards: int) -> None:
    with pytest.raises(BadOption, match="3 to 13"):
        GAME.new(2, seed=1, cards=cards)


@pytest.mark.parametrize("cards", DEALS)
def test_k2_1_and_k2_2_both_pass_or_bet_and_seat_0_is_asked_again_after_pass_and_bet(cards: tuple[str, ...]) -> None:
    for moves in GAINS:
        state, movers = played(cards), []
        for move in moves.split():
            movers.append(state.seat_to_move)
            assert state.legal_moves() == ["pass", "bet"]
            state.play(move)
        assert state.is_over and movers == [0, 1, 0][: len(movers)]


@pytest.mark.parametrize(
    ("moves", "english", "french"),
    [
        ("", ["check", "bet"], ["checker", "miser"]),
        ("pass", ["check", "bet"], ["checker", "miser"]),
        ("bet", ["fold", "call"], ["se coucher", "suivre"]),
        ("pass bet", ["fold", "call"], ["se coucher", "suivre"]),
    ],
)
def test_k2_3_where_a_bet_is_to_be_answered_players_read_fold_and_call(moves: str, english: list[str], french: list[str]) -> None:
    state = played(("Q", "K"), moves)
    plugin, rules, legal = GAME.plugin, state.rules, ["pass", "bet"]

    for viewer in (0, 1, None):  # all see the chips
        view = seen(state, viewer)
        told = [[plugin.label_here(rules, view, move, language) for move in (0, 1)] for language in LANGUAGES]
        assert told == [english, french]
        assert [Teller(plugin, rules, "en", viewer).move(view, move) for move in legal] == english
        before = seen(state, viewer)
        for move, name in zip(legal, english, strict=True):
            after = state.copy()
            after.play(move)
            event = next(iter(plugin.events(rules, before, SeenMove(state.seat_to_move or 0, move), seen(after, viewer))))
            assert event == GameEvent(name, {"who": state.seat_to_move})
    assert [labels_here(state, move) for move in legal] == [
        dict(zip(LANGUAGES, pair, strict=True)) for pair in zip(english, french, strict=True)
    ]


@pytest.mark.parametrize("moves", ["bet pass", "pass bet pass"])
def test_k3_1_whoever_passes_after_a_bet_gives_up_and_shows_nothing(moves: str) -> None:
    state = played(("Q", "K"), moves)

    assert seen(state)["table"] == [None, None]
    assert seen(state, 0)["hands"] == ["Q", None]
    assert seen(state)["winner"] == len(moves.split()) % 2


@pytest.mark.parametrize("moves", ["pass pass", "bet bet", "pass bet bet"])
def test_k3_2_otherwise_both_cards_are_shown_and_the_higher_takes_the_pot(moves: str) -> None:
    for cards in DEALS:
        view = seen(played(cards, moves))
        assert view["table"] == list(cards)
        assert view["winner"] == (RANKS.index(cards[1]) > RANKS.index(cards[0]))


@pytest.mark.parametrize("moves", GAINS)
def test_k3_3_the_utility_is_the_gain_between_minus_two_and_two(moves: str) -> None:
    for cards in DEALS:
        gain = GAINS[moves]
        if gain is None:
            stake = 2 if "bet" in moves else 1
            gain = stake if RANKS.index(cards[0]) > RANKS.index(cards[1]) else -stake
        state = played(cards, moves)
        assert state.utilities == ((gain + 2) / 4, (2 - gain) / 4)
        assert state.metrics == {"chips_0": seen(state)["chips"][0], "chips_1": seen(state)["chips"][1]}


def test_k4_1_a_seat_sees_its_own_card_until_both_are_shown() -> None:
    state = played(("J", "K"), "bet")

    assert [seen(state, seat)["hands"] for seat in (0, 1, None)] == [["J", None], [None, "K"], [None, None]]


def test_the_rule_of_thumb_bets_as_an_equilibrium_does() -> None:
    """Of a hundred times: with the lowest card, one between and the highest."""
    chances = {
        "": (33, 1, 99),
        "pass": (33, 1, 99),
        "bet": (1, 33, 99),
        "pass bet": (1, 67, 99),
    }
    for moves, expected in chances.items():
        for card, chance in zip("JQK", expected, strict=True):
            others = "QKJ"["JQK".index(card)]
            mine = (others, card) if len(moves.split()) == 1 else (card, others)
            weights = played(mine, moves).weights()
            assert weights == {"pass": 100 - chance, "bet": chance}
