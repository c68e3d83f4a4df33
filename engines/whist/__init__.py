"""whist: Knockout Whist at its simplest, and the smallest complete engine. RULES.md holds the rules."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from machiavel.engines.plugin import Rules
from machiavel.engines.whist import _engine, events, schema
from machiavel.engines.whist.labels import WhistWords

__all__ = ["ENGINE", "WhistEngine"]


class WhistEngine(WhistWords):
    """The game as the rest of the house knows it."""

    name = "whist"
    form = "machiavel.server.games.whist.form:whist_form"
    native = _engine
    views, truths, layouts, moves, reader = schema.VIEWS, schema.TRUTHS, schema.LAYOUTS, schema.MOVES, schema.Reader
    hidden = schema.HIDDEN
    players = range(2, 8)
    story: ClassVar[Any] = events

    def make_rules(self, players: int, options: Mapping[str, Any]) -> Rules:
        return self.rules_of(_engine.make_rules(players), self.checked_options(players, options))

    def metrics(self, rules: Rules) -> Sequence[str]:
        return ["rounds", *(f"{name}_{seat}" for name in ("tricks", "trick", "stays") for seat in range(rules.players))]


ENGINE = WhistEngine()
