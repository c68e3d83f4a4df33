"""What a check is tried on: a game with so many players and these options."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from machiavel.engines import Game, Rules, State
from machiavel.engines.conformance.engine_struct import RULES_CAPSULE, Contract, contract_of, pointer_of

__all__ = ["ConformanceCase", "usual_cases"]


@dataclass(frozen=True, eq=False)
class ConformanceCase:
    """A game by one set of rules."""

    game: Game
    players: int
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        options = [f"{name}={value.get('name') if isinstance(value, Mapping) else value}" for name, value in self.options.items()]
        return "-".join([self.game.name, str(self.players), *options])

    @cached_property
    def rules(self) -> Rules:
        return self.game.make_rules(self.players, **self.options)

    @property
    def contract(self) -> Contract:
        return contract_of(self.game.plugin)

    @property
    def pointer(self) -> int:
        """The engine's own rules, which live as long as `rules` does."""
        return pointer_of(self.rules.capsule, RULES_CAPSULE)

    @property
    def observers(self) -> Sequence[int | None]:
        """All seats, and the spectator."""
        return [*range(self.players), None]

    def new(self, seed: int) -> State:
        return self.game.deal(self.rules, seed=seed)


def usual_cases(game: Game, players: Sequence[int], options: Mapping[str, Any]) -> list[ConformanceCase]:
    """By these options; and where there are none, also with each option that is on or off the other way round."""
    spread: list[Mapping[str, Any]] = [options]
    if not options:
        spread += [{option.name: not option.default} for option in game.plugin.options if isinstance(option.default, bool)]
    return [ConformanceCase(game, number, chosen) for number in players for chosen in spread]
