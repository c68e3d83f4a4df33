"""whist: Knockout Whist at its simplest, and the smallest complete engine. RULES.md holds the rules."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from machiavel.engines.plugin import Engine, Rules
from machiavel.engines.whist import _engine, _play, codec, reading

__all__ = ["ENGINE", "WhistEngine"]


class WhistEngine(Engine):
    """The game as the rest of the house knows it."""

    name = "whist"
    capsule = _engine.capsule
    titles: ClassVar[Mapping[str, str]] = {"en": "Knockout Whist", "fr": "Whist à élimination"}
    players = range(2, 8)
    options = ()

    def make_rules(self, players: int, options: Mapping[str, Any]) -> Rules:  # noqa: ARG002
        complete = {"players": players}
        content = json.dumps(["whist", complete], sort_keys=True)
        return Rules(_play.make_rules(players), players, complete, hashlib.sha256(content.encode()).hexdigest())

    def move_text(self, rules: Rules, move: int) -> str:  # noqa: ARG002
        return codec.CARD_TEXTS[move]

    def parse_move(self, rules: Rules, text: str) -> Sequence[int]:  # noqa: ARG002
        return codec.parse_card(text)

    def move_label(self, rules: Rules, move: int, language: str) -> str:  # noqa: ARG002
        return codec.card_label(move, language)

    def why_illegal(self, rules: Rules, view: bytes, move: int) -> str:
        return codec.why_illegal(rules, view, move)

    def metrics(self, rules: Rules) -> Sequence[str]:
        return ["rounds", *(f"tricks_{seat}" for seat in range(rules.players))]

    def view_json(self, rules: Rules, view: bytes) -> dict[str, Any]:
        return codec.view_json(rules, view)

    def view_bytes(self, rules: Rules, data: Mapping[str, Any]) -> bytes:
        return reading.view_bytes(rules, data)

    def truth_json(self, rules: Rules, view: bytes, state: bytes) -> dict[str, Any]:
        return codec.truth_json(rules, view, state)

    def outcomes(self, rules: Rules, layout: Mapping[str, Any]) -> list[tuple[int, int, bytes]]:
        return codec.outcomes(rules, layout)

    def outcome_name(self, rules: Rules, purpose: int, counter: int) -> str:  # noqa: ARG002
        return codec.outcome_name(purpose, counter)

    def outcome_text(self, rules: Rules, purpose: int, items: bytes) -> str:  # noqa: ARG002
        return codec.outcome_text(purpose, items)


ENGINE = WhistEngine()
