"""Faults of interpreted rules as Python's own exceptions, and the arithmetic that finds them where it may fail."""

from collections.abc import Sequence
from typing import Any, NoReturn, Protocol

from machiavel.engines.kit.fault_kinds import FUEL, MOST_YIELDED, FaultKind
from machiavel.engines.kit.intervals import LARGEST_INT, LEAST_INT, MOST_SHIFT
from machiavel.engines.kit.program import Slot

__all__ = ["HELPERS", "InterpretedLuck", "fault_of", "faulty", "unfit"]

EXACT = 2**53  # from here on not every int is a float
SHOWN = {
    "cards": "a set of this deck's cards",
    "card": "-1 or a card's number",
    "flag": "0 or 1",
    "seat": "-1 or a seat",
    "seats": "a set of seats",
    "dice": "0 or 1 to {high}",
}
# What Python raises by itself in generated code.
OF_PYTHON = {IndexError: FaultKind.BAD_INDEX, ZeroDivisionError: FaultKind.DIVISION, ValueError: FaultKind.BAD_SHIFT}


class InterpretedLuck(Protocol):
    """What interpreted rules draw from; in `determinize` it knows what is hidden, too."""

    def draw_cards(self, purpose: int, counter: int, deck: int, cards: int, count: int, /) -> int: ...
    def draw_card(self, purpose: int, counter: int, deck: int, cards: int, /) -> int: ...
    def roll(self, purpose: int, counter: int, sides: int, /) -> int: ...
    def hidden(self, slot: int, index: int, /) -> int: ...
    def unseen(self, deck: int, /) -> int: ...


def faulty(kind: type[Exception], fault: FaultKind, text: str, a: int = 0, b: int = 0) -> Exception:
    """An exception that knows which fault it is."""
    error = kind(text) if text else kind()
    error.kind, error.a, error.b = fault, a, b  # type: ignore[attr-defined]
    return error


def fault_of(error: BaseException, path: str) -> tuple[FaultKind, int, int, int]:
    """What went wrong in an author's file: the fault, the line, and its two numbers as in kit_call.h."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    fault = getattr(error, "kind", None)
    if fault is None:
        return next((one for kind, one in OF_PYTHON.items() if type(error) is kind), FaultKind.RAISED), line, 0, 0
    return fault, line, within_64_bits(getattr(error, "a", 0)), within_64_bits(getattr(error, "b", 0))


def within_64_bits(value: int) -> int:
    """As far as machine code could tell the number."""
    return min(max(value, LEAST_INT), LARGEST_INT)


def unfit(slot: Slot, value: int, indices: Sequence[int], number: int) -> Exception:
    """A value that does not fit into a field."""
    place = slot.name + "".join(f"[{index}]" for index in indices)
    if slot.kind == "count":
        limit = f"at most {slot.high} fit (Count(most={slot.high}))" if value > slot.high else f"at least {slot.low} is needed"
    else:
        limit = f"it holds {SHOWN[slot.kind].format(high=slot.high)}"
    return faulty(OverflowError, FaultKind.DOES_NOT_FIT, f"{place} would be {value}; {limit}", value, number)


# ---- Called by generated code ----


def overflow(value: int) -> NoReturn:
    raise faulty(OverflowError, FaultKind.OVERFLOW, f"{value} does not fit into 64 bits")


def bad_index(index: int, length: int) -> NoReturn:
    raise faulty(IndexError, FaultKind.BAD_INDEX, f"index {index} of {length}: 0 to {length - 1}", index, length)


def item(row: Any, indices: tuple[int, ...], lengths: tuple[int, ...]) -> Any:
    """An element of several rows; all indices are known before the first is checked."""
    for index, length in zip(indices, lengths, strict=True):
        if not 0 <= index < length:
            bad_index(index, length)
        row = row[index]
    return row


def bounded(value: int, count: int, part: str = "", start: int = 0) -> NoReturn:
    text = f"{value} is no part of a move here: 0 to {count - 1}"
    if part:
        text = f"the part {part} would be {value + start}; expected {start} to {start + count - 1}"
    raise faulty(ValueError, FaultKind.BAD_PART, text, value, count)


def bad_seat(value: int, seats: int) -> NoReturn:
    text = f"self.mover would be {value}; seats are 0 to {seats - 1}"
    raise faulty(OverflowError, FaultKind.DOES_NOT_FIT, text, value, -1)


def bad_asked(value: int, seats: int) -> NoReturn:
    text = f"self.ask({value}): expected a set of seats as bits, from 1 to {(1 << seats) - 1}"
    raise faulty(OverflowError, FaultKind.DOES_NOT_FIT, text, value, -2)


def no_fuel() -> NoReturn:
    raise faulty(RuntimeError, FaultKind.NO_FUEL, f"loops take more than {FUEL:,} turns in one call")


def no_set(value: int) -> NoReturn:
    raise faulty(ValueError, FaultKind.NO_SET, f"{value} is no set of cards: it is negative", value)


def shifted(value: int, count: int) -> int:
    """value << count."""
    if count < 0:
        raise faulty(ValueError, FaultKind.BAD_SHIFT, "negative shift count", count)
    if value and count > MOST_SHIFT:
        raise faulty(OverflowError, FaultKind.OVERFLOW, f"{value} << {count} does not fit into 64 bits")
    result = value << count if value else 0
    return result if LEAST_INT <= result <= LARGEST_INT else overflow(result)


def power(value: int, exponent: int) -> int:
    if exponent > MOST_SHIFT and not -1 <= value <= 1:
        raise faulty(OverflowError, FaultKind.OVERFLOW, f"{value} ** {exponent} does not fit into 64 bits")
    result: int = value**exponent if -2 < value < 2 or exponent <= MOST_SHIFT else 0
    return result if LEAST_INT <= result <= LARGEST_INT else overflow(result)


def to_float(value: int) -> float:
    if not -EXACT <= value <= EXACT:
        raise faulty(OverflowError, FaultKind.INEXACT, f"{value} is too large for a float to hold it exactly", value)
    return float(value)


def truncated(value: float) -> int:
    if not -(2.0**63) <= value < 2.0**63:
        raise faulty(OverflowError, FaultKind.OVERFLOW, f"int({value}) does not fit into 64 bits")
    return int(value)


def size(cards: int) -> int:
    return cards.bit_count() if cards >= 0 else no_set(cards)


def low(cards: int) -> int:
    if cards <= 0:
        no_cards("low", cards)
    return (cards & -cards).bit_length() - 1


def high(cards: int) -> int:
    if cards <= 0:
        no_cards("high", cards)
    return cards.bit_length() - 1


def no_cards(name: str, cards: int) -> NoReturn:
    if cards < 0:
        no_set(cards)
    raise faulty(ValueError, FaultKind.EMPTY_SET, f"{name}() of no cards")


def bag_size(bag: int) -> int:
    return sum(bag >> bits & 15 for bits in range(0, 64, 4)) if bag >= 0 else no_set(bag)


def kinds_of(bag: int) -> list[int]:
    return [kind for kind in range(16) if bag >> 4 * kind & 15] if bag >= 0 else no_set(bag)


def counter(*values: int) -> int:
    """The counter of an event of luck, of up to three numbers."""
    rooms = {1: (32,), 2: (24, 8), 3: (16, 8, 8)}[len(values)]
    result = 0
    for value, bits in zip(values, rooms, strict=True):
        if not 0 <= value < 1 << bits:
            text = f"at={value}: expected 0 to {(1 << bits) - 1}"
            raise faulty(ValueError, FaultKind.BAD_COUNTER, text, value)
        result = result << 8 | value
    return result


def draw_cards(luck: InterpretedLuck, purpose: int, deck: int, cards: int, count: int, at: int) -> int:  # noqa: PLR0917
    if not 0 <= count <= size(cards):
        text = f"{count} cards are to be drawn, and there are {size(cards)}"
        raise faulty(ValueError, FaultKind.BAD_LUCK, text, count, size(cards))
    return luck.draw_cards(purpose, at, deck, cards, count)


def draw_card(luck: InterpretedLuck, purpose: int, deck: int, cards: int, at: int) -> int:
    if cards <= 0:
        if cards < 0:
            no_set(cards)
        raise faulty(ValueError, FaultKind.BAD_LUCK, "a card is to be drawn, and there is none", 1)
    return luck.draw_card(purpose, at, deck, cards)


def roll(luck: InterpretedLuck, purpose: int, sides: int, at: int) -> int:
    if not 1 <= sides <= 255:
        raise faulty(ValueError, FaultKind.BAD_LUCK, f"a die of {sides} sides is to be rolled; expected 1 to 255", sides)
    return luck.roll(purpose, at, sides)


def raised(kind: type[Exception], text: str) -> Exception:
    """The author's own exception."""
    fault = FaultKind.ASSERTION if kind is AssertionError else FaultKind.RAISED
    return faulty(kind, fault, text)


def bad_move(move: int, limit: int) -> NoReturn:
    raise faulty(ValueError, FaultKind.BAD_MOVE, f"{move} is no move; moves are 0 to {limit - 1}", move, limit)


def too_many_moves() -> NoReturn:
    raise faulty(ValueError, FaultKind.TOO_MANY_MOVES, f"legal yields more than {MOST_YIELDED} moves")


HELPERS = {
    f"_kit_{one.__name__}": one
    for one in (
        overflow,
        bad_index,
        item,
        bounded,
        bad_seat,
        bad_asked,
        no_fuel,
        no_set,
        shifted,
        power,
        to_float,
        truncated,
        size,
        low,
        high,
        bag_size,
        kinds_of,
        counter,
        draw_cards,
        draw_card,
        roll,
        raised,
        bad_move,
        too_many_moves,
        abs,
        min,
        max,
        int,
        float,
        range,
        len,
    )
}
