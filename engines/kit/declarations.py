"""What a game of one's own is declared with: its class, its moves and options; and what the kit knows of it then."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Protocol, Self, TypeGuard, overload

from machiavel.engines.kit.card_sets import Bag, Deck
from machiavel.engines.kit.declared_fields import Seat, StateField
from machiavel.engines.kit.declared_tallies import Tally
from machiavel.engines.kit.declared_tricks import Trick
from machiavel.engines.kit.file_refusals import author_place, refused
from machiavel.engines.kit.intervals import fits

__all__ = ["MOST_SEATS", "Action", "ActionMoves", "ActionPart", "Game", "Luck", "Option", "declared"]

MOST_SEATS = 8
PartKind = Deck | Bag | range | type[Seat[int]] | tuple[str, ...]


class ActionPart:
    """An argument of an action: what it counts, from `start` on, `count` of them, each `stride` moves apart."""

    def __init__(self, name: str, kind: PartKind, path: str, line: int) -> None:
        self.name = name
        self.kind = kind
        self.start = 0
        self.count = 0
        self.stride = 1
        match kind:
            case Deck() | Bag():
                self.count = len(kind)
            case range() if len(kind) and kind.step == 1:
                self.start, self.count = kind.start, len(kind)
            case tuple() if kind and all(isinstance(text, str) for text in kind):
                self.count = len(kind)
            case type() if issubclass(kind, Seat):
                self.count = MOST_SEATS
            case _:
                raise refused("bad_part", path, line, part=name, given=repr(kind))

    @property
    def is_seat(self) -> bool:
        return isinstance(self.kind, type)

    def texts(self) -> Sequence[str]:
        """What stands in a move's text for each value, in order."""
        match self.kind:
            case Deck() | Bag():
                return self.kind.texts
            case tuple():
                return self.kind
            case _:
                return [str(self.start + number) for number in range(self.count)]


class Action:
    """A sort of moves, one for each combination of its parts; `self.play(card)` is a move's number.

    Parts are a deck, range(a, b), Seat, or a tuple of texts. Other seats read `hidden` in place of the move's text. Where a move
    is called differently from position to position, `names` are the names it has besides its own; `called` says which. Where a
    seat chooses several cards one after the other, `together` says how many, and they lie in its field `into` until it has.
    """

    name: str = ""

    def __init__(
        self,
        deck: Deck | Bag | None = None,
        /,
        *,
        text: str | None = None,
        hidden: str | None = None,
        names: Sequence[str] = (),
        together: int = 0,
        into: str = "",
        **parts: PartKind,
    ) -> None:
        self.path, self.line = author_place()
        given: dict[str, PartKind] = {} if deck is None else {"card": deck}
        self.parts = tuple(ActionPart(name, kind, self.path, self.line) for name, kind in (given | parts).items())
        self.text = text
        self.hidden = hidden
        self.names = (names,) if isinstance(names, str) else tuple(names)
        self.together = together
        self.into = into

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        if self.text is None:
            one_card = len(self.parts) == 1 and isinstance(self.parts[0].kind, Deck | Bag)
            holes = ":".join(f"{{{part.name}}}" for part in self.parts)
            self.text = holes if one_card else f"{name}:{holes}" if holes else name

    def number_parts(self, seats: int) -> int:
        """Set the strides of parts, for games of at most so many seats; how many moves there are."""
        count = 1
        for part in reversed(self.parts):
            if part.is_seat:
                part.count = seats
            part.stride = count
            count *= part.count
        return count

    @overload
    def __get__(self, game: None, owner: type) -> Self: ...
    @overload
    def __get__(self, game: "Game", owner: type) -> "ActionMoves": ...
    def __get__(self, game: "Game | None", owner: type) -> "Self | ActionMoves":
        return self if game is None else ActionMoves(self, *game.move_numbers[self.name])


class ActionMoves:
    """The moves of an action, by number."""

    def __init__(self, action: Action, first: int, count: int) -> None:
        self._action, self._first, self._count = action, first, count

    def __call__(self, *parts: int) -> int:
        """The number of the move with these parts."""
        if len(parts) != len(self._action.parts):
            raise TypeError(f"{self._action.name} has {len(self._action.parts)} parts; {len(parts)} were given")
        move = self._first
        for part, value in zip(self._action.parts, parts, strict=True):
            if not 0 <= value - part.start < part.count:
                raise ValueError(f"{value} is no {part.name}: {part.start} to {part.start + part.count - 1}")
            move += (value - part.start) * part.stride
        return move

    def __contains__(self, move: int) -> bool:
        """Whether a move is one of these."""
        return self._first <= move < self._first + self._count

    def each(self, values: int) -> list[int]:
        """The moves for a set of its one part, to be returned by `legal`."""
        (part,) = self._action.parts
        if isinstance(part.kind, Bag):
            return [self._first + kind for kind in part.kind.kinds(values)]
        return [self(value) for value in range(values.bit_length()) if values >> value & 1]

    def __getattr__(self, name: str) -> Any:
        """`self.bid.number(move)`: a part of a move."""
        for part in self._action.parts:
            if part.name == name:
                return lambda move: (move - self._first) // part.stride % part.count + part.start
        raise AttributeError(f"{self._action.name} has no part {name!r}")


class Option:
    """What players agree on before the game: True or False, or a number from `least` to `most`; `self.NAME` is an int."""

    name: str = ""

    def __init__(
        self, default: bool | int, *, en: str, fr: str | None = None, least: int | None = None, most: int | None = None
    ) -> None:
        self.path, self.line = author_place()
        self.default = default
        self.help = {"en": en, "fr": en if fr is None else fr}
        self.is_flag = isinstance(default, bool)
        if self.is_flag:
            least, most = 0, 1
        if not (is_int64(least) and is_int64(default) and is_int64(most) and least <= default <= most):
            raise refused("bad_option_range", self.path, self.line, default=repr(default))
        self.least, self.most = least, most

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, game: None, owner: type) -> Self: ...
    @overload
    def __get__(self, game: "Game", owner: type) -> int: ...
    def __get__(self, game: "Game | None", owner: type) -> "Self | int":
        return self if game is None else game.chosen[self.name]


def is_int64(value: object) -> TypeGuard[int]:
    """Whether it is a whole number of 64 bits."""
    return isinstance(value, int) and fits((value, value))


class Luck(Protocol):
    """What `deal` and `apply` draw from. An event's name lays it out; `at` tells several draws of one event apart."""

    def cards(self, event: str, cards: int, number: int, *, at: int | tuple[int, ...] = 0, deck: Deck | None = None) -> int:
        """A set of so many cards, drawn from a set."""
        ...

    def card(self, event: str, cards: int, *, at: int | tuple[int, ...] = 0, deck: Deck | Bag | None = None) -> int:
        """One card's number, drawn from a set."""
        ...

    def die(self, event: str, sides: int = 6, *, at: int | tuple[int, ...] = 0) -> int:
        """1 to `sides`."""
        ...


class Game:
    """A game: its fields, moves and options as class attributes, its rules as methods; `self` is the position.

    As plain Python it works, too, slowly and without checks: Mine(3, passing=0) is a position for three with nothing in it.
    """

    name: ClassVar[str] = ""
    version: ClassVar[int] = 1
    titles: ClassVar[Mapping[str, str]] = {}
    players: ClassVar[Sequence[int]] = ()
    longest: ClassVar[int] = 0
    words: ClassVar[Mapping[str, Any]] = {}
    worth: ClassVar[tuple[float, float] | None] = None  # of which a result's values are
    cooperative: ClassVar[bool] = False

    seats: int  # how many players there are
    ply: int  # moves made before this one
    asked: int  # seats that are still to answer, as bits

    def __init__(self, seats: int, **options: int) -> None:
        self.seats, self.ply, self._mover, self.asked = seats, 0, 0, 0
        self.is_over = self.is_at_horizon = False
        self.chosen: dict[str, int] = {}
        self.move_numbers: dict[str, tuple[int, int]] = {}
        first = 0
        for name, value in declared(type(self)).items():
            match value:
                case Option():
                    self.chosen[name] = int(options.get(name, value.default))
                case Action():
                    count = value.number_parts(max(type(self).players))
                    self.move_numbers[name] = first, count
                    first += count
                case StateField():
                    self.__dict__[name] = value.start(seats)

    # ---- What every game may ask and do ----

    @property
    def mover(self) -> int:
        """The seat that is asked; -1 where the game is over. Whoever is set is asked alone."""
        return self._mover

    @mover.setter
    def mover(self, seat: int) -> None:
        if not self.is_over:
            self._mover, self.asked = seat, 0

    def every_seat(self) -> range:
        return range(self.seats)

    def others(self, seat: int) -> Iterator[int]:
        """The other seats, ascending."""
        return (other for other in range(self.seats) if other != seat)

    def next_seat(self, seat: int) -> int:
        return (seat + 1) % self.seats

    def ask(self, seats: int) -> None:
        """Ask several seats, whose answers do not depend on each other."""
        if not 0 < seats < 1 << self.seats:
            raise OverflowError(f"ask({seats}): no set of seats")
        if not self.is_over:
            self._mover, self.asked = (seats & -seats).bit_length() - 1, seats

    def end(self) -> None:
        """End the game; whatever follows, nobody is asked any more."""
        self.is_over, self._mover, self.asked = True, -1, 0

    def horizon(self) -> None:
        """Say that a search may stop here; needs `estimate`."""
        self.is_at_horizon = True

    def hidden(self, field: str, *indices: int) -> int:
        """In `determinize`: how many cards or dice are hidden there."""
        raise NotImplementedError(f"hidden({field!r}) is known in determinize alone")

    def unseen(self, deck: Deck | Bag) -> int:
        """In `determinize`: the set of a deck's cards that are not visible."""
        raise NotImplementedError(f"unseen({deck!r}) is known in determinize alone")

    # ---- What an author writes ----

    def deal(self, luck: Luck) -> None:
        raise NotImplementedError

    def legal(self, seat: int) -> Any:
        """A set of cards (moves of the first action), `self.ACTION.each(set)`, or a generator of moves."""
        raise NotImplementedError

    def apply(self, move: int, luck: Luck) -> None:
        raise NotImplementedError

    def result(self, shares: list[float]) -> None:
        raise NotImplementedError


def declared(game: type[Game]) -> dict[str, Any]:
    """Fields, actions, options, tricks and tallies of a game, in the order of their declaration, those of base classes first."""
    result: dict[str, Any] = {}
    for kind in reversed(game.__mro__):
        for name, value in vars(kind).items():
            if isinstance(value, StateField | Action | Option | Trick | Tally):
                result[name] = value
            else:
                result.pop(name, None)
    return result
