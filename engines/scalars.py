"""What a type of value is, and the types of single values: numbers, names, seats, things of a kind.

A value has three forms: JSON, what the engine's struct holds (a number, or numbers in a row), and what the game's own code works
with. `read` and `json` lead from and to the first, `pack` and `unpack` to and from the second.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from machiavel.engines.errors import shown
from machiavel.engines.looks import PLAIN, ThingLook
from machiavel.engines.phrases import Wording
from machiavel.engines.value_places import Limit, Place, limit_of, problem_text

if TYPE_CHECKING:
    from machiavel.engines.plugin import Rules

__all__ = ["Change", "Choice", "Flag", "Item", "Kind", "Number", "SeatNumber", "Text", "Type"]

Change = Callable[[Any], Any]


@dataclass(frozen=True)
class Kind:
    """Things that can be told apart by what stands on them, such as cards: by number, in the order in which they are listed.

    `expected` says what is expected where one is read, in words of the game; without it all that are known are named. Texts of
    cards may begin with one of the `suits`; what follows is their rank then. `look` is for whoever draws them.
    """

    name: str
    texts: Callable[["Rules"], Mapping[int, Any] | Sequence[Any]]
    numbers: Callable[["Rules"], Mapping[Any, int]]
    expected: Callable[["Rules"], Wording] | None = None
    suits: Sequence[str] = ()
    look: ThingLook = PLAIN

    @classmethod
    def fixed(
        cls,
        name: str,
        texts: Mapping[int, Any] | Sequence[Any],
        expected: Callable[["Rules"], Wording] | None = None,
        suits: Sequence[str] = (),
        look: ThingLook = PLAIN,
    ) -> "Kind":
        """The same under all rules."""
        pairs = texts.items() if isinstance(texts, Mapping) else enumerate(texts)
        numbers = {text: number for number, text in pairs}
        return cls(name, lambda _: texts, lambda _: numbers, expected, tuple(suits), look)

    @classmethod
    def listed(
        cls,
        name: str,
        names: Callable[["Rules"], tuple[Any, ...]],
        expected: Callable[["Rules"], Wording] | None = None,
        look: ThingLook = PLAIN,
    ) -> "Kind":
        """As the rules list them."""
        return cls(name, names, lambda rules: numbered(names(rules)), expected, look=look)

    def known(self, rules: "Rules") -> str:
        return ", ".join(map(str, self.numbers(rules)))

    def read(self, place: Place, items: Iterable[Any]) -> list[Any]:
        """The numbers of some; BAD among them where something is none of this kind."""
        known = self.numbers(place.rules)
        numbers = [known.get(item) if type(item) is str or is_name(item) else None for item in items]
        return [Item(self).read(place, item) for item in items] if None in numbers else numbers


@lru_cache(maxsize=256)
def numbered(names: tuple[Any, ...]) -> Mapping[Any, int]:
    """The number of each, in their order."""
    return {name: number for number, name in enumerate(names)}


class Type(ABC):
    """A kind of value. `name` is what the documentation calls it."""

    name: str

    @abstractmethod
    def read(self, place: Place, value: Any) -> Any:
        """The value of JSON from outside, or BAD; what is wrong is noted at its place."""

    def json(self, rules: "Rules", value: Any) -> Any:
        writer = self.writer(rules)
        return value if writer is None else writer(value)

    def writer(self, rules: "Rules") -> Change | None:
        """What makes JSON of values under these rules, made once for all of them; None: they are JSON already."""
        return None if type(self).json is Type.json else partial(self.json, rules)

    def pack(self, rules: "Rules", value: Any) -> Any:  # noqa: ARG002
        return value

    def unpack(self, rules: "Rules", raw: Any) -> Any:
        unpacker = self.unpacker(rules)
        return raw if unpacker is None else unpacker(raw)

    def unpacker(self, rules: "Rules") -> Change | None:
        """The same as `unpack` under these rules; None: what the struct holds is the value."""
        return None if type(self).unpack is Type.unpack else partial(self.unpack, rules)

    def ordered(self, data: Any) -> Any:
        """JSON in one order, where it may be told in any."""
        return data

    def agrees(self, told: Any, result: Any) -> bool:
        """Whether JSON that was told, and has been read, is what the whole comes to."""
        return bool(self.ordered(told) == self.ordered(result))

    def most(self, rules: "Rules") -> int:  # noqa: ARG002
        """The largest number that `pack` makes, for a check that the struct has room for it; 0: nobody knows."""
        return 0

    def shape(self) -> "Type":
        """The type of the same JSON that is made of the types here, for one of a game's own."""
        return self

    def expected(self, rules: "Rules") -> Wording:  # noqa: ARG002
        """What a value looks like, as an error says it."""
        return problem_text("any")

    def describe(self) -> dict[str, Any]:
        """The type as JSON, for whoever draws or asks."""
        return {"type": type(self).__name__.lower()}


@dataclass(frozen=True)
class Number(Type):
    """A whole number. In the struct it is `plus` less, and counts in steps. It may be what a die shows."""

    least: Limit = 0
    largest: Limit = 65535
    plus: int = 0
    step: int = 1
    name: str = "int"
    is_die: bool = False

    def read(self, place: Place, value: Any) -> Any:
        least, most = limit_of(self.least, place.rules), limit_of(self.largest, place.rules)
        if type(value) is int and least <= value <= most and (self.step == 1 or value % self.step == 0):
            return value
        return place.bad("number" if self.step == 1 else "multiple", value=shown(value), least=least, most=most, step=self.step)

    def pack(self, rules: "Rules", value: Any) -> Any:  # noqa: ARG002
        return value // self.step - self.plus

    def unpacker(self, rules: "Rules") -> Change | None:  # noqa: ARG002
        plus, step = self.plus, self.step
        return None if plus == 0 and step == 1 else lambda raw: (raw + plus) * step

    def most(self, rules: "Rules") -> int:
        return int(self.pack(rules, limit_of(self.largest, rules)))

    def expected(self, rules: "Rules") -> Wording:
        key = "a_number" if self.step == 1 else "a_multiple"
        return problem_text(key, least=limit_of(self.least, rules), most=limit_of(self.largest, rules), step=self.step)

    def describe(self) -> dict[str, Any]:
        bounds = {"least": self.least, "most": self.largest}
        return {"type": "number"} | {name: value for name, value in bounds.items() if isinstance(value, int)}


@dataclass(frozen=True)
class Flag(Type):
    """True or false."""

    name: str = "bool"

    def read(self, place: Place, value: Any) -> Any:
        return value if isinstance(value, bool) else place.bad("flag_inside" if place.is_inside else "flag", value=shown(value))

    def pack(self, rules: "Rules", value: Any) -> Any:  # noqa: ARG002
        return int(value)

    def unpacker(self, rules: "Rules") -> Change | None:  # noqa: ARG002
        return bool

    def most(self, rules: "Rules") -> int:  # noqa: ARG002
        return 1

    def expected(self, rules: "Rules") -> Wording:  # noqa: ARG002
        return problem_text("a_flag")


@dataclass(frozen=True)
class SeatNumber(Type):
    """A seat, counted from 0. `none`: what the struct holds where it is nobody, which is null; without it there always is one."""

    none: int | None = None
    name: str = "int"

    def read(self, place: Place, value: Any) -> Any:
        if value is None and self.none is not None:
            return None
        is_seat = type(value) is int and 0 <= value < place.rules.players
        return value if is_seat else Number(0, place.rules.players - 1).read(place, value)

    def pack(self, rules: "Rules", value: Any) -> Any:  # noqa: ARG002
        return self.none if value is None else value

    def unpacker(self, rules: "Rules") -> Change | None:  # noqa: ARG002
        none = self.none
        return None if none is None else lambda raw: None if raw == none else raw

    def describe(self) -> dict[str, Any]:
        return {"type": "seat", "null": self.none is not None}


@dataclass(frozen=True)
class Choice(Type):
    """One of some names, or numbers; in the struct its own number. They may be what a die shows, or the suits of a kind."""

    names: Sequence[Any]
    name: str = "text"
    is_die: bool = False
    suits_of: Kind | None = None

    def read(self, place: Place, value: Any) -> Any:
        if not is_name(value) or value not in tuple(self.names):
            return place.bad("choice", value=shown(value), known=", ".join(map(str, self.names)))
        return list(self.names).index(value)

    def writer(self, rules: "Rules") -> Change | None:  # noqa: ARG002
        return self.names.__getitem__

    def most(self, rules: "Rules") -> int:  # noqa: ARG002
        return len(self.names) - 1

    def expected(self, rules: "Rules") -> Wording:  # noqa: ARG002
        return problem_text("a_choice", known=", ".join(map(str, self.names)))

    def describe(self) -> dict[str, Any]:
        return {"type": "choice", "names": list(self.names)}


@dataclass(frozen=True)
class Item(Type):
    """One thing of a kind, such as a card."""

    kind: Kind
    name: str = "text"

    def read(self, place: Place, value: Any) -> Any:
        number = self.kind.numbers(place.rules).get(value) if is_name(value) else None
        if number is not None:
            return number
        if self.kind.expected is None:
            key = "choice_inside" if place.is_inside else "choice"
            return place.bad(key, value=shown(value), known=self.kind.known(place.rules))
        return place.bad("item", value=shown(value), expected=self.kind.expected(place.rules))

    def writer(self, rules: "Rules") -> Change | None:
        return self.kind.texts(rules).__getitem__

    def most(self, rules: "Rules") -> int:
        return max(self.kind.numbers(rules).values())

    def expected(self, rules: "Rules") -> Wording:
        if self.kind.expected is not None:
            return self.kind.expected(rules)
        return problem_text("a_choice", known=self.kind.known(rules))

    def describe(self) -> dict[str, Any]:
        return {"type": "item", "of": self.kind.name}


def is_name(value: object) -> bool:
    """Whether it may tell things apart: True is 1 to Python, but not to JSON."""
    return isinstance(value, str | int) and not isinstance(value, bool)


@dataclass(frozen=True)
class Text(Type):
    """Any text; `what` says in words of the game what it should be."""

    what: Callable[["Rules"], Wording] | None = None
    name: str = "text"

    def read(self, place: Place, value: Any) -> Any:
        return value if isinstance(value, str) else place.bad("text", value=shown(value), expected=self.expected(place.rules))

    def expected(self, rules: "Rules") -> Wording:
        return problem_text("a_text") if self.what is None else self.what(rules)
