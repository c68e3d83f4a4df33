"""What the fields of a game are declared with; an editor knows `self.points[seat]` as an int."""

from collections.abc import Mapping
from typing import Any, Generic, Literal, NotRequired, Self, TypedDict, TypeGuard, TypeVar, Unpack, overload

from machiavel.engines.kit.card_sets import Bag, Deck
from machiavel.engines.kit.file_refusals import author_place, refused

__all__ = ["Count", "Dice", "FieldSettings", "Flag", "Seat", "Seats", "StateField", "is_number"]

Value = TypeVar("Value")
ZONES = ("hand", "table", "pile", "score", "place", "seat", "nowhere")
TELLS = ("rises", "falls", "changes", "gains")
MOST_LENGTH = 1024


class FieldSettings(TypedDict):
    """What may be said of any field."""

    seen_by: NotRequired[str]  # all, owner, nobody, or the name of a Seats field
    usually: NotRequired[int]  # in a typed-in view that leaves it out
    forgets: NotRequired[bool]  # does not enter the key of a view
    zone_at: NotRequired[str]  # hand, table, pile, score, place, seat, nowhere
    shown_while: NotRequired[str]  # the name of a Flag: a table draws the field while that is set
    tells: NotRequired[str]  # rises, falls, changes, gains
    die: NotRequired[bool]  # whether a number is what a die shows


class StateField(Generic[Value]):
    """A value, or a row of values, of a position."""

    name: str = ""
    each_seat: bool = False
    length: int | None = None
    seen_by: str = "all"
    usually: int | None = None
    forgets: bool = False
    zone_at: str | None = None
    shown_while: str | None = None
    tells: str | None = None
    die: bool = False
    deck: Deck | Bag | None = None
    within: str | None = None
    is_zone: bool = False
    is_sorted: bool = False
    low: int = 0  # what an element may hold; None as `high`: it follows from the number of players
    high: int | None = 1
    nothing: int = 0  # an element's value at the start

    def _declare(self, each_seat: bool, length: object, more: Mapping[str, Any]) -> None:
        self.path, self.line = author_place()
        self.each_seat = bool(each_seat)
        for key, value in more.items():
            if key not in FieldSettings.__annotations__:
                known = ", ".join((*FieldSettings.__annotations__, "each_seat", "length"))
                raise refused("no_such_setting", self.path, self.line, setting=key, known=known)
            setattr(self, key, value)
        if length is not None and not is_number(length, 1, MOST_LENGTH):
            raise refused("bad_length", self.path, self.line, length=repr(length), most=MOST_LENGTH)
        self.length = length
        if self.seen_by == "owner" and not self.each_seat:
            raise refused("owner_of_what", self.path, self.line)
        if self.die and self.kind != "count":
            raise refused("die_of_what", self.path, self.line)
        if self.zone_at is not None and self.zone_at not in ZONES:
            raise refused("bad_choice", self.path, self.line, setting="zone_at", value=repr(self.zone_at), known=", ".join(ZONES))
        if self.tells is not None and self.tells not in TELLS:
            raise refused("bad_choice", self.path, self.line, setting="tells", value=repr(self.tells), known=", ".join(TELLS))
        if self.tells == "gains" and self.kind != "cards":
            raise refused("gains_of_what", self.path, self.line)

    @property
    def kind(self) -> str:
        """cards, card, count, flag, seat, seats or dice."""
        return type(self).__name__.lower()

    @property
    def is_hidden(self) -> bool:
        """Whether there is somebody who does not see it."""
        return self.seen_by != "all"

    def bounds(self, seats: int) -> tuple[int, int]:
        """The least and the largest value of an element."""
        return self.low, self.high if self.high is not None else seats - 1

    def start(self, seats: int) -> Any:
        """The value of a new position, in plain Python."""
        row: Any = self.nothing if self.length is None else [self.nothing] * self.length
        return [row if self.length is None else list(row) for _ in range(seats)] if self.each_seat else row

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, game: None, owner: type) -> Self: ...
    @overload
    def __get__(self, game: object, owner: type) -> Value: ...
    def __get__(self, game: object | None, owner: type) -> Self | Value:
        if game is None:
            return self
        value: Value = game.__dict__[self.name]
        return value

    def __set__(self, game: object, value: Value) -> None:
        game.__dict__[self.name] = value


class Flag(StateField[Value]):
    """0 or 1."""

    @overload
    def __init__(
        self: "Flag[int]", *, each_seat: Literal[False] = False, length: None = None, **more: Unpack[FieldSettings]
    ) -> None: ...
    @overload
    def __init__(
        self: "Flag[list[int]]", *, each_seat: Literal[True], length: None = None, **more: Unpack[FieldSettings]
    ) -> None: ...
    @overload
    def __init__(
        self: "Flag[list[int]]", *, each_seat: Literal[False] = False, length: int, **more: Unpack[FieldSettings]
    ) -> None: ...
    @overload
    def __init__(
        self: "Flag[list[list[int]]]", *, each_seat: Literal[True], length: int, **more: Unpack[FieldSettings]
    ) -> None: ...
    def __init__(self, *, each_seat: bool = False, length: int | None = None, **more: Unpack[FieldSettings]) -> None:
        self._declare(each_seat, length, more)


class Seat(StateField[Value]):
    """A seat's number, or -1 for nobody."""

    low, high, nothing = -1, None, -1

    @overload
    def __init__(
        self: "Seat[int]", *, each_seat: Literal[False] = False, length: None = None, **more: Unpack[FieldSettings]
    ) -> None: ...
    @overload
    def __init__(
        self: "Seat[list[int]]", *, each_seat: Literal[True], length: None = None, **more: Unpack[FieldSettings]
    ) -> None: ...
    @overload
    def __init__(
        self: "Seat[list[int]]", *, each_seat: Literal[False] = False, length: int, **more: Unpack[FieldSettings]
    ) -> None: ...
    @overload
    def __init__(
        self: "Seat[list[list[int]]]", *, each_seat: Literal[True], length: int, **more: Unpack[FieldSettings]
    ) -> None: ...
    def __init__(self, *, each_seat: bool = False, length: int | None = None, **more: Unpack[FieldSettings]) -> None:
        self._declare(each_seat, length, more)


class Seats(StateField[Value]):
    """A set of seats, as bits."""

    high = None

    @overload
    def __init__(
        self: "Seats[int]", *, each_seat: Literal[False] = False, length: None = None, **more: Unpack[FieldSettings]
    ) -> None: ...
    @overload
    def __init__(
        self: "Seats[list[int]]", *, each_seat: Literal[True], length: None = None, **more: Unpack[FieldSettings]
    ) -> None: ...
    @overload
    def __init__(
        self: "Seats[list[int]]", *, each_seat: Literal[False] = False, length: int, **more: Unpack[FieldSettings]
    ) -> None: ...
    @overload
    def __init__(
        self: "Seats[list[list[int]]]", *, each_seat: Literal[True], length: int, **more: Unpack[FieldSettings]
    ) -> None: ...
    def __init__(self, *, each_seat: bool = False, length: int | None = None, **more: Unpack[FieldSettings]) -> None:
        self._declare(each_seat, length, more)

    def bounds(self, seats: int) -> tuple[int, int]:
        return 0, (1 << seats) - 1


class Count(StateField[Value]):
    """A whole number from `least` to `most`."""

    @overload
    def __init__(
        self: "Count[int]",
        *,
        most: int = 255,
        least: int = 0,
        each_seat: Literal[False] = False,
        length: None = None,
        **more: Unpack[FieldSettings],
    ) -> None: ...
    @overload
    def __init__(
        self: "Count[list[int]]",
        *,
        most: int = 255,
        least: int = 0,
        each_seat: Literal[True],
        length: None = None,
        **more: Unpack[FieldSettings],
    ) -> None: ...
    @overload
    def __init__(
        self: "Count[list[int]]",
        *,
        most: int = 255,
        least: int = 0,
        each_seat: Literal[False] = False,
        length: int,
        **more: Unpack[FieldSettings],
    ) -> None: ...
    @overload
    def __init__(
        self: "Count[list[list[int]]]",
        *,
        most: int = 255,
        least: int = 0,
        each_seat: Literal[True],
        length: int,
        **more: Unpack[FieldSettings],
    ) -> None: ...
    def __init__(
        self,
        *,
        most: int = 255,
        least: int = 0,
        each_seat: bool = False,
        length: int | None = None,
        **more: Unpack[FieldSettings],
    ) -> None:
        self._declare(each_seat, length, more)
        self.low, self.high = least, most
        self.nothing = 0 if least <= 0 <= most else least
        if not -(2**63) <= least <= most < 2**63:
            raise refused("bad_bounds", self.path, self.line, least=least, most=most)


class Dice(StateField[Value]):
    """So many dice in a row, each 1 … sides, or 0 where there is none; `sorted`: their order says nothing."""

    @overload
    def __init__(
        self: "Dice[list[int]]",
        number: int,
        /,
        *,
        sides: int = 6,
        sorted: bool = True,
        each_seat: Literal[False] = False,
        **more: Unpack[FieldSettings],
    ) -> None: ...
    @overload
    def __init__(
        self: "Dice[list[list[int]]]",
        number: int,
        /,
        *,
        sides: int = 6,
        sorted: bool = True,
        each_seat: Literal[True],
        **more: Unpack[FieldSettings],
    ) -> None: ...
    def __init__(
        self,
        number: int,
        /,
        *,
        sides: int = 6,
        sorted: bool = True,  # noqa: A002
        each_seat: bool = False,
        **more: Unpack[FieldSettings],
    ) -> None:
        self._declare(each_seat, number, more)
        self.high, self.is_sorted = sides, bool(sorted)
        if not is_number(sides, 2, 255):
            raise refused("bad_sides", self.path, self.line, sides=repr(sides))


def is_number(value: object, least: int, most: int) -> TypeGuard[int]:
    """Whether it is an int between these; True and False are none."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
