"""What the golden matches of liar's dice hold, and how many ways there are to go on."""

from functools import partial
from typing import Any

from machiavel.engines import State
from tests.engines.golden import Golden
from tests.engines.kit.liars_dice.table import GAME, seen

__all__ = ["GOLDEN"]


def outcome(state: State) -> dict[str, Any]:
    view = seen(state)
    return {"dice": view["dice"], "lifted": view["lifted"], "round": view["round"], "utilities": list(state.utilities)}


GOLDEN = Golden(
    game="liars_dice",
    outcome=outcome,
    kind_of=lambda move: move if move == "liar" else "bid",
    kinds=("liar", "bid"),
    players={2, 3, 4},
    holds={"a winner with one die": lambda data: sum(data["outcome"]["dice"]) == 1},
    positions={
        "2 players": (partial(GAME.new, 2, seed=1), [36, 666, 8850]),
        "4 players": (partial(GAME.new, 4, seed=1), [72, 2628]),
    },
)
