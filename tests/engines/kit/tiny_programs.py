"""Games of a few lines, for what a construct means in machine code."""

from pathlib import Path

from bench.kit_machine import Answer, FunctionRunner
from bench.kit_programs import drawn
from machiavel.engines.kit.checker import check_program
from machiavel.engines.kit.compiling import compile_functions
from machiavel.engines.kit.program import Program
from machiavel.engines.kit.source import read_source

__all__ = ["FIRST_LINE", "LEGAL_LINE", "tiny_program", "tiny_runner"]

HEAD = """from machiavel.kit import *
DECK = Deck(suits="AB", ranks="234567")
BAG = Bag({{"guard": 5, "priest": 2}})
TABLE = (4, -9, 1 << 40)
class Small(Game):
    name, version, titles, players, longest = "small", 1, {{"en": "Small", "fr": "Petit"}}, [2, 3], 100
    FAR = 1
    a = Count(least=-(2**63), most=2**63 - 1)
    b = Count(least=-(2**63), most=2**63 - 1)
    out = Count(least=-(2**63), most=2**63 - 1)
    byte = Count(most=200)
    grid = Count(least=-5, most=5, each_seat=True, length=2)
    hands = Cards(DECK, each_seat=True)
    sack = Cards(BAG)
    play = Action(DECK)
    bid = Action(number=range(1, 4), face=range(1, 7))
    def deal(self, luck):
        pass
    def legal(self, seat):
{legal}
    def result(self, shares):
{result}
    def apply(self, move, luck):
{apply}
"""
LEGAL_LINE = HEAD[: HEAD.index("{legal}")].count("\n") + 1  # of legal's body
FIRST_LINE = HEAD[: HEAD.index("{apply}")].count("\n") + 1  # of apply's body, where the others have one line


def tiny_program(folder: Path, apply: str = "pass", *, legal: str = "return 1", result: str = "pass") -> Program:
    """A program of two players whose functions have these bodies; lines of several are apart by newlines."""
    parts = {
        name: "\n".join(f"        {line}" for line in body.split("\n"))
        for name, body in (("legal", legal), ("result", result), ("apply", apply))
    }
    file = folder / "small.py"
    file.write_text(HEAD.format(**parts), encoding="utf-8")
    return check_program(read_source(file), 2, {})


def tiny_runner(folder: Path, mode: str, apply: str = "pass", *, legal: str = "return 1", result: str = "pass") -> "TinyRunner":
    program = tiny_program(folder, apply, legal=legal, result=result)
    return TinyRunner(program, FunctionRunner(program, compile_functions(program, mode=mode), drawn))


class TinyRunner:
    """One game, compiled once."""

    def __init__(self, program: Program, runner: FunctionRunner) -> None:
        self.program = program
        self.runner = runner
        self.slots = {slot.name: slot for slot in program.slots}
        self.size = -(-max(slot.offset + 8 * 3 * slot.width for slot in program.slots) // 16) * 16

    def state(self, **values: int) -> bytes:
        state = bytearray(self.size)
        for name, value in values.items():
            slot = self.slots[name]
            state[slot.offset : slot.offset + slot.width] = value.to_bytes(slot.width, "little", signed=slot.signed)
        return bytes(state)

    def apply(self, move: int = 0, **values: int) -> Answer:
        return self.runner.run("apply", self.state(**values), move)

    def legal(self, **values: int) -> Answer:
        return self.runner.run("legal", self.state(**values), 0)

    def out(self, **values: int) -> int:
        """What `apply` leaves in `out`."""
        answer = self.apply(**values)
        assert answer.fault is None, answer
        return self.value(answer, "out")

    def value(self, answer: Answer, name: str, index: int = 0) -> int:
        slot = self.slots[name]
        place = slot.offset + index * slot.width
        return int.from_bytes(answer.state[place : place + slot.width], "little", signed=slot.signed)
