"""Lists of named effects (R7): what cards, bonuses and abilities are made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from machiavel.engines.fields import BAD, Choice, ListOf, Number, Place, RecordOf, Type
from machiavel.engines.phrases import Wording, load_phrases
from machiavel.engines.plugin import Rules

__all__ = ["EFFECTS", "OF_DICE", "PHRASES", "TIMED", "Ability", "Effect", "EffectList", "EffectRow", "NamedEffect", "grouped"]

# In the order of the engine's enumeration.
EFFECTS = (
    *("step", "leap", "shadow", "unlock_here", "unlock_near", "unlock_anywhere"),
    *("disarm_near", "disarm_anywhere", "disarm_type", "lure", "hold"),
    *("time_back", "time_on", "marker_on", "extra", "reroll", "choose", "anyone_goes", "anyone_acts"),
)
TIMED = ("time_back", "time_on", "marker_on")
OF_DICE = ("reroll", "choose")
LONGEST, MOST_MINUTES, MOST_DICE = 8, 30, 3
PHRASES = load_phrases(__package__ or "")

Effect = tuple[int, int]  # kind and amount: spaces of the clock, or dice to roll again
EffectList = tuple[Effect, ...]
Ability = tuple[Effect, int]  # and what it costs, in actions


@dataclass(frozen=True)
class NamedEffect(Type):
    """An effect of a house, as `{ do = "step" }`: which one says what else it has. With how often it is there."""

    is_counted: bool = True
    name: str = "effect"

    def read(self, place: Place, value: Any) -> Any:
        do = value.get("do") if isinstance(value, Mapping) else None
        fields: dict[str, Type] = {"do": Choice(EFFECTS)}
        if do in TIMED:
            fields["minutes"] = Number(5, MOST_MINUTES, step=5)
        elif do == "reroll":
            fields["dice"] = Number(1, MOST_DICE)
        if self.is_counted:
            fields["count"] = Number(1, LONGEST)
        told = RecordOf(fields, optional=("count",)).read(place, value)
        if told is BAD:
            return BAD
        return (told["do"], told.get("minutes", 0) // 5 + told.get("dice", 0)), told.get("count", 1)

    def expected(self, rules: Rules) -> Wording:  # noqa: ARG002
        return PHRASES.wording("problems.an_effect")


@dataclass(frozen=True)
class EffectRow(Type):
    """The effects of a card or bonus of a house, each as often as it counts."""

    name: str = "list of effects"

    def read(self, place: Place, value: Any) -> Any:
        told = ListOf(NamedEffect()).read(place, value)
        if told is BAD:
            return BAD
        effects = tuple(effect for effect, count in told for _ in range(count))
        if effects and len(effects) <= LONGEST:
            return effects
        key = "too_many_effects" if effects else "no_effect"
        return place.refused(PHRASES.wording(f"problems.{key}", count=len(effects), most=LONGEST))

    def expected(self, rules: Rules) -> Wording:  # noqa: ARG002
        return PHRASES.wording("problems.effects")


def grouped(effects: EffectList) -> list[tuple[Effect, int]]:
    """Equal effects in a row, with how many they are."""
    result: list[tuple[Effect, int]] = []
    for effect in effects:
        if result and result[-1][0] == effect:
            result[-1] = effect, result[-1][1] + 1
        else:
            result.append((effect, 1))
    return result
