"""The slow model of bond keeps the rule sheet and the rulings."""

import copy
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twins.bond import FLAT, HOUSE, Deck, Match, heap, observed, replayed


def cards(text: str) -> list[str]:
    """ "l3 s5 A" as card texts."""
    names = {"l": "lair:", "s": "spy:"}
    return [names[word[0]] + word[1:] if word[0] in names else f"doubler:{word}" for word in text.split()]


def set_up(hands: Sequence[str], pile: str, *, first: int = 0, steals: Sequence[int] = (), deck: Deck = HOUSE) -> Match:
    """A match with these cards among the hands and on top of the pile; hands are filled up with low lairs."""
    dealt, on_top = [cards(hand) for hand in hands], cards(pile)
    rest = deck.cards
    for card in [*(card for hand in dealt for card in hand), *on_top]:
        rest.remove(card)
    for hand in dealt:
        while len(hand) < deck.dealt(len(hands)):
            hand.append(rest.pop(0))
    layout = {"first": first, "hands": dealt, "pile": on_top + rest, "steals": list(steals)}
    return Match(len(hands), deck=deck, layout=layout, rng=random.Random(1))


def play(match: Match, moves: str) -> Match:
    for move in moves.split():
        match.play(move)
    return match


def of(match: Match, word: str) -> list[str]:
    return sorted(move for move in match.legal_moves() if move.startswith(word))


def tiny(lairs: Sequence[int], spies: Sequence[int], doublers: str = "", hand: int = 1) -> Deck:
    return Deck(tuple(lairs), tuple(spies), doublers, hand)


# ---- Cards and deal ----


@pytest.mark.parametrize(("players", "hand"), [(2, 6), (3, 6), (4, 5), (5, 5), (6, 5)])
def test_hands_of_six_with_two_or_three_players_else_of_five_and_the_first_player_draws(players: int, hand: int) -> None:
    match = Match(players, rng=random.Random(1))
    counts = [sum(held.values()) for held in match.view(None)["hands"]]
    assert [count - (seat == match.turn) for seat, count in enumerate(counts)] == [hand] * players
    assert match.view(None)["pile"]["count"] == 54 - players * hand - 1 and match.phase == "lair"


@pytest.mark.parametrize("players", [1, 7])
def test_two_to_six_players(players: int) -> None:
    with pytest.raises(ValueError, match="2 to 6 players"):
        Match(players)


@pytest.mark.parametrize("deck", [HOUSE, FLAT])
def test_eighteen_cards_of_each_kind_and_each_letter_twice(deck: Deck) -> None:
    counts = Counter(card.split(":")[0] for card in deck.cards)
    assert counts == {"lair": 18, "spy": 18, "doubler": 18}
    assert Counter(deck.doublers) == dict.fromkeys("ABCDEFGHI", 2)


def test_what_a_layout_leaves_out_or_cuts_short_is_dealt_from_the_rest() -> None:
    layout = {"hands": [["spy:8"], ["lair:1", "lair:1"]], "pile": ["spy:8", "doubler:A"]}
    for seed in range(20):
        match = Match(3, layout=layout, rng=random.Random(seed))
        full = match.layout
        assert (
            "spy:8" in full["hands"][0] and full["hands"][1].count("lair:1") == 2 and full["pile"][:2] == ["spy:8", "doubler:A"]
        )
        assert Counter([card for hand in full["hands"] for card in hand] + full["pile"]) == Counter(HOUSE.cards)
    assert {Match(3, layout=layout, rng=random.Random(seed)).turn for seed in range(20)} == {0, 1, 2}


@pytest.mark.parametrize(
    "layout",
    [
        {"hands": [["lair:1"] * 3]},
        {"hands": [["lair:9"]]},
        {"hands": [["lair:4"] * 5 + ["spy:2"] * 2]},
        {"hands": [[], [], [], []]},
        {"pile": HOUSE.cards},
        {"leader": 1},
    ],
)
def test_an_impossible_layout_is_refused(layout: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"layout|deck|pile"):
        Match(3, layout=layout)


# ---- The turn ----


def test_a_turn_draws_then_asks_for_a_lair_card_and_then_for_a_spy() -> None:
    match = set_up(["l2 l3 s3 s3 A B", "l1 s2 s8 C D E"], "l4 F")
    assert of(match, "lair") == ["lair:2", "lair:3", "lair:4"] and "skip" in match.legal_moves()
    assert match.view(0)["hand"]["lairs"] == [2, 3, 4]
    play(match, "lair:3")
    assert match.view(None)["lairs"] == [[3], []] and match.phase == "spy" and match.mover == 0
    assert match.legal_moves() == ["spy:3>0", "steal:1>0", "end"]
    play(match, "end")
    assert match.turn == match.mover == 1 and match.view(1)["hand"]["doublers"].count("F") == 1


def test_the_lair_of_two_and_three_is_worth_five() -> None:
    match = play(set_up(["l2 l3 s5", "s8 A B C D E", "s8"], "A F G I H"), "lair:2 end skip end skip end lair:3 spy:5>0")
    assert match.phase == "captured" and match.mover == 0 and match.view(None)["lairs"][0] == [2, 3]


def test_without_a_lair_card_no_spy_can_be_played() -> None:
    match = play(set_up(["s2 s3", "s8 s8"], "s7 s7"), "skip")
    assert match.legal_moves() == ["end"]


def test_every_lair_can_be_the_target_of_every_source() -> None:
    match = set_up(["l4 l4 l4 s2", "l4 s3", "l3 s4"], "A B C D s8", first=0)
    play(match, "lair:4 end lair:4 end lair:3 end skip")
    for source in ("spy:2", "steal:1", "steal:2", "deck"):
        assert of(match, f"{source}>") == [f"{source}>{target}" for target in range(3)]
    assert of(match, "steal:0") == []


def test_a_seat_without_spies_is_not_robbed_and_the_deck_needs_a_spy_on_top() -> None:
    match = play(set_up(["l4 A A B B C", "l4 C D D E E", "s2"], "l3 l3 F s2"), "lair:4")
    assert of(match, "steal") == ["steal:2>0"] and of(match, "deck") == [] and match.view(None)["pile"]["top"] == "other"
    play(match, "end skip end skip")
    assert of(match, "deck") == ["deck>0"] and match.view(None)["pile"]["top"] == "spy"


def test_the_deck_spy_is_the_top_after_the_draw() -> None:
    match = play(set_up(["l4", "l4"], "s2 s3 s4"), "lair:4 deck>0")
    assert match.view(None)["attack"]["spies"] == [3] and match.events == [(2, "turn:3")]
    assert 2 in match.view(0)["hand"]["spies"] and match.view(None)["pile"]["top"] == "spy"


def test_a_steal_turns_what_is_laid_out_and_else_any_spy_of_the_hand_alike() -> None:
    match = play(set_up(["l4", "s2 s3 s3 s8 A B"], "A", steals=[8]), "lair:4 steal:1>0")
    assert match.events == [(2, "turn:8")] and match.view(None)["discard"]["spies"] == [8] and match.layout["steals"] == [8]
    counts: Counter[str] = Counter()
    for seed in range(900):
        match = set_up(["l4", "s2 s3 s3 s8 A B"], "A")
        match.rng = random.Random(seed)
        counts[play(match, "lair:4 steal:1>0").events[0][1]] += 1
    assert set(counts) == {"turn:2", "turn:3", "turn:8"}
    assert 390 < counts["turn:3"] < 510


def test_a_laid_out_steal_the_victim_does_not_hold_changes_nothing() -> None:
    match = play(set_up(["l4", "s2 s3 A B C D"], "A", steals=[8]), "lair:4")
    before = (match.truth(), list(match.moves), match.view(None))
    with pytest.raises(ValueError, match=r"steals\[0\] is 8; seat 1 holds \[2, 3\]"):
        match.play("steal:1>0")
    assert (match.truth(), match.moves, match.view(None)) == before


def test_there_is_no_end_after_a_spy() -> None:
    match = play(set_up(["l4 s8", "l4"], "A A"), "lair:4 spy:8>0")
    assert match.turn == 1 and match.phase == "lair"


# ---- Several spies ----


def several() -> Match:
    return play(set_up(["s2 s2 s3 s5", "l4 l4"], "s8 A B"), "skip end lair:4 end skip")


def test_several_own_spies_go_face_down_in_non_increasing_order() -> None:
    match = play(several(), "spy:3>1")
    assert match.legal_moves() == ["add:2", "go"]
    play(match, "add:2")
    assert match.legal_moves() == ["add:2", "go"]
    play(match, "add:2")
    assert match.legal_moves() == ["go"]
    assert match.view(0)["attack"]["spies"] == [3, 2, 2]
    assert match.view(1)["attack"]["spies"] == match.view(None)["attack"]["spies"] == [None] * 3
    assert observed(match, 1)[-3:] == ["spy:?>1", "add:?", "add:?"] and observed(match, 0)[-3:] == ["spy:3>1", "add:2", "add:2"]
    play(match, "go")
    assert match.view(None)["discard"] == {"lairs": [4], "spies": [2, 2, 3], "doublers": []}


def test_several_spies_are_captured_as_one_of_summed_value() -> None:
    match = play(several(), "spy:2>1 add:2 go")
    attack = match.view(None)["attack"]
    assert attack["captured"] and attack["spies"] == [2, 2] and match.mover == 1
    play(match, "kill")
    assert match.points == [0, 4] and match.view(None)["lairs"] == [[], [4]]


def test_the_attacker_is_asked_for_more_even_if_nothing_can_be_added() -> None:
    match = play(set_up(["s2 A A B B C", "l4"], "C D"), "skip end lair:4 end skip spy:2>1")
    assert match.phase == "add" and match.legal_moves() == ["go"] and match.view(1)["attack"]["spies"] == [None]


def test_at_ones_own_lair_a_single_spy_is_resolved_at_once() -> None:
    match = play(set_up(["l4 s2 s2", "A"], "B"), "lair:4 spy:2>0")
    assert match.phase == "captured" and match.view(1)["attack"]["spies"] == [2] and observed(match, 1)[-1] == "spy:2>0"


def test_committed_spies_have_left_the_hand() -> None:
    match = several()
    before = match.view(1)["hands"][0]["spies"]
    play(match, "spy:5>1 add:3")
    assert match.view(1)["hands"][0]["spies"] == before - 2 and match.truth()["committed"] == [5, 3]


# ---- Capture, taunts, escape ----


def captured(owner: str = "A C E", others: Sequence[str] = ("A B", "C D"), spy: int = 3) -> Match:
    """Seat 0 captures a spy in its own lair of 4."""
    return play(set_up([f"l4 s{spy} {owner}", *others], "s8 s7 s7"), f"lair:4 spy:{spy}>0")


def test_three_points_two_taunts_twelve_and_a_third_twenty_four() -> None:
    match = captured()
    assert match.legal_moves()[0] == "kill" and of(match, "taunt") == ["taunt:A", "taunt:C", "taunt:E"]
    play(match, "taunt:A")
    # Seat 1 holds the other A and does not play it; with the C on top it is too late for it.
    assert match.mover == 1 and match.legal_moves() == ["foil", "let"]
    play(match, "let let taunt:C")
    assert match.mover == 1 and match.legal_moves() == ["let"]
    play(match, "let")
    assert match.mover == 2 and match.legal_moves() == ["foil", "let"]
    play(match, "let")
    assert play(match.copy(), "kill").points == [12, 0, 0]
    assert play(match, "taunt:E let let kill").points == [24, 0, 0]
    assert match.view(None)["discard"] == {"lairs": [], "spies": [3], "doublers": ["A", "C", "E"]}


def test_a_letter_is_used_once_on_a_spy_and_again_on_the_next() -> None:
    match = captured("A A s2", ("C D", "E F"))
    assert of(match, "taunt") == ["taunt:A"]
    play(match, "taunt:A let let")
    assert match.legal_moves() == ["kill"]
    play(match, "kill skip end skip end skip spy:2>0")
    assert of(match, "taunt") == ["taunt:A"]
    assert play(match, "taunt:A let let kill").points == [6 + 4, 0, 0]


def test_a_foil_frees_the_spy_wrecks_the_lair_and_scores_nothing() -> None:
    match = play(captured(), "taunt:C let let taunt:A foil")
    assert match.points == [0, 0, 0] and match.view(None)["lairs"] == [[], [], []]
    assert match.view(None)["discard"] == {"lairs": [4], "spies": [3], "doublers": ["A", "A", "C"]}
    assert match.view(None)["attack"] is None and match.turn == match.mover == 1


def test_every_other_seat_is_asked_clockwise_though_it_cannot_and_though_the_twin_lies_open() -> None:
    match = play(captured("A A s2", ("C D", "E F")), "taunt:A let let kill skip end skip end skip spy:2>0")
    assert match.view(None)["discard"]["doublers"] == ["A"]
    asked = []
    play(match, "taunt:A")
    for declined in ([], [1]):
        asked.append(match.mover)
        attack = match.view(None)["attack"]
        assert attack["taunt"] == "A" and attack["taunts"] == [] and attack["declined"] == declined
        assert match.legal_moves() == ["let"]
        play(match, "let")
    assert asked == [1, 2] and match.mover == 0
    assert match.view(None)["attack"]["taunts"] == ["A"] and match.view(None)["attack"]["taunt"] is None


def test_the_owner_decides_on_anothers_turn_and_the_turn_goes_on_from_the_active_player() -> None:
    match = play(set_up(["s2 s3", "l4 A", "A B"], "C D E F"), "skip end lair:4 end skip end skip spy:2>1 go")
    assert match.turn == 0 and match.mover == 1 and match.phase == "captured"
    play(match, "taunt:A")
    assert match.mover == 2
    play(match, "let")
    assert match.mover == 0
    play(match, "let kill")
    assert match.points == [0, 4, 0] and match.turn == match.mover == 1


def test_an_equal_spy_is_captured_and_a_higher_one_wrecks_the_whole_lair() -> None:
    assert play(captured(spy=4), "kill").points[0] == 4
    match = captured(spy=5)
    assert match.turn == 1 and match.view(None)["discard"] == {"lairs": [4], "spies": [5], "doublers": []}
    assert match.view(None)["lairs"][0] == []


def test_the_lair_stays_after_a_kill_and_doubling_never_frees_a_spy() -> None:
    match = play(captured(spy=4), "taunt:A let let taunt:C let let kill")
    assert match.view(None)["lairs"][0] == [4] and match.points[0] == 16


def test_a_forced_kill_is_asked() -> None:
    match = play(set_up(["l4 l4 l3 l3 l3 s2", "A"], "s2"), "lair:4 spy:2>0")
    assert match.legal_moves() == ["kill"] and match.mover == 0


# ---- The end ----


def test_thirty_points_win_at_once_and_alone_also_on_anothers_turn() -> None:
    match = play(set_up(["s2 s3", "l4 A B C D", "E"], "F G H I I"), "skip end lair:4 end skip end skip spy:2>1 go")
    match.points = [29, 0, 29]
    play(match, "taunt:A let let taunt:B let let taunt:C let let taunt:D let let")
    assert match.phase == "captured"
    play(match, "kill")
    assert match.is_over and match.points == [29, 32, 29] and match.utilities() == [0.0, 1.0, 0.0]
    assert match.legal_moves() == [] and match.to_move == [] and match.view(0)["mover"] is None


def test_taunting_past_thirty_is_legal_and_can_still_fail() -> None:
    match = captured("A B C")
    match.points[0] = 29
    play(match, "taunt:A foil")
    assert not match.is_over and match.points[0] == 29


def test_the_last_spy_in_the_discard_ends_the_game_and_most_points_win() -> None:
    match = set_up(["l4 s3", "s2 A"], "l1 l1 l1 l1 l1", deck=tiny([4, 1, 1, 1, 1, 1], [3, 2], "A", hand=2))
    play(match, "lair:4 spy:3>0 kill")
    assert not match.is_over and match.points == [3, 0]
    play(match, "skip spy:2>0 go")
    assert match.phase == "captured" and match.mover == 0
    play(match, "kill")
    assert match.is_over and match.points == [5, 0] and match.utilities() == [1.0, 0.0] and match.view(None)["pile"]["count"] == 3


def test_a_last_spy_that_escapes_ends_the_game_and_a_taunted_one_does_not_yet() -> None:
    deck = tiny([4, 1, 1, 1, 1, 1, 1], [3], "AA", hand=2)
    match = play(set_up(["l4 s3", "A A"], "l1 l1", deck=deck), "lair:4 spy:3>0")
    assert match.legal_moves() == ["kill"] and not match.is_over
    other = play(set_up(["A s3", "l4 A"], "l1 l1 l1", deck=deck), "skip end lair:4 end skip spy:3>1 go taunt:A foil")
    assert other.is_over and other.points == [0, 0] and other.utilities() == [0.5, 0.5]


def test_ties_share() -> None:
    match = play(set_up(["l4", "l4", "l4"], "s2"), "skip end")
    match.points = [7, 3, 7]
    assert match.utilities() == [0.5, 0.0, 0.5]


def idle_end(players: int) -> Match:
    """A card for each hand and one to draw: from the second turn on the pile is empty."""
    deck = tiny([1] * players, [5], hand=1)
    return set_up(["l1"] * players, "s5", deck=deck)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_as_many_idle_turns_in_a_row_as_there_are_seats_end_the_game(players: int) -> None:
    match = idle_end(players)
    play(match, "skip end")
    # The turn that drew the last card did not begin with an empty pile.
    for idle in range(1, players + 1):
        assert match.view(None)["idle"] == idle and not match.is_over
        play(match, "skip end")
    assert match.is_over and match.view(None)["idle"] == players and match.utilities() == [1 / players] * players


def test_a_lair_or_a_spy_played_breaks_the_row_of_idle_turns() -> None:
    match = play(idle_end(3), "skip end skip end skip end")
    assert match.idle == 3
    play(match, "lair:1")
    assert match.view(None)["idle"] == 0
    play(match, "end")
    assert match.view(None)["idle"] == 1 and not match.is_over
    play(match, "skip end skip end")
    assert match.view(None)["idle"] == 3
    play(match, "skip")
    assert match.legal_moves() == ["spy:5>0", "end"]
    play(match, "spy:5>0")
    assert match.is_over and match.idle == 0


def test_the_game_does_not_stop_by_idling_while_the_pile_has_cards() -> None:
    match = Match(2, rng=random.Random(1))
    while match.pile:
        assert not match.is_over
        play(match, "skip end")
    play(match, "skip end skip end skip end")
    assert match.is_over and len(match.moves) == 2 * (42 + 2)


# ---- The model as a whole ----


def test_a_refused_move_changes_nothing() -> None:
    match = several()
    before = copy.deepcopy((match.truth(), match.moves, match.view(None)))
    for move in ("spy:4>1", "spy:2>0", "steal:0>1", "steal:1>0", "go", "kill", "add:2", "skip", "turn:2", "spy:?>1", ""):
        with pytest.raises(ValueError, match="illegal move"):
            match.play(move)
    assert (match.truth(), match.moves, match.view(None)) == before and match.legal_moves(1) == []


def everything(match: Match) -> Counter[str]:
    counts = Counter(match.pile + match.discard)
    for seat in range(match.players):
        counts.update(match.hands[seat])
        counts.update(f"lair:{size}" for size in match.lairs[seat])
    if match.attack:
        counts.update(f"spy:{spy}" for spy in match.attack.spies)
        counts.update(
            f"doubler:{letter}" for letter in [*match.attack.taunts, *([match.attack.taunt] if match.attack.taunt else [])]
        )
    return counts


@settings(max_examples=40, deadline=None)
@given(players=st.integers(2, 6), seed=st.integers(0, 2**32), deck=st.sampled_from([HOUSE, FLAT]))
def test_every_card_is_always_somewhere_and_every_match_ends_and_plays_again(players: int, seed: int, deck: Deck) -> None:
    rng = random.Random(seed)
    match = Match(players, deck=deck, rng=rng)
    stood = []
    while not match.is_over:
        assert everything(match) == Counter(deck.cards)
        assert match.legal_moves() and len(set(match.legal_moves())) == len(match.legal_moves())
        assert match.view(None)["pile"]["spies"] == len(match.truth()["pile"]["spies"])
        stood.append((match.truth(), match.view(match.mover)))
        match.play(rng.choice(match.legal_moves()))
    assert sum(match.utilities()) == pytest.approx(1)
    again = replayed(match)
    assert [(position.truth(), position.view(position.mover)) for position in again[:-1]] == stood
    assert again[-1].truth() == match.truth() and again[-1].layout == match.layout and again[-1].events == match.events


@settings(max_examples=20, deadline=None)
@given(players=st.integers(2, 6), seed=st.integers(0, 2**32))
def test_views_hold_ones_own_hand_and_nothing_of_anothers(players: int, seed: int) -> None:
    rng = random.Random(seed)
    match = Match(players, rng=rng)
    while not match.is_over:
        public = match.view(None)
        for seat in range(players):
            view = match.view(seat)
            assert view["hand"] == heap(match.hands[seat])
            changed = {key for key in view if view[key] != public[key]}
            assert changed <= {"seat", "hand"} | ({"attack"} if match.phase == "add" and match.mover == seat else set())
        match.play(rng.choice(match.legal_moves()))


@pytest.mark.parametrize(
    ("players", "turns", "moves", "choices"),
    [
        (2, 30.4, 79.3, 2.50),
        pytest.param(3, 31.6, 84.4, 2.69, marks=pytest.mark.slow),
        pytest.param(4, 32.3, 87.8, 2.75, marks=pytest.mark.slow),
        pytest.param(5, 31.1, 85.5, 2.93, marks=pytest.mark.slow),
        (6, 31.6, 86.5, 3.06),
    ],
)
def test_random_matches_with_flat_splits_are_as_long_as_expected(
    players: int, turns: float, moves: float, choices: float
) -> None:
    """30-33 turns and 79-88 decisions on average, 2.5-3.1 legal moves a decision; about 55 and 140 at most."""
    rng = random.Random(players)
    met: Counter[str] = Counter()
    for _ in range(1000):
        match = Match(players, deck=FLAT, rng=rng)
        before = len(match.moves)
        while not match.is_over:
            met["turns"] += match.phase == "lair"
            met["choices"] += len(match.legal_moves())
            match.play(rng.choice(match.legal_moves()))
        assert len(match.moves) - before < 180
        met["moves"] += len(match.moves)
    assert met["turns"] / 1000 == pytest.approx(turns, abs=0.8)
    assert met["moves"] / 1000 == pytest.approx(moves, abs=2.2)
    assert met["choices"] / met["moves"] == pytest.approx(choices, abs=0.05)
