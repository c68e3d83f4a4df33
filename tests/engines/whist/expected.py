"""What the golden matches of whist hold, and how many ways there are to go on from fixed positions."""

from functools import partial
from typing import Any

from machiavel.engines import State
from tests.engines.golden import Golden
from tests.engines.whist.table import GAME, seen

__all__ = ["GOLDEN", "UNCITED"]

# Sections of the rules that say what the others are for; nothing in the code does them alone.
UNCITED = {"1", "6"}

# Numbers of move sequences of length 1, 2, … from the deal of a seed.
SEEDED = [
    (2, 1, [7, 27, 162, 508, 2540]),
    (3, 2, [7, 11, 26, 156, 382]),
    (4, 3, [7, 25, 31, 54, 324]),
    (7, 4, [7, 14, 60, 120, 324]),
]
END_OF_ROUND = [2, 4, 8, 8, 8, 8, 0]


def outcome(state: State) -> dict[str, Any]:
    view = seen(state)
    return {"round": view["round"], "tricks": view["tricks"], "utilities": list(state.utilities)}


def end_of_round() -> State:
    state = GAME.new(3, seed=1)
    while (seen(state)["round"], seen(state)["trick"]) < (4, 3):
        state.play(state.legal_moves()[0])
    return state


GOLDEN = Golden(
    game="whist",
    outcome=outcome,
    kind_of=lambda move: move[0],
    kinds="CDHS",
    players={2, 3, 7},
    holds={"the last round": lambda data: data["outcome"]["round"] == 7},
    positions={
        **{
            f"{players} players, seed {seed}": (partial(GAME.new, players, seed=seed), counts) for players, seed, counts in SEEDED
        },
        "over the end of a round": (end_of_round, END_OF_ROUND),
    },
)
