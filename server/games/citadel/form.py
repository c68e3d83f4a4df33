"""What is asked of a person at a table of citadel, whose turn it is and who may act."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from machiavel.engines import Game
from machiavel.engines.citadel.house import COLOURS, House, Names
from machiavel.engines.citadel.lists import EFFECTS
from machiavel.engines.citadel.schema import DECK, FIRST_BONUS
from machiavel.engines.phrases import Wording
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
    room, treasure = one_of(house.rooms, house.room_names), one_of(house.treasures, house.treasure_names)
    trap, card, character = (
        one_of(house.types, house.type_names),
        one_of(house.cards, house.card_names),
        choice(*house.characters),
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

    steps = [
        players_step(game),
        ask("setting", choice(*house.settings), usual=next(iter(house.settings))),
        ask("characters", several(character, lambda answers: answers["players"])),
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


def one_of(ids: Sequence[str], names: Names) -> Read:
    """One of these things, by its id or its name in French."""
    return choice(*ids, french=typed(names["fr"]))


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
