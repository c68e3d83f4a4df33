"""A check under way: the matches it plays, where it is, how much it has looked at, and what it found."""

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from machiavel.engines import Game, State
from machiavel.engines.conformance.cases import ConformanceCase
from machiavel.engines.conformance.engine_struct import RULES_CAPSULE, contract_of, pointer_of
from machiavel.engines.errors import shown

__all__ = ["Finding", "NotTried", "Trial", "told", "walk"]

Kinds = type[Exception] | tuple[type[Exception], ...]


@dataclass(frozen=True)
class Finding:
    """Something that is not as it must be, and where: a deal by its seed, the moves after it, and a seat."""

    check: str
    game: str
    players: int
    options: Mapping[str, Any]
    seed: int | None
    moves: Sequence[str]
    seat: int | None
    expected: str
    came: str

    def __str__(self) -> str:
        where = "" if self.seed is None else f" seed {self.seed}, {len(self.moves)} moves"
        who = "" if self.seat is None else f", seat {self.seat}"
        options = f" {dict(self.options)}" if self.options else ""
        return f"{self.check}: {self.players} players{options}{where}{who}: expected {self.expected}; came {self.came}"


class NotTried(Exception):
    """There is nothing to check here; the message says why."""


class Stuck(Exception):
    """A match does not go on, or does not end."""


class Trial:
    """Checks yield what its methods return; where it is follows the matches it walks through.

    `effort` multiplies how much is played; with another `seed` it plays other matches. `watch` is told where it is before
    anything is asked of the engine there, so that the place is known when the engine takes the process down.
    """

    def __init__(
        self,
        case: ConformanceCase,
        check: str = "",
        *,
        seed: int = 0,
        effort: float = 1.0,
        watch: Callable[[str], None] | None = None,
    ) -> None:
        self.case = case
        self.counts: Counter[str] = Counter()
        self.told: list[str] = []  # sentences besides what it finds: figures, and what holds without being judged
        self._check = check
        self._seed = seed
        self._effort = effort
        self._watch = watch
        self._state: State | None = None

    @property
    def game(self) -> Game:
        return self.case.game

    # ---- What is played ----

    def scaled(self, count: int) -> int:
        """How often to do what is worth doing `count` times."""
        return max(1, round(count * self._effort))

    def seeds(self, count: int) -> range:
        """About so many seeds, no two trials of different seeds the same."""
        first = self._seed << 32
        return range(first, first + self.scaled(count))

    def new(self, seed: int) -> State:
        """A fresh deal."""
        self.note(f"deal of seed {seed}")
        state = self.case.new(seed)
        self.counts["matches"] += 1
        return self.place(state)

    def walk(self, seed: int) -> Iterator[tuple[State, random.Random]]:
        """A match at random, position by position; see `walk`."""
        for state, draw in walk(self.new(seed), seed):
            self.at(state)
            yield state, draw

    def sample(self, count: int, salt: int = 0) -> list[State]:
        """About `count` positions, or a match more, spread over random matches; of each the first and the last."""
        draw = random.Random(f"{self.case} {salt}" + (f" {self._seed}" if self._seed else ""))
        wanted = self.scaled(count)
        result: list[State] = []
        while len(result) < wanted:
            match = []
            for state, _ in walk(self.new(draw.getrandbits(64)), draw.getrandbits(64)):
                match.append(self.place(state).copy())
            inner = match[1:-1]
            result += [match[0], *draw.sample(inner, min(len(inner), max(1, wanted // 3))), match[-1]]
        return result

    def visit(self, states: Iterable[State]) -> Iterator[State]:
        for state in states:
            yield self.at(state)

    def positions(self, count: int, salt: int = 0) -> Iterator[State]:
        """A sample, one by one."""
        return self.visit(self.sample(count, salt))

    def at(self, state: State) -> State:
        """The position that is looked at now."""
        self.counts["positions"] += 1
        return self.place(state)

    def place(self, state: State) -> State:
        """Where a finding would be."""
        self._state = state
        if self._watch is not None:
            self._watch(f"seed {state.seed}, after {len(state.moves)} moves: {' '.join(state.moves)}")
        return state

    def note(self, what: str) -> None:
        """What is asked of the engine next, where that is no position of a match."""
        self._state = None
        if self._watch is not None:
            self._watch(what)

    def tell(self, sentence: str) -> None:
        """Something worth reading that is no fault."""
        self.told.append(sentence)

    # ---- What is found ----

    def finding(self, expected: str, came: object, seat: int | None = None) -> Finding:
        state, case = self._state, self.case
        return Finding(
            self._check,
            case.game.name,
            case.players,
            case.options,
            None if state is None else state.seed,
            () if state is None else state.moves,
            seat,
            expected,
            came if came and isinstance(came, str) else shown(came),
        )

    def expect(self, holds: object, expected: str, came: object = "something else", seat: int | None = None) -> list[Finding]:
        """Nothing where it holds; else what was expected, and what came."""
        return [] if holds else [self.finding(expected, came, seat)]

    def equal(self, came: object, wanted: object, what: str, seat: int | None = None) -> list[Finding]:
        """Nothing where they are equal."""
        return [] if came == wanted else [self.finding(f"{what}: {shown(wanted)}", came, seat)]

    def refused(self, kinds: Kinds, what: str, call: Callable[[], object], *, naming: str = "") -> list[Finding]:
        """Nothing where the call raises one of these errors with that text in it."""
        names = " or ".join(kind.__name__ for kind in (kinds if isinstance(kinds, tuple) else (kinds,)))
        expected = f"{what} to raise {names}" + (f" that names {naming!r}" if naming else "")
        try:
            came = call()
        except kinds as error:
            return self.expect(naming in str(error), expected, str(error))
        except Exception as error:  # noqa: BLE001 - any other error is what is looked for
            return [self.finding(expected, told(error))]
        return [self.finding(expected, came)]


def told(error: Exception) -> str:
    text = str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def walk(state: State, seed: int) -> Iterator[tuple[State, random.Random]]:
    """The state at each of its positions on the way to the end, moving at random; the last is over.

    The same object each time; the generator may be used between, or the match be played on by hand.
    """
    draw = random.Random(seed)
    contract = contract_of(state.game.plugin)
    most = contract.max_plies(pointer_of(state.rules.capsule, RULES_CAPSULE))
    for number in itertools.count():
        yield state, draw
        if state.is_over:
            return
        if number >= most:
            raise Stuck(f"no end after {number} moves, which is as many as max_plies allows")
        moves = state.legal_moves()
        if not moves:
            raise Stuck(f"no legal move for seat {state.seat_to_move}, and no end")
        state.play(draw.choice(moves))
