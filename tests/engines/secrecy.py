"""What a game keeps from its seats, and what a seat is told in two matches that differ in nothing else."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from machiavel.engines import GameError, State
from tests.conformance.contract import OPTIONAL, contract_of, likelihood_of

__all__ = ["Leak", "Pair", "Secrecy", "first_difference", "leaking", "view_json"]

Json = dict[str, Any]
ViewJson = Callable[[State, int | None], Json]


@dataclass(frozen=True)
class Pair:
    """Two matches that differ only in what these seats, or a spectator (None), do not know.

    They are compared after so many moves.
    """

    starts: tuple[State, State]
    moves: tuple[Sequence[str], Sequence[str]]
    seats: Sequence[int | None]
    plies: Collection[int]

    def ends(self) -> tuple[State, State]:
        """Both matches after all their moves."""
        result = [start.copy() for start in self.starts]
        for state, moves in zip(result, self.moves, strict=True):
            for move in moves:
                state.play(move)
        return result[0], result[1]


@dataclass(frozen=True)
class Leak:
    """A face that tells too much, the pairs that are tried on it, and how many of them must show it."""

    view_json: ViewJson
    pairs: Mapping[str, int]
    least: int


@dataclass(frozen=True)
class Secrecy:
    """A game's pairs of matches, by kind.

    Of each, `tries` says how many to try, how many of them must differ in something, and how many to try in the slow test.
    """

    game: str
    pairs: Callable[[str, int], Iterator[Pair]]
    tries: Mapping[str, tuple[int, int, int]]
    wrong: Sequence[str]
    state_fields: Callable[[bytes], Json]
    view_fields: Callable[[bytes], Json]
    private: Collection[str]
    public: Collection[str]
    visible: Collection[str]
    leaks: Mapping[str, Leak]


def view_json(state: State, seat: int | None) -> Json:
    """What an honest face shows."""
    data: Json = state.view(seat).to_json()
    return data


def leaking(field: str, fields: Callable[[bytes], Json]) -> ViewJson:
    """A face whose views carry a field of the state."""
    return lambda state, seat: view_json(state, seat) | {field: fields(state.to_bytes())[field]}


def observed(secrecy: Secrecy, state: State, seat: int | None, show: ViewJson) -> object:
    """Everything the face gives to a seat."""
    view = state.view(seat)
    told: list[object] = [show(state, seat), view.to_bytes(), state.view_key(seat), state.observed_moves(seat), repr(view)]
    world = view.determinize(3)
    told += [world.to_bytes(), view.seats_to_move, view.is_over]
    if seat is not None and has_likelihood(state):
        told.append(likelihood_of(world, seat))
    if seat is not None and seat in state.seats_to_move:
        told.append(view.legal_moves())
    if seat is not None and seat == state.seat_to_move:
        told += [state.weights(), *(error_of(state, text) for text in secrecy.wrong)]
    return told


def has_likelihood(state: State) -> bool:
    assert "likelihood" in dict(OPTIONAL)
    return bool(contract_of(state.game.plugin).likelihood)


def error_of(state: State, text: str) -> str:
    before = state.to_bytes()
    try:
        state.resolve(text)
    except GameError as error:
        assert state.to_bytes() == before
        return f"{type(error).__name__}: {error}"
    return "legal"


def first_difference(secrecy: Secrecy, pair: Pair, show: ViewJson = view_json) -> int | None:
    """The first ply at which a seat could tell one match from the other; None: it never could."""
    first, second = (start.copy() for start in pair.starts)
    for ply in range(len(pair.moves[0]) + 1):
        if ply in pair.plies:
            for seat in pair.seats:
                if observed(secrecy, first, seat, show) != observed(secrecy, second, seat, show):
                    return ply
        if ply < len(pair.moves[0]):
            first.play(pair.moves[0][ply])
            second.play(pair.moves[1][ply])
    return None
