"""Houses of one's own: what is read, and what is refused with file, key and what would be right."""

import copy
import json
from collections.abc import Callable, Sequence
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

from machiavel.engines import BadDeck, BadOption
from tests.conformance.cases import CURIOUS
from tests.engines.citadel.table import GAME, house_tables, play, seen

Tables = dict[str, Any]


def changed(change: Callable[[Tables], Any]) -> Tables:
    house = copy.deepcopy(house_tables())
    change(house)
    return house


def room(house: Tables, name: str) -> Tables:
    return next(one for one in house["rooms"] if one["id"] == name)


def card(house: Tables, name: str) -> Tables:
    return next(one for character in house["characters"] for one in character["cards"] if one["id"] == name)


REFUSED: dict[str, tuple[Callable[[Tables], Any], str, str]] = {
    "a room less": (lambda h: h["rooms"].pop(), "rooms", "are 11; expected 12"),
    "a room without three doors": (
        lambda h: room(h, "vault").pop("blue"),
        "rooms[10].blue",
        "is missing; expected one of main_hall",
    ),
    "two doors to one room": (lambda h: room(h, "vault").update(red="study"), "rooms[10].green", "three doors to three rooms"),
    "a door to nowhere": (lambda h: room(h, "vault").update(red="attic"), "rooms[10].red", "'attic'; expected one of main_hall"),
    "a door to itself": (lambda h: room(h, "vault").update(red="vault"), "rooms[10].red", "to itself"),
    "a door with one side": (lambda h: room(h, "main_hall").update(red="vault"), "rooms[0].red", "no exit leads back"),
    "no permutation": (
        lambda h: room(h, "study").update(red="vault", blue="observatory"),
        "rooms[9].blue",
        "each room reached once by each colour",
    ),
    "a cycle of two": (lambda h: h.update(rooms=prism(h["rooms"])), "rooms[0].red", "joined by red both ways"),
    "no window": (lambda h: [one.pop("window", None) for one in h["rooms"]], "rooms", "have 0 windows; expected 1 to 6"),
    "a room twice": (lambda h: room(h, "vault").update(id="study"), "rooms[10].id", "'study' again"),
    "an id that is a colour": (lambda h: room(h, "vault").update(id="red"), "rooms[10].id", "none of blue, enough, green, red"),
    "an id in capitals": (lambda h: room(h, "vault").update(id="Vault"), "rooms[10].id", "small letters"),
    "a strange place": (lambda h: room(h, "vault").update(place=[1]), "rooms[10].place", "[row, column]"),
    "the professor elsewhere": (lambda h: h["professor"].update(room="attic"), "professor.room", "'attic'; expected one of"),
    "a type without tiles": (lambda h: h["traps"][4].update(count=0), "traps[4].count", "from 1 to 12"),
    "too many traps": (lambda h: h["traps"][0].update(count=5), "traps", "are 13 tiles; expected 12"),
    "a treasure with a strange trap": (
        lambda h: h["treasures"][0].update(traps=["dog"]),
        "treasures[0].traps",
        "holds 'dog'; expected some of padlock",
    ),
    "a treasure without a trap": (lambda h: h["treasures"][0].update(traps=[]), "treasures[0].traps", "1 to 3"),
    "minutes between spaces": (lambda h: h["treasures"][0].update(minutes=31), "treasures[0].minutes", "a multiple of 5"),
    "too many minutes": (lambda h: h["treasures"][0].update(minutes=60), "treasures[0].minutes", "from 5 to 55"),
    "too few treasures": (lambda h: h.update(treasures=h["treasures"][:8]), "treasures", "are 8; expected 9 to 32"),
    "a setting too hard": (
        lambda h: h["settings"][0].update(without=[30, 35, 40, 45]),
        "settings[0].without",
        "leaves 6 treasures; expected at least 9",
    ),
    "a setting without what is not there": (lambda h: h["settings"][0].update(without=[25]), "settings[0].without", "30, 35, 40"),
    "no setting": (lambda h: h.update(settings=[]), "settings", "at least 1"),
    "a die of five faces": (
        lambda h: h["dice"]["clock"].update(faces=[5, 5, 5, 5, 10]),
        "dice.clock.faces",
        "expected a list of 6",
    ),
    "a strange face": (lambda h: h["dice"]["professor"].update(faces=["4"] * 6), "dice.professor.faces", "'passage'"),
    "four characters": (lambda h: h["characters"].pop(), "characters", "are 4; expected 5"),
    "five cards": (lambda h: h["characters"][1]["cards"].pop(), "characters[1].cards", "are 5; expected 6"),
    "a card twice": (lambda h: card(h, "joker").update(id="sprint"), "characters[4].cards[5].id", "'sprint' again"),
    "a card with no effect": (
        lambda h: card(h, "joker").update(effects=[]),
        "characters[4].cards[5].effects",
        "expected one effect at least",
    ),
    "a card that is too long": (
        lambda h: card(h, "joker").update(effects=[{"do": "step", "count": 8}, {"do": "leap"}]),
        "characters[4].cards[5].effects",
        "are 9; expected at most 8",
    ),
    "an unknown effect": (
        lambda h: card(h, "joker").update(effects=[{"do": "fly"}]),
        "characters[4].cards[5].effects[0].do",
        "'fly'; expected one of step",
    ),
    "an effect without its minutes": (
        lambda h: card(h, "joker").update(effects=[{"do": "time_back"}]),
        "characters[4].cards[5].effects[0].minutes",
        "is missing; expected a multiple of 5 from 5 to 30",
    ),
    "minutes of an effect that has none": (
        lambda h: card(h, "joker").update(effects=[{"do": "step", "minutes": 5}]),
        "characters[4].cards[5].effects[0].minutes",
        "is unknown; fields here: do, count",
    ),
    "a bonus without effect": (lambda h: h["characters"][2].update(bonus=[]), "characters[2].bonus", "is empty"),
    "an ability that moves the clock on": (
        lambda h: h["characters"][2]["power"].update(effect={"do": "time_on", "minutes": 5}),
        "characters[2].power.effect.do",
        "does not turn powers up",
    ),
    "dice for actions": (lambda h: h["characters"][4]["power"].update(cost=1), "characters[4].power.cost", "expected 0"),
    "no provenance": (
        lambda h: card(h, "joker").pop("provenance"),
        "characters[4].cards[5].provenance",
        "where the entry is known from",
    ),
    "no French": (lambda h: room(h, "vault").pop("fr"), "rooms[10].fr", "the name in French"),
    "an unknown key": (lambda h: h.update(cellar=1), "cellar", "is unknown; fields here: name, rooms"),
}


def prism(rooms: list[Tables]) -> list[Tables]:
    """The house with its spokes all red: each joins two rooms by red both ways."""
    inner = dict(zip([0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11], strict=True))
    names = [one["id"] for one in rooms]
    ring = {outer: (names[(outer + 1) % 6], names[(outer - 1) % 6]) for outer in range(6)}
    result = []
    for number, one in enumerate(rooms):
        outer = number % 6
        ahead, behind = ring[outer] if number < 6 else (names[6 + (outer + 1) % 6], names[6 + (outer - 1) % 6])
        opposite = names[inner[outer]] if number < 6 else names[outer]
        result.append(one | {"red": opposite, "green": ahead, "blue": behind})
    return result


@pytest.mark.parametrize("name", REFUSED)
def test_a_house_that_breaks_a_constraint_is_refused(name: str, tmp_path: Path) -> None:
    change, key, problem = REFUSED[name]
    with pytest.raises(BadDeck) as caught:
        GAME.new(2, deck=changed(change))
    assert caught.value.key == key
    assert problem in str(caught.value)


def colouring(links: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Some way to colour the three exits of each room so that every colour is a permutation without a cycle of two."""
    for exits in product(*(permutations(one) for one in links)):
        ways = [[one[colour] for one in exits] for colour in range(3)]
        if all(len(set(way)) == len(way) and all(way[way[room]] != room for room in range(len(way))) for way in ways):
            return list(exits)
    raise AssertionError("there is none")


def test_two_houses_in_one_are_refused() -> None:
    """Two of six rooms each, three joined to the other three, and no way between them."""
    exits = colouring([(3, 4, 5)] * 3 + [(0, 1, 2)] * 3)

    def split(house: Tables) -> None:
        names = [one["id"] for one in house["rooms"]]
        for number, one in enumerate(house["rooms"]):
            half = 6 * (number // 6)
            one.update({colour: names[half + to] for colour, to in zip(("red", "green", "blue"), exits[number % 6], strict=True)})

    with pytest.raises(BadDeck, match="rooms: fall apart: no way leads from main_hall to laboratory"):
        GAME.new(1, deck=changed(split))


def test_a_file_is_named_in_its_error(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\n', encoding="utf-8")
    with pytest.raises(BadDeck, match=r"mine\.toml: rooms: is missing"):
        GAME.new(1, deck=path)
    path.write_text("name = ", encoding="utf-8")
    with pytest.raises(BadDeck, match="is no TOML"):
        GAME.new(1, deck=path)
    with pytest.raises(BadOption, match="one of house"):
        GAME.new(1, deck="mansion")


def test_names_and_provenance_do_not_change_how_a_record_replays() -> None:
    def rename(house: Tables) -> None:
        house["name"] = "mine"
        for one in house["rooms"]:
            one.update(en="a room", fr="une pièce", place=[0, 0], provenance="mine")

    mine = GAME.make_rules(2, deck=changed(rename)).tables.house
    assert mine.digest == GAME.make_rules(2).tables.house.digest
    other = GAME.make_rules(2, deck=changed(lambda house: house["treasures"][0].update(minutes=35))).tables.house
    assert other.digest != mine.digest


def test_a_house_of_ones_own_is_played_in_and_goes_into_the_record() -> None:
    state = GAME.new(2, seed=5, deck=CURIOUS)
    play(state, *[state.legal_moves()[0]])
    again = GAME.replay(type(state.record()).from_json(json.dumps(state.record().to_json())))
    assert again.to_bytes() == state.to_bytes()
    assert state.record().to_json()["options"]["deck"]["name"] == "curious"


def test_a_setting_of_ones_own_is_the_default_where_it_comes_first() -> None:
    def add(house: Tables) -> None:
        mine = {"id": "mine", "en": "mine", "fr": "le mien", "without": [30, 35], "provenance": "mine"}
        house["settings"].insert(0, mine)

    state = GAME.new(1, seed=1, deck=changed(add))
    assert state.rules.options["setting"] == "mine"
    assert all(treasure["clock"] >= 40 for treasure in seen(state)["treasures"].values())
