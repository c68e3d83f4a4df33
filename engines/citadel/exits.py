"""The ways of citadel's house: three exits to a room, two sides to a door, and what every house must obey (R2.1)."""

from collections.abc import Sequence

from machiavel.engines.decks import Deck

__all__ = ["COLOURS", "Door", "read_doors"]

COLOURS = ("red", "green", "blue")

Door = tuple[tuple[int, int], tuple[int, int]]  # its sides, the one first in the house first: room and colour


def read_doors(deck: Deck, rooms: Sequence[str], exits: Sequence[Sequence[int]]) -> tuple[Door, ...]:
    """The doors in the order of their first sides; `exits` are where those of a room lead, by colour."""
    ways = [(room, colour, to) for room, exits_here in enumerate(exits) for colour, to in enumerate(exits_here)]

    def expect(is_so: object, way: tuple[int, int, int], problem: str, other: str = "") -> None:
        room, colour, to = way
        parts = {"room": rooms[room], "colour": COLOURS[colour], "to": rooms[to], "other": other}
        deck.expect(is_so, f"rooms[{room}].{COLOURS[colour]}", problem, **parts)

    for room, colour, to in ways:
        expect(to != room, (room, colour, to), "to_itself")
        same = exits[room].index(to)
        expect(same == colour, (room, colour, to), "like_another", COLOURS[same])
    for room, colour, to in ways:
        expect(room in exits[to], (room, colour, to), "one_sided")
    for room, colour, to in ways:
        first = next(other for other, exits_there in enumerate(exits) if exits_there[colour] == to)
        expect(first == room, (room, colour, to), "no_permutation", rooms[first])
    for room, colour, to in ways:
        expect(exits[to][colour] != room, (room, colour, to), "shuttle")
    reached, result = set(), {0}
    while result:
        reached |= result
        result = {to for room in result for to in exits[room]} - reached
    alone = next((name for room, name in enumerate(rooms) if room not in reached), "")
    deck.expect(not alone, "rooms", "fall_apart", room=rooms[0], other=alone)
    return tuple(((room, colour), (to, exits[to].index(room))) for room, colour, to in ways if room < to)
