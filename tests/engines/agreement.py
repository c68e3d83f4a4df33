"""How a game's slow twin, written from the rules alone, is held against its engine."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from machiavel.engines import GameEvent, SeenMove, State

__all__ = ["Agreement", "agree", "agree_in_what_is_told", "compare_seats"]


@dataclass(frozen=True)
class Agreement:
    """A game's random matches of the twin, and how they are begun again in both and compared at every step.

    `positions` is how many the first so many `matches` must have at least; their moves are of these `kinds`, and of no others.
    Ways to go on are counted from the matches that `dealt` gives for a number of players and a seed, all luck laid out, so many
    moves deep. None are where luck depends on what was played before.
    `happened` tells of a move what the twin's own books say, from the twin before it and after: events of the kinds `told`, in
    the engine's order, as a seat sees them, or a spectator. What a twin keeps no books of is left out of `told`.
    """

    game: str
    random_match: Callable[[int], Any]
    engine_start: Callable[[Any], State]
    twin_start: Callable[[Any], Any]
    compare: Callable[[State, Any], None]
    copied: Callable[[Any], Any]
    kinds_of: Callable[[Any], set[str]]
    kinds: Collection[str]
    dealt: Callable[[int, int], Any] | None
    counted: Sequence[tuple[int, int, int]]
    utilities: Callable[[Any], Any] = lambda match: match.utilities()
    compare_end: Callable[[State, Any], None] = lambda _state, _match: None
    matches: int = 60
    positions: int = 3000
    told: Collection[str] = ()
    happened: Callable[[Any, str, Any, int | None], Iterator[GameEvent]] | None = None


def agree(agreement: Agreement, match: Any) -> int:
    """A whole match, compared at every step; returns how many positions."""
    state = agreement.engine_start(match)
    twin = agreement.twin_start(match)
    agreement.compare(state, twin)
    for move in match.moves:
        state.play(move)
        twin.play(move)
        agreement.compare(state, twin)
    assert state.is_over
    assert state.moves == tuple(match.moves)
    assert list(state.utilities) == pytest.approx(agreement.utilities(match))
    agreement.compare_end(state, match)
    return len(match.moves) + 1


def agree_in_what_is_told(agreement: Agreement, match: Any) -> set[str]:
    """A whole match: what the engine tells each seat and a spectator of every move is what the twin knows of it.

    Returns the kinds of what was told.
    """
    assert agreement.happened is not None
    state, twin = agreement.engine_start(match), agreement.twin_start(match)
    seats, plugin, kinds = (*range(state.players), None), state.game.plugin, set()
    after = [state.view(seat).to_json()["view"] for seat in seats]
    for move in match.moves:
        mover = state.seat_to_move
        assert mover is not None
        before, twin_before = after, agreement.copied(twin)
        state.play(move)
        twin.play(move)
        after = [state.view(seat).to_json()["view"] for seat in seats]
        for seat, seen, now in zip(seats, before, after, strict=True):
            events = plugin.events(state.rules, seen, SeenMove(mover, state.observed_moves(seat)[-1]), now)
            told = [event for event in events if event.kind in agreement.told]
            assert told == list(agreement.happened(twin_before, move, twin, seat)), (seat, move)
            kinds |= {event.kind for event in told}
    return kinds


def compare_seats(state: State, twin: Any) -> None:
    """Who is asked, what they may play, and what everybody sees."""
    assert sorted(state.seats_to_move) == twin.to_move
    for seat in twin.to_move:
        assert sorted(state.legal_moves(seat)) == sorted(twin.legal_moves(seat))
    for seat in (*range(twin.players), None):
        assert state.view(seat).to_json()["view"] == twin.view(seat)
