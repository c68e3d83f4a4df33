"""Expressions of a program as simple instructions, with every check that a node asks for."""

from . import program as tree
from .code_writer import CodeWriter
from .faults import Fault

__all__ = ["ValueLowering"]

LEAST = -(2**63)
MOST = 2**63 - 1
WORDS = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor", "/": "fdiv"}
COMPARISONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
RUNTIME = ("hidden", "unseen", "draw_cards", "draw_card", "roll")
COUNTERS = {"counter2": (8, 24), "counter3": (8, 8, 16)}  # bits of the parts, the last one first
EXACT = 2**53


class ValueLowering:
    """Values of one function. What Python computes first comes first, faults too."""

    def __init__(self, program: tree.Program, writer: CodeWriter) -> None:
        self.program = program
        self.writer = writer

    def value(self, node: tree.Expression) -> str:
        writer = self.writer
        match node:
            case tree.Const():
                return writer.number(float(node.value)) if node.type == "float" else str(int(node.value))
            case tree.Local():
                return writer.get(f"v_{node.name}")
            case tree.Header():
                width, is_signed, offset = HEADER[node.name]
                return writer.load(width, is_signed, str(offset))
            case tree.Load():
                return writer.load(node.slot.width, node.slot.signed, self.place(node.slot, node.indices, node.safe, node.line))
            case tree.Element():
                index = self.index(node.index, node.length, node.safe, node.line)
                return writer.load_float(node.array, index)
            case tree.TableItem():
                return writer.table(node.values, self.index(node.index, len(node.values), node.safe, node.line))
            case tree.Unary():
                return self.unary(node)
            case tree.Binary():
                left, right = self.value(node.left), self.value(node.right)
                return self.binary_float(node, left, right) if node.left.type == "float" else self.binary(node, left, right)
            case tree.Compare():
                return writer.widen(self.comparison(node))
            case tree.And() | tree.Or():
                return self.first_of(node)
            case tree.IfExpression():
                return self.choice(node)
            case tree.ToFloat():
                return self.to_float(node)
            case tree.Call():
                return writer.call(self.program.functions[node.function], [self.value(value) for value in node.arguments])
            case tree.Builtin():
                return self.builtin(node)
        raise AssertionError(node)

    # ---- Tests ----

    def truth(self, value: str, kind: tree.ValueType) -> str:
        return self.writer.compare("fne", value, self.writer.number(0.0)) if kind == "float" else self.writer.compare("ne", value, "0")

    def comparison(self, node: tree.Compare) -> str:
        left, right = self.value(node.left), self.value(node.right)
        word = COMPARISONS[node.op]
        if node.left.type == "float":
            return self.writer.compare(f"f{word}", left, right)
        return self.writer.compare(word if word in {"eq", "ne"} else f"s{word}", left, right)

    def branch(self, node: tree.Expression, yes: str, no: str) -> None:
        """Jumps by whether a value is true."""
        match node:
            case tree.Compare():
                self.writer.branch(self.comparison(node), yes, no)
            case tree.Unary(op="not"):
                self.branch(node.operand, no, yes)
            case tree.And() | tree.Or():
                for value in node.values[:-1]:
                    onward = self.writer.fresh("L")
                    if isinstance(node, tree.And):
                        self.branch(value, onward, no)
                    else:
                        self.branch(value, yes, onward)
                    self.writer.place(onward)
                self.branch(node.values[-1], yes, no)
            case _:
                self.writer.branch(self.truth(self.value(node), node.type), yes, no)

    def first_of(self, node: tree.And | tree.Or) -> str:
        writer = self.writer
        result, end = writer.fresh("m_"), writer.fresh("L")
        writer.declare(result, node.type)
        for value in node.values[:-1]:
            found, onward = self.value(value), writer.fresh("L")
            writer.set(result, found)
            is_true = self.truth(found, value.type)
            if isinstance(node, tree.And):
                writer.branch(is_true, onward, end)
            else:
                writer.branch(is_true, end, onward)
            writer.place(onward)
        writer.set(result, self.value(node.values[-1]))
        writer.place(end)
        return writer.get(result)

    def choice(self, node: tree.IfExpression) -> str:
        writer = self.writer
        result, yes, no, end = writer.fresh("m_"), writer.fresh("L"), writer.fresh("L"), writer.fresh("L")
        writer.declare(result, node.type)
        self.branch(node.test, yes, no)
        writer.place(yes)
        writer.set(result, self.value(node.body))
        writer.jump(end)
        writer.place(no)
        writer.set(result, self.value(node.orelse))
        writer.place(end)
        return writer.get(result)

    # ---- Places ----

    def index(self, node: tree.Expression, length: int, is_safe: bool, line: int) -> str:
        index = self.value(node)
        if not is_safe:
            self.check_index(index, length, line)
        return index

    def check_index(self, index: str, length: int, line: int) -> None:
        self.writer.fault_if(self.writer.compare("uge", index, str(length)), Fault.BAD_INDEX, line, index, str(length))

    def place(self, slot: tree.Slot, indices: tuple[tree.Expression, ...], safe: tuple[bool, ...], line: int) -> str:
        """How many bytes an element is from the beginning of the state. As in Python, the outer index is looked at first."""
        writer = self.writer
        constant, parts = slot.offset, list[str]()
        for position, node in enumerate(indices):
            stride = slot.width
            for length in slot.lengths[position + 1 :]:
                stride *= length
            is_safe = position < len(safe) and safe[position]
            index = self.index(node, slot.used[position], is_safe, line)
            if isinstance(node, tree.Const) and 0 <= int(node.value) < slot.used[position]:
                constant += int(node.value) * stride
            else:
                parts.append(index if stride == 1 else writer.operate("mul", index, str(stride)))
        place = str(constant)
        for part in parts:
            place = writer.operate("add", place, part)
        return place

    # ---- Arithmetic ----

    def unary(self, node: tree.Unary) -> str:
        writer, operand = self.writer, self.value(node.operand)
        match node.op:
            case "not":
                return writer.operate("xor", writer.widen(self.truth(operand, node.operand.type)), "1")
            case "~":
                return writer.operate("xor", operand, "-1")
            case "-" if node.type == "float":
                return writer.operate("fsub", writer.number(-0.0), operand)
        if node.checked:
            return self.checked("sub", "0", operand, node.line)
        return writer.operate("sub", "0", operand)

    def checked(self, op: str, left: str, right: str, line: int) -> str:
        result, is_over = self.writer.operate_checked(op, left, right)
        self.writer.fault_if(is_over, Fault.OVERFLOW, line)
        return result

    def binary(self, node: tree.Binary, left: str, right: str) -> str:
        match node.op:
            case "//" | "%":
                return self.divide(node, left, right)
            case "<<":
                return self.shift_left(node, left, right)
            case ">>":
                return self.shift_right(node, left, right)
            case "**":
                return self.power(node, left, right)
            case "+" | "-" | "*" if node.checked:
                return self.checked(WORDS[node.op], left, right, node.line)
        return self.writer.operate(WORDS[node.op], left, right)

    def divide(self, node: tree.Binary, left: str, right: str) -> str:
        """Towards minus infinity; the rest has the sign of the divisor."""
        writer, is_rest = self.writer, node.op == "%"
        if node.checked:
            writer.fault_if(writer.compare("eq", right, "0"), Fault.DIVISION, node.line)
        if node.left.low >= 0 and node.right.low >= 0:
            return writer.operate("urem" if is_rest else "udiv", left, right)
        if node.right.low <= -1 <= node.right.high and node.left.low == LEAST:
            is_minus_one = writer.compare("eq", right, "-1")
            if is_rest:
                right = writer.select(is_minus_one, "1", right)
            elif node.checked:
                least = writer.select(is_minus_one, left, "0")
                writer.fault_if(writer.compare("eq", least, str(LEAST)), Fault.OVERFLOW, node.line)
        rest = writer.operate("srem", left, right)
        has_rest = writer.widen(writer.compare("ne", rest, "0"))
        differs = writer.widen(writer.compare("slt", writer.operate("xor", rest, right), "0"))
        is_beyond = writer.operate("and", has_rest, differs)
        if is_rest:
            return writer.operate("add", rest, writer.select(writer.compare("ne", is_beyond, "0"), right, "0"))
        return writer.operate("sub", writer.operate("sdiv", left, right), is_beyond)

    def shift_left(self, node: tree.Binary, left: str, right: str) -> str:
        """Nothing stays nothing, however far it is shifted."""
        writer = self.writer
        if not node.checked:
            return writer.operate("shl", left, right)
        if node.right.low < 0:
            writer.fault_if(writer.compare("slt", right, "0"), Fault.BAD_SHIFT, node.line, right)
        count = right
        is_far = None
        if node.right.high > 63:
            is_far = writer.compare("sgt", right, "63")
            count = writer.select(is_far, "63", right)
        result = writer.operate("shl", left, count)
        is_lost = writer.widen(writer.compare("ne", writer.operate("ashr", result, count), left))
        if is_far is not None:
            is_lost = writer.operate("or", is_lost, writer.operate("and", writer.widen(is_far), writer.widen(writer.compare("ne", left, "0"))))
        writer.fault_if(writer.compare("ne", is_lost, "0"), Fault.OVERFLOW, node.line)
        return result

    def shift_right(self, node: tree.Binary, left: str, right: str) -> str:
        writer = self.writer
        if node.checked and node.right.low < 0:
            writer.fault_if(writer.compare("slt", right, "0"), Fault.BAD_SHIFT, node.line, right)
        if node.right.high > 63:
            right = writer.select(writer.compare("sgt", right, "63"), "63", right)
        return writer.operate("ashr", left, right)

    def power(self, node: tree.Binary, left: str, right: str) -> str:
        """By squaring: the last square is not taken, so that it overflows only where the result does."""
        writer = self.writer
        writer.fault_if(writer.compare("slt", right, "0"), Fault.BAD_SHIFT, node.line, right)
        result, base, rest = (writer.fresh("m_") for _ in range(3))
        for name, value in ((result, "1"), (base, left), (rest, right)):
            writer.declare(name, "int")
            writer.set(name, value)
        turn, odd, square, again, end = (writer.fresh("L") for _ in range(5))
        writer.branch(writer.compare("eq", right, "0"), end, turn)
        writer.place(turn)
        writer.branch(writer.compare("ne", writer.operate("and", writer.get(rest), "1"), "0"), odd, square)
        writer.place(odd)
        writer.set(result, self.checked("mul", writer.get(result), writer.get(base), node.line))
        writer.place(square)
        half = writer.operate("lshr", writer.get(rest), "1")
        writer.set(rest, half)
        writer.branch(writer.compare("eq", half, "0"), end, again)
        writer.place(again)
        writer.set(base, self.checked("mul", writer.get(base), writer.get(base), node.line))
        writer.jump(turn)
        writer.place(end)
        return writer.get(result)

    def binary_float(self, node: tree.Binary, left: str, right: str) -> str:
        writer = self.writer
        if node.op in {"+", "-", "*"}:
            return writer.operate(f"f{WORDS[node.op]}", left, right)
        zero = writer.number(0.0)
        if node.op == "**":
            return self.power_float(node, left, right)
        if node.checked:
            writer.fault_if(writer.compare("feq", right, zero), Fault.DIVISION, node.line)
        if node.op == "/":
            return writer.operate("fdiv", left, right)
        # As CPython does it (Objects/floatobject.c), so that every bit is the same.
        rest = writer.operate("frem", left, right)
        is_odd = writer.compare("fne", rest, zero)
        differs = writer.compare("ne", writer.widen(writer.compare("flt", right, zero)), writer.widen(writer.compare("flt", rest, zero)))
        is_beyond = writer.compare("ne", writer.operate("and", writer.widen(is_odd), writer.widen(differs)), "0")
        if node.op == "%":
            rest = writer.select(is_beyond, writer.operate("fadd", rest, right), rest, "float")
            return writer.select(is_odd, rest, writer.helper("copy_sign", zero, right), "float")
        quotient = writer.operate("fdiv", writer.operate("fsub", left, rest), right)
        one = writer.number(1.0)
        quotient = writer.select(is_beyond, writer.operate("fsub", quotient, one), quotient, "float")
        floor = writer.helper("floor", quotient)
        is_short = writer.compare("fgt", writer.operate("fsub", quotient, floor), writer.number(0.5))
        floor = writer.select(is_short, writer.operate("fadd", floor, one), floor, "float")
        nothing = writer.helper("copy_sign", zero, writer.operate("fdiv", left, right))
        return writer.select(writer.compare("fne", quotient, zero), floor, nothing, "float")

    def power_float(self, node: tree.Binary, left: str, right: str) -> str:
        """As C's pow, which is what Python takes; where Python raises, or leaves the real numbers, it is a fault."""
        writer, zero = self.writer, self.writer.number(0.0)
        is_zero = writer.widen(writer.compare("feq", left, zero))
        is_negative = writer.widen(writer.compare("flt", right, zero))
        writer.fault_if(writer.compare("ne", writer.operate("and", is_zero, is_negative), "0"), Fault.DIVISION, node.line)
        result, infinite = writer.helper("power", left, right), writer.number(float("inf"))
        is_finite = [writer.widen(writer.compare("flt", self.magnitude(value), infinite)) for value in (left, right)]
        finite = writer.operate("and", *is_finite)
        is_large = writer.widen(writer.compare("fne", writer.operate("fsub", result, result), zero))
        writer.fault_if(writer.compare("ne", writer.operate("and", finite, is_large), "0"), Fault.OVERFLOW, node.line)
        return result

    def magnitude(self, value: str) -> str:
        return self.writer.helper("copy_sign", value, self.writer.number(1.0))

    def to_float(self, node: tree.ToFloat) -> str:
        writer, operand = self.writer, self.value(node.operand)
        if node.checked:
            away = writer.operate("add", operand, str(EXACT))
            writer.fault_if(writer.compare("ugt", away, str(2 * EXACT)), Fault.INEXACT, node.line, operand)
        return writer.to_float(operand)

    # ---- What every game may call ----

    def builtin(self, node: tree.Builtin) -> str:
        writer, name = self.writer, node.name
        values = [self.value(argument) for argument in node.arguments]
        if name in RUNTIME:
            return writer.call_runtime(name, values, node.line)
        if name in COUNTERS:
            return self.counter(node, values)
        match name:
            case "size":
                return writer.helper("count_bits", values[0])
            case "low" | "high":
                if node.checked:
                    writer.fault_if(writer.compare("eq", values[0], "0"), Fault.EMPTY_SET, node.line)
                return writer.helper("lowest_bit" if name == "low" else "highest_bit", values[0])
            case "bag_size":
                return self.bag_size(values[0])
            case "abs":
                return self.absolute(node, values[0])
            case "min" | "max":
                return self.extreme(node, values)
            case "truth":
                return writer.widen(self.truth(values[0], node.arguments[0].type))
            case "truncated":
                return self.truncated(node, values[0])
            case "part":
                return self.part(node, values)
        raise AssertionError(name)

    def bag_size(self, bag: str) -> str:
        writer, low = self.writer, str(0x0F0F0F0F0F0F0F0F)
        pairs = writer.operate("add", writer.operate("and", bag, low), writer.operate("and", writer.operate("lshr", bag, "4"), low))
        return writer.operate("lshr", writer.operate("mul", pairs, str(0x0101010101010101)), "56")

    def absolute(self, node: tree.Builtin, value: str) -> str:
        writer = self.writer
        if node.arguments[0].type == "float":
            return self.magnitude(value)
        if node.checked:
            writer.fault_if(writer.compare("eq", value, str(LEAST)), Fault.OVERFLOW, node.line)
        return writer.select(writer.compare("slt", value, "0"), writer.operate("sub", "0", value), value)

    def extreme(self, node: tree.Builtin, values: list[str]) -> str:
        """The first one of equals, as in Python."""
        kind = node.arguments[0].type
        op = ("f" if kind == "float" else "s") + ("lt" if node.name == "min" else "gt")
        result = values[0]
        for value in values[1:]:
            result = self.writer.select(self.writer.compare(op, value, result), value, result, kind)
        return result

    def truncated(self, node: tree.Builtin, value: str) -> str:
        writer = self.writer
        if node.checked:
            is_least = writer.widen(writer.compare("fge", value, writer.number(-(2.0**63))))
            is_most = writer.widen(writer.compare("flt", value, writer.number(2.0**63)))
            writer.fault_if(writer.compare("eq", writer.operate("and", is_least, is_most), "0"), Fault.OVERFLOW, node.line)
        return writer.truncate(value)

    def counter(self, node: tree.Builtin, values: list[str]) -> str:
        """The last part fills the lowest bits."""
        writer, result, shift = self.writer, "0", 0
        widths = COUNTERS[node.name]
        for value, width in zip(values, reversed(widths), strict=True):
            if node.checked:
                writer.fault_if(writer.compare("ugt", value, str(2**width - 1)), Fault.BAD_COUNTER, node.line, value)
        for value, width in zip(reversed(values), widths, strict=True):
            result = writer.operate("or", result, writer.operate("shl", value, str(shift)) if shift else value)
            shift += width
        return result

    def part(self, node: tree.Builtin, values: list[str]) -> str:
        writer, (number, stride, count) = self.writer, values
        return writer.operate("urem", writer.operate("udiv", number, stride), count)


HEADER = {"ply": (2, False, 0), "mover": (1, True, 2), "asked": (1, False, 3), "flags": (1, False, 4)}  # width, signed, offset
