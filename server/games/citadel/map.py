"""Citadel's house and clock drawn in text."""

from collections.abc import Iterator
from itertools import pairwise

from rich.text import Text

from machiavel.engines.citadel.events import minutes_left
from machiavel.engines.citadel.house import COLOURS, House
from machiavel.engines.citadel.labels import HOURS, said
from machiavel.server.cli.tables.setting import Seen

__all__ = ["INK", "FloorPlan", "clock_lines"]

INK = {"red": "red", "green": "green", "blue": "bright_blue"}
CELL, GAP, MOST_COLUMNS, NO_ROOM = 20, 4, 3, -1


def clock_lines(view: Seen) -> Iterator[Text]:
    """The twelve spaces from XII on, with the time marker above and the treasures' markers below."""
    above, hours, below = Text(), Text(), Text()
    for space, hour in enumerate(HOURS):
        is_gate = space in {3, 9}
        above.append(("▼" if 5 * space == view["time"] else "").center(5), "bold yellow")
        hours.append(f"{hour}{'★' * is_gate}".center(5), "bold" if is_gate else "")
        here = [colour for colour in COLOURS if view["treasures"][colour] and view["treasures"][colour]["clock"] == 5 * space]
        below.append_text(centred(Text.assemble(*(("◆", INK[colour]) for colour in here)), 5))
    yield from (above, hours, below)


def centred(text: Text, width: int = CELL) -> Text:
    copy = text.copy()
    copy.truncate(width)
    copy.pad_left((width - copy.cell_len) // 2)
    copy.pad_right(width - copy.cell_len)
    return copy


class FloorPlan:
    """One view's house: what stands in its rooms, and the doors between them."""

    def __init__(self, house: House, view: Seen, language: str) -> None:
        self.house = house
        self.view = view
        self.names = house.room_names[language]
        self.types = dict(zip(house.types, house.type_names[language], strict=True))
        self.letters, self.evil = (said(house, f"table.{key}", language) for key in ("letters", "evil"))
        self.doors = {frozenset((one, other)): (one, other) for (one, _), (other, _) in house.doors}

    def door(self, one: int, other: int, locked: str = "▒▒", opened: str = "──") -> Text:
        """The door between two rooms, with its colour on either side."""
        ways = [(room, self.house.exits[room].index(to)) for room, to in ((one, other), (other, one))]
        is_open = any(f"{self.house.rooms[room]}:{COLOURS[colour]}" in self.view["open"] for room, colour in ways)
        (left, right) = ((self.letters[colour], INK[COLOURS[colour]]) for _, colour in ways)
        return Text.assemble(left, opened if is_open else locked, right)

    def name(self, room: int) -> Text:
        return Text(f"{self.names[room]}{' ◇' * (room in self.house.windows)}"[:CELL], "bold")

    def trap(self, room: int) -> Text:
        name = self.house.rooms[room]
        kind = self.types[self.view["traps"][name]]
        return Text(f"({kind})", "dim") if name in self.view["off"] else Text(f"[{kind}]", "bold")

    def stands(self, room: int) -> Text:
        """Treasure, professor and players, these by their first names as far as there is room."""
        name, view, result = self.house.rooms[room], self.view, Text()
        for number, colour in enumerate(COLOURS):
            treasure = view["treasures"][colour]
            if treasure and treasure["room"] == name:
                result.append(f"◆{self.letters[number]}{minutes_left(view, colour)}' ", INK[colour])
        if view["professor"] == name:
            result.append(f"{self.evil} ", "bold magenta")
        here = [one for one, place in zip(view["characters"], view["places"], strict=True) if place == name]
        first = [self.house.character_names["en"][self.house.characters.index(one)].partition(" ")[0] for one in here]
        length = CELL if len(result) + sum(map(len, first)) + len(first) <= CELL else 2
        return result.append(" ".join(one[:length] for one in first), "bold cyan")

    def map_lines(self) -> tuple[list[Text], list[Text]] | None:
        """The house as a map, and the doors that are not on it; None where its places do not make one that fits."""
        grid = {place: room for room, place in enumerate(self.house.places)}
        columns, rows = (1 + max(place[axis] for place in grid) for axis in (1, 0))
        if len(grid) < len(self.house.rooms) or columns > MOST_COLUMNS:
            return None
        lines: list[Text] = []
        left = dict(self.doors)
        for row in range(rows):
            here, under = ([grid.get((at, column), NO_ROOM) for column in range(columns)] for at in (row, row + 1))
            beside = [left.pop(frozenset(pair), None) and self.door(*pair) for pair in pairwise(here)]
            below = [left.pop(frozenset(pair), None) and self.door(*pair, " ▒ ", " │ ") for pair in zip(here, under, strict=True)]
            for draw, ways in ((self.name, ()), (self.trap, beside), (self.stands, ())):
                cells = [centred(Text() if room == NO_ROOM else draw(room)) for room in here]
                gaps = [way or Text(" " * GAP) for way in (*ways, *[None] * (len(cells) - len(ways)))]
                lines.append(Text.assemble(*(part for pair in zip(cells, gaps, strict=True) for part in pair)))
            lines.append(Text(" " * GAP).join(centred(way or Text()) for way in below))
        lines = [line for line in lines if line.plain.strip()]
        return lines, [
            Text.assemble(f"{self.names[one]} ", self.door(one, other), f" {self.names[other]}") for one, other in left.values()
        ]

    def rooms_list(self) -> Iterator[Text]:
        """The same on a narrow screen, or for a house without a map."""
        for room, ways in enumerate(self.house.exits):
            yield Text(" ").join((self.name(room), self.trap(room), self.stands(room)))
            doors = (Text.assemble("  ", self.door(room, to, "▒", "─")[:2], f" {self.names[to]}") for to in ways)
            yield Text.assemble(*doors)
