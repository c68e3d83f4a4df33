"""What a writer of machine code must be able to say: arithmetic, memory, jumps and faults, in the words of its language."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from machiavel.engines.kit.program import Function, Program, ValueType

__all__ = ["CodeWriter", "FaultSite"]


@dataclass(frozen=True)
class FaultSite:
    """The place to which a failed check jumps. Kind 0: the call knows of the fault; a line is put to it where it is not 0."""

    label: str
    kind: int
    line: int
    a: str
    b: str


class CodeWriter(ABC):
    """Values are texts of the language: ints of 64 bits, floats, and bits, which only `branch`, `select` and `widen` take.

    A value may be used wherever the instruction that made it has surely run; what is not so goes through a local.
    """

    deposits_bits = False  # whether `deposit` is there, and quick

    def __init__(self, program: Program) -> None:
        self.program = program
        self.function: Function  # that is written
        self.lines: list[str] = []
        self.is_open = True  # whether the place that is written can be reached
        self._faults: list[FaultSite] = []
        self._numbers = 0

    def plain(self, text: str) -> str:
        """With names that every assembler and compiler takes: authors may use any letters."""
        return re.sub(r"[^\x00-\x7f]", lambda letter: f"_u{ord(letter[0]):x}_", text)

    def fresh(self, prefix: str) -> str:
        self._numbers += 1
        return f"{prefix}{self._numbers}"

    def fault_if(self, bit: str, kind: int, line: int, a: str = "0", b: str = "0") -> None:
        site, onward = self._fault_site(kind, line, a, b), self.fresh("L")
        self.branch(bit, site, onward, is_rare=True)
        self.place(onward)

    def fault(self, kind: int, line: int) -> None:
        self.jump(self._fault_site(kind, line, "0", "0"))

    def _fault_site(self, kind: int, line: int, a: str, b: str) -> str:
        site = FaultSite(self.fresh("F"), kind, line, a, b)
        self._faults.append(site)
        return site.label

    @abstractmethod
    def text(self) -> str:
        """The whole module."""

    @abstractmethod
    def begin(self, function: Function) -> None:
        """The head of a function of the program."""

    @abstractmethod
    def end(self) -> None:
        """The end of a function that was begun: its faults."""

    @abstractmethod
    def declare(self, name: str, kind: ValueType) -> None:
        """A local of the function, 0 for now. Names of the program's locals begin with `v_`, others do not."""

    @abstractmethod
    def get(self, name: str) -> str: ...

    @abstractmethod
    def set(self, name: str, value: str) -> None: ...

    @abstractmethod
    def number(self, value: float) -> str:
        """A constant float."""

    @abstractmethod
    def operate(self, op: str, left: str, right: str) -> str:
        """add sub mul sdiv srem udiv urem and or xor shl ashr lshr; fadd fsub fmul fdiv. What overflows wraps around."""

    @abstractmethod
    def operate_checked(self, op: str, left: str, right: str) -> tuple[str, str]:
        """add sub mul: the result, and a bit that tells that it does not fit."""

    @abstractmethod
    def multiply_high(self, left: str, right: str) -> str:
        """The upper 64 bits of a product without signs."""

    @abstractmethod
    def compare(self, op: str, left: str, right: str) -> str:
        """eq ne slt sle sgt sge ult ule ugt uge of ints, feq fne flt fle fgt fge of floats: a bit."""

    @abstractmethod
    def select(self, bit: str, yes: str, no: str, kind: ValueType = "int") -> str: ...

    @abstractmethod
    def widen(self, bit: str) -> str:
        """1 or 0."""

    @abstractmethod
    def to_float(self, value: str) -> str: ...

    @abstractmethod
    def truncate(self, value: str) -> str:
        """A float that is known to fit as an int."""

    @abstractmethod
    def helper(self, name: str, *arguments: str) -> str:
        """count_bits; lowest_bit, highest_bit of an int that is not 0; magnitude of a float.

        Where `deposits_bits`, also deposit(n, set): the lowest bits of n in the places of the set's bits (pdep).
        """

    @abstractmethod
    def load(self, width: int, is_signed: bool, offset: str) -> str:
        """An int of the state, so many bytes from its beginning."""

    @abstractmethod
    def store(self, width: int, offset: str, value: str) -> None: ...

    @abstractmethod
    def load_float(self, array: str, index: str) -> str: ...

    @abstractmethod
    def store_float(self, array: str, index: str, value: str) -> None: ...

    @abstractmethod
    def table(self, values: tuple[int, ...], index: str) -> str: ...

    @abstractmethod
    def load_call(self, member: str) -> str:
        """fuel, fault, count or first of the call."""

    @abstractmethod
    def store_call(self, member: str, value: str) -> None: ...

    @abstractmethod
    def store_move(self, index: str, move: str) -> None: ...

    @abstractmethod
    def load_move(self, index: str) -> str: ...

    @abstractmethod
    def load_word(self, pointer: str) -> str:
        """64 bits where a parameter points to."""

    @abstractmethod
    def store_word(self, pointer: str, value: str) -> None: ...

    @abstractmethod
    def load_luck_flags(self) -> str: ...

    @abstractmethod
    def call(self, function: Function, arguments: Sequence[str]) -> str:
        """A function of the program; leaves this one if it faults."""

    @abstractmethod
    def call_runtime(self, member: str, arguments: Sequence[str], line: int) -> str:
        """A function that the call holds; leaves this one if it faults."""

    @abstractmethod
    def leave(self, value: str) -> None:
        """Returns from the function."""

    @abstractmethod
    def jump(self, label: str) -> None: ...

    @abstractmethod
    def branch(self, bit: str, yes: str, no: str, *, is_rare: bool = False) -> None:
        """`is_rare`: the bit is hardly ever 1."""

    @abstractmethod
    def place(self, label: str) -> None:
        """Puts a label here; what stands before it goes on to it."""
