"""Statements of an author's functions: what they set, where they go on, and what is certain there."""

import ast
import builtins
from collections.abc import Sequence

from machiavel.engines.kit.checked_answers import AnswerChecker
from machiavel.engines.kit.checked_expressions import OPERATORS
from machiavel.engines.kit.checked_scope import MISSING, MOVER, bounds, int_value, join
from machiavel.engines.kit.intervals import clamped, fits
from machiavel.engines.kit.program import (
    Break,
    Builtin,
    Call,
    Const,
    Continue,
    Element,
    Expression,
    If,
    Load,
    Local,
    Raise,
    Run,
    Slot,
    Statement,
    Store,
    StoreElement,
    StoreHeader,
    Unary,
)

__all__ = ["StatementChecker"]


class StatementChecker(AnswerChecker):
    """Turns statements into the typed tree."""

    def statement(self, node: ast.stmt) -> list[Statement]:
        match node:
            case ast.Expr(value=value):
                return self.expression_statement(node, value)
            case ast.Assign(targets=targets, value=value):
                return self.assignment(node, targets, value)
            case ast.AnnAssign(target=target, value=value):
                if value is None:
                    raise self.refuse(node, "annotation_alone")
                return self.assignment(node, [target], value)
            case ast.AugAssign():
                return self.augmented(node)
            case ast.If():
                return self.if_statement(node)
            case ast.While():
                return self.while_loop(node)
            case ast.For():
                return self.for_loop(node)
            case ast.Return(value=value):
                return self.return_value(node, value)
            case ast.Pass():
                return []
            case ast.Break() | ast.Continue():
                return self.jump(node)
            case ast.Raise():
                return self.raised(node)
            case ast.Assert(test=test, msg=message):
                return self.assertion(node, test, message)
        name = type(node).__name__.lower()
        known = {"functiondef", "classdef", "try", "with", "import", "importfrom", "global", "delete", "match"}
        raise self.refuse(node, f"not_here.{name}" if name in known else "not_here.statement")

    def jump(self, node: ast.Break | ast.Continue) -> list[Statement]:
        if self.env is not None:
            (self.breaks if isinstance(node, ast.Break) else self.continues)[-1].append(self.env)
        self.env = None
        return [(Break if isinstance(node, ast.Break) else Continue)(line=node.lineno)]

    # ---- Expressions as statements ----

    def expression_statement(self, node: ast.Expr, value: ast.expr) -> list[Statement]:
        match value:
            case ast.Constant(value=str() | None) | ast.Constant(value=builtins.Ellipsis):
                return []
            case ast.Yield() | ast.YieldFrom():
                return self.yielded(value)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr="end" | "horizon" | "ask" as name)) if (
                self.function.is_method and self.is_of_kit(name)
            ):
                return self.flow(value, name)
            case ast.Call():
                found = self.expression(value)
                if isinstance(found, Call | Builtin):
                    return [Run(line=node.lineno, value=found)]
                raise self.refuse(node, "does_nothing")
        raise self.refuse(node, "does_nothing")

    def flow(self, node: ast.Call, name: str) -> list[Statement]:
        """end, horizon and ask."""
        self.wrote(node)
        arguments = self.arguments(node, 1 if name == "ask" else 0)
        line = node.lineno
        if name == "ask":
            value = self.number(arguments[0])
            checked = not fits(bounds(value), (1, (1 << self.shared.seats) - 1))
            self.now_asked((0, self.shared.seats - 1))
            return [StoreHeader(line=line, name="asked", value=value, checked=checked)]
        if name == "horizon":
            if "estimate" not in self.game.methods:
                raise self.refuse(node, "horizon_of_what")
            return [StoreHeader(line=line, name="horizon", value=self.const(node, 1), checked=False)]
        self.function.ends = True
        if self.env is not None:
            self.env[MOVER] = (-1, -1)
        return [StoreHeader(line=line, name="over", value=self.const(node, 1), checked=False)]

    def now_asked(self, seats: tuple[int, int]) -> None:
        """The mover was set, which counts for nothing where the game may be over."""
        if self.env is not None:
            low, high = self.env[MOVER]
            self.env[MOVER] = seats if low >= 0 else (-1, max(seats[1], high))

    def wrote(self, node: ast.AST) -> None:
        self.function.writes = self.function.writes or node.lineno  # type: ignore[attr-defined]

    # ---- Setting ----

    def assignment(self, node: ast.stmt, targets: Sequence[ast.expr], value: ast.expr) -> list[Statement]:
        if len(targets) == 1 and not isinstance(targets[0], ast.Tuple):
            return self.set(targets[0], self.expression(value))
        result: list[Statement] = []
        if len(targets) == 1 and isinstance(targets[0], ast.Tuple):
            return self.unpacked(node, targets[0], value)
        if any(isinstance(target, ast.Tuple) for target in targets):
            raise self.refuse(node, "tuple_twice")
        found = self.kept(node, self.expression(value), result)
        for target in targets:
            result += self.set(target, found)
        return result

    def unpacked(self, node: ast.stmt, target: ast.Tuple, value: ast.expr) -> list[Statement]:
        """`a, b = b, a`: all values first, then all targets from left to right."""
        static = self.static(value)
        result: list[Statement] = []
        if isinstance(value, ast.Tuple):
            if len(value.elts) != len(target.elts):
                raise self.refuse(node, "other_length", targets=len(target.elts), values=len(value.elts))
            set_here = {one.id for one in target.elts if isinstance(one, ast.Name)}
            read = {one.id for one in ast.walk(value) if isinstance(one, ast.Name)}
            found = [self.expression(one) for one in value.elts]
            if len(set_here) < len(target.elts) or set_here & read:
                found = [self.kept(node, one, result, set_here) for one in found]
        elif isinstance(static, tuple | range) and all(isinstance(one, int | float) for one in static):
            if len(static) != len(target.elts):
                raise self.refuse(node, "other_length", targets=len(target.elts), values=len(static))
            found = [self.const(value, one) for one in static]
        else:
            raise self.refuse(node, "unpacked_what")
        for one, item in zip(target.elts, found, strict=True):
            result += self.set(one, item)
        return result

    def kept(self, node: ast.stmt, value: Expression, before: list[Statement], set_here: set[str] | None = None) -> Expression:
        """A value that is computed now and used later: itself where it cannot change meanwhile, else a local of its own."""
        if isinstance(value, Const) or (isinstance(value, Local) and value.name not in (set_here or ())):
            return value
        name = self.temporary()
        before.append(self.assign(node, name, value))
        return self.local(node, name)

    def set(self, target: ast.expr, value: Expression) -> list[Statement]:
        line = target.lineno
        match target:
            case ast.Name(id=name):
                if name == "self" or name.startswith("_kit"):
                    raise self.refuse(target, "set_parameter", name=name)
                return [self.assign(target, name, value)]
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if self.function.is_method:
                return self.set_attribute(target, name, value)
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in self.arrays:
                at = self.number(index)
                seats = self.shared.seats
                is_safe = fits(bounds(at), (0, seats - 1))
                given = self.as_float(value)
                return [StoreElement(line=line, array=name, index=at, length=seats, value=given, safe=is_safe)]
            case ast.Subscript():
                slot, indices = self.place(target)
                return [self.store(target, slot, indices, value)]
        raise self.refuse(target, "set_what")

    def set_attribute(self, target: ast.Attribute, name: str, value: Expression) -> list[Statement]:
        slot = self.slots.get(name)
        if slot is not None:
            if slot.used:
                raise self.refuse(target, "index_needed", field=name, example=f"self.{name}{'[…]' * len(slot.used)}")
            return [self.store(target, slot, (), value)]
        if name == "mover":
            if value.type == "float":
                raise self.refuse(target, "int_needed")
            self.wrote(target)
            seats = (0, self.shared.seats - 1)
            self.now_asked(clamped(bounds(value), seats))
            return [StoreHeader(line=target.lineno, name=name, value=value, checked=not fits(bounds(value), seats))]
        if name in {"ply", "asked", "seats"} or name in self.game.options:
            raise self.refuse(target, "read_only", name=name)
        raise self.no_field(target, name)

    def store(self, node: ast.AST, slot: Slot, indices: tuple[Expression, ...], value: Expression) -> Statement:
        if value.type == "float":
            raise self.refuse(node, "int_needed")
        self.wrote(node)
        limits = (slot.low, slot.high)
        checked = not fits(bounds(value), limits)
        if not slot.used and self.env is not None:
            self.env[f"self.{slot.name}"] = clamped(bounds(value), limits)
        return Store(
            line=node.lineno,  # type: ignore[attr-defined]
            slot=slot,
            value=value,
            indices=indices,
            safe=self.safe(slot, indices),
            checked=checked,
        )

    def augmented(self, node: ast.AugAssign) -> list[Statement]:
        op = OPERATORS.get(type(node.op), "")
        before: list[Statement] = []
        target = node.target
        if isinstance(target, ast.Subscript) and not (isinstance(target.value, ast.Name) and target.value.id in self.arrays):
            slot, found = self.place(target)
            indices = tuple(self.kept(node, one, before) for one in found)
            safe = self.safe(slot, indices)
            old = Load(line=target.lineno, slot=slot, indices=indices, safe=safe, low=slot.low, high=slot.high)
            value = self.binary(node, op, old, self.expression(node.value))
            return [*before, self.store(target, slot, indices, value)]
        if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            index = self.kept(node, self.number(target.slice), before)
            seats, line = self.shared.seats, target.lineno
            is_safe = fits(bounds(index), (0, seats - 1))
            array = target.value.id
            item = Element(line=line, type="float", array=array, index=index, length=seats, safe=is_safe)
            value = self.as_float(self.binary(node, op, item, self.expression(node.value)))
            return [*before, StoreElement(line=line, array=array, index=index, length=seats, value=value, safe=is_safe)]
        read = self.expression(as_read(target))
        return self.set(target, self.binary(node, op, read, self.expression(node.value)))

    # ---- Ways ----

    def block(self, nodes: Sequence[ast.stmt]) -> list[Statement]:
        return [one for node in nodes for one in self.statement(node)]

    def if_statement(self, node: ast.If) -> list[Statement]:
        test = self.expression(node.test)
        constant = int_value(test)
        kept = None if self.env is None else dict(self.env)
        if constant == 0:
            self.env = None
        self.assume(test, True)
        body = self.block(node.body)
        after = self.env
        self.env = kept if constant is None or not constant else None
        self.assume(test, False)
        orelse = self.block(node.orelse)
        self.env = join(after, self.env)
        if constant is not None:
            return body if constant else orelse
        return [If(line=node.lineno, test=test, body=tuple(body), orelse=tuple(orelse))]

    def raised(self, node: ast.Raise) -> list[Statement]:
        kind, text = node.exc, ""
        if node.cause is not None or kind is None:
            raise self.refuse(node, "bad_raise")
        if isinstance(kind, ast.Call):
            text = self.message(node, kind.args[0] if kind.args else None)
            if len(kind.args) > 1 or kind.keywords:
                raise self.refuse(node, "bad_raise")
            kind = kind.func
        found = self.static(kind)
        if found is MISSING and isinstance(kind, ast.Name):
            found = getattr(builtins, kind.id, MISSING)
        if not (isinstance(kind, ast.Name) and isinstance(found, type) and issubclass(found, Exception)):
            raise self.refuse(node, "bad_raise")
        self.env = None
        return [Raise(line=node.lineno, exception=kind.id, text=text)]

    def message(self, node: ast.AST, text: ast.expr | None) -> str:
        if text is None:
            return ""
        if not (isinstance(text, ast.Constant) and isinstance(text.value, str)):
            raise self.refuse(node, "bad_raise")
        return text.value

    def assertion(self, node: ast.Assert, test: ast.expr, message: ast.expr | None) -> list[Statement]:
        found = self.expression(test)
        failed = Raise(line=node.lineno, is_assertion=True, exception="AssertionError", text=self.message(node, message))
        self.assume(found, True)
        return [If(line=node.lineno, test=Unary(line=node.lineno, op="not", operand=found, low=0, high=1), body=(failed,))]


def as_read(target: ast.expr) -> ast.expr:
    """A target as an expression that reads it."""
    match target:
        case ast.Name(id=name):
            return ast.copy_location(ast.Name(name, ast.Load()), target)
        case ast.Attribute(value=value, attr=name):
            return ast.copy_location(ast.Attribute(value, name, ast.Load()), target)
    return target
