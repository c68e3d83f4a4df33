"""The house of citadel as its slow model reads it out of the TOML: rooms, doors, tiles, dice, characters and their effects."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

COLOURS = ("red", "green", "blue")
DICE = ("professor", "colour", "clock")
SHIPPED = Path(__file__).parents[2] / "engines" / "citadel" / "decks" / "house.toml"


@dataclass(frozen=True)
class Effect:
    """One named effect; `number` is its minutes or its dice, 0 where it has neither."""

    do: str
    number: int = 0


@dataclass(frozen=True)
class Treasure:
    """A treasure tile: minutes on the clock and the types of trap on it."""

    minutes: int
    traps: tuple[str, ...]


@dataclass(frozen=True)
class Character:
    """A character: the ability and its cost in actions, the bonus, and six cards by id; counts are written out."""

    ability: Effect
    cost: int
    bonus: tuple[Effect, ...]
    cards: dict[str, tuple[Effect, ...]]


class House:
    """All that the TOML says, in its order, which is house order."""

    def __init__(self, tables: dict[str, Any]) -> None:
        self.start: str = tables["professor"]["room"]
        self.rooms: list[str] = [room["id"] for room in tables["rooms"]]
        self.exits: dict[str, dict[str, str]] = {room["id"]: {c: room[c] for c in COLOURS} for room in tables["rooms"]}
        self.windows: list[str] = [room["id"] for room in tables["rooms"] if room.get("window", False)]
        self.traps: list[str] = [trap["id"] for trap in tables["traps"] for _ in range(trap["count"])]
        self.treasures = {t["id"]: Treasure(t["minutes"], tuple(t["traps"])) for t in tables["treasures"]}
        self.faces: dict[str, list[str | int]] = {die: list(tables["dice"][die]["faces"]) for die in DICE}
        self.settings: dict[str, list[int]] = {setting["id"]: setting["without"] for setting in tables["settings"]}
        self.characters = {character["id"]: _character(character) for character in tables["characters"]}

    def door(self, room: str, colour: str) -> str:
        """The name of the door at that exit: from whichever of its two rooms comes first in the house."""
        behind = self.exits[room][colour]
        back = next(c for c in COLOURS if self.exits[behind][c] == room)
        first = min((room, colour), (behind, back), key=lambda side: self.rooms.index(side[0]))
        return ":".join(first)

    def doors(self, room: str) -> list[str]:
        return [self.door(room, colour) for colour in COLOURS]

    def all_doors(self) -> list[str]:
        """Every door once, by the room it is named from, then red, green, blue."""
        names = [(room, colour) for room in self.rooms for colour in COLOURS]
        return [f"{room}:{colour}" for room, colour in names if self.door(room, colour) == f"{room}:{colour}"]

    def next_to(self, room: str) -> list[str]:
        """The rooms behind the three doors."""
        # "Une pièce est adjacente à une autre lorsque les deux sont séparées par une porte (fermée ou non)."
        return [self.exits[room][colour] for colour in COLOURS]

    def effects(self, card: str) -> tuple[Effect, ...]:
        """What an action card does, whoever's it is."""
        return next(character.cards[card] for character in self.characters.values() if card in character.cards)

    def in_order(self, rooms: set[str]) -> list[str]:
        return [room for room in self.rooms if room in rooms]


def read_house(deck: str | Path | dict[str, Any]) -> House:
    """The shipped house ("house"), that of another file, or of tables already read."""
    if isinstance(deck, dict):
        return House(deck)
    return _read_file(SHIPPED if deck == "house" else Path(deck))


@cache
def _read_file(path: Path) -> House:
    return House(tomllib.loads(path.read_text("utf-8")))


def _effects(listed: list[dict[str, Any]]) -> tuple[Effect, ...]:
    return tuple(
        Effect(entry["do"], entry.get("minutes", entry.get("dice", 0))) for entry in listed for _ in range(entry.get("count", 1))
    )


def _character(table: dict[str, Any]) -> Character:
    return Character(
        ability=_effects([table["power"]["effect"]])[0],
        cost=table["power"]["cost"],
        bonus=_effects(table["bonus"]),
        cards={card["id"]: _effects(card["effects"]) for card in table["cards"]},
    )
