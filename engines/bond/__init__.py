"""bond: spies, lairs and the folly of taunting before killing. RULES.md holds the rules."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from machiavel.engines.bond import _engine, events, refusals, schema
from machiavel.engines.bond.deck import load_deck
from machiavel.engines.bond.labels import about_card, attack_ends, move_words, no_attack, parts_of_move, value_label
from machiavel.engines.bond.reading import Reader
from machiavel.engines.decks import DECK_OPTION
from machiavel.engines.declared import DeclaredEngine
from machiavel.engines.hidden_places import WorldColumns
from machiavel.engines.hints import MoveParts
from machiavel.engines.phrases import Wording
from machiavel.engines.plugin import Rules

__all__ = ["ENGINE", "BondEngine"]


class BondEngine(DeclaredEngine):
    """The game as the rest of the house knows it."""

    name = "bond"
    table = "machiavel.server.games.bond.table:BondTable"
    form = "machiavel.server.games.bond.form:bond_form"
    native = _engine
    views, truths, layouts, moves, reader = schema.VIEWS, schema.TRUTHS, schema.LAYOUTS, schema.MOVES, Reader
    hidden = schema.HIDDEN
    players = range(2, 7)
    options = (DECK_OPTION,)
    declining = "let"  # R6.2
    story: ClassVar[Any] = events

    def make_rules(self, players: int, options: Mapping[str, Any]) -> Rules:
        deck, kept = load_deck(options.get("deck", "house"))
        complete = self.checked_options(players, {**options, "deck": kept})
        capsule = _engine.make_rules(players, list(deck.lairs), list(deck.spies))
        return self.rules_of(capsule, complete, deck, {"deck": deck.digest})

    def habits(self, rules: Rules, view: Mapping[str, Any], worlds: WorldColumns) -> NDArray[np.float64]:
        return schema.habits(rules, view, worlds)

    def why_illegal(self, rules: Rules, view: bytes, move: int) -> Wording:
        return refusals.why_illegal(self.view_json(rules, view), self.move_text(rules, move))

    def move_label(self, rules: Rules, move: int, language: str) -> str:
        return self.label(rules, self.moves.table(rules).texts[move], language)

    def public_label(self, rules: Rules, move: int, language: str) -> str:
        return self.label(rules, self.moves.table(rules).public[move], language)

    def label(self, rules: Rules, text: str, language: str) -> str:
        def seat(number: str) -> Callable[[str], str]:
            return lambda form: self.value_text(rules, {}, "seat", int(number), (language, form))

        return move_words(text, language, seat)

    def value_text(self, rules: Rules, seen: Mapping[str, Any], kind: str, value: Any, how: tuple[str, str]) -> str:
        return value_label(kind, value, *how) or super().value_text(rules, seen, kind, value, how)

    def thing_about(self, rules: Rules, kind: str, text: str, language: str) -> str:  # noqa: ARG002
        return about_card(kind, text, language)

    def hint_context(self, rules: Rules, seen: Mapping[str, Any], language: str) -> Mapping[str, str]:  # noqa: ARG002
        return no_attack(language)

    def move_context(self, rules: Rules, seen: Mapping[str, Any], move: str, language: str) -> Mapping[str, str]:
        return attack_ends(seen, move, language, lambda seat: self.seat_name(rules, seen, seat, language))

    def move_parts(self, rules: Rules, seen: Mapping[str, Any], move: str, language: str) -> MoveParts:
        return parts_of_move(seen, move, language, lambda seat: self.seat_name(rules, seen, seat, language))

    def metrics(self, rules: Rules) -> Sequence[str]:
        ends = ["reached_goal", "last_spy", "nobody_played", "turns"]
        seats = range(rules.players)
        return [
            *ends,
            *(f"{name}_{seat}" for seat in seats for name in ("points", "killed", "foiled")),
            *("this_killed", "this_escaped", "this_foiled"),
            *(f"{name}_{seat}" for seat in seats for name in ("scored", "wrecked")),
        ]


ENGINE = BondEngine()
