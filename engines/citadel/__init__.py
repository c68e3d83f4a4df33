"""citadel: four treasures out of Professor Evil's house, all together or not at all. RULES.md holds the rules."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from machiavel.engines.citadel import _engine, events, labels, refusals, schema
from machiavel.engines.citadel.house import COLOURS, House, Tables, load_house
from machiavel.engines.citadel.phrasing import Phrasing
from machiavel.engines.citadel.reading import Reader
from machiavel.engines.declared import DeclaredEngine
from machiavel.engines.errors import BadLayout
from machiavel.engines.hints import MoveParts
from machiavel.engines.layouts import Outcome
from machiavel.engines.phrases import Wording
from machiavel.engines.plugin import Rules
from machiavel.engines.views import ViewSchema

__all__ = ["ENGINE", "CitadelEngine"]


class CitadelEngine(DeclaredEngine):
    """The game as the rest of the house knows it."""

    name = "citadel"
    table = "machiavel.server.games.citadel.table:CitadelTable"
    form = "machiavel.server.games.citadel.form:citadel_form"
    native = _engine
    story: ClassVar[Any] = events
    views, truths, layouts, moves, reader = schema.VIEWS, ViewSchema(), schema.LAYOUTS, schema.MOVES, Reader
    hidden = schema.HIDDEN
    players = range(1, 6)
    hides_nothing = True
    options = schema.OPTIONS

    def make_rules(self, players: int, options: Mapping[str, Any]) -> Rules:
        house, kept = load_house(options.get("deck", "house"))
        first = {"setting": next(iter(house.settings))}
        given = {name: value for name, value in options.items() if value is not None}
        complete = self.checked_options(players, first | given, Tables(house)) | {"deck": kept}
        characters, setting = complete["characters"], complete["setting"]
        numbers = None if characters is None else tuple(map(house.characters.index, characters))
        capsule = _engine.make_rules(players, numbers, house, house.settings[setting])
        return self.rules_of(capsule, complete, Tables(house, setting, numbers), {"deck": house.digest})

    def move_label(self, rules: Rules, move: int, language: str) -> str:
        return labels.label(rules.tables.house, self.moves.table(rules).texts[move], language)

    def why_illegal(self, rules: Rules, view: bytes, move: int) -> Wording:
        return refusals.why_illegal(rules.tables.house, self.view_json(rules, view), self.move_text(rules, move))

    def value_text(self, rules: Rules, seen: Mapping[str, Any], kind: str, value: Any, how: tuple[str, str]) -> str:
        if kind == "seat":
            kind, value = "character", seen["characters"][value]
        if kind == "setting":  # one of a file of one's own is called by its id
            key = f"settings.{value}"
            return self.phrases()(key, how[0]) if key in self.phrases() else str(value)
        return labels.named(rules.tables.house, kind, value, how)

    def thing_about(self, rules: Rules, kind: str, text: str, language: str) -> str:
        return labels.about(rules.tables.house, kind, text, language)

    def hint_context(self, rules: Rules, seen: Mapping[str, Any], language: str) -> Mapping[str, str]:
        house, treasures = rules.tables.house, seen["treasures"]
        ids = {colour: treasures[colour] and treasures[colour]["id"] for colour in COLOURS}
        return {
            colour: labels.said(house, "things.treasure", language, colour=colour, treasure=ids[colour]) for colour in COLOURS
        }

    def move_parts(self, rules: Rules, seen: Mapping[str, Any], move: str, language: str) -> MoveParts:
        return Phrasing(rules.tables.house, seen, self.phrases(), language).parts(move)

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

    def outcomes(self, rules: Rules, layout: Mapping[str, Any]) -> list[Outcome]:
        if layout.get("characters") is not None and rules.tables.characters is not None:
            raise BadLayout("characters", self.problem("characters_given"))
        return super().outcomes(rules, layout)


ENGINE = CitadelEngine()
