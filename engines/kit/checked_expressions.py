"""Expressions of an author's functions: read, refused or typed."""

import ast
from collections.abc import Sequence
from typing import Any

from machiavel.engines.kit import card_sets
from machiavel.engines.kit.checked_scope import MISSING, MOVER, FunctionScope, bounds, int_value
from machiavel.engines.kit.declarations import Action
from machiavel.engines.kit.intervals import Interval, clamped, fits, hull, may_fail, of_binary
from machiavel.engines.kit.program import (
    And,
    Binary,
    Builtin,
    Compare,
    Const,
    Element,
    Expression,
    Header,
    IfExpression,
    Load,
    Or,
    Slot,
    TableItem,
    Unary,
)

__all__ = ["OPERATORS", "ExpressionChecker"]

OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Div: "/",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
OF_FLOATS = {"+", "-", "*", "/"}


class ExpressionChecker(FunctionScope):
    """Turns expressions into the typed tree; calls are a chapter of their own."""

    def expression(self, node: ast.expr) -> Expression:
        static = self.static(node)
        if static is not MISSING and isinstance(static, int | float):
            return self.const(node, static)
        match node:
            case ast.Name(id=name):
                return self.name(node, name, static)
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if self.function.is_method:
                return self.attribute(node, name, static)
            case ast.Subscript():
                return self.item(node)
            case ast.BinOp(op=op, left=left, right=right):
                return self.binary(node, OPERATORS.get(type(op), ""), self.expression(left), self.expression(right))
            case ast.UnaryOp(op=op, operand=operand):
                return self.unary(node, op, operand)
            case ast.BoolOp(op=op, values=values):
                return self.bool_op(node, isinstance(op, ast.And), values)
            case ast.Compare(left=left, ops=ops, comparators=rest):
                return self.compare(node, left, ops, rest)
            case ast.IfExp():
                return self.if_expression(node)
            case ast.Call():
                return self.call(node)
        raise self.refuse(node, self.advice(node))

    def call(self, node: ast.Call) -> Expression:
        raise NotImplementedError

    def advice(self, node: ast.AST) -> str:
        """The key of what to write instead."""
        if isinstance(node, ast.Constant):
            return "not_here.text" if isinstance(node.value, str) else "not_here.nothing"
        name = type(node).__name__.lower()
        if name in {"listcomp", "setcomp", "dictcomp", "generatorexp"}:
            return "not_here.comprehension"
        if name in {"list", "dict", "set", "tuple"}:
            return "not_here.container"
        if name in {"joinedstr", "templatestr"}:
            return "not_here.text"
        known = {"lambda", "namedexpr", "slice", "starred", "yield", "yieldfrom", "await"}
        return f"not_here.{name}" if name in known else "not_here.other"

    def number(self, node: ast.expr) -> Expression:
        """An expression that must be an int."""
        value = self.expression(node)
        if value.type != "int":
            raise self.refuse(node, "int_needed")
        return value

    # ---- Names ----

    def name(self, node: ast.Name, name: str, static: Any) -> Expression:
        if name in self.types and not (self.env is not None and name not in self.env):
            return self.local(node, name)
        if name in self.types or name in self.assigned:
            raise self.refuse(node, "not_set", name=name)
        if name in self.arrays or name in self.luck or name == "self":
            raise self.refuse(node, "not_a_value", name=name)
        if static is not MISSING:
            raise self.refuse(node, "no_number", name=name)
        raise self.no_name(node, name, [*self.types])

    def no_name(self, node: ast.AST, name: str, known: Sequence[str]) -> Exception:
        """A name that nothing has: perhaps one of the game's without `self.`, or of the kit and not imported."""
        if self.function.is_method and name in {*self.slots, *self.game.options, *self.game.actions}:
            return self.refuse(node, "write_self", name=name)
        if name in card_sets.__all__:
            return self.refuse(node, "not_imported", name=name)
        module = (key for key in vars(self.shared.source.module) if not key.startswith("__"))
        return self.refuse(node, "no_name", name=name, near=self.near(name, [*known, *module]))

    def attribute(self, node: ast.Attribute, name: str, static: Any) -> Expression:
        slot = self.slots.get(name)
        line = node.lineno
        if slot is not None:
            if slot.used:
                raise self.refuse(node, "index_needed", field=name, example=f"self.{name}{'[…]' * len(slot.used)}")
            low, high = clamped(self.interval(f"self.{name}"), (slot.low, slot.high))
            return Load(line=line, slot=slot, low=low, high=high)
        match name:
            case "ply":
                return Header(line=line, name=name, low=0, high=self.game.longest)
            case "mover":
                low, high = self.interval(MOVER)
                return Header(line=line, name=name, low=low, high=high)
            case "asked":
                return Header(line=line, name=name, low=0, high=(1 << self.shared.seats) - 1)
        if static is not MISSING:
            raise self.refuse(node, "no_number", name=f"self.{name}")
        raise self.no_field(node, name)

    def no_field(self, node: ast.AST, name: str) -> Exception:
        if name in vars(self.game.game) and self.static_of_self(name) is not MISSING:
            return self.refuse(node, "constant_of_class", name=name)
        known = [*self.slots, *self.game.options, *self.game.actions, "seats", "ply", "mover", "asked"]
        known += [one for one in dir(self.game.game) if not one.startswith("_")]
        return self.refuse(node, "no_field", name=name, near=self.near(name, known))

    # ---- Items ----

    def item(self, node: ast.Subscript) -> Expression:
        match node.value:
            case ast.Name(id=name) if name in self.arrays:
                index = self.number(node.slice)
                length = self.shared.seats
                is_safe = fits(bounds(index), (0, length - 1))
                return Element(line=node.lineno, type="float", array=name, index=index, length=length, safe=is_safe)
        static = self.static(node.value)
        if isinstance(static, tuple):
            return self.table_item(node, static, self.number(node.slice))
        slot, indices = self.place(node)
        return Load(line=node.lineno, slot=slot, indices=indices, safe=self.safe(slot, indices), low=slot.low, high=slot.high)

    def table_item(self, node: ast.AST, values: tuple[Any, ...], index: Expression) -> Expression:
        if not values or not all(isinstance(one, int) and fits((one, one)) for one in values):
            raise self.refuse(node, "ints_alone")
        low, high = clamped(bounds(index), (0, len(values) - 1))
        some = values[low : high + 1]
        return TableItem(
            line=node.lineno,  # type: ignore[attr-defined]
            values=tuple(int(one) for one in values),
            index=index,
            safe=fits(bounds(index), (0, len(values) - 1)),
            low=min(some),
            high=max(some),
        )

    def place(self, node: ast.Subscript) -> tuple[Slot, tuple[Expression, ...]]:
        """The field and the indices of an item of it."""
        nodes: list[ast.expr] = []
        inner: ast.expr = node
        while isinstance(inner, ast.Subscript):
            nodes.insert(0, inner.slice)
            inner = inner.value
        match inner:
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if self.function.is_method:
                slot = self.slots.get(name)
                if slot is None:
                    raise self.no_field(inner, name)
            case ast.Name(id=name) if self.function.is_method and name in self.slots and name not in self.types:
                raise self.refuse(inner, "write_self", name=name)
            case _:
                raise self.refuse(inner, "no_row")
        if any(isinstance(one, ast.Slice) for one in nodes):
            raise self.refuse(node, "not_here.slice")
        if len(nodes) != len(slot.used):
            key = "index_needed" if slot.used else "no_index"
            raise self.refuse(node, key, field=name, example=f"self.{name}{'[…]' * len(slot.used)}")
        return slot, tuple(self.number(one) for one in nodes)

    def safe(self, slot: Slot, indices: Sequence[Expression]) -> tuple[bool, ...]:
        return tuple(fits(bounds(index), (0, used - 1)) for index, used in zip(indices, slot.used, strict=True))

    # ---- Arithmetic ----

    def binary(self, node: ast.AST, op: str, left: Expression, right: Expression) -> Expression:
        line = node.lineno  # type: ignore[attr-defined]
        if not op:
            raise self.refuse(node, "not_here.other")
        if op == "/" or "float" in {left.type, right.type}:
            if op not in OF_FLOATS:
                raise self.refuse(node, "float_operator", op=op)
            checked = op == "/" and not (isinstance(right, Const) and right.value)
            return Binary(line=line, type="float", op=op, left=self.as_float(left), right=self.as_float(right), checked=checked)
        one, other = bounds(left), bounds(right)
        if op == "**" and other[0] < 0:
            raise self.refuse(node, "negative_power")
        fails = may_fail(op, one, other)
        low, high = clamped(of_binary(op, one, other))
        if not fails and low == high and isinstance(left, Const) and isinstance(right, Const):
            return self.const(node, low)
        return Binary(line=line, op=op, left=left, right=right, checked=fails, low=low, high=high)

    def unary(self, node: ast.UnaryOp, op: ast.unaryop, operand: ast.expr) -> Expression:
        if isinstance(op, ast.USub) and isinstance(operand, ast.Constant) and isinstance(operand.value, int):
            return self.const(node, -operand.value)
        value = self.expression(operand)
        match op:
            case ast.UAdd():
                return value
            case ast.Not():
                low, high = (0, 1) if value.type == "float" else negated(bounds(value))
                return Unary(line=node.lineno, op="not", operand=value, low=low, high=high)
            case ast.Invert():
                if value.type == "float":
                    raise self.refuse(node, "int_needed")
                low, high = ~value.high, ~value.low
                if isinstance(value, Const):
                    return self.const(node, low)
                return Unary(line=node.lineno, op="~", operand=value, low=low, high=high)
        if value.type == "float":
            if isinstance(value, Const):
                return self.const(node, -value.value)
            return Unary(line=node.lineno, type="float", op="-", operand=value)
        result = (-value.high, -value.low)
        if isinstance(value, Const) and fits(result):
            return self.const(node, result[0])
        low, high = clamped(result)
        return Unary(line=node.lineno, op="-", operand=value, checked=not fits(result), low=low, high=high)

    # ---- Truth ----

    def bool_op(self, node: ast.AST, is_and: bool, nodes: Sequence[ast.expr]) -> Expression:
        values: list[Expression] = []
        kept = None if self.env is None else dict(self.env)
        for number, one in enumerate(nodes):
            values.append(self.expression(one))
            if number + 1 < len(nodes):
                self.assume(values[-1], is_and)
        # What a test behind it narrowed does not hold after the whole; a call may have changed fields.
        self.env = kept
        if not all(self.is_pure(value) for value in values):
            self.after_writing()
        typed = tuple(self.of_one_type(values))
        line = node.lineno  # type: ignore[attr-defined]
        if typed[0].type == "float":
            return (And if is_and else Or)(line=line, type="float", values=typed)
        low, high = hull(*map(bounds, typed))
        if is_and:
            low, high = hull(bounds(typed[-1]), (0, 0))
            return And(line=line, values=typed, low=low, high=high)
        return Or(line=line, values=typed, low=low, high=high)

    def after_writing(self) -> None:
        self.forget_fields()
        if self.env is not None:
            self.env[MOVER] = (-1, self.shared.seats - 1)

    def if_expression(self, node: ast.IfExp) -> Expression:
        test = self.expression(node.test)
        constant = int_value(test)
        kept = None if self.env is None else dict(self.env)
        self.assume(test, True)
        body = self.expression(node.body)
        self.env = None if kept is None else dict(kept)
        self.assume(test, False)
        orelse = self.expression(node.orelse)
        self.env = kept
        if not (self.is_pure(body) and self.is_pure(orelse)):
            self.after_writing()
        body, orelse = self.of_one_type([body, orelse])
        if constant is not None:
            return body if constant else orelse
        if body.type == "float":
            return IfExpression(line=node.lineno, type="float", test=test, body=body, orelse=orelse)
        low, high = hull(bounds(body), bounds(orelse))
        return IfExpression(line=node.lineno, test=test, body=body, orelse=orelse, low=low, high=high)

    # ---- Comparing ----

    def compare(self, node: ast.Compare, first: ast.expr, ops: Sequence[ast.cmpop], rest: Sequence[ast.expr]) -> Expression:
        if isinstance(ops[0], ast.In | ast.NotIn):
            if len(ops) > 1:
                raise self.refuse(node, "chained_in")
            found = self.contains(node, self.expression(first), rest[0])
            return found if isinstance(ops[0], ast.In) else Unary(line=node.lineno, op="not", operand=found, low=0, high=1)
        values = [self.expression(one) for one in (first, *rest)]
        for value in values[1:-1]:
            if not self.is_pure(value):
                raise self.refuse(node, "twice")
        parts: list[Expression] = []
        for at, op in enumerate(ops):
            text = COMPARISONS.get(type(op))
            if text is None:
                raise self.refuse(node, "not_here.is" if isinstance(op, ast.Is | ast.IsNot) else "chained_in")
            left, right = self.of_one_type(values[at : at + 2])
            parts.append(self.comparison(node, text, left, right))
        return parts[0] if len(parts) == 1 else And(line=node.lineno, values=tuple(parts), low=0, high=1)

    def comparison(self, node: ast.AST, op: str, left: Expression, right: Expression) -> Expression:
        line = node.lineno  # type: ignore[attr-defined]
        one, other = int_value(left), int_value(right)
        if one is not None and other is not None:
            return self.const(node, int(eval(f"{one} {op} {other}")))  # noqa: S307 - two numbers
        return Compare(line=line, op=op, left=left, right=right, low=0, high=1)

    def contains(self, node: ast.AST, value: Expression, where: ast.expr) -> Expression:
        """`move in self.bid`, `rank in (1, 5, 7)`, `rank in RANKS`."""
        if not self.is_pure(value):
            raise self.refuse(node, "twice")
        static = self.static(where)
        if isinstance(static, Action):
            return self.in_action(node, value, static)
        if isinstance(static, range):
            if static.step != 1:
                raise self.refuse(node, "bad_in")
            return self.between(node, value, static.start, static.stop - 1)
        choices: list[Expression] = []
        if isinstance(where, ast.Tuple):
            choices = [self.expression(one) for one in where.elts]
        elif isinstance(static, tuple) and all(isinstance(one, int | float) for one in static):
            choices = [self.const(where, one) for one in static]
        if not choices:
            match where:
                case ast.Attribute(value=ast.Name(id="self"), attr=name) if static is MISSING and name not in self.slots:
                    raise self.no_field(where, name)
            raise self.refuse(node, "bad_in")
        equal = [self.comparison(node, "==", *self.of_one_type([value, choice])) for choice in choices]
        line = node.lineno  # type: ignore[attr-defined]
        return equal[0] if len(equal) == 1 else Or(line=line, values=tuple(equal), low=0, high=1)

    def in_action(self, node: ast.AST, move: Expression, action: Action) -> Expression:
        known = self.game.actions[action.name]
        return self.between(node, move, known.first, known.first + known.count - 1)

    def between(self, node: ast.AST, value: Expression, low: int, high: int) -> Expression:
        line = node.lineno  # type: ignore[attr-defined]
        parts = []
        if value.low < low:
            parts.append(Compare(line=line, op=">=", left=value, right=self.const(node, low), low=0, high=1))
        if value.high > high:
            parts.append(Compare(line=line, op="<=", left=value, right=self.const(node, high), low=0, high=1))
        if not parts:
            return self.const(node, 1)
        return parts[0] if len(parts) == 1 else And(line=line, values=tuple(parts), low=0, high=1)

    # ---- Small things ----

    def operation(self, node: ast.AST, op: str, left: Expression, right: int) -> Expression:
        return self.binary(node, op, left, self.const(node, right))

    def bounded(self, node: ast.AST, value: Expression, count: int, part: str = "", start: int = 0) -> Expression:
        """A value that must be 0 … count - 1; an author reads of it as that part, from `start` on."""
        if fits(bounds(value), (0, count - 1)):
            return value
        line = node.lineno  # type: ignore[attr-defined]
        low, high = clamped(bounds(value), (0, count - 1))
        return Builtin(
            line=line, name="bounded", arguments=(value, self.const(node, count)), low=low, high=high, part=part, start=start
        )


def negated(one: Interval) -> Interval:
    """The bounds of `not`."""
    if one == (0, 0):
        return 1, 1
    return (0, 0) if one[0] > 0 or one[1] < 0 else (0, 1)
