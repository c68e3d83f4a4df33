"""A game interpreted: positions whose rules are the author's own, with every check of the compiled ones."""

import ast
import builtins
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import prod
from typing import Any, NoReturn

from machiavel.engines.kit.checker import check_program
from machiavel.engines.kit.interpreted_faults import HELPERS, InterpretedLuck, unfit
from machiavel.engines.kit.program import Program, Slot
from machiavel.engines.kit.python_expressions import attribute_of
from machiavel.engines.kit.python_functions import FunctionWriter, exceptions_of
from machiavel.engines.kit.source import GameSource

__all__ = ["HiddenValue", "InterpretedPosition", "PeekingRule", "interpreted_class", "interpreted_game"]

HEADER = "<HbBBb2x"  # ply, mover, asked, flags, seat, two spare
CODES = {(1, False): "B", (1, True): "b", (2, False): "H", (2, True): "h"}
CODES |= {(4, False): "I", (4, True): "i", (8, False): "Q", (8, True): "q"}


class PeekingRule(Exception):
    """A rule looked at what its seat does not see; the text names the field."""


class InterpretedPosition:
    """A position as Python works with it; one for each thread. Fields are attributes, rows of them lists.

    `legal` returns (number of the action's first move, set), or a list of moves. `result`, `estimate` and `measure` fill lists
    with a number for each seat. What goes wrong is raised: `fault_of` tells which fault it is, and in which line.
    """

    ply: int
    mover: int  # -1: over
    asked: int
    flags: int
    _kit_seat: int
    _kit_fuel: int
    _kit_luck: InterpretedLuck
    __slots__ = ("_kit_fuel", "_kit_luck", "_kit_seat", "asked", "flags", "mover", "ply")

    load: Callable[[bytes], None]  # a state, or the part of a view that is one
    dump: Callable[[], bytes]
    deal: Callable[[InterpretedLuck], None]
    legal: Callable[[int], tuple[int, int] | list[int]]
    apply: Callable[[int, InterpretedLuck], None]
    result: Callable[[list[float]], None]
    weigh: Callable[[int], float]
    estimate: Callable[[list[float]], None]
    measure: Callable[..., None]
    determinize: Callable[[int, InterpretedLuck], None]
    possible: Callable[[int], int]
    called: Callable[[int], int]
    slots_by_number: Sequence[Slot]

    def hide_from(self, seat: int) -> None:
        """Puts in place of what a seat does not see what raises PeekingRule when it is looked at; -1 is a spectator."""
        for slot in self.slots_by_number:
            if slot.seen_by == "all":
                continue
            name = attribute_of(slot.name)
            value = getattr(self, name)
            if not slot.each_seat:
                if not self._sees(slot, seat, 0):
                    setattr(self, name, hidden(value, slot.name))
                continue
            for owner, one in enumerate(value):
                if not self._sees(slot, seat, owner):
                    value[owner] = hidden(one, f"{slot.name}[{owner}]")

    def _sees(self, slot: Slot, seat: int, owner: int) -> bool:
        if slot.seen_by in {"owner", "nobody"}:
            return slot.seen_by == "owner" and seat == owner
        mask = getattr(self, attribute_of(slot.seen_by))
        return seat >= 0 and bool((mask[owner] if isinstance(mask, list) else mask) >> seat & 1)


def interpreted_game(source: GameSource, players: int, options: Mapping[str, int]) -> InterpretedPosition:
    """A position of a game, with nothing in it."""
    return interpreted_class(source, check_program(source, players, options))()


def interpreted_class(source: GameSource, program: Program) -> type[InterpretedPosition]:
    """The class of a program's positions."""
    scope: dict[str, Any] = dict(HELPERS)
    for name in exceptions_of(program):
        scope[f"_kit_error_{name}"] = vars(source.module).get(name, getattr(builtins, name, RuntimeError))
    scope["_kit_unfit"] = partial(raise_unfit, program.slots)
    methods: dict[str, Any] = {}
    for name, node in FunctionWriter(program).functions():
        module = ast.Module([node], [])
        exec(compile(module, source.path, "exec", dont_inherit=True), scope)  # noqa: S102 - made of a checked program
        methods[name] = scope.pop(node.name)
    methods |= loading(program.slots)
    fields = tuple(attribute_of(slot.name) for slot in program.slots)
    body = {"__slots__": fields, "slots_by_number": tuple(program.slots), **methods}
    return type("Position", (InterpretedPosition,), body)


def raise_unfit(slots: Sequence[Slot], number: int, value: int, *indices: int) -> NoReturn:
    raise unfit(slots[number], value, indices, number)


# ---- Bytes ----


def loading(slots: Sequence[Slot]) -> dict[str, Any]:
    """`load` and `dump` for a layout: one call of struct each, and no loop."""
    form, end, names, given = HEADER, struct.calcsize(HEADER), [], []
    first = 5
    for slot in slots:
        count, room = prod(slot.used), prod(slot.lengths)
        form += f"{slot.offset - end}x{room}{CODES[slot.width, slot.signed]}"
        end = slot.offset + room * slot.width
        name = attribute_of(slot.name)
        if not slot.used:
            names.append(f"_kit.{name} = v[{first}]")
            given.append(f"_kit.{name}")
        elif len(slot.used) == 1:
            names.append(f"_kit.{name} = [*v[{first}:{first + count}]]")
            given.append(f"*_kit.{name}")
        else:
            rows = range(first, first + count, slot.used[1])
            names.append(f"_kit.{name} = [{', '.join(f'[*v[{row}:{row + slot.used[1]}]]' for row in rows)}]")
            given += [f"*_kit.{name}[{row}]" for row in range(slot.used[0])]
        given += [str(absent(slot))] * (room - count)
        first += room
    form += f"{-end % 16}x"
    header = ", ".join(f"_kit.{name}" for name in ("ply", "mover", "asked", "flags", "_kit_seat"))
    text = f"def load(_kit, data):\n    v = unpack(data)\n    {header} = v[:5]\n"
    text += "".join(f"    {line}\n" for line in names)
    text += f"def dump(_kit):\n    return pack({', '.join([header, *given])})\n"
    whole = struct.Struct(form)
    scope: dict[str, Any] = {"unpack": whole.unpack_from, "pack": whole.pack}
    exec(text, scope)  # noqa: S102 - made above
    return {"load": scope["load"], "dump": scope["dump"]}


def absent(slot: Slot) -> int:
    """What stands in the place of a seat that does not play."""
    if slot.kind == "count":
        return 0 if slot.low <= 0 <= slot.high else slot.low
    return -1 if slot.kind in {"card", "seat"} else 0


# ---- What is hidden ----


def hidden(value: Any, place: str) -> Any:
    """A value, or a row of values, that must not be looked at."""
    if isinstance(value, list):
        return [hidden(one, f"{place}[{at}]") for at, one in enumerate(value)]
    return HiddenValue(place)


class HiddenValue:
    """Stands for a number that a rule must not look at; it may be handed on, and nothing else."""

    __slots__ = ("place",)

    def __init__(self, place: str) -> None:
        self.place = place


def looked_at(self: HiddenValue, *_: object) -> NoReturn:
    raise PeekingRule(self.place)


LOOKS = "add sub mul floordiv mod truediv pow lshift rshift and or xor divmod".split()
for _look in (
    *LOOKS,
    *(f"r{one}" for one in LOOKS),
    *"neg pos invert abs bool index int float eq ne lt le gt ge hash len iter getitem contains str repr format".split(),
):
    setattr(HiddenValue, f"__{_look}__", looked_at)
for _look in ("bit_count", "bit_length"):
    setattr(HiddenValue, _look, looked_at)
