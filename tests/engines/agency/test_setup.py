"""R1 – R3: the aim, setting up, and the pile."""

from collections import Counter
from typing import Any

import pytest

from machiavel.engines import BadOption
from tests.engines.agency.table import AGENTS, CARDS, GAME, PLANS, lay, play, play_to, play_to_the_end, seen


def cards_of(players: int, seed: int) -> tuple[list[list[str]], list[list[str]]]:
    truth = GAME.new(players, seed=seed).truth()
    return truth["hands"], truth["reserves"]


# ---- R1 ----


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r1_1_a_round_has_twelve_tricks_and_its_best_take_a_medal(players: int) -> None:
    state = GAME.new(players, seed=players, medals=9)
    play_to(state, 1, 12)
    assert seen(state)["round"] == 1 and sum(seen(state)["tricks"]) == 11
    play_to(state, 2, 1)
    view = seen(state)
    points = view["last_round"]["points"]
    winners = [seat for seat in range(players) if points[seat] == max(points)]
    assert view["last_round"]["winners"] == winners
    assert view["medals"] == [int(seat in winners) for seat in range(players)]


@pytest.mark.parametrize("medals", [1, 2, 9])
def test_r1_2_the_match_is_won_with_the_medals_of_the_option(medals: int) -> None:
    state = play_to_the_end(GAME.new(2, seed=3, medals=medals))
    assert max(seen(state)["medals"]) == medals
    assert seen(state)["winners"] == [seat for seat in range(2) if seen(state)["medals"][seat] == medals]


def test_r1_2_two_medals_win_unless_an_option_says_otherwise() -> None:
    assert max(seen(play_to_the_end(GAME.new(4, seed=3)))["medals"]) == 2


@pytest.mark.parametrize("medals", [0, 10, -1, True, "2", 2.0, None])
def test_r1_2_the_option_takes_1_to_9_medals(medals: object) -> None:
    with pytest.raises(BadOption, match=r"option 'medals' (?:cannot be .*|is missing); expected a whole number from 1 to 9"):
        GAME.new(2, seed=1, medals=medals)


def test_r1_3_six_tokens_are_no_limit_to_the_medals() -> None:
    state = play_to_the_end(GAME.new(5, seed=2, medals=5))
    assert sum(seen(state)["medals"]) > 6


# ---- R2 ----


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r2_1_random_agents_differ_and_everybody_knows_them(players: int) -> None:
    met = set()
    for seed in range(60):
        state = GAME.new(players, seed=seed)
        agents = seen(state)["agents"]
        assert len(agents) == players == len(set(agents)) and set(agents) <= set(AGENTS)
        assert all(seen(state, seat)["agents"] == agents for seat in range(players))
        met.add(agents[0])
    assert met == set(AGENTS)


def test_r2_1_an_option_says_who_is_who() -> None:
    state = GAME.new(3, seed=1, agents=["wxt", "jean", "belton"])
    assert seen(state)["agents"] == ["wxt", "jean", "belton"]
    assert {card for card in state.truth()["pile"] if card[0].isalpha()} == {"wxt", "jean", "belton"}


@pytest.mark.parametrize(
    "agents",
    [
        ["wxt", "jean"],
        ["wxt", "wxt", "jean"],
        ["wxt", "jean", "castor"],
        "wxt",
        ["wxt", "jean", "belton", "martha"],
        [1, 2, 3],
    ],
)
def test_r2_1_agents_that_are_not_one_a_seat_and_all_different_are_refused(agents: object) -> None:
    with pytest.raises(
        BadOption,
        match=r"option 'agents' cannot be .*; expected 3 different ones of belton, martha, wxt, jean, moignons",
    ):
        GAME.new(3, seed=1, agents=agents)


def test_r2_1_without_powers_there_are_no_agents() -> None:
    with pytest.raises(BadOption, match=r"without powers there are no agents"):
        GAME.new(2, seed=1, agents=["wxt", "jean"], powers=False)
    assert seen(GAME.new(2, seed=1, powers=False))["agents"] == []


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r2_2_each_seat_is_dealt_six_to_the_hand_and_six_to_the_reserve(players: int) -> None:
    hands, reserves = cards_of(players, 5)
    assert [len(cards) for cards in hands + reserves] == [6] * (2 * players)
    dealt = [card for cards in hands + reserves for card in cards]
    assert len(set(dealt)) == 12 * players and set(dealt) <= set(CARDS)
    assert (cards_of(players, 5), cards_of(players, 6)) == ((hands, reserves), cards_of(players, 6))
    assert cards_of(players, 6) != (hands, reserves)


def test_r2_2_every_card_is_dealt_as_often_as_any_other() -> None:
    met: Counter[str] = Counter()
    for seed in range(600):
        hands, _ = cards_of(2, seed)
        met.update(hands[0])
    expected = 600 * 6 / 60
    assert set(met) == set(CARDS)
    assert sum((count - expected) ** 2 / expected for count in met.values()) < 110


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r2_3_plans_and_the_powers_in_play_are_one_pile(players: int) -> None:
    state = GAME.new(players, seed=9)
    assert sorted(state.truth()["pile"]) == sorted([*PLANS, *seen(state)["agents"]])


def test_r2_3_without_powers_there_are_no_power_cards() -> None:
    for seed in range(20):
        state = GAME.new(5, seed=seed, powers=False)
        assert sorted(state.truth()["pile"]) == sorted(PLANS)
        assert seen(state)["phase"] in {"pass", "play"}


@pytest.mark.parametrize("option", ["powers", "accomplices"])
def test_powers_and_accomplices_are_on_or_off(option: str) -> None:
    values: tuple[Any, ...] = (1, "yes", None)
    for value in values:
        with pytest.raises(BadOption, match=rf"option '{option}' (?:cannot be .*|is missing); expected true or false"):
            GAME.new(2, seed=1, **{option: value})


def test_r2_4_reserves_and_cards_not_dealt_are_in_nobodys_view() -> None:
    hands = ["M1 M2 M3 M4 M5 M6", "M7 M8 M9 M10 B1 B2"]
    state = lay(2, hands, "1 2 3", reserves=["G1 G2 G3 G4 G5 G6", "Y1 Y2 Y3 Y4 Y5 Y6"])
    for seat in (0, 1, None):
        shown = str(seen(state, seat))
        others = [card for card in CARDS if seat is None or card not in hands[seat].split()]
        assert not [card for card in others if f"'{card}'" in shown]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r2_1_all_agents_of_the_deck_are_alike(players: int) -> None:
    agents = Counter(agent for seed in range(400) for agent in seen(GAME.new(players, seed=seed))["agents"])
    expected = 400 * players / 5
    assert set(agents) == set(AGENTS)
    assert all(abs(count - expected) < 5 * expected**0.5 for count in agents.values())


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r2_5_the_first_leader_is_random(players: int) -> None:
    leaders = Counter(seen(GAME.new(players, seed=seed, powers=False))["leader"] for seed in range(400))
    assert set(leaders) == set(range(players))
    assert all(abs(count - 400 / players) < 5 * (400 / players) ** 0.5 for count in leaders.values())


def test_r2_6_sixty_action_cards_have_ranks_from_1_without_a_gap() -> None:
    hands, reserves = cards_of(5, 3)
    dealt = [card for cards in hands + reserves for card in cards]
    assert len(dealt) == 60
    for colour, count in {"M": 10, "B": 18, "G": 16, "Y": 16}.items():
        assert sorted(int(card[1:]) for card in dealt if card[0] == colour) == list(range(1, count + 1))


def test_r2_7_twenty_plans_are_worth_1_to_6_and_five_have_an_accomplice() -> None:
    pile = GAME.new(2, seed=1, powers=False).truth()["pile"]
    assert len(pile) == 20
    assert Counter(int(plan[0]) for plan in pile) == {1: 3, 2: 4, 3: 4, 4: 4, 5: 3, 6: 2}
    accomplices = ["1+pass_left", "2+low_wins", "3+plain_mauve", "4+blue_over_mauve", "5+follow_suit"]
    assert sorted(plan for plan in pile if "+" in plan) == accomplices


@pytest.mark.parametrize("players", [0, 1, 6, -2, True, "3", None, 2.5])
def test_two_to_five_play(players: int) -> None:
    with pytest.raises(BadOption, match=r"option 'players' (?:cannot be .*|is missing); expected 2 to 5"):
        GAME.new(players, seed=1)


def test_an_unknown_option_is_refused_with_those_there_are() -> None:
    with pytest.raises(
        BadOption,
        match=r"option 'rounds' cannot be 3; expected one of these options: accomplices, agents, deck, medals, powers",
    ):
        GAME.new(2, seed=1, rounds=3)


# ---- R3 ----


def test_r3_1_the_top_card_is_seen_and_taking_it_shows_the_next() -> None:
    state = lay(2, ["M10 B1", "M1 B2"], "1 6 2", powers=False)
    assert seen(state)["pile"] == ["1"] + ["?"] * 19 and seen(state)["stake"] == "1"
    play(state, "M10 M1")
    assert seen(state)["pile"] == ["6"] + ["?"] * 18 and seen(state)["stake"] == "6"


def test_r3_1_taking_a_power_card_shows_the_next_card_too() -> None:
    state = lay(3, pile="belton 6 2")
    assert seen(state)["pile"][:2] == ["belton", "?"]
    play(state, "lead:0")
    assert seen(state)["pile"][:2] == ["6", "?"]


def test_r3_2_what_the_pile_still_holds_is_known_and_its_order_is_not() -> None:
    one = lay(2, ["M10", "M1"], "1 6 2 3", powers=False)
    other = lay(2, ["M10", "M1"], "1 6 3 2", powers=False)
    for state in (one, other):
        play(state, "M10 M1")
        unseen = list(PLANS)
        unseen.remove("1")
        unseen.remove("6")
        assert seen(state, 0)["segments"] == [{"size": 19, "unseen": sorted(unseen)}]
    for seat in (0, 1, None):
        assert one.seen_by(seat) == other.seen_by(seat)
        assert one.view(seat) == other.view(seat)


def test_r3_3_from_the_second_round_the_pile_has_two_parts_whose_cards_are_known() -> None:
    state = lay(2, powers=False, medals=9)
    pile = state.truth()["pile"]
    play_to(state, 2, 1)
    left, under = seen(state, 0)["segments"]
    assert (left["size"], under["size"]) == (8, 12)
    assert left["unseen"] == sorted(pile[13:]) and under["unseen"] == sorted(pile[:12])
    assert seen(state)["pile"] == [pile[12]] + ["?"] * 19


def test_r3_3_the_upper_part_is_gone_when_it_is_used_up() -> None:
    state = lay(2, powers=False, medals=9)
    play_to(state, 2, 8)
    assert [segment["size"] for segment in seen(state)["segments"]] == [1, 12]
    assert seen(state)["segments"][0]["unseen"] == []
    play_to(state, 2, 9)
    assert [segment["size"] for segment in seen(state)["segments"]] == [12]
    assert len(seen(state)["segments"][0]["unseen"]) == 11
