"""What the checker knows while it goes through a function: names, their types and bounds, and what names of the file mean."""

import ast
import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from machiavel.engines.errors import BadGameFile
from machiavel.engines.kit.declarations import Action, Game, Option
from machiavel.engines.kit.declared_fields import StateField
from machiavel.engines.kit.file_refusals import refused
from machiavel.engines.kit.intervals import FULL, Interval, clamped, fits, hull
from machiavel.engines.kit.layout import StateLayout
from machiavel.engines.kit.program import (
    And,
    Assign,
    Call,
    Compare,
    Const,
    Expression,
    Load,
    Local,
    Or,
    Parameter,
    Slot,
    Statement,
    ToFloat,
    Unary,
    ValueType,
)
from machiavel.engines.kit.source import GameSource

__all__ = [
    "MISSING",
    "MOVER",
    "BecomesFloat",
    "CheckedFunction",
    "Env",
    "FunctionScope",
    "ProgramScope",
    "bounds",
    "int_value",
    "join",
    "widened",
]

Env = dict[str, Interval]
MISSING = object()
EXACT = (-(2**53), 2**53)  # what a float holds exactly
MOVER = "self.mover"


@dataclass
class CheckedFunction:
    """A function, and what has been found out about it so far."""

    name: str
    node: ast.FunctionDef
    parameters: Sequence[Parameter]
    is_method: bool
    is_entry: bool = False
    arguments: dict[str, Interval] = field(default_factory=dict)  # what it is called with
    returns: ValueType | None = None  # None: nothing
    returned: Interval = FULL
    body: Sequence[Statement] = ()
    types: dict[str, ValueType] = field(default_factory=dict)
    yields: bool = False
    writes: int = 0  # the line where it does
    ends: bool = False  # the game
    is_finished: bool = False


@dataclass
class ProgramScope:
    """What all functions of a program share."""

    source: GameSource
    layout: StateLayout
    seats: int
    options: Mapping[str, int]
    find: Callable[[str, ast.AST, bool], CheckedFunction]  # a function by name, checked once; whether it is a method
    observe: Callable[[CheckedFunction, Mapping[str, Interval]], None]  # a call, with the bounds of its arguments
    functions: dict[str, CheckedFunction] = field(default_factory=dict)
    luck_decks: dict[str, int] = field(default_factory=dict)  # of which deck an event draws

    @property
    def slots(self) -> Mapping[str, Slot]:
        return {slot.name: slot for slot in self.layout.slots}


class FunctionScope:
    """Where the checker stands in a function; `env` has the bounds of what is surely set, None where nothing gets to."""

    def __init__(self, shared: ProgramScope, function: CheckedFunction) -> None:
        self.shared = shared
        self.function = function
        self.game = shared.source.description
        self.slots = shared.slots
        self.types: dict[str, ValueType] = {one.name: one.type for one in function.parameters if one.type in {"int", "float"}}
        self.arrays = {one.name for one in function.parameters if one.type == "array"}
        self.luck = {one.name for one in function.parameters if one.type == "luck"}
        self.assigned = assigned_names(function.node)
        self.env: Env | None = {one.name: function.arguments.get(one.name, FULL) for one in function.parameters}
        self.env[MOVER] = function.arguments.get(MOVER, (-1, shared.seats - 1))
        self.temporaries = 0
        self.before: list[Statement] = []  # what an expression needs to be done before the statement it is in

    # ---- Refusing ----

    def refuse(self, node: ast.AST, key: str, /, **parts: object) -> BadGameFile:
        return refused(key, self.shared.source.path, getattr(node, "lineno", self.function.node.lineno), **parts)

    def near(self, name: str, known: Sequence[str]) -> str:
        found = difflib.get_close_matches(name, known, 1, 0.5)
        return found[0] if found else ""

    # ---- Names ----

    def interval(self, name: str) -> Interval:
        return FULL if self.env is None else self.env.get(name, FULL)

    def is_set(self, name: str) -> bool:
        return self.env is None or name in self.env

    def temporary(self) -> str:
        self.temporaries += 1
        return f"_kit{self.temporaries}"

    def static(self, node: ast.AST) -> Any:
        """What a name or an attribute of the file is before any game begins: an int, a deck, an action, …; else MISSING."""
        match node:
            case ast.Name(id=name):
                if name in self.types or name in self.arrays or name in self.luck or name in self.assigned:
                    return MISSING
                return vars(self.shared.source.module).get(name, MISSING)
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if self.function.is_method:
                return self.static_of_self(name)
            case ast.Attribute(value=inner, attr=name):
                of = self.static(inner)
                if of is MISSING or isinstance(of, Action | StateField):
                    return MISSING
                return getattr(of, name, MISSING)
            case ast.Constant(value=int() | float() as value):
                return value
            case ast.Subscript(value=inner, slice=index):
                of, at = self.static(inner), self.static(index)
                if isinstance(of, tuple) and isinstance(at, int) and 0 <= at < len(of):
                    return of[at]
        return MISSING

    def static_of_self(self, name: str) -> Any:
        game = self.game.game
        if name == "seats":
            return self.shared.seats
        if name in self.game.options:
            return self.shared.options[name]
        if hasattr(Game, name) or name in self.game.fields:
            return MISSING
        value = getattr(game, name, MISSING)
        return value if isinstance(value, int | float | tuple | Action) and not isinstance(value, Option) else MISSING

    # ---- Values ----

    def const(self, node: ast.AST, value: float) -> Expression:
        line = node.lineno  # type: ignore[attr-defined]
        if isinstance(value, float):
            return Const(line=line, type="float", value=value)
        number = int(value)
        if not fits((number, number)):
            raise self.refuse(node, "number_too_large", number=number)
        return Const(line=line, value=number, low=number, high=number)

    def local(self, node: ast.AST, name: str) -> Expression:
        line = node.lineno  # type: ignore[attr-defined]
        if self.types[name] == "float":
            return Local(line=line, type="float", name=name)
        low, high = self.interval(name)
        return Local(line=line, name=name, low=low, high=high)

    def as_float(self, value: Expression) -> Expression:
        if value.type == "float":
            return value
        if isinstance(value, Const) and fits(bounds(value), EXACT):
            return Const(line=value.line, type="float", value=float(value.value))
        return ToFloat(line=value.line, type="float", operand=value, checked=not fits(bounds(value), EXACT))

    def of_one_type(self, values: Sequence[Expression]) -> list[Expression]:
        """All floats where one is."""
        return [self.as_float(one) for one in values] if any(one.type == "float" for one in values) else list(values)

    def assign(self, node: ast.AST, name: str, value: Expression) -> Statement:
        """Set a local; floats make it one for good."""
        if name in self.arrays or name in self.luck:
            raise self.refuse(node, "set_parameter", name=name)
        known = self.types.get(name)
        if known is None:
            self.types[name] = known = value.type
        if known == "int" and value.type == "float":
            if any(one.name == name for one in self.function.parameters):
                raise self.refuse(node, "float_parameter", name=name)
            raise BecomesFloat(name)
        if self.env is not None:
            self.env[name] = bounds(value) if value.type == "int" else FULL
        value = self.as_float(value) if known == "float" else value
        return Assign(line=node.lineno, name=name, value=value)  # type: ignore[attr-defined]

    def forget_fields(self) -> None:
        """After a call that may have changed the position."""
        if self.env is not None:
            for key in [key for key in self.env if key.startswith("self.") and key != MOVER]:
                del self.env[key]

    # ---- What a test tells ----

    def assume(self, test: Expression, is_true: bool) -> None:
        """Narrow the bounds of names by a test that came out so; those of fields, unless it may have changed them."""
        if self.env is not None:
            self.assume_part(test, is_true, self.is_pure(test))

    def assume_part(self, test: Expression, is_true: bool, fields_too: bool) -> None:
        match test:
            case Unary(op="not", operand=operand):
                self.assume_part(operand, not is_true, fields_too)
            case And(values=values) if is_true:
                for value in values:
                    self.assume_part(value, True, fields_too)
            case Or(values=values) if not is_true:
                for value in values:
                    self.assume_part(value, False, fields_too)
            case Compare(op=op, left=left, right=right) if left.type == right.type == "int":
                self.narrow(left, op if is_true else OPPOSITE[op], bounds(right), fields_too)
                self.narrow(right, MIRRORED[op if is_true else OPPOSITE[op]], bounds(left), fields_too)
            case Local() | Load() if test.type == "int":
                self.narrow(test, "!=" if is_true else "==", (0, 0), fields_too)

    def is_pure(self, value: Expression) -> bool:
        """Whether computing it, even twice, changes nothing."""
        if isinstance(value, Call) and self.shared.functions[value.function].writes:
            return False
        return all(self.is_pure(part) for part in parts_of(value))

    def narrow(self, value: Expression, op: str, other: Interval, fields_too: bool) -> None:
        name = key_of(value)
        if name is None or self.env is None or (name.startswith("self.") and not fields_too):
            return
        low, high = bounds(value)
        match op:
            case "<":
                high = min(high, other[1] - 1)
            case "<=":
                high = min(high, other[1])
            case ">":
                low = max(low, other[0] + 1)
            case ">=":
                low = max(low, other[0])
            case "==":
                low, high = max(low, other[0]), min(high, other[1])
            case "!=":
                low += other == (low, low)
                high -= other == (high, high)
        if low <= high:
            self.env[name] = low, high


class BecomesFloat(Exception):
    """A local that was taken for an int gets a float: its function is checked once more."""

    def __init__(self, name: str) -> None:
        self.name = name


OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def key_of(value: Expression) -> str | None:
    """The name under which bounds of a value are kept."""
    if isinstance(value, Local) and value.type == "int":
        return value.name
    if isinstance(value, Load) and not value.slot.used:
        return f"self.{value.slot.name}"
    return None


def parts_of(value: Expression) -> Iterator[Expression]:
    """The expressions directly inside one."""
    for one in fields(value):
        inside = getattr(value, one.name)
        if isinstance(inside, Expression):
            yield inside
        elif isinstance(inside, tuple):
            yield from (part for part in inside if isinstance(part, Expression))


def bounds(value: Expression) -> Interval:
    return value.low, value.high


def int_value(value: Expression) -> int | None:
    """The value of a constant."""
    return int(value.value) if isinstance(value, Const) and value.type == "int" else None


def assigned_names(node: ast.FunctionDef) -> set[str]:
    """The local names of a function besides its parameters."""
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def join(one: Env | None, other: Env | None) -> Env | None:
    """What is known where two ways meet."""
    if one is None or other is None:
        return dict(one) if other is None and one is not None else None if other is None else dict(other)
    return {name: hull(one[name], other[name]) for name in one if name in other}


def widened(before: Env | None, after: Env | None, slots: Mapping[str, Slot]) -> Env | None:
    """What holds for every turn of a loop: a bound that moves has no end but its field's."""
    if before is None or after is None:
        return after
    result: Env = {}
    for name, (low, high) in after.items():
        slot = slots.get(name.removeprefix("self.")) if name.startswith("self.") else None
        limit = FULL if slot is None else (slot.low, slot.high)
        if name == MOVER:
            result[name] = low, high
            continue
        old = before[name]
        least = low if low >= old[0] else 0 if low >= 0 >= limit[0] else limit[0]
        result[name] = clamped((least, limit[1] if high > old[1] else high), limit)
    return result
