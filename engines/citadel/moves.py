"""The moves of citadel as texts: the notation both ways, labels for players, and why a move is refused."""

from collections.abc import Iterator, Sequence
from typing import Any

from machiavel.engines.citadel import _engine
from machiavel.engines.citadel.house import CLOCK_FACES, COLOURS, PROFESSOR_FACES, House
from machiavel.engines.citadel.labels import COLOUR_NAMES, DIE_NAMES, face_words
from machiavel.engines.citadel.lists import EFFECTS
from machiavel.engines.errors import NotAMove

__all__ = ["DICE", "DICE_FACES", "door_text", "label", "parse", "text", "why_illegal"]

# The engine's numbers.
ROOMS, CARDS = 12, 30
UNLOCK, DISARM, TAKE, ACTS, END, KEEP, TURN_UP, ROLL, TURN_DIE, POWER, LIST = 12, 15, 16, 17, 17, 18, 19, 24, 31, 64, 192
NO_CHOICE, ENOUGH, A_ROOM, A_DOOR, A_COLOUR, A_TYPE, ANYONE, CHOICES = 0, 1, 2, 14, 32, 35, 43, 128
ACT, CARD, IN_DICE, ACTIVATE = range(4)
FACES, OUTSIDE = 6, 15

DICE = ("professor", "colour", "clock")
DICE_FACES: Sequence[Sequence[str]] = (PROFESSOR_FACES, COLOURS, tuple(map(str, CLOCK_FACES)))
EXPECTED = (
    "go:ROOM, unlock:COLOUR, disarm, take, card:ID, bonus or power with what they need, end, activate:CHARACTER, "
    "reroll:DICE, choose:DIE:FACE or keep"
)


def door_text(house: House, door: int) -> str:
    room, colour = house.doors[door][0]
    return f"{house.rooms[room]}:{COLOURS[colour]}"


# ---- To texts ----


def text(house: House, move: int) -> str:
    if move < ACTS:
        return act_text(house, move)
    if move < TURN_UP:
        return "end" if move == END else "keep"
    if move < ROLL:
        return f"activate:{house.characters[move - TURN_UP]}"
    if move < TURN_DIE:
        return "reroll:" + "+".join(name for die, name in enumerate(DICE) if move - ROLL + 1 >> die & 1)
    if move < POWER:
        die, face = divmod(move - TURN_DIE, FACES)
        return f"choose:{DICE[die]}:{DICE_FACES[die][face]}"
    source, choice = divmod(move - POWER, CHOICES)
    name = "power" if not source else f"card:{house.cards[source - 1]}" if source <= CARDS else "bonus"
    return name + (f":{choice_text(house, choice)}" if choice else "")


def act_text(house: House, act: int) -> str:
    if act < UNLOCK:
        return f"go:{house.rooms[act]}"
    return f"unlock:{COLOURS[act - UNLOCK]}" if act < DISARM else "disarm" if act == DISARM else "take"


def choice_text(house: House, choice: int) -> str:
    if choice == ENOUGH:
        return "enough"
    if choice < A_DOOR:
        return house.rooms[choice - A_ROOM]
    if choice < A_COLOUR:
        return door_text(house, choice - A_DOOR)
    if choice < A_TYPE:
        return COLOURS[choice - A_COLOUR]
    if choice < ANYONE:
        return house.types[choice - A_TYPE]
    character, act = divmod(choice - ANYONE, ACTS)
    return f"{house.characters[character]}:{act_text(house, act)}"


# ---- From texts ----


def parse(house: House, text: str) -> Sequence[int]:
    """The moves a text could mean; small and capital letters are one, and blanks may stand for : and _."""
    words = text.strip().lower().replace(" ", "_").split(":")
    result = list(meanings(house, words))
    if not result:
        raise NotAMove(text, EXPECTED)
    return result


def meanings(house: House, words: list[str]) -> Iterator[int]:
    match words:
        case ["end"]:
            yield END
        case ["keep"]:
            yield KEEP
        case ["activate", character] if character in house.characters:
            yield TURN_UP + house.characters.index(character)
        case ["reroll", dice] if set(dice.split("+")) <= set(DICE) and len(set(dice.split("+"))) == len(dice.split("+")):
            yield ROLL - 1 + sum(1 << DICE.index(die) for die in dice.split("+"))
        case ["choose", die, face] if die in DICE and face in DICE_FACES[DICE.index(die)]:
            yield TURN_DIE + FACES * DICE.index(die) + DICE_FACES[DICE.index(die)].index(face)
        case ["power", *rest]:
            yield from (POWER + choice for choice in choices(house, rest))
        case ["bonus", *rest]:
            yield from (LIST + CHOICES * CARDS + choice for choice in choices(house, rest))
        case ["card", card, *rest] if card in house.cards:
            yield from (LIST + CHOICES * house.cards.index(card) + choice for choice in choices(house, rest))
        case _:
            yield from acts(house, words)


def acts(house: House, words: list[str]) -> Iterator[int]:
    match words:
        case ["go", room] if room in house.rooms:
            yield house.rooms.index(room)
        case ["unlock", colour] if colour in COLOURS:
            yield UNLOCK + COLOURS.index(colour)
        case ["disarm"]:
            yield DISARM
        case ["take"]:
            yield TAKE


def choices(house: House, words: list[str]) -> Iterator[int]:
    """What a card, bonus or power may need; an id may be a room's and a type's at once."""
    match words:
        case []:
            yield NO_CHOICE
        case ["enough"]:
            yield ENOUGH
        case [name]:
            if name in house.rooms:
                yield A_ROOM + house.rooms.index(name)
            if name in COLOURS:
                yield A_COLOUR + COLOURS.index(name)
            if name in house.types:
                yield A_TYPE + house.types.index(name)
        case [room, colour] if room in house.rooms and colour in COLOURS:
            side = house.rooms.index(room), COLOURS.index(colour)
            yield A_DOOR + next(door for door, sides in enumerate(house.doors) if side in sides)
        case [character, *rest] if character in house.characters:
            yield from (ANYONE + ACTS * house.characters.index(character) + act for act in acts(house, rest))


# ---- For players ----

LABELS = {
    "en": {
        "go": "move to the {0}",
        "unlock": "unlock the {0} door",
        "disarm": "disarm the trap here",
        "take": "take the treasure here",
        "end": "end the turn and roll the dice",
        "keep": "let the dice count as they lie",
        "activate": "turn up the power {0}",
        "reroll": "roll again: {0}",
        "choose": "turn the {0} to {1}",
        "power": "power",
        "bonus": "bonus",
        "enough": "leave it at that",
        "door": "{0}, {1} door",
    },
    "fr": {
        "go": "aller : {0}",
        "unlock": "déverrouiller la porte {0}",
        "disarm": "désactiver le piège d'ici",
        "take": "récupérer le trésor d'ici",
        "end": "finir le tour et lancer les dés",
        "keep": "garder les dés tels quels",
        "activate": "activer le pouvoir {0}",
        "reroll": "relancer : {0}",
        "choose": "tourner le {0} sur {1}",
        "power": "pouvoir",
        "bonus": "bonus",
        "enough": "en rester là",
        "door": "{0}, porte {1}",
    },
}
# A door is of the feminine gender.
DOOR_COLOURS = {"en": COLOUR_NAMES["en"], "fr": ("rouge", "verte", "bleue")}


def label(house: House, move: int, language: str) -> str:
    """A move as a player reads it."""
    words = LABELS[language]
    if move < ACTS:
        return act_label(house, move, language)
    if move < TURN_UP:
        return words["end" if move == END else "keep"]
    if move < ROLL:
        return words["activate"].format(of_whom(house.character_names[language][move - TURN_UP], language))
    if move < TURN_DIE:
        dice = (name for die, name in enumerate(DIE_NAMES[language]) if move - ROLL + 1 >> die & 1)
        return words["reroll"].format(", ".join(dice))
    if move < POWER:
        die, face = divmod(move - TURN_DIE, FACES)
        return words["choose"].format(DIE_NAMES[language][die], face_words(die, face, language))
    source, choice = divmod(move - POWER, CHOICES)
    name = words["power"] if not source else house.card_names[language][source - 1] if source <= CARDS else words["bonus"]
    more = choice_label(house, choice, language)
    return name + ({"en": ": ", "fr": " : "}[language] + more if more else "")


def of_whom(name: str, language: str) -> str:
    """Whose something is; French elides before a vowel."""
    if language == "en":
        return f"of {name}"
    return f"d'{name}" if name[:1].casefold() in set("aeiouyàâéèêîôù") else f"de {name}"


def act_label(house: House, act: int, language: str) -> str:
    words = LABELS[language]
    if act < UNLOCK:
        return words["go"].format(house.room_names[language][act])
    if act < DISARM:
        return words["unlock"].format(DOOR_COLOURS[language][act - UNLOCK])
    return words["disarm" if act == DISARM else "take"]


def choice_label(house: House, choice: int, language: str) -> str:
    words = LABELS[language]
    if choice == NO_CHOICE:
        return ""
    if choice == ENOUGH:
        return words["enough"]
    if choice < A_DOOR:
        return house.room_names[language][choice - A_ROOM]
    if choice < A_COLOUR:
        room, colour = house.doors[choice - A_DOOR][0]
        return words["door"].format(house.room_names[language][room], DOOR_COLOURS[language][colour])
    if choice < A_TYPE:
        return COLOUR_NAMES[language][choice - A_COLOUR]
    if choice < ANYONE:
        return house.type_names[language][choice - A_TYPE]
    character, act = divmod(choice - ANYONE, ACTS)
    return f"{house.character_names[language][character]}, {act_label(house, act, language)}"


# ---- Refusals ----


def why_illegal(house: House, view: bytes, move: int) -> str:
    """From what the mover sees, and nothing else."""
    table = _engine.view_fields(view)["table"]
    phase = table["phase"]
    if phase == CARD:
        return "a card or bonus is being done; name what its next effect needs, or `enough`"
    if phase == IN_DICE:
        return "the dice have been rolled; change them, or `keep`"
    if phase == ACTIVATE:
        return "a power must be turned up first"
    if move < ACTS:
        return why_no_act(house, table, move)
    if move < POWER:
        return "only at the end of a turn, when the game asks for it"
    if move < LIST:
        return why_no_power(house, table)
    source = (move - LIST) // CHOICES
    if source == CARDS:
        return why_no_bonus(table)
    if table["played"] < CARDS:
        return "a card has been played this turn"
    if source not in table["shown"]:
        return "the card is not one of the two drawn this turn"
    return (
        "it could not do that now" if move - LIST - CHOICES * source else "it needs more, as card:ID:…, or could do nothing now"
    )


def why_no_act(house: House, table: dict[str, Any], act: int) -> str:
    place = table["place"][table["active"]]
    if not table["actions"]:
        return "no action is left"
    if act < UNLOCK:
        return why_no_way(house, table, place, act)
    if place == OUTSIDE:
        return "you stand outside the house"
    if act < DISARM:
        return "that door is open"
    if act == DISARM:
        return "the trap here is off"
    if place not in table["spot"]:
        return "there is no treasure here"
    colour = table["spot"].index(place)
    types = house.tiles[table["tile"][colour]][1]
    on = [house.rooms[room] for room in range(ROOMS) if table["trap"][room] in types and not table["off"] >> room & 1]
    return f"traps that protect it are on: {', '.join(on)}"


def why_no_way(house: House, table: dict[str, Any], place: int, room: int) -> str:
    if room == table["professor"]:
        return "the professor is there"
    if place == OUTSIDE:
        return "it has no window"
    if room == place:
        return "you are there"
    if room not in house.exits[place]:
        return f"it is not next to the {house.room_names['en'][place]}"
    return f"the {COLOURS[house.exits[place].index(room)]} door is locked"


def why_no_power(house: House, table: dict[str, Any]) -> str:
    (kind, _), cost = house.abilities[table["characters"][table["active"]]]
    if not table["up"] >> table["active"] & 1:
        return "your power lies face down"
    if EFFECTS[kind] in {"reroll", "choose"}:
        return "this power is there by itself when the dice are rolled"
    if table["power_used"]:
        return "the power has been used this turn"
    if table["actions"] < cost:
        return "no action is left for it"
    return "it could not do that now"


def why_no_bonus(table: dict[str, Any]) -> str:
    if not table["up"] >> table["active"] & 1:
        return "your power lies face down"
    if table["activated"]:
        return "your power was turned up this very turn; the bonus waits for the next"
    return "it could not do that now"
