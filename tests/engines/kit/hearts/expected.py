"""What the golden matches of hearts hold, and how many ways there are to go on."""

from functools import partial
from typing import Any

from machiavel.engines import State
from tests.engines.golden import Golden
from tests.engines.kit.hearts.table import GAME, seen

__all__ = ["GOLDEN"]


def outcome(state: State) -> dict[str, Any]:
    view = seen(state)
    return {"way": view["way"], "points": view["points"], "utilities": list(state.utilities)}


GOLDEN = Golden(
    game="hearts",
    outcome=outcome,
    kind_of=lambda move: "pass" if move.startswith("pass:") else move[0],
    kinds=("pass", *"CDHS"),
    players={4},
    holds={
        "no passing": lambda data: not data["record"]["options"]["passing"],
        **{way: lambda data, way=way: data["outcome"]["way"] == way for way in ("keep", "left", "across", "right")},  # type: ignore[misc]
        "the moon": lambda data: 26 in data["outcome"]["points"],
    },
    positions={
        "seed 0": (partial(GAME.new, 4, seed=0), [13, 156, 1716]),
        "seed 1, no passing": (partial(GAME.new, 4, seed=1, passing=False), [1]),
    },
)
