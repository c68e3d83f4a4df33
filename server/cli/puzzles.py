"""`machiavel puzzles`: finds positions of a game in which one move is clearly best, checks them, and keeps the most varied."""

import argparse
import os
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table as Grid

from machiavel.engines import Game
from machiavel.engines.phrases import typeset_all
from machiavel.search import Puzzle
from machiavel.search.parameters import BOUNDS
from machiavel.search.puzzle_checks import CheckSettings
from machiavel.search.puzzle_finder import BOTS, FinderSettings, PuzzleFinder, varied
from machiavel.search.puzzles import read_puzzles, set_text
from machiavel.server.cli.arguments import UsageError, add_json, add_language, number, seconds
from machiavel.server.cli.command_texts import Texts, Words, language_of_environment
from machiavel.server.cli.game_files import game_named
from machiavel.server.cli.options import player_range
from machiavel.server.cli.output import json_line, people, say_warning
from machiavel.server.puzzle_journal import PuzzleJournal, journal_path, search_header

__all__ = ["add_command"]

EPILOG = """\
Bots play matches. Each third of a match gives one position at most. In it one move wins, by what the seat knows, at least ten
points of a hundred more often than every other, under each of three seeds and with ten times the usual thinking. Positions
that level 1 mostly solves are left out, and so are those that level 9 mostly misses. Of twice as many as are wanted the
most varied are kept.

Each match is kept as it ends, in FILE.found.jsonl: a search that was stopped goes on with --resume. Lay the set beside the game,
and every frontend has it: as puzzles.json in the game's folder, or as mygame.puzzles.json beside mygame.py. docs/puzzles.md
tells more.

examples:
  machiavel puzzles agency
  machiavel puzzles ./mygame.py --count 20 --minutes 10
  machiavel puzzles bond --players 3 4 --output bond.json     stopped with Ctrl-C, and
  machiavel puzzles bond --players 3 4 --output bond.json --resume     goes on where it was
"""
INTERRUPTED = 130
POOL = 2  # so many times what is wanted is found, to choose from
DRY = 1000  # matches without a new puzzle, after which there are no more to be expected
LINE_EVERY = 30.0  # seconds between two lines where there is no terminal
WRITTEN: Texts = {
    "en": {
        "progress": "{game}: {matches} matches, {found} of {pool} puzzles found",
        "kept": "{count} puzzles of {game} in {path}",
        "few": "{found} puzzles were found, of {count} that were wanted; --resume goes on, with more --minutes",
        "dry": "{found} puzzles were found, of {count} that were wanted; the last {matches} matches had no new one",
        "none": "no puzzles were found in {matches} matches of {game}, so nothing is written",
        "stopped": "stopped with {found} of {pool} puzzles; go on with: {command}",
        "level": "level",
        "solves": "solves",
        "from": "puzzles that it is the first to solve",
        "above": "above",
    },
    "fr": {
        "progress": "{game} : {matches} parties, {found} problèmes trouvés sur {pool}",
        "kept": "{count} problèmes de {game} dans {path}",
        "few": "{found} problèmes trouvés sur {count} voulus ; --resume continue, avec plus de --minutes",
        "dry": "{found} problèmes trouvés sur {count} voulus ; rien de nouveau dans les {matches} dernières parties",
        "none": "aucun problème trouvé en {matches} parties de {game} : rien n'est écrit",
        "stopped": "arrêt à {found} problèmes sur {pool} ; pour continuer : {command}",
        "level": "niveau",
        "solves": "résout",
        "from": "problèmes qu'il est le premier à résoudre",
        "above": "au-delà",
    },
}
TEXTS = typeset_all(WRITTEN)


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "puzzles",
        help="positions of a game to solve, found in matches between bots",
        description="Finds positions in which one move is clearly the best by what its seat knows.",
        epilog=EPILOG,
    )
    parser.add_argument("game", metavar="GAME", help="which game (`machiavel games`), or a file with one")
    parser.add_argument("--count", type=number(1, 10_000), default=100, metavar="N", help="puzzles to keep (100)")
    parser.add_argument("--minutes", type=seconds, metavar="M", help="how long to look, at most (until there are enough)")
    parser.add_argument("--output", metavar="FILE", help="where the set goes (GAME.puzzles.json)")
    parser.add_argument("--resume", action="store_true", help="go on with what was found for FILE; FILE itself is written anew")
    parser.add_argument("--players", type=number(1), nargs="+", metavar="P", help="numbers of players, in turn (all there are)")
    parser.add_argument(
        "--bots", nargs="+", default=list(BOTS), metavar="SPEC", help=f"who plays, drawn by seat ({' '.join(BOTS)})"
    )
    parser.add_argument("--seed", type=number(*BOUNDS["seed"]), default=0, metavar="S", help="luck of matches and bots (0)")
    parser.add_argument(
        "--iterations", type=number(1, 10**8), default=2000, metavar="N", help="usual thinking; checks take ten times that (2000)"
    )
    parser.add_argument("--pool", type=number(1), metavar="N", help="puzzles to find, to choose from (twice --count)")
    parser.add_argument("--kinds", nargs="+", default=[], metavar="K", help="look for best moves of these kinds alone (all)")
    parser.add_argument("--also", nargs="+", default=[], metavar="FILE", help="choose among the puzzles of these sets, too")
    parser.add_argument("--drop", nargs="+", default=[], metavar="ID", help="puzzles to leave out, such as bench.puzzles names")
    parser.add_argument("--threads", type=number(*BOUNDS["threads"]), metavar="T", help="matches looked at at once (a core each)")
    add_language(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    game = game_named(arguments.game, arguments.lang)
    players = tuple(dict.fromkeys(arguments.players or game.players))
    for count in players:
        if count not in game.players:
            raise UsageError(f"--players {count}: {game.name} is for {player_range(game)}")
    checks = CheckSettings(arguments.iterations)
    settings = FinderSettings(players, arguments.seed, tuple(arguments.bots), checks, tuple(arguments.kinds))
    output = Path(arguments.output or f"{game.name}.puzzles.json")
    words = Words(TEXTS, arguments.lang or language_of_environment())
    if output.exists() and not arguments.resume:
        raise UsageError(f"--output {output}: is there already; expected --resume to write it anew, or another file")
    others = [puzzle for file in arguments.also for puzzle in others_in(game, Path(file))]
    threads = arguments.threads or os.cpu_count() or 1
    finder = PuzzleFinder(game, settings, threads=threads)
    header = search_header(game, settings)
    with written(output), PuzzleJournal.opened(journal_path(output), header, resume=arguments.resume, tell=say_warning) as kept:
        if arguments.json:
            json_line(header)
        pool = max(arguments.count - len(others), arguments.pool or POOL * arguments.count)
        try:
            reason = look(finder, kept, pool, arguments, words)
        except KeyboardInterrupt:
            say_warning(words("stopped", found=kept.distinct(), pool=pool, command=command()))
            return INTERRUPTED
        found = [*kept.puzzles, *others]
        unknown = sorted(set(arguments.drop).difference(one.id for one in found))
        if unknown:
            raise UsageError(f"--drop {unknown[0]}: is none of the puzzles found; expected ids of some")
        chosen = varied([one for one in found if one.id not in arguments.drop], arguments.count)
        if len(chosen) < arguments.count and chosen:
            say_warning(words(reason or "few", found=len(chosen), count=arguments.count, matches=DRY))
        if not chosen:
            say_warning(words("none", matches=len(kept.matches), game=game.name))
        else:
            made = {"by": header["engine"], **settings.to_json(), "matches": len(kept.matches), "found": kept.distinct()}
            made |= {"also": len(others)} if others else {}
            write(output, set_text(game, chosen, made))
    tell(game, output, chosen, words, arguments)
    return 0


def others_in(game: Game, file: Path) -> Sequence[Puzzle]:
    """Those of a set that was made before; raises BadPuzzles."""
    result = read_puzzles(game, file)
    for problem in result.problems:
        say_warning(problem)
    return result.puzzles


def look(finder: PuzzleFinder, kept: PuzzleJournal, pool: int, arguments: argparse.Namespace, words: Words) -> str:
    """Looks until there are enough; why it ended sooner: `few` for the time, `dry` where nothing new turns up."""
    end = None if arguments.minutes is None else time.monotonic() + 60 * arguments.minutes
    found, since = kept.distinct(), 0
    if found >= pool:
        return ""
    with shown(finder.game, pool, words) as show, closing(finder.findings(kept.matches)) as findings:
        show(len(kept.matches), found)
        for one in findings:
            kept.add(one)
            before, found = found, kept.distinct()
            since = 0 if found > before else since + 1
            if arguments.json:
                for puzzle in one.puzzles:
                    json_line({"type": "puzzle", **puzzle.to_json()})
            show(len(kept.matches), found)
            if found >= pool:
                return ""
            if since >= DRY:
                return "dry"
            if end is not None and time.monotonic() >= end:
                return "few"
    return "few"


@contextmanager
def shown(game: Game, pool: int, words: Words) -> Iterator[Any]:
    """Tells how far it is on stderr: a bar on a terminal, elsewhere a line now and then."""
    errors = Console(stderr=True)
    told = time.monotonic()
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task("", total=pool)

        def show(matches: int, found: int) -> None:
            nonlocal told
            text = words("progress", game=game.name, matches=matches, found=found, pool=pool)
            progress.update(task, completed=found, description=text)
            if not errors.is_terminal and time.monotonic() >= told + LINE_EVERY:
                told = time.monotonic()
                sys.stderr.write(f"{text}\n")

        yield show


@contextmanager
def written(output: Path) -> Iterator[None]:
    """What cannot be written is complained of as it was given."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None:
            raise
        raise UsageError(f"--output {output}: {error.strerror}: {error.filename}") from None


def write(path: Path, text: str) -> None:
    """All of it or nothing."""
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def command() -> str:
    """The command line that goes on with what is kept."""
    return shlex.join(["machiavel", *(word for word in sys.argv[1:] if word != "--resume"), "--resume"])


def tell(game: Game, output: Path, chosen: Sequence[Puzzle], words: Words, arguments: argparse.Namespace) -> None:
    levels = sorted({level for one in chosen for level in one.solved})
    solves = {level: sum(one.solved.get(level, 0.0) for one in chosen) / len(chosen) for level in levels}
    if arguments.json:
        file = str(output) if chosen else None
        json_line({"type": "end", "game": game.name, "count": len(chosen), "file": file, "solved": solves})
    elif chosen:
        grid = Grid(box=None, pad_edge=False)
        for key in ("level", "solves", "from"):
            grid.add_column(words(key), justify="right")
        for level in [*levels, *({one.level for one in chosen}.difference(levels))]:
            share = f"{100 * solves[level]:.0f} %" if level in solves else ""
            first = sum(one.level == level for one in chosen)
            grid.add_row(str(level) if level in solves else words("above"), share, str(first))
        page = people()
        page.print(words("kept", count=len(chosen), game=game.name, path=output))
        page.print(grid)
