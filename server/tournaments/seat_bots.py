"""Bots as a tournament takes them: those that play in compiled code, and those from elsewhere, which get views in Python."""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points

from machiavel.engines import Game, Rules, View
from machiavel.search import KINDS, BadBot, Bot, BotKind, Limits
from machiavel.search.bots import GreedyBot, searcher_of
from machiavel.search.match_runner import contestant
from machiavel.search.specs import Values, parse
from machiavel.server.tournaments.bot_files import file_bot, is_bot_file
from machiavel.server.tournaments.failed_bots import FailedBot, LateBot
from machiavel.server.tournaments.plan import TimedSpec
from machiavel.server.tournaments.remote_bots import RemoteSpec, is_remote, remote_bot, try_bot

__all__ = [
    "GREEDY",
    "GROUP",
    "SeatBot",
    "check_spec",
    "is_compiled",
    "kinds_from_elsewhere",
    "seat_bot",
    "try_spec",
]

GROUP = "machiavel.bots"
USUAL_SECONDS = 10.0  # that a bot from elsewhere may take for a move, unless its spec says otherwise
GRACE = 0.1  # seconds after which a move is late: the way back is not the bot's fault


@cache
def kinds_from_elsewhere() -> Mapping[str, BotKind]:
    """The kinds of bots that installed packages bring, by name; raises BadBot for one that cannot be loaded."""
    result: dict[str, BotKind] = {}
    for entry in entry_points(group=GROUP):
        try:
            kind = entry.load()
        except (ImportError, AttributeError) as error:
            raise BadBot(entry.name, f"its entry point {entry.value} cannot be imported: {error}") from error
        if not isinstance(kind, BotKind) or kind.name != entry.name or kind.name in KINDS:
            raise BadBot(entry.name, f"its entry point {entry.value} is no BotKind of that name, or the name is taken")
        result[kind.name] = kind
    return result


def is_compiled(text: str) -> bool:
    """Whether the bot plays in compiled code, by the name it has."""
    return TimedSpec.read(text).spec.partition(":")[0].strip() in KINDS


def check_spec(game: Game, text: str) -> None:
    """Raises BadBot or BadOption for what is no bot, or none that can play the game."""
    timed = TimedSpec.read(text)
    if is_compiled(text):
        contestant(game, timed.spec, seconds=timed.seconds or 0.0)
    elif is_remote(timed.spec):
        RemoteSpec.read(timed.spec)
    elif is_bot_file(timed.spec):
        file_bot(timed.spec)
    else:
        parse(timed.spec, {**KINDS, **kinds_from_elsewhere()})


def try_spec(game: Game, rules: Rules, text: str, address: str | None) -> None:
    """Raises BadBot for a bot behind the API that does not answer."""
    timed = TimedSpec.read(text)
    if is_remote(timed.spec):
        state = game.deal(rules, seed=0)
        bot = remote_bot(RemoteSpec.read(timed.spec), address, timed.seconds or USUAL_SECONDS)
        try_bot(text, bot, state.view(state.seat_to_move))


@dataclass
class SeatBot:
    """A bot at one seat of one match."""

    make: Callable[[], Bot]
    seconds: float | None  # for a move
    is_guarded: bool  # whether it may hang, so that another thread must ask it
    bot: Bot | None = None

    def choose(self, view: View) -> str:
        """Its move, as a text that may be anything; raises FailedBot or LateBot. Afterwards it begins anew."""
        begun = time.monotonic()
        try:
            self.bot = self.bot or self.make()
            limits = limits_of(self.bot, view, self.seconds, begun)
            if not self.is_guarded or self.seconds is None:
                move = self.bot.choose(view, limits)
            else:
                move = asked_by_a_thread(self.bot, view, limits, self.seconds + GRACE)
        except FailedBot:
            self.bot = None
            raise
        except Exception as error:
            self.bot = None
            raise FailedBot(f"{type(error).__name__}: {error}") from error
        if self.seconds is not None and time.monotonic() - begun > self.seconds + GRACE:
            raise LateBot(f"took more than {self.seconds:g} s")
        return move


def limits_of(bot: Bot, view: View, seconds: float | None, begun: float) -> Limits:
    """The time for a move: of our own searches a bound beside an amount they have, as in compiled code."""
    if seconds is None:
        return Limits()
    searches = searcher_of(bot, view.game, view.players) is not None
    return Limits(deadline=begun + seconds) if searches else Limits(seconds=seconds)


def asked_by_a_thread(bot: Bot, view: View, limits: Limits, seconds: float) -> str:
    """Its answer, unless it takes longer; then the thread is left to itself."""
    result: list[str] = []
    problem: list[BaseException] = []

    def ask() -> None:
        try:
            result.append(bot.choose(view, limits))
        except BaseException as error:  # noqa: BLE001 - raised again by whoever asked
            problem.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(seconds)
    if problem and isinstance(problem[0], FailedBot):
        raise problem[0]
    if problem:
        raise FailedBot(f"{type(problem[0]).__name__}: {problem[0]}") from problem[0]
    if not result:
        raise LateBot(f"gave no move within {seconds - GRACE:g} s")
    return result[0]


def seat_bot(text: str, seed: int, address: str | None, *, remembers: bool = True) -> SeatBot:
    """The bot for one seat of one match; where it is to draw its own seed, it gets this one.

    `address` is where the process of a bot that is one listens; with `remembers` a search that has no seed keeps its tree.
    """
    timed = TimedSpec.read(text)
    if is_remote(timed.spec):
        seconds = timed.seconds or USUAL_SECONDS
        return SeatBot(lambda: remote_bot(RemoteSpec.read(timed.spec), address, seconds), seconds, is_guarded=False)
    if is_compiled(text):
        kind, values = parse(timed.spec, KINDS)
        fixed = {} if remembers else {"reuse": False}
        return SeatBot(lambda: kind.make(values.filled(seed=seed, **fixed)), timed.seconds, is_guarded=False)
    seconds = timed.seconds or USUAL_SECONDS
    if is_bot_file(timed.spec):
        return SeatBot(lambda: file_bot(timed.spec), seconds, is_guarded=True)
    other, taken = parse(timed.spec, kinds_from_elsewhere())
    return SeatBot(lambda: other.make(with_seed(taken, seed, remembers)), seconds, is_guarded=True)


def with_seed(values: Values, seed: int, remembers: bool) -> Values:
    """The parameters with a seed, for a kind that has one and whose text names none; then it may remember, if it can."""
    if "seed" not in values or "seed" in values.said:
        return values
    return values.filled(seed=seed, reuse=remembers if values.get("reuse") is None else values["reuse"])


GREEDY = GreedyBot()
