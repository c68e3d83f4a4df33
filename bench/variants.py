"""Which kind of search is strongest at equal time: each against the plain one, over duplicate deals, with 95 % intervals.

`python -m bench.variants` prints a Markdown table for every game. How many iterations each kind makes in its time is measured;
every deal is played with the kind in each seat in turn, and the plain search (single, uniform playouts, no prior, no inference)
in all others. Where all seats win together, all are of one kind, on the same deals: told is by how much more the kind wins.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from typing import cast

from machiavel.engines import Game, View, games, load
from machiavel.search import Limits, recommend
from machiavel.search.bots import SearchBot, make_bot
from machiavel.search.match_runner import Interval, bootstrap, play_matches
from machiavel.search.parameters import defaults_of

PLAIN = "variant=single,exploration=0.7,policy=uniform,prior=0,cutoff=0,inference=false,reuse=false"
KINDS: Sequence[tuple[str, str, str]] = (  # what it is called, the bot, what is other than plain
    ("plain, again", "ismcts", ""),
    ("tree kept", "ismcts", "reuse=true"),
    ("multi", "ismcts", "variant=multi"),
    ("pimc, 32 worlds", "pimc", "worlds=32"),
    ("exploration 0.35", "ismcts", "exploration=0.35"),
    ("exploration 1.4", "ismcts", "exploration=1.4"),
    ("weighted playouts", "ismcts", "policy=weighted"),
    ("own playouts weighted", "ismcts", "policy=own"),
    ("prior 0.3", "ismcts", "prior=0.3"),
    ("prior 1", "ismcts", "prior=1"),
    ("cutoff 12", "ismcts", "cutoff=12"),
    ("inference", "ismcts", "inference=true"),
    ("default", "ismcts", ""),
)
NEEDED = {"policy": "weights", "prior": "weights", "cutoff": "evaluate", "inference": "likelihood"}
MEASURED = 20_000  # iterations a position
POSITIONS = 4


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=None, help="which games (all)")
    parser.add_argument("--players", nargs="+", type=int, default=[2, 4], help="how many players (2 4)")
    parser.add_argument("--kinds", nargs="+", default=None, help="these alone, by a part of their names; others as KEY=VALUE,…")
    parser.add_argument("--milliseconds", type=float, default=4.0, help="of thinking a move (4)")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--until", choices=("end", "horizon"), default="end", help="whole matches, or rounds (end)")
    arguments = parser.parse_args()
    print("| game | players | kind | iterations a move | share of wins | fair |")
    print("|---|--:|---|--:|--:|--:|")
    for name in arguments.games or games():
        game = load(name)
        for players in arguments.players:
            if players in game.players:
                compare(game, players, arguments)
    return 0


def compare(game: Game, players: int, arguments: argparse.Namespace) -> None:
    views = positions(game, players)
    for kind, bot, told in chosen(arguments.kinds):
        values = default(game) if kind == "default" else told
        if any(name in told and not game.has(function) for name, function in NEEDED.items()):
            continue
        specs = [spec(bot, values, 1), spec("ismcts", "", 1)]
        counts = [max(10, round(speed * arguments.milliseconds / 1000)) for speed in speeds(views, specs)]
        bots = [spec(bot, values, counts[0]), spec("ismcts", "", counts[1])]
        began = time.monotonic()
        score, fair = result(game, bots, players, arguments)
        print(f"{game.name}, {players} players, {kind}: {time.monotonic() - began:.0f} s", file=sys.stderr)
        row = [game.name, str(players), kind, f"{counts[0]:,} : {counts[1]:,}", str(score), f"{fair:.3f}"]
        print(f"| {' | '.join(row)} |", flush=True)


def result(game: Game, bots: Sequence[str], players: int, arguments: argparse.Namespace) -> tuple[Interval, float]:
    """What the first bot wins against the other, and what it would if they were alike."""
    if not game.is_cooperative:
        results = play_matches(game, bots, players, arguments.deals, arguments.seed, until=arguments.until)
        return results.interval(0), 1 / players
    together = [[0] * players]
    teams = [play_matches(game, [bot], players, arguments.deals, arguments.seed, seatings=together).scores(0) for bot in bots]
    return bootstrap(teams[0] - teams[1], 0), 0.0


def chosen(kinds: Sequence[str] | None) -> list[tuple[str, str, str]]:
    if kinds is None:
        return list(KINDS)
    named = [kind for kind in KINDS if any(part in kind[0] for part in kinds)]
    return named + [(values.replace(",", ", "), "ismcts", values) for values in kinds if "=" in values]


def default(game: Game) -> str:
    """What the game's searches do where nobody says otherwise."""
    defaults = defaults_of(game.name)
    return ",".join(f"{name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in defaults.items())


def spec(bot: str, values: str, iterations: int) -> str:
    """The plain search with those values changed."""
    changed = dict(item.split("=") for item in f"{PLAIN},{values}".strip(",").split(","))
    if bot == "pimc":
        del changed["variant"], changed["reuse"]
    items = ",".join(f"{key}={value}" for key, value in changed.items())
    return f"{bot}:iterations={iterations},megabytes=64,seed=0,{items}"


def positions(game: Game, players: int) -> list[View]:
    """First decisions and some from the middle of matches at random."""
    result = []
    for number in range(POSITIONS):
        state = game.new(players, seed=number)
        rng = make_bot(f"random:seed={number}")
        for _ in range(6 * number):
            if state.seat_to_move is not None:
                state.play(rng.choose(state.view(state.seat_to_move)))
        if state.seat_to_move is not None:
            result.append(state.view(state.seat_to_move))
    return result


def speeds(views: Sequence[View], specs: Sequence[str]) -> list[float]:
    """Iterations a second of CPU of each, interleaved."""
    took = [0.0] * len(specs)
    for view in views:
        for number, text in enumerate(specs):
            bot = cast(SearchBot, make_bot(text))
            began = time.process_time()
            recommend(view, Limits(iterations=MEASURED), bot.parameters)
            took[number] += time.process_time() - began
    return [len(views) * MEASURED / seconds for seconds in took]


if __name__ == "__main__":
    sys.exit(main())
