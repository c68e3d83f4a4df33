"""Decks, layouts, moves as texts, options: what comes from outside is checked."""

import json
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from machiavel.engines import LANGUAGES, BadDeck, BadLayout, BadOption, IllegalMove, MissingLuck, NotAMove
from machiavel.engines.bond.schema import MOVES
from tests.engines.bond.table import GAME, LAIRS, SPIES, full_layout, lay, play, seen, truth

HOUSE_FILE = files("machiavel.engines.bond") / "decks" / "house.toml"


def house() -> dict[str, Any]:
    return tomllib.loads(HOUSE_FILE.read_text(encoding="utf-8"))


def test_the_house_deck_is_the_one_of_the_rules_and_says_where_each_card_comes_from() -> None:
    tables = house()
    assert {entry["value"]: entry["count"] for entry in tables["lairs"]} == LAIRS
    assert {entry["value"]: entry["count"] for entry in tables["spies"]} == SPIES
    assert all(entry["provenance"] for entry in (*tables["lairs"], *tables["spies"], tables["doublers"]))


def test_a_deck_of_ones_own_is_played_from_tables_and_from_a_file(tmp_path: Path) -> None:
    tables = house() | {"lairs": [{"value": 15, "count": 18, "provenance": "mine"}]}
    state = GAME.new(2, seed=1, deck=tables)
    assert set(truth(state)["pile"]["lairs"]) == {15}
    assert GAME.replay(state.record()).truth() == state.truth()
    file = tmp_path / "mine.toml"
    lines = HOUSE_FILE.read_text(encoding="utf-8").replace('name = "house"', 'name = "mine"')
    file.write_text(lines, encoding="utf-8")
    assert GAME.make_rules(2, deck=file).digest == GAME.make_rules(2).digest  # a name changes no match
    assert GAME.new(2, seed=1, deck=file).truth() == GAME.new(2, seed=1).truth()


BAD_DECKS: dict[str, tuple[dict[str, Any], str]] = {
    "lairs": ({"lairs": [{"value": 2, "count": 17, "provenance": "x"}]}, "are 17; expected 18"),
    "spies": ({"spies": [{"value": 2, "count": 18, "provenance": "x"}, {"value": 3, "count": 1, "provenance": "x"}]}, "are 19"),
    "lairs[0].value": ({"lairs": [{"value": 16, "count": 18, "provenance": "x"}]}, "from 1 to 15"),
    "spies[0].value": ({"spies": [{"value": 0, "count": 18, "provenance": "x"}]}, "from 1 to 15"),
    "spies[0].provenance": ({"spies": [{"value": 3, "count": 18}]}, "is missing"),
    "doublers.letters": ({"doublers": {"letters": "ABCDEFGHJ", "copies": 2, "provenance": "x"}}, "ABCDEFGHI"),
    "doublers.copies": ({"doublers": {"letters": "ABCDEFGHI", "copies": 3, "provenance": "x"}}, "from 2 to 2"),
    "agents": ({"agents": []}, "is unknown"),
}


@pytest.mark.parametrize("key", BAD_DECKS)
def test_a_deck_that_cannot_be_is_refused_with_its_key(key: str) -> None:
    changes, words = BAD_DECKS[key]
    with pytest.raises(BadDeck, match=words) as caught:
        GAME.new(2, deck=house() | changes)
    assert caught.value.key == key


def test_only_the_deck_is_an_option() -> None:
    with pytest.raises(BadOption, match="deck"):
        GAME.new(2, powers=True)
    with pytest.raises(BadOption, match="house"):
        GAME.new(2, deck="no such deck")


def test_luck_may_be_laid_out_in_part_and_the_seed_gives_the_rest() -> None:
    full = full_layout(3, ["spy:8 lair:4"], "lair:3 spy:2", bottom="", first=1, steals=[])
    for part in (
        {},
        {"first": 2},
        {"hands": full["hands"][:1]},
        {"hands": [full["hands"][0][:2]]},
        {"pile": ["lair:1", "spy:2"]},
    ):
        state = GAME.new(3, seed=5, layout=part)
        assert GAME.replay(state.record()).truth() == state.truth()
        if "hands" in part:
            assert {4} <= set(truth(state)["hands"][0]["lairs"]) and 8 in truth(state)["hands"][0]["spies"]
        if "pile" in part:
            assert 1 in truth(state)["hands"][seen(state)["turn"]]["lairs"] and seen(state)["pile"]["top"] == "spy"


def test_without_a_seed_what_is_not_laid_out_is_asked_for() -> None:
    full = full_layout(2, ["lair:4", "spy:3"], "", bottom="", first=0, steals=[])
    for part, missing in (("first", "first"), ("hands", r"hands\[0\]\[0\]"), ("pile", r"pile\[0\]")):
        with pytest.raises(MissingLuck, match=missing):
            GAME.new(2, layout={name: value for name, value in full.items() if name != part})
    with pytest.raises(MissingLuck, match=r"steals\[0\]"):
        lay(2, ["lair:4", "spy:3"], moves="lair:4 steal:1>0")
    with pytest.raises(BadLayout, match=r"steals\[0\].*does not hold"):
        lay(2, ["lair:4", "spy:3"], steals=[8], moves="lair:4 steal:1>0")


BAD_LAYOUTS: dict[str, tuple[dict[str, Any], str]] = {
    "first": ({"first": 2}, "0 to 1"),
    "hands": ({"hands": [[], [], []]}, "at most 2"),
    "hands[0]": ({"hands": [["lair:4"] * 7]}, "at most 6"),
    "hands[1]": ({"hands": [[], ["spy:9"]]}, "spy:8"),
    "pile": ({"pile": ["spy:8", "spy:8", "spy:8"]}, "3 times; the deck has 2"),
    "steals[0]": ({"steals": [9]}, "value of a spy"),
    "rounds": ({"rounds": []}, "unknown"),
}


@pytest.mark.parametrize("field", BAD_LAYOUTS)
def test_a_layout_that_cannot_be_is_refused_with_its_field(field: str) -> None:
    layout, words = BAD_LAYOUTS[field]
    with pytest.raises(BadLayout, match=words) as caught:
        GAME.new(2, seed=1, layout=layout)
    assert caught.value.field == field


def test_more_luck_can_be_laid_out_on_the_way() -> None:
    layout = full_layout(2, ["lair:4", "spy:3 spy:2"], "", bottom="", first=0, steals=[])
    state = GAME.new(2, layout=layout)
    play(state, "lair:4")
    state.lay_out(layout | {"steals": [2]})
    assert seen(play(state, "steal:1>0"))["attack"]["spies"] == [2]


def test_moves_may_be_written_with_capitals_and_spaces() -> None:
    state = lay(2, ["lair:4 spy:3 doubler:C"])
    for move in ("LAIR: 4", "Spy:3 > 0", "taunt:c"):
        state.play(move)
    assert state.moves == ("lair:4", "spy:3>0", "taunt:C")


@pytest.mark.parametrize(
    "text", ["lair:9", "spy:5", "spy:5>2", "spy:9>0", "steal:2>0", "deck", "add", "taunt:J", "kill:3", "foil>0"]
)
def test_what_is_no_move_with_these_cards_and_seats_is_said_so(text: str) -> None:
    with pytest.raises(NotAMove, match="lair:3"):
        lay(2).play(text)


def test_a_refusal_says_why() -> None:
    hands = ["lair:4 spy:3 spy:2 doubler:A", "lair:3 spy:5 doubler:A"]
    why = {
        "lair:1": "lair 1 is not in the hand",
        "end": "first say whether you play a lair",
        "kill": "whether you play a lair",
    }
    state = lay(2, ["lair:4 lair:4 lair:4 spy:3 spy:2 doubler:A", *hands[1:]], "doubler:I")
    for move, words in why.items():
        with pytest.raises(IllegalMove, match=words):
            state.play(move)
    play(state, "lair:4")
    for move, words in {
        "spy:3>1": "seat 1 has no lair",
        "spy:8>0": "spy 8 is not in the hand",
        "steal:0>0": "from others",
        "deck>0": "no spy lies on top",
        "go": "whether you send a spy",
    }.items():
        with pytest.raises(IllegalMove, match=words):
            state.play(move)
    play(state, "spy:3>0")
    with pytest.raises(IllegalMove, match="Doubler B is not in the hand"):
        state.play("taunt:B")
    play(state, "taunt:A foil lair:3 end skip spy:2>1")
    with pytest.raises(IllegalMove, match="the last was 2"):
        state.play("add:3")


def test_every_move_has_a_label_in_both_languages() -> None:
    plugin, rules = GAME.plugin, GAME.make_rules(6)
    moves = MOVES.table(rules).texts
    for language in LANGUAGES:
        labels = [plugin.move_label(rules, move, language) for move in moves]
        assert len(set(labels)) == len(moves) and all(labels)
    assert max(moves) < 242 and json.dumps(sorted(moves.values()))
