"""What the golden matches of Kuhn poker hold, and how many ways there are to go on."""

from functools import partial
from typing import Any

from machiavel.engines import State
from tests.engines.golden import Golden
from tests.engines.kit.kuhn.table import GAME, seen

__all__ = ["GOLDEN"]


def outcome(state: State) -> dict[str, Any]:
    view = seen(state)
    return {"table": view["table"], "chips": view["chips"], "winner": view["winner"], "utilities": list(state.utilities)}


GOLDEN = Golden(
    game="kuhn",
    outcome=outcome,
    kind_of=lambda move: move,
    kinds=("pass", "bet"),
    players={2},
    holds={
        "a card shown": lambda data: None not in data["outcome"]["table"],
        "a pot given up": lambda data: None in data["outcome"]["table"],
        "thirteen cards": lambda data: data["record"]["options"]["cards"] == 13,
    },
    positions={"seed 1": (partial(GAME.new, 2, seed=1), [2, 4, 2, 0])},
)
