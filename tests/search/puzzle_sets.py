"""Puzzles for tests: found in a small game with little thinking."""

from functools import cache

from machiavel.engines import Game, load
from machiavel.search import Puzzle
from machiavel.search.puzzle_checks import CheckSettings
from machiavel.search.puzzle_finder import FinderSettings, PuzzleFinder
from tests.engines.games import INSTALLED

__all__ = ["EASY", "SETS", "found"]

SETS = tuple(game for game in INSTALLED if game != "kuhn")  # which has a dozen positions, each of them plain

# Little thinking, and no bot that tries: whatever is clearly best counts, however plain it is.
EASY = FinderSettings((2,), seed=5, bots=("random",), checks=CheckSettings(iterations=60, levels=()))


@cache
def found(name: str = "kuhn", count: int = 3, players: int = 2) -> tuple[Puzzle, ...]:
    """The first so many that are found, as they are found; some may ask the same."""
    game: Game = load(name)
    result: list[Puzzle] = []
    finder = PuzzleFinder(game, FinderSettings((players,), seed=5, bots=("random",), checks=EASY.checks))
    for finding in finder.findings():
        result += finding.puzzles
        if len(result) >= count:
            finder.stop()
            break
    return tuple(result[:count])
