"""Whole matches of the slow model of citadel: layouts, refusals, what holds at any time, the end after a hundred turns."""

import copy
import random
import tomllib
from collections import Counter
from typing import Any

import pytest

from tests.twins.citadel import Match, replayed
from tests.twins.citadel_house import COLOURS, SHIPPED, read_house
from tests.twins.citadel_scenes import HOUSE, markers, play, set_up, wild_tables


def test_a_refused_move_changes_nothing() -> None:
    match = set_up(places=["library", None])
    before = copy.deepcopy((match.truth(), match.moves, match.layout))
    for move in (
        "go:cellar",
        "go:vault",
        "unlock:pink",
        "take",
        "keep",
        "activate:nathan",
        "bonus",
        "card:rewind",
        "card:sprint",
        "",
    ):
        with pytest.raises(ValueError, match="illegal move"):
            match.play(move)
    assert (match.truth(), match.moves, match.layout) == before


@pytest.mark.parametrize(
    "layout",
    [
        {"treasures": ["crown_jewels"]},
        {"locations": ["vault", "vault"]},
        {"off": HOUSE.rooms[:7]},
        {"traps": dict.fromkeys(HOUSE.rooms, "saw")},
        {"characters": ["nathan", "nathan"]},
        {"turns": [{"cards": ["sprint", "rewind"]}]},
        {"cards": []},
    ],
)
def test_an_impossible_layout_is_refused(layout: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        Match(2, layout=layout)


def test_each_setting_leaves_its_tiles_out() -> None:
    for setting, minutes in {
        "without_55": {30, 35, 40, 45, 50},
        "all": {30, 35, 40, 45, 50, 55},
        "without_30": {35, 40, 45, 50, 55},
        "without_30_and_55": {35, 40, 45, 50},
    }.items():
        match = Match(2, setting=setting, rng=random.Random(1))
        assert {HOUSE.treasures[tile].minutes for tile in match.layout["treasures"]} == minutes
        assert len(match.layout["treasures"]) == 3 * len(minutes)


def test_a_layout_may_be_cut_short_and_what_it_says_happens() -> None:
    layout: dict[str, Any] = {
        "first": 1,
        "characters": ["leroy"],
        "traps": {"cellar": "console"},
        "off": ["vault"],
        "treasures": ["sabre"],
        "locations": ["study"],
        "turns": [{"dice": {"professor": ["3"]}}],
    }
    for seed in range(20):
        match = Match(3, layout=layout, rng=random.Random(seed))
        assert (
            match.active == 1 and match.characters[0] == "leroy" and match.traps["cellar"] == "console" and "vault" in match.off
        )
        assert match.view(0)["treasures"]["red"] == {"id": "sabre", "room": "study", "clock": 50} and len(match.off) == 6
        assert Counter(match.traps.values()) == {"padlock": 4, "saw": 3, "camera": 2, "laser": 2, "console": 1}
        play(match, "end")
        assert match.view(0)["dice"]["professor"] == "3"
    assert layout["off"] == ["vault"] and layout["turns"] == [{"dice": {"professor": ["3"]}}]


def test_first_player_characters_traps_and_treasures_are_random() -> None:
    rng = random.Random(5)
    matches = [Match(3, setting="all", rng=rng) for _ in range(300)]
    assert Counter(match.active for match in matches).keys() == {0, 1, 2}
    assert {match.characters[0] for match in matches} == set(HOUSE.characters)
    assert {match.on_board("red").treasure for match in matches} == set(HOUSE.treasures)
    assert {match.on_board("blue").room for match in matches} == set(HOUSE.rooms)
    assert {match.traps["vault"] for match in matches} == set(HOUSE.traps) and all(len(match.off) == 6 for match in matches)
    assert set().union(*(match.off for match in matches)) == set(HOUSE.rooms)


def check_position(match: Match) -> None:
    """What holds at any time, whatever was played."""
    view = match.view(None)
    assert all(match.view(seat) == view | {"seat": seat} for seat in range(match.players)) and match.truth() == view
    gone = list(match.layout["treasures"][: match.tiles_gone])
    there = [treasure for treasure in match.treasures.values() if treasure]
    assert sorted(gone) == sorted(match.saved + match.lost + [treasure.treasure for treasure in there])
    assert match.tiles_gone <= 9 and len({treasure.room for treasure in there}) == len(there)
    assert match.professor not in match.places
    if match.is_over:
        assert match.result == ("won" if len(match.saved) == 4 else "lost") and match.legal_moves() == []
        assert len(match.lost) == 4 or len(match.saved) == 4 or match.turn == 100
        return
    assert all(5 <= match.minutes_left(colour) <= 55 for colour in COLOURS)
    moves = match.legal_moves()
    assert moves and len(set(moves)) == len(moves) and match.turn <= 100
    assert match.legal_moves(match.active) == moves and match.legal_moves((match.active + 1) % 7) == []


# Each number of players, and each setting.
OFTEN = {(1, "all"), (2, "without_55"), (3, "without_30"), (4, "without_30_and_55"), (5, "all"), (5, "without_55")}


@pytest.mark.parametrize(
    ("players", "setting"),
    [
        pytest.param(players, setting, marks=[] if (players, setting) in OFTEN else [pytest.mark.slow])
        for players in (1, 2, 3, 4, 5)
        for setting in ("without_55", "all", "without_30", "without_30_and_55")
    ],
)
def test_random_matches_end_within_a_hundred_turns_and_play_again_from_layout_and_moves(players: int, setting: str) -> None:
    rng = random.Random(f"{players} {setting}")
    for _ in range(4):
        match = Match(players, setting=setting, rng=rng)
        stood = [match.copy()]
        while not match.is_over:
            check_position(match)
            match.play(rng.choice(match.legal_moves()))
            stood.append(match.copy())
        check_position(match)
        again = replayed(match)
        assert [position.truth() for position in again] == [position.truth() for position in stood]
        assert again[-1].layout == match.layout


SHIPPED_HOUSE = read_house("house")
CARDS = [(who, card) for who, character in SHIPPED_HOUSE.characters.items() for card in character.cards]


@pytest.mark.parametrize(("who", "card"), CARDS)
def test_each_shipped_card_can_be_played_to_its_end(who: str, card: str) -> None:
    rng = random.Random(card)
    for _ in range(20):
        match = inside(who, card, rng)
        beginnings = [move for move in match.legal_moves() if move.split(":")[:2] == ["card", card]]
        match.play(rng.choice(beginnings))
        while match.phase in ("card", "activate"):
            check_position(match)
            match.play(rng.choice([move for move in match.legal_moves() if not move.endswith("enough")]))
        check_position(match)
        assert match.phase == "act" and match.played == card and len(match.moves) <= 2 * len(match.house.effects(card))
        assert not any(move.startswith("card") for move in match.legal_moves())


@pytest.mark.parametrize("who", SHIPPED_HOUSE.characters)
def test_each_shipped_ability_and_bonus_can_be_used(who: str) -> None:
    rng = random.Random(who)
    card = next(iter(SHIPPED_HOUSE.characters[who].cards))
    match = inside(who, card, rng)
    if SHIPPED_HOUSE.characters[who].ability.do in ("reroll", "choose"):
        match.play("end")
        assert match.phase == "dice" and match.view(0)["rerolls"] + [match.chooses] != [0] * 4
    else:
        match.play(next(move for move in match.legal_moves() if move.startswith("power")))
        assert match.power_used and not any(move.startswith("power") for move in match.legal_moves())
    match = inside(who, card, rng)
    match.play(next(move for move in match.legal_moves() if move.startswith("bonus")))
    assert match.powers == [False, False]


def inside(who: str, card: str, rng: random.Random) -> Match:
    """This character's first turn in the shipped house, in the library, power up, with this card and a door open behind him."""
    characters = [who, next(other for other in SHIPPED_HOUSE.characters if other != who)]
    cards = [card, next(other for other in SHIPPED_HOUSE.characters[who].cards if other != card)]
    layout = {"first": 0, "turns": [{"cards": cards}]}
    match = Match(2, characters=characters, layout=layout, rng=rng)
    match.places[0], match.powers[0] = "library", True
    match.open_doors = {match.house.door("library", "green")}
    match.time = 5
    return markers(match, red=45, green=45, blue=45)


@pytest.mark.slow
def test_matches_in_wild_houses_keep_the_same_rules_and_end() -> None:
    rng = random.Random(21)
    asked: set[tuple[str, Any]] = set()
    for number in range(30):
        match = Match(1 + number % 5, deck=wild_tables(rng), rng=rng)
        while not match.is_over:
            check_position(match)
            asked.add((match.phase, match.under_way and match.under_way.source))
            match.play(rng.choice(match.legal_moves()))
        check_position(match)
        assert replayed(match)[-1].truth() == match.truth()
    assert {("activate", "bonus"), ("card", "bonus"), ("activate", None), ("dice", None)} <= asked


def test_matches_that_turn_the_clock_back_for_ever_end_after_a_hundred_turns() -> None:
    # With dice that hardly move the time, nothing else would end this.
    tables = tomllib.loads(SHIPPED.read_text("utf-8"))
    tables["dice"]["clock"]["faces"] = [5]
    tables["dice"]["professor"]["faces"] = ["1"]
    for character in tables["characters"]:
        for card in character["cards"]:
            card["effects"] = [{"do": "time_back", "minutes": 5}]
    match = Match(1, deck=tables, rng=random.Random(1))
    while not match.is_over:
        moves = match.legal_moves()
        match.play(next((move for move in moves if move.startswith(("card", "activate"))), "end"))
    assert match.turn == 100 and match.lost == [] and match.result == "lost"
