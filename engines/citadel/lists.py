"""Lists of named effects (R7): what cards, bonuses and abilities are made of."""

from machiavel.engines.decks import DeckReader

__all__ = ["EFFECTS", "Ability", "Effect", "EffectList", "grouped", "read_ability", "read_list"]

# In the order of the engine's enumeration.
EFFECTS = (
    *("step", "leap", "shadow", "unlock_here", "unlock_near", "unlock_anywhere"),
    *("disarm_near", "disarm_anywhere", "disarm_type", "lure", "hold"),
    *("time_back", "time_on", "marker_on", "extra", "reroll", "choose", "anyone_goes", "anyone_acts"),
)
TIMED = {"time_back", "time_on", "marker_on"}
OF_DICE = {"reroll", "choose"}
LONGEST, MOST_MINUTES, MOST_DICE, MOST_COST = 8, 30, 3, 3

Effect = tuple[int, int]  # kind and amount: spaces of the clock, or dice to roll again
EffectList = tuple[Effect, ...]
Ability = tuple[Effect, int]  # and what it costs, in actions


def read_list(entry: DeckReader, key: str) -> EffectList:
    effects: list[Effect] = []
    for effect in entry.tables(key, "a list of effects, as [{ do = 'step' }]"):
        result = read_effect(effect)
        effects += [result] * effect.number("count", 1, LONGEST, 1)
        effect.done()
    if not effects:
        raise entry.bad(key, "is empty; expected one effect at least")
    if len(effects) > LONGEST:
        raise entry.bad(key, f"are {len(effects)}; expected at most {LONGEST}, counted by `count`")
    return tuple(effects)


def read_effect(effect: DeckReader) -> Effect:
    name = effect.choice("do", EFFECTS)
    amount = 0
    if name in TIMED:
        minutes = effect.number("minutes", 5, MOST_MINUTES)
        if minutes % 5:
            raise effect.bad("minutes", f"are {minutes}; expected a multiple of 5, as the clock has spaces")
        amount = minutes // 5
    elif name == "reroll":
        amount = effect.number("dice", 1, MOST_DICE)
    return EFFECTS.index(name), amount


def read_ability(character: DeckReader) -> Ability:
    power = character.table("power", "a table with cost and effect")
    cost = power.number("cost", 0, MOST_COST)
    effect = power.table("effect", "an effect, as { do = 'shadow' }")
    result = read_effect(effect)
    name = EFFECTS[result[0]]
    if name == "time_on":
        raise effect.bad("do", "is 'time_on'; expected an effect that does not turn powers up, for it is part of one")
    if name in OF_DICE and cost:
        raise power.bad("cost", f"is {cost}; expected 0, for {name} is there at `end` by itself")
    effect.done()
    power.done()
    return result, cost


def grouped(effects: EffectList) -> list[tuple[Effect, int]]:
    """Equal effects in a row, with how many they are."""
    result: list[tuple[Effect, int]] = []
    for effect in effects:
        if result and result[-1][0] == effect:
            result[-1] = effect, result[-1][1] + 1
        else:
            result.append((effect, 1))
    return result
