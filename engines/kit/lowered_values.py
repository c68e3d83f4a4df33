"""Expressions of a program as simple instructions, with every check that a node asks for."""

from machiavel.engines.kit import program as tree
from machiavel.engines.kit.code_writer import CodeWriter
from machiavel.engines.kit.fault_kinds import FaultKind
from machiavel.engines.kit.lowered_arithmetic import LEAST, ArithmeticLowering

__all__ = ["HEADER", "ValueLowering"]

COMPARISONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
LUCK = ("draw_cards", "draw_card", "roll")
RUNTIME = ("hidden", "unseen", *LUCK)
COUNTERS = {"counter1": (32,), "counter2": (8, 24), "counter3": (8, 8, 16)}  # bits of the parts, the last one first
EXACT = 2**53


class ValueLowering(ArithmeticLowering):
    """Values of one function. What Python computes first comes first, faults too."""

    def __init__(self, program: tree.Program, writer: CodeWriter) -> None:
        super().__init__(writer)
        self.program = program

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
                return self.unary(node, self.value(node.operand))
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
                return self.call(node)
            case tree.Builtin():
                return self.builtin(node)
        raise AssertionError(node)

    # ---- Tests ----

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
        self.writer.fault_if(self.writer.compare("uge", index, str(length)), FaultKind.BAD_INDEX, line, index, str(length))

    def place(self, slot: tree.Slot, indices: tuple[tree.Expression, ...], safe: tuple[bool, ...], line: int) -> str:
        """How many bytes an element is from the beginning of the state. All indices are computed before one is checked."""
        writer = self.writer
        constant, parts = slot.offset, list[str]()
        for position, (node, index) in enumerate([(node, self.value(node)) for node in indices]):
            stride = slot.width
            for length in slot.lengths[position + 1 :]:
                stride *= length
            if position >= len(safe) or not safe[position]:
                self.check_index(index, slot.used[position], line)
            if isinstance(node, tree.Const) and 0 <= int(node.value) < slot.used[position]:
                constant += int(node.value) * stride
            else:
                parts.append(index if stride == 1 else writer.operate("mul", index, str(stride)))
        place = str(constant)
        for part in parts:
            place = writer.operate("add", place, part)
        return place

    def to_float(self, node: tree.ToFloat) -> str:
        writer, operand = self.writer, self.value(node.operand)
        if node.checked:
            away = writer.operate("add", operand, str(EXACT))
            writer.fault_if(writer.compare("ugt", away, str(2 * EXACT)), FaultKind.INEXACT, node.line, operand)
        return writer.to_float(operand)

    def call(self, node: tree.Call) -> str:
        function = self.program.functions[node.function]
        kinds = [parameter.type for parameter in function.parameters if parameter.type != "luck"]
        arguments = list[str]()
        for kind, argument in zip(kinds, node.arguments, strict=True):
            if kind == "array" and isinstance(argument, tree.Local):
                arguments.append(argument.name)
            else:
                arguments.append(self.value(argument))
        return self.writer.call(function, arguments)

    # ---- What every game may call ----

    def builtin(self, node: tree.Builtin) -> str:
        writer, name = self.writer, node.name
        values = [self.value(argument) for argument in node.arguments]
        if name in LUCK:  # the counter is computed last, and told behind the purpose
            values = [values[0], values[-1], *values[1:-1]]
        if name in RUNTIME:
            return writer.call_runtime(name, values, node.line)
        if name in COUNTERS:
            return self.counter(node, values)
        match name:
            case "size":
                self.check_set(node, values[0])
                return writer.helper("count_bits", values[0])
            case "low" | "high":
                self.check_set(node, values[0])
                if node.checked:
                    writer.fault_if(writer.compare("eq", values[0], "0"), FaultKind.EMPTY_SET, node.line)
                return writer.helper("lowest_bit" if name == "low" else "highest_bit", values[0])
            case "bag_size":
                self.check_set(node, values[0])
                return self.bag_size(values[0])
            case "abs":
                return self.absolute(node, values[0])
            case "min" | "max":
                return self.extreme(node, values)
            case "truth":
                return writer.widen(self.truth(values[0], node.arguments[0].type))
            case "truncated":
                return self.truncated(node, values[0])
            case "bounded":
                if node.checked:
                    writer.fault_if(writer.compare("uge", *values), FaultKind.BAD_PART, node.line, *values)
                return values[0]
        raise AssertionError(name)

    def check_set(self, node: tree.Builtin, cards: str) -> None:
        if node.checked and node.arguments[0].low < 0:
            self.writer.fault_if(self.writer.compare("slt", cards, "0"), FaultKind.NO_SET, node.line, cards)

    def bag_size(self, bag: str) -> str:
        writer, mask = self.writer, str(0x0F0F0F0F0F0F0F0F)
        even, odd = writer.operate("and", bag, mask), writer.operate("and", writer.operate("lshr", bag, "4"), mask)
        return writer.operate("lshr", writer.operate("mul", writer.operate("add", even, odd), str(0x0101010101010101)), "56")

    def absolute(self, node: tree.Builtin, value: str) -> str:
        writer = self.writer
        if node.arguments[0].type == "float":
            return self.magnitude(value)
        if node.checked:
            writer.fault_if(writer.compare("eq", value, str(LEAST)), FaultKind.OVERFLOW, node.line)
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
            is_inside = self.both(
                writer.compare("fge", value, writer.number(-(2.0**63))), writer.compare("flt", value, writer.number(2.0**63))
            )
            writer.fault_if(self.neither(is_inside), FaultKind.OVERFLOW, node.line)
        return writer.truncate(value)

    def counter(self, node: tree.Builtin, values: list[str]) -> str:
        """The last part fills the lowest bits."""
        writer, result, shift = self.writer, "0", 0
        widths = COUNTERS[node.name]
        for value, width in zip(values, reversed(widths), strict=True):
            if node.checked:
                writer.fault_if(writer.compare("ugt", value, str(2**width - 1)), FaultKind.BAD_COUNTER, node.line, value)
        for value, width in zip(reversed(values), widths, strict=True):
            result = writer.operate("or", result, writer.operate("shl", value, str(shift)) if shift else value)
            shift += width
        return result


HEADER = {"ply": (2, False, 0), "mover": (1, True, 2), "asked": (1, False, 3), "flags": (1, False, 4)}  # width, signed, offset
