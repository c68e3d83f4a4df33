"""Who may answer now: all seats that are asked and whose answers do not wait for what another one says."""

from collections.abc import Sequence
from dataclasses import dataclass

from machiavel.engines import State

__all__ = ["PendingAnswer", "PendingQuestion", "Restart", "decisions_of", "questions"]


@dataclass(frozen=True)
class PendingQuestion:
    """A question to a seat."""

    seq: int  # of the event that asked it
    version: int  # of that seat, then
    timed_from: int  # the seq of the event from which its time runs: that one, or a hand-back
    time: int  # of that event, in nanoseconds since 1970


@dataclass(frozen=True)
class Restart:
    """When a server took a match up: questions that stood then have all their time from there on."""

    seq: int = 0  # of the last event then
    time: int = 0  # in nanoseconds since 1970


@dataclass(frozen=True)
class PendingAnswer:
    """An answer that waits for its turn."""

    move: str
    seq: int  # of the event that asked for it


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


def decisions_of(deal: State, moves: Sequence[str], seat: int) -> list[int]:
    """How many moves stood before each move of the seat; whether it had a choice then is for the seat alone to know."""
    state, result = deal, []
    for ply, move in enumerate(moves):
        if state.seat_to_move == seat:
            result.append(ply)
        state.play(move)
    return result
