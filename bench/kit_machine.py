"""Compiled functions of a game in a file, called one by one from Python: the runtime's place is taken by ctypes."""

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from machiavel.engines.kit.compiling import CompiledFunctions
from machiavel.engines.kit.fault_kinds import FUEL
from machiavel.engines.kit.program import Function, Program

__all__ = ["Answer", "FunctionRunner", "KitCall"]

LUCK = {"draw_cards": 5, "draw_card": 4, "roll": 3, "hidden": 2, "unseen": 1}  # arguments
Draw = Callable[[str, Sequence[int]], "int | tuple[int, int, int]"]  # a value, or a fault with its a and b


class KitCall(ctypes.Structure):
    """kit_call of kit_call.h."""

    _fields_ = (
        ("fuel", ctypes.c_int64),
        ("fault", ctypes.c_int32),
        ("line", ctypes.c_int32),
        ("a", ctypes.c_int64),
        ("b", ctypes.c_int64),
        ("first", ctypes.c_int64),
        ("luck", ctypes.c_void_p),
        ("rules", ctypes.c_void_p),
        ("view", ctypes.c_void_p),
        ("draw_cards", ctypes.c_void_p),
        ("draw_card", ctypes.c_void_p),
        ("roll", ctypes.c_void_p),
        ("hidden", ctypes.c_void_p),
        ("unseen", ctypes.c_void_p),
        ("count", ctypes.c_uint32),
        ("moves", ctypes.c_uint16 * 256),
    )


@dataclass(frozen=True)
class Answer:
    """What a function gave and left behind. After a fault nothing else counts."""

    value: int | float = 0
    state: bytes = b""
    moves: tuple[int, ...] | None = None  # of a `legal` that yields
    first: int = 0
    arrays: tuple[tuple[float, ...], ...] = ()
    fault: tuple[int, int, int, int] | None = None  # kind, line, a, b


class FunctionRunner:
    """The entry points of one program."""

    def __init__(self, program: Program, compiled: CompiledFunctions, draw: Draw | None = None, *, room: int = 8) -> None:
        self.program = program
        self.compiled = compiled
        self.room = room  # of an array
        self._draw = draw
        self._call = KitCall()
        self._functions: dict[str, Any] = {}
        self._callbacks = {name: self._callback(name, count) for name, count in LUCK.items()}

    def _callback(self, name: str, count: int) -> Any:
        def answer(_: int, *arguments: int) -> int:
            found = self._draw(name, arguments) if self._draw else (10, 0, 0)
            if isinstance(found, tuple):
                self._call.fault, self._call.a, self._call.b = found
                return 0
            return found

        return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, *[ctypes.c_int64] * count)(answer)

    def _function(self, function: Function) -> Any:
        if function.name not in self._functions:
            addresses = self.compiled.addresses or {}
            kinds: dict[str, Any] = {"int": ctypes.c_int64, "float": ctypes.c_double, "array": ctypes.c_void_p}
            own = [kinds[parameter.type] for parameter in function.parameters if parameter.type != "luck"]
            kind = ctypes.CFUNCTYPE(kinds[function.returns], ctypes.c_void_p, ctypes.c_void_p, *own)
            self._functions[function.name] = kind(addresses[function.name])
        return self._functions[function.name]

    def run(self, name: str, state: bytes, *arguments: float) -> Answer:
        """One call. Arrays are not given: they begin as zeros."""
        function = self.program.functions[name]
        call = self._call
        ctypes.memset(ctypes.byref(call), 0, ctypes.sizeof(call))
        call.fuel = FUEL
        for callback, pointer in self._callbacks.items():
            setattr(call, callback, ctypes.cast(pointer, ctypes.c_void_p).value)
        block = ctypes.create_string_buffer(state, len(state) + 16)
        place = ctypes.addressof(block) + (-ctypes.addressof(block) % 16)
        ctypes.memmove(place, state, len(state))
        given = iter(arguments)
        arrays = [(ctypes.c_double * self.room)() for one in function.parameters if one.type == "array"]
        left = iter(arrays)
        own = [one for one in function.parameters if one.type != "luck"]
        values = [ctypes.addressof(next(left)) if one.type == "array" else next(given) for one in own]
        value = self._function(function)(ctypes.addressof(call), place, *values)
        if call.fault:
            return Answer(fault=(call.fault, call.line, call.a, call.b))
        moves = tuple(call.moves[: call.count]) if function.yields else None
        return Answer(value, ctypes.string_at(place, len(state)), moves, call.first, tuple(tuple(array) for array in arrays))
