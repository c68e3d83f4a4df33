"""What the golden matches of agency hold, and how many ways there are to go on from fixed positions."""

from functools import partial
from typing import Any

from machiavel.engines import State
from tests.engines.agency.table import GAME, lay, play_to, seen
from tests.engines.golden import Golden, digest

__all__ = ["GOLDEN", "UNCITED"]

# Sections of the rules that say what the others are for; nothing in the code does them alone.
UNCITED = {"1", "10"}

# Numbers of move sequences of length 1, 2, …: (players, seed, counts), and with three players by the top of the pile.
SEEDED = [
    (2, 1, [6, 36, 180, 900]),
    (3, 0, [6, 9, 35, 175]),
    (4, 429, [4, 24, 51, 138]),
    (5, 52, [4, 24, 32, 44]),
    (5, 50, [6, 36, 216, 1296]),
]
PILES = [
    ("1 2", [6, 36, 216, 1080]),
    ("5+follow_suit 2", [6, 8, 36, 180]),
    ("1+pass_left 2", [6, 36, 216, 1296]),
    ("belton wxt 5+follow_suit 2", [3, 18, 24, 108]),
    ("moignons belton 1", [2, 6, 36, 216]),
    ("wxt 5+follow_suit 2", [6, 8, 36, 180]),
]
END_OF_ROUND = [2, 4, 4, 4, 24]
HANDS = ["M1 B1 B2 G1 Y1 Y2", "M2 B3 G2 G3 G4 Y3", "B4 B5 B6 B7 Y4 Y5"]


# What positions tell since the golden matches were written: it follows from the rest.
LATER = {"points", "bonus"}


def outcome(state: State) -> dict[str, Any]:
    last = seen(state)["last_round"]
    return {
        "round": seen(state)["round"],
        "points": last["points"],
        "medals": seen(state)["medals"],
        "utilities": [round(value, 6) for value in state.utilities],
        "truth": digest({name: value for name, value in state.truth().items() if name not in LATER}),
    }


def under(pile: str) -> State:
    """A power or an accomplice on top of the pile."""
    return lay(3, HANDS, pile, agents=["belton", "moignons", "wxt"])


def end_of_round() -> State:
    return play_to(lay(2, powers=False, medals=9), 1, 11)


GOLDEN = Golden(
    game="agency",
    outcome=outcome,
    kind_of=lambda move: move.partition(":")[0] if ":" in move else "card",
    kinds={"lead", "look", "pass", "card"},
    players={2, 3, 4, 5},
    holds={"a deck of one's own": lambda data: isinstance(data["record"]["options"]["deck"], dict)},
    positions={
        **{
            f"{players} players, seed {seed}": (partial(GAME.new, players, seed=seed), counts) for players, seed, counts in SEEDED
        },
        **{f"under {pile}": (partial(under, pile), counts) for pile, counts in PILES},
        "the end of a round": (end_of_round, END_OF_ROUND),
    },
)
