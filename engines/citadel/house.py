"""The house of citadel as data: rooms, traps, treasures, dice, characters and settings, read from TOML and checked."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from types import SimpleNamespace
from typing import Any

from machiavel.engines import fields
from machiavel.engines.citadel.exits import COLOURS, Door, read_doors
from machiavel.engines.citadel.lists import EFFECTS, OF_DICE, PHRASES, Ability, EffectList, EffectRow, NamedEffect
from machiavel.engines.decks import Deck, read_deck
from machiavel.engines.fields import Item, Items, Kind, ListOf, Number, RecordOf, Text, Type
from machiavel.engines.looks import LinkEnd, ThingLook
from machiavel.engines.phrases import typeset
from machiavel.engines.plugin import Rules

__all__ = ["COLOURS", "DIE_FACES", "FACES", "ROOM", "TOKENS", "TRAP", "House", "Names", "Tables", "ids", "load_house"]

# In the order of the engine's enumerations.
DIE_FACES: Mapping[str, Sequence[Any]] = {
    "professor": ("1", "2", "3", "passage", "5", "10"),
    "colour": COLOURS,
    "clock": (5, 10),
}

ROOMS, CHARACTERS, DECK = 12, 5, 6
TOKENS = ThingLook("token")
MOST_TYPES, MOST_TILES, MOST_WINDOWS, MOST_GUARDS, MOST_COST = 8, 32, 6, 3, 3
TILES_USED = 9  # three at the start, three saved and three lost after them: the seventh ends the match
RESERVED = ("blue", "enough", "green", "red")  # they stand where an id might in the notation

Names = Mapping[str, tuple[str, ...]]  # by language


@dataclass(frozen=True, eq=False)
class House:
    """Everything that can be on the table. Ids are tuples in the order of the file, by which the engine counts."""

    rooms: tuple[str, ...]
    room_names: Names
    places: tuple[tuple[int, int], ...]  # row and column on a map
    exits: tuple[tuple[int, ...], ...]  # where they lead, by room and colour
    doors: tuple[Door, ...]
    windows: tuple[int, ...]
    start: int
    types: tuple[str, ...]  # of traps
    type_names: Names
    traps: tuple[int, ...]  # a type for each tile
    treasures: tuple[str, ...]
    treasure_names: Names
    articles: Mapping[str, Names]  # of rooms, traps and treasures, for sentences
    tiles: tuple[tuple[int, tuple[int, ...]], ...]  # minutes and types
    dice: tuple[tuple[int, ...], ...]  # faces of professor, colour and clock, by the engine's numbers
    settings: Mapping[str, tuple[int, ...]]  # the tiles that each leaves in
    characters: tuple[str, ...]
    character_names: Names
    cards: tuple[str, ...]  # six for each character
    card_names: Names
    lists: tuple[EffectList, ...]  # of effects: of each card, then of each bonus
    abilities: tuple[Ability, ...]

    @cached_property
    def door_names(self) -> Mapping[str, str]:
        """The name of each door, as `study:red`, with what it is called from its other side."""
        names = [[f"{self.rooms[room]}:{COLOURS[colour]}" for room, colour in sides] for sides in self.doors]
        return {sides[0]: sides[1] for sides in names}

    @cached_property
    def door_ends(self) -> Mapping[str, tuple[LinkEnd, LinkEnd]]:
        """The two rooms that each door joins, with its colour in either."""
        ends = [tuple(LinkEnd(self.rooms[room], COLOURS[colour]) for room, colour in sides) for sides in self.doors]
        return {name: (first, second) for name, (first, second) in zip(self.door_names, ends, strict=True)}

    @cached_property
    def digest(self) -> str:
        """Of what changes how a record replays: names, articles, provenance and the places on the map do not."""
        content = [
            *(self.rooms, self.exits, self.windows, self.start, self.types, self.traps, self.treasures, self.tiles, self.dice),
            *(self.characters, self.cards, self.lists, self.abilities),
            self.settings,
        ]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()


@dataclass(frozen=True)
class Tables:
    """What the texts of one set of rules need."""

    house: House
    setting: str = ""
    characters: tuple[int, ...] | None = None  # by seat, where the option says it


def load_house(option: object) -> tuple[House, str | Mapping[str, Any]]:
    """The house that an option means, and the option as a record keeps it; raises BadDeck."""
    if isinstance(option, str):
        return shipped_house(option)[1], option
    tables, house = parsed_house(option)
    return house, json.loads(json.dumps(tables, default=str))


def parsed_house(option: object) -> tuple[Mapping[str, Any], House]:
    source, tables = read_deck("machiavel.engines.citadel", option)
    return tables, read_house(Deck(source, tables, PHRASES))


# What is shipped does not change while we run, and is asked for at every new match.
shipped_house = cache(parsed_house)


# ---- What a file holds ----


def face(known: Sequence[Any]) -> Kind:
    known_texts = ", ".join(map(repr, known))
    return Kind.fixed("face", known, lambda _: PHRASES.wording("problems.faces", known=known_texts), look=ThingLook("die"))


def text(key: str) -> Text:
    return Text(lambda _: PHRASES.wording(f"problems.{key}"))


def entry(types: Mapping[str, Type], optional: Sequence[str] = ()) -> RecordOf:
    """What is told of one thing of the house, besides what is told of each."""
    every = {"id": text("an_id"), "en": text("english"), "fr": text("french"), "provenance": text("provenance")}
    return RecordOf({**every, **types}, optional)


def in_sentences(types: Mapping[str, Type], optional: Sequence[str] = ()) -> RecordOf:
    """An entry with its articles."""
    return entry({**types, "en_article": text("english_article"), "fr_article": text("french_article")}, (*optional, *ARTICLES))


def ids(name: str) -> Callable[[Rules], tuple[str, ...]]:
    return lambda rules: tuple(getattr(rules.tables.house, name))


def spots(rules: Rules) -> Mapping[str, tuple[int, int]]:
    house: House = rules.tables.house
    return dict(zip(house.rooms, house.places, strict=True))


ROOM = Kind.listed("room", ids("rooms"), look=ThingLook("place", spots=spots))
TRAP = Kind.listed("trap", ids("types"), look=TOKENS)
ARTICLES = {"en_article": "the", "fr_article": ""}
FACES = {die: face(known) for die, known in DIE_FACES.items()}
PLACE = fields.PairOf(Number(0, ROOMS - 1), Number(0, ROOMS - 1), name="[row, column]")
EXITS = dict.fromkeys(COLOURS, Item(ROOM))
CARD = entry({"effects": EffectRow()})
POWER = RecordOf({"cost": Number(0, MOST_COST), "effect": NamedEffect(is_counted=False)})
CHARACTER = entry({"name": text("full_name"), "power": POWER, "bonus": EffectRow(), "cards": ListOf(CARD, count=DECK)})
TREASURE = in_sentences({"minutes": Number(5, 55, step=5), "traps": Items(TRAP, is_distinct=True, any_order=True)})
FILE = RecordOf(
    {
        "name": text("house_name"),
        "rooms": ListOf(in_sentences({**EXITS, "window": fields.Flag(), "place": PLACE}, ("window", "place")), count=ROOMS),
        "professor": RecordOf({"room": Item(ROOM), "provenance": text("provenance")}),
        "traps": ListOf(in_sentences({"count": Number(1, ROOMS)}), least=1, longest=MOST_TYPES),
        "treasures": ListOf(TREASURE, least=TILES_USED, longest=MOST_TILES),
        "characters": ListOf(CHARACTER, count=CHARACTERS),
        "dice": RecordOf(
            {die: RecordOf({"faces": Items(kind, count=6), "provenance": text("provenance")}) for die, kind in FACES.items()}
        ),
        "settings": ListOf(entry({"without": ListOf(Number())}), least=1),
    }
)


def read_house(deck: Deck) -> House:
    named = {name: deck.ids(name, RESERVED) for name in ("rooms", "traps", "treasures", "settings", "characters")}
    cards = deck.ids("characters.cards", RESERVED)
    told = deck.values(FILE, Tables(SimpleNamespace(rooms=named["rooms"], types=named["traps"])))  # type: ignore[arg-type]
    rooms, cast, types = told["rooms"], told["characters"], named["traps"]
    windows = tuple(number for number, room in enumerate(rooms) if room.get("window"))
    exits = tuple(tuple(room[colour] for colour in COLOURS) for room in rooms)
    doors = read_doors(deck, named["rooms"], exits)
    deck.expect(1 <= len(windows) <= MOST_WINDOWS, "rooms", "windows", count=len(windows), most=MOST_WINDOWS)
    traps = tuple(kind for kind, trap in enumerate(told["traps"]) for _ in range(trap["count"]))
    deck.expect(len(traps) == ROOMS, "traps", "trap_tiles", count=len(traps), expected=ROOMS)
    for number, tile in enumerate(told["treasures"]):
        is_so = 1 <= len(tile["traps"]) <= MOST_GUARDS
        deck.expect(
            is_so, f"treasures[{number}].traps", "guards", count=len(tile["traps"]), most=MOST_GUARDS, known=", ".join(types)
        )
    tiles = tuple((tile["minutes"], tuple(tile["traps"])) for tile in told["treasures"])
    hands = [card for character in cast for card in character["cards"]]
    return House(
        rooms=named["rooms"],
        room_names=names(rooms),
        places=tuple(tuple(room.get("place", divmod(number, 3))) for number, room in enumerate(rooms)),
        exits=exits,
        doors=doors,
        windows=windows,
        start=told["professor"]["room"],
        types=types,
        type_names=names(told["traps"]),
        traps=traps,
        treasures=named["treasures"],
        treasure_names=names(told["treasures"]),
        articles={kind: articles(told[key]) for kind, key in (("room", "rooms"), ("trap", "traps"), ("treasure", "treasures"))},
        tiles=tiles,
        dice=tuple(tuple(die["faces"]) for die in told["dice"].values()),
        settings=dict(zip(named["settings"], read_settings(deck, told["settings"], tiles), strict=True)),
        characters=named["characters"],
        character_names=dict.fromkeys(("en", "fr"), tuple(character["name"] for character in cast)),
        cards=cards,
        card_names=names(hands),
        lists=(*(card["effects"] for card in hands), *(character["bonus"] for character in cast)),
        abilities=tuple(read_ability(deck, number, character["power"]) for number, character in enumerate(cast)),
    )


def names(entries: Sequence[Mapping[str, str]]) -> Names:
    return {language: tuple(typeset(one[language], language) for one in entries) for language in ("en", "fr")}


def articles(entries: Sequence[Mapping[str, str]]) -> Names:
    return {name[:2]: tuple(one.get(name, usual) for one in entries) for name, usual in ARTICLES.items()}


def read_settings(deck: Deck, entries: Sequence[Mapping[str, Any]], tiles: Sequence[tuple[int, Any]]) -> list[tuple[int, ...]]:
    result, known = [], sorted({minutes for minutes, _ in tiles})
    for number, setting in enumerate(entries):
        key, without = f"settings[{number}].without", setting["without"]
        deck.expect(set(without) <= set(known), key, "minutes_left_out", without=without, known=", ".join(map(str, known)))
        left = tuple(tile for tile, (minutes, _) in enumerate(tiles) if minutes not in without)
        deck.expect(len(left) >= TILES_USED, key, "too_few_left", count=len(left), least=TILES_USED)
        result.append(left)
    return result


def read_ability(deck: Deck, character: int, power: Mapping[str, Any]) -> Ability:
    (effect, _), cost, key = power["effect"], power["cost"], f"characters[{character}].power"
    name = EFFECTS[effect[0]]
    deck.expect(name != "time_on", f"{key}.effect.do", "time_on_power")
    deck.expect(name not in OF_DICE or not cost, f"{key}.cost", "cost_of_dice", cost=cost, effect=name)
    return effect, cost
