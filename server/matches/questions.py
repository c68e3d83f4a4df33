"""Who may answer now: all seats that are asked and whose answers do not wait for what another one says."""

from machiavel.engines import State

__all__ = ["questions"]


def questions(state: State) -> dict[int, State]:
    """By seat, the position in which it answers.

    That is the present one, but where seats are asked one after the other whether they end something (a foil): a later one
    answers for the case that those before it let it be, for in no other its answer counts.
    """
    result = dict.fromkeys(sorted(state.seats_to_move), state)
    declining = state.game.plugin.declining
    if declining is None or len(result) != 1:
        return result
    ahead = state
    while (seat := ahead.seat_to_move) is not None and declining in ahead.legal_moves():
        result[seat] = ahead
        ahead = ahead.copy()
        ahead.play(declining)
    return dict(sorted(result.items()))
