"""An engine's struct as C has it, for what the Python face does not show."""

import ctypes
from ctypes import POINTER, c_char_p, c_float, c_int, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p
from typing import Any, ClassVar

from machiavel.engines import Engine, State

__all__ = [
    "COOPERATIVE",
    "LUCK_INVALID",
    "LUCK_MISSING",
    "MAX_METRICS",
    "OPTIONAL",
    "REQUIRED",
    "RULES_CAPSULE",
    "SEEDED",
    "Contract",
    "LaidOutcome",
    "Luck",
    "capsule_of",
    "contract_of",
    "likelihood_of",
    "measured",
    "pointer_of",
]

ENGINE_CAPSULE = b"machiavel.engine"
RULES_CAPSULE = b"machiavel.rules"

SEEDED = 1
LUCK_MISSING, LUCK_INVALID = 1, 2
COOPERATIVE = 1
MAX_METRICS = 64


class LaidOutcome(ctypes.Structure):
    _fields_: ClassVar = [
        ("purpose", c_uint32),
        ("counter", c_uint32),
        ("count", c_uint32),
        ("values", c_char_p),
    ]


class Luck(ctypes.Structure):
    _fields_: ClassVar = [
        ("seed", c_uint64 * 2),
        ("laid", POINTER(LaidOutcome)),
        ("laid_count", c_uint32),
        ("flags", c_uint32),
        ("failed", c_uint32),
        ("failed_purpose", c_uint32),
        ("failed_counter", c_uint32),
        ("expected_count", c_uint32),
        ("expected", c_uint8 * 256),
    ]


NUMBERS = (
    ("abi_version", c_uint32),
    ("struct_size", c_uint32),
    ("name", c_char_p),
    ("rules_version", c_uint32),
    ("flags", c_uint32),
    ("state_size", c_uint32),
    ("view_size", c_uint32),
    ("move_limit", c_uint32),
    ("max_moves", c_uint32),
)
STATE = MOVES = c_char_p  # bytes, or a buffer where the function writes
REQUIRED = (
    ("seats", ctypes.CFUNCTYPE(c_uint32, c_void_p)),
    ("max_plies", ctypes.CFUNCTYPE(c_uint32, c_void_p)),
    ("deal", ctypes.CFUNCTYPE(None, c_void_p, POINTER(Luck), STATE)),
    ("to_move", ctypes.CFUNCTYPE(c_int, c_void_p, STATE)),
    ("legal_moves", ctypes.CFUNCTYPE(c_uint32, c_void_p, STATE, c_int, POINTER(c_uint16))),
    ("apply", ctypes.CFUNCTYPE(None, c_void_p, STATE, c_uint16, POINTER(Luck))),
    ("utilities", ctypes.CFUNCTYPE(None, c_void_p, STATE, POINTER(c_float))),
    ("view", ctypes.CFUNCTYPE(None, c_void_p, STATE, c_int, STATE)),
    ("determinize", ctypes.CFUNCTYPE(None, c_void_p, STATE, POINTER(c_uint64), STATE)),
    ("view_key", ctypes.CFUNCTYPE(c_uint64, c_void_p, STATE, c_int)),
)
OPTIONAL = (
    ("seats_to_move", ctypes.CFUNCTYPE(c_uint32, c_void_p, STATE)),
    ("weights", ctypes.CFUNCTYPE(None, c_void_p, STATE, POINTER(c_uint16), c_uint32, POINTER(c_float))),
    ("likelihood", ctypes.CFUNCTYPE(c_float, c_void_p, STATE, c_int)),
    ("metrics", ctypes.CFUNCTYPE(c_uint32, c_void_p, STATE, STATE, POINTER(c_float))),
    ("playout", ctypes.CFUNCTYPE(c_uint32, c_void_p, STATE, POINTER(c_uint64), POINTER(Luck))),
    ("private_observation", ctypes.CFUNCTYPE(c_uint64, c_void_p, STATE, c_uint16, STATE, c_int)),
    ("evaluate", ctypes.CFUNCTYPE(None, c_void_p, STATE, POINTER(c_float))),
    ("fault", ctypes.CFUNCTYPE(c_uint32, c_void_p)),
)


class Contract(ctypes.Structure):
    """`machiavel_engine`."""

    _fields_: ClassVar = [*NUMBERS, *REQUIRED, *OPTIONAL]

    abi_version: int
    struct_size: int
    flags: int
    state_size: int
    view_size: int
    move_limit: int
    max_moves: int


def pointer_of(capsule: object, name: bytes) -> int:
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = c_void_p, [ctypes.py_object, c_char_p]
    pointer: int = get(capsule, name)
    return pointer


def contract_of(plugin: Engine) -> Contract:
    """The engine's own struct, not a copy."""
    return Contract.from_address(pointer_of(plugin.capsule, ENGINE_CAPSULE))


def likelihood_of(world: State, seat: int) -> float:
    """What an engine that has `likelihood` says of a world, seen from a seat."""
    result: float = contract_of(world.game.plugin).likelihood(
        pointer_of(world.rules.capsule, RULES_CAPSULE), world.to_bytes(), seat
    )
    return result


def capsule_of(contract: Contract, name: bytes = ENGINE_CAPSULE) -> Any:
    """A new capsule; struct and name must outlive it."""
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [c_void_p, c_char_p, c_void_p]
    return new(ctypes.addressof(contract), name, None)


def measured(root: State, end: State) -> dict[str, float]:
    """What the engine says of a line, as the search asks it."""
    values = (ctypes.c_float * MAX_METRICS)()
    contract = contract_of(root.game.plugin)
    contract.metrics(pointer_of(root.rules.capsule, RULES_CAPSULE), root.to_bytes(), end.to_bytes(), values)
    return dict(zip(root.game.plugin.metrics(root.rules), values, strict=False))
