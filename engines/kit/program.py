"""A game's methods as a typed tree: what the checker makes of an author's Python, and what is turned into machine code."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

__all__ = [
    "And",
    "Assign",
    "Binary",
    "Break",
    "Builtin",
    "Call",
    "Compare",
    "Const",
    "Continue",
    "Element",
    "Expression",
    "ForCards",
    "ForRange",
    "Function",
    "Header",
    "If",
    "IfExpression",
    "Load",
    "Local",
    "Or",
    "Parameter",
    "Program",
    "Raise",
    "Return",
    "Run",
    "Slot",
    "Statement",
    "Store",
    "StoreElement",
    "StoreHeader",
    "TableItem",
    "ToFloat",
    "Unary",
    "ValueType",
    "While",
    "Yield",
]

ValueType = Literal["int", "float"]  # a 64-bit signed integer (truth values are 0 and 1), or a double


@dataclass(frozen=True)
class Slot:
    """Where a field stands in the bytes of a state, and what it may hold."""

    name: str
    kind: str  # cards, card, count, flag, seat, seats, dice
    offset: int  # of its first element
    width: int  # bytes of an element: 1, 2, 4 or 8
    signed: bool
    lengths: tuple[int, ...]  # how many elements there are room for, outermost first; () for a single value
    used: tuple[int, ...]  # how many indices are allowed, for these rules: each seat means the players there are
    low: int  # what an element may hold, both included
    high: int
    seen_by: str  # all, owner, nobody, or the name of a field that holds seats
    deck: int | None = None  # of the game's decks, by number
    within: str | None = None
    is_zone: bool = False
    each_seat: bool = False


# ---- Expressions ----


@dataclass(frozen=True, kw_only=True)
class Expression:
    """A value. `low` and `high` bound an int, as far as is known; a float has none."""

    line: int
    type: ValueType = "int"
    low: int = -(2**63)
    high: int = 2**63 - 1


@dataclass(frozen=True, kw_only=True)
class Const(Expression):
    value: int | float


@dataclass(frozen=True, kw_only=True)
class Local(Expression):
    """A parameter or a local name."""

    name: str


@dataclass(frozen=True, kw_only=True)
class Header(Expression):
    """`ply`, `mover` or `asked` of the state."""

    name: str


@dataclass(frozen=True, kw_only=True)
class Load(Expression):
    """An element of a field. Each index that is not `safe` is checked: 0 <= index < used, else a fault.

    All indices are computed first, then checked from left to right.
    """

    slot: Slot
    indices: tuple[Expression, ...] = ()
    safe: tuple[bool, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Element(Expression):
    """An element of an array parameter, such as `shares[seat]`; always a float."""

    array: str
    index: Expression
    length: int
    safe: bool = False


@dataclass(frozen=True, kw_only=True)
class TableItem(Expression):
    """An item of a constant tuple."""

    values: tuple[int, ...]
    index: Expression
    safe: bool = False


@dataclass(frozen=True, kw_only=True)
class Unary(Expression):
    """`-`, `~` or `not`; `checked` where - may overflow."""

    op: str
    operand: Expression
    checked: bool = False


@dataclass(frozen=True, kw_only=True)
class Binary(Expression):
    """+ - * // % / ** << >> & | ^, as Python has them; operands are of one type.

    `checked`: it may overflow, divide by 0 or shift by a bad count, and has to be looked at; else none of these can happen.
    """

    op: str
    left: Expression
    right: Expression
    checked: bool = True


@dataclass(frozen=True, kw_only=True)
class Compare(Expression):
    """== != < <= > >=: 1 or 0."""

    op: str
    left: Expression
    right: Expression


@dataclass(frozen=True, kw_only=True)
class And(Expression):
    """The first value that is false, else the last one; what stands behind a false one is not computed."""

    values: tuple[Expression, ...]


@dataclass(frozen=True, kw_only=True)
class Or(Expression):
    values: tuple[Expression, ...]


@dataclass(frozen=True, kw_only=True)
class IfExpression(Expression):
    test: Expression
    body: Expression
    orelse: Expression


@dataclass(frozen=True, kw_only=True)
class ToFloat(Expression):
    """An int as a float. Beyond 2^53 it is a fault where `checked`."""

    operand: Expression
    checked: bool = False


@dataclass(frozen=True, kw_only=True)
class Call(Expression):
    """A function of the program; its arguments have the types of its parameters. Type `int` where it returns nothing (0).

    For a parameter that is an array the argument is a Local with its name; there is none for luck.
    """

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, kw_only=True)
class Builtin(Expression):
    """What every game may call. Where it is not `checked`, none of its faults can happen.

    size(set), low(set), high(set), bag_size(bag): KIT_NO_SET where the set is negative, then KIT_EMPTY_SET (low, high).
    bounded(x, n): x where 0 <= x < n, else KIT_BAD_PART with a = x, b = n (n is a Const): parts of moves, sets given to each().
    abs(x) of an int: KIT_OVERFLOW for -2^63. min, max of two or more of one type: the first unless a later one is less (more).
    truth(x): 1 or 0. truncated(float): int, KIT_OVERFLOW where it is no number or outside 64 bits.
    hidden(slot number, flat index of the element; used indices: seat * length + i), unseen(deck number).
    draw_cards(purpose, deck, from, count, counter), draw_card(purpose, deck, from, counter), roll(purpose, sides, counter): what
    is asked for is checked by what is called (KIT_BAD_LUCK; KIT_NO_SET for a negative set), always, in the order of arguments.
    counter1(a): a, 0 <= a < 2^32; counter2(a, b): a << 8 | b, 0 <= a < 2^24, b < 2^8; counter3(a, b, c): a < 2^16; else
    KIT_BAD_COUNTER with a = the first one that is wrong.
    """

    name: str
    arguments: tuple[Expression, ...]
    checked: bool = True
    part: str = ""  # of `bounded`: the part of an action that it is, as `number of bid`, and what the author calls its 0
    start: int = 0


# ---- Statements ----


@dataclass(frozen=True, kw_only=True)
class Statement:
    line: int


@dataclass(frozen=True, kw_only=True)
class Assign(Statement):
    """Locals begin as 0; the checker refuses one that is read before it is surely set."""

    name: str
    value: Expression


@dataclass(frozen=True, kw_only=True)
class Store(Statement):
    """`checked`: the value may not fit into the field, and has to be looked at; indices as in Load. The value comes first, as in
    Python; of augmented assignments the checker keeps the indices in locals. Then indices are checked, then the value.
    """

    slot: Slot
    value: Expression
    indices: tuple[Expression, ...] = ()
    safe: tuple[bool, ...] = ()
    checked: bool = True


@dataclass(frozen=True, kw_only=True)
class StoreHeader(Statement):
    """What the header is set to.

    mover: 0 … seats - 1, else KIT_DOES_NOT_FIT with b = -1; asked becomes 0.
    asked: a set of seats, not empty, else KIT_DOES_NOT_FIT with b = -2; the mover becomes its lowest.
    over (value Const 1): mover = -1, asked = 0. After it the two above still check their value, but set nothing.
    horizon (value Const 1): the flag KIT_AT_HORIZON.
    """

    name: str
    value: Expression
    checked: bool = True


@dataclass(frozen=True, kw_only=True)
class StoreElement(Statement):
    array: str
    index: Expression
    length: int
    value: Expression  # a float
    safe: bool = False


@dataclass(frozen=True, kw_only=True)
class If(Statement):
    test: Expression
    body: Sequence[Statement]
    orelse: Sequence[Statement] = ()


@dataclass(frozen=True, kw_only=True)
class While(Statement):
    """Each turn takes fuel: KIT_NO_FUEL, at the loop's line, where the test is true and none of KIT_FUEL is left."""

    test: Expression
    body: Sequence[Statement]


@dataclass(frozen=True, kw_only=True)
class ForRange(Statement):
    """As `for name in range(start, stop, step)`: the bounds are found once, the name keeps its last value.

    Each turn takes fuel, unless it is `brief`: of constant bounds, few turns, and no loop around that is not brief.
    """

    name: str
    start: Expression
    stop: Expression
    step: int
    body: Sequence[Statement]
    brief: bool = False


@dataclass(frozen=True, kw_only=True)
class ForCards(Statement):
    """For each bit of a set, ascending, found once; with `bits` 4 for each kind of a bag. It takes no fuel by itself.

    `checked`: the set may be negative, which is KIT_NO_SET.
    """

    name: str
    cards: Expression
    body: Sequence[Statement]
    bits: int = 1
    checked: bool = False


@dataclass(frozen=True, kw_only=True)
class Break(Statement):
    pass


@dataclass(frozen=True, kw_only=True)
class Continue(Statement):
    pass


@dataclass(frozen=True, kw_only=True)
class Return(Statement):
    """In `legal`, `first` is the number of the action's first move, of which the value is a set of cards."""

    value: Expression | None
    first: int = 0


@dataclass(frozen=True, kw_only=True)
class Yield(Statement):
    """A move, put behind those before it."""

    move: Expression


@dataclass(frozen=True, kw_only=True)
class Raise(Statement):
    """`raise` or a failed `assert`: a fault; what it says, the interpreted repeat tells."""

    is_assertion: bool = False
    exception: str = "RuntimeError"  # its class, built in or of the author's module
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class Run(Statement):
    """An expression for what it does."""

    value: Expression


# ---- The whole ----


@dataclass(frozen=True)
class Parameter:
    name: str
    type: Literal["int", "float", "array", "luck"]  # luck is not passed on: it stands in the call


@dataclass(frozen=True)
class Function:
    name: str
    parameters: Sequence[Parameter]  # without self
    returns: ValueType  # int where it returns nothing
    body: Sequence[Statement]
    line: int
    locals: Mapping[str, ValueType] = field(default_factory=dict)  # besides parameters
    is_entry: bool = False  # called from outside: one of METHODS
    yields: bool = False  # `legal` as a generator
    writes: bool = True  # whether it may change the state


@dataclass(frozen=True)
class Program:
    """All functions of a game for one number of players and one set of options; those called stand before their callers."""

    functions: Mapping[str, Function]
    seats: int
    slots: Sequence[Slot]
    move_limit: int
    deck_sizes: Sequence[int] = ()  # bits of each deck's sets
