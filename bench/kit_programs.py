"""The kit's translators against each other: random programs, interpreted and compiled, on random positions.

Where nothing goes wrong, the file run as plain Python must do the same.

`python -m bench.kit_programs --programs 100000` prints how many programs were tried, how they ended, and what differs.
Results, positions, moves, and faults with their kind, line and numbers, must be the same.
"""

import argparse
import math
import random
import struct
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from unittest.mock import patch

from bench.kit_machine import Answer, FunctionRunner
from bench.plain_games import PlainRunner
from bench.random_programs import RandomGame, random_game
from machiavel.engines.kit import checker
from machiavel.engines.kit.checker import check_program
from machiavel.engines.kit.compiling import compile_functions
from machiavel.engines.kit.fault_kinds import FUEL, FaultKind
from machiavel.engines.kit.interpreted import interpreted_class
from machiavel.engines.kit.interpreted_faults import fault_of
from machiavel.engines.kit.program import Program, Slot
from machiavel.engines.kit.source import GameSource, read_source
from machiavel.engines.kit.tree_walk import headers_set

__all__ = ["ProgramComparison", "ProgramDifference", "compare_game", "drawn", "random_state"]

PLAYERS = 3
STATES = 4  # a program is tried on
FUNCTIONS = 50  # of each game; with those of the other entry points it has more programs
UNTOLD = 2**64
ENTRIES = {"apply": ("move",), "weigh": ("move",), "result": (), "legal": ("seat",)}


@dataclass(frozen=True)
class ProgramDifference:
    """Where two ways of running a program do not agree."""

    game: int  # its seed
    entry: str
    which: int
    state: bytes
    arguments: tuple[int, ...]
    modes: tuple[str, str]
    answers: tuple[Answer, Answer]

    def __str__(self) -> str:
        one, two = self.answers
        return (
            f"game {self.game}, {self.entry} {self.which} {self.arguments}, state {self.state.hex()}:\n"
            f"  {self.modes[0]}: {told(one)}\n  {self.modes[1]}: {told(two)}"
        )


def told(answer: Answer) -> str:
    if answer.fault:
        return f"{FaultKind(answer.fault[0]).name} in line {answer.fault[1]} ({answer.fault[2]}, {answer.fault[3]})"
    return f"{answer.value!r} {answer.moves} {answer.first} {answer.arrays} {answer.state.hex()}"


@dataclass
class ProgramComparison:
    """What came of some games."""

    programs: int = 0
    calls: int = 0
    endings: Counter[str] = field(default_factory=Counter)  # by fault
    differences: list[ProgramDifference] = field(default_factory=list)
    compiled_seconds: float = 0.0

    def add(self, other: "ProgramComparison") -> None:
        self.programs += other.programs
        self.calls += other.calls
        self.endings += other.endings
        self.differences += other.differences
        self.compiled_seconds += other.compiled_seconds


# ---- The parts of a call ----


def drawn(name: str, arguments: Sequence[int]) -> int | tuple[int, int, int]:
    """What luck gives: always the same for the same arguments; asked for what there is not, it faults as the runtime does."""
    number = zlib.crc32(repr((name, *arguments)).encode())
    match name:
        case "draw_cards" | "draw_card":
            cards = arguments[3]
            count = arguments[4] if name == "draw_cards" else 1
            if cards < 0:
                return FaultKind.NO_SET, cards, 0
            there = [card for card in range(63) if cards >> card & 1]
            if not 0 <= count <= len(there):
                return FaultKind.BAD_LUCK, count, len(there)
            chosen = random.Random(number).sample(there, count)
            return sum(1 << card for card in chosen) if name == "draw_cards" else chosen[0]
        case "roll":
            sides = arguments[2]
            return 1 + number % sides if 1 <= sides <= 255 else (FaultKind.BAD_LUCK, sides, 0)
    return number & 7


class DrawnLuck:
    """The same for interpreted rules."""

    def __getattr__(self, name: str) -> "partial[int | tuple[int, int, int]]":
        return partial(self.draw, name)

    def draw(self, name: str, *arguments: int) -> int | tuple[int, int, int]:
        return drawn(name, arguments)


def random_state(source: random.Random, program: Program, which: int, blank: bytes, *, asks: bool) -> bytes:
    """Any values that the fields can hold, edges more often than others; what is not in use is as in `blank`."""
    state = bytearray(blank)
    asked = source.choice((0, 0, source.randrange(1, 1 << program.seats))) if asks else 0
    mover = (asked & -asked).bit_length() - 1 if asked else source.randrange(program.seats)
    struct.pack_into("<HbBBb", state, 0, source.randrange(40), mover, asked, 0, 0)
    for slot in program.slots:
        for place in places_of(slot):
            value = which if slot.name == "which" else random_value(source, slot)
            state[place : place + slot.width] = value.to_bytes(slot.width, "little", signed=slot.signed)
    return bytes(state)


def random_value(source: random.Random, slot: Slot) -> int:
    low, high = slot.low, slot.high
    if slot.kind == "cards" and slot.name == "sack":
        return sum(source.randrange(count + 1) << 4 * kind for kind, count in enumerate((5, 2, 2, 1)))
    way = source.random()
    if way < 0.15:
        return source.choice((low, high))
    if way < 0.5:
        return min(max(source.randrange(-3, 12), low), high)
    return source.randint(low, high) if way < 0.75 else min(max(source.randint(-200, 200), low), high)


def room_of(slot: Slot) -> int:
    count = 1
    for length in slot.lengths:
        count *= length
    return count


def places_of(slot: Slot) -> Iterator[int]:
    """Where the elements in use stand."""
    inner = slot.lengths[1] if len(slot.lengths) > 1 else 1
    for i in range(slot.used[0] if slot.used else 1):
        for j in range(slot.used[1] if len(slot.used) > 1 else 1):
            yield slot.offset + (i * inner + j) * slot.width


class InterpretedRunner:
    """The interpreted mode, as FunctionRunner calls the compiled one."""

    def __init__(self, source: GameSource, program: Program) -> None:
        self.path = source.path
        self.program = program
        self.position = interpreted_class(source, program)()
        self.luck = DrawnLuck()
        end = max(slot.offset + slot.width * room_of(slot) for slot in program.slots)
        self.position.load(bytes(-(-end // 16) * 16))
        self.blank = self.position.dump()

    def run(self, name: str, state: bytes, *arguments: int) -> Answer:
        position = self.position
        position.load(state)
        position._kit_fuel = FUEL  # noqa: SLF001
        arrays = [[0.0] * self.program.seats] if name == "result" else []
        luck = [self.luck] if name in {"deal", "apply"} else []
        try:
            given = getattr(position, name)(*arguments, *arrays, *luck)
        except Exception as error:  # noqa: BLE001 - whatever went wrong is what is compared
            fault, line, a, b = fault_of(error, self.path)
            if not hasattr(error, "kind"):  # Python's own error does not tell the numbers
                a = b = UNTOLD
            return Answer(fault=(int(fault), line, a, b))
        if name == "legal":
            moves = tuple(given) if isinstance(given, list) else None
            return Answer(-1 if moves is not None else given[1], position.dump(), moves, 0 if moves is not None else given[0])
        rows = tuple(tuple(float(value) for value in array) for array in arrays)
        return Answer(0 if given is None else given, position.dump(), None, 0, rows)


def same(one: Answer, two: Answer, name: str, seats: int) -> bool:
    if one.fault and two.fault:
        return one.fault[:2] == two.fault[:2] and (UNTOLD in one.fault or one.fault == two.fault)
    if one.fault or two.fault:
        return False
    if name == "weigh":
        return bits(one.value) == bits(two.value)
    if name == "result":
        return all(bits(one.arrays[0][seat]) == bits(two.arrays[0][seat]) for seat in range(seats))
    return (one.state, one.moves, one.first) == (two.state, two.moves, two.first)


def bits(value: float) -> bytes:
    """A float by what it is; all that are no number are the same."""
    return b"nan" if math.isnan(value) else struct.pack("<d", value)


# ---- Games ----


def compare_game(seed: int, functions: int, modes: Sequence[str], states: int = STATES) -> ProgramComparison:
    """One random game: all its programs, in all these modes, beside the interpreted one."""
    game = random_game(seed, functions)
    with tempfile.TemporaryDirectory(prefix="machiavel-programs-") as folder:
        file = Path(folder) / "random_game.py"
        file.write_text(game.text, encoding="utf-8")
        source = read_source(file)
        return compare_source(source, game, seed, modes, states)


def compare_source(source: GameSource, game: RandomGame, seed: int, modes: Sequence[str], states: int) -> ProgramComparison:
    result = ProgramComparison()
    with patch.object(checker, "MOST_STEPS", UNTOLD):  # random functions call each other more than any author's
        program = check_program(source, PLAYERS, {})
    start = time.perf_counter()
    compiled = {mode: FunctionRunner(program, compile_functions(program, mode=mode), drawn, room=PLAYERS) for mode in modes}
    result.compiled_seconds = time.perf_counter() - start
    interpreted, plain = InterpretedRunner(source, program), PlainRunner(source, program, drawn)
    chance, asks = random.Random(seed), "asked" in headers_set(program)
    for entry, parameters in ENTRIES.items():
        for which in range(game.counts[entry]):
            result.programs += 1
            for _ in range(states):
                state = random_state(chance, program, which, interpreted.blank, asks=asks)
                mover = struct.unpack_from("b", state, 2)[0]
                arguments = tuple(mover if name == "seat" else chance.randrange(program.move_limit) for name in parameters)
                expected = interpreted.run(entry, state, *arguments)
                result.calls += 1
                result.endings[FaultKind(expected.fault[0]).name if expected.fault else "FINE"] += 1
                found = {mode: runner.run(entry, state, *arguments) for mode, runner in compiled.items()}
                if expected.fault is None:  # else plain Python goes on, or raises something else
                    found["plain Python"] = plain.run(entry, state, *arguments)
                for mode, answer in found.items():
                    if not same(expected, answer, entry, program.seats):
                        pair = "interpreted", mode
                        one = ProgramDifference(seed, entry, which, state, arguments, pair, (expected, answer))
                        result.differences.append(one)
    return result


def compare_seed(seed: int, functions: int, gcc_every: int) -> ProgramComparison:
    return compare_game(seed, functions, ["llvm", "gcc"] if gcc_every and seed % gcc_every == 0 else ["llvm"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0, help="seed of the first game")
    parser.add_argument("--functions", type=int, default=FUNCTIONS, help="of `apply` in each game; a quarter of it of the others")
    parser.add_argument("--gcc-every", type=int, default=10, help="every so many games are compiled by gcc, too; 0: none")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--show", type=int, default=5, help="so many differences")
    parser.add_argument("--progress", action="store_true", help="told on stderr, also where that is a file")
    arguments = parser.parse_args()
    each = random_game(arguments.first, arguments.functions).counts
    games = -(-arguments.programs // sum(each.values()))
    total, start = ProgramComparison(), time.perf_counter()
    seeds = range(arguments.first, arguments.first + games)
    with ProcessPoolExecutor(arguments.workers) as pool:
        for one in pool.map(partial(compare_seed, functions=arguments.functions, gcc_every=arguments.gcc_every), seeds):
            total.add(one)
            if sys.stderr.isatty() or arguments.progress:
                print(
                    f"\r{total.programs:,} programs, {len(total.differences):,} differences", end="", file=sys.stderr, flush=True
                )
    seconds = time.perf_counter() - start
    tried = f"{total.programs:,} programs in {games:,} games, {total.calls:,} calls"
    print(f"{tried}, {seconds:,.0f} s ({total.compiled_seconds:,.0f} s compiling)")
    for ending, count in total.endings.most_common():
        print(f"{ending:>16} {count:>9,} ({100 * count / total.calls:.2f} %)")
    print(f"{len(total.differences):,} differences")
    for difference in total.differences[: arguments.show]:
        print(difference)
    return 1 if total.differences else 0


if __name__ == "__main__":
    sys.exit(main())
