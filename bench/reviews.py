"""Whether a review finds blunders, and how long one takes: `python -m bench.reviews agency bond citadel --planted 200`.

Bots play matches. At random plies the best move by a search of 20,000 iterations is replaced with one that loses at least 20
points of win chance by that search, and by searches of as many for either move alone; at others the best move is played, as a
control. A blunder is found where the review calls it a mistake or a blunder, a control so called is a false alarm. To save time
there is no deep search where one of a twentieth or a fifth of it, with luck of its own, sees no move that loses half as much.

Prints a Markdown table with Wilson's 95 % intervals, a row a game. The first matches are reviewed whole, for the time it takes.
"""

import argparse
import math
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from machiavel.engines import State, View, load
from machiavel.search import Limits, Recommendation, SearchParameters, make_bot, recommend
from machiavel.search.reviews import LABELS, Judgement, Review, Transcript
from machiavel.search.thinking import Thinking

LOSS = LABELS["blunder"]
HELD = {label for label, least in LABELS.items() if least >= LABELS["mistake"]}
PLIES_BETWEEN = 6  # looks for a chance to plant
BLUNDERS_A_MATCH = 3
CONTROLS = 0.1  # of the looks
WHOLE = 5  # matches


@dataclass
class Tally:
    """What became of the moves planted."""

    found: int = 0
    planted: int = 0
    called_blunder: int = 0
    alarms: int = 0
    controls: int = 0
    matches: int = 0
    reviews: int = 0
    moves: int = 0
    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    cpu: float = 0.0

    def time(self, seconds: float, cpu: float, decisions: int, moves: int) -> None:
        """Another review of a whole match."""
        self.reviews += 1
        self.seconds += seconds
        self.slowest = max(self.slowest, seconds)
        self.cpu += cpu
        self.decisions += decisions
        self.moves += moves

    def row(self, game: str, players: int) -> str:
        cells = [
            game,
            str(players),
            str(self.planted),
            interval(self.found, self.planted),
            interval(self.called_blunder, self.planted),
            interval(self.alarms, self.controls),
            f"{self.decisions / self.reviews:.0f} of {self.moves / self.reviews:.0f}",
            f"{self.cpu / self.reviews:.2f} s",
            f"{self.seconds / self.reviews:.2f} / {self.slowest:.2f} s",
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
    thinking = Thinking(view, Limits(iterations=iterations), SearchParameters(seed=seed), [move], insist=True)
    return thinking.answer(str(thinking.work(0))).candidates[0].win_chance


def losing_move(view: View, found: Recommendation, iterations: int, rng: random.Random) -> str | None:
    """A move that loses enough, one of those that do."""
    best = found.candidates[0]
    losers = [one.move for one in found.candidates if one.visits and best.win_chance - one.win_chance >= LOSS]
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
            found = searched(view, iterations // part, rng)
            if not is_control and worst_loss(found) < LOSS / 2:
                break
        loser = None if is_control else losing_move(view, found, iterations, rng)
        if is_control or loser is not None:
            yield len(state.moves), not is_control
        left -= loser is not None
        state.play(found.best if loser is None else loser)


def searched(view: View, iterations: int, rng: random.Random) -> Recommendation:
    return recommend(view, Limits(iterations=iterations), SearchParameters(seed=rng.getrandbits(32)))


def worst_loss(found: Recommendation) -> float:
    return found.candidates[0].win_chance - min(one.win_chance for one in found.candidates if one.visits)


def measure(name: str, players: int, arguments: argparse.Namespace) -> Tally:
    tally, rng = Tally(), random.Random(f"{arguments.seed} {name} {players}")
    game = load(name)
    while tally.planted < arguments.planted:
        state = game.new(players, seed=rng.getrandbits(64))
        planted = dict(played(state, rng, arguments.deep))
        began, cpu = time.monotonic(), time.process_time()
        transcript = Transcript(state.record())
        is_whole = tally.matches < WHOLE
        skipped = [] if is_whole else [unjudged(*choice) for choice in transcript.choices if choice[0] not in planted]
        parameters = SearchParameters(seed=tally.matches)
        judgements = list(Review(transcript, arguments.iterations, parameters, threads=arguments.threads, known=skipped))
        if is_whole:
            tally.time(time.monotonic() - began, time.process_time() - cpu, len(judgements), len(state.moves))
        tally.matches += 1
        for one in judgements:
            if one.ply in planted:
                count(tally, planted[one.ply], one.label)
        print(f"\r{name}, {players} players: {tally.planted} / {arguments.planted}", end="", file=sys.stderr, flush=True)
    return tally


def unjudged(ply: int, seat: int) -> Judgement:
    return Judgement(ply, seat, "", "", "good", 0.0, 0.0, 0.0, 0.0, 0)


def count(tally: Tally, is_blunder: bool, label: str) -> None:
    if is_blunder:
        tally.planted += 1
        tally.found += label in HELD
        tally.called_blunder += label == "blunder"
    else:
        tally.controls += 1
        tally.alarms += label in HELD


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=["agency", "bond", "citadel", "whist"])
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--planted", type=int, default=200, help="blunders, at least (200)")
    parser.add_argument("--iterations", type=int, default=2000, help="of the review, a move (2000)")
    parser.add_argument("--deep", type=int, default=20_000, help="iterations of the search that says what is a blunder (20000)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    heads = ["game", "players", "planted", "found", "called blunder", "false alarms", "moves judged", "CPU a review"]
    print(f"| {' | '.join(heads)} | by the clock, mean / slowest |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    for name in arguments.games:
        print(measure(name, arguments.players, arguments).row(name, arguments.players), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
