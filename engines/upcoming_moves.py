"""Which moves may come next for all that a view tells, as its owner sees them."""

from collections.abc import Callable
from typing import NamedTuple

from machiavel.engines._face import View
from machiavel.engines.errors import MatchOver
from machiavel.engines.following import FollowingStopped, mover_of

__all__ = ["UpcomingMoves", "upcoming_moves"]

QUIET = 1024  # worlds in a row that bring no other move: then there is none that is met at a table
MOST = 8192  # worlds that are looked at
STEP = 64  # worlds between two looks at whether anybody still wants to know


class UpcomingMoves(NamedTuple):
    """The seat whose move comes next, and what its moves may be as the view's owner sees them, in the game's order."""

    seat: int
    moves: list[str]


def upcoming_moves(view: View, seat: int | None = None, is_stopped: Callable[[], bool] = lambda: False) -> UpcomingMoves | None:
    """The moves that are legal in some world of the view; of its own seat the legal ones. None when the match is over.

    It takes the view alone, and the same view gives the same result. Raises NotToMove where `seat` is another than the one whose
    move comes next, and FollowingStopped soon after `is_stopped` says so.
    """
    try:
        mover = mover_of(view, seat)
    except MatchOver:
        return None
    if mover == view.seat:
        return UpcomingMoves(mover, view.legal_moves())
    found: set[int] = set()
    last = 0
    for number in range(MOST):
        if number % STEP == 0 and is_stopped():
            raise FollowingStopped
        moves = view.determinize(number).moves_of(mover)
        if not found.issuperset(moves):
            found.update(moves)
            last = number
        elif number - last >= QUIET:
            break
    plugin, rules = view.game.plugin, view.rules
    return UpcomingMoves(mover, list(dict.fromkeys(plugin.public_text(rules, one) for one in sorted(found))))
