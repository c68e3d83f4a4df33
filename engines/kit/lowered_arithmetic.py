"""Python's arithmetic as simple instructions, for ints of 64 bits and floats."""

from machiavel.engines.kit import program as tree
from machiavel.engines.kit.code_writer import CodeWriter
from machiavel.engines.kit.fault_kinds import FaultKind

__all__ = ["LEAST", "MOST", "ArithmeticLowering"]

LEAST = -(2**63)
MOST = 2**63 - 1
WORDS = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor"}


class ArithmeticLowering:
    """Results out of operands that are there."""

    def __init__(self, writer: CodeWriter) -> None:
        self.writer = writer

    # ---- Bits ----

    def truth(self, value: str, kind: tree.ValueType) -> str:
        return (
            self.writer.compare("fne", value, self.writer.number(0.0))
            if kind == "float"
            else self.writer.compare("ne", value, "0")
        )

    def is_set(self, value: str) -> str:
        """An int as a bit."""
        return self.writer.compare("ne", value, "0")

    def both(self, *bits: str) -> str:
        return self.is_set(self.writer.operate("and", *map(self.writer.widen, bits)))

    def neither(self, bit: str) -> str:
        return self.writer.compare("eq", self.writer.widen(bit), "0")

    # ---- Ints ----

    def unary(self, node: tree.Unary, operand: str) -> str:
        writer = self.writer
        match node.op:
            case "not":
                return writer.widen(self.neither(self.truth(operand, node.operand.type)))
            case "~":
                return writer.operate("xor", operand, "-1")
            case "-" if node.type == "float":
                return writer.operate("fsub", writer.number(-0.0), operand)
        if node.checked:
            return self.checked("sub", "0", operand, node.line)
        return writer.operate("sub", "0", operand)

    def checked(self, op: str, left: str, right: str, line: int) -> str:
        result, is_over = self.writer.operate_checked(op, left, right)
        self.writer.fault_if(is_over, FaultKind.OVERFLOW, line)
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
            writer.fault_if(writer.compare("eq", right, "0"), FaultKind.DIVISION, node.line)
        if node.left.low >= 0 and node.right.low >= 0:
            return writer.operate("urem" if is_rest else "udiv", left, right)
        if node.right.low <= -1 <= node.right.high and node.left.low == LEAST:
            is_minus_one = writer.compare("eq", right, "-1")
            if is_rest:
                right = writer.select(is_minus_one, "1", right)
            elif node.checked:
                least = writer.select(is_minus_one, left, "0")
                writer.fault_if(writer.compare("eq", least, str(LEAST)), FaultKind.OVERFLOW, node.line)
        rest = writer.operate("srem", left, right)
        differs = writer.compare("slt", writer.operate("xor", rest, right), "0")
        is_beyond = self.both(self.is_set(rest), differs)
        if is_rest:
            return writer.operate("add", rest, writer.select(is_beyond, right, "0"))
        return writer.operate("sub", writer.operate("sdiv", left, right), writer.widen(is_beyond))

    def shift_left(self, node: tree.Binary, left: str, right: str) -> str:
        """Nothing stays nothing, however far it is shifted."""
        writer, line = self.writer, node.line
        if node.checked and node.right.low < 0:
            writer.fault_if(writer.compare("slt", right, "0"), FaultKind.BAD_SHIFT, line, right)
        if node.right.high > 63:
            is_far = writer.compare("sgt", right, "63")
            if node.checked:
                writer.fault_if(self.both(is_far, self.is_set(left)), FaultKind.OVERFLOW, line)
            right = writer.select(is_far, "63", right)
        result = writer.operate("shl", left, right)
        if node.checked:
            writer.fault_if(writer.compare("ne", writer.operate("ashr", result, right), left), FaultKind.OVERFLOW, line)
        return result

    def shift_right(self, node: tree.Binary, left: str, right: str) -> str:
        writer = self.writer
        if node.checked and node.right.low < 0:
            writer.fault_if(writer.compare("slt", right, "0"), FaultKind.BAD_SHIFT, node.line, right)
        if node.right.high > 63:
            right = writer.select(writer.compare("sgt", right, "63"), "63", right)
        return writer.operate("ashr", left, right)

    def power(self, node: tree.Binary, left: str, right: str) -> str:
        """By squaring: the last square is not taken, so that it overflows only where the result does."""
        writer = self.writer
        writer.fault_if(writer.compare("slt", right, "0"), FaultKind.BAD_SHIFT, node.line, right)
        result, base, rest = (writer.fresh("m_") for _ in range(3))
        for name, value in ((result, "1"), (base, left), (rest, right)):
            writer.declare(name, "int")
            writer.set(name, value)
        turn, odd, square, again, end = (writer.fresh("L") for _ in range(5))
        writer.branch(writer.compare("eq", right, "0"), end, turn)
        writer.place(turn)
        writer.branch(self.is_set(writer.operate("and", writer.get(rest), "1")), odd, square)
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

    # ---- Floats ----

    def binary_float(self, node: tree.Binary, left: str, right: str) -> str:
        """Floats have + - * / alone."""
        writer = self.writer
        if node.op == "/" and node.checked:
            writer.fault_if(writer.compare("feq", right, writer.number(0.0)), FaultKind.DIVISION, node.line)
        return writer.operate("fdiv" if node.op == "/" else f"f{WORDS[node.op]}", left, right)

    def magnitude(self, value: str) -> str:
        return self.writer.helper("magnitude", value)
