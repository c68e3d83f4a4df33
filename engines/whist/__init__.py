"""whist: Knockout Whist at its simplest, and the smallest complete engine. RULES.md holds the rules."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from machiavel.engines.hints import HintWords, load_hints
from machiavel.engines.plugin import CodecEngine, Rules
from machiavel.engines.whist import _engine, _play, codec, reading

__all__ = ["ENGINE", "WhistEngine"]


class WhistEngine(CodecEngine):
    """The game as the rest of the house knows it."""

    name = "whist"
    capsule = _engine.capsule
    codec = codec
    reading = reading
    titles: ClassVar[Mapping[str, str]] = {"en": "Knockout Whist", "fr": "Whist à élimination"}
    players = range(2, 8)
    options = ()

    def make_rules(self, players: int, options: Mapping[str, Any]) -> Rules:  # noqa: ARG002
        complete = {"players": players}
        content = json.dumps(["whist", complete], sort_keys=True)
        return Rules(_play.make_rules(players), players, complete, hashlib.sha256(content.encode()).hexdigest())

    def move_text(self, rules: Rules, move: int) -> str:  # noqa: ARG002
        return codec.CARD_TEXTS[move]

    def move_label(self, rules: Rules, move: int, language: str) -> str:  # noqa: ARG002
        return codec.card_label(move, language)

    def hint_words(self, rules: Rules) -> HintWords:  # noqa: ARG002
        return load_hints(__package__)

    def move_subject(self, rules: Rules, seen: Mapping[str, Any], move: int, language: str) -> str:  # noqa: ARG002
        return codec.CARD_TEXTS[move]

    def metrics(self, rules: Rules) -> Sequence[str]:
        return ["rounds", *(f"{name}_{seat}" for name in ("tricks", "trick", "stays") for seat in range(rules.players))]


ENGINE = WhistEngine()
