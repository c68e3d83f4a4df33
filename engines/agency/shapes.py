"""The shapes of a view's fields: what is looked at before anything is concluded from what a person told."""

from collections.abc import Callable, Mapping
from typing import Any

from machiavel.engines.agency.codec import PHASES, TRICKS
from machiavel.engines.errors import BadView

__all__ = ["Told"]

Shape = Callable[[object, int], bool]


def whole(least: int, most: int) -> Shape:
    return lambda value, _: is_whole(value) and least <= value <= most  # type: ignore[operator]


def is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def seat(value: object, players: int) -> bool:
    return is_whole(value) and 0 <= value < players  # type: ignore[operator]


def text(value: object, _: int) -> bool:
    return isinstance(value, str)


def truth(value: object, _: int) -> bool:
    return isinstance(value, bool)


def nothing_or(shape: Shape) -> Shape:
    return lambda value, players: value is None or shape(value, players)


def each(shape: Shape) -> Shape:
    return lambda value, players: isinstance(value, list) and all(shape(one, players) for one in value)


def by_seat(value: object, players: int) -> bool:
    return isinstance(value, list) and len(value) == players and all(is_whole(one) and -999 <= one <= 9999 for one in value)


def seat_card(value: object, players: int) -> bool:
    return isinstance(value, list) and len(value) == 2 and seat(value[0], players) and text(value[1], players)


def having(**shapes: Shape) -> Shape:
    """An object whose fields, as far as they are there, have these shapes."""
    return lambda value, players: (
        isinstance(value, Mapping) and all(shape(value[name], players) for name, shape in shapes.items() if name in value)
    )


CARDS = each(text)
TRICK = having(
    trick=whole(1, TRICKS),
    order=each(seat),
    cards=CARDS,
    stake=nothing_or(text),
    martha=nothing_or(truth),
    jean=nothing_or(truth),
    follow_suit=truth,
    pass_left=truth,
    gave=nothing_or(text),
    received=nothing_or(text),
)
SHAPES: Mapping[str, Shape] = {
    "seat": nothing_or(seat),
    "round": whole(1, 99),
    "trick": whole(1, TRICKS),
    "phase": lambda value, _: isinstance(value, str) and value in PHASES,
    "leader": nothing_or(seat),
    "last": nothing_or(seat),
    "martha": truth,
    "jean": truth,
    "stake": nothing_or(text),
    "reserve": whole(0, TRICKS),
    **dict.fromkeys(("to_move", "order", "winners"), each(seat)),
    **dict.fromkeys(("medals", "plan_points", "greens", "yellows", "tricks", "latest", "hand_counts"), by_seat),
    **dict.fromkeys(("agents", "pile", "seen", "gone"), CARDS),
    "segments": each(having(size=whole(0, 99), unseen=CARDS)),
    "table": each(seat_card),
    "half": each(TRICK),
    "hand": nothing_or(CARDS),
    "look": nothing_or(having(trick=whole(0, 99), looker=whole(0, 99), target=whole(0, 99), cards=nothing_or(CARDS))),
}


class Told(dict[str, Any]):
    """Fields as they were told. Where one is misshapen nothing is derived, and what is missing is that one's fault."""

    def __init__(self, fields: Mapping[str, Any], players: int) -> None:
        super().__init__(fields)
        self.misshapen = next(
            (name for name, shape in SHAPES.items() if name in fields and not shape(fields[name], players)), None
        )

    def __missing__(self, field: str) -> Any:
        if self.misshapen is None:
            raise BadView(field, "is missing")
        raise BadView(self.misshapen, f"is {self[self.misshapen]!r}; docs/agency.md tells what is expected there")
