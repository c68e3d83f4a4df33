"""The ways of citadel's house: three exits to a room, two sides to a door, and what every house must obey (R2.1)."""

from dataclasses import dataclass

from machiavel.engines.decks import DeckReader

__all__ = ["COLOURS", "Exits", "read_exits"]

COLOURS = ("red", "green", "blue")


@dataclass(frozen=True)
class Exits:
    """Where each exit leads, and the doors: each with its two sides, the one first in the house first."""

    exits: tuple[tuple[int, ...], ...]  # by room and colour
    doors: tuple[tuple[tuple[int, int], ...], ...]  # room and colour; ordered by their first side


def read_exits(reader: DeckReader, entries: list[DeckReader], rooms: tuple[str, ...]) -> Exits:
    exits = tuple(tuple(rooms.index(entry.choice(colour, rooms)) for colour in COLOURS) for entry in entries)
    for room, entry in enumerate(entries):
        check_room(entry, rooms, exits, room)
    doors = []
    for room, ways in enumerate(exits):
        doors += [((room, colour), (to, exits[to].index(room))) for colour, to in enumerate(ways) if room < to]
    reached, found = set(), {0}
    while found:
        reached |= found
        found = {to for room in found for to in exits[room]} - reached
    if len(reached) < len(rooms):
        alone = next(room for number, room in enumerate(rooms) if number not in reached)
        raise reader.bad("rooms", f"fall apart: no way leads from {rooms[0]} to {alone}; expected one house")
    return Exits(exits, tuple(doors))


def check_room(entry: DeckReader, rooms: tuple[str, ...], exits: tuple[tuple[int, ...], ...], room: int) -> None:
    name = rooms[room]
    for colour, key in enumerate(COLOURS):
        to = exits[room][colour]
        if to == room:
            raise entry.bad(key, f"leads from {name} to itself; expected another room")
        if exits[room].index(to) < colour:
            raise entry.bad(key, f"leads to {rooms[to]} like {COLOURS[exits[room].index(to)]}; expected three doors to three rooms")
        if room not in exits[to]:
            raise entry.bad(key, f"leads to {rooms[to]}, from which no exit leads back; a door has two sides")
        for other in range(room):
            if exits[other][colour] == to:
                problem = f"leads to {rooms[to]} from {rooms[other]} and from {name}"
                raise entry.bad(key, f"{problem}; expected a permutation: each room reached once by each colour")
        if exits[to][colour] == room:
            problem = f"shuttles between {name} and {rooms[to]}"
            raise entry.bad(key, f"{problem}; expected no two rooms joined by {key} both ways")
