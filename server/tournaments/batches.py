"""What a worker does: a batch of games, as lines for the journal and as numbers. Which batch a game is in makes no difference."""

import json
import threading
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from machiavel.engines import BadOption, Game, GameError, Rules, State, add_file, load
from machiavel.search.match_runner import Runner, contestant, seed_of_deal
from machiavel.server.tournaments._lines import game_lines
from machiavel.server.tournaments.failed_bots import FailedBot
from machiavel.server.tournaments.plan import TimedSpec
from machiavel.server.tournaments.seat_bots import GREEDY, SeatBot, is_compiled, seat_bot

__all__ = ["Batch", "BatchSetup", "Block", "play_batch", "stop_all"]

ROOM = 1 << 20  # moves that a runner plays at a time
POINTS = ("points_{}", "tricks_{}", "saved")  # what games call a seat's own score, or everybody's
SEED_BITS = 63


@dataclass(frozen=True)
class BatchSetup:
    """What all batches of a tournament share; equal ones share the players of a worker."""

    game: str
    digest: str
    options: str  # JSON
    bots: tuple[str, ...]
    addresses: tuple[str | None, ...]  # of the bots that are processes
    seed: int
    file: str | None = None  # that the game is from, by its absolute path; None: it is installed


@dataclass(frozen=True)
class Batch:
    """Games to play."""

    deals: NDArray[np.int64]  # [game]
    seatings: NDArray[np.int64]  # [game]
    seats: NDArray[np.int64]  # [game, seat]

    def __len__(self) -> int:
        return len(self.deals)


@dataclass(frozen=True)
class Block:
    """Games played: those of a batch, or after a stop its first ones."""

    batch: Batch
    utilities: NDArray[np.float32]
    points: NDArray[np.float32]
    plies: NDArray[np.uint32]
    faults: NDArray[np.uint32]
    lines: bytes
    timings: Sequence[tuple[int, float, float]]  # of each bot: moves timed, seconds, the longest
    seconds: float  # that the worker took

    def __len__(self) -> int:
        return len(self.plies)


@dataclass
class GameNumbers:
    """Some games as numbers."""

    utilities: NDArray[np.float32]
    metrics: NDArray[np.float32]
    plies: NDArray[np.uint32]
    faults: NDArray[np.uint32]
    moves: NDArray[np.uint16]


@dataclass
class Stopwatch:
    """How long a bot's moves took."""

    moves: int = 0
    seconds: float = 0.0
    slowest: float = 0.0

    def add(self, moves: int, seconds: float, slowest: float) -> None:
        self.moves += moves
        self.seconds += seconds
        self.slowest = max(self.slowest, slowest)


@dataclass(eq=False)
class Worker:
    """The players of one setup in one thread."""

    setup: BatchSetup
    game: Game
    rules: Rules
    clocks: list[Stopwatch]
    compiled: NDArray[np.bool_]  # [bot]
    runner: Runner
    texts: list[bytes] = field(default_factory=list)  # of moves, as JSON
    room: NDArray[np.uint16] = field(default_factory=lambda: np.zeros(0, np.uint16))
    is_stopped: bool = False

    def play(self, batch: Batch) -> Block:
        begun = time.perf_counter()
        parts = []
        in_python: NDArray[np.bool_] = np.invert(self.compiled[batch.seats].all(axis=1))
        # Runs of games of one kind, so that the games stay in order.
        edges = [0, *(np.flatnonzero(np.diff(in_python)) + 1).tolist(), len(batch)]
        for first, end in pairwise(edges):
            play = self.in_python if in_python[first] else self.in_compiled_code
            done = first
            while done < end and not self.is_stopped:
                parts.append(play(batch.deals[done:end], batch.seats[done:end]))
                done += len(parts[-1].plies)
        return self.block(batch, parts, time.perf_counter() - begun)

    def in_compiled_code(self, deals: NDArray[np.int64], seats: NDArray[np.int64]) -> GameNumbers:
        utilities, metrics, plies = self.runner.play_games(self.setup.seed, deals, seats, self.room)
        moves = self.room[: int(plies.sum())].copy()
        for clock, timing in zip(self.clocks, self.runner.take_timings(), strict=True):
            clock.add(*timing)
        return GameNumbers(utilities, metrics, plies, np.zeros(utilities.shape, np.uint32), moves)

    def in_python(self, deals: NDArray[np.int64], seats: NDArray[np.int64]) -> GameNumbers:
        """The first of the games."""
        state = self.game.deal(self.rules, seed=seed_of_deal(self.setup.seed, int(deals[0])))
        bots = [
            seat_bot(self.setup.bots[bot], luck_of(self.setup.seed, int(deals[0]), seat), self.setup.addresses[bot])
            for seat, bot in enumerate(seats[0].tolist())
        ]
        faults = np.zeros((1, len(bots)), np.uint32)
        moves: list[int] = []
        while (seat := state.seat_to_move) is not None:
            if self.is_stopped:
                return GameNumbers(*(np.zeros((0, 1), np.float32),) * 2, *(np.zeros(0, np.uint32),) * 2, np.zeros(0, np.uint16))
            moves.append(self.move_of(state, seat, bots[seat], self.clocks[seats[0, seat]], faults[0]))
            state.play(self.game.plugin.move_text(self.rules, moves[-1]))
        utilities = np.array([state.utilities], np.float32)
        metrics = np.array([list(state.metrics.values())], np.float32)
        return GameNumbers(utilities, metrics, np.array([len(moves)], np.uint32), faults, np.array(moves, np.uint16))

    def move_of(self, state: State, seat: int, bot: SeatBot, clock: Stopwatch, faults: NDArray[np.uint32]) -> int:
        """The move of the bot, or of the rule of thumb where the bot gives none that is legal, or none in time."""
        legal = state.moves_of(seat)
        if len(legal) == 1:
            return legal[0]
        view = state.view(seat)
        begun = time.perf_counter()
        try:
            return state.resolve(bot.choose(view), seat)
        except (FailedBot, GameError, TypeError):
            faults[seat] += 1
            return state.resolve(GREEDY.choose(view), seat)
        finally:
            taken = time.perf_counter() - begun
            clock.add(1, taken, taken)

    def block(self, batch: Batch, parts: Sequence[GameNumbers], seconds: float) -> Block:
        players = self.rules.players
        count = sum(len(part.plies) for part in parts)
        names = list(self.game.plugin.metrics(self.rules))
        utilities, metrics, faults = np.zeros((count, players), np.float32), np.zeros((count, len(names)), np.float32), None
        if count:
            utilities, metrics = (np.concatenate([getattr(part, name) for part in parts]) for name in ("utilities", "metrics"))
            faults = np.concatenate([part.faults for part in parts])
        faults = np.zeros((count, players), np.uint32) if faults is None else faults
        plies = np.concatenate([np.zeros(0, np.uint32), *(part.plies for part in parts)])
        moves = np.concatenate([np.zeros(0, np.uint16), *(part.moves for part in parts)])
        points = points_of(names, metrics, players)
        done = Batch(batch.deals[:count], batch.seatings[:count], batch.seats[:count])
        self.name_moves(moves)
        lines = game_lines(done.deals, done.seatings, done.seats, utilities, points, plies, faults, moves, self.texts)
        timings = [(clock.moves, clock.seconds, clock.slowest) for clock in self.clocks]
        for clock in self.clocks:
            clock.moves, clock.seconds, clock.slowest = 0, 0.0, 0.0
        return Block(done, utilities, points, plies, faults, lines, timings, seconds)

    def name_moves(self, moves: NDArray[np.uint16]) -> None:
        """Makes sure of a text for each of these moves."""
        for move in np.flatnonzero(np.bincount(moves)).tolist():
            while len(self.texts) <= move:
                self.texts.append(b"")
            if not self.texts[move]:
                text = self.game.plugin.move_text(self.rules, move)
                self.texts[move] = json.dumps(text, ensure_ascii=False).encode()

    def stop(self) -> None:
        self.is_stopped = True
        self.runner.stop()


def points_of(names: Sequence[str], metrics: NDArray[np.float32], players: int) -> NDArray[np.float32]:
    """Each seat's own score, NaN where the game counts none."""
    for form in POINTS:
        wanted = [form.format(seat) for seat in range(players)]
        if all(name in names for name in wanted):
            return np.ascontiguousarray(metrics[:, [names.index(name) for name in wanted]])
    return np.full((len(metrics), players), np.nan, np.float32)


def luck_of(seed: int, deal: int, seat: int) -> int:
    """The seed of a bot that has none, for one seat of one deal: whoever sits there has the same luck.

    Where two bots would play alike, so do the games in which they change places, and what is left of a deal is their difference.
    """
    return seed_of_deal(seed_of_deal(seed, deal), seat) % (1 << SEED_BITS)


def luck_of_bots(seed: int) -> int:
    """The seed of all bots that have none, in compiled code, where each move's luck is drawn anew by deal, ply and seat."""
    return seed_of_deal(seed ^ 0x6D616368 << 32, 0) % (1 << SEED_BITS)


local = threading.local()
workers: "weakref.WeakSet[Worker]" = weakref.WeakSet()  # of all threads


def worker_of(setup: BatchSetup) -> Worker:
    """This thread's; one is kept."""
    known: Worker | None = getattr(local, "worker", None)
    if known is not None and known.setup == setup and not known.is_stopped:
        return known
    game, rules = game_of(setup)
    compiled = [is_compiled(bot) for bot in setup.bots]
    seed = luck_of_bots(setup.seed)
    contestants = []
    for bot, is_ours in zip(setup.bots, compiled, strict=True):
        timed = TimedSpec.read(bot)
        spec = timed.spec if is_ours else "random"  # which is never asked: its games are played in Python
        contestants.append(contestant(game, spec, players=rules.players, seconds=timed.seconds or 0.0, seed=seed))
    made = Worker(setup, game, rules, [Stopwatch() for _ in setup.bots], np.array(compiled), Runner(game, rules, contestants))
    made.room = np.zeros(max(ROOM, made.runner.longest), np.uint16)
    local.worker = made
    workers.add(made)
    return made


def game_of(setup: BatchSetup) -> tuple[Game, Rules]:
    """The game as this worker has it; raises GameError where that is another one than the tournament's."""
    if setup.file is None:
        game, source = load(setup.game), setup.game
    else:
        game, source = add_file(setup.file, instead=True), f"{setup.game} in {setup.file}"
        if game.name != setup.game:
            raise GameError(f"this worker has another game in {setup.file}: {game.name}, not {setup.game}")
    options: dict[str, Any] = json.loads(setup.options)
    try:
        rules = game.make_rules(options.pop("players"), **options)
    except BadOption as error:
        raise GameError(f"this worker has other rules of {source}, which do not take its options: {error}") from None
    if rules.digest != setup.digest:
        raise GameError(f"this worker has other rules of {source}: digest {rules.digest}, not {setup.digest} of the tournament")
    return game, rules


def play_batch(setup: BatchSetup, batch: Batch) -> Block:
    """Called by executors, wherever they are."""
    return worker_of(setup).play(batch)


def stop_all() -> None:
    """Ends what the threads of this process are playing."""
    for worker in list(workers):
        worker.stop()
