"""What is asked of a person at a table of citadel, whose turn it is and who may act."""

from typing import Any

from machiavel.engines import Game
from machiavel.engines.citadel.codec import FIRST_BONUS
from machiavel.engines.citadel.house import COLOURS, House
from machiavel.engines.citadel.lists import EFFECTS
from machiavel.server.cli.asking.steps import (
    Answers,
    Form,
    FormStep,
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


def citadel_form(game: Game) -> Form:
    house: House = game.make_rules(3).tables.house
    return Form(game, [players_step(game), *steps(house)], options, view, PLACES)


def options(answers: Answers) -> dict[str, Any]:
    return {"players": answers["players"], "setting": answers["setting"], "characters": answers["characters"]}


def minutes(_: Answers, word: str) -> int:
    if word.isascii() and word.isdigit() and int(word[:9]) in range(0, 60, 5):
        return int(word[:9])
    raise Wrong(
        f"{word}: expected minutes after XII, 0 to 55 by fives",
        f"{word} : il faut des minutes après XII, de 0 à 55, de cinq en cinq",
    )


def doors_reader(house: House) -> Any:
    """Doors by either of their names; each is kept by the one from the first room."""
    names: dict[str, str] = {}
    for door in house.doors:
        kept = f"{house.rooms[door[0][0]]}:{COLOURS[door[0][1]]}"
        names |= {f"{house.rooms[room]}:{COLOURS[colour]}": kept for room, colour in door}

    def read(_: Answers, entry: str) -> list[str]:
        for word in listed(entry):
            if word.casefold() not in names:
                raise Wrong(f"{word}: expected doors, as study:red", f"{word} : il faut des portes, comme study:red")
        return sorted({names[word.casefold()] for word in listed(entry)})

    return read


def treasure_reader(house: House) -> Any:
    def read(answers: Answers, entry: str) -> dict[str, Any]:
        words = listed(entry.casefold())
        if len(words) != 3:
            raise Wrong(
                "expected treasure, room and minutes, as mona_lisa study 35",
                "il faut trésor, pièce et minutes, comme mona_lisa study 35",
            )
        return {
            "id": choice(*house.treasures)(answers, words[0]),
            "room": choice(*house.rooms)(answers, words[1]),
            "clock": minutes(answers, words[2]),
        }

    return read


def place_reader(house: House) -> Any:
    return lambda answers, word: None if word in {"-", "outside", "dehors"} else choice(*house.rooms)(answers, word)


def traps_reader(house: House) -> Any:
    def read(answers: Answers, entry: str) -> dict[str, str]:
        result = [choice(*house.types)(answers, word) for word in listed(entry)]
        if sorted(result) != sorted(house.types[kind] for kind in house.traps):
            raise Wrong(
                "expected the trap of each room in this order, 12 in all",
                "il faut le piège de chaque pièce dans cet ordre, 12 en tout",
            )
        return dict(zip(house.rooms, result, strict=True))

    return read


def cards_reader(house: House, count: int | None) -> Any:
    def read(answers: Answers, entry: str) -> list[str]:
        return list(several(choice(*house.cards), None if count is None else lambda _: count)(answers, entry))

    return read


def piles(house: House) -> Any:
    """The cards of each seat's deck; a card says by itself whose it is."""

    def read(answers: Answers, entry: str) -> list[list[str]]:
        cards = several(choice(*house.cards))(answers, entry)
        owners = [house.characters[house.cards.index(card) // 6] for card in cards]
        for card, owner in zip(cards, owners, strict=True):
            if owner not in answers["characters"]:
                raise Wrong(f"{card} is {owner}'s, who is not in play", f"{card} est à {owner}, qui n'est pas en jeu")
        return [[card for card, owner in zip(cards, owners, strict=True) if owner == one] for one in answers["characters"]]

    return read


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


def steps(house: House) -> list[FormStep]:
    rooms, treasures = ", ".join(house.rooms), ", ".join(house.treasures)
    room_help = {"en": f"Rooms: {rooms}.", "fr": f"Les pièces : {rooms}."}
    tile_help = {
        "en": f"Treasure, room and minutes after XII of its marker, as mona_lisa study 35. Treasures: {treasures}.",
        "fr": f"Trésor, pièce et minutes après XII de son marqueur, comme mona_lisa study 35. Les trésors : {treasures}.",
    }
    tiles_help = {"en": f"Some of {treasures}; Enter: none.", "fr": f"Certains de {treasures} ; Entrée : aucun."}
    card_help = {"en": f"Cards: {', '.join(house.cards)}.", "fr": f"Les cartes : {', '.join(house.cards)}."}
    characters = several(choice(*house.characters), lambda answers: answers["players"])
    named = {"red": "rouge", "green": "vert", "blue": "bleu"}
    board = [
        FormStep(
            colour,
            {
                "en": f"The {colour} treasure: which, where, and its marker?",
                "fr": f"Le trésor {named[colour]} : lequel, où, et son marqueur ?",
            },
            tile_help,
            treasure_reader(house),
        )
        for colour in COLOURS
    ]
    none = lambda _: ""  # noqa: E731
    return [
        FormStep(
            "setting",
            {"en": "Which setting?", "fr": "Quelle difficulté ?"},
            {"en": f"One of {', '.join(house.settings)}.", "fr": f"Une de {', '.join(house.settings)}."},
            choice(*house.settings),
            usual=lambda _: next(iter(house.settings)),
        ),
        FormStep(
            "characters",
            {"en": "Who is who, from yourself on?", "fr": "Qui incarne qui, à partir de toi ?"},
            {
                "en": f"As many as players, of {', '.join(house.characters)}.",
                "fr": f"Autant que de joueurs, parmi {', '.join(house.characters)}.",
            },
            characters,
        ),
        FormStep(
            "places",
            {"en": "Where does each player stand?", "fr": "Où est chaque joueur ?"},
            {
                "en": f"From yourself on; - is outside. {room_help['en']}",
                "fr": f"À partir de toi ; - pour dehors. {room_help['fr']}",
            },
            by_seat(place_reader(house)),
            usual=lambda answers: " ".join(["-"] * answers["players"]),
        ),
        FormStep("professor", {"en": "Where is the professor?", "fr": "Où est le professeur ?"}, room_help, choice(*house.rooms)),
        FormStep(
            "time",
            {
                "en": "Where is the time marker, in minutes after XII?",
                "fr": "Où est le marqueur de temps, en minutes après XII ?",
            },
            {"en": "0 to 55.", "fr": "De 0 à 55."},
            minutes,
        ),
        *board,
        FormStep(
            "traps",
            {"en": f"The traps of these rooms: {rooms}?", "fr": f"Les pièges de ces pièces : {rooms} ?"},
            {"en": f"In this order, of {', '.join(house.types)}.", "fr": f"Dans cet ordre, parmi {', '.join(house.types)}."},
            traps_reader(house),
        ),
        FormStep(
            "off",
            {"en": "In which rooms is the trap off?", "fr": "Dans quelles pièces le piège est-il désactivé ?"},
            room_help,
            several(choice(*house.rooms)),
            usual=none,
        ),
        FormStep(
            "open",
            {"en": "Which doors are open?", "fr": "Quelles portes sont ouvertes ?"},
            {"en": "As study:red, the exit of a room.", "fr": "Comme study:red, la sortie d'une pièce."},
            doors_reader(house),
            usual=none,
        ),
        FormStep(
            "saved",
            {"en": "Treasures saved?", "fr": "Les trésors sauvés ?"},
            tiles_help,
            several(choice(*house.treasures)),
            usual=none,
        ),
        FormStep(
            "lost",
            {"en": "Treasures lost?", "fr": "Les trésors perdus ?"},
            tiles_help,
            several(choice(*house.treasures)),
            usual=none,
        ),
        FormStep(
            "up",
            {"en": "Whose powers are face up?", "fr": "Quels pouvoirs sont visibles ?"},
            {"en": "Characters; Enter: none.", "fr": "Des personnages ; Entrée : aucun."},
            several(choice(*house.characters)),
            usual=none,
        ),
        FormStep(
            "shown",
            {"en": "Your two cards of this turn?", "fr": "Tes deux cartes de ce tour ?"},
            card_help,
            cards_reader(house, 2),
        ),
        FormStep(
            "played",
            {"en": "Which of them have you played?", "fr": "Laquelle as-tu jouée ?"},
            {"en": "One of the two; Enter: none yet.", "fr": "Une des deux ; Entrée : aucune encore."},
            lambda answers, entry: choice(*answers["shown"])(answers, entry) if entry else None,
            usual=none,
        ),
        FormStep(
            "held",
            {"en": "Is the professor held this turn?", "fr": "Le professeur est-il retenu ce tour-ci ?"},
            {
                "en": "yes, where a card or a bonus of this turn holds him",
                "fr": "oui, si une carte ou un bonus de ce tour le retient",
            },
            yes,
            lambda answers: may_hold(house, answers),
            lambda _: "n",
            is_yes_or_no=True,
        ),
        FormStep(
            "used",
            {
                "en": "Have you used the ability of your power this turn?",
                "fr": "As-tu déjà utilisé la capacité de ton pouvoir ce tour-ci ?",
            },
            {"en": "yes or no", "fr": "oui ou non"},
            yes,
            has_power,
            lambda _: "n",
            is_yes_or_no=True,
        ),
        FormStep(
            "fresh",
            {
                "en": "Was your power turned up in this very turn?",
                "fr": "Ton pouvoir a-t-il été activé pendant ce tour même ?",
            },
            {"en": "yes: its bonus waits for your next turn", "fr": "oui : son bonus attend ton prochain tour"},
            yes,
            has_power,
            lambda _: "n",
            is_yes_or_no=True,
        ),
        FormStep(
            "actions",
            {"en": "How many actions have you left?", "fr": "Combien d'actions te reste-t-il ?"},
            {"en": "3 at the start of a turn.", "fr": "3 au début d'un tour."},
            whole(0, 12),
            usual=lambda _: "3",
        ),
        FormStep(
            "discards",
            {
                "en": "Cards that lie face up under the decks, all of them?",
                "fr": "Les cartes visibles sous les paquets, toutes ?",
            },
            card_help,
            piles(house),
            usual=none,
        ),
    ]


def view(answers: Answers) -> dict[str, Any]:
    result: dict[str, Any] = {
        name: answers[name]
        for name in (
            "characters",
            "places",
            "professor",
            "time",
            "open",
            "traps",
            "off",
            "saved",
            "lost",
            "shown",
            "played",
            "actions",
            "discards",
        )
    }
    turn = {"held": "held", "power_used": "used", "activated": "fresh"}
    result |= {field: answers[key] for field, key in turn.items() if key in answers}
    result |= {"seat": 0, "active": 0, "treasures": {colour: answers[colour] for colour in COLOURS}}
    return result | {"powers": [character in answers["up"] for character in answers["characters"]]}
