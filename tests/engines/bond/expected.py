"""What the golden matches of bond hold, and how many ways there are to go on from fixed positions."""

from functools import partial
from typing import Any

from machiavel.engines import State
from tests.engines.bond.table import GAME, lay, play, seen
from tests.engines.golden import Golden, digest

__all__ = ["GOLDEN", "UNCITED"]

# Sections of the rules that say what the others are for; nothing in the code does them alone.
UNCITED = {"1"}

# Numbers of move sequences of length 1, 2, …: (players, seed, counts), and from laid-out positions.
SEEDED = [
    (2, 1, [2, 5, 10, 30, 67, 124]),
    (3, 5, [3, 11, 24, 93, 340, 1325]),
    (4, 2, [2, 8, 24, 113, 330, 1502]),
    (5, 3, [3, 13, 39, 227, 612, 3074]),
    (6, 4, [2, 8, 26, 150, 366, 1341]),
]
HANDS = ["lair:4 spy:3 spy:2 doubler:A doubler:B", "lair:3 spy:4 spy:4 doubler:A", "lair:2 spy:8 doubler:B"]
POSITIONS = [
    ("", [3, 13, 39, 148]),
    ("lair:4", [6, 18, 61, 207]),
    ("lair:4 end lair:3", [9, 24, 136, 393]),
    ("lair:4 end lair:3 spy:4>0", [2, 4, 9, 64]),
    ("lair:4 end lair:3 spy:4>0 go", [3, 6, 41, 110]),
    ("lair:4 spy:3>0", [3, 6, 29, 79]),
    ("lair:4 spy:3>0 taunt:A", [2, 4, 13, 33]),
]


def outcome(state: State) -> dict[str, Any]:
    view = seen(state)
    return {
        "points": view["points"],
        "idle": view["idle"],
        "utilities": [round(value, 6) for value in state.utilities],
        "truth": digest(state.truth()),
    }


def after(moves: str) -> State:
    return play(lay(3, HANDS, "lair:1 spy:5 doubler:C spy:6", seed=1), moves)


GOLDEN = Golden(
    game="bond",
    outcome=outcome,
    kind_of=lambda move: move.partition(">")[0].partition(":")[0],
    kinds="lair skip spy steal deck end add go kill taunt foil let".split(),
    players={2, 3, 4, 5, 6},
    holds={
        "a deck of one's own": lambda data: isinstance(data["record"]["options"]["deck"], dict),
        "thirty points": lambda data: max(data["outcome"]["points"]) >= 30,
        "fewer than thirty points": lambda data: max(data["outcome"]["points"]) < 30,
        "nobody plays": lambda data: bool(data["outcome"]["idle"]),
    },
    positions={
        **{
            f"{players} players, seed {seed}": (partial(GAME.new, players, seed=seed), counts) for players, seed, counts in SEEDED
        },
        **{f"after {moves or 'nothing'}": (partial(after, moves), counts) for moves, counts in POSITIONS},
    },
)
