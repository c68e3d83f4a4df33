"""Views and layouts of citadel as JSON."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from machiavel.engines.citadel import _engine
from machiavel.engines.citadel.house import CLOCK_FACES, COLOURS, PROFESSOR_FACES, House
from machiavel.engines.citadel.moves import door_text
from machiavel.engines.plugin import Rules

__all__ = [
    "ACT",
    "ACTIVATE",
    "CARD",
    "CARDS",
    "DECK",
    "DICE",
    "FIRST_BONUS",
    "NOBODY",
    "NOTHING",
    "OUTSIDE",
    "OVER",
    "PHASES",
    "TREASURES",
    "TURNS",
    "Tables",
    "bits",
    "dice_json",
    "view_json",
]

# The engine's numbers.
PHASES = ("act", "card", "dice", "activate", "over")
ACT, CARD, DICE, ACTIVATE, OVER = range(5)
NOBODY = NOTHING = 255
OUTSIDE = 15
CARDS, DECK, FIRST_BONUS = 30, 6, 30
TREASURES, TURNS = 4, 100


@dataclass(frozen=True)
class Tables:
    """What the texts of one set of rules need."""

    house: House
    setting: str
    characters: tuple[int, ...] | None  # by seat, where the option says it


def bits(mask: int) -> list[int]:
    """The numbers in a set of bits, ascending."""
    return [number for number in range(mask.bit_length()) if mask >> number & 1]


def names(ids: tuple[str, ...], mask: int) -> list[str]:
    return [ids[number] for number in bits(mask)]


def dice_json(dice: Iterable[int]) -> dict[str, Any] | None:
    professor, colour, clock = dice
    if professor == NOTHING:
        return None
    return {"professor": PROFESSOR_FACES[professor], "colour": COLOURS[colour], "clock": CLOCK_FACES[clock]}


def view_json(rules: Rules, view: bytes) -> dict[str, Any]:
    house: House = rules.tables.house
    fields = _engine.view_fields(view)
    table, seat, seats = fields["table"], fields["seat"], range(rules.players)
    is_over = table["phase"] == OVER
    return {
        "seat": None if seat < 0 else seat,
        "ply": table["ply"],
        "turn": table["turn"] + 1,
        "phase": PHASES[table["phase"]],
        "active": table["active"],
        "mover": None if is_over else table["mover"],
        "characters": [house.characters[table["characters"][other]] for other in seats],
        "places": [place_json(house, table["place"][other]) for other in seats],
        "professor": house.rooms[table["professor"]],
        "held": bool(table["held"]),
        "time": 5 * table["time"],
        "open": [door_text(house, door) for door in bits(table["open"])],
        "traps": {room: house.types[kind] for room, kind in zip(house.rooms, table["trap"], strict=True)},
        "off": names(house.rooms, table["off"]),
        "treasures": {name: treasure_json(house, table, colour) for colour, name in enumerate(COLOURS)},
        "saved": names(house.treasures, table["saved"]),
        "lost": names(house.treasures, table["lost"]),
        "locations": names(house.rooms, table["locations"]),
        "shown": [house.cards[card] for card in table["shown"]],
        "played": None if table["played"] == NOTHING else house.cards[table["played"]],
        "discards": [discards(house, table, other) for other in seats],
        "actions": table["actions"],
        "powers": [bool(table["up"] >> other & 1) for other in seats],
        "power_used": bool(table["power_used"]),
        "activated": bool(table["activated"]),
        "under_way": under_way(house, table),
        "rerolls": table["rerolls"],
        "chooses": table["chooses"],
        "throws": table["throws"],
        "dice": dice_json(table["dice"]),
        "result": ("won" if table["saved_count"] == TREASURES else "lost") if is_over else None,
    }


def place_json(house: House, place: int) -> str | None:
    return None if place == OUTSIDE else house.rooms[place]


def treasure_json(house: House, table: Mapping[str, Any], colour: int) -> dict[str, Any] | None:
    tile = table["tile"][colour]
    if tile == NOTHING:
        return None
    clock = (table["time"] + table["left"][colour]) % 12
    return {"id": house.treasures[tile], "room": house.rooms[table["spot"][colour]], "clock": 5 * clock}


def discards(house: House, table: Mapping[str, Any], seat: int) -> list[str]:
    """The cards face up under a seat's deck."""
    shown = table["shown"] if seat == table["active"] else ()
    first = DECK * table["characters"][seat]
    return [house.cards[first + card] for card in bits(table["used"][seat]) if first + card not in shown]


def under_way(house: House, table: Mapping[str, Any]) -> dict[str, Any] | None:
    effects = table["list"]
    if effects == NOTHING:
        return None
    return {"source": house.cards[effects] if effects < CARDS else "bonus", "effect": table["step"]}
