"""Moves in words, layouts, and what is wrong with them."""

from typing import Any

import pytest

from machiavel.engines import AmbiguousMove, BadLayout, MissingLuck, NotAMove, State
from tests.engines.whist.table import GAME, lay, play, play_to_the_end, seen
from tests.engines.whist.twin import CARDS

RULES = GAME.make_rules(3)


def test_every_card_has_a_text_and_a_label_in_both_languages() -> None:
    plugin = GAME.plugin
    numbers = [plugin.parse_move(RULES, text)[0] for text in CARDS]

    assert numbers == sorted(numbers)
    assert [plugin.move_text(RULES, number) for number in numbers] == list(CARDS)
    assert plugin.move_label(RULES, numbers[CARDS.index("HK")], "en") == "king of hearts"
    assert plugin.move_label(RULES, numbers[CARDS.index("HK")], "fr") == "roi de cœur"
    assert plugin.move_label(RULES, numbers[CARDS.index("ST")], "en") == "10 of spades"
    assert plugin.move_label(RULES, numbers[CARDS.index("CA")], "fr") == "as de trèfle"
    assert len({plugin.move_label(RULES, number, "fr") for number in numbers}) == 52


def test_a_card_may_be_written_carelessly() -> None:
    for text in ("HT", "ht", " h10 ", "H10", "T", "10"):
        state = lay(2, ("S", ["HT C2 C3 C4 C5 C6 C7"]))
        state.play(text)
        assert state.moves == ("HT",)


def test_a_rank_alone_may_be_ambiguous() -> None:
    state = lay(2, ("S", ["HT DT C3 C4 C5 C6 C7"]))
    with pytest.raises(AmbiguousMove, match="could be DT or HT"):
        state.play("10")


@pytest.mark.parametrize("text", ["", "X2", "H1", "H11", "H", "hearts", "HTT", "♥T", "2H", "H 2"])
def test_what_is_no_card_is_no_move(text: str) -> None:
    with pytest.raises(NotAMove, match="expected a card"):
        GAME.plugin.parse_move(RULES, text)


def before_the_last_card(state: State) -> str:
    """Play a round all but its last card; return that."""
    while sum(seen(state)["hand_counts"]) > 1:
        state.play(state.legal_moves()[0])
    return state.legal_moves()[0]


def test_a_match_laid_out_round_by_round_needs_no_seed() -> None:
    # Clubs against clubs and diamonds, hearts and spades: each takes tricks.
    first = {"trump": "H", "hands": ["C2 CJ CQ CK D2 D3 D4".split(), "C3 C4 CA D5 D6 H2 H3".split()]}
    second = {"trump": "S", "hands": [list(CARDS[20:26]), list(CARDS[30:36])]}
    state = GAME.new(2, layout={"rounds": [first]})
    last = before_the_last_card(state)
    with pytest.raises(MissingLuck, match=r"rounds\[1\].trump"):
        state.play(last)
    state.lay_out({"rounds": [first, {"trump": "S"}]})
    with pytest.raises(MissingLuck, match=r"rounds\[1\].hands of seats 0, 1 alone"):
        state.play(last)
    state.lay_out({"rounds": [first, second]})
    state.play(last)
    truth = state.truth()
    assert (truth["round"], truth["trump"]) == (2, "S")
    assert truth["hands"] == second["hands"]


def test_what_is_not_laid_out_is_what_the_seed_brings() -> None:
    seeded = GAME.new(3, seed=77).truth()
    hands = [list(CARDS[:7]), list(CARDS[7:14]), list(CARDS[14:21])]
    trump_laid = GAME.new(3, seed=77, layout={"rounds": [{"trump": "C"}]}).truth()
    hands_laid = GAME.new(3, seed=77, layout={"rounds": [{"hands": hands}]}).truth()

    assert trump_laid["hands"] == seeded["hands"] and trump_laid["trump"] == "C"
    assert hands_laid["trump"] == seeded["trump"] and hands_laid["hands"] == hands


def test_hands_laid_out_for_others_than_those_still_in_are_not_used() -> None:
    first = lay(3, ("S", ["SA SK SQ SJ HT H9 H8", "C2 C3 C4 C5 C6 C7 C8", "HA HK D2 D3 D4 D5 D6"]), seed=None)
    layout = first.record().layout
    assert layout is not None
    last = before_the_last_card(first)
    for wrong in ([[], list(CARDS[:6]), list(CARDS[6:12])], [list(CARDS[:6]), list(CARDS[6:12]), list(CARDS[12:18])]):
        state = first.copy()
        state.lay_out({"rounds": [*layout["rounds"], {"trump": "S", "hands": wrong}]})
        with pytest.raises(MissingLuck, match=r"rounds\[1\].hands of seats 0, 2 alone"):
            state.play(last)


@pytest.mark.parametrize(
    ("layout", "problem"),
    [
        ({"hands": []}, "layout: hands: is unknown"),
        ({"rounds": {}}, "layout: rounds: "),
        ({"rounds": [{}] * 8}, "layout: rounds: "),
        ({"rounds": [7]}, r"layout: rounds\[0\]: is .*; expected an object with trump, hands"),
        ({"rounds": [{"trump": "X"}]}, r"layout: rounds\[0\].trump: is 'X'; expected one of C, D, H, S"),
        ({"rounds": [{"trump": "CD"}]}, r"layout: rounds\[0\].trump: "),
        ({"rounds": [{"hands": [["C2"]]}]}, r"layout: rounds\[0\].hands: is .*; expected a list of 2"),
        ({"rounds": [{"hands": [["C2"], []]}]}, r"layout: rounds\[0\].hands\[0\]: is \['C2'\]; expected 7 cards$"),
        ({"rounds": [{}, {"hands": [["C2"], []]}]}, r"layout: rounds\[1\].hands\[0\]: is \['C2'\]; expected 6 cards, or none"),
        ({"rounds": [{"hands": [["C1"] * 7, []]}]}, r"layout: rounds\[0\].hands\[0\]: holds 'C1'; expected a card, as HT"),
        ({"rounds": [{"hands": [["C2"] * 7, []]}]}, r"layout: rounds\[0\].hands: C2 is dealt twice"),
    ],
)
def test_a_wrong_layout_is_refused_by_its_field(layout: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadLayout, match=problem):
        GAME.new(2, seed=1, layout=layout)


def test_legal_moves_stand_in_deck_order() -> None:
    for seed in range(20):
        state = GAME.new(2 + seed % 6, seed=seed)
        while not state.is_over:
            places = [CARDS.index(card) for card in state.legal_moves()]
            assert places == sorted(places)
            state.play(state.legal_moves()[-1])


def test_when_the_match_is_over_the_last_trick_is_still_told_and_no_card() -> None:
    for seed in range(30):
        state = GAME.new(4, seed=seed)
        while not state.is_over:
            before = seen(state)
            state.play(state.legal_moves()[seed % len(state.legal_moves())])
        view = seen(state, 0)
        assert [view[name] for name in ("round", "trick", "trump")] == [before[name] for name in ("round", "trick", "trump")]
        assert view["contenders"] == view["winners"] == [view["leader"]]
        assert sum(view["tricks"]) == 8 - view["round"] == view["trick"]
        assert [view[name] for name in ("to_move", "table", "past", "seen", "hand")] == [[]] * 5
        assert view["voids"] == [[]] * 4 and view["hand_counts"] == [0] * 4


def test_metrics_count_rounds_and_tricks() -> None:
    state = play_to_the_end(GAME.new(4, seed=3))
    metrics = state.metrics
    rounds = int(metrics["rounds"])

    assert list(metrics) == ["rounds", *(f"{name}_{seat}" for name in ("tricks", "trick", "stays") for seat in range(4))]
    assert sum(metrics[f"tricks_{seat}"] for seat in range(4)) == sum(range(8 - rounds, 8))
    assert rounds == seen(state)["round"]


def test_the_rule_of_thumb_beats_random_play() -> None:
    for players in range(2, 8):
        policies = ["greedy", *["random"] * (players - 1)]
        share = GAME.playouts(5000, players=players, policies=policies).utilities[:, 0].mean()
        assert share > 1.2 / players


def test_the_rule_of_thumb_takes_a_trick_as_cheaply_as_it_can_and_else_throws_a_low_card_away() -> None:
    state = play(lay(2, ("S", ["HQ", "HK HA H2 C2 C3 C4 C5"])), "HQ")
    weights = state.weights()
    assert max(weights, key=lambda move: weights[move]) == "HK"
    state = play(lay(2, ("S", ["HA", "HK HQ H2 C2 C3 C4 C5"])), "HA")
    weights = state.weights()
    assert max(weights, key=lambda move: weights[move]) == "H2"
