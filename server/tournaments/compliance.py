"""Whether a bot from elsewhere may play: its moves are legal, in time and the same again, in every corner of every game."""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from machiavel.engines import Game, GameError, Rules, State, View
from machiavel.search import KINDS
from machiavel.search.specs import parse, read_items
from machiavel.server.tournaments.bot_files import is_bot_file
from machiavel.server.tournaments.failed_bots import FailedBot, LateBot
from machiavel.server.tournaments.plan import TimedSpec
from machiavel.server.tournaments.remote_bots import RemoteSpec, is_remote
from machiavel.server.tournaments.seat_bots import SeatBot, is_compiled, kinds_from_elsewhere, seat_bot

__all__ = ["ComplianceCase", "Violation", "check_case"]

CORNERS = 2  # positions of each kind
LAST = 2  # decisions before the end of a match
MATCHES = 4  # of which positions are taken, for each number of players


@dataclass(frozen=True)
class Violation:
    """A position in which a bot did not do as it must."""

    kind: str  # `illegal`, `late`, `failed`, `differs`
    corner: str  # what is special about the position
    ply: int
    seat: int
    message: str


@dataclass
class ComplianceCase:
    """A bot in a game for so many players."""

    game: str
    players: int
    corners: dict[str, int] = field(default_factory=dict)  # how often each was asked
    faults: list[Violation] = field(default_factory=list)
    slowest: float = 0.0  # seconds
    repeats: bool | None = None  # None: its moves differ, and may


@dataclass(frozen=True)
class Position:
    """A decision: the seat that is asked, and what is special about it."""

    state: State
    seat: int
    ply: int
    corner: str


def check_case(spec: str, address: str | None, game: Game, rules: Rules, *, decisions: int, seed: int) -> ComplianceCase:
    """Asks the bot in about so many positions, twice each: once alone, once after everything else."""
    case = ComplianceCase(game.name, rules.players)
    asked = positions(game, rules, decisions, seed)
    make = maker(spec, address, seed)
    used = make()
    first = []
    for one in asked:
        view = one.state.view(one.seat)
        case.corners[one.corner] = case.corners.get(one.corner, 0) + 1
        first.append(answer(make(), view, one, case))
    different = []
    for one, move in zip(asked, first, strict=True):
        again = answer(used, one.state.view(one.seat), one, case)
        if None not in (move, again) and move != again:
            message = f"it played {move}, then {again} from the same view"
            different.append(Violation("differs", one.corner, one.ply, one.seat, message))
    case.repeats = not different or (False if takes_seed(spec) else None)
    if case.repeats is False:
        case.faults += different
    return case


def maker(spec: str, address: str | None, seed: int) -> Callable[[], SeatBot]:
    return lambda: seat_bot(spec, seed, address, remembers=False)


def takes_seed(spec: str) -> bool:
    """Whether it must repeat itself: it has a seed, or gets one."""
    timed = TimedSpec.read(spec)
    if is_bot_file(timed.spec):
        return False
    if is_remote(timed.spec):
        said = dict(read_items(RemoteSpec.read(timed.spec).bot)[1])
        is_seeded = "seed" in said
    else:
        _, values = parse(timed.spec, KINDS if is_compiled(spec) else kinds_from_elsewhere())
        said, is_seeded = values.said, timed.seconds is None and "seed" in values
    # Where it is to remember, what it was asked before counts, and may.
    return is_seeded and said.get("reuse", "").lower() != "true"


def answer(bot: SeatBot, view: View, one: Position, case: ComplianceCase) -> str | None:
    """The bot's move, if it is one; what is wrong with it is added to the case."""
    begun = time.monotonic()
    move = None
    try:
        move = bot.choose(view)
        one.state.resolve(move, one.seat)
    except (GameError, TypeError) as error:
        case.faults.append(Violation("illegal", one.corner, one.ply, one.seat, str(error)))
    except FailedBot as error:
        kind = "late" if isinstance(error, LateBot) else "failed"
        case.faults.append(Violation(kind, one.corner, one.ply, one.seat, str(error)))
    else:
        case.slowest = max(case.slowest, time.monotonic() - begun)
        return move
    return None


def positions(game: Game, rules: Rules, count: int, seed: int) -> list[Position]:
    """Corners first, then others of the same matches."""
    draw = random.Random(f"{game.name} {rules.players} {seed}")
    result: list[Position] = []
    others: list[Position] = []
    seen: dict[str, int] = {}
    for _ in range(MATCHES):
        for one in decisions_of(game.deal(rules, seed=draw.getrandbits(64)), draw):
            if one.corner and seen.get(one.corner, 0) < CORNERS:
                seen[one.corner] = seen.get(one.corner, 0) + 1
                result.append(one)
            else:
                others.append(one)
    more = draw.sample(others, min(len(others), max(0, count - len(result))))
    return result + [Position(one.state, one.seat, one.ply, one.corner or "anywhere") for one in more]


def decisions_of(state: State, draw: random.Random) -> Iterator[Position]:
    """Of a random match: of all seats that are asked, in each position, those that are special for some reason named."""
    walked: list[State] = []
    while not state.is_over:
        walked.append(state.copy())
        state.play(draw.choice(state.legal_moves()))
    for ply, one in enumerate(walked):
        for seat in sorted(one.seats_to_move):
            yield Position(one, seat, ply, corner_of(one, seat, len(walked) - ply))


def corner_of(state: State, seat: int, left: int) -> str:
    moves = state.legal_moves(seat)
    if left <= LAST:
        return "last moves"
    if len(moves) == 1:
        return "one legal move"
    if len(state.seats_to_move) > 1:
        return "asked before its turn" if seat != state.seat_to_move else "asked with others"
    words = sorted(words_of(moves))
    return f"choice of {', '.join(words)}" if words else ""


def words_of(moves: Sequence[str]) -> Iterable[str]:
    """What kinds of moves they are: `pass` of `pass:Y12`."""
    return {move.partition(":")[0] for move in moves if ":" in move}
