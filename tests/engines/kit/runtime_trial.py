"""A declared game over the runtime alone: its functions are Python's, called through C, and its structs are read by name."""

import ctypes
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from machiavel.engines.conformance.engine_struct import ENGINE_CAPSULE, RULES_CAPSULE, SEEDED, Contract, Luck, pointer_of
from machiavel.engines.kit._runtime import Runtime
from machiavel.engines.kit.declarations import Game
from machiavel.engines.kit.game_description import describe
from machiavel.engines.kit.layout import layout_of
from machiavel.engines.kit.state_bytes import StateBytes

__all__ = ["RuntimeTrial"]

Function = Callable[..., int | float | None]

TYPES = {
    "deal": ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p),
    "legal": ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64),
    "apply": ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64),
    "result": ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_double)),
    "estimate": ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_double)),
    "measure": ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, *[ctypes.POINTER(ctypes.c_double)] * 2),
    "weigh": ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64),
    "determinize": ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64),
    "possible": ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64),
}


class RuntimeTrial:
    """Functions take the call's address, the state as a dict that they may change, and their own arguments."""

    def __init__(self, game: type[Game], players: int, functions: Mapping[str, Function] | None = None) -> None:
        self.game = describe(game, __file__, 1)
        self.layout = layout_of(self.game, players)
        self.runtime = Runtime(self.game, self.layout)
        self.bytes = StateBytes(self.runtime.capsule, layout_of(self.game, self.game.most_seats))
        given = dict[str, Function].fromkeys(("deal", "legal", "apply", "result"), self.nothing) | dict(functions or {})
        self.callbacks = {name: TYPES[name](self.wrapped(function)) for name, function in given.items()}
        addresses = {name: ctypes.cast(one, ctypes.c_void_p).value or 0 for name, one in self.callbacks.items()}
        self.capsule = self.runtime.make_rules(players, self.layout, functions=addresses, keep=self.callbacks)
        self.contract = Contract.from_address(pointer_of(self.runtime.capsule, ENGINE_CAPSULE))
        self.rules = pointer_of(self.capsule, RULES_CAPSULE)

    @staticmethod
    def nothing(*_: object) -> int:
        return 0

    def wrapped(self, function: Function) -> Callable[..., int | float]:
        size = self.layout.state_size

        def call(called: int, at: int, *more: Any) -> int | float:
            fields = self.bytes.state_fields(ctypes.string_at(at, size))
            answer = function(called, fields, *more)
            ctypes.memmove(at, self.bytes.state_bytes(fields), size)
            return answer or 0

        return call

    # ---- The contract, with bytes for buffers ----

    def luck(self, seed: int, flags: int = 0) -> Luck:
        luck = Luck()
        luck.flags = SEEDED | flags
        luck.seed[0], luck.seed[1] = seed & (1 << 64) - 1, seed >> 64
        return luck

    def state(self, **fields: Any) -> bytes:
        """An empty state but for these fields."""
        empty: dict[str, Any] = {}
        for slot in self.layout.slots:
            nothing: Any = self.game.fields[slot.name].nothing
            for length in reversed(slot.lengths):
                nothing = [nothing] * length
            empty[slot.name] = nothing
        return self.bytes.state_bytes(empty | fields)

    def dealt(self, seed: int) -> bytes:
        state = ctypes.create_string_buffer(self.layout.state_size)
        self.contract.deal(self.rules, self.luck(seed), state)
        return state.raw

    def applied(self, state: bytes, move: int, seed: int = 1) -> bytes:
        after = ctypes.create_string_buffer(state, len(state))
        self.contract.apply(self.rules, after, move, self.luck(seed))
        return after.raw

    def legal(self, state: bytes, seat: int) -> list[int]:
        moves = (ctypes.c_uint16 * 256)()
        count: int = self.contract.legal_moves(self.rules, state, seat, moves)
        return moves[:count]

    def mover(self, state: bytes) -> int:
        answer: int = self.contract.to_move(self.rules, state)
        return answer

    def utilities(self, state: bytes) -> list[float]:
        utilities = (ctypes.c_float * 8)()
        self.contract.utilities(self.rules, state, utilities)
        seats: int = self.contract.seats(self.rules)
        return utilities[:seats]

    def view(self, state: bytes, seat: int) -> bytes:
        view = ctypes.create_string_buffer(self.layout.view_size)
        self.contract.view(self.rules, state, seat, view)
        return view.raw

    def key(self, state: bytes, seat: int) -> int:
        key: int = self.contract.view_key(self.rules, state, seat)
        return key

    def learnt(self, before: bytes, move: int, after: bytes, seat: int) -> int:
        key: int = self.contract.private_observation(self.rules, before, move, after, seat)
        return key

    def world(self, view: bytes, seed: int) -> bytes:
        world = ctypes.create_string_buffer(self.layout.state_size)
        self.contract.determinize(self.rules, view, ctypes.c_uint64(seed), world)
        return world.raw

    def worlds(self, view: bytes, number: int) -> Iterator[dict[str, Any]]:
        """So many worlds of a view, as fields."""
        rng = ctypes.c_uint64(8)
        world = ctypes.create_string_buffer(self.layout.state_size)
        for _ in range(number):
            self.contract.determinize(self.rules, view, rng, world)
            yield self.bytes.state_fields(world.raw)

    def fault(self) -> bool:
        return bool(self.contract.fault(self.rules))
