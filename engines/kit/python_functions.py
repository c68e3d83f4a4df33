"""Functions of a typed program as plain Python that faults where machine code does."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

from machiavel.engines.kit.fault_kinds import FUEL, MOST_YIELDED
from machiavel.engines.kit.intervals import fits
from machiavel.engines.kit.program import (
    Assign,
    Break,
    Call,
    Const,
    Continue,
    Expression,
    ForCards,
    ForRange,
    Function,
    If,
    Local,
    Program,
    Raise,
    Return,
    Run,
    Statement,
    Store,
    StoreElement,
    StoreHeader,
    While,
    Yield,
)
from machiavel.engines.kit.python_expressions import POSITION, ExpressionWriter, attribute_of, constant, located

__all__ = ["FunctionWriter", "exceptions_of", "inside"]

FEW = 16  # turns of a loop over a constant tuple
FUEL_LEFT = "_kit_fuel"
MOVES = "_kit_moves"


class FunctionWriter(ExpressionWriter):
    """Writes the functions of a program, by the names that a position has for them."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.sets = 0
        self.function: Function | None = None
        everything = [one for function in program.functions.values() for one in inside(function.body)]
        self.uses_fuel = any(isinstance(one, While) or (isinstance(one, ForRange) and not one.brief) for one in everything)
        self.asks = any(isinstance(one, StoreHeader) and one.name == "asked" for one in everything)
        self.called_entries = {
            one.function for one in everything if isinstance(one, Call) and program.functions[one.function].is_entry
        }

    def functions(self) -> Iterator[tuple[str, ast.FunctionDef]]:
        """Each function under its name in a position; entries give fuel, and those called by others are there without, too."""
        for function in self.program.functions.values():
            yield (function.name if function.is_entry else attribute_of(function.name)), self.written_function(function)
            if function.name in self.called_entries:
                yield self.called(function.name), self.written_function(function, is_inner=True)

    def written_function(self, function: Function, *, is_inner: bool = False) -> ast.FunctionDef:
        self.function, self.sets = function, 0
        names = [one.name for one in function.parameters if one.type != "luck" or function.is_entry]
        body: list[ast.stmt] = []
        line = function.line
        if function.is_entry and not is_inner:
            if self.uses_fuel:
                body.append(self.put(FUEL_LEFT, ast.Constant(FUEL)))
            if any(one.type == "luck" for one in function.parameters):
                body.append(self.put("_kit_luck", self.name("luck")))
        if function.yields:
            body.append(ast.Assign([ast.Name(MOVES, ast.Store())], ast.List([], ast.Load())))
        body += self.block(function.body)
        if function.yields:
            body.append(ast.Return(self.name(MOVES)))
        arguments = ast.arguments([], [ast.arg(one) for one in (POSITION, *names)], None, [], [], None, [])
        name = function.name if function.name.isidentifier() else "function"
        result = ast.FunctionDef(name, arguments, body or [ast.Pass()], [], None, None)
        vars(result).setdefault("type_params", [])  # from Python 3.12 on
        located(result, line)
        return result

    # ---- Statements ----

    def block(self, statements: Sequence[Statement]) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for one in statements:
            found = self.statement(one)
            for node in found:
                located(node, one.line)
            result += found
        return result

    def put(self, attribute: str, value: ast.expr) -> ast.stmt:
        return ast.Assign([ast.Attribute(self.name(POSITION), attribute, ast.Store())], value)

    def keep(self, name: str, value: ast.expr) -> ast.stmt:
        return ast.Assign([ast.Name(name, ast.Store())], value)

    def statement(self, one: Statement) -> list[ast.stmt]:
        match one:
            case Assign(name=name, value=value):
                return [self.keep(name, self.value(value))]
            case Store():
                return self.store(one)
            case StoreElement(array=array, index=index, length=length, value=value, safe=safe):
                place = ast.Subscript(self.name(array), self.index(index, length, safe), ast.Store())
                return [ast.Assign([place], self.expression(value))]
            case StoreHeader():
                return self.store_header(one)
            case If(test=test, body=body, orelse=orelse):
                return [ast.If(self.expression(test), self.block(body) or [ast.Pass()], self.block(orelse))]
            case While(test=test, body=body):
                return [ast.While(self.expression(test), [*self.fuel(one.line), *self.block(body)], [])]
            case ForRange():
                return [self.for_range(one)]
            case ForCards():
                return self.for_cards(one)
            case Break():
                return [ast.Break()]
            case Continue():
                return [ast.Continue()]
            case Return():
                return [self.answer(one)]
            case Yield(move=move):
                return self.yielded(move)
            case Raise(exception=exception, text=text):
                error = self.helper("raised", self.name(f"_kit_error_{exception}"), ast.Constant(text))
                return [ast.Raise(error, None)]
            case Run(value=value):
                return [ast.Expr(self.expression(value))]
        raise AssertionError(one)

    def store(self, one: Store) -> list[ast.stmt]:
        """The value, then the indices, then whether they and then the value are right."""
        slot = one.slot
        limits = (slot.low, slot.high)
        low = slot.low if one.checked and one.value.low < slot.low else None
        high = slot.high if one.checked and one.value.high > slot.high else None
        needs_check = one.checked and not fits((one.value.low, one.value.high), limits)
        value = self.value(one.value)
        row = self.of_position(attribute_of(slot.name))
        if not needs_check and (len(one.indices) < 2 or all(one.safe)):
            return [ast.Assign([self.target(one)], value)]
        if all(one.safe) and all(isinstance(index, Const | Local) for index in one.indices):
            checked = self.ensured(value, low, high, lambda held: self.unfit(one, held))
            return [ast.Assign([self.target(one)], checked)]
        names = [f"_kit_at{at}" for at in range(len(one.indices))]
        result = [self.keep("_kit_value", value)]
        result += [self.keep(name, self.expression(index)) for name, index in zip(names, one.indices, strict=True)]
        for name, length in zip(names, slot.used, strict=True):
            wrong = self.helper("bad_index", self.name(name), ast.Constant(length))
            is_right = ast.Compare(ast.Constant(0), [ast.LtE(), ast.Lt()], [self.name(name), ast.Constant(length)])
            result.append(ast.If(ast.UnaryOp(ast.Not(), is_right), [ast.Expr(wrong)], []))
        held: ast.expr = self.name("_kit_value")
        if needs_check:
            held = self.ensured(held, low, high, lambda value: self.unfit(one, value, names))
        for name in names:
            row = ast.Subscript(row, self.name(name), ast.Load())
        assert isinstance(row, ast.Subscript)  # noqa: S101 - it has indices, else it was safe
        row.ctx = ast.Store()
        return [*result, ast.Assign([row], held)]

    def target(self, one: Store) -> ast.expr:
        row = self.of_position(attribute_of(one.slot.name))
        for index, is_safe, length in zip(one.indices, one.safe, one.slot.used, strict=True):
            row = ast.Subscript(row, self.index(index, length, is_safe), ast.Load())
        assert isinstance(row, ast.Attribute | ast.Subscript)  # noqa: S101 - made here
        row.ctx = ast.Store()
        return row

    def unfit(self, one: Store, value: ast.expr, names: Sequence[str] | None = None) -> ast.expr:
        number = next(at for at, slot in enumerate(self.program.slots) if slot.name == one.slot.name)
        indices = [self.name(name) for name in names] if names else [self.expression(index) for index in one.indices]
        return self.helper("unfit", ast.Constant(number), value, *indices)

    def store_header(self, one: StoreHeader) -> list[ast.stmt]:
        seats = self.program.seats
        if one.name == "horizon":
            flags = ast.BinOp(self.of_position("flags"), ast.BitOr(), ast.Constant(1))
            return [self.put("flags", flags)]
        if one.name == "over":
            return [self.put("mover", ast.Constant(-1)), self.put("asked", ast.Constant(0))]
        value = self.value(one.value)
        goes_on = ast.Compare(self.of_position("mover"), [ast.GtE()], [ast.Constant(0)])
        if one.name == "mover":
            if one.checked:
                wrong = "bad_seat"
                value = self.ensured(value, 0, seats - 1, lambda held: self.helper(wrong, held, ast.Constant(seats)))
            body = [self.put("mover", self.name("_kit_value"))]
            body += [self.put("asked", ast.Constant(0))] if self.asks else []
        else:
            if one.checked:
                last = (1 << seats) - 1
                value = self.ensured(value, 1, last, lambda held: self.helper("bad_asked", held, ast.Constant(seats)))
            kept = self.name("_kit_value")
            alone = ast.BinOp(kept, ast.BitAnd(), ast.UnaryOp(ast.USub(), kept))
            body = [self.put("asked", kept), self.put("mover", self.highest(alone))]
        return [self.keep("_kit_value", value), ast.If(goes_on, body, [])]

    # ---- Loops ----

    def fuel(self, line: int) -> list[ast.stmt]:
        """A turn takes fuel."""
        less = ast.BinOp(self.of_position(FUEL_LEFT), ast.Sub(), ast.Constant(1))
        test = ast.Compare(self.of_position(FUEL_LEFT), [ast.Lt()], [ast.Constant(0)])
        result = [self.put(FUEL_LEFT, less), ast.If(test, [ast.Expr(self.helper("no_fuel"))], [])]
        for node in result:
            located(node, line)
        return result

    def for_range(self, one: ForRange) -> ast.stmt:
        turns: ast.expr
        start, stop = one.start, one.stop
        known = range(0)
        if isinstance(start, Const) and isinstance(stop, Const):
            known = range(int(start.value), int(stop.value), one.step)
        if 0 < len(known) <= FEW:
            turns = constant(tuple(known))
        else:
            turns = self.helper("range", self.expression(start), self.expression(stop), ast.Constant(one.step))
        body = ([] if one.brief else self.fuel(one.line)) + self.block(one.body)
        return ast.For(ast.Name(one.name, ast.Store()), turns, body or [ast.Pass()], [], None)

    def for_cards(self, one: ForCards) -> list[ast.stmt]:
        found = self.expression(one.cards)
        if one.bits > 1:
            body = self.block(one.body) or [ast.Pass()]
            return [ast.For(ast.Name(one.name, ast.Store()), self.helper("kinds_of", found), body, [], None)]
        found = self.ensured(found, 0 if one.checked else None, None, lambda held: self.helper("no_set", held))
        rest = f"_kit_set{self.sets}"
        self.sets += 1
        left = self.name(rest)
        lowest = self.highest(ast.BinOp(left, ast.BitAnd(), ast.UnaryOp(ast.USub(), left)))
        less = ast.BinOp(left, ast.BitAnd(), ast.BinOp(left, ast.Sub(), ast.Constant(1)))
        body = [self.keep(one.name, lowest), self.keep(rest, less), *self.block(one.body)]
        return [self.keep(rest, found), ast.While(left, body, [])]

    # ---- Answers ----

    def answer(self, one: Return) -> ast.stmt:
        function = self.function
        if function is not None and function.yields:
            return ast.Return(self.name(MOVES))
        if one.value is None:
            return ast.Return(None)
        value = self.value(one.value)
        if function is not None and function.is_entry and function.name == "legal":
            return ast.Return(ast.Tuple([ast.Constant(one.first), value], ast.Load()))
        return ast.Return(value)

    def yielded(self, move: Expression) -> list[ast.stmt]:
        limit = self.program.move_limit
        low = 0 if move.low < 0 else None
        high = limit - 1 if move.high >= limit else None
        found = self.ensured(self.value(move), low, high, lambda held: self.helper("bad_move", held, ast.Constant(limit)))
        moves = self.name(MOVES)
        result = [self.keep("_kit_value", found)]
        test = ast.Compare(self.helper("len", moves), [ast.GtE()], [ast.Constant(MOST_YIELDED)])
        result.append(ast.If(test, [ast.Expr(self.helper("too_many_moves"))], []))
        append = ast.Call(ast.Attribute(moves, "append", ast.Load()), [self.name("_kit_value")], [])
        return [*result, ast.Expr(append)]


def inside(node: Any) -> Iterator[Any]:
    """All statements and expressions in some, themselves included."""
    if isinstance(node, tuple | list):
        for one in node:
            yield from inside(one)
    elif isinstance(node, Statement | Expression):
        yield node
        for one in fields(node):
            yield from inside(getattr(node, one.name))


def exceptions_of(program: Program) -> set[str]:
    """The names of the exceptions that its functions raise."""
    return {one.exception for function in program.functions.values() for one in inside(function.body) if isinstance(one, Raise)}
