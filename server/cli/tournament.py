"""`machiavel tournament`: bots against bots, from a quick look to a proof."""

import argparse
import contextlib
import secrets
import shlex
import signal
import sys
import threading
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from machiavel.engines import BadOption, Game, Rules
from machiavel.server.cli.arguments import UsageError, add_json, add_language, number, seed
from machiavel.server.cli.command_texts import language_of_environment
from machiavel.server.cli.game_files import game_named
from machiavel.server.cli.options import add_game_flags, add_options, game_flags, game_options, player_range, says_options
from machiavel.server.cli.output import json_line, people, say_warning
from machiavel.server.cli.tournament_progress import ProgressDisplay, show_live, summary_table
from machiavel.server.journal import BadJournal
from machiavel.server.tournaments.executors import EXAMPLES, check_executor, open_pool
from machiavel.server.tournaments.finish import finish, judge_of
from machiavel.server.tournaments.game_journal import GAMES, GameJournal, difference, read_plan, read_results
from machiavel.server.tournaments.plan import Plan, make_plan
from machiavel.server.tournaments.remote_bots import processes_of
from machiavel.server.tournaments.schedule import FORMATS, SEATINGS
from machiavel.server.tournaments.seat_bots import check_spec, try_spec
from machiavel.server.tournaments.tournament_run import Outcome, Tournament, setup_of

__all__ = ["add_command"]

EPILOG = """\
A bot is written as `machiavel bots` has it; SPEC@20ms or SPEC@0.5s gives it a time for each move. Bots from elsewhere:
./mybot.py (a file with a function move(view, moves)), grpc://HOST:PORT/level=7 or http://HOST:PORT/level=7 (a server),
process:COMMAND?bot=level7 (a program that serves and prints where), and those that packages bring by the entry point
machiavel.bots. docs/tournaments.md tells more, what the figures mean, too.

examples:
  machiavel tournament agency --bots ismcts:iterations=2000 greedy random --players 4 --deals 500 --output first
  machiavel tournament agency --bots level8 level5 --players 2 --deals 2000 --executor processes:2 --output levels --resume
  machiavel tournament citadel --bots level6 greedy --players 3 --deals 200 --output teams
  machiavel tournament ./mygame.py --bots level5 greedy --output mine
  machiavel tournament whist --bots ./mybot.py@200ms level3 --players 2 --deals 200 --output bot
  machiavel tournament bond --bots level5 greedy random --format gauntlet --players 3 --output gauntlet
"""
SPRT = "elo0=E,elo1=E, and perhaps alpha=A,beta=B (0.05)"
USUAL_DEALS, MOST_DEALS = 100, 10**7
SEED_BITS = 63
INTERRUPTED = 130


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "tournament",
        help="let bots play each other, and rate them",
        description="Bots against bots over duplicate deals: every deal in all its seatings.",
        epilog=EPILOG,
    )
    parser.add_argument("game", metavar="GAME", help="what is played (`machiavel games`), or a file with a game")
    parser.add_argument("--bots", nargs="+", required=True, metavar="SPEC", help="who plays")
    parser.add_argument("--players", type=number(1), metavar="N", help="seats at a table (as many as bots, where that can be)")
    parser.add_argument("--deals", type=number(1, MOST_DEALS), default=USUAL_DEALS, metavar="D", help=f"deals ({USUAL_DEALS})")
    parser.add_argument("--seed", type=seed, metavar="S", help="the deals, and the luck of bots without a seed (drawn)")
    parser.add_argument("--output", required=True, metavar="DIR", help="where games, summary and report go")
    parser.add_argument("--resume", action="store_true", help="go on with what DIR holds; more deals may be asked for")
    parser.add_argument(
        "--format", default="round-robin", metavar="F", help=f"{', '.join(FORMATS[:-1])} or FILE.toml (round-robin)"
    )
    parser.add_argument(
        "--seatings", choices=SEATINGS, help="which orders of the seats a deal is played in (all; from 5 players on, balanced)"
    )
    parser.add_argument("--sample", type=number(1), default=0, metavar="K", help="so many line-ups a deal, in turn (all)")
    parser.add_argument("--executor", default="processes", metavar="E", help=f"{EXAMPLES} (processes)")
    parser.add_argument(
        "--sprt", type=sprt, metavar="H", help="stop as soon as it is decided: elo0=0,elo1=10,alpha=0.05,beta=0.05"
    )
    add_options(parser)
    parser.prepare = partial(add_game_flags, parser)
    parser.add_argument("--plain", action="store_true", help="without colours, and with lines instead of a table that changes")
    add_language(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def sprt(text: str) -> dict[str, float]:
    """Two hypotheses in Elo, and how often each may be missed."""
    result = {"alpha": 0.05, "beta": 0.05}
    for item in text.split(","):
        name, _, value = item.partition("=")
        try:
            result[name.strip()] = float(value)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{item!r} is none of {SPRT}") from None
    if set(result) != {"elo0", "elo1", "alpha", "beta"}:
        raise argparse.ArgumentTypeError(f"expected {SPRT}, not {text!r}")
    return result


def run(arguments: argparse.Namespace) -> int:
    game = game_named(arguments.game, arguments.lang)
    players = number_of_players(game, arguments)
    flags = game_flags(arguments)
    options = game_options(game, arguments.option, flags)
    with says_options(game, flags):
        rules = game.make_rules(players, **options)
    folder = Path(arguments.output)
    is_drawn = arguments.seed is None
    with says_flags():
        plan = plan_of(game, rules, arguments, folder)
        for bot in plan.bots:
            check_spec(game, bot)
        check_executor(arguments.executor)
    if not arguments.resume:
        check_new(folder, plan, arguments.deals, is_drawn=is_drawn)
    try:
        outcome = play(plan, arguments, folder)
        tell(plan, arguments, folder, outcome)
    except OSError as error:
        raise UsageError(f"--output {folder}: {error.strerror or error}{kept(folder)}") from error
    return INTERRUPTED if outcome.reason == "stopped" else 0


def number_of_players(game: Game, arguments: argparse.Namespace) -> int:
    bots = len(arguments.bots)
    usual = bots if bots in game.players and bots > 1 else next((count for count in game.players if count > 1), min(game.players))
    players: int = usual if arguments.players is None else arguments.players
    if players not in game.players:
        raise UsageError(f"--players {players}: {game.name} is for {player_range(game)}")
    return players


@contextlib.contextmanager
def says_flags() -> Iterator[None]:
    """Inside, what cannot be is complained of as a flag."""
    try:
        yield
    except BadOption as error:
        raise UsageError(f"--{error.option} {error.value}: expected {error.expected}") from error


def plan_of(game: Game, rules: Rules, arguments: argparse.Namespace, folder: Path) -> Plan:
    if arguments.seed is None and arguments.resume and (folder / GAMES).exists():
        arguments.seed = read_plan(folder / GAMES).seed
    elif arguments.seed is None:
        arguments.seed = secrets.randbits(SEED_BITS)
    form: str = arguments.format
    tables: Sequence[Sequence[str | int]] = ()
    if Path(form).suffix or form == "tables":
        form, tables = "tables", read_tables(Path(form))
    return make_plan(
        game,
        rules,
        arguments.bots,
        arguments.seed,
        form=form,
        tables=tables,
        seatings=arguments.seatings,
        sample=arguments.sample,
        sprt=checked(arguments.sprt, arguments.bots),
    )


def checked(hypotheses: dict[str, float] | None, bots: Sequence[str]) -> dict[str, float] | None:
    """Raises BadOption for hypotheses that cannot be."""
    if hypotheses is not None:
        if len(bots) != 2:
            raise BadOption("sprt", hypotheses, f"two bots, not {len(bots)}")
        from machiavel.server.tournaments.sprt import Sprt  # noqa: PLC0415 - scipy takes long to load

        Sprt(**hypotheses)
    return hypotheses


def read_tables(path: Path) -> Sequence[Sequence[str | int]]:
    """The line-ups of a file: `tables = [["greedy", "random"], [1, 0]]`."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        problem = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"--format {path}: {problem}") from error
    tables = data.get("tables")
    if set(data) != {"tables"} or not isinstance(tables, list) or not all(isinstance(table, list) for table in tables):
        raise UsageError(f'--format {path}: expected tables = [["greedy", "random"], …]: bots by their specs or numbers')
    return tables


def check_new(folder: Path, plan: Plan, deals: int, *, is_drawn: bool) -> None:
    """A folder with games may be asked for again where nothing is left to play; raises UsageError or BadJournal."""
    path = folder / GAMES
    if not path.exists() or not path.stat().st_size:
        return
    result = read_plan(path)
    if result == plan:
        played = read_results(folder)[0].only_whole_deals()
        if len(played) == deals * plan.schedule.games_a_deal:
            return
    elif (wanted := replace(plan, seed=result.seed) if is_drawn else plan) != result:
        raise BadJournal(f"{path}: {difference(result, wanted)}; take another folder")
    raise UsageError(f"--output {folder}: holds games already; --resume goes on with them, or take another folder")


def kept(folder: Path) -> str:
    """What there is to go on with after a disk was full, say."""
    path = folder / GAMES
    return "; the games played are kept, and --resume goes on with them" if path.exists() and path.stat().st_size else ""


def play(plan: Plan, arguments: argparse.Namespace, folder: Path) -> Outcome:
    language = arguments.lang or language_of_environment()
    with contextlib.ExitStack() as stack:
        addresses = stack.enter_context(processes_of(plan.bots))
        for bot in plan.bots:
            try_spec(plan.loaded, plan.rules, bot, addresses.get(bot))
        stop = stack.enter_context(stopped_by_a_key())
        with says_flags():
            pool = stack.enter_context(open_pool(arguments.executor))
        # Once all are there: what cannot be played leaves no folder.
        journal = stack.enter_context(GameJournal.open(folder, plan, say_warning))
        known, _ = read_results(folder)
        if arguments.json:
            json_line({"type": "tournament", "directory": str(folder), **plan.to_json(), "deals": arguments.deals})
        setup = setup_of(plan, dict(addresses))
        with says_flags():
            tournament = Tournament(plan, arguments.deals, journal, pool, setup, known, stop=stop)
        tournament.judge = judge_of(plan)
        live: ProgressDisplay = stack.enter_context(show_live(tournament, language, plain=arguments.plain or arguments.json))
        tournament.watch = live.update
        return tournament.run()


@contextlib.contextmanager
def stopped_by_a_key() -> Iterator[threading.Event]:
    """Set by the first Ctrl-C, or SIGTERM; the second is an interrupt as ever."""
    stop = threading.Event()

    def handle(signum: int, _: object) -> None:
        if stop.is_set() and signum == signal.SIGINT:
            raise KeyboardInterrupt
        stop.set()

    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {signum: signal.signal(signum, handle) for signum in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for signum, handler in before.items():
            signal.signal(signum, handler)


def tell(plan: Plan, arguments: argparse.Namespace, folder: Path, outcome: Outcome) -> None:
    """Writes summary and report, and says where they are and what is in them."""
    language = arguments.lang or language_of_environment()
    summary = finish(folder, language)
    if arguments.json:
        done = outcome.progress
        if summary is not None:
            json_line({"type": "summary", **summary})
        counts = {"games": done.played, "of": done.total, "deals": outcome.deals, "lost": done.lost}
        json_line({"type": "end", "reason": outcome.reason, **counts})
    elif summary is not None:
        people(plain=arguments.plain).print(summary_table(summary, folder, language))
    if outcome.reason == "stopped":
        say_warning(f"stopped with {outcome.progress.played} of {outcome.progress.total} games; go on with: {command(plan)}")


def command(plan: Plan) -> str:
    """The command line that goes on with what is kept."""
    words = ["machiavel", *(word for word in sys.argv[1:] if word != "--resume"), "--resume"]
    given = any(word == "--seed" or word.startswith("--seed=") for word in words)
    return shlex.join(words if given else [*words[:-1], "--seed", str(plan.seed), "--resume"])
