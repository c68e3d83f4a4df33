"""What is known of a game from its declarations: the table that schema, runtime and translator are built on."""

import ast
import sys
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from machiavel.engines.kit.card_sets import Bag, Deck
from machiavel.engines.kit.declarations import MOST_SEATS, Action, Game, Option, declared
from machiavel.engines.kit.declared_fields import StateField, is_number
from machiavel.engines.kit.declared_tallies import Tally
from machiavel.engines.kit.declared_tricks import Trick
from machiavel.engines.kit.file_refusals import refused

__all__ = ["METHODS", "DescribedAction", "GameDescription", "LuckEvent", "describe", "luck_events"]

MOST_MOVES = 65535
MOST_PLIES = 65534
# As many as the runtime's tables hold (_table.pxi, _worlds.pxi).
MOST_FIELDS = 96
MOST_DECKS = 8
MOST_METRICS = 8
LARGEST_WORTH = 1e15
MOST_HIDDEN = 255  # places of a deck
METHODS = ("deal", "legal", "apply", "result", "weigh", "estimate", "measure", "determinize", "possible", "called")
NEEDED = ("deal", "legal", "apply", "result")


@dataclass(frozen=True)
class DescribedAction:
    """An action and its moves: `first` to `first + count - 1`."""

    name: str
    action: Action
    first: int
    count: int

    @property
    def names(self) -> Sequence[str]:
        """What its moves are called: by its own name, and where `called` says so, by another."""
        return (self.name, *self.action.names)


@dataclass(frozen=True)
class LuckEvent:
    """An event of luck, as the source draws it. Its purpose and counters are those of the generator."""

    name: str
    kind: str  # cards, card or die
    depth: int  # of `at`: how deep its outcomes are nested in a layout; 0: there is one, 1: a list, …
    line: int
    deck: int | None = None  # of the game's decks, for cards and card
    sides: int | None = None  # of a die, where it is the same always

    @property
    def purpose(self) -> int:
        return zlib.crc32(self.name.encode())


@dataclass(frozen=True)
class GameDescription:
    """A game's class as a table."""

    game: type[Game]
    path: str
    line: int  # of the class
    name: str
    version: int
    titles: Mapping[str, str]
    players: tuple[int, ...]
    longest: int
    fields: Mapping[str, StateField[Any]]  # in order of declaration
    actions: Mapping[str, DescribedAction]
    options: Mapping[str, Option]
    decks: Sequence[Deck | Bag]  # by number
    deck_names: Sequence[str]  # as the module calls them
    luck: Mapping[str, LuckEvent]
    methods: frozenset[str]  # of METHODS
    metrics: tuple[str, ...]  # the parameters of `measure`
    words: Mapping[str, Any] = field(default_factory=dict)
    worth: tuple[float, float] | None = None
    cooperative: bool = False
    tricks: Mapping[str, Trick] = field(default_factory=dict)
    tallies: Mapping[str, Tally] = field(default_factory=dict)

    @property
    def move_limit(self) -> int:
        """How many moves there are; they are numbered from 0."""
        return sum(action.count for action in self.actions.values())

    @property
    def most_seats(self) -> int:
        return max(self.players)

    def deck_number(self, deck: Deck | Bag) -> int:
        return next(number for number, one in enumerate(self.decks) if one is deck)


def describe(game: type[Game], path: str, line: int, luck: Mapping[str, LuckEvent] | None = None) -> GameDescription:
    """The table of a game's class; raises BadGameFile for what is declared wrongly."""
    found = declared(game)
    fields = {name: value for name, value in found.items() if isinstance(value, StateField)}
    check_class(game, path, line)
    players = tuple(sorted(set(game.players)))
    for name, value in found.items():
        if hasattr(Game, name) or name in Game.__annotations__ or name.startswith("_"):
            raise refused("reserved_name", value.path, value.line, field=name)
    check_fields(fields)
    tricks = {name: value for name, value in found.items() if isinstance(value, Trick)}
    for trick in tricks.values():
        trick.check(fields)
    actions: dict[str, DescribedAction] = {}
    first = 0
    for name, value in found.items():
        if isinstance(value, Action):
            count = value.number_parts(max(players))
            if first + count > MOST_MOVES:
                raise refused("too_many_moves", value.path, value.line, moves=first + count, most=MOST_MOVES)
            actions[name] = DescribedAction(name, value, first, count)
            first += count
    if not actions:
        raise refused("no_actions", path, line)
    tallies = {name: value for name, value in found.items() if isinstance(value, Tally)}
    for tally in tallies.values():
        tally.check(fields, list(actions))
    decks, names = decks_of(game, fields, actions)
    check_numbers(fields, decks, max(players))
    if len(decks) > MOST_DECKS:
        raise refused("too_many_decks", path, line, decks=len(decks), most=MOST_DECKS)
    methods = frozenset(name for name in METHODS if getattr(game, name, None) is not getattr(Game, name, None))
    for name in NEEDED:
        if name not in methods:
            raise refused("no_method", path, line, method=name)
    check_names(actions, set(found), has_called="called" in methods)
    check_together(actions, fields)
    metrics = game.measure.__code__ if "measure" in methods else None  # type: ignore[attr-defined]
    if metrics is not None and metrics.co_argcount - 1 > MOST_METRICS:
        given = metrics.co_argcount - 1
        raise refused("too_many_metrics", path, metrics.co_firstlineno, metrics=given, most=MOST_METRICS)
    return GameDescription(
        game,
        path,
        line,
        game.name,
        game.version,
        dict(game.titles),
        players,
        game.longest,
        fields,
        actions,
        {name: value for name, value in found.items() if isinstance(value, Option)},
        decks,
        names,
        dict(luck or {}),
        methods,
        () if metrics is None else metrics.co_varnames[1 : metrics.co_argcount],
        game.words,
        game.worth,
        game.cooperative,
        tricks,
        tallies,
    )


def check_class(game: type[Game], path: str, line: int) -> None:
    """Refuse class attributes that are missing or beyond the limits."""
    name: object = game.name
    if not (isinstance(name, str) and name.isidentifier() and name.islower() and name.isascii()):
        raise refused("bad_name", path, line, given=repr(game.name))
    if not is_number(game.version, 1, 2**31 - 1):
        raise refused("bad_version", path, line, given=repr(game.version))
    players = game.players
    if not (isinstance(players, list | tuple | range) and players and all(is_number(one, 1, MOST_SEATS) for one in players)):
        raise refused("bad_players", path, line, given=repr(players), most=MOST_SEATS)
    if not is_number(game.longest, 1, MOST_PLIES):
        raise refused("bad_longest", path, line, given=repr(game.longest), most=MOST_PLIES)
    titles: object = game.titles
    if not (isinstance(titles, Mapping) and "en" in titles and all(isinstance(one, str) for one in titles.values())):
        raise refused("bad_titles", path, line)
    worth: object = game.worth
    if worth is not None and not is_range(worth):
        raise refused("bad_worth", path, line, given=repr(worth))


def check_names(actions: Mapping[str, DescribedAction], known: set[str], *, has_called: bool) -> None:
    """Refuse names of moves that are no words, or are another's; and names that nobody ever calls them by."""
    for one in actions.values():
        given: Sequence[object] = one.action.names  # an author may have given anything
        for name in given:
            if not isinstance(name, str) or not name.isidentifier() or name in known:
                raise refused("bad_move_name", one.action.path, one.action.line, action=one.name, given=repr(name))
            known.add(name)
        if one.action.names and not has_called:
            raise refused("never_named", one.action.path, one.action.line, action=one.name, name=one.action.names[0])


def check_together(actions: Mapping[str, DescribedAction], fields: Mapping[str, StateField[Any]]) -> None:
    """Refuse several cards that are chosen together where they are no cards of one deck, or lie in no place of their seat."""
    for one in actions.values():
        action = one.action
        if not action.together and not action.into:
            continue
        place, kinds = fields.get(action.into), [part.kind for part in action.parts]
        fits = (
            place is not None and place.kind == "cards" and place.each_seat and place.length is None and place.seen_by == "owner"
        )
        if not is_number(action.together, 2, 63) or not fits or place is None or len(kinds) != 1 or kinds[0] is not place.deck:
            given = {"together": repr(action.together), "into": repr(action.into)}
            raise refused("bad_together", action.path, action.line, action=one.name, **given)


def is_range(worth: object) -> bool:
    """Whether it is the least and the most that a result can be."""
    return (
        isinstance(worth, list | tuple)
        and len(worth) == 2
        and all(isinstance(one, int | float) and abs(one) <= LARGEST_WORTH for one in worth)
        and worth[0] < worth[1]
    )


def check_numbers(fields: Mapping[str, StateField[Any]], decks: Sequence[Deck | Bag], seats: int) -> None:
    """Refuse more fields, or more hidden places of a deck, than there is room for."""
    hidden = [0] * len(decks)
    for number, (name, one) in enumerate(fields.items(), 1):
        if number > MOST_FIELDS:
            raise refused("too_many_fields", one.path, one.line, fields=len(fields), most=MOST_FIELDS)
        if one.is_zone and one.is_hidden:
            deck = next(at for at, deck in enumerate(decks) if deck is one.deck)
            hidden[deck] += (seats if one.each_seat else 1) * (one.length or 1)
            if hidden[deck] > MOST_HIDDEN:
                raise refused("too_many_hidden", one.path, one.line, field=name, places=hidden[deck], most=MOST_HIDDEN)


def check_fields(fields: Mapping[str, StateField[Any]]) -> None:
    """Refuse fields that name others wrongly."""
    for name, one in fields.items():
        # An author may have given anything.
        seen_by, within, usual = (cast("object", getattr(one, key)) for key in ("seen_by", "within", "usually"))
        if seen_by not in ("all", "owner", "nobody"):
            mask = fields.get(seen_by) if isinstance(seen_by, str) else None
            if mask is None or mask.kind != "seats" or mask.length is not None or (mask.each_seat and not one.each_seat):
                raise refused("bad_seen_by", one.path, one.line, field=name, seen_by=repr(one.seen_by))
            if mask.is_hidden:
                raise refused("hidden_mask", one.path, one.line, field=name, mask=one.seen_by)
        if one.within is not None:
            may = fields.get(within) if isinstance(within, str) else None
            if may is None or may.kind != "cards" or may.is_zone or may.is_hidden or may.deck is not one.deck:
                raise refused("bad_within", one.path, one.line, field=name, within=repr(one.within))
            if may.each_seat != one.each_seat or may.length != one.length:
                raise refused("other_shape", one.path, one.line, field=name, within=one.within)
        shown_while = cast("object", one.shown_while)
        if shown_while is not None:
            flag = fields.get(shown_while) if isinstance(shown_while, str) else None
            if flag is None or flag.kind != "flag" or flag.each_seat or flag.length is not None or flag.is_hidden:
                raise refused("bad_shown_while", one.path, one.line, field=name, flag=repr(shown_while))
        if one.usually is not None:
            low, high = one.bounds(MOST_SEATS)
            if not (isinstance(usual, int) and low <= usual <= high):
                raise refused("bad_usual", one.path, one.line, field=name, usual=one.usually, least=low, most=high)


def decks_of(
    game: type[Game], fields: Mapping[str, StateField[Any]], actions: Mapping[str, DescribedAction]
) -> tuple[Sequence[Deck | Bag], Sequence[str]]:
    """The decks of fields and actions, in the order they are met, and what the module calls them."""
    decks: list[Deck | Bag] = []
    used = [one.deck for one in fields.values()]
    used += [part.kind for one in actions.values() for part in one.action.parts if isinstance(part.kind, Deck | Bag)]
    for deck in used:
        if deck is not None and not any(deck is one for one in decks):
            decks.append(deck)
    scope = vars(sys.modules[game.__module__])
    names = [next((name for name, value in scope.items() if value is deck), f"deck {at}") for at, deck in enumerate(decks)]
    return decks, names


def luck_events(tree: ast.AST, path: str) -> dict[str, LuckEvent]:
    """The events of luck that a source draws, by name."""
    result: dict[str, LuckEvent] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="luck"), attr="cards" | "card" | "die" as kind), args=arguments):
                name = arguments[0].value if arguments and isinstance(arguments[0], ast.Constant) else None
                if not isinstance(name, str) or not name.isidentifier():
                    raise refused("event_name", path, node.lineno, kind=kind)
                at = next((one.value for one in node.keywords if one.arg == "at"), None)
                depth = 0 if at is None else len(at.elts) if isinstance(at, ast.Tuple) else 1
                sides = 6 if len(arguments) == 1 else getattr(arguments[1], "value", None) if kind == "die" else None
                event = LuckEvent(name, kind, depth, node.lineno, None, sides if kind == "die" else None)
                known = result.setdefault(name, event)
                if (known.kind, known.depth) != (kind, depth):
                    raise refused("event_differs", path, node.lineno, event=name, line=known.line)
    return result
