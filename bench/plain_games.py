"""An author's file run as the plain Python that it is, without the kit's translation or its checks."""

import struct
from collections.abc import Callable, Sequence
from typing import Any

from bench.kit_machine import Answer
from machiavel.engines.kit.program import Program, Slot
from machiavel.engines.kit.source import GameSource

__all__ = ["PlainRunner"]

Draw = Callable[[str, Sequence[int]], "int | tuple[int, int, int]"]


class FloatRow(list[float]):
    """An array of shares: a whole number put into it is a float from then on, which tells -0.0 from 0."""

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, float(value))


class PlainLuck:
    """What a plain game draws from: events have the numbers that the kit gives them."""

    def __init__(self, source: GameSource, draw: Draw) -> None:
        self.events = source.description.luck
        self.decks = list(source.description.decks)
        self.draw = draw

    def number(self, name: str, event: str, at: int | tuple[int, ...], *arguments: int) -> int:
        counter = 0
        for part in at if isinstance(at, tuple) else (at,):
            counter = counter << 8 | part
        found = self.draw(name, (self.events[event].purpose, counter, *map(int, arguments)))
        if isinstance(found, tuple):
            raise ValueError(f"bad luck: {found}")
        return found

    def cards(self, event: str, cards: int, number: int, *, at: int | tuple[int, ...] = 0, deck: Any = None) -> int:
        return self.number("draw_cards", event, at, self.decks.index(deck), cards, number)

    def card(self, event: str, cards: int, *, at: int | tuple[int, ...] = 0, deck: Any = None) -> int:
        return self.number("draw_card", event, at, self.decks.index(deck), cards)

    def die(self, event: str, sides: int = 6, *, at: int | tuple[int, ...] = 0) -> int:
        return self.number("roll", event, at, sides)


def plain_class(source: GameSource) -> Any:
    """The author's class, with the header's rules: who is set to move is asked alone, and the end is final."""
    base: Any = source.description.game

    class PlainGame(base):  # type: ignore[misc]
        @property
        def mover(self) -> int:
            return int(self.__dict__.get("mover", 0))

        @mover.setter
        def mover(self, seat: int) -> None:
            if not self.__dict__.get("is_over"):
                self.__dict__["mover"], self.asked = seat, 0

        def ask(self, seats: int) -> None:
            if not self.is_over:
                self.mover = (seats & -seats).bit_length() - 1
                self.asked = seats

        def end(self) -> None:
            self.mover = -1
            self.is_over = True

    return PlainGame


class PlainRunner:
    """Calls a plain game's methods as FunctionRunner calls the compiled ones. Whatever they raise is raised."""

    def __init__(self, source: GameSource, program: Program, draw: Draw) -> None:
        self.program = program
        self.luck = PlainLuck(source, draw)
        self.make = plain_class(source)

    def run(self, name: str, state: bytes, *arguments: int) -> Answer:
        game = self.make(self.program.seats)
        game.ply, mover, asked = struct.unpack_from("<HbB", state)
        game.mover, game.asked = mover, asked
        for slot in self.program.slots:
            game.__dict__[slot.name] = loaded(slot, state)
        arrays = [FloatRow([0.0] * self.program.seats)] if name == "result" else []
        given = getattr(game, name)(*arguments, *arrays, *([self.luck] if name in {"deal", "apply"} else []))
        if name == "legal":
            return Answer(-1, state, tuple(map(int, given)))
        after = bytearray(state)
        struct.pack_into("<HbB", after, 0, game.ply, game.mover, game.asked)
        for slot in self.program.slots:
            dump(slot, after, game.__dict__[slot.name])
        return Answer(0 if given is None else given, bytes(after), None, 0, tuple(tuple(map(float, array)) for array in arrays))


def loaded(slot: Slot, state: bytes) -> Any:
    """A field's value, or its rows as lists."""

    def element(index: int) -> int:
        place = slot.offset + index * slot.width
        return int.from_bytes(state[place : place + slot.width], "little", signed=slot.signed)

    if not slot.used:
        return element(0)
    if len(slot.used) == 1:
        return [element(index) for index in range(slot.used[0])]
    return [[element(row * slot.lengths[1] + index) for index in range(slot.used[1])] for row in range(slot.used[0])]


def dump(slot: Slot, state: bytearray, value: Any) -> None:
    rows = [[value]] if not slot.used else [value] if len(slot.used) == 1 else value
    for row, elements in enumerate(rows):
        for index, element in enumerate(elements):
            place = slot.offset + (row * (slot.lengths[1] if len(slot.used) > 1 else 0) + index) * slot.width
            state[place : place + slot.width] = int(element).to_bytes(slot.width, "little", signed=slot.signed)
