"""Whether a review finds blunders, and how long one takes: `python -m bench.reviews agency bond citadel --planted 200`.

Bots play matches. At random plies the best move by a search of 20,000 iterations is replaced with one that loses at least 20
points of win chance by that search, and by searches of as many for either move alone; at others the best move is played, as a
control. A blunder is found where the review calls it a mistake or a blunder, a control so called is a false alarm. To save time
there is no deep search where one of a twentieth or a fifth of it, with luck of its own, sees no move that loses half as much.

Prints a Markdown table with Wilson's 95 % intervals, a row a game. The first matches are reviewed whole, for the time it takes.
With --output each match is kept as it ends, and a later run goes on from there; Ctrl-C prints the table of what there is.
"""

import argparse
import itertools
import math
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.measurements import rows_at
from machiavel.engines import State, View, games, load
from machiavel.search import Limits, Recommendation, SearchParameters, make_bot, recommend
from machiavel.search.reviews import LABELS, Judgement, Review, Transcript
from machiavel.search.search_run import SearchRun
from machiavel.server.journal import JournalKind, Rows

LOSS = LABELS["blunder"]
HELD = {label for label, least in LABELS.items() if least >= LABELS["mistake"]}
PLIES_BETWEEN = 6  # looks for a chance to plant
BLUNDERS_A_MATCH = 3
CONTROLS = 0.1  # of the looks
WHOLE = 5  # matches
THREADS = 2


@dataclass(frozen=True)
class ReviewResult:
    """A match in which blunders were planted."""

    game: str
    players: int
    number: int
    settings: tuple[int, ...]  # seed, iterations of the review, of the deep search
    planted: tuple[str, ...]  # how the review called each blunder
    controls: tuple[str, ...]
    decisions: int = 0  # where it was reviewed whole: what that took
    moves: int = 0
    cpu: float = 0.0
    seconds: float = 0.0


def row(results: Sequence[ReviewResult]) -> str:
    planted = [label for one in results for label in one.planted]
    controls = [label for one in results for label in one.controls]
    whole = [one for one in results if one.decisions]
    mean = {name: sum(getattr(one, name) for one in whole) / len(whole) for name in ("decisions", "moves", "cpu", "seconds")}
    cells = [
        results[0].game,
        str(results[0].players),
        str(len(planted)),
        interval(sum(label in HELD for label in planted), len(planted)),
        interval(planted.count("blunder"), len(planted)),
        interval(sum(label in HELD for label in controls), len(controls)),
        f"{mean['decisions']:.0f} of {mean['moves']:.0f}",
        f"{mean['cpu']:.2f} s",
        f"{mean['seconds']:.2f} / {max(one.seconds for one in whole):.2f} s",
    ]
    return f"| {' | '.join(cells)} |"


def interval(hits: int, count: int) -> str:
    """A share and Wilson's 95 % interval."""
    if count == 0:
        return "–"
    share, z = hits / count, 1.96
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return f"{share:.3f} [{max(0.0, middle - half):.3f}, {min(1.0, middle + half):.3f}]"


def alone(view: View, move: str, iterations: int, seed: int) -> float:
    """The win chance of a move searched by itself."""
    thinking = SearchRun(view, Limits(iterations=iterations), SearchParameters(seed=seed), [move], insist=True)
    return thinking.answer(str(thinking.work(0))).candidates[0].win_chance


def losing_move(view: View, recommendation: Recommendation, iterations: int, rng: random.Random) -> str | None:
    """A move that loses enough, one of those that do."""
    best = recommendation.candidates[0]
    losers = [one.move for one in recommendation.candidates if one.visits and best.win_chance - one.win_chance >= LOSS]
    if not losers:
        return None
    move = rng.choice(losers)
    seed = rng.getrandbits(32)
    chances = [alone(view, one, iterations, seed) for one in (best.move, move)]
    return move if chances[0] - chances[1] >= LOSS else None


def played(state: State, rng: random.Random, iterations: int) -> Iterator[tuple[int, bool]]:
    """Plays the match to its end; gives the plies of what was planted, and whether it was a blunder."""
    bot = make_bot(f"ismcts:iterations=100,seed={rng.getrandbits(32)}")
    pause, left = rng.randrange(PLIES_BETWEEN), BLUNDERS_A_MATCH
    while not state.is_over:
        view = state.view(state.seat_to_move)
        moves = state.legal_moves()
        pause -= 1
        if len(moves) < 2 or pause > 0 or not left:
            state.play(bot.choose(view) if len(moves) > 1 else moves[0])
            continue
        pause = rng.randrange(1, PLIES_BETWEEN)
        is_control = rng.random() < CONTROLS
        for part in (20, 5, 1):
            result = searched(view, iterations // part, rng)
            if not is_control and worst_loss(result) < LOSS / 2:
                break
        loser = None if is_control else losing_move(view, result, iterations, rng)
        if is_control or loser is not None:
            yield len(state.moves), not is_control
        left -= loser is not None
        state.play(result.best if loser is None else loser)


def searched(view: View, iterations: int, rng: random.Random) -> Recommendation:
    return recommend(view, Limits(iterations=iterations), SearchParameters(seed=rng.getrandbits(32)))


def worst_loss(recommendation: Recommendation) -> float:
    return recommendation.candidates[0].win_chance - min(one.win_chance for one in recommendation.candidates if one.visits)


def match(game: str, number: int, arguments: argparse.Namespace) -> ReviewResult:
    """Plays a match and reviews it; it depends on the game, its number and the arguments alone, but for the times."""
    rng = random.Random(f"{arguments.seed} {game} {arguments.players} {number}")
    state = load(game).new(arguments.players, seed=rng.getrandbits(64))
    planted = dict(played(state, rng, arguments.deep))
    began, cpu = time.monotonic(), time.process_time()
    transcript = Transcript(state.record())
    is_whole = number < WHOLE
    skipped = [] if is_whole else [unjudged(*choice) for choice in transcript.choices if choice[0] not in planted]
    review = Review(transcript, arguments.iterations, SearchParameters(seed=number), threads=THREADS, known=skipped)
    labels = {one.ply: one.label for one in review}
    seconds, cpu = time.monotonic() - began, time.process_time() - cpu
    return ReviewResult(
        game,
        arguments.players,
        number,
        settings_of(arguments),
        tuple(labels[ply] for ply, is_blunder in planted.items() if is_blunder),
        tuple(labels[ply] for ply, is_blunder in planted.items() if not is_blunder),
        *((len(labels), len(state.moves), cpu, seconds) if is_whole else ()),
    )


def unjudged(ply: int, seat: int) -> Judgement:
    return Judgement(ply, seat, "", "", "good", 0.0, 0.0, 0.0, 0.0, 0)


def settings_of(arguments: argparse.Namespace) -> tuple[int, ...]:
    return arguments.seed, arguments.iterations, arguments.deep


KIND = JournalKind("planted", key=lambda row: (row["game"], row["players"], row["number"], *row["settings"]), is_headed=False)


def kept(arguments: argparse.Namespace) -> Rows:
    """The matches of earlier runs."""
    return rows_at(arguments.output, KIND)


def results_of(game: str, known: Rows, arguments: argparse.Namespace) -> Iterator[ReviewResult]:
    """Match after match, those kept with the same settings first, until enough is planted."""
    planted = 0
    for number in itertools.count():
        if planted >= arguments.planted:
            return
        key = (game, arguments.players, number, *settings_of(arguments))
        if known.get(key) is None:
            known.add(asdict(match(game, number, arguments)))
        one = result_of(known.get(key))
        planted += len(one.planted)
        print(f"\r{game}, {arguments.players} players: {planted} / {arguments.planted}", end="", file=sys.stderr, flush=True)
        yield one


def result_of(row: Mapping[str, Any]) -> ReviewResult:
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    return ReviewResult(**fields)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help="which games (all for so many players)")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--planted", type=int, default=200, help="blunders a game, at least (200)")
    parser.add_argument("--iterations", type=int, default=2000, help="of the review, a move (2000)")
    parser.add_argument("--deep", type=int, default=20_000, help="iterations of the search that says what is a blunder (20000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, help="a file that keeps the matches")
    arguments = parser.parse_args()
    heads = ["game", "players", "planted", "found", "called blunder", "false alarms", "moves judged", "CPU a review"]
    print(f"| {' | '.join(heads)} | by the clock, mean / slowest |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    known = kept(arguments)
    for game in arguments.games or [name for name in games() if arguments.players in load(name).players]:
        results: list[ReviewResult] = []
        try:
            for one in results_of(game, known, arguments):
                results.append(one)  # noqa: PERF402 - what there is after Ctrl-C counts
        except KeyboardInterrupt:
            arguments.planted = 0  # of the games that follow, only what is kept
        if results:
            print(row(results), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
