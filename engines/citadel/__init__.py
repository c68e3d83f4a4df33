"""citadel: four treasures out of Professor Evil's house, all together or not at all. RULES.md holds the rules."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from machiavel.engines.citadel import _engine, _rules, codec, layouts, moves, reading
from machiavel.engines.citadel.house import COLOURS, House, load_house
from machiavel.engines.citadel.labels import treasure_label
from machiavel.engines.errors import BadOption
from machiavel.engines.hints import HintWords, load_hints
from machiavel.engines.plugin import Engine, Option, Rules

__all__ = ["ENGINE", "CitadelEngine"]


class CitadelEngine(Engine):
    """The game as the rest of the house knows it."""

    name = "citadel"
    capsule = _engine.capsule
    titles: ClassVar[Mapping[str, str]] = {"en": "The Citadel of Time", "fr": "La Citadelle du temps"}
    players = range(1, 6)
    options = (
        Option(
            "setting",
            "without_55",
            {
                "en": "without_55, all, without_30, without_30_and_55, or one of the file's own",
                "fr": "without_55, all, without_30, without_30_and_55, ou un de ceux du fichier",
            },
            {
                "en": "how hard it is: the treasures left in; in a house of one's own its first setting",
                "fr": "la difficulté : les trésors en jeu ; dans une autre maison, la première",
            },
        ),
        Option(
            "characters",
            None,
            {"en": "the character of each seat, none twice", "fr": "le personnage de chaque joueur, aucun deux fois"},
            {"en": "who is who; random", "fr": "qui incarne qui ; au hasard"},
        ),
        Option(
            "deck",
            "house",
            {
                "en": "the name of a shipped house, or its tables; in Python and on the command line also a TOML file",
                "fr": "le nom d'une maison fournie, ou ses tables ; en Python et en ligne de commande, un fichier TOML aussi",
            },
            {"en": "house, treasures, dice, cards and settings", "fr": "maison, trésors, dés, cartes et difficultés"},
        ),
    )

    def make_rules(self, players: int, options: Mapping[str, Any]) -> Rules:
        house, kept = load_house(options.get("deck", "house"))
        setting = options.get("setting")
        if setting is None:
            setting = next(iter(house.settings))
        if not isinstance(setting, str) or setting not in house.settings:
            raise BadOption("setting", setting, f"one of {', '.join(house.settings)}")
        characters = read_characters(options.get("characters"), house, players)
        complete = {
            "players": players,
            "setting": setting,
            "characters": None if characters is None else [house.characters[character] for character in characters],
            "deck": kept,
        }
        capsule = _rules.make(players, characters, house, house.settings[setting].tiles)
        content = json.dumps(["citadel", complete | {"deck": house.digest}], sort_keys=True)
        digest = hashlib.sha256(content.encode()).hexdigest()
        return Rules(capsule, players, complete, digest, codec.Tables(house, setting, characters))

    def move_text(self, rules: Rules, move: int) -> str:
        return moves.text(rules.tables.house, move)

    def parse_move(self, rules: Rules, text: str) -> Sequence[int]:
        return moves.parse(rules.tables.house, text)

    def move_label(self, rules: Rules, move: int, language: str) -> str:
        return moves.label(rules.tables.house, move, language)

    def why_illegal(self, rules: Rules, view: bytes, move: int) -> str:
        return moves.why_illegal(rules.tables.house, view, move)

    def hint_words(self, rules: Rules) -> HintWords:  # noqa: ARG002
        return load_hints(__package__)

    def hint_context(self, rules: Rules, seen: Mapping[str, Any], language: str) -> Mapping[str, str]:
        house, treasures = rules.tables.house, seen["treasures"]
        return {colour: treasure_label(house, number, treasures[colour], language) for number, colour in enumerate(COLOURS)}

    def seat_name(self, rules: Rules, seen: Mapping[str, Any], seat: int, language: str) -> str:
        house: House = rules.tables.house
        return house.character_names[language][house.characters.index(seen["characters"][seat])]

    def metrics(self, rules: Rules) -> Sequence[str]:
        house: House = rules.tables.house
        return [
            *("turns", "saved", "lost"),
            *(f"played_{card}" for card in house.cards),
            *(f"{what}_{character}" for what in ("bonus", "ability") for character in house.characters),
            *(f"{what}_{colour}" for what in ("saved", "lost") for colour in COLOURS),
            *("open_doors", "traps_off", "nearest"),
            *(f"fled_{seat}" for seat in range(rules.players)),
        ]

    def view_json(self, rules: Rules, view: bytes) -> dict[str, Any]:
        return codec.view_json(rules, view)

    def view_bytes(self, rules: Rules, data: Mapping[str, Any]) -> bytes:
        return reading.view_bytes(rules, data)

    def truth_json(self, rules: Rules, view: bytes, state: bytes) -> dict[str, Any]:  # noqa: ARG002
        return codec.view_json(rules, view)

    def outcomes(self, rules: Rules, layout: Mapping[str, Any]) -> list[tuple[int, int, bytes]]:
        return layouts.outcomes(rules, layout)

    def outcome_name(self, rules: Rules, purpose: int, counter: int) -> str:  # noqa: ARG002
        return layouts.outcome_name(purpose, counter)

    def outcome_text(self, rules: Rules, purpose: int, items: bytes) -> str:
        return layouts.outcome_text(rules.tables.house, purpose, items)


def read_characters(option: object, house: House, players: int) -> tuple[int, ...] | None:
    if option is None:
        return None
    if (
        not isinstance(option, list | tuple)
        or len(option) != players
        or len(set(map(str, option))) < players
        or any(character not in house.characters for character in option)
    ):
        raise BadOption("characters", option, f"{players} different ones of {', '.join(house.characters)}")
    return tuple(house.characters.index(character) for character in option)


ENGINE = CitadelEngine()
