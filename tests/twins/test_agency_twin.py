"""The slow model of agency keeps the rule sheet and the rulings."""

import copy
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from tests.twins.agency import HOUSE, Deck, Match, winning_place

AGENTS = ["martha", "belton", "wxt", "jean", "moignons"]


def set_up(
    hands: Sequence[str],
    top: str,
    *,
    bottom: str = "",
    agents: Sequence[str] | None = None,
    leader: int = 0,
    deck: Deck = HOUSE,
    **options: Any,
) -> Match:
    """A first round with these cards among the hands and this top and bottom of the pile; the rest in deck order."""
    agents = list(agents or AGENTS[: len(hands)])
    plans = [plan if options.get("accomplices", True) else plan[0] for plan in deck.plans]
    middle = plans + (agents if options.get("powers", True) else [])
    for card in [*top.split(), *bottom.split()]:
        middle.remove(card)
    # Plain plans first, and no power among the next few.
    middle.sort(key=lambda card: (not card.isdigit(), card in AGENTS))
    rest = [card for card in deck.cards if card not in " ".join(hands).split()]
    dealt = [hand.split() for hand in hands]
    for hand in dealt:
        while len(hand) < 6:
            hand.append(rest.pop())
    reserves = [[rest.pop() for _ in range(6)] for _ in hands]
    pile = [*top.split(), *middle, *bottom.split()]
    layout = {"leader": leader, "rounds": [{"hands": dealt, "reserves": reserves, "pile": pile}]}
    return Match(len(hands), deck=deck, agents=agents, layout=layout, rng=random.Random(1), **options)


def play(match: Match, moves: str) -> Match:
    for move in moves.split():
        match.play(move)
    return match


def play_to(match: Match, round_: int, trick: int) -> Match:
    rng = random.Random(7)
    while (match.round, match.trick) != (round_, trick):
        match.play(rng.choice(match.legal_moves()))
    return match


def scored(points: Sequence[int], trick_winners: Sequence[int], **fields: Any) -> Match:
    """A match in which a round ends with these plan points, and every seat has as many greens and yellows."""
    match = Match(len(points), powers=False, rng=random.Random(1))
    match.pile = []
    match.plans_won = [[str(total)] for total in points]
    match.trick_winners = list(trick_winners)
    for name, content in fields.items():
        setattr(match, name, content)
    match._rounds_laid_out = [{}, copy.deepcopy(match.layout["rounds"][0]) | {"pile": [str(p) for p in points]}]
    match._end_round()
    return match


def test_the_worked_example_of_the_rule_sheet() -> None:
    match = set_up(
        ["G8 M3 M10", "Y12 B7 M1", "G11 Y6 M2"],
        "1 4 belton martha 2 3",
        bottom="5",
        agents=["martha", "belton", "jean"],
    )
    play(match, "M10 M1 M2")
    assert match.view(None)["leader"] == 0 and match.trick == 2
    play(match, "G8 Y12 G11")
    assert match.view(None)["tricks"] == [1, 0, 1] and match.view(None)["plan_points"] == [1, 0, 4]
    assert match.phase == "lead" and match.to_move == [1] and match.view(0)["pile"][:2] == ["belton", "?"]
    play(match, "lead:1")
    view = match.view(0)
    assert view["martha"] and view["stake"] == "2" and view["order"] == [1, 2, 0]
    play(match, "B7 Y6 M3")
    assert match.view(None)["plan_points"] == [1 + 2 + 5, 0, 4] and match.leader == 0
    assert match.view(None)["yellows"] == [1, 0, 1] and match.view(None)["greens"] == [0, 0, 2]


def test_nobody_has_to_follow_suit() -> None:
    match = play(set_up(["G8", "G1 Y1 M1"], "1"), "G8")
    assert set(match.legal_moves()) >= {"G1", "Y1", "M1"}


@pytest.mark.parametrize(
    ("cards", "effect", "winner"),
    [
        ("G8 Y12 G11", None, "G11"),
        ("B7 Y6 M3", None, "M3"),
        ("M3 M9 M5", None, "M9"),
        ("G8 M10 B1", "blue_over_mauve", "B1"),
        ("G8 M10 Y16", "blue_over_mauve", "M10"),
        ("G8 Y12 G9", "blue_over_mauve", "G9"),
        ("G8 M10 G7", "plain_mauve", "G8"),
        ("M1 G16 M2", "plain_mauve", "M2"),
        ("G8 G3 Y1", "low_wins", "G3"),
        ("G3 M9 M4", "low_wins", "M4"),
        ("G3 M9 G16", "follow_suit", "M9"),
    ],
)
def test_the_winning_card(cards: str, effect: str | None, winner: str) -> None:
    assert cards.split()[winning_place(cards.split(), effect)] == winner


def test_follow_suit_binds_who_holds_the_led_colour_mauve_too() -> None:
    match = play(set_up(["M8", "M1 M2 G1 Y1", "G2 G3 G4 B1 B2 B3"], "5+follow_suit"), "M8")
    assert match.legal_moves() == ["M1", "M2"]
    play(match, "M1")
    assert match.legal_moves() == ["B1", "B2", "B3", "G2", "G3", "G4"]


def test_belton_then_wxt_wxt_still_plays_last() -> None:
    match = play(set_up(["", "", ""], "belton wxt 1"), "lead:2")
    assert match.leader == 0 and match.last == 2 and match.order == [0, 1, 2]


def test_wxt_then_belton_naming_wxt_lets_him_lead() -> None:
    match = set_up(["", "", ""], "wxt belton 1", leader=2)
    assert match.leader == 0 and match.last == 2
    play(match, "lead:2")
    assert match.leader == 2 and match.last is None and match.order == [2, 0, 1]


def test_wxt_then_belton_naming_another_skips_wxt() -> None:
    match = play(set_up(["", "", "", ""], "wxt belton 1"), "lead:1")
    assert match.order == [1, 3, 0, 2]


def test_belton_may_name_himself_or_who_leads_already() -> None:
    assert set_up(["", "", ""], "belton 1").legal_moves() == ["lead:0", "lead:1", "lead:2"]


def test_marthas_extra_plan_is_the_lowest_plan_and_the_powers_below_become_known() -> None:
    match = set_up(["M10", "G1", "G2"], "martha 1 2", bottom="5+follow_suit wxt belton")
    play(match, "M10 G1 G2")
    view = match.view(1)
    assert view["plan_points"] == [6, 0, 0]
    assert view["pile"][0] == "2" and view["pile"][-2:] == ["wxt", "belton"] and set(view["pile"][1:-2]) == {"?"}
    assert "wxt" not in view["segments"][0]["unseen"] and not match.half[-1].follow_suit


def test_martha_takes_nothing_extra_when_another_wins() -> None:
    match = play(set_up(["G1", "M9", "G2"], "martha 1 2", bottom="5"), "G1 M9 G2")
    assert match.view(None)["plan_points"] == [0, 1, 0]


def test_jean_lays_greens_and_yellows_of_his_trick_aside() -> None:
    for winner, greens in ((0, [0, 0]), (1, [0, 2])):
        match = set_up(["G9" if winner == 0 else "G1", "G2"], "jean 1 2", agents=["jean", "wxt"])
        play(match, "G9 G2" if winner == 0 else "G1 G2")
        assert match.greens == greens and match.view(None)["tricks"][winner] == 1


def test_moignons_looks_before_the_next_card_is_seen_and_only_he_sees() -> None:
    match = set_up(["", "", ""], "moignons 1 2", agents=["moignons", "wxt", "jean"])
    assert match.phase == "look" and match.legal_moves() == ["look:1", "look:2"] and match.view(0)["pile"][1] == "?"
    hand = match.hands[1]
    play(match, "look:1")
    public = {"trick": 1, "looker": 0, "target": 1, "cards": None}
    assert match.view(0)["look"] == public | {"cards": hand} and len(hand) == 6
    assert match.view(1)["look"] == match.view(2)["look"] == match.view(None)["look"] == public
    play_to(match, 1, 7)
    assert match.view(0)["look"] is None


def test_hands_change_when_all_have_given_and_only_giver_and_receiver_know() -> None:
    match = set_up(["B1", "B2", "B3"], "1+pass_left")
    before = [list(hand) for hand in match.hands]
    assert match.to_move == [0, 1, 2] and match.legal_moves(2) == [f"pass:{card}" for card in before[2]]
    play(match, "pass:B1 pass:B2")
    assert match.to_move == [2] and match.hands == before
    assert match.view(0)["half"][0]["gave"] == "B1" and match.view(0)["half"][0]["received"] is None
    play(match, "pass:B3")
    assert [next(card for card in hand if card[0] == "B") for hand in match.hands] == ["B3", "B1", "B2"]
    assert (match.view(1)["half"][0]["gave"], match.view(1)["half"][0]["received"]) == ("B2", "B1")
    assert (match.view(None)["half"][0]["gave"], match.view(None)["half"][0]["received"]) == (None, None)
    assert match.truth()["given"] == [["B1", "B2", "B3"]] and match.phase == "play"


def test_reserves_are_in_no_view_and_cannot_be_passed_until_the_sixth_trick_is_over() -> None:
    match = set_up(["", ""], "1+pass_left")
    reserve = list(match.reserves[0])
    assert not any(card in str(match.view(0)) for card in (f"'{card}'" for card in reserve))
    assert not {f"pass:{card}" for card in reserve} & set(match.legal_moves(0))
    play_to(match, 1, 7)
    assert match.view(0)["hand"] == reserve and match.view(0)["reserve"] == 0 and match.half[0].trick == 7


def test_an_accomplice_on_several_plans_passes_several_times_in_a_half() -> None:
    deck = Deck(HOUSE.cards, ("1+pass_left",) * 13, HOUSE.agents)
    match = set_up(["", ""], "1+pass_left", deck=deck, powers=False)
    play_to(match, 1, 6)
    assert [trick.pass_left for trick in match.half] == [True] * 6 and len(match.legal_moves()) == 1


def test_a_power_on_top_after_trick_12_waits_for_the_deal_and_may_override_who_leads() -> None:
    plans = "1 1 1+pass_left 2 2 2 2+low_wins 3 3 3 3+plain_mauve 4"
    match = set_up(["", "", ""], f"{plans} belton martha 4", medals=9)
    play_to(match, 1, 12)
    dealt = len(match.layout["rounds"])
    while match.round == 1:
        match.play(match.legal_moves()[0])
    assert dealt == 1 and len(match.layout["rounds"]) == 2
    assert match.phase == "lead" and match.view(0)["hand_counts"] == [6, 6, 6]
    assert match.view(0)["pile"][0] == "belton" and match.leader in match.view(0)["last_round"]["winners"]
    last = (match.leader + 1) % 3
    match.play(f"lead:{last}")
    assert match.leader == last and match.martha


def test_later_rounds_have_two_segments_and_what_was_left_keeps_its_order() -> None:
    match = set_up(["", "", ""], "1", powers=False, medals=9)
    pile = [lying.card for lying in match.pile]
    play_to(match, 2, 1)
    assert [lying.card for lying in match.pile[:8]] == pile[12:]
    left, under = match.view(0)["segments"]
    assert (left["size"], under["size"]) == (8, 12)
    assert left["unseen"] == sorted(pile[13:]) and under["unseen"] == sorted(pile[:12])


@pytest.mark.parametrize("bonus", [(2, 8), (3, 8), (4, 5), (5, 5)])
def test_least_green_and_most_yellow_and_every_tied_player_gets_it(bonus: tuple[int, int]) -> None:
    players, points = bonus
    rest = [9] * (players - 2)
    match = scored([2] * players, [0] * 12, greens=[0, 0, *rest], yellows=[5, 3, *([5] * (players - 2))])
    assert match.last_round is not None
    assert match.last_round["points"] == [2, 2 + points, *([2 - points] * (players - 2))]


def test_nobody_with_yellow_ties_all_for_most_and_points_have_no_floor() -> None:
    match = scored([1, 2, 3], [0] * 12, greens=[0, 1, 1])
    assert match.last_round == {"points": [1, -6, -5], "winners": [0]}


def test_every_player_tied_for_most_points_takes_a_medal() -> None:
    assert scored([5, 2, 5], [0] * 12).medals == [1, 0, 1]


def test_among_tied_winners_the_latest_tricks_winner_leads() -> None:
    assert scored([5, 1, 5, 5], [0, 2, 3, 2, *([1] * 8)]).leader == 2


def test_tied_winners_without_a_trick_the_first_clockwise_from_the_last_tricks_winner_leads() -> None:
    assert scored([5, 5, 1, 5], [2] * 12).leader == 3


def test_several_second_medals_share_the_victory() -> None:
    match = scored([5, 2, 5], [0] * 12, medals=[1, 1, 1])
    assert match.is_over and match.winners == [0, 2] and match.utilities() == [0.5, 0.0, 0.5]
    assert match.view(0)["winners"] == [0, 2] and match.legal_moves() == []


def test_the_variants_without_powers_or_accomplices() -> None:
    match = Match(3, powers=False, accomplices=False, rng=random.Random(1))
    assert match.agents == [] and len(match.pile) == 20 and "agents" not in match.layout
    assert all(lying.card.isdigit() for lying in match.pile)


def test_a_refused_move_changes_nothing() -> None:
    match = play(set_up(["G8", "G1 Y1"], "5+follow_suit"), "G8")
    before = copy.deepcopy((match.truth(), match.moves))
    for move in ("Y1", "M99", "pass:G1", "lead:0", ""):
        with pytest.raises(ValueError, match="illegal move"):
            match.play(move)
    assert (match.truth(), match.moves) == before


@pytest.mark.parametrize("plans", [13, 23])
def test_decks_of_13_and_of_23_plans_play_to_the_end(plans: int) -> None:
    deck = Deck(HOUSE.cards, (*["2"] * (plans - 3), "1+pass_left", "3+pass_left", "4+low_wins"), HOUSE.agents)
    rng = random.Random(plans)
    for players in (2, 3, 4, 5):
        for _ in range(10):
            match = Match(players, deck=deck, medals=3, rng=rng)
            while not match.is_over:
                match.play(rng.choice(match.legal_moves()))
                taken = [plan for won in match.plans_won for plan in won]
                assert sorted([lying.card for lying in match.pile] + taken + match.powers_used) == sorted(
                    deck.plans + tuple(match.agents)
                )
                assert match.view(None)["pile"][:1] == [lying.card for lying in match.pile[:1]]


def test_a_match_plays_again_from_its_layout_and_moves() -> None:
    rng = random.Random(3)
    match = Match(4, rng=rng)
    while not match.is_over:
        match.play(rng.choice(match.legal_moves()))
    again = play(Match(4, layout=match.layout), " ".join(match.moves))
    assert again.truth() == match.truth() and again.layout == match.layout


@pytest.mark.parametrize(
    ("players", "rounds", "tied", "points"),
    [(2, 2.4, 0.03, 20.0), (3, 2.8, 0.06, 13.4), (4, 3.0, 0.08, 10.1), (5, 3.3, 0.10, 8.2)],
)
def test_random_matches_look_as_expected(players: int, rounds: float, tied: float, points: float) -> None:
    rng = random.Random(players)
    met: Counter[str] = Counter()
    for _ in range(500):
        match = Match(players, rng=rng)
        while not match.is_over:
            before = match.last_round
            match.play(rng.choice(match.legal_moves()))
            if match.last_round is not before and match.last_round is not None:
                met["tied"] += len(match.last_round["winners"]) > 1
                met["points"] += sum(match.last_round["points"])
        met["rounds"] += match.round
        met["passes"] += sum(trick.pass_left for half in match.halves for trick in half)
    assert met["rounds"] / 500 == pytest.approx(rounds, abs=0.15)
    assert met["tied"] / met["rounds"] == pytest.approx(tied, abs=0.03)
    assert met["points"] / met["rounds"] / players == pytest.approx(points, abs=0.4)
    assert met["passes"] / met["rounds"] == pytest.approx(0.6, abs=0.06)
