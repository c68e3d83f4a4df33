"""What a game keeps from its seats, and what a seat is told in two matches that differ in nothing else."""

import copy
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from machiavel.engines import LANGUAGES, Engine, GameError, GameEvent, Phrases, SeenMove, State, Teller
from machiavel.engines.conformance.engine_struct import OPTIONAL, contract_of, likelihood_of
from machiavel.engines.phrases import Span

__all__ = [
    "TELLING_LEAKS",
    "Leak",
    "Pair",
    "Secrecy",
    "differences_told",
    "first_difference",
    "honest",
    "leaking",
    "view_json",
]

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


# ---- What is told ----


def differences_told(pair: Pair, plugin_of: Callable[[State], Engine]) -> Iterator[bool]:
    """Whether a seat was told of a move in one match otherwise than in the other; only where it saw the same in both.

    The pair's seats and a spectator are told, by the plugin of each state, what led to the plies that are compared, and what
    there is to tell of the place alone.
    """
    states = tuple(start.copy() for start in pair.starts)
    seats = list(dict.fromkeys([*pair.seats, None]))
    for ply in range(len(pair.moves[0]) + 1):
        is_compared = ply in pair.plies
        before = [seen_by(state, seats) if is_compared else {} for state in states]
        movers = [state.seat_to_move for state in states]
        if ply:
            for state, moves in zip(states, pair.moves, strict=True):
                state.play(moves[ply - 1])
        for seat in seats if is_compared else ():
            after = [view_json(state, seat)["view"] for state in states]
            told: list[list[Any]] = [[(None, None, seen) for seen in after]]
            if ply:
                moves_seen = [state.observed_moves(seat)[-1] for state in states]
                seen_moves = [SeenMove(mover or 0, move) for mover, move in zip(movers, moves_seen, strict=True)]
                told.append(list(zip([earlier[seat] for earlier in before], seen_moves, after, strict=True)))
            for arguments in told:
                if arguments[0] == arguments[1]:
                    yield differ(states, plugin_of, seat, arguments)


def seen_by(state: State, seats: Collection[int | None]) -> dict[int | None, Json]:
    return {seat: view_json(state, seat)["view"] for seat in seats}


def differ(states: Sequence[State], plugin_of: Callable[[State], Engine], seat: int | None, arguments: Sequence[Any]) -> bool:
    told = []
    for state, given in zip(states, arguments, strict=True):
        tellers = [Teller(plugin_of(state), state.rules, language, seat) for language in LANGUAGES]
        told.append([(teller.events(*given), teller.tell(*given)) for teller in tellers])
    return told[0] != told[1]


def honest(state: State) -> Engine:
    return state.game.plugin


class PhrasesWithTruth(Phrases):
    """The texts of a game, and one more."""

    def __init__(self, known: Phrases) -> None:
        super().__init__({language: {"events": {"truth": "{truth}"}} for language in LANGUAGES})
        self._known = known

    def __contains__(self, key: str) -> bool:
        return super().__contains__(key) or key in self._known

    def spans(self, key: str, *arguments: Any) -> list[Span]:
        return super().spans(key, *arguments) if super().__contains__(key) else self._known.spans(key, *arguments)


def leak_of_events(state: State, leak: Leak) -> Engine:
    """A plugin whose events peek into the match itself."""
    plugin = state.game.plugin

    class Peeping(type(plugin)):  # type: ignore[misc]
        def events(self, *arguments: Any) -> list[GameEvent]:
            return [*super().events(*arguments), GameEvent("truth", {"truth": leaked(state, leak)})]

        def phrases(self) -> Phrases:
            return PhrasesWithTruth(plugin.phrases())

    made = as_class(plugin, Peeping)
    made.event_kinds = {**plugin.event_kinds, "truth": {"truth": "json"}}
    return cast(Engine, made)


def leak_of_words(state: State, leak: Leak) -> Engine:
    """A plugin whose events are honest, and whose words are not."""
    plugin = state.game.plugin

    class Peeping(type(plugin)):  # type: ignore[misc]
        def value_text(self, *arguments: Any) -> str:
            return f"{super().value_text(*arguments)}, {leaked(state, leak)}"

        def phrases(self) -> Phrases:
            return plugin.phrases()

    return cast(Engine, as_class(plugin, Peeping))


def as_class(plugin: Engine, kind: type[Engine]) -> Any:
    """A copy of a plugin whose methods are those of a class of its own."""
    made: Any = copy.copy(plugin)
    made.__class__ = kind
    return made


def leaked(state: State, leak: Leak) -> str:
    return json.dumps(leak.view_json(state, None), sort_keys=True, default=str)


TELLING_LEAKS: Mapping[str, Callable[[State, Leak], Engine]] = {"events": leak_of_events, "words": leak_of_words}
