"""The house of citadel as data: rooms, traps, treasures, dice, characters and settings, read from TOML and checked."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from machiavel.engines.citadel.exits import COLOURS, Exits, read_exits
from machiavel.engines.citadel.lists import Ability, EffectList, read_ability, read_list
from machiavel.engines.decks import DeckReader, read_deck

__all__ = ["CLOCK_FACES", "COLOURS", "PROFESSOR_FACES", "SPACES", "House", "Names", "Setting", "load_house"]

# In the order of the engine's enumerations.
PROFESSOR_FACES = ("1", "2", "3", "passage", "5", "10")
CLOCK_FACES = (5, 10)

ROOMS, CHARACTERS, DECK, FACES, SPACES = 12, 5, 6, 6, 12
MOST_TYPES, MOST_TILES, MOST_WINDOWS = 8, 32, 6
TILES_USED = 9  # three at the start, three saved and three lost after them: the seventh ends the match
NAME = re.compile(r"[a-z][a-z0-9_]*")
RESERVED = {*COLOURS, "enough"}  # they stand where an id might in the notation

Names = Mapping[str, tuple[str, ...]]  # by language


@dataclass(frozen=True)
class Setting:
    """How hard it is: the tiles left in, and what it is called by language."""

    tiles: tuple[int, ...]
    names: Mapping[str, str]


@dataclass(frozen=True)
class House:
    """Everything that can be on the table. Ids are tuples in the order of the file, by which the engine counts."""

    name: str
    rooms: tuple[str, ...]
    room_names: Names
    places: tuple[tuple[int, int], ...]  # row and column on a map
    ways: Exits
    windows: tuple[int, ...]
    start: int
    types: tuple[str, ...]  # of traps
    type_names: Names
    traps: tuple[int, ...]  # a type for each tile
    treasures: tuple[str, ...]
    treasure_names: Names
    tiles: tuple[tuple[int, tuple[int, ...]], ...]  # minutes and types
    dice: tuple[tuple[int, ...], ...]  # faces of professor, colour and clock, by the engine's numbers
    settings: Mapping[str, Setting]
    characters: tuple[str, ...]
    character_names: Names
    titles: Names
    cards: tuple[str, ...]  # six for each character
    card_names: Names
    lists: tuple[EffectList, ...]  # of effects: of each card, then of each bonus
    abilities: tuple[Ability, ...]

    @property
    def exits(self) -> tuple[tuple[int, ...], ...]:
        return self.ways.exits

    @property
    def doors(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        return self.ways.doors

    @cached_property
    def digest(self) -> str:
        """Of what changes how a record replays: names, provenance and the places on the map do not."""
        content = [
            *(self.rooms, self.exits, self.windows, self.start, self.types, self.traps, self.treasures, self.tiles, self.dice),
            *(self.characters, self.cards, self.lists, self.abilities),
            {name: setting.tiles for name, setting in self.settings.items()},
        ]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def load_house(option: object) -> tuple[House, str | Mapping[str, Any]]:
    """The house that an option means, and the option as a record keeps it; raises BadDeck."""
    if isinstance(option, str):
        return shipped_house(option)[1], option
    tables, house = parsed_house(option)
    return house, json.loads(json.dumps(tables, default=str))


def parsed_house(option: object) -> tuple[Mapping[str, Any], House]:
    source, tables = read_deck("machiavel.engines.citadel", option)
    reader = DeckReader(source, tables)
    house = read_house(reader)
    reader.done()
    return tables, house


# What is shipped does not change while we run, and is asked for at every new match.
shipped_house = cache(parsed_house)


# ---- Reading ----


def read_house(reader: DeckReader) -> House:
    name = reader.text("name", "a name")
    entries = reader.tables("rooms", f"an array of {ROOMS} tables, one a room")
    if len(entries) != ROOMS:
        raise reader.bad("rooms", f"are {len(entries)}; expected {ROOMS}")
    rooms = read_ids(entries)
    room_names = read_names(entries)
    ways = read_exits(reader, entries, rooms)
    windows = tuple(number for number, entry in enumerate(entries) if entry.take("window", bool, "true or false", False))
    if not 1 <= len(windows) <= MOST_WINDOWS:
        raise reader.bad("rooms", f"have {len(windows)} windows; expected 1 to {MOST_WINDOWS} rooms with `window = true`")
    places = tuple(read_place(entry, number) for number, entry in enumerate(entries))
    finish(entries)
    professor = reader.table("professor", "a table with room and provenance")
    start = rooms.index(professor.choice("room", rooms))
    finish([professor])
    types, type_names, traps = read_traps(reader)
    treasures, treasure_names, tiles = read_treasures(reader, types)
    cast = reader.tables("characters", f"an array of {CHARACTERS} tables, one a character")
    if len(cast) != CHARACTERS:
        raise reader.bad("characters", f"are {len(cast)}; expected {CHARACTERS}")
    characters = read_ids(cast)
    full = tuple(entry.text("name", "the character's name") for entry in cast)
    titles = read_names(cast)
    decks = [read_cards(entry) for entry in cast]
    cards = read_ids([card for deck in decks for card in deck])
    card_names = read_names([card for deck in decks for card in deck])
    lists = [read_list(card, "effects") for deck in decks for card in deck]
    lists += [read_list(entry, "bonus") for entry in cast]
    abilities = tuple(read_ability(entry) for entry in cast)
    finish([*cast, *(card for deck in decks for card in deck)])
    return House(
        name=name,
        rooms=rooms,
        room_names=room_names,
        places=places,
        ways=ways,
        windows=windows,
        start=start,
        types=types,
        type_names=type_names,
        traps=traps,
        treasures=treasures,
        treasure_names=treasure_names,
        tiles=tiles,
        dice=read_dice(reader),
        settings=read_settings(reader, tiles),
        characters=characters,
        character_names={"en": full, "fr": full},
        titles=titles,
        cards=cards,
        card_names=card_names,
        lists=tuple(lists),
        abilities=abilities,
    )


def read_ids(entries: list[DeckReader]) -> tuple[str, ...]:
    result: list[str] = []
    for entry in entries:
        name = entry.text("id", "an id")
        if not NAME.fullmatch(name) or name in RESERVED:
            expected = f"small letters, digits and _, and none of {', '.join(sorted(RESERVED))}"
            raise entry.bad("id", f"is {name!r}; expected {expected}")
        if name in result:
            raise entry.bad("id", f"is {name!r} again; each id once")
        result.append(name)
    return tuple(result)


def read_names(entries: list[DeckReader]) -> Names:
    return {
        "en": tuple(entry.text("en", "the name in English") for entry in entries),
        "fr": tuple(entry.text("fr", "the name in French") for entry in entries),
    }


def finish(entries: list[DeckReader]) -> None:
    """What every entry has at its end."""
    for entry in entries:
        entry.text("provenance", "where the entry is known from")
        entry.done()


def read_place(entry: DeckReader, number: int) -> tuple[int, int]:
    """Where a room stands on a map: row and column; left out, three to a row."""
    place = entry.take("place", list, "[row, column]", [number // 3, number % 3])
    if len(place) != 2 or any(isinstance(at, bool) or not isinstance(at, int) or not 0 <= at < ROOMS for at in place):
        raise entry.bad("place", f"is {place!r}; expected [row, column], each from 0 to {ROOMS - 1}")
    return place[0], place[1]


def read_traps(reader: DeckReader) -> tuple[tuple[str, ...], Names, tuple[int, ...]]:
    entries = reader.tables("traps", "an array of tables, one a type of trap")
    if not 1 <= len(entries) <= MOST_TYPES:
        raise reader.bad("traps", f"are of {len(entries)} types; expected 1 to {MOST_TYPES}")
    types, names = read_ids(entries), read_names(entries)
    counts = [entry.number("count", 1, ROOMS) for entry in entries]
    finish(entries)
    if sum(counts) != ROOMS:
        raise reader.bad("traps", f"are {sum(counts)} tiles; expected {ROOMS}, one a room, counted by `count`")
    return types, names, tuple(kind for kind, count in enumerate(counts) for _ in range(count))


def read_treasures(
    reader: DeckReader, types: tuple[str, ...]
) -> tuple[tuple[str, ...], Names, tuple[tuple[int, tuple[int, ...]], ...]]:
    entries = reader.tables("treasures", "an array of tables, one a tile")
    if not TILES_USED <= len(entries) <= MOST_TILES:
        raise reader.bad("treasures", f"are {len(entries)}; expected {TILES_USED} to {MOST_TILES}")
    treasures, names = read_ids(entries), read_names(entries)
    tiles = []
    for entry in entries:
        minutes = entry.number("minutes", 5, 5 * SPACES - 5)
        if minutes % 5:
            raise entry.bad("minutes", f"are {minutes}; expected a multiple of 5, as the clock has spaces")
        guards = entry.take("traps", list, "a list of types of traps")
        expected = f"1 to 3 different ones of {', '.join(types)}"
        if not 1 <= len(guards) <= 3 or any(kind not in types or guards.count(kind) > 1 for kind in guards):
            raise entry.bad("traps", f"are {guards!r}; expected {expected}")
        tiles.append((minutes, tuple(sorted(map(types.index, guards)))))
    finish(entries)
    return treasures, names, tuple(tiles)


def read_dice(reader: DeckReader) -> tuple[tuple[int, ...], ...]:
    dice = reader.table("dice", "a table with professor, colour and clock")
    faces: Mapping[str, tuple[Any, ...]] = {"professor": PROFESSOR_FACES, "colour": COLOURS, "clock": CLOCK_FACES}
    result = []
    for name, known in faces.items():
        die = dice.table(name, "a table with faces and provenance")
        shown = die.take("faces", list, f"a list of {FACES} faces")
        if len(shown) != FACES or any(isinstance(face, bool) or face not in known for face in shown):
            raise die.bad("faces", f"are {shown!r}; expected {FACES} of {', '.join(map(repr, known))}")
        finish([die])
        result.append(tuple(map(known.index, shown)))
    dice.done()
    return tuple(result)


def read_settings(reader: DeckReader, tiles: tuple[tuple[int, tuple[int, ...]], ...]) -> dict[str, Setting]:
    entries = reader.tables("settings", "an array of tables, one a setting")
    if not entries:
        raise reader.bad("settings", "are none; expected at least one")
    names = read_names(entries)
    settings = {}
    for number, (setting, entry) in enumerate(zip(read_ids(entries), entries, strict=True)):
        without = entry.take("without", list, "a list of minutes")
        left = tuple(tile for tile, (minutes, _) in enumerate(tiles) if minutes not in without)
        known = sorted({minutes for minutes, _ in tiles})
        if any(isinstance(minutes, bool) or minutes not in known for minutes in without):
            raise entry.bad("without", f"is {without!r}; expected some of {', '.join(map(str, known))}")
        if len(left) < TILES_USED:
            raise entry.bad(
                "without", f"leaves {len(left)} treasures; expected at least {TILES_USED}, as many as a match may need"
            )
        settings[setting] = Setting(left, {language: names[language][number] for language in names})
    finish(entries)
    return settings


def read_cards(character: DeckReader) -> list[DeckReader]:
    cards = character.tables("cards", f"an array of {DECK} tables, one a card")
    if len(cards) != DECK:
        raise character.bad("cards", f"are {len(cards)}; expected {DECK}")
    return cards
