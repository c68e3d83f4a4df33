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
    for check in (three_doors, two_sides, permutation, no_shuttle):
        for room, entry in enumerate(entries):
            for colour, key in enumerate(COLOURS):
                problem = check(rooms, exits, room, colour)
                if problem:
                    raise entry.bad(key, problem)
    doors = []
    for room, ways in enumerate(exits):
        doors += [((room, colour), (to, exits[to].index(room))) for colour, to in enumerate(ways) if room < to]
    reached, result = set(), {0}
    while result:
        reached |= result
        result = {to for room in result for to in exits[room]} - reached
    if len(reached) < len(rooms):
        alone = next(room for number, room in enumerate(rooms) if number not in reached)
        raise reader.bad("rooms", f"fall apart: no way leads from {rooms[0]} to {alone}; expected one house")
    return Exits(exits, tuple(doors))


Ways = tuple[tuple[int, ...], ...]


def three_doors(rooms: tuple[str, ...], exits: Ways, room: int, colour: int) -> str:
    to = exits[room][colour]
    if to == room:
        return f"leads from {rooms[room]} to itself; expected another room"
    same = exits[room].index(to)
    if same < colour:
        return f"leads to {rooms[to]} like {COLOURS[same]}; expected three doors to three rooms"
    return ""


def two_sides(rooms: tuple[str, ...], exits: Ways, room: int, colour: int) -> str:
    to = exits[room][colour]
    return "" if room in exits[to] else f"leads to {rooms[to]}, from which no exit leads back; a door has two sides"


def permutation(rooms: tuple[str, ...], exits: Ways, room: int, colour: int) -> str:
    to = exits[room][colour]
    for other in range(room):
        if exits[other][colour] == to:
            both = f"leads to {rooms[to]} from {rooms[other]} and from {rooms[room]}"
            return f"{both}; expected a permutation: each room reached once by each colour"
    return ""


def no_shuttle(rooms: tuple[str, ...], exits: Ways, room: int, colour: int) -> str:
    to = exits[room][colour]
    if exits[to][colour] == room:
        return f"shuttles between {rooms[room]} and {rooms[to]}; expected no two rooms joined by {COLOURS[colour]} both ways"
    return ""
