"""Finds puzzles in matches between bots: at most one in each third of a match, so that no two are alike."""

import random
from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from typing import Any

from machiavel.engines import Game, State, View
from machiavel.search.bots import KINDS
from machiavel.search.puzzle_checks import CheckedPosition, CheckSettings, PositionChecks, SearchStopped
from machiavel.search.puzzles import Puzzle, PuzzleSource, puzzle_id
from machiavel.search.specs import Bot, parse

__all__ = ["BOTS", "FinderSettings", "MatchFinding", "PuzzleFinder", "different", "varied"]

BITS = 63
STAGES = ("early", "middle", "late")
BOTS = ("level3", "level5")  # who stumbles now and then, so that there is something to punish
ALIKE = 0.05  # of win chance
LONG_CHECKS = 12  # positions of a match, before the next one is played


@dataclass(frozen=True)
class FinderSettings:
    """All that what is found in a match depends on, besides the game and the match's number."""

    players: tuple[int, ...]
    seed: int = 0
    bots: tuple[str, ...] = BOTS
    checks: CheckSettings = field(default_factory=CheckSettings)
    kinds: tuple[str, ...] = ()  # of best moves that are looked for; empty: all

    def to_json(self) -> dict[str, Any]:
        data = asdict(self)
        kinds = data.pop("kinds")
        data |= {"kinds": list(kinds)} if kinds else {}  # journals of searches for all kinds never had it
        return data | {"players": list(self.players), "bots": list(self.bots), "checks": checks_json(self.checks)}


def checks_json(checks: CheckSettings) -> dict[str, Any]:
    return asdict(checks) | {"seeds": list(checks.seeds), "levels": list(checks.levels)}


@dataclass(frozen=True)
class MatchFinding:
    """What came of a match."""

    match: int
    looked: int  # positions with a choice
    checked: int  # of these, positions with a move that looked clearly best
    puzzles: tuple[Puzzle, ...]

    def to_json(self) -> dict[str, Any]:
        puzzles = [one.to_json() for one in self.puzzles]
        return {"match": self.match, "looked": self.looked, "checked": self.checked, "puzzles": puzzles}


class PuzzleFinder:
    """Plays matches, each by its number, and looks for puzzles in each.

    What is found in a match depends on no other match, and on no number of threads.
    """

    def __init__(self, game: Game, settings: FinderSettings, *, threads: int = 1) -> None:
        """Raises BadBot."""
        self.game = game
        self.settings = settings
        self.threads = threads
        self.checks = PositionChecks(settings.checks)
        for bot in settings.bots:
            made(bot, 0)

    def findings(self, known: Collection[int] = ()) -> Generator[MatchFinding, None, None]:
        """Match after match, without those known, as they come to an end; for ever, unless `stop` is called."""
        pool = ThreadPoolExecutor(self.threads)
        under_way: set[Future[MatchFinding]] = set()
        number = 0
        try:
            while not self.checks.is_stopped:
                while len(under_way) < self.threads:
                    if number not in known:
                        under_way.add(pool.submit(self.finding, number))
                    number += 1
                done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                for one in done:
                    try:
                        yield one.result()
                    except SearchStopped:
                        return
        finally:
            self.stop()
            pool.shutdown(cancel_futures=True)

    def stop(self) -> None:
        """Ends it within milliseconds; may be called from any thread."""
        self.checks.stop()

    # ---- One match ----

    def finding(self, number: int) -> MatchFinding:
        """Raises SearchStopped."""
        rng = random.Random(f"puzzles {self.settings.seed} {self.game.name} {number}")
        players = self.settings.players[number % len(self.settings.players)]
        deal = rng.getrandbits(BITS)
        bots = [rng.choice(self.settings.bots) for _ in range(players)]
        positions = list(self.played(self.game.new(players, seed=deal), [made(bot, rng.getrandbits(BITS)) for bot in bots]))
        choices = [(ply, view) for ply, view in positions if len(view.legal_moves()) > 1]
        rng.shuffle(choices)
        checked = 0
        result: dict[str, Puzzle] = {}  # by stage
        for ply, view in choices:
            stage = stage_of(ply, len(positions))
            first = None if stage in result else self.checks.glance(view)
            if first is None or not self.is_wanted(view, first):
                continue
            checked += 1
            found = self.checks.check(view, first)
            if found is not None and self.is_wanted(view, found.best):
                source = PuzzleSource(number, deal, ply, len(positions), tuple(bots))
                result[stage] = puzzle_of(view, found, source)
            if checked >= LONG_CHECKS or len(result) == len(STAGES):
                break
        return MatchFinding(number, len(choices), checked, tuple(result.values()))

    def is_wanted(self, view: View, move: str) -> bool:
        return not self.settings.kinds or kind_of(view, view.to_json()["view"], move) in self.settings.kinds

    def played(self, state: State, bots: Sequence[Bot]) -> Iterator[tuple[int, View]]:
        """What each seat saw before each move."""
        ply = 0
        while not state.is_over:
            if self.checks.is_stopped:
                raise SearchStopped
            seat = state.seat_to_move or 0
            view, moves = state.view(seat), state.legal_moves()
            yield ply, view
            state.play(bots[seat].choose(view) if len(moves) > 1 else moves[0])
            ply += 1


def made(text: str, seed: int) -> Bot:
    """A bot whose luck comes from a seed, and which keeps nothing from move to move."""
    kind, values = parse(text, KINDS)
    return kind.make(values.filled(seed=seed, reuse=False))


def puzzle_of(view: View, found: CheckedPosition, source: PuzzleSource) -> Puzzle:
    data = view.to_json()
    return Puzzle(
        puzzle_id(data),
        data,
        view.players,
        view.seat or 0,
        found.moves,
        found.best,
        found.lead,
        kind_of(view, data["view"], found.best),
        stage_of(source.ply, source.plies),
        found.level,
        found.solved,
        found.sentences,
        source,
    )


def stage_of(ply: int, plies: int) -> str:
    """In which third of its match a move is made."""
    return STAGES[len(STAGES) * ply // plies]


def kind_of(view: View, seen: Mapping[str, Any], move: str) -> str:
    """What sort of move it is: as the game's words have it, or else its text up to what varies."""
    parts = view.game.plugin.move_parts(view.rules, seen, move, "en")
    return parts[0] if parts is not None else move.partition(":")[0].rstrip("0123456789") or "move"


# ---- Which of them ----


def varied(puzzles: Sequence[Puzzle], count: int) -> list[Puzzle]:
    """So many of them, spread over numbers of players, stages, kinds and difficulty, in an order that goes from easy to hard.

    No two ask the same: to play the same move out of the same moves, with as many players and about the same chance.
    """
    left = list(different(puzzles).values())
    taken: Counter[tuple[str, Any]] = Counter()
    result: list[Puzzle] = []
    while left and len(result) < count:
        best = min(left, key=lambda one: sum(taken[feature] for feature in features(one)))
        left.remove(best)
        result.append(best)
        taken.update(features(best))
    return sorted(result, key=lambda one: (one.level, -sum(one.solved.values()), one.id))


def different(puzzles: Iterable[Puzzle]) -> dict[object, Puzzle]:
    """The first of those that ask the same, by what they ask, in the order of their matches."""
    result: dict[object, Puzzle] = {}
    for one in sorted(puzzles, key=lambda one: one.source.match):
        standing = round(one.best_move.win_chance / ALIKE)
        result.setdefault((one.players, one.best, tuple(move.move for move in one.moves), standing), one)
    return result


def features(puzzle: Puzzle) -> Iterator[tuple[str, Any]]:
    """What the puzzles of a set should differ in."""
    yield "players", puzzle.players
    yield "stage", puzzle.stage
    yield "kind", puzzle.kind
    yield "best", puzzle.best
    yield "level", puzzle.level
    yield "difficulty", round(2 * sum(puzzle.solved.values()))
    yield "moves", min(4, len(puzzle.moves).bit_length())
    yield "standing", int(3 * puzzle.best_move.win_chance)
