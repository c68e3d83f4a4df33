"""The things, moves, views and layouts of citadel."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from machiavel.engines.citadel.house import COLOURS, DIE_FACES, FACES, ROOM, TOKENS, TRAP, House, ids
from machiavel.engines.citadel.lists import PHRASES
from machiavel.engines.declared import worded_option
from machiavel.engines.fields import (
    BAD,
    Choice,
    Each,
    Flag,
    Item,
    Items,
    ItemSet,
    Kind,
    ListOf,
    Nullable,
    Number,
    PerSeat,
    RecordOf,
    SeatNumber,
)
from machiavel.engines.hidden_places import HiddenCells, HiddenField, WorldColumns, left_over, things_in
from machiavel.engines.layouts import Laid, LayoutSchema
from machiavel.engines.looks import ThingLook
from machiavel.engines.moves import MoveKind, MovePart, MoveSchema, folded
from machiavel.engines.plugin import Rules
from machiavel.engines.views import FOLLOWS, FORGOTTEN, Field, Usual, ViewSchema

__all__ = ["CARD", "CHARACTER", "DECK", "DOOR", "FIRST_BONUS", "HIDDEN", "LAYOUTS", "MOVES", "OPTIONS", "TREASURE", "VIEWS"]

# The engine's numbers.
PHASES = ("act", "card", "dice", "activate", "over")
ACT, CARD_UNDER_WAY, DICE, ACTIVATE, OVER = range(5)
NOBODY = NOTHING = 255
OUTSIDE = 15
CARDS, DECK, FIRST_BONUS = 30, 6, 30
TREASURES, TURNS, THROWS, RIGHTS = 4, 100, 32, 20  # more rights than a card, a bonus and an ability together can give
FIRST, CHARACTERS, TRAPS, OFF, TILE, LOCATION, SHOWN, DIE = range(8)  # purposes of luck


def guards(rules: Rules) -> Mapping[str, list[tuple[str, str]]]:
    """The types of the traps that protect each treasure."""
    house: House = rules.tables.house
    return {
        name: [("trap", house.types[one]) for one in types] for name, (_, types) in zip(house.treasures, house.tiles, strict=True)
    }


TREASURE = Kind.listed("treasure", ids("treasures"), look=ThingLook("token", mentions=guards))
CHARACTER = Kind.listed("character", ids("characters"), look=TOKENS)
CARD = Kind.listed("card", ids("cards"), look=ThingLook("card"))
SETTING = Kind.listed("setting", ids("settings"))
SOURCE = Kind.listed("source", lambda rules: (*rules.tables.house.cards, "bonus"))
JOINS = ThingLook("link", linked=ROOM.name, ends=lambda rules: rules.tables.house.door_ends)
DOOR = Kind.listed("door", lambda rules: tuple(rules.tables.house.door_names), look=JOINS)


def bits(mask: int) -> list[int]:
    """The numbers in a set of bits, ascending."""
    return [number for number in range(mask.bit_length()) if mask >> number & 1]


# ---- Options ----

OPTIONS = (
    worded_option(PHRASES, "setting", "without_55", Item(SETTING)),
    worded_option(PHRASES, "characters", None, Items(CHARACTER, lambda rules: rules.players, is_distinct=True), is_by_seat=True),
    worded_option(PHRASES, "deck", "house"),
)


# ---- Views ----


def derived(rules: Rules, struct: Mapping[str, Any]) -> Mapping[str, Any]:
    table = struct["table"]
    piles = [used << DECK * owner for used, owner in zip(table["used"], table["characters"][: rules.players], strict=False)]
    for card in table["shown"]:
        piles[table["active"]] &= ~(1 << card)
    time, is_won, under_way = table["time"], table["saved_count"] == TREASURES, table["list"]
    tiles = zip(COLOURS, table["tile"], table["spot"], table["left"], strict=True)
    return {
        "treasures": {
            colour: None if tile == NOTHING else {"id": tile, "room": room, "clock": 5 * ((time + left) % 12)}
            for colour, tile, room, left in tiles
        },
        "discards": piles,
        "under_way": None if under_way == NOTHING else {"source": min(under_way, CARDS), "effect": table["step"]},
        "result": (0 if is_won else 1) if table["phase"] == OVER else None,
    }


def given_characters(rules: Rules) -> Any:
    """As the option says."""
    given = rules.tables.characters
    return BAD if given is None else [rules.tables.house.characters[one] for one in given]


MINUTES = Number(0, 55, step=5)
TILE_ON_BOARD = RecordOf({"id": Item(TREASURE), "room": Item(ROOM), "clock": MINUTES}, is_whole=True)
EFFECT = RecordOf({"source": Item(SOURCE), "effect": Number(0, NOTHING)}, is_whole=True)
ROLL = RecordOf({die: Choice(faces, is_die=True) for die, faces in DIE_FACES.items()}, is_whole=True)
VIEWS = ViewSchema(
    Field("seat", SeatNumber(none=-1), "seat"),
    Field("ply", Number(), "table.ply", FORGOTTEN),
    Field("turn", Number(1, TURNS, plus=1), "table.turn", FORGOTTEN, zone="place"),
    Field("phase", Choice(PHASES), "table.phase", Usual("act"), zone="place"),
    Field("active", SeatNumber(), "table.active"),
    Field("mover", SeatNumber(none=NOBODY), "table.mover", FOLLOWS),
    Field("characters", PerSeat(Item(CHARACTER)), "table.characters", Usual(given_characters), zone="score"),
    Field("places", PerSeat(Nullable(Item(ROOM), OUTSIDE)), "table.place", zone="score"),
    Field("professor", Item(ROOM), "table.professor", zone="table"),
    Field("held", Flag(), "table.held", Usual(value=False)),
    Field("time", MINUTES, "table.time", zone="place"),
    Field("open", ItemSet(DOOR, any_order=True), "table.open", Usual([]), zone="table"),
    Field("traps", Each(ROOM, Item(TRAP), is_whole=True), "table.trap", zone="table"),
    Field("off", ItemSet(ROOM, any_order=True), "table.off", zone="table"),
    Field("treasures", RecordOf(dict.fromkeys(COLOURS, Nullable(TILE_ON_BOARD)), is_whole=True), zone="table"),
    Field("saved", ItemSet(TREASURE, any_order=True), "table.saved", Usual([]), zone="table"),
    Field("lost", ItemSet(TREASURE, any_order=True), "table.lost", Usual([]), zone="table"),
    Field("locations", ItemSet(ROOM, any_order=True), "table.locations", FORGOTTEN),
    Field("shown", Items(CARD, count=2, any_order=True), "table.shown", zone="hand"),
    Field("played", Nullable(Item(CARD), NOTHING), "table.played", Usual(None)),
    Field("discards", PerSeat(ItemSet(CARD, any_order=True)), left_out=Usual(lambda rules: [[]] * rules.players)),
    Field("actions", Number(0, RIGHTS), "table.actions", Usual(3), zone="place"),
    Field(
        "powers",
        PerSeat(Flag(), packed=1, is_numbered=False),
        "table.up",
        Usual(lambda rules: [False] * rules.players),
        zone="score",
    ),
    Field("power_used", Flag(), "table.power_used", Usual(value=False)),
    Field("activated", Flag(), "table.activated", Usual(value=False)),
    Field("under_way", Nullable(EFFECT), left_out=Usual(None)),
    Field("rerolls", ListOf(Number(0, RIGHTS), count=3), "table.rerolls", Usual([0, 0, 0])),
    Field("chooses", Number(0, RIGHTS), "table.chooses", Usual(0)),
    Field("throws", ListOf(Number(0, RIGHTS), count=3), "table.throws", FORGOTTEN),
    Field("dice", Nullable(ROLL, [NOTHING] * 3), "table.dice", FORGOTTEN, zone="table"),
    Field("result", Nullable(Choice(("won", "lost"))), left_out=FOLLOWS),
    derived=derived,
)


def deck_cells(rules: Rules, view: Mapping[str, Any], worlds: WorldColumns) -> Iterator[HiddenCells]:  # noqa: ARG001
    """The cards face down in each player's deck: known, but for their order."""
    things = things_in(ItemSet(CARD), rules)
    if things is not None:
        for seat in range(rules.players):
            first = worlds["table.characters"][:, seat].astype(np.uint64) * np.uint64(DECK)
            down = ~worlds["table.used"][:, seat].astype(np.uint64) & np.uint64((1 << DECK) - 1)
            yield HiddenCells("deck", seat, None, things.kind, things.names, things.count(down << first), is_single=True)


def stack_cells(rules: Rules, view: Mapping[str, Any], worlds: WorldColumns) -> Iterator[HiddenCells]:  # noqa: ARG001
    """The treasures that have not come up yet, as far as the setting leaves them in."""
    things = things_in(ItemSet(TREASURE), rules)
    if things is not None:
        tiles = worlds["table.tile"].astype(np.uint64)
        on_board = np.bitwise_or.reduce(np.where(tiles == NOTHING, 0, np.uint64(1) << (tiles & np.uint64(63))), axis=1)
        gone = on_board | worlds["table.saved"] | worlds["table.lost"]
        left = np.uint64(sum(1 << tile for tile in rules.tables.house.settings[rules.options["setting"]])) & ~gone
        yield HiddenCells("stack", None, None, things.kind, things.names, things.count(left), is_single=True)


HIDDEN = (
    HiddenField("deck", cells=deck_cells),
    HiddenField("stack", cells=stack_cells),
    left_over("locations", ROOM, "table.locations"),
)


# ---- Layouts ----

THROWN = {
    die: Laid(Items(kind, longest=THROWS), DIE + number, each=True, stride=THROWS)
    for number, (die, kind) in enumerate(FACES.items())
}
TURN = {"cards": Laid(Items(CARD, count=2, is_distinct=True), SHOWN), "dice": RecordOf(THROWN, optional=THROWN)}
LAYOUTS = LayoutSchema(
    first=Laid(SeatNumber(), FIRST),
    characters=Laid(Items(CHARACTER, lambda rules: rules.players, is_distinct=True), CHARACTERS),
    traps=Laid(Each(ROOM, Item(TRAP)), TRAPS),
    off=Laid(Items(ROOM, count=6, is_distinct=True), OFF),
    treasures=Laid(Items(TREASURE, is_distinct=True), TILE, each=True),
    locations=Laid(Items(ROOM, is_distinct=True), LOCATION, each=True),
    turns=ListOf(RecordOf(TURN, optional=TURN), longest=TURNS),
)


# ---- Moves ----

# The first number of each sort.
END, KEEP, TURN_UP, ROLL_AGAIN, TURN_DIE, POWER, LIST = 17, 18, 19, 24, 31, 64, 192
NO_CHOICE, ENOUGH, A_ROOM, A_DOOR, A_COLOUR, A_TYPE, ANYONE, CHOICES = 0, 1, 2, 14, 32, 35, 43, 128
DICE_AGAIN = Kind.fixed("dice", ["+".join(die for bit, die in enumerate(FACES) if dice >> bit & 1) for dice in range(1, 8)])
TURNED = {6 * die + face: f"{name}:{text}" for die, name in enumerate(FACES) for face, text in enumerate(DIE_FACES[name])}


def acts(house: House) -> list[str]:
    """What a player does for an action."""
    return [*(f"go:{room}" for room in house.rooms), *(f"unlock:{colour}" for colour in COLOURS), "disarm", "take"]


def mentioned(house: House, text: str) -> list[tuple[str, str]]:
    """The rooms, doors, types of traps and characters in an act or a choice, as `:nathan:go:gallery`."""
    kinds = (("door", house.door_names), ("character", house.characters), ("room", house.rooms), ("trap", house.types))
    named = text.removeprefix(":")
    if named in house.door_names:
        return [("door", named)]
    return [(kind, part) for part in named.split(":") for kind, known in kinds if part in known]


def choices(rules: Rules) -> Mapping[int, str]:
    """What a card, a bonus or a power needs; an id may be a room's and a type's at once."""
    house: House = rules.tables.house
    others = [f"{character}:{act}" for character in house.characters for act in acts(house)]
    named = ((A_ROOM, house.rooms), (A_DOOR, house.door_names), (A_COLOUR, COLOURS), (A_TYPE, house.types), (ANYONE, others))
    needs = {first + number: f":{text}" for first, texts in named for number, text in enumerate(texts)}
    return {NO_CHOICE: "", ENOUGH: ":enough"} | needs


def fold(text: str) -> str:
    """Blanks may stand for _, and dice in any order."""
    verb, colon, dice = folded(text).replace(" ", "_").partition(":")
    return verb + colon + ("+".join(sorted(dice.split("+"))) if verb == "reroll" else dice)


def from_the_other_side(rules: Rules, text: str) -> list[str]:
    """A door that a card, a bonus or a power needs may be named from either room."""
    *source, room, colour = ["", "", *text.split(":")]
    other = rules.tables.house.door_names.get(f"{room}:{colour}")
    return [":".join([*source[2:], other])] if other and len(source) == (4 if source[2:3] == ["card"] else 3) else []


def meanings(rules: Rules) -> Mapping[str, list[tuple[str, str]]]:
    house = rules.tables.house
    return {text: mentioned(house, text) for text in (*acts(house), *choices(rules).values())}


MEANING = ThingLook(mentions=meanings)
CHOICE = MovePart(
    "choice",
    Kind("choice", choices, lambda rules: {text: number for number, text in choices(rules).items()}, look=MEANING),
)
ACT_PART = MovePart("act", Kind.listed("act", lambda rules: tuple(acts(rules.tables.house)), look=MEANING))
MOVES = MoveSchema(
    MoveKind("{act}", 0, [ACT_PART]),
    MoveKind("end", END),
    MoveKind("keep", KEEP),
    MoveKind("activate:{character}", TURN_UP, [MovePart("character", CHARACTER)]),
    MoveKind("reroll:{dice}", ROLL_AGAIN, [MovePart("dice", DICE_AGAIN)]),
    MoveKind("choose:{face}", TURN_DIE, [MovePart("face", Kind.fixed("face", TURNED, look=ThingLook("die")))]),
    MoveKind("power{choice}", POWER, [CHOICE]),
    MoveKind("card:{card}{choice}", LIST, [MovePart("card", CARD, CHOICES), CHOICE]),
    MoveKind("bonus{choice}", LIST + CARDS * CHOICES, [CHOICE]),
    fold=fold,
    shorter=from_the_other_side,
    depends_on=lambda rules: rules.tables.house,
)
