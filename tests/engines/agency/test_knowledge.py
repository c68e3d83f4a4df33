"""R10: what a seat knows, and what no view tells."""

import copy
import json
import random
from collections.abc import Iterable
from typing import Any

import pytest

from machiavel.engines import NotToMove, State
from tests.engines.agency.table import AGENTS, CARDS, GAME, PLANS, Cards, deck_of, full_round, lay, play, play_to, seen

FOLLOWED_BY_PASS = ["5+follow_suit", "1+pass_left", *["1"] * 11]
DECK = deck_of({"M": range(1, 11), "B": range(1, 19), "G": range(1, 17), "Y": range(1, 17)}, [*FOLLOWED_BY_PASS, *["2"] * 5])


def worlds(state: State, seat: int | None, count: int = 150) -> Iterable[dict[str, Any]]:
    """The truths of so many worlds the seat holds possible."""
    view = state.view(seat)
    for seed in range(count):
        yield view.determinize(seed).truth()


def void_then_pass(hands: list[Cards]) -> State:
    """Follow suit in the first trick, a pass in the second."""
    first = full_round(3, hands, FOLLOWED_BY_PASS, shuffled=[*FOLLOWED_BY_PASS, *["2"] * 5])
    return GAME.new(3, seed=1, layout={"leader": 0, "rounds": [first]}, deck=DECK, powers=False)


def greens_in(hand: list[str]) -> int:
    return sum(card[0] == "G" for card in hand)


# ---- R10.1 ----


def test_r10_1_a_seat_sees_its_hand_and_all_that_was_played() -> None:
    state = lay(3, ["G8 M1", "Y12", "G11"], "1 3 belton 2", agents=["martha", "belton", "wxt"])
    hands = state.truth()["hands"]
    play(state, "G8 Y12 G11")
    for seat in (0, 1, 2, None):
        view = seen(state, seat)
        assert view["hand"] == (None if seat is None else [card for card in hands[seat] if card not in {"G8", "Y12", "G11"}])
        assert view["seen"] == ["G8", "G11", "Y12"] and view["half"][0]["cards"] == ["G8", "Y12", "G11"]
        assert (view["tricks"], view["plan_points"], view["greens"]) == ([0, 0, 1], [0, 0, 1], [0, 0, 2])
        assert view["agents"] == ["martha", "belton", "wxt"] and view["pile"][0] == "3"


def test_r10_1_everybody_knows_medals_and_the_points_of_the_last_round() -> None:
    state = play_to(GAME.new(4, seed=5, medals=9), 3, 1)
    public = seen(state)
    assert sum(public["medals"]) >= 2 and public["last_round"]
    for seat in range(4):
        assert {name for name, value in seen(state, seat).items() if value != public[name]} == {"seat", "hand"}


def test_r10_1_cards_of_the_round_stay_seen_after_the_half() -> None:
    state = play_to(lay(3), 1, 7)
    assert len(seen(state, 0)["seen"]) == 18 and len(seen(state, 0)["half"]) <= 1


def test_r10_1_with_five_players_nothing_is_undealt_and_a_world_fills_exactly() -> None:
    state = play_to(GAME.new(5, seed=3, powers=False), 1, 7)
    mine, shown = set(seen(state, 2)["hand"]), set(seen(state)["seen"])
    for truth in worlds(state, 2, 30):
        others = [card for seat in (0, 1, 3, 4) for card in truth["hands"][seat]]
        assert sorted(others) == sorted(set(CARDS) - mine - shown)


# ---- R10.2 ----


def test_r10_2_a_seat_knows_what_it_gave_and_received_and_nothing_of_the_others() -> None:
    state = play(lay(4, ["B1", "B2", "B3", "B4"], "1+pass_left"), "pass:B1 pass:B2")
    assert [(entry["gave"], entry["received"]) for seat in (0, 1, 2) for entry in seen(state, seat)["half"]] == [
        ("B1", None),
        ("B2", None),
        (None, None),
    ]
    play(state, "pass:B3 pass:B4")
    exchanged = [(seen(state, seat)["half"][0]["gave"], seen(state, seat)["half"][0]["received"]) for seat in range(4)]
    assert exchanged == [("B1", "B4"), ("B2", "B1"), ("B3", "B2"), ("B4", "B3")]
    assert (seen(state)["half"][0]["gave"], seen(state)["half"][0]["received"]) == (None, None)
    assert state.truth()["given"] == [["B1", "B2", "B3", "B4"]]


def test_r10_2_the_giver_knows_where_the_card_is_until_it_is_played() -> None:
    state = play(lay(3, ["B1", "B2", "B3"], "1+pass_left"), "pass:B1 pass:B2 pass:B3")
    assert all("B1" in truth["hands"][1] for truth in worlds(state, 0))
    assert not all("B2" in truth["hands"][2] for truth in worlds(state, 0))


def test_r10_2_what_others_exchanged_changes_no_view() -> None:
    hands: list[Cards] = ["B1 B5", "B2 B6", "B3 B7", "B4 B8"]
    one = play(lay(4, hands, "1+pass_left"), "pass:B1 pass:B2 pass:B3 pass:B4")
    other = play(lay(4, hands, "1+pass_left"), "pass:B1 pass:B6 pass:B3 pass:B4")
    assert one.seen_by(0) == other.seen_by(0) and one.seen_by(3) == other.seen_by(3) and one.seen_by(None) == other.seen_by(None)
    assert one.seen_by(1) != other.seen_by(1) and one.seen_by(2) != other.seen_by(2)


# ---- R10.3 ----


def test_r10_3_the_looker_knows_the_hand_he_saw_and_nobody_else_does() -> None:
    state = lay(3, pile="moignons 1", agents=["moignons", "wxt", "jean"])
    hand = state.truth()["hands"][1]
    play(state, "look:1")
    assert all(truth["hands"][1] == hand for truth in worlds(state, 0))
    assert len({tuple(truth["hands"][1]) for truth in worlds(state, 2)}) > 100


def test_r10_3_of_a_hand_he_saw_all_but_the_card_passed_on_stays_known() -> None:
    state = lay(4, pile="moignons 1+pass_left 2", agents=["moignons", "wxt", "jean", "martha"])
    hand = set(state.truth()["hands"][2])
    play(state, "look:2")
    for _ in range(4):
        state.play(state.legal_moves()[0])
    kept = {frozenset(hand & set(truth["hands"][2])) for truth in worlds(state, 0, 300)}
    assert {len(some) for some in kept} == {5} and len(kept) == 6
    for truth in worlds(state, 0, 100):
        (moved,) = hand - set(truth["hands"][2])
        assert moved in truth["hands"][3] and truth["given"][0][2] == moved


def test_r10_3_what_he_saw_is_forgotten_with_the_half() -> None:
    state = play(lay(2, pile="moignons 1", agents=["moignons", "wxt"]), "look:1")
    play_to(state, 1, 7)
    assert seen(state, 0)["look"] is None
    assert len({tuple(truth["hands"][1]) for truth in worlds(state, 0)}) > 100


# ---- R10.4 ----


def test_r10_4_who_did_not_follow_has_none_of_that_colour() -> None:
    state = play(void_then_pass(["G8", "M1 M2 B1 B2 Y1 Y2", "G9"]), "G8 Y1 G9")
    for seat in (0, 2, None):
        assert all(greens_in(truth["hands"][1]) == 0 for truth in worlds(state, seat))
    assert any(greens_in(truth["reserves"][1]) for truth in worlds(state, 0))


def test_r10_4_a_mauve_card_too_shows_a_void() -> None:
    state = play(void_then_pass(["G8", "M10 M2 B1 B2 Y1 Y2", "G9"]), "G8 M10 G9")
    assert all(greens_in(truth["hands"][1]) == 0 for truth in worlds(state, 0))


def test_r10_4_each_exchange_may_have_brought_one_card() -> None:
    state = play(void_then_pass(["G8 B9 G4", "M1 M2 B1 B2 Y1 Y2", "G9"]), "G8 Y1 G9 pass:B9 pass:B1")
    assert all(greens_in(truth["hands"][1]) == 0 for truth in worlds(state, 2))
    state.play(state.legal_moves()[0])
    # Seat 0 knows that it gave a blue card; seat 2 does not.
    assert all(greens_in(truth["hands"][1]) == 0 for truth in worlds(state, 0))
    for seat in (2, None):
        assert {greens_in(truth["hands"][1]) for truth in worlds(state, seat)} == {0, 1}


def test_r10_4_the_void_seat_cannot_have_given_that_colour() -> None:
    state = play(void_then_pass(["G8 B9", "M1 M2 B1 B2 Y1 Y2", "G9"]), "G8 Y1 G9 pass:B9 pass:B1")
    state.play(state.legal_moves()[0])
    assert all(truth["given"][1][1][0] != "G" for truth in worlds(state, 0))


def test_r10_4_a_void_says_nothing_of_the_second_half() -> None:
    state = play_to(play(void_then_pass(["G8", "M1 M2 B1 B2 Y1 Y2", "G9"]), "G8 Y1 G9"), 1, 7)
    assert any(greens_in(truth["hands"][1]) for truth in worlds(state, 0))


def test_r10_4_who_followed_may_have_more() -> None:
    state = play(void_then_pass(["G8", "M1 M2 B1 B2 Y1 G1", "G9"]), "G8 G1 G9")
    assert any(greens_in(truth["hands"][1]) for truth in worlds(state, 0))


def test_r10_4_not_following_says_nothing_without_follow_suit() -> None:
    state = play(lay(3, ["G8", "G1 Y1", "G9"], "1 2"), "G8 Y1 G9")
    assert any(greens_in(truth["hands"][1]) for truth in worlds(state, 0))


# ---- R10.5 ----


def shuffled_where_hidden(state: State, seat: int | None, seed: int) -> dict[str, Any]:
    """The first round dealt anew where the seat cannot see: others' hands, all reserves, undealt cards, the pile's order."""
    rng = random.Random(seed)
    layout: dict[str, Any] = copy.deepcopy(state.record().to_json()["layout"])
    (deal,) = layout["rounds"]
    own = set() if seat is None else set(deal["hands"][seat])
    hidden = [card for card in CARDS if card not in own]
    rng.shuffle(hidden)
    for part in ("hands", "reserves"):
        for other in range(state.players):
            if (part, other) != ("hands", seat):
                deal[part][other] = [hidden.pop() for _ in range(6)]
    below = deal["pile"][1:]
    rng.shuffle(below)
    deal["pile"] = [deal["pile"][0], *below]
    return layout


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r10_5_what_is_hidden_leaves_no_trace_in_a_view(players: int) -> None:
    state = lay(players, (), "4+blue_over_mauve")
    for seat in (*range(players), None):
        for seed in range(5):
            other = GAME.deal(state.rules, seed=1, layout=shuffled_where_hidden(state, seat, seed))
            assert other.truth() != state.truth()
            assert other.seen_by(seat) == state.seen_by(seat) and other.view_key(seat) == state.view_key(seat)
            assert other.view(seat).to_json() == state.view(seat).to_json()
            assert other.view(seat).determinize(9).to_bytes() == state.view(seat).determinize(9).to_bytes()


def test_r10_5_no_view_names_a_card_its_seat_has_not_seen() -> None:
    rng = random.Random(2)
    for players in (2, 3, 4, 5):
        state = GAME.new(players, seed=players, medals=1)
        while not state.is_over:
            for seat in (*range(players), None):
                view = seen(state, seat)
                known = {*view["seen"], *(view["hand"] or ())}
                for entry in view["half"]:
                    known |= {entry["gave"], entry["received"]}
                known |= set((view["look"] or {}).get("cards") or ())
                named = {card for card in CARDS if f'"{card}"' in json.dumps(view)}
                assert named <= known
            state.play(rng.choice(state.legal_moves()))


def test_r10_5_a_view_tells_nobody_the_legal_moves_of_others() -> None:
    state = lay(3, ["G8", "G1", "G2"], "5+follow_suit")
    play(state, "G8")
    assert state.view(1).legal_moves() == state.legal_moves()
    for seat in (0, 2, None):
        with pytest.raises(NotToMove, match=r"is not to move; to move: seat 1$"):
            state.view(seat).legal_moves()
    assert "legal" not in json.dumps(seen(state, 0))


def test_r10_5_all_who_have_not_given_are_asked_by_their_own_view() -> None:
    state = play(lay(3, ["B1", "B2", "B3"], "1+pass_left"), "pass:B1")
    for seat in (1, 2):
        assert state.view(seat).legal_moves() == [f"pass:{card}" for card in seen(state, seat)["hand"]]
    with pytest.raises(NotToMove, match=r"seat 0 is not to move; to move: seat 1, 2"):
        state.view(0).legal_moves()


def test_r10_5_a_seats_own_reserve_is_any_of_the_cards_it_has_not_seen() -> None:
    state = lay(2, ["M1 M2 M3 M4 M5 M6", "B1 B2 B3 B4 B5 B6"])
    met = {card for truth in worlds(state, 0, 400) for card in truth["reserves"][0]}
    assert met == set(CARDS) - {"M1", "M2", "M3", "M4", "M5", "M6"}


def test_a_world_gives_back_the_view_and_keeps_all_cards() -> None:
    rng = random.Random(4)
    for players in (2, 3, 4, 5):
        state = GAME.new(players, seed=players, medals=2)
        agents = seen(state)["agents"]
        while not state.is_over:
            if rng.random() < 0.2:
                seat = rng.choice([None, *range(players)])
                world = state.view(seat).determinize(rng.getrandbits(64))
                assert world.seen_by(seat) == state.seen_by(seat) and world.seats_to_move == state.seats_to_move
                assert sorted(world.truth()["pile"]) == sorted(state.truth()["pile"])
                assert set(world.truth()["pile"]) <= {*PLANS, *agents} <= {*PLANS, *AGENTS}
                dealt = [card for part in ("hands", "reserves") for some in world.truth()[part] for card in some]
                assert len(set(dealt) | set(seen(state)["seen"])) == len(dealt) + len(seen(state)["seen"])
            state.play(rng.choice(state.legal_moves()))
