"""Random games in one file: every construct of the kit's subset of Python, well typed, with faults of every kind in reach.

A game has many functions that are called by number, so that one compilation tries many programs: `apply`, `weigh`, `result` and
`legal` call the one that the field `which` names. What they compute stands in fields, and is compared there.
"""

import random
from dataclasses import dataclass, field

__all__ = ["FILE_HEAD", "RandomGame", "random_game"]

FILE_HEAD = '''"""A game of random functions."""
from machiavel.kit import Action, Bag, Card, Cards, Count, Deck, Dice, Flag, Game, Seat, Seats, cards, has, high, low, one, size

DECK = Deck(suits="ABC", ranks="23456789")
BIG = Deck(suits="CDHS", ranks="23456789TJQKA")
BAG = Bag({"guard": 5, "priest": 2, "baron": 2, "king": 1})
TABLE = (3, -7, 0, 1 << 40, 12, 5, -1)
SMALL = (0, 2, 1)
FACTOR = 7


class RandomGame(Game):
    name, version = "random_game", 1
    titles = {"en": "Random", "fr": "Hasard"}
    players = [2, 3, 4]
    longest = 1000

    hands = Cards(BIG, each_seat=True, seen_by="owner")
    pile = Cards(DECK, zone=False)
    sack = Cards(BAG, zone=False)
    top = Card(BIG, zone=False)
    kept = Card(DECK, each_seat=True, zone=False)
    tiny = Count(most=9)
    byte = Count(most=255)
    below = Count(least=-100, most=100)
    word = Count(most=60000, length=4)
    deep = Count(least=-30000, most=30000, each_seat=True, length=3)
    wide = Count(least=-(2**31), most=2**31 - 1, each_seat=True)
    full = Count(least=-(2**63), most=2**63 - 1, length=3)
    flag = Flag()
    marks = Flag(each_seat=True)
    best = Seat()
    others_in = Seats()
    cups = Dice(3, each_seat=True, seen_by="owner")
    which = Count(most=1000)
    out = Count(least=-(2**63), most=2**63 - 1)

    play = Action(BIG)
    bid = Action(number=range(1, 6), face=range(1, 7))
    tell = Action(who=Seat, what=("yes", "no", "maybe"))
    stop = Action()
'''
SCALARS = ("tiny", "byte", "below", "flag", "best", "top", "out", "others_in", "pile", "sack")
WRITABLE = {  # what mostly fits
    "tiny": "% 10",
    "byte": "& 255",
    "below": "% 100",
    "flag": "& 1",
    "best": "% 3",
    "top": "% 52",
    "out": "",
    "others_in": "& 7",
    "pile": "& DECK.all",
}
ROWS = {"hands": 3, "kept": 3, "word": 4, "wide": 3, "full": 3, "marks": 3}
FITTING = {"hands": "& BIG.all", "kept": "% 24", "word": "% 60001", "wide": "% 1000003", "full": "", "marks": "& 1"}
GRIDS = {"deep": 3, "cups": 3}
INTS = ("0", "1", "2", "3", "5", "7", "-1", "-2", "10", "63", "64", "100", "FACTOR", "255", "256")
LARGE = ("1 << 31", "1 << 40", "2**31 - 1", "2**62", "9223372036854775807", "-9223372036854775807", "2**53 + 1", "BIG.all")
FLOATS = ("0.0", "0.5", "1.0", "2.0", "-1.5", "3.25", "1e10", "0.1", "-0.0", "1e300", "7.0")


@dataclass
class RandomGame:
    """A file's text, and how many functions of each kind it has."""

    text: str
    counts: dict[str, int]


@dataclass
class Scope:
    """What may be read where a statement stands."""

    ints: list[str] = field(default_factory=list)
    floats: list[str] = field(default_factory=list)
    arrays: list[str] = field(default_factory=list)
    loops: int = 0  # around
    depth: int = 0
    luck: bool = False
    writes: bool = True

    def inner(self, *, loops: int = 0) -> "Scope":
        """What is set in there may not be set behind it."""
        return Scope(
            [*self.ints], [*self.floats], self.arrays, self.loops + loops, self.depth + 1, luck=self.luck, writes=self.writes
        )


def random_game(seed: int, functions: int) -> RandomGame:
    """So many functions called by `apply`, and some by each of the others."""
    return GameWriter(random.Random(seed)).game(functions)


class GameWriter:
    """Writes one file."""

    def __init__(self, source: random.Random) -> None:
        self.random = source
        self.lines: list[str] = []
        self.helpers: list[tuple[str, str, int, bool]] = []  # name, what it returns, int parameters, whether it writes
        self.names = 0
        self.kind = "nothing"  # what the function returns
        self.yields = False

    def one_of(self, *items: str) -> str:
        return self.random.choice(items)

    def chance(self, part: float) -> bool:
        return self.random.random() < part

    def line(self, scope: Scope, text: str) -> None:
        self.lines.append("    " * (scope.depth + 2) + text)

    def game(self, functions: int) -> RandomGame:
        self.lines = [FILE_HEAD]
        few = max(functions // 8, 1)
        for number in range(few):
            self.helper(number)
        for number in range(functions):
            self.function(f"do_{number}", ["move", "luck"], "nothing")
        for number in range(few):
            self.function(f"weigh_{number}", ["move"], "float", writes=False)
            self.function(f"share_{number}", ["shares"], "nothing", writes=False)
        self.method("deal(self, luck)", ["self.mover = luck.die('first', self.seats) - 1"])
        self.legal(few)
        self.method("apply(self, move, luck)", self.dispatch(functions, "do_{}(move, luck)"))
        self.method("result(self, shares)", self.dispatch(few, "share_{}(shares)"))
        self.method("weigh(self, move)", [*self.dispatch(few, "weigh_{}(move)", "return "), "return 1.0"])
        return RandomGame("\n".join(self.lines) + "\n", {"apply": functions, "weigh": few, "result": few, "legal": few})

    def dispatch(self, count: int, call: str, before: str = "") -> list[str]:
        return [
            f"{'el' * (number > 0)}if self.which == {number}:\n            {before}self.{call.format(number)}"
            for number in range(count)
        ]

    def method(self, head: str, body: list[str]) -> None:
        self.lines.append(f"    def {head}:")
        self.lines.extend(f"        {one}" for one in body)
        self.lines.append("")

    def helper(self, number: int) -> None:
        kind = self.one_of("int", "int", "int", "float", "nothing")
        name, writes = f"help_{number}", self.chance(0.6)
        parameters = [f"x{i}" for i in range(self.random.randrange(3))]
        self.function(name, parameters, kind, writes=writes)
        self.helpers.append((name, kind, len(parameters), writes))

    def function(self, name: str, parameters: list[str], kind: str, *, writes: bool = True) -> None:
        self.kind, self.yields = kind, False
        scope = Scope(luck="luck" in parameters, writes=writes)
        scope.arrays = [one for one in parameters if one == "shares"]
        scope.ints = [one for one in parameters if one not in {"luck", "shares"}]
        self.lines.append(f"    def {name}({', '.join(['self', *parameters])}):")
        self.body(scope, self.random.randrange(1, 5))
        if kind != "nothing":
            self.line(scope, f"return {self.value(scope, kind)}")
        elif scope.arrays:
            self.line(scope, f"shares[{self.index(scope, 3)}] = {self.floating(scope, 2)}")
        elif writes:
            self.line(scope, f"self.out = {self.number(scope, 2)}")
        else:
            self.line(scope, "pass")
        self.lines.append("")

    def legal(self, count: int) -> None:
        """A generator; its branches are programs of their own."""
        self.kind, self.yields = "nothing", True
        self.lines.append("    def legal(self, seat):")
        for number in range(count):
            self.lines.append(f"        {'el' * (number > 0)}if self.which == {number}:")
            scope = Scope(["seat"], depth=1, writes=False)
            self.body(scope, self.random.randrange(1, 5))
            self.line(scope, f"yield {self.move(scope)}")
        self.lines.append("        yield self.stop()\n")
        self.yields = False

    # ---- Statements ----

    def body(self, scope: Scope, count: int) -> None:
        for _ in range(max(count, 1)):
            if self.statement(scope):
                return

    def statement(self, scope: Scope) -> bool:
        """Writes one; whether nothing behind it can be reached."""
        ways = ["set"] * 5 + ["float"] * 2 + ["if"] * 3 + ["augment"]
        if scope.depth < 3:
            ways += ["range"] * 2 + ["cards", "each", "while", "kinds", "tuple"]
        if scope.writes:
            ways += ["store"] * 5 + ["change"] * 3 + ["swap", "mover"]
        if scope.arrays:
            ways += ["share"] * 4
        if scope.loops:
            ways += ["leave"]
        if scope.luck:
            ways += ["luck"]
        if self.yields:
            ways += ["yield"] * 4
        ways += ["end", "assert", "call", "pair"]
        return bool(getattr(self, f"write_{self.random.choice(ways)}")(scope))

    def new_name(self, scope: Scope, kind: str) -> str:
        """A local; sometimes one that is there, of the same type."""
        there = scope.ints if kind == "int" else scope.floats
        own = [name for name in there if name[0] == ("v" if kind == "int" else "f")]
        if own and self.chance(0.4):
            return self.random.choice(own)
        self.names += 1
        return f"{'v' if kind == 'int' else 'f'}{self.names}"

    def write_set(self, scope: Scope) -> None:
        name = self.new_name(scope, "int")
        self.line(scope, f"{name} = {self.number(scope, self.random.randrange(1, 4))}")
        scope.ints.append(name)

    def write_float(self, scope: Scope) -> None:
        name = self.new_name(scope, "float")
        self.line(scope, f"{name} = {self.floating(scope, self.random.randrange(1, 4))}")
        scope.floats.append(name)

    def write_pair(self, scope: Scope) -> None:
        names = [self.new_name(scope, "int") for _ in range(2)]
        if names[0] != names[1]:
            self.line(scope, f"{', '.join(names)} = {self.number(scope, 2)}, {self.number(scope, 2)}")
            scope.ints.extend(names)
        else:
            self.line(scope, "pass")

    def write_augment(self, scope: Scope) -> None:
        own = [name for name in scope.ints if name[0] == "v"]
        if not own:
            return self.write_set(scope)
        op = self.one_of("+=", "-=", "*=", "//=", "%=", "&=", "|=", "^=", "<<=", ">>=", "+=", "+=")
        self.line(scope, f"{self.random.choice(own)} {op} {self.operand(scope, op[:-1], 2)}")
        return None

    def write_store(self, scope: Scope) -> None:
        target, fitting = self.target(scope)
        value = self.number(scope, self.random.randrange(1, 4))
        self.line(scope, f"{target} = ({value}) {fitting}" if fitting and self.chance(0.8) else f"{target} = {value}")

    def target(self, scope: Scope) -> tuple[str, str]:
        kind = self.one_of("scalar", "scalar", "row", "row", "grid")
        if kind == "scalar":
            name = self.random.choice(list(WRITABLE))
            return f"self.{name}", WRITABLE[name]
        if kind == "row":
            name = self.random.choice(list(ROWS))
            return f"self.{name}[{self.index(scope, ROWS[name])}]", FITTING[name]
        return f"self.deep[{self.index(scope, 3)}][{self.index(scope, 3)}]", "% 30000"

    def write_change(self, scope: Scope) -> None:
        target, _ = self.target(scope)
        op = self.one_of("+", "+", "-", "^", "|", "&", "*")
        right = f"({self.number(scope, 2)}) % 4" if self.chance(0.7) else self.number(scope, 2)
        self.line(scope, f"{target} {op}= {right}")

    def write_swap(self, scope: Scope) -> None:
        one, two = self.index(scope, 3), self.index(scope, 3)
        self.line(scope, f"self.wide[{one}], self.wide[{two}] = self.wide[{two}], self.wide[{one}]")

    def write_mover(self, scope: Scope) -> None:
        value = self.number(scope, 2)
        way = self.random.randrange(8)
        if way < 3:
            self.line(scope, f"self.mover = ({value}) % self.seats")
        elif way < 5:
            self.line(scope, f"self.ask(({value}) & 7 | 1)")
        elif way == 5:
            self.line(scope, f"self.ask({value})")
        elif way == 6:
            self.line(scope, f"self.mover = {value}")
        else:
            self.line(scope, "self.end()")

    def write_share(self, scope: Scope) -> None:
        op = self.one_of("=", "=", "+=", "*=", "-=")
        self.line(
            scope, f"shares[{self.index(scope, 3)}] {op} {self.floating(scope, 2) if self.chance(0.7) else self.number(scope, 2)}"
        )

    def write_luck(self, scope: Scope) -> None:
        name = self.new_name(scope, "int")
        depth = self.random.randrange(4)  # of `at`, which is the same in all draws of one event
        given = [f"({self.number(scope, 1)}) & 15", "self.ply & 7", f"({self.number(scope, 1)}) & 511"][:depth]
        at = f", at={given[0]}" if depth == 1 else f", at=({', '.join(given)})" if given else ""
        event = str(depth)
        draw = self.one_of(
            f"luck.die('die{event}', 6{at})",
            f"luck.card('card{event}', self.pile, deck=DECK{at})",
            f"luck.cards('cards{event}', BIG.all, ({self.number(scope, 1)}) & 3, deck=BIG{at})",
            f"luck.cards('some{event}', self.hands[{self.index(scope, 3)}], ({self.number(scope, 1)}) & 1, deck=BIG{at})",
            f"luck.die('any{event}', {self.number(scope, 1)}{at})" if self.chance(0.2) else f"luck.die('few{event}', 2{at})",
        )
        self.line(scope, f"{name} = {draw}")
        scope.ints.append(name)

    def write_if(self, scope: Scope) -> bool:
        self.line(scope, f"if {self.test(scope, 2)}:")
        ways = [scope.inner()]
        ends = [self.block(ways[0], 3)]
        if self.chance(0.3):
            self.line(scope, f"elif {self.test(scope, 2)}:")
            ways.append(scope.inner())
            ends.append(self.block(ways[-1], 2))
        if self.chance(0.5):
            self.line(scope, "else:")
            ways.append(scope.inner())
            ends.append(self.block(ways[-1], 3))
            reached = [way for way, is_end in zip(ways, ends, strict=True) if not is_end]
            if not reached:
                return True
            scope.ints = [name for name in reached[0].ints if all(name in way.ints for way in reached)]
            scope.floats = [name for name in reached[0].floats if all(name in way.floats for way in reached)]
        return False

    def block(self, scope: Scope, most: int) -> bool:
        before = len(self.lines)
        for _ in range(self.random.randrange(1, most + 1)):
            if self.statement(scope):
                return True
        if len(self.lines) == before:
            self.line(scope, "pass")
        return False

    def loop(self, scope: Scope, head: str, name: str | None) -> None:
        self.line(scope, head)
        inner = scope.inner(loops=1)
        if name:
            inner.ints.append(name)
        self.block(inner, 3)

    def loop_name(self) -> str:
        self.names += 1
        return f"i{self.names}"

    def write_range(self, scope: Scope) -> None:
        name = self.loop_name()
        few = f"({self.number(scope, 1)}) % {self.random.randrange(2, 9)}"
        bounds = self.one_of(
            str(self.random.randrange(6)),
            few,
            f"{self.random.randrange(-3, 3)}, {few}",
            f"{few}, {self.random.randrange(-3, 8)}, {self.one_of('-1', '-2', '2', '3')}",
            f"9, {few}, -1",
            f"9223372036854775800, {self.one_of('9223372036854775807', '2**62')}, {self.one_of('5', '3', '1')}",
        )
        if self.chance(0.02):
            bounds = self.number(scope, 2)
        self.loop(scope, f"for {name} in range({bounds}):", name)

    def write_cards(self, scope: Scope) -> None:
        name = self.loop_name()
        self.loop(scope, f"for {name} in cards({self.cards(scope, 2)}):", name)

    def write_kinds(self, scope: Scope) -> None:
        name = self.loop_name()
        self.loop(
            scope, f"for {name} in BAG.kinds({self.one_of('self.sack', 'self.sack', 'BAG.all', self.number(scope, 1))}):", name
        )

    def write_each(self, scope: Scope) -> None:
        name = self.loop_name()
        self.loop(
            scope, f"for {name} in {self.one_of('self.every_seat()', 'self.others(self.mover)', 'self.every_seat()')}:", name
        )

    def write_tuple(self, scope: Scope) -> None:
        name = self.loop_name()
        self.loop(scope, f"for {name} in {self.one_of('TABLE', 'SMALL', '(1, 4, 2)')}:", name)

    def write_while(self, scope: Scope) -> None:
        if self.chance(0.03):
            self.loop(scope, f"while {self.test(scope, 1)}:", None)
            return
        name = self.new_name(scope, "int")
        self.line(scope, f"{name} = ({self.number(scope, 2)}) % 6")
        scope.ints.append(name)
        guarded = scope.inner(loops=1)
        guarded.ints = [one for one in guarded.ints if one != name]
        self.line(scope, f"while {name} > 0{self.one_of('', f' and {self.test(scope, 1)}')}:")
        self.line(guarded, f"{name} -= 1")
        self.block(guarded, 3)

    def write_leave(self, scope: Scope) -> bool:
        inner = scope.inner()
        self.line(scope, f"if {self.test(scope, 2)}:")
        self.line(inner, self.one_of("break", "continue"))
        return False

    def write_yield(self, scope: Scope) -> None:
        if self.chance(0.2):
            self.line(scope, f"yield from self.play.each({self.cards(scope, 2)} & BIG.all)")
        else:
            self.line(scope, f"yield {self.move(scope)}")

    def move(self, scope: Scope) -> str:
        number = self.number(scope, 1)
        return self.one_of(
            f"self.bid(({number}) % 5 + 1, {self.random.randrange(1, 7)})",
            f"self.bid({number}, {self.number(scope, 1)})" if self.chance(0.1) else "self.bid(5, 6)",
            f"self.tell(({number}) % 3, {self.random.randrange(3)})",
            "self.stop()",
            f"({number}) % 52",
            number if self.chance(0.2) else f"self.bid(2, ({number}) % 6 + 1)",
        )

    def write_assert(self, scope: Scope) -> None:
        if self.chance(0.5):
            self.line(scope, f"assert {self.test(scope, 2)} or {self.test(scope, 1)}")
        else:
            self.line(scope, f"if {self.test(scope, 2)} and {self.test(scope, 1)}:")
            self.line(scope.inner(), self.one_of("raise ValueError('no')", "raise RuntimeError", "raise IndexError('far')"))

    def write_call(self, scope: Scope) -> None:
        fitting = [one for one in self.helpers if scope.writes or not one[3]]
        if not fitting:
            return self.write_set(scope)
        name, _, count, _ = self.random.choice(fitting)
        self.line(scope, f"self.{name}({', '.join(self.number(scope, 1) for _ in range(count))})")
        return None

    def write_end(self, scope: Scope) -> bool:
        if not scope.depth or self.chance(0.6):
            self.write_set(scope)
            return False
        self.line(scope, "return" if self.kind == "nothing" else f"return {self.value(scope, self.kind)}")
        return True

    # ---- Values ----

    def value(self, scope: Scope, kind: str) -> str:
        return self.floating(scope, 2) if kind == "float" else self.number(scope, 2)

    def index(self, scope: Scope, length: int) -> str:
        way = self.random.random()
        if way < 0.4:
            return str(self.random.randrange(length))
        if way < 0.96:
            return f"({self.number(scope, 1)}) % {length}"
        return self.number(scope, 1)

    def leaf(self, scope: Scope) -> str:
        way = self.random.random()
        if way < 0.4 and scope.ints:
            return self.random.choice(scope.ints)
        if way < 0.6:
            return self.one_of(*INTS)
        if way < 0.65:
            return f"({self.one_of(*LARGE)})"
        if way < 0.72:
            return self.one_of("self.mover", "self.ply", "self.asked", "self.seats", "FACTOR")
        if way < 0.86:
            return f"self.{self.one_of(*SCALARS)}"
        if way < 0.95:
            name = self.random.choice(list(ROWS))
            return f"self.{name}[{self.random.randrange(ROWS[name])}]"
        name = self.random.choice(list(GRIDS))
        return f"self.{name}[{self.random.randrange(3)}][{self.random.randrange(GRIDS[name])}]"

    def operand(self, scope: Scope, op: str, depth: int) -> str:
        """What stands right of an operator; mostly what does not fail."""
        value = self.number(scope, depth - 1)
        if self.chance(0.1) and op != "**":
            return f"({value})"
        match op:
            case "//" | "%":
                return self.one_of(f"(({value}) % 7 + 1)", f"(abs({self.leaf(scope)} % 9) + 2)", "3", "-4", "-1", "8")
            case "<<":
                return self.one_of(f"(({value}) & 7)", "3", "1", "20")
            case ">>":
                return self.one_of(f"(({value}) & 63)", "2", "1", "70")
            case "**":
                return self.one_of("2", "3", f"(({value}) & 3)", "0", "1")
        return f"({value})"

    def number(self, scope: Scope, depth: int) -> str:
        if depth <= 0 or self.chance(0.2):
            return self.leaf(scope)
        way = self.random.randrange(20)
        inner = depth - 1
        if way < 8:
            op = self.one_of("+", "-", "*", "+", "-", "&", "|", "^", "//", "%", "<<", ">>", "**")
            left = self.number(scope, inner)
            if op in {"*", "**"} and self.chance(0.8):
                left = f"({left}) % 1000"
            return f"({left}) {op} {self.operand(scope, op, depth)}"
        match way:
            case 8:
                return f"{self.one_of('-', '~')}({self.number(scope, inner)})"
            case 9:
                return f"({self.test(scope, inner)})"
            case 10:
                return f"({self.number(scope, inner)} {self.one_of('and', 'or')} {self.number(scope, inner)})"
            case 11:
                return f"({self.number(scope, inner)} if {self.test(scope, inner)} else {self.number(scope, inner)})"
            case 12:
                name, count = self.one_of("min", "max"), self.random.randrange(2, 4)
                return f"{name}({', '.join(self.number(scope, inner) for _ in range(count))})"
            case 13:
                if self.chance(0.3):
                    return f"abs({self.number(scope, inner)})"
                return f"{self.one_of('int', 'int', 'bool')}({self.value(scope, self.one_of('int', 'float'))})"
            case 14:
                return f"{self.one_of('size', 'size', 'size', 'size', 'low', 'high')}({self.cards(scope, inner)})"
            case 15:
                return self.of_deck(scope)
            case 16:
                return f"TABLE[{self.index(scope, 7)}]"
            case 17:
                return self.call(scope, "int")
            case 18:
                name = self.random.choice(list(ROWS))
                return f"self.{name}[{self.index(scope, ROWS[name])}]"
        return self.one_of(
            f"self.deep[{self.index(scope, 3)}][{self.index(scope, 3)}]",
            f"self.cups[{self.index(scope, 3)}][{self.index(scope, 3)}]",
            f"self.next_seat({self.number(scope, inner)})",
            f"self.bid.number({self.move(scope)})",
            f"self.bid.face({self.move(scope)})",
            f"({self.leaf(scope)} in self.bid)",
        )

    def of_deck(self, scope: Scope) -> str:
        number = self.number(scope, 1)
        return self.one_of(
            f"BIG.suit_of(({number}) % 52)",
            f"BIG.rank_of(({number}) & 63)",
            f"BIG.suit(({number}) % 4)",
            f"DECK.suit(({number}) % 3)" if self.chance(0.8) else f"DECK.suit({number})",
            f"BIG.rank(({number}) % 13)",
            f"BAG.number(self.sack, ({number}) % 4)",
            f"BAG.has(self.sack, ({number}) % 4)",
            "BAG.size(self.sack)",
            f"BAG.size({number})",
            f"has({self.cards(scope, 1)}, ({number}) % 52)",
            f"one(({number}) % 60)",
            f"BAG.one(({number}) % 4)",
            "BIG.card('SQ')",
            "size(BIG.cards('SQ H2'))",
        )

    def cards(self, scope: Scope, depth: int) -> str:
        return self.one_of(
            "self.pile",
            f"self.hands[{self.index(scope, 3)}]",
            "self.others_in",
            f"({self.number(scope, depth - 1)}) & 255",
            f"({self.number(scope, depth - 1)}) & BIG.all",
            f"DECK.suit({self.random.randrange(3)}) & ~self.pile",
            self.number(scope, depth - 1) if self.chance(0.3) else "DECK.all",
        )

    def call(self, scope: Scope, kind: str) -> str:
        fitting = [one for one in self.helpers if one[1] == kind and (scope.writes or not one[3])]
        if not fitting:
            return self.leaf(scope) if kind == "int" else self.one_of(*FLOATS)
        name, _, count, _ = self.random.choice(fitting)
        return f"self.{name}({', '.join(self.number(scope, 1) for _ in range(count))})"

    def test(self, scope: Scope, depth: int) -> str:
        way = self.random.randrange(10)
        inner = depth - 1
        if depth <= 0 or way < 4:
            op = self.one_of("==", "!=", "<", "<=", ">", ">=")
            kind = "float" if self.chance(0.15) else "int"
            return f"({self.plain(scope, kind, inner)}) {op} ({self.plain(scope, kind, inner)})"
        match way:
            case 4:
                ops = [self.one_of("<", "<=", "==", "!=") for _ in range(2)]
                values = [self.number(scope, inner), self.leaf(scope), self.number(scope, inner)]
                return f"({values[0]}) {ops[0]} ({values[1]}) {ops[1]} ({values[2]})"
            case 5:
                return f"not ({self.test(scope, inner)})"
            case 6 | 7:
                return f"({self.test(scope, inner)} {self.one_of('and', 'or')} {self.test(scope, inner)})"
            case 8:
                return self.one_of("self.flag", f"self.marks[{self.index(scope, 3)}]", f"has({self.cards(scope, 1)}, 3)")
        return f"({self.number(scope, inner)})"

    def plain(self, scope: Scope, kind: str, depth: int) -> str:
        return self.floating(scope, depth) if kind == "float" else self.number(scope, depth)

    def floating(self, scope: Scope, depth: int) -> str:
        way = self.random.randrange(16)
        if depth <= 0 or way < 3:
            if scope.floats and self.chance(0.5):
                return self.random.choice(scope.floats)
            if scope.arrays and self.chance(0.4):
                return f"shares[{self.index(scope, 3)}]"
            return self.one_of(*FLOATS)
        inner = depth - 1
        if way < 8:
            op = self.one_of("+", "-", "*", "/", "*", "-")
            right = self.floating(scope, inner) if self.chance(0.6) else self.number(scope, inner)
            return f"({self.floating(scope, inner)}) {op} ({right})"
        match way:
            case 8:
                return f"({self.number(scope, inner)}) / (({self.number(scope, inner)}) % 5 + 1)"
            case 9:
                return f"({self.number(scope, inner)}) / ({self.number(scope, inner)})"
            case 10:
                return f"float({self.number(scope, inner)})"
            case 11:
                return f"{self.one_of('abs', '-')}({self.floating(scope, inner)})"
            case 12:
                return f"{self.one_of('min', 'max')}({self.floating(scope, inner)}, {self.floating(scope, inner)})"
            case 13:
                return f"({self.floating(scope, inner)} if {self.test(scope, inner)} else {self.floating(scope, inner)})"
            case 14:
                return self.call(scope, "float")
        return f"({self.floating(scope, inner)} {self.one_of('and', 'or')} {self.floating(scope, inner)})"
