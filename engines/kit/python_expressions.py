"""Expressions of a typed program as plain Python that faults where machine code does, with the author's lines."""

import ast
from collections.abc import Callable, Sequence
from typing import Any

from machiavel.engines.kit.intervals import LARGEST_INT, LEAST_INT, of_binary
from machiavel.engines.kit.program import (
    And,
    Binary,
    Builtin,
    Call,
    Compare,
    Const,
    Element,
    Expression,
    Header,
    IfExpression,
    Load,
    Local,
    Or,
    Program,
    TableItem,
    ToFloat,
    Unary,
)

__all__ = ["POSITION", "ExpressionWriter", "attribute_of", "constant", "located"]

POSITION = "_kit"  # what an author calls self
HELD = "_kit0"  # a value between its check and its use
OPERATORS: dict[str, ast.operator] = {
    "+": ast.Add(),
    "-": ast.Sub(),
    "*": ast.Mult(),
    "//": ast.FloorDiv(),
    "%": ast.Mod(),
    "/": ast.Div(),
    "**": ast.Pow(),
    "<<": ast.LShift(),
    ">>": ast.RShift(),
    "&": ast.BitAnd(),
    "|": ast.BitOr(),
    "^": ast.BitXor(),
}
COMPARISONS: dict[str, ast.cmpop] = {
    "==": ast.Eq(),
    "!=": ast.NotEq(),
    "<": ast.Lt(),
    "<=": ast.LtE(),
    ">": ast.Gt(),
    ">=": ast.GtE(),
}
UNARY: dict[str, ast.unaryop] = {"-": ast.USub(), "~": ast.Invert(), "not": ast.Not()}
# Names of a position besides an author's.
OWN = {
    "load",
    "dump",
    "hide_from",
    "flags",
    "slots_by_number",
    "deal",
    "legal",
    "apply",
    "result",
    "weigh",
    "estimate",
    "measure",
    "determinize",
    "possible",
    "called",
}


def attribute_of(name: str) -> str:
    """What a field or function is called in a position."""
    return f"_kit_of_{name}" if name in OWN else name


def located(node: ast.AST, line: int) -> None:
    """Set the line of a node and of what is in it, where there is none yet."""
    if hasattr(node, "lineno"):
        return
    if isinstance(node, ast.expr | ast.stmt | ast.arg):
        node.lineno = node.end_lineno = line
        node.col_offset = node.end_col_offset = 0
    for child in ast.iter_child_nodes(node):
        located(child, line)


class ExpressionWriter:
    """Writes expressions; `templates` are texts of Python with upper-case names where expressions go."""

    def __init__(self, program: Program) -> None:
        self.program = program

    # ---- Making nodes ----

    def name(self, name: str) -> ast.expr:
        return ast.Name(name, ast.Load())

    def of_position(self, name: str) -> ast.expr:
        return ast.Attribute(self.name(POSITION), name, ast.Load())

    def helper(self, name: str, *arguments: ast.expr) -> ast.expr:
        return ast.Call(self.name(f"_kit_{name}"), list(arguments), [])

    def held(self, value: ast.expr) -> ast.expr:
        return ast.NamedExpr(ast.Name(HELD, ast.Store()), value)

    def ensured(self, value: ast.expr, low: int | None, high: int | None, otherwise: Callable[[ast.expr], ast.expr]) -> ast.expr:
        """A value where it is within these bounds; None: there is nothing to check."""
        if low is None and high is None:
            return value
        if low is not None and high is not None:
            test: ast.expr = ast.Compare(ast.Constant(low), [ast.LtE(), ast.LtE()], [self.held(value), ast.Constant(high)])
        elif low is not None:
            test = ast.Compare(self.held(value), [ast.GtE()], [ast.Constant(low)])
        else:
            test = ast.Compare(self.held(value), [ast.LtE()], [ast.Constant(high)])
        return ast.IfExp(test, self.name(HELD), otherwise(self.name(HELD)))

    def in_64_bits(self, value: ast.expr, low: int, high: int) -> ast.expr:
        """A value that without a check may be from low to high."""
        least = LEAST_INT if low < LEAST_INT else None
        return self.ensured(value, least, LARGEST_INT if high > LARGEST_INT else None, lambda one: self.helper("overflow", one))

    # ---- Expressions ----

    def value(self, value: Expression) -> ast.expr:
        """An expression that is an int, never a bool."""
        found = self.expression(value)
        if not may_be_bool(value):
            return found
        result = ast.UnaryOp(ast.UAdd(), found)
        located(result, value.line)
        return result

    def expression(self, value: Expression) -> ast.expr:
        result = self.written(value)
        located(result, value.line)
        return result

    def written(self, value: Expression) -> ast.expr:
        match value:
            case Const(value=number):
                return ast.Constant(number)
            case Local(name=name):
                return self.name(name)
            case Header(name=name):
                return self.of_position(name)
            case Load():
                row = self.of_position(attribute_of(value.slot.name))
                return self.items(row, value.indices, value.safe, value.slot.used)
            case Element(array=array, index=index, length=length, safe=safe):
                return self.items(self.name(array), (index,), (safe,), (length,))
            case TableItem(values=values, index=index, safe=safe):
                return self.items(constant(values), (index,), (safe,), (len(values),))
            case Unary(op=op, operand=operand, checked=checked):
                inside = self.value(operand) if op == "~" else self.expression(operand)
                result: ast.expr = ast.UnaryOp(UNARY[op], inside)
                return self.in_64_bits(result, -operand.high, -operand.low) if checked else result
            case Binary():
                return self.binary(value)
            case Compare(op=op, left=left, right=right):
                return ast.Compare(self.expression(left), [COMPARISONS[op]], [self.expression(right)])
            case And(values=values):
                return ast.BoolOp(ast.And(), [self.expression(one) for one in values])
            case Or(values=values):
                return ast.BoolOp(ast.Or(), [self.expression(one) for one in values])
            case IfExpression(test=test, body=body, orelse=orelse):
                return ast.IfExp(self.expression(test), self.expression(body), self.expression(orelse))
            case ToFloat(operand=operand, checked=checked):
                return self.helper("to_float" if checked else "float", self.expression(operand))
            case Call(function=function, arguments=arguments):
                name = self.called(function)
                return ast.Call(self.of_position(name), [self.value(one) for one in arguments], [])
            case Builtin():
                return self.builtin(value)
        raise AssertionError(value)

    def called(self, function: str) -> str:
        """What a function is called where another function calls it."""
        return f"_kit_inner_{function}" if self.program.functions[function].is_entry else attribute_of(function)

    def items(self, row: ast.expr, indices: Sequence[Expression], safe: Sequence[bool], lengths: Sequence[int]) -> ast.expr:
        """An element. One index too large is found by Python itself."""
        if len(indices) > 1 and not all(safe):
            given = ast.Tuple([self.expression(one) for one in indices], ast.Load())
            return self.helper("item", row, given, constant(tuple(lengths)))
        for index, is_safe, length in zip(indices, safe, lengths, strict=True):
            row = ast.Subscript(row, self.index(index, length, is_safe), ast.Load())
        return row

    def index(self, index: Expression, length: int, is_safe: bool) -> ast.expr:
        least = None if is_safe or index.low >= 0 else 0
        return self.ensured(self.expression(index), least, None, lambda one: self.helper("bad_index", one, ast.Constant(length)))

    def binary(self, value: Binary) -> ast.expr:
        op, left, right = value.op, value.left, value.right
        plain = ast.BinOp(self.expression(left), OPERATORS[op], self.expression(right))
        if value.type == "float" or not value.checked or op in {"%", ">>"}:
            return plain
        if op in {"<<", "**"}:
            return self.helper("shifted" if op == "<<" else "power", self.expression(left), self.expression(right))
        low, high = of_binary(op, (left.low, left.high), (right.low, right.high))
        return self.in_64_bits(plain, low, high)

    def builtin(self, value: Builtin) -> ast.expr:
        name, checked = value.name, value.checked
        given = [self.expression(one) for one in value.arguments]
        luck = self.of_position("_kit_luck")
        match name:
            case "size" if not checked:
                return ast.Call(ast.Attribute(given[0], "bit_count", ast.Load()), [], [])
            case "high" if not checked:
                return self.highest(given[0])
            case "low" if not checked:
                alone = ast.BinOp(self.held(given[0]), ast.BitAnd(), ast.UnaryOp(ast.USub(), self.name(HELD)))
                return self.highest(alone)
            case "bounded":
                count = int(value.arguments[1].high)
                argument = value.arguments[0]
                low = 0 if argument.low < 0 else None
                high = count - 1 if argument.high >= count else None
                said = [ast.Constant(count), ast.Constant(value.part), ast.Constant(value.start)]
                return self.ensured(given[0], low, high, lambda one: self.helper("bounded", one, *said))
            case "abs":
                found = self.helper("abs", *given)
                return self.in_64_bits(found, 0, LARGEST_INT + 1) if checked else found
            case "truth":
                return ast.IfExp(given[0], ast.Constant(1), ast.Constant(0))
            case "truncated":
                return self.helper("truncated" if checked else "int", *given)
            case "hidden" | "unseen":
                return ast.Call(ast.Attribute(luck, name, ast.Load()), given, [])
            case "draw_cards" | "draw_card" | "roll":
                return self.helper(name, luck, *given)
            case "counter1" | "counter2" | "counter3":
                return self.helper("counter", *given)
        return self.helper(name, *given)

    def highest(self, cards: ast.expr) -> ast.expr:
        bits = ast.Call(ast.Attribute(cards, "bit_length", ast.Load()), [], [])
        return ast.BinOp(bits, ast.Sub(), ast.Constant(1))


def constant(values: tuple[int, ...]) -> ast.expr:
    """A tuple that is made once."""
    value: Any = values
    return ast.Constant(value)


def may_be_bool(value: Expression) -> bool:
    """Whether Python makes True or False of it, which is 1 or 0 but for a few uses."""
    match value:
        case Compare() | Unary(op="not"):
            return True
        case And(values=values) | Or(values=values):
            return any(may_be_bool(one) for one in values)
        case IfExpression(body=body, orelse=orelse):
            return may_be_bool(body) or may_be_bool(orelse)
        case Binary(op="&" | "|" | "^", left=left, right=right):
            return may_be_bool(left) and may_be_bool(right)
        case Builtin(name="min" | "max" | "bounded", arguments=arguments):
            return any(may_be_bool(one) for one in arguments)
    return False
