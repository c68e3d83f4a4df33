"""How the suite plays each game: numbers of players, and a spread of options."""

import os
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from machiavel.engines import games, load
from machiavel.engines.conformance import ConformanceCase

__all__ = ["CURIOUS", "DENSE", "EFFORT", "all_cases"]

# A deck of agency on which nearly every trick is followed in suit or begins with an exchange: worlds are hardest to draw.
DENSE: Mapping[str, Any] = {
    "name": "dense",
    "cards": {
        colour: {"ranks": list(range(1, 16)), "provenance": "for a test"} for colour in ("mauve", "blue", "green", "yellow")
    },
    "plans": [
        {"value": 1, "accomplice": "pass_left", "count": 10, "provenance": "for a test"},
        {"value": 2, "accomplice": "follow_suit", "count": 10, "provenance": "for a test"},
    ],
    "agents": [{"id": agent, "provenance": "for a test"} for agent in ("belton", "martha", "wxt", "jean", "moignons")],
}

# Decks of bond at both ends: as many kinds of cards as there can be, and one kind of each sort.
MANY_KINDS, ONE_KIND = (
    {
        "name": name,
        "lairs": [{"value": value, "count": count, "provenance": "for a test"} for value, count in counts],
        "spies": [{"value": value, "count": count, "provenance": "for a test"} for value, count in counts],
        "doublers": {"letters": "ABCDEFGHI", "copies": 2, "provenance": "for a test"},
    }
    for name, counts in (("many kinds", [(15, 4), *((value, 1) for value in range(1, 15))]), ("one kind", [(3, 18)]))
)


def curious_house() -> dict[str, Any]:
    """The house of citadel with cards that do in one list what no shipped card does: time leaps on, dice change often."""
    source = files("machiavel.engines.citadel") / "decks" / "house.toml"
    house = tomllib.loads(source.read_text(encoding="utf-8")) | {"name": "curious"}
    strange = [
        [{"do": "time_on", "minutes": 30}, {"do": "extra", "count": 3}, {"do": "step"}],
        [{"do": "time_on", "minutes": 15, "count": 2}, {"do": "anyone_goes", "count": 2}, {"do": "disarm_type"}],
        [{"do": "hold", "count": 2}, {"do": "unlock_here"}, {"do": "time_back", "minutes": 30}, {"do": "shadow"}],
        [{"do": "choose"}, {"do": "reroll", "dice": 1}, {"do": "reroll", "dice": 2}, {"do": "reroll", "dice": 3, "count": 2}],
        [
            {"do": "lure", "count": 3},
            {"do": "leap"},
            {"do": "disarm_near"},
            {"do": "unlock_near"},
            {"do": "time_on", "minutes": 10},
        ],
        [{"do": "anyone_acts", "count": 8}],
    ]
    for number, character in enumerate(house["characters"]):
        for card, effects in zip(character["cards"], strange, strict=True):
            card["effects"] = effects
        character["bonus"] = strange[number]
    house["treasures"][0]["minutes"] = 5
    house["settings"][0]["without"] = []
    return house


CURIOUS = curious_house()

# What besides an engine's defaults is worth playing: whatever leads through other code.
SPREADS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "agency": [
        {},
        {"powers": False},
        {"accomplices": False, "medals": 1},
        {"medals": 3},
        {"deck": DENSE},
    ],
    "bond": [{}, {"deck": MANY_KINDS}, {"deck": ONE_KIND}],
    "citadel": [{}, {"setting": "without_30"}, {"deck": CURIOUS}],
    "hearts": [{}, {"passing": False}],
    "kuhn": [{}, {"cards": 13}],
    "kuhn_elsewhere": [{}, {"cards": 13}],
}

# The sanitizers make everything several times slower.
CHECKED = "libasan" in os.environ.get("LD_PRELOAD", "")
EFFORT = float(os.environ.get("MACHIAVEL_CONFORMANCE_EFFORT", "0.5" if CHECKED else "1"))


def all_cases() -> list[ConformanceCase]:
    return [
        ConformanceCase(load(name), players, options)
        for name in games()
        for players in load(name).players
        for options in SPREADS.get(name, [{}])
    ]
