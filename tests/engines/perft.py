"""How many ways there are to go on: the count every engine's rules can be held to."""

from machiavel.engines import State

__all__ = ["leaves"]


def leaves(state: State, depth: int) -> int:
    """The number of sequences of that many moves."""
    moves = state.legal_moves()
    if depth == 1 or not moves:
        return len(moves)
    count = 0
    for move in moves:
        other = state.copy()
        other.play(move)
        count += leaves(other, depth - 1)
    return count
