"""The moves of citadel as parts of a sentence."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from machiavel.engines.citadel.house import COLOURS, House
from machiavel.engines.citadel.labels import behind, named
from machiavel.engines.citadel.lists import EFFECTS
from machiavel.engines.hints import MoveParts, said_phrase
from machiavel.engines.phrases import Phrases

__all__ = ["Phrasing"]

# What a room or a colour may be named for, by effect: the key of what is said of it.
ROOM_USES = {"step": "room", "leap": "room", "shadow": "room", "disarm_near": "trap", "disarm_anywhere": "trap"}
COLOUR_USES = {"marker_on": "treasure", "lure": "lure"}


class Phrasing:
    """Says what moves are in one language, to whoever has that view."""

    def __init__(self, house: House, seen: Mapping[str, Any], phrases: Phrases, language: str) -> None:
        self.house = house
        self.seen = seen
        self.phrases = phrases
        self.language = language
        self.own = None if seen["seat"] is None else seen["characters"][seen["seat"]]

    def parts(self, move: str) -> MoveParts:
        """The kind of a move, and what fills its holes."""
        match move.split(":"):
            case ["unlock", colour]:
                place = self.seen["places"][self.seen["active"]]
                room = None if place is None else self.name("room", behind(self.house, place, colour))
                return "unlock", {"colour": self.name("colour", colour), "room": room}
            case ["go", room]:
                return "go", {"room": self.name("room", room)}
            case ["activate", character]:
                return ("activate_own", {}) if character == self.own else ("activate", {"who": self.name("character", character)})
            case ["reroll", dice]:
                return "reroll", {"dice": self.name("dice", dice)}
            case ["choose", die, face]:
                return "choose", {"dice": self.name("dice", die), "face": self.name(die, face)}
            case ["card", card, *choice]:
                return self.used("card", choice, card, {"card": self.name("card", card)})
            case ["power" | "bonus" as source, *choice]:
                return self.used(source, choice, source, {})
        return move, {}

    def name(self, kind: str, value: str) -> Callable[[str], str]:
        return lambda form: named(self.house, kind, value, (self.language, form))

    def used(self, kind: str, choice: Sequence[str], source: str, parts: Mapping[str, object]) -> MoveParts:
        """A card, bonus or power, and what it is used on."""
        if choice == ["enough"]:
            return f"{kind}_enough", parts
        return kind, {**parts, "more": self.choice(choice, source)}

    def choice(self, words: Sequence[str], source: str) -> str:
        house = self.house
        match words:
            case []:
                return ""
            case [room] if room in house.rooms:
                return self.on(self.use(source, ROOM_USES), room=self.name("room", room))
            case [colour] if colour in COLOURS:
                return self.on(self.use(source, COLOUR_USES), colour=self.name("colour", colour))
            case [trap]:
                return self.on("traps", trap=self.name("trap", trap))
            case [room, _] if room in house.rooms:
                return self.on("door", door=self.name("door", ":".join(words)))
        character, *act = words
        is_own = character == self.own
        kind, parts = self.parts(":".join(act))
        if kind == "unlock":
            parts = {**parts, "room": None}  # theirs is another room
        elif act[0] in {"disarm", "take"} and not is_own:
            kind = f"{kind}_there"
        said = said_phrase(self.phrases, (kind, parts), self.language, {"en": "do", "fr": "doing"}[self.language])
        return self.on("own", act=said) if is_own else self.on("other", who=self.name("character", character), act=said)

    def on(self, kind: str, **parts: object) -> str:
        return self.phrases(f"phrases.on.{kind}", self.language, **parts)

    def use(self, source: str, uses: Mapping[str, str]) -> str:
        """What a thing is named for: by the first effect from here on that needs one of its kind."""
        house, under_way = self.house, self.seen["under_way"]
        active = house.characters.index(self.seen["characters"][self.seen["active"]])
        if source == "power":
            effects = [house.abilities[active][0]]
        else:
            number = len(house.cards) + active if source == "bonus" else house.cards.index(source)
            begun = under_way["effect"] if under_way is not None and under_way["source"] == source else 0
            effects = list(house.lists[number][begun:])
        return next((uses[EFFECTS[kind]] for kind, _ in effects if EFFECTS[kind] in uses), next(iter(uses.values())))
