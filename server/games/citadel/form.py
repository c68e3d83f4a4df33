"""What is asked of a person at a table of citadel, whose turn it is and who may act."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from machiavel.engines import Game
from machiavel.engines.citadel.house import COLOURS, ROOM, TRAP, House, Names
from machiavel.engines.citadel.lists import EFFECTS
from machiavel.engines.citadel.schema import CARD, CHARACTER, DECK, DOOR, FIRST_BONUS, TREASURE
from machiavel.engines.fields import Kind
from machiavel.engines.phrases import Phrases, Wording
from machiavel.server.forms.answer_shapes import AnswerShape, choices_of, shape_of, shaped
from machiavel.server.forms.steps import (
    Answers,
    Form,
    FormStep,
    Questions,
    Read,
    Wrong,
    by_seat,
    choice,
    listed,
    players_step,
    several,
    whole,
    yes,
)

__all__ = ["citadel_form"]

PLACES = {"treasures": "red", "powers": "up", "active": "players", "power_used": "used", "activated": "fresh"}
TOLD = "characters places professor time open traps off saved lost shown played actions discards".split()
TURN = {"held": "held", "power_used": "used", "activated": "fresh"}
COLOUR, MINUTES = choice(*COLOURS, french=("rouge", "vert", "bleu")), whole(0, 55, step=5)


def citadel_form(game: Game) -> Form:
    house: House = game.make_rules(3).tables.house
    questions = Questions(game.plugin.phrases())
    names: dict[str, Any] = {
        "rooms": in_words(house.rooms, house.room_names),
        "treasures": in_words(house.treasures, house.treasure_names),
        "types": in_words(house.types, house.type_names),
        "cards": in_words(house.cards, house.card_names),
        "characters": ", ".join(house.characters),
        "settings": ", ".join(house.settings),
    }
    room, treasure = (
        one_of(ROOM, house.rooms, house.room_names),
        one_of(TREASURE, house.treasures, house.treasure_names),
    )
    trap, card, character = (
        one_of(TRAP, house.types, house.type_names),
        one_of(CARD, house.cards, house.card_names),
        of_kind(CHARACTER, choice(*house.characters)),
    )
    sides = {name: kept for kept, other in house.door_names.items() for name in (kept, other)}

    def ask(key: str, read: Read, **how: Any) -> FormStep:
        return questions.ask(key, read, **how, **names)

    def doors(answers: Answers, entry: str) -> list[str]:
        """By either of their names; each is kept by the one that views use."""
        result = set()
        for word in listed(entry):
            at, _, colour = word.partition(":")
            try:
                result.add(sides[f"{room(answers, at)}:{COLOUR(answers, colour)}"])
            except Wrong:
                raise questions.wrong("doors", entry=word) from None
        return sorted(result)

    def tile(answers: Answers, entry: str) -> dict[str, Any]:
        words = listed(entry)
        if len(words) != 3:
            raise questions.wrong("treasure")
        readers = {"id": treasure, "room": room, "clock": MINUTES}
        return {name: read(answers, word) for (name, read), word in zip(readers.items(), words, strict=True)}

    def traps(answers: Answers, entry: str) -> dict[str, str]:
        result = [trap(answers, word) for word in listed(entry)]
        if sorted(result) != sorted(house.types[kind] for kind in house.traps):
            raise questions.wrong("traps", count=len(house.traps))
        return dict(zip(house.rooms, result, strict=True))

    def played(answers: Answers, entry: str) -> str | None:
        french = [house.card_names["fr"][house.cards.index(one)] for one in answers["shown"]]
        return choice(*answers["shown"], french=typed(french))(answers, entry) if entry else None

    def piles(answers: Answers, entry: str) -> list[list[str]]:
        """The cards of each seat's deck; a card says by itself whose it is."""
        result: dict[str, list[str]] = {one: [] for one in answers["characters"]}
        for one in several(card)(answers, entry):
            owner = house.characters[house.cards.index(one) // DECK]
            if owner not in result:
                raise questions.wrong("not_in_play", card=one, owner=owner)
            result[owner].append(one)
        return list(result.values())

    def place(answers: Answers, word: str) -> str | None:
        return None if word in {"-", "outside", "dehors"} else room(answers, word)

    shaped(doors, AnswerShape("things", thing=DOOR))
    shaped(tile, tile_shape(game.plugin.phrases(), treasure, room))
    each_trap = [replace(shape_of(trap), label=label_of(house.rooms, house.room_names, one)) for one in house.rooms]
    shaped(traps, AnswerShape("parts", parts=each_trap))
    shaped(played, lambda answers: choices_of(answers["shown"], CARD))
    shaped(piles, AnswerShape("things", thing=CARD))
    shaped(place, replace(shape_of(room), nothing="-"))
    who = several(character, lambda answers: answers["players"])
    shaped(who, AnswerShape("by_seat", inside=shape_of(character)))

    steps = [
        players_step(game),
        ask("setting", choice(*house.settings), usual=next(iter(house.settings))),
        ask("characters", who),
        ask("places", by_seat(place), usual=lambda answers: " ".join(["-"] * answers["players"])),
        ask("professor", room),
        ask("time", MINUTES),
        *(ask(colour, tile) for colour in COLOURS),
        ask("traps", traps),
        ask("off", several(room), usual=""),
        ask("open", doors, usual=""),
        ask("saved", several(treasure), usual=""),
        ask("lost", several(treasure), usual=""),
        ask("up", several(character), usual=""),
        ask("shown", several(card, lambda _: 2)),
        ask("played", played, usual=""),
        ask("held", yes, needed=partial(may_hold, house), usual="n"),
        ask("used", yes, needed=has_power, usual="n"),
        ask("fresh", yes, needed=has_power, usual="n"),
        ask("actions", whole(0, 12), usual="3"),
        ask("discards", piles, usual=""),
    ]
    return Form(game, steps, lambda answers: {name: answers[name] for name in ("players", "setting", "characters")}, view, PLACES)


def typed(names: Sequence[str]) -> list[str]:
    """Names as they are typed where blanks part one from another."""
    return [name.casefold().replace(" ", "_") for name in names]


def in_words(ids: Sequence[str], names: Names) -> Wording:
    return Wording({"en": ", ".join(ids), "fr": ", ".join(typed(names["fr"]))})


def one_of(kind: Kind, ids: Sequence[str], names: Names) -> Read:
    """One of these things, by its id or its name in French."""
    return of_kind(kind, choice(*ids, french=typed(names["fr"])))


def of_kind(kind: Kind, read: Read) -> Read:
    """What reads one of some things, of which it is known what they are."""
    return shaped(read, replace(shape_of(read), thing=kind))


def label_of(ids: Sequence[str], names: Names, one: str) -> dict[str, str]:
    return {language: named[ids.index(one)] for language, named in names.items()}


def tile_shape(phrases: Phrases, treasure: Read, room: Read) -> AnswerShape:
    """A treasure, its room, and its marker on the clock."""
    parts = {"which": treasure, "where": room, "marker": MINUTES}
    labels = {name: phrases.wording(f"form.red.{name}").texts for name in parts}
    return AnswerShape("parts", parts=[replace(shape_of(read), label=labels[name]) for name, read in parts.items()])


def has_power(answers: Answers) -> bool:
    """Whether your own power is face up."""
    return bool(answers.get("characters", [""])[0] in answers.get("up", ()))


def may_hold(house: House, answers: Answers) -> bool:
    """Whether something of this turn may hold the professor."""
    if "played" not in answers:
        return False
    numbers = [house.cards.index(answers["played"])] if answers["played"] else []
    numbers.append(FIRST_BONUS + house.characters.index(answers["characters"][0]))
    return any(EFFECTS[kind] == "hold" for number in numbers for kind, _ in house.lists[number])


def view(answers: Answers) -> dict[str, Any]:
    result = {name: answers[name] for name in TOLD} | {field: answers[key] for field, key in TURN.items() if key in answers}
    result |= {"seat": 0, "active": 0, "treasures": {colour: answers[colour] for colour in COLOURS}}
    return result | {"powers": [character in answers["up"] for character in answers["characters"]]}
