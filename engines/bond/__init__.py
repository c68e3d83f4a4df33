"""bond: spies, lairs and the folly of taunting before killing. RULES.md holds the rules."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from machiavel.engines.bond import _engine, _rules, codec, reading
from machiavel.engines.bond.deck import load_deck
from machiavel.engines.bond.labels import move_label
from machiavel.engines.decks import DECK_OPTION
from machiavel.engines.hints import HintWords, load_hints
from machiavel.engines.plugin import CodecEngine, Rules

__all__ = ["ENGINE", "BondEngine"]


class BondEngine(CodecEngine):
    """The game as the rest of the house knows it."""

    name = "bond"
    capsule = _engine.capsule
    codec = codec
    reading = reading
    titles: ClassVar[Mapping[str, str]] = {"en": "Before I kill you, Mr. Bond…", "fr": "Avant de vous tuer, M. Bond…"}
    players = range(2, 7)
    options = (DECK_OPTION,)
    declining = "let"  # R6.2

    def make_rules(self, players: int, options: Mapping[str, Any]) -> Rules:
        deck, kept = load_deck(options.get("deck", "house"))
        complete = {"players": players, "deck": kept}
        capsule = _rules.make(players, list(deck.lairs), list(deck.spies))
        content = json.dumps(["bond", complete | {"deck": deck.digest}], sort_keys=True)
        tables = codec.Tables(deck, players)
        return Rules(capsule, players, complete, hashlib.sha256(content.encode()).hexdigest(), tables)

    def public_text(self, rules: Rules, move: int) -> str:
        return codec.public_text(rules, move)

    def move_label(self, rules: Rules, move: int, language: str) -> str:
        return move_label(codec.move_text(rules, move), language)

    def public_label(self, rules: Rules, move: int, language: str) -> str:
        return move_label(codec.public_text(rules, move), language)

    def hint_words(self, rules: Rules) -> HintWords:  # noqa: ARG002
        return load_hints(__package__)

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
