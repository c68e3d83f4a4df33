"""Whether puzzles are what they should be: `python -m bench.puzzles agency bond --output FILE`.

How many of a game's puzzles bots of level 1, 5 and 9 solve, with luck that the finder never used. And whether under fresh seeds,
too, at ten times the usual thinking, the best move is the same and every other one at least ten points of win chance behind. The
others are searched alone, each with as much thinking as the best. Prints a Markdown table, a row a game, and names each puzzle
that fails. With --output each puzzle is kept as it ends, and a later run goes on from there. The exit status is 1 if one fails.
"""

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.measurements import rows_at
from machiavel.engines import Game, games, load
from machiavel.search import Puzzle, PuzzleSet, make_bot, puzzles_of
from machiavel.search.puzzle_checks import CheckSettings, PositionChecks, lead_of
from machiavel.search.puzzles import LEAD, read_puzzles
from machiavel.server.journal import JournalKind, Rows

LEVELS = (1, 5, 9)
FRESH = 7_000_000  # where the luck of bots begins: the finder's begins at 1,000
KIND = JournalKind("puzzle", key=lambda row: (row["game"], row["id"], *row["settings"]), is_headed=False)


@dataclass(frozen=True)
class PuzzleResult:
    """What became of a puzzle."""

    game: str
    id: str
    settings: tuple[int, ...]  # iterations, tries, seeds
    solved: tuple[float, ...]  # shares of the tries, by level
    same: bool  # whether the best move was the same under each seed
    lead: float  # the least under any seed, each move searched alone
    lead_in_one: float  # the same in the searches of all moves


def result_of(game: Game, puzzle: Puzzle, settings: tuple[int, ...]) -> PuzzleResult:
    iterations, tries, *seeds = settings
    view = game.view_from_json(puzzle.view)
    checks = PositionChecks(CheckSettings(iterations))
    solved = []
    for level in LEVELS:
        bots = [make_bot(f"level{level}:seed={FRESH + number},reuse=false") for number in range(tries)]
        solved.append(sum(bot.choose(view) == puzzle.best for bot in bots) / tries)
    same, lead, lead_in_one = True, 1.0, 1.0
    for seed in seeds:
        whole = checks.search(view, iterations, seed)
        same = same and whole.best == puzzle.best
        alone = [checks.alone(view, iterations, seed, one.move) for one in whole.candidates]
        alone.sort(key=lambda one: (one.move != puzzle.best, -one.win_chance))
        lead = min(lead, lead_of(alone))
        lead_in_one = min(lead_in_one, lead_of(sorted(whole.candidates, key=lambda one: one.move != puzzle.best)))
    return PuzzleResult(game.name, puzzle.id, settings, tuple(solved), same, lead, lead_in_one)


def is_good(one: PuzzleResult) -> bool:
    return one.same and one.lead >= LEAD and one.lead_in_one >= LEAD


def row(game: str, results: Sequence[PuzzleResult]) -> str:
    count = len(results)
    cells = [game, str(count)]
    for number in range(len(LEVELS)):
        shares = [one.solved[number] for one in results]
        mean = sum(shares) / count
        spread = math.sqrt(sum((share - mean) ** 2 for share in shares) / max(1, count - 1) / count)
        cells.append(f"{100 * mean:.1f} % ± {100 * 1.96 * spread:.1f}")
    leads = sorted(one.lead for one in results)
    cells += [f"{sum(one.same for one in results)}", f"{sum(map(is_good, results))}"]
    cells += [f"{100 * leads[0]:.1f}", f"{100 * leads[count // 2]:.1f}"]
    return f"| {' | '.join(cells)} |"


def results_of(game: Game, puzzles: PuzzleSet, settings: tuple[int, ...], known: Rows) -> list[PuzzleResult]:
    result = []
    for number, puzzle in enumerate(puzzles.puzzles, 1):
        key = (game.name, puzzle.id, *settings)
        if known.get(key) is None:
            known.add(asdict(result_of(game, puzzle, settings)))
        data: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in known.get(key).items()
        }
        result.append(PuzzleResult(**data))
        print(f"\r{game.name}: {number}/{len(puzzles.puzzles)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help="which games (all that bring puzzles)")
    parser.add_argument("--file", type=Path, help="the puzzles of one game from a file, in place of those that it brings")
    parser.add_argument("--iterations", type=int, default=20_000, help="of each search (20000: ten times the usual thinking)")
    parser.add_argument("--seeds", type=int, nargs="+", default=[4001, 4002, 4003], help="of the searches (4001 4002 4003)")
    parser.add_argument("--tries", type=int, default=10, help="of each level at each puzzle (10)")
    parser.add_argument("--output", type=Path, help="a file that keeps the results")
    arguments = parser.parse_args()
    names = arguments.games or [name for name in games() if puzzles_of(name).puzzles]
    if arguments.file is not None and len(names) != 1:
        parser.error("--file: expected one game")
    known = rows_at(arguments.output, KIND)
    settings = (arguments.iterations, arguments.tries, *arguments.seeds)
    heads = ["game", "puzzles", *(f"level {level} solves" for level in LEVELS)]
    heads += ["same best move", "and 10 points ahead", "least lead", "median lead"]
    print(f"| {' | '.join(heads)} |\n|---|{'--:|' * (len(heads) - 1)}", flush=True)
    failed = []
    for name in names:
        game = load(name)
        puzzles = puzzles_of(name) if arguments.file is None else read_puzzles(game, arguments.file)
        if puzzles.puzzles:
            results = results_of(game, puzzles, settings, known)
            print(row(name, results), flush=True)
            failed += [one for one in results if not is_good(one)]
    for one in failed:
        leads = f"lead {one.lead:.3f}, in the searches of all moves {one.lead_in_one:.3f}"
        print(f"{one.game} {one.id}: {'the same' if one.same else 'another'} best move, {leads}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
