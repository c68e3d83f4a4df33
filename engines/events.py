"""What happened: told by a game from the views of one seat, or of the spectator, and from nothing else."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from machiavel.engines.errors import IncompatibleEngine
from machiavel.engines.phrases import Phrases, Span, capitalized, joined, plain

if TYPE_CHECKING:
    from machiavel.engines.plugin import Engine, Rules

__all__ = ["EventFields", "GameEvent", "SeenMove", "Teller"]

Seen = Mapping[str, Any]  # what one seat sees: the `view` of View.to_json()
EventFields = Mapping[str, str]  # by name, in order: the kind of value; `cards` is a list of `card`, `seat?` may be None

SEATS = ("seat", "seat?")
TYPES: Mapping[str, tuple[type, ...]] = {"seat": (int,), "count": (int,), "flag": (bool,)}


class SeenMove(NamedTuple):
    """A move as somebody saw it who may not know all of it."""

    seat: int
    text: str


@dataclass(frozen=True)
class GameEvent:
    """One thing that happened, such as a trick that was taken: its kind, and its fields as JSON, in the game's notation."""

    kind: str
    fields: Mapping[str, Any]


class Teller:
    """Tells the player at seat `me` (None: a spectator) what happened, in one language.

    It is given that player's views as JSON, and never the match itself.
    """

    def __init__(self, plugin: "Engine", rules: "Rules", language: str, me: int | None) -> None:
        self._plugin = plugin
        self.rules = rules
        self.language = language
        self.me = me

    @property
    def phrases(self) -> Phrases:
        """The texts of the game."""
        return self._plugin.phrases()

    def events(self, before: Seen | None, move: SeenMove | None, after: Seen) -> list[GameEvent]:
        """What happened between two of the player's views; `before` and `move` are None at the beginning of a match.

        Raises IncompatibleEngine for an event the game has not declared.
        """
        result = list(self._plugin.events(self.rules, before, move, after))
        for event in result:
            check(self._plugin, event)
        return result

    def spans(self, seen: Seen, event: GameEvent) -> list[Span]:
        """An event as a sentence, in pieces for whoever draws it; `seen` is the view after it."""
        kinds = self._plugin.event_kinds[event.kind]
        return capitalized(self.phrase(seen, variant(self._plugin, event, self.me), event.fields, kinds))

    def phrase(self, seen: Seen, key: str, fields: Mapping[str, Any], kinds: EventFields | None = None) -> list[Span]:
        """Any text of the game in pieces; a hole is named for the kind of its value, unless `kinds` tells that."""

        def put(name: str, form: str) -> Sequence[Span]:
            kind, value = (kinds[name] if kinds else name).removesuffix("?"), fields[name]
            if not isinstance(value, list):
                return [Span(self.value(seen, kind, value, form), kind, value)]
            kind = kind.removesuffix("s")
            items = [Span(self.value(seen, kind, item, form), kind, item) for item in value]
            return joined(items, self.language)

        return self._plugin.phrases().spans(key, self.language, fields, put)

    def value(self, seen: Seen, kind: str, value: Any, form: str = "") -> str:
        """A value as the player reads it."""
        return self._plugin.value_text(self.rules, seen, kind, value, (self.language, form))

    def move(self, seen: Seen, text: str) -> str:
        """A legal move as the player reads it in a list of them."""
        return self._plugin.move_name(self.rules, seen, self._plugin.parse_move(self.rules, text)[0], self.language)

    def ways(self, seen: Seen, text: str) -> list[str]:
        """How hints say a legal move: to do it, and by its name or as a deed."""
        how = [(self.language, form) for form in ("do", "subject")]
        return [self._plugin.move_phrase(self.rules, seen, text, one) for one in how]

    def text(self, seen: Seen, event: GameEvent) -> str:
        """An event as a sentence."""
        return plain(self.spans(seen, event))

    def tell(self, before: Seen | None, move: SeenMove | None, after: Seen) -> list[list[Span]]:
        """A sentence for each event."""
        return [self.spans(after, event) for event in self.events(before, move, after)]


def check(plugin: "Engine", event: GameEvent) -> None:
    declared = plugin.event_kinds.get(event.kind)
    if declared is None or list(declared) != list(event.fields):
        expected = "no such event" if declared is None else f"the fields {', '.join(declared) or 'none'}"
        raise IncompatibleEngine(plugin.name, f"it tells {event.kind} with {', '.join(event.fields)}; declared: {expected}")
    for name, kind in declared.items():
        value, types = event.fields[name], TYPES.get(kind.removesuffix("?"), (list,) if kind.endswith("s") else (str, int))
        if value is None and kind.endswith("?"):
            continue
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise IncompatibleEngine(plugin.name, f"it tells {event.kind} with {name} {value!r}; declared: {kind}")


def variant(plugin: "Engine", event: GameEvent, me: int | None) -> str:
    """The key of its text.

    `events.KIND` where one text will do. Else there is one for each who does it, `me` or `they`, and perhaps to whom: `me_them`,
    `me_self`, `they_me`, `they_them`, `they_self`, and so on with more seats; `same` is one told of just before. The first that
    there is counts: `them` will do for all of them. Raises IncompatibleEngine where there is none.
    """
    phrases, key = plugin.phrases(), f"events.{event.kind}"
    if key in phrases:
        return key
    seats = [event.fields[name] for name, kind in plugin.event_kinds[event.kind].items() if kind in SEATS]
    found = next((choice for choice in choices_of(key, seats, me) if choice in phrases), None)
    if found is None:
        raise IncompatibleEngine(plugin.name, f"it tells {event.kind}, of which its words have neither {key} nor {key}.they")
    return found


def choices_of(key: str, seats: Sequence[int | None], me: int | None) -> Iterator[str]:
    """The keys that will do for an event of these seats, the best first."""
    if not seats:
        return
    who, *others = seats
    is_me = {seat: me is not None and seat == me for seat in seats}
    roles = [
        ("self" if seat == who else "me" if is_me[seat] else "same" if seat in others[:at] else "them", "them")
        for at, seat in enumerate(others)
    ]
    for count in range(len(roles), -1, -1):
        for choice in product(*roles[:count]):
            yield f"{key}.{'_'.join(('me' if is_me[who] else 'they', *choice))}"
