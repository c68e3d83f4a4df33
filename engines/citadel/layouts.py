"""Luck of citadel laid out by a host with real tiles, cards and dice: JSON into outcomes, and outcomes into words."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from machiavel.engines.citadel.codec import TURNS
from machiavel.engines.citadel.house import CLOCK_FACES, COLOURS, PROFESSOR_FACES, House
from machiavel.engines.citadel.moves import DICE
from machiavel.engines.errors import BadLayout
from machiavel.engines.plugin import Rules

__all__ = ["outcome_name", "outcome_text", "outcomes"]

# The engine's numbers.
FIRST, CHARACTERS, TRAPS, OFF, TILE, LOCATION, SHOWN, DIE = range(8)
THROWS = 32

FIELDS = ("first", "characters", "traps", "off", "treasures", "locations", "turns")
FACES: Sequence[Sequence[Any]] = (PROFESSOR_FACES, COLOURS, CLOCK_FACES)

Outcome = tuple[int, int, bytes]


def outcomes(rules: Rules, layout: Mapping[str, Any]) -> list[Outcome]:
    """The luck of a layout: each part may be left out, and lists may be cut short."""
    house: House = rules.tables.house
    check_fields("layout", layout, FIELDS)
    result: list[Outcome] = []
    if "first" in layout:
        first = layout["first"]
        if isinstance(first, bool) or not isinstance(first, int) or not 0 <= first < rules.players:
            raise BadLayout("first", f"is {first!r}; expected a seat, 0 to {rules.players - 1}")
        result.append((FIRST, 0, bytes([first])))
    if "characters" in layout:
        if rules.tables.characters is not None:
            raise BadLayout("characters", "are given by the option already")
        result.append((CHARACTERS, 0, members("characters", layout["characters"], house.characters, rules.players)))
    if "traps" in layout:
        result.append((TRAPS, 0, laid_traps(house, layout["traps"])))
    if "off" in layout:
        result.append((OFF, 0, members("off", layout["off"], house.rooms, len(house.rooms) // 2)))
    for field, purpose, known in (("treasures", TILE, house.treasures), ("locations", LOCATION, house.rooms)):
        stack = members(field, layout.get(field, []), known)
        result += [(purpose, number, bytes([item])) for number, item in enumerate(stack)]
    return result + list(laid_turns(house, layout.get("turns", [])))


def check_fields(where: str, value: object, fields: Iterable[str]) -> None:
    if not isinstance(value, Mapping):
        raise BadLayout(where, f"is {value!r}; expected an object with some of {', '.join(fields)}")
    for field in value:
        if field not in fields:
            name = str(field) if where == "layout" else f"{where}.{field}"
            raise BadLayout(name, f"is unknown; fields here: {', '.join(fields)}")


def members(field: str, value: object, known: Sequence[Any], count: int | None = None) -> bytes:
    """Different ones of those known, as their numbers."""
    if not isinstance(value, list) or (count is not None and len(value) != count):
        raise BadLayout(field, f"is {value!r}; expected a list" + ("" if count is None else f" of {count}"))
    for item in value:
        if not isinstance(item, str) or item not in known:
            raise BadLayout(field, f"holds {item!r}; expected some of {', '.join(known)}")
        if value.count(item) > 1:
            raise BadLayout(field, f"holds {item} twice")
    return bytes(map(known.index, value))


def laid_traps(house: House, traps: object) -> bytes:
    check_fields("traps", traps, house.rooms)
    assert isinstance(traps, Mapping)  # noqa: S101 – checked
    for room in house.rooms:
        if room not in traps:
            raise BadLayout(f"traps.{room}", "is missing; expected the type of the trap there")
        if not isinstance(traps[room], str) or traps[room] not in house.types:
            raise BadLayout(f"traps.{room}", f"is {traps[room]!r}; expected one of {', '.join(house.types)}")
    return bytes(house.types.index(traps[room]) for room in house.rooms)


def laid_turns(house: House, turns: object) -> Iterator[Outcome]:
    if not isinstance(turns, list) or len(turns) > TURNS:
        raise BadLayout("turns", f"are {turns!r}; expected a list of at most {TURNS}")
    for number, turn in enumerate(turns):
        field = f"turns[{number}]"
        check_fields(field, turn, ("cards", "dice"))
        if "cards" in turn:
            yield SHOWN, number, members(f"{field}.cards", turn["cards"], house.cards, 2)
        if "dice" in turn:
            check_fields(f"{field}.dice", turn["dice"], DICE)
            for die, name in enumerate(DICE):
                throws = turn["dice"].get(name, [])
                where = f"{field}.dice.{name}"
                if not isinstance(throws, list) or len(throws) > THROWS:
                    raise BadLayout(where, f"is {throws!r}; expected a list of at most {THROWS} throws")
                for throw, face in enumerate(throws):
                    if isinstance(face, bool) or not isinstance(face, str | int) or face not in FACES[die]:
                        raise BadLayout(where, f"holds {face!r}; expected faces out of {', '.join(map(repr, FACES[die]))}")
                    yield DIE + die, THROWS * number + throw, bytes([FACES[die].index(face)])


def outcome_name(purpose: int, counter: int) -> str:
    """Where in a layout that outcome stands."""
    if purpose < TILE:
        return FIELDS[purpose]
    if purpose <= LOCATION:
        return f"{FIELDS[purpose]}[{counter}]"
    if purpose == SHOWN:
        return f"turns[{counter}].cards"
    turn, throw = divmod(counter, THROWS)
    return f"turns[{turn}].dice.{DICE[purpose - DIE]}[{throw}]"


def outcome_text(house: House, purpose: int, items: bytes) -> str:
    kinds: Sequence[Sequence[Any]] = (
        *(range(8), house.characters, house.types, house.rooms, house.treasures, house.rooms, house.cards),
        *FACES,
    )
    return ", ".join(str(kinds[purpose][item]) for item in items)
