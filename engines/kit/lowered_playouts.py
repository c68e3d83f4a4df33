"""A whole playout as one function, with the author's functions inlined: the same draws and states as the runtime's loop.

Whatever is not as it should be ends it with a fault, of any kind: the runtime then plays the same moves once more, one by one.
"""

from dataclasses import dataclass

from machiavel.engines.kit import program as tree
from machiavel.engines.kit.code_writer import CodeWriter
from machiavel.engines.kit.fault_kinds import FUEL, MOST_YIELDED, FaultKind
from machiavel.engines.kit.lowering import FunctionLowering
from machiavel.engines.kit.tree_walk import headers_set

__all__ = ["PLAYOUT", "PlayoutLoop", "write_playout"]

STOP_AT_HORIZON = 2  # MACHIAVEL_STOP_AT_HORIZON
PLAYOUT = tree.Function("playout", [tree.Parameter("rng", "array")], "int", (), 0, is_entry=True)


@dataclass(frozen=True)
class PlayoutLoop:
    """What the loop around an author's functions depends on, besides the program."""

    longest: int  # the most plies


def signed(word: int) -> str:
    """64 bits as an int."""
    return str(word - 2**64 if word >= 2**63 else word)


def repeated(byte: int) -> str:
    return signed(byte * 0x0101010101010101)


def write_playout(program: tree.Program, writer: CodeWriter, loop: PlayoutLoop) -> None:
    PlayoutLowering(program, writer, loop).write_loop()


class PlayoutLowering(FunctionLowering):
    """moves[machiavel_below(rng, count)] of the ascending legal moves, again and again."""

    def __init__(self, program: tree.Program, writer: CodeWriter, loop: PlayoutLoop) -> None:
        super().__init__(program, writer, PLAYOUT, headers_set(program))
        self.loop = loop
        self.asks, self.has_horizon = "asked" in self.headers, "horizon" in self.headers

    def write_loop(self) -> None:
        writer = self.writer
        writer.begin(PLAYOUT)
        writer.declare("plies", "int")
        writer.declare("ply", "int")  # to read it back from behind the bytes just written next to it would stall the processor
        writer.declare("random", "int")
        writer.set("random", writer.load_word("rng"))
        writer.set("ply", self.header("ply"))
        for name, is_met in (("asked", self.asks), ("flags", self.has_horizon)):
            if not is_met:
                self.bail_if(self.is_set(self.header(name)))
        turn, go_on, end = writer.fresh("L"), writer.fresh("L"), writer.fresh("L")
        writer.place(turn)
        mover = self.header("mover")
        writer.branch(writer.compare("slt", mover, "0"), end, go_on)
        writer.place(go_on)
        if self.has_horizon:
            onward = writer.fresh("L")
            writer.branch(self.is_set(self.header("flags")), end, onward)
            writer.place(onward)
        move = self.legal_move(mover)
        if self.asks:
            self.apply_asked(mover, move)
        else:
            self.apply(move)
        self.settle()
        writer.set("plies", writer.operate("add", writer.get("plies"), "1"))
        writer.jump(turn)
        writer.place(end)
        writer.store_word("rng", writer.get("random"))
        self.give(writer.get("plies"))
        writer.end()

    def bail_if(self, bit: str) -> None:
        self.writer.fault_if(bit, FaultKind.BAD_MOVE, 0)

    # ---- A move ----

    def legal_move(self, mover: str) -> str:
        writer, function = self.writer, self.program.functions["legal"]
        writer.store_call("fuel", str(FUEL))
        writer.store_call("count", "0")
        answer = writer.call(function, [mover])
        return self.move_of_list() if function.yields else self.move_of_set(answer)

    def move_of_set(self, cards: str) -> str:
        writer = self.writer
        first = writer.load_call("first")
        self.bail_if(writer.compare("eq", cards, "0"))
        last = writer.operate("add", first, writer.helper("highest_bit", cards))
        self.bail_if(writer.compare("sge", last, str(self.program.move_limit)))
        if writer.deposits_bits:
            pick = self.below(writer.helper("count_bits", cards))
            card = writer.helper("deposit", writer.operate("shl", "1", pick), cards)
            return writer.operate("add", first, writer.helper("lowest_bit", card))
        counts = self.running_counts(cards)
        pick = self.below(writer.operate("lshr", counts, "56"))
        return writer.operate("add", first, self.nth_card(cards, counts, pick))

    def move_of_list(self) -> str:
        writer = self.writer
        count = writer.load_call("count")
        self.bail_if(writer.compare("eq", count, "0"))
        self.bail_if(writer.compare("ugt", count, str(min(MOST_YIELDED, self.program.move_limit))))
        self.sort_moves(count)
        return writer.load_move(self.below(count))

    def sort_moves(self, count: str) -> None:
        """By insertion: most games list them in order."""
        writer = self.writer
        for name in ("next", "at"):
            writer.declare(name, "int")
        writer.set("next", "1")
        turn, insert, shift, down, place, end = (writer.fresh("L") for _ in range(6))
        writer.place(turn)
        number = writer.get("next")
        writer.branch(writer.compare("ult", number, count), insert, end)
        writer.place(insert)
        move = writer.load_move(number)
        writer.set("at", number)
        writer.place(shift)
        before = writer.operate("sub", writer.get("at"), "1")
        other = writer.load_move(before)
        self.bail_if(writer.compare("eq", other, move))
        writer.branch(writer.compare("ugt", other, move), down, place)
        writer.place(down)
        writer.store_move(writer.get("at"), other)
        writer.set("at", before)
        writer.branch(self.is_set(before), shift, place)
        writer.place(place)
        writer.store_move(writer.get("at"), move)
        writer.set("next", writer.operate("add", writer.get("next"), "1"))
        writer.jump(turn)
        writer.place(end)

    # ---- Chance ----

    def below(self, count: str) -> str:
        """machiavel_below (wyrand)."""
        writer = self.writer
        state = writer.operate("add", writer.get("random"), signed(0xA0761D6478BD642F))
        writer.set("random", state)
        other = writer.operate("xor", state, signed(0xE7037ED1A0B428DB))
        word = writer.operate("xor", writer.operate("mul", state, other), writer.multiply_high(state, other))
        return writer.operate("lshr", writer.operate("mul", writer.operate("lshr", word, "32"), count), "32")

    def running_counts(self, cards: str) -> str:
        """In each byte, how many cards are in it and those below (Warren, Hacker's Delight, 5-1)."""
        writer = self.writer

        def half(value: str, shift: int, mask: int) -> str:
            return writer.operate("and", writer.operate("lshr", value, str(shift)), repeated(mask))

        pairs = writer.operate("sub", cards, half(cards, 1, 0x55))
        fours = writer.operate("add", writer.operate("and", pairs, repeated(0x33)), half(pairs, 2, 0x33))
        eights = writer.operate("add", fours, writer.operate("lshr", fours, "4"))
        return writer.operate("mul", writer.operate("and", eights, repeated(0x0F)), repeated(1))

    def nth_card(self, cards: str, counts: str, n: str) -> str:
        """The byte it is in, by all counts at once, then the bit; without a branch, since which it is cannot be predicted."""
        writer, ones, highs = self.writer, repeated(1), repeated(0x80)
        asked = writer.operate("or", writer.operate("mul", n, ones), highs)
        passed = writer.operate("and", writer.operate("sub", asked, counts), highs)
        number = writer.operate("lshr", writer.operate("mul", writer.operate("lshr", passed, "7"), ones), "56")
        shift = writer.operate("shl", number, "3")
        below = writer.operate("and", writer.operate("lshr", writer.operate("shl", counts, "8"), shift), "255")
        n = writer.operate("sub", n, below)
        byte = writer.operate("and", writer.operate("lshr", cards, shift), "255")
        for least in range(7):
            one = writer.widen(writer.compare("ugt", n, str(least)))
            byte = writer.operate("and", byte, writer.operate("sub", byte, one))
        return writer.operate("add", shift, writer.helper("lowest_bit", byte))

    # ---- What the runtime does around `apply` ----

    def header(self, name: str) -> str:
        return self.value(tree.Header(line=0, name=name))

    def apply(self, move: str) -> None:
        writer = self.writer
        writer.store_call("fuel", str(FUEL))
        writer.call(self.program.functions["apply"], [move])
        writer.set("ply", writer.operate("add", writer.get("ply"), "1"))
        self.put_header("ply", writer.get("ply"))

    def apply_asked(self, mover: str, move: str) -> None:
        """The mover has answered; who is still asked comes next, unless the author says otherwise."""
        writer = self.writer
        asked = self.header("asked")
        mask = writer.operate("xor", writer.operate("shl", "1", mover), "-1")
        asked = writer.operate("and", asked, mask)
        self.put_header("asked", asked)
        self.apply(move)
        still, now = self.header("asked"), self.header("mover")
        # A bit above all seats stands in where nobody is asked.
        lowest = writer.helper("lowest_bit", writer.operate("or", still, "256"))
        goes_on = self.both(self.is_set(asked), self.is_set(still))
        is_same = writer.compare("eq", now, mover)
        now = writer.select(self.both(goes_on, is_same), lowest, now)
        others = self.both(writer.compare("ne", now, lowest), writer.compare("sge", now, "0"))
        still = writer.select(self.both(goes_on, others), "0", still)
        is_over = writer.compare("slt", now, "0")
        is_one = writer.compare("eq", writer.operate("and", still, writer.operate("sub", still, "1")), "0")
        now = writer.select(self.both(self.is_set(still), self.both(is_one, self.neither(is_over))), lowest, now)
        is_none = self.is_set(writer.operate("or", writer.widen(is_over), writer.widen(is_one)))
        self.put_header("asked", writer.select(is_none, "0", still))
        self.put_header("mover", now)

    def settle(self) -> None:
        writer = self.writer
        is_on = writer.compare("sge", self.header("mover"), "0")
        is_long = writer.compare("uge", writer.get("ply"), str(self.loop.longest))
        if self.has_horizon:
            stops = writer.operate("and", writer.load_luck_flags(), str(STOP_AT_HORIZON))
            stays = self.both(is_on, self.is_set(stops))
            flags = writer.select(stays, self.header("flags"), "0")
            self.put_header("flags", flags)
            is_long = self.both(is_long, writer.compare("eq", flags, "0"))
        self.bail_if(self.both(is_on, is_long))
