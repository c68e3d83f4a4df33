"""Whether views are carried on rightly: `python -m bench.following --game whist --matches 1000` follows random matches.

At every ply the view before the move is carried on by the move as it was seen, and what is asked for is answered from the true
view, one answer at a time. The view that comes of it must be the true one. `--viewers one` takes one seat, or the spectator,
drawn at every ply, instead of all of them; `--quick` looks at an eighth of the worlds. One line of JSON a game and number of
players, with times of the processor; exits with 1 where a view was wrong. Who ends it (SIGTERM) is told how far it came: `next`
is what `--first` takes.
"""

import argparse
import json
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from machiavel.engines import Game, GameError, State, View, games, load
from machiavel.engines.following import FULL, Following, FollowingEffort
from machiavel.engines.view_differences import value_at

LONGEST = 1 << 16  # plies
QUICK = FollowingEffort(played=2048, alike=1024, tried=1 << 17, read=400, counted=1 << 14, sifted=1 << 18, sifted_first=1 << 13)


@dataclass
class Tally:
    """What came of following so many moves."""

    matches: int = 0
    followed: int = 0
    asked: int = 0  # moves after which something was asked
    questions: int = 0  # answered for them, one after the other
    seconds: float = 0.0
    slowest: float = 0.0
    slowest_of_all: str = ""  # where that was
    wrong: list[str] = field(default_factory=list)
    places: Counter[str] = field(default_factory=Counter)


def steps(game: Game, players: int, seed: int) -> Iterator[tuple[State, State, int]]:
    """A random match: before and after each move, and who made it."""
    draw, state = random.Random(seed), game.new(players, seed=seed)
    while not state.is_over:
        before, mover = state.copy(), state.seat_to_move
        state.play(draw.choice(state.legal_moves()))
        yield before, state, -1 if mover is None else mover


def follow_match(
    game: Game,
    players: int,
    seed: int,
    effort: FollowingEffort,
    tally: Tally,
    *,
    one_viewer: bool = False,
    most: int | None = None,
) -> None:
    """Carries all views of a match on, from move to move; of the first `most` moves alone."""
    draw = random.Random(f"viewers of {seed}")  # a draw of its own: else the viewer would go with the move
    every: list[int | None] = [*range(players), None]
    for before, after, mover in islice(steps(game, players, seed), most):
        for viewer in [draw.choice(every)] if one_viewer else every:
            began = time.process_time()
            try:
                problem = follow_step(before.view(viewer), after, mover, effort, tally)
            except GameError as error:
                problem = f"{type(error).__name__}: {error}"
            seconds = time.process_time() - began
            tally.seconds += seconds
            if seconds > tally.slowest:
                tally.slowest, tally.slowest_of_all = seconds, f"seed {seed}, ply {len(after.moves)}, seat {viewer}"
            tally.followed += 1
            if problem:
                tally.wrong.append(
                    f"{game.name}, {players} players, seed {seed}, ply {len(after.moves)}, seat {viewer}: {problem}"
                )


def follow_step(view: View, after: State, mover: int, effort: FollowingEffort, tally: Tally) -> str:
    """What is wrong with one view that was carried on; empty where it is the true one."""
    move, true = after.last_move(view.seat), after.view(view.seat)
    seen, answers = true.to_json()["view"], dict[str, Any]()
    following = Following(view, move or "", mover, effort=effort)
    followed = following.result(answers)
    while followed.view is None:
        first = followed.questions[0]
        answers[first.place] = value_at(seen, first.difference.place)
        tally.places[first.place.partition("[")[0]] += 1
        followed = following.result(answers)
    tally.asked += bool(answers)
    tally.questions += len(answers)
    if followed.view != true:
        told = followed.view.to_json()["view"]
        return f"{move}: " + ", ".join(
            f"{name} is {told[name]}, not {value}" for name, value in seen.items() if told[name] != value
        )
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=games(), action="append", help="these alone (all)")
    parser.add_argument("--players", type=int, help="so many alone (all numbers, in turns)")
    parser.add_argument("--matches", type=int, default=20, help="of each game (20)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first match, which is its seed, too (0)")
    parser.add_argument("--viewers", choices=("all", "one"), default="all")
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    effort, is_right = QUICK if arguments.quick else FULL, True
    for name in arguments.game or games():
        game = load(name)
        numbers = [arguments.players] if arguments.players else list(game.players)
        tallies = {players: Tally() for players in numbers}
        number, last = arguments.first, arguments.first + arguments.matches
        try:
            for number in range(arguments.first, last):
                players = numbers[number % len(numbers)]
                follow_match(game, players, number, effort, tallies[players], one_viewer=arguments.viewers == "one")
                tallies[players].matches += 1
        except KeyboardInterrupt:
            last = number
        for players, tally in tallies.items():
            is_right &= not tally.wrong
            sys.stdout.write(f"{json.dumps({**line(name, players, tally), 'next': last})}\n")
            sys.stdout.flush()
        if last < arguments.first + arguments.matches:
            break
    return 0 if is_right else 1


def line(game: str, players: int, tally: Tally) -> dict[str, Any]:
    return {
        "bench": "following",
        "game": game,
        "players": players,
        "matches": tally.matches,
        "followed": tally.followed,
        "wrong": len(tally.wrong),
        "asked_share": round(tally.asked / max(1, tally.followed), 4),
        "questions_when_asked": round(tally.questions / max(1, tally.asked), 3),
        "mean_ms": round(1000 * tally.seconds / max(1, tally.followed), 1),
        "slowest_ms": round(1000 * tally.slowest),
        "slowest": tally.slowest_of_all,
        "places": dict(tally.places.most_common(8)),
        "first_wrong": tally.wrong[:2],
    }


if __name__ == "__main__":
    sys.exit(main())
