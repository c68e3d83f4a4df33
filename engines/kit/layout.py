"""Where each field of a game stands in the bytes of its states and views."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

from machiavel.engines.kit.card_sets import Deck
from machiavel.engines.kit.declared_fields import StateField
from machiavel.engines.kit.file_refusals import refused
from machiavel.engines.kit.game_description import GameDescription
from machiavel.engines.kit.program import Slot

__all__ = ["HEADER", "StateLayout", "layout_of"]

HEADER = 8  # bytes: ply, mover, asked, flags, seat, two spare (kit_call.h)
UNIT = 16  # sizes are rounded up to it
MOST_BYTES = 4096
FEW_CARDS = 31  # a deck as small as this needs half the bytes


@dataclass(frozen=True)
class StateLayout:
    """The slots of a game's fields for one number of players, and the sizes of its states and views.

    A view has the bytes of a state, what is hidden as 0, and behind them a byte for each element of the fields in `hidden_at`:
    how many cards or dice are hidden there.
    """

    slots: Sequence[Slot]  # by offset; their number is their place here
    state_size: int
    view_size: int
    hidden_at: Mapping[str, int]  # where the counts of a field's elements begin in a view

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each field's slot."""
        return {slot.name: number for number, slot in enumerate(self.slots)}

    def slot(self, name: str) -> Slot:
        return self.slots[self.numbers[name]]


def layout_of(game: GameDescription, seats: int) -> StateLayout:
    """The layout for a number of players; raises BadGameFile where a state is too large. Offsets are the same for all numbers."""
    order = list(game.fields)
    widths = {name: width_of(one, game.most_seats) for name, one in game.fields.items()}
    order.sort(key=lambda name: (game.fields[name].is_hidden, -widths[name][0]))
    slots: list[Slot] = []
    end = HEADER
    for name in order:
        one = game.fields[name]
        width, is_signed = widths[name]
        offset = -(-end // width) * width
        low, high = one.bounds(seats)
        lengths = lengths_of(one, game.most_seats)
        end = offset + width * prod(lengths)
        slots.append(
            Slot(
                name,
                one.kind,
                offset,
                width,
                is_signed,
                lengths,
                lengths_of(one, seats),
                low,
                high,
                one.seen_by,
                None if one.deck is None else game.deck_number(one.deck),
                one.within,
                one.is_zone,
                one.each_seat,
            )
        )
        if end > MOST_BYTES:
            raise refused("state_too_large", one.path, one.line, field=name, most=MOST_BYTES)
    state_size = -(-end // UNIT) * UNIT
    hidden_at: dict[str, int] = {}
    end = state_size
    for slot in slots:
        if slot.seen_by != "all" and slot.kind in {"cards", "card", "dice"}:
            hidden_at[slot.name] = end
            end += prod(slot.lengths)
    return StateLayout(tuple(slots), state_size, -(-end // UNIT) * UNIT, hidden_at)


def lengths_of(one: StateField[Any], seats: int) -> tuple[int, ...]:
    return (*([seats] if one.each_seat else []), *([] if one.length is None else [one.length]))


def width_of(one: StateField[Any], most_seats: int) -> tuple[int, bool]:
    """The bytes of an element, and whether it has a sign."""
    low, high = one.bounds(most_seats)
    if one.kind == "cards":
        is_small = one.deck is not None and (one.deck.bits <= FEW_CARDS if isinstance(one.deck, Deck) else one.deck.bits <= 32)
        return (4 if is_small else 8), False
    for width in (1, 2, 4):
        if low >= 0 and high < 1 << 8 * width:
            return width, False
        if -(1 << 8 * width - 1) <= low and high < 1 << 8 * width - 1:
            return width, True
    return 8, low < 0
