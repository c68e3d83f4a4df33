"""What the golden matches of citadel hold, and how many ways there are to go on from fixed positions."""

from functools import partial
from typing import Any

from machiavel.engines import State
from tests.engines.citadel.table import GAME, seen, situation
from tests.engines.golden import Golden, digest

__all__ = ["GOLDEN", "UNCITED"]

# Sections of the rules that say what the others are for; nothing in the code does them alone.
UNCITED = {"11"}

# Numbers of move sequences of length 1, 2, … from the deal of a seed: (players, seed, counts).
SEEDED: list[tuple[int, int, list[int]]] = [
    (1, 1, [23, 405, 2618, 15214]),
    (2, 2, [10, 54, 301, 1526]),
    (3, 3, [6, 30, 174, 1035]),
    (4, 4, [6, 36, 218]),
    (5, 5, [22, 163, 1246]),
]
# The same from situations.
INSIDE: list[int] = [24, 314, 3438]
WITH_DICE: list[int] = [16, 167, 1080]


def outcome(state: State) -> dict[str, Any]:
    view = seen(state)
    told = {field: view[field] for field in ("turn", "saved", "lost", "result")}
    return told | {"utilities": list(state.utilities), "truth": digest(state.truth())}


def inside() -> State:
    """In the middle of the house, with everybody's powers up."""
    doors = ["main_hall:blue", "gallery:red", "conservatory:green", "laboratory:blue"]
    return situation(3, places=["trophy_room", "study", None], open=doors, powers=[True] * 3, professor="cellar")


def with_dice() -> State:
    dice = {"professor": "5", "colour": "red", "clock": 10}
    return situation(2, phase="dice", actions=0, chooses=1, rerolls=[1, 0, 1], dice=dice)


GOLDEN = Golden(
    game="citadel",
    outcome=outcome,
    kind_of=lambda move: move.partition(":")[0],
    kinds="go unlock disarm take card bonus power end activate reroll choose keep".split(),
    players={1, 2, 3, 4, 5},
    holds={
        "a house of one's own": lambda data: isinstance(data["record"]["options"]["deck"], dict),
        "a match won": lambda data: data["outcome"]["result"] == "won",
        "a match lost": lambda data: data["outcome"]["result"] == "lost",
    },
    positions={
        **{
            f"{players} players, seed {seed}": (partial(GAME.new, players, seed=seed), counts) for players, seed, counts in SEEDED
        },
        "inside the house": (inside, INSIDE),
        "with dice on the table": (with_dice, WITH_DICE),
    },
)
