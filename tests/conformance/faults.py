"""Engines with a fault planted: a game of ours with some functions or texts that go wrong."""

import ctypes
from collections.abc import Callable, Mapping
from ctypes import c_float, c_int, c_uint16, c_uint32, c_uint64, c_void_p
from typing import Any

from machiavel.engines import Engine, Game
from machiavel.engines.conformance.engine_struct import (
    OPTIONAL,
    REQUIRED,
    SEEDED,
    Contract,
    Luck,
    capsule_of,
    contract_of,
)

__all__ = ["Fault", "Original", "faulty", "read", "write"]

Original = Callable[..., Any]  # the engine's own function; pointers are addresses
Fault = Callable[..., Any]  # takes the original first, then what the contract says
NUMBERS = {c_int, c_uint16, c_uint32, c_uint64, c_float, None}
PROTOTYPES: Mapping[str, Any] = dict(REQUIRED) | dict(OPTIONAL)


def raw(prototype: Any) -> Any:
    """A prototype whose pointers are addresses: ctypes would give callbacks bytes cut at the first zero."""
    arguments = [kind if kind in NUMBERS else c_void_p for kind in prototype._argtypes_]
    return ctypes.CFUNCTYPE(prototype._restype_, *arguments)


def faulty(
    base: Engine, functions: Mapping[str, Fault] | None = None, module: str | None = None, name: str = "", **members: Any
) -> Game:
    """The game of `base` with these functions of the struct and these members of the plugin instead of its own."""
    contract = Contract.from_buffer_copy(contract_of(base))
    kept: list[Any] = [contract, contract_of(base)]
    for function, fault in (functions or {}).items():
        prototype = raw(PROTOTYPES[function])
        original = ctypes.cast(getattr(contract_of(base), function), prototype)
        callback = prototype(bound(fault, original))
        kept += [original, callback]
        setattr(contract, function, ctypes.cast(callback, PROTOTYPES[function]))
    if name:
        contract.name = name.encode()
        members["name"] = name
    members |= {"capsule": capsule_of(contract), "kept": kept, "contract": contract}
    if module is not None:
        members["__module__"] = module
    return Game(type("FaultyEngine", (type(base),), members)())


def bound(fault: Fault, original: Original) -> Callable[..., Any]:
    return lambda *arguments: fault(original, *arguments)


def read(address: int, size: int) -> bytes:
    return ctypes.string_at(address, size)


def write(address: int, data: bytes) -> None:
    ctypes.memmove(address, data, len(data))


def fixed_luck() -> Luck:
    luck = Luck(flags=SEEDED)
    luck.seed[:] = [1, 2]
    return luck
