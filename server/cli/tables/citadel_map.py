"""Citadel's house and clock drawn in text."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rich.console import Group, RenderableType
from rich.text import Text

from machiavel.engines.citadel.house import COLOURS, House
from machiavel.server.cli.command_texts import Words
from machiavel.server.cli.tables.setting import Seen

__all__ = ["HOURS", "INK", "clock_lines", "map_lines", "minutes_left", "rooms_list"]

INK = {"red": "red", "green": "green", "blue": "bright_blue"}
HOURS = ("XII", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI")
CELL, GAP = 20, 4
MOST_COLUMNS = 3
LOCKED, OPEN = "▒", "─"


def minutes_left(view: Seen, colour: str) -> int:
    treasure = view["treasures"][colour]
    return (treasure["clock"] - view["time"]) % 60 or 60


def clock_lines(view: Seen) -> Iterator[Text]:
    """The twelve spaces from XII on, with the time marker above and the treasures' markers below."""
    above, hours, below = Text(), Text(), Text()
    for space, hour in enumerate(HOURS):
        above.append(("▼" if 5 * space == view["time"] else "").center(5), "bold yellow")
        hours.append((f"{hour}★" if space in {3, 9} else hour).center(5), "bold" if space in {3, 9} else "")
        here = [colour for colour in COLOURS if view["treasures"][colour] and view["treasures"][colour]["clock"] == 5 * space]
        left = (5 - len(here)) // 2
        below.append(" " * left)
        for colour in here:
            below.append("◆", INK[colour])
        below.append(" " * (5 - left - len(here)))
    yield from (above, hours, below)


class FloorPlan:
    """One view's house: what stands in its rooms, and the doors between them."""

    def __init__(self, house: House, view: Seen, words: Words, language: str) -> None:
        self.house = house
        self.view = view
        self.letters = words("letters")
        self.language = language
        self.names = house.room_names[language]
        self.open = set(view["open"])
        self.doors: dict[frozenset[int | None], int] = {
            frozenset((one, other)): door for door, ((one, _), (other, _)) in enumerate(house.doors)
        }

    def is_open(self, door: int) -> bool:
        room, colour = self.house.doors[door][0]
        return f"{self.house.rooms[room]}:{COLOURS[colour]}" in self.open

    def letter(self, room: int, door: int) -> Text:
        """The door's colour from that room, as a letter."""
        colour = next(colour for at, colour in self.house.doors[door] if at == room)
        return Text(self.letters[colour], INK[COLOURS[colour]])

    def name(self, room: int) -> Text:
        is_window = room in self.house.windows
        return Text(f"{self.names[room]}{' ◇' if is_window else ''}"[:CELL], "bold")

    def trap(self, room: int) -> Text:
        name = self.house.rooms[room]
        kind = self.house.type_names[self.language][self.house.types.index(self.view["traps"][name])]
        return Text(f"({kind})", "dim") if name in self.view["off"] else Text(f"[{kind}]", "bold")

    def stands(self, room: int) -> Text:
        """Treasure, professor and players."""
        name, result = self.house.rooms[room], Text()
        for colour in COLOURS:
            treasure = self.view["treasures"][colour]
            if treasure and treasure["room"] == name:
                result.append(f"◆{minutes_left(self.view, colour)}' ", INK[colour])
        if self.view["professor"] == name:
            result.append("E ", "bold magenta")
        for seat, place in enumerate(self.view["places"]):
            if place == name:
                result.append(f"{seat} ", "bold cyan")
        return result

    def beside(self, left: int | None, right: int | None) -> Text:
        """The door between two rooms of a row, or what is there instead."""
        door = None if left is None or right is None else self.doors.get(frozenset((left, right)))
        if left is None or right is None or door is None:
            return Text(" " * GAP)
        sign = OPEN if self.is_open(door) else LOCKED
        return self.letter(left, door) + Text(sign * (GAP - 2)) + self.letter(right, door)

    def below(self, upper: int | None, lower: int | None) -> Text:
        """The door between a room and the one under it."""
        door = None if upper is None or lower is None else self.doors.get(frozenset((upper, lower)))
        if upper is None or lower is None or door is None:
            return Text("")
        sign = "│" if self.is_open(door) else LOCKED
        return self.letter(upper, door) + Text(f" {sign} ") + self.letter(lower, door)

    def told(self, door: int) -> Text:
        """A door in a line of its own."""
        (one, _), (other, _) = self.house.doors[door]
        sign = OPEN if self.is_open(door) else LOCKED
        return Text.assemble(
            *(f"{self.names[one]} ", self.letter(one, door), sign * 2, self.letter(other, door), f" {self.names[other]}")
        )


def centred(text: Text) -> Text:
    copy = text.copy()
    copy.truncate(CELL)
    left = (CELL - copy.cell_len) // 2
    copy.pad_left(left)
    copy.pad_right(CELL - copy.cell_len)
    return copy


def map_lines(house: House, view: Seen, words: Words, language: str) -> RenderableType | None:
    """The house as a map; None where its places do not make one that fits."""
    grid = {place: room for room, place in enumerate(house.places)}
    columns = 1 + max(column for _, column in house.places)
    if len(grid) < len(house.rooms) or columns > MOST_COLUMNS:
        return None
    plan = FloorPlan(house, view, words, language)
    lines: list[Text] = []
    drawn: set[int] = set()
    for row in range(1 + max(row for row, _ in house.places)):
        rooms = [grid.get((row, column)) for column in range(columns)]
        under = [grid.get((row + 1, column)) for column in range(columns)]
        lines += room_lines(plan, rooms)
        gap = Text(" " * GAP)
        ways = gap.join(centred(plan.below(room, lower)) for room, lower in zip(rooms, under, strict=True))
        if ways.plain.strip():
            lines.append(ways)
        pairs = [*pairwise(rooms), *zip(rooms, under, strict=True)]
        drawn |= {plan.doors[frozenset(pair)] for pair in pairs if frozenset(pair) in plan.doors}
    left = [plan.told(door) for door in range(len(house.doors)) if door not in drawn]
    if left:
        lines.append(words.styled("also", doors=Text(" · ").join(left)))
    return Group(*lines, Text(words("map_key"), "dim"))


def room_lines(plan: FloorPlan, rooms: Sequence[int | None]) -> list[Text]:
    """Name, trap and who is there; doors to the sides on the line of the trap."""
    gap = Text(" " * GAP)
    empty = Text("")
    names = [empty if room is None else plan.name(room) for room in rooms]
    traps = [empty if room is None else plan.trap(room) for room in rooms]
    there = [empty if room is None else plan.stands(room) for room in rooms]
    middle = Text()
    for number, trap in enumerate(traps):
        if number:
            middle.append_text(plan.beside(rooms[number - 1], rooms[number]))
        middle.append_text(centred(trap))
    return [gap.join(map(centred, names)), middle, gap.join(map(centred, there))]


def rooms_list(house: House, view: Seen, words: Words, language: str) -> RenderableType:
    """The same on a narrow screen, or for a house without a map: a line a room."""
    plan = FloorPlan(house, view, words, language)
    lines = []
    for room in range(len(house.rooms)):
        line = plan.name(room) + Text(" ") + plan.trap(room) + Text(" ") + plan.stands(room)
        lines.append(line)
        ways = Text("  ")
        for to in house.exits[room]:
            door = plan.doors[frozenset((room, to))]
            ways.append_text(plan.letter(room, door)).append(OPEN if plan.is_open(door) else LOCKED)
            ways.append(f" {plan.names[to]}  ")
        lines.append(ways)
    return Group(*lines, Text(words("map_key"), "dim"))
