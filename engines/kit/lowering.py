"""A program's functions, statement by statement, as the simple instructions that a writer of machine code has words for."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from machiavel.engines.kit import program as tree
from machiavel.engines.kit.code_writer import CodeWriter
from machiavel.engines.kit.fault_kinds import MOST_YIELDED, FaultKind
from machiavel.engines.kit.lowered_arithmetic import MOST
from machiavel.engines.kit.lowered_values import HEADER, ValueLowering
from machiavel.engines.kit.tree_walk import headers_set

__all__ = ["FunctionLowering", "lower"]

OVER = -1
AT_HORIZON = 1
NO_MOVER, NO_ASKED = "-1", "-2"  # in place of a slot's number


def lower(program: tree.Program, writer: CodeWriter) -> None:
    """Writes all functions of a program."""
    headers = headers_set(program)
    for function in program.functions.values():
        FunctionLowering(program, writer, function, headers).write()


class FunctionLowering(ValueLowering):
    """The statements of one function."""

    def __init__(self, program: tree.Program, writer: CodeWriter, function: tree.Function, headers: AbstractSet[str]) -> None:
        super().__init__(program, writer)
        self.headers = headers  # that any function sets
        self.function = function
        self.numbers = {slot.name: number for number, slot in enumerate(program.slots)}
        self.loops: list[tuple[str, str]] = []  # where `continue` and `break` go

    def write(self) -> None:
        self.writer.begin(self.function)
        for name, kind in self.function.locals.items():
            self.writer.declare(f"v_{name}", kind)
        self.block(self.function.body)
        if self.writer.is_open:
            self.give(None)
        self.writer.end()

    def give(self, value: str | None) -> None:
        if value is None:
            value = "-1" if self.function.yields else self.writer.number(0.0) if self.function.returns == "float" else "0"
        self.writer.leave(value)

    def block(self, body: Sequence[tree.Statement]) -> None:
        for node in body:
            if not self.writer.is_open:
                return
            self.statement(node)

    def statement(self, node: tree.Statement) -> None:
        writer = self.writer
        match node:
            case tree.Assign():
                writer.set(f"v_{node.name}", self.value(node.value))
            case tree.Store():
                self.store(node)
            case tree.StoreHeader():
                self.store_header(node)
            case tree.StoreElement():
                value = self.value(node.value)
                index = self.index(node.index, node.length, node.safe, node.line)
                writer.store_float(node.array, index, value)
            case tree.If():
                self.choose(node)
            case tree.While():
                self.repeat(node)
            case tree.ForRange():
                self.count(node)
            case tree.ForCards():
                self.each_card(node)
            case tree.Break():
                writer.jump(self.loops[-1][1])
            case tree.Continue():
                writer.jump(self.loops[-1][0])
            case tree.Return():
                self.returns(node)
            case tree.Yield():
                self.add_move(node)
            case tree.Raise():
                writer.fault(FaultKind.ASSERTION if node.is_assertion else FaultKind.RAISED, node.line)
            case tree.Run():
                self.value(node.value)
            case _:
                raise AssertionError(node)

    # ---- Memory ----

    def store(self, node: tree.Store) -> None:
        value, slot = self.value(node.value), node.slot
        place = self.place(slot, node.indices, node.safe, node.line)
        if node.checked:
            self.check_fits(value, slot.low, slot.high, str(self.numbers[slot.name]), node.line)
        self.writer.store(slot.width, place, value)

    def check_fits(self, value: str, low: int, high: int, number: str, line: int) -> None:
        writer = self.writer
        if high == MOST:
            is_wrong = writer.compare("slt", value, str(low))
        else:
            is_wrong = writer.compare("ugt", writer.operate("sub", value, str(low)) if low else value, str(high - low))
        writer.fault_if(is_wrong, FaultKind.DOES_NOT_FIT, line, value, number)

    def store_header(self, node: tree.StoreHeader) -> None:
        writer, value = self.writer, self.value(node.value)
        match node.name:
            case "mover":
                if node.checked:
                    self.check_fits(value, 0, self.program.seats - 1, NO_MOVER, node.line)
                self.set_mover(value, "0")
            case "asked":
                if node.checked:
                    self.check_fits(value, 1, 2**self.program.seats - 1, NO_ASKED, node.line)
                self.set_mover(writer.helper("lowest_bit", value), value)
            case "over":
                self.put_header("mover", str(OVER))
                self.put_header("asked", "0")
            case "horizon":
                width, is_signed, offset = HEADER["flags"]
                flags = writer.load(width, is_signed, str(offset))
                self.put_header("flags", writer.operate("or", flags, str(AT_HORIZON)))

    def set_mover(self, mover: str, asked: str) -> None:
        """Nothing is set once the game is over: the end is final. Where no seats are ever asked, there are none to forget."""
        writer, is_over = self.writer, None
        if "over" in self.headers:
            now = self.value(tree.Header(line=0, name="mover"))
            is_over = writer.compare("slt", now, "0")
            mover = writer.select(is_over, now, mover)
        self.put_header("mover", mover)
        if "asked" in self.headers:
            self.put_header("asked", writer.select(is_over, "0", asked) if is_over else asked)

    def put_header(self, name: str, value: str) -> None:
        width, _, offset = HEADER[name]
        self.writer.store(width, str(offset), value)

    # ---- Where it goes on ----

    def choose(self, node: tree.If) -> None:
        writer = self.writer
        yes, no, end = writer.fresh("L"), writer.fresh("L"), writer.fresh("L")
        self.branch(node.test, yes, no if node.orelse else end)
        writer.place(yes)
        self.block(node.body)
        is_reached = writer.is_open or not node.orelse
        if writer.is_open:
            writer.jump(end)
        if node.orelse:
            writer.place(no)
            self.block(node.orelse)
            is_reached = is_reached or writer.is_open
        if is_reached:
            writer.place(end)

    def burn(self, line: int) -> None:
        """One turn's fuel: the turn after the last one is a fault."""
        writer = self.writer
        left = writer.operate("sub", writer.load_call("fuel"), "1")
        writer.store_call("fuel", left)
        writer.fault_if(writer.compare("slt", left, "0"), FaultKind.NO_FUEL, line)

    def body(self, body: Sequence[tree.Statement], again: str, end: str) -> None:
        self.loops.append((again, end))
        self.block(body)
        self.loops.pop()

    def repeat(self, node: tree.While) -> None:
        writer = self.writer
        test, body, end = writer.fresh("L"), writer.fresh("L"), writer.fresh("L")
        writer.place(test)
        self.branch(node.test, body, end)
        writer.place(body)
        self.burn(node.line)
        self.body(node.body, test, end)
        if writer.is_open:
            writer.jump(test)
        writer.place(end)

    def count(self, node: tree.ForRange) -> None:
        writer, step = self.writer, node.step
        at, limit = writer.fresh("m_"), writer.fresh("m_")
        start, stop = self.value(node.start), self.value(node.stop)
        for name, value in ((at, start), (limit, stop)):
            writer.declare(name, "int")
            writer.set(name, value)
        body, again, onward, end = (writer.fresh("L") for _ in range(4))
        writer.branch(writer.compare("slt" if step > 0 else "sgt", start, stop), body, end)
        writer.place(body)
        writer.set(f"v_{node.name}", writer.get(at))
        if not node.brief:
            self.burn(node.line)
        self.body(node.body, again, end)
        writer.place(again)
        # How far it still is, without a sign: the next turn's number itself may be beyond 64 bits.
        ends = (writer.get(limit), writer.get(at)) if step > 0 else (writer.get(at), writer.get(limit))
        writer.branch(writer.compare("ugt", writer.operate("sub", *ends), str(abs(step))), onward, end)
        writer.place(onward)
        writer.set(at, writer.operate("add", writer.get(at), str(step)))
        writer.jump(body)
        writer.place(end)

    def each_card(self, node: tree.ForCards) -> None:
        writer = self.writer
        rest, test, body, end = writer.fresh("m_"), writer.fresh("L"), writer.fresh("L"), writer.fresh("L")
        cards = self.value(node.cards)
        if node.checked:
            writer.fault_if(writer.compare("slt", cards, "0"), FaultKind.NO_SET, node.line, cards)
        writer.declare(rest, "int")
        writer.set(rest, cards)
        writer.place(test)
        left = writer.get(rest)
        writer.branch(writer.compare("ne", left, "0"), body, end)
        writer.place(body)
        if node.bits == 1:
            card = writer.helper("lowest_bit", left)
            writer.set(rest, writer.operate("and", left, writer.operate("sub", left, "1")))
        else:
            card = writer.operate("lshr", writer.helper("lowest_bit", left), "2")
            kind = writer.operate("shl", "15", writer.operate("shl", card, "2"))
            writer.set(rest, writer.operate("and", left, writer.operate("xor", kind, "-1")))
        writer.set(f"v_{node.name}", card)
        self.body(node.body, test, end)
        if writer.is_open:
            writer.jump(test)
        writer.place(end)

    # ---- What it answers ----

    def returns(self, node: tree.Return) -> None:
        value = None if node.value is None else self.value(node.value)
        if self.function.name == "legal" and not self.function.yields:
            self.writer.store_call("first", str(node.first))
        self.give(value)

    def add_move(self, node: tree.Yield) -> None:
        writer, move = self.writer, self.value(node.move)
        limit = str(self.program.move_limit)
        if node.move.low < 0 or node.move.high >= self.program.move_limit:
            writer.fault_if(writer.compare("uge", move, limit), FaultKind.BAD_MOVE, node.line, move, limit)
        count = writer.load_call("count")
        writer.fault_if(writer.compare("uge", count, str(MOST_YIELDED)), FaultKind.TOO_MANY_MOVES, node.line)
        writer.store_move(count, move)
        writer.store_call("count", writer.operate("add", count, "1"))
