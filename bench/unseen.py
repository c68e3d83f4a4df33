"""Whether the map of unseen cards is right: `python -m bench.unseen [--games NAME …]` plays, maps, and looks what was there.

In matches of random seats, and in matches of greedy ones where a game has a rule of thumb, positions are drawn; each is mapped
from the view of the seat that moves. Of all pairs of a thing and a place that the map holds possible and not certain, what is
told at 30 % must be there in 30 %: in ten bins, the mean gap weighted by count, and the largest in a bin of at least 1,000 pairs.
What is told at 0 % or at 100 % is counted apart. `--speed` measures what a map costs beside a search.
"""

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from machiavel.engines import Game, State, View, games, load
from machiavel.search import Limits, SearchParameters, make_bot, recommend, unseen_map

__all__ = ["GapReport", "gaps", "positions", "true_numbers"]

BINS, LEAST_PAIRS = 10, 1000
MEAN_GAP, BIN_GAP = 0.02, 0.03
A_MATCH = 4  # positions
ITERATIONS, TIMES = 200, 30


@dataclass(frozen=True)
class GapReport:
    """How far what is told is from what is there."""

    game: str
    play: str
    inference: bool
    positions: int
    pairs: int
    mean_gap: float
    largest_gap: float  # of the bins with pairs enough
    told_never: int  # at 0 % …
    was_there: int  # … and there
    told_always: int  # at 100 % …
    was_elsewhere: int  # … and not there
    least_worlds: float  # effective ones, of all positions
    bins: list[tuple[int, float, float]]  # pairs, told, true

    @property
    def is_within(self) -> bool:
        return self.mean_gap <= MEAN_GAP and self.largest_gap <= BIN_GAP and self.was_elsewhere == 0


def positions(game: Game, play: str, count: int, seed: int) -> Iterator[State]:
    """Positions in which a seat is asked, a few of each match."""
    rng, greedy, done = random.Random(seed), make_bot("greedy"), 0
    while done < count:
        state = game.new(rng.choice(list(game.players)), seed=rng.randrange(1 << 62))
        kept: list[State] = []
        ply = 0
        while (seat := state.seat_to_move) is not None:
            ply += 1
            at = len(kept) if len(kept) < A_MATCH else rng.randrange(ply)
            if at < A_MATCH:
                kept[at : at + 1] = [state.copy()]
            state.play(rng.choice(state.legal_moves()) if play == "random" else greedy.choose(state.view(seat)))
        yield from kept[: count - done]
        done += len(kept)


def true_numbers(state: State, seat: int) -> dict[tuple[str, int | None, int | None, str, str], int]:
    """How many of each thing lie in each place that the seat does not see."""
    world = np.frombuffer(state.to_bytes(), np.uint8)[None]
    cells = state.game.plugin.hidden_cells(state.rules, state.seen_by(seat), world)
    return {
        (one.field, one.seat, one.index, one.kind, name): int(number)
        for one in cells
        for name, number in zip(one.names, one.counts[0], strict=True)
    }


def gaps(game: Game, play: str, count: int, seed: int, *, inference: bool = False) -> GapReport:
    told: list[float] = []
    there: list[bool] = []
    certain = {0.0: [0, 0], 1.0: [0, 0]}
    least = float("inf")
    for number, state in enumerate(positions(game, play, count, seed)):
        seat = state.seat_to_move or 0
        found, truth = unseen_map(state.view(seat), number, inference=inference), true_numbers(state, seat)
        least = min(least, found.effective_worlds)
        for thing in found.things:
            for place, chance in zip(found.places, thing.chance, strict=True):
                is_there = truth.get((place.field, place.seat, place.index, thing.kind, thing.name), 0) > 0
                if chance in certain:
                    certain[chance][0] += 1
                    certain[chance][1] += is_there != (chance == 1)
                else:
                    told.append(chance)
                    there.append(is_there)
    chances, truths = np.array(told), np.array(there, float)
    which = np.minimum((chances * BINS).astype(int), BINS - 1)
    bins = [
        (int(inside.sum()), float(chances[inside].mean()), float(truths[inside].mean()))
        for inside in (which == number for number in range(BINS))
        if inside.any()
    ]
    return GapReport(
        game.name,
        play,
        inference,
        count,
        len(told),
        sum(pairs * abs(mean - true) for pairs, mean, true in bins) / max(1, len(told)),
        max((abs(mean - true) for pairs, mean, true in bins if pairs >= LEAST_PAIRS), default=0.0),
        certain[0.0][0],
        certain[0.0][1],
        certain[1.0][0],
        certain[1.0][1],
        least,
        bins,
    )


def plays_of(game: Game) -> list[str]:
    return ["random", "greedy"] if game.has("weights") else ["random"]


def told(report: GapReport) -> str:
    verdict = "" if report.is_within else "  too far"
    worlds = "inference" if report.inference else "usual"
    return (
        f"{report.game:12} {report.play:7} {worlds:9} {report.positions:6,} positions {report.pairs:9,} pairs"
        f"   mean gap {report.mean_gap:.4f}   largest {report.largest_gap:.4f}"
        f"   0 %: {report.was_there} of {report.told_never:,} there   100 %: {report.was_elsewhere} of {report.told_always:,} not"
        f"   least worlds {report.least_worlds:,.0f}{verdict}"
    )


# ---- What it costs ----


def median_ms(call: object, times: int) -> float:
    measured = []
    for number in range(times):
        began = time.perf_counter()
        call(number)  # type: ignore[operator]
        measured.append(1000 * (time.perf_counter() - began))
    return statistics.median(measured)


def speed(game: Game, seed: int) -> dict[str, object]:
    """Medians over positions of random play: a map, and a search with metrics."""
    views = [state.view(state.seat_to_move) for state in positions(game, "random", TIMES, seed)]

    def mapped(number: int) -> None:
        unseen_map(views[number % len(views)], number)

    def searched(number: int) -> None:
        view: View = views[number % len(views)]
        recommend(view, Limits(iterations=ITERATIONS), SearchParameters(seed=number), explain=True)

    return {
        "bench": "unseen",
        "game": game.name,
        "map_ms": round(median_ms(mapped, TIMES), 3),
        "search_ms": round(median_ms(searched, TIMES), 3),
        "iterations": ITERATIONS,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", choices=games(), default=list(games()))
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inference", action="store_true", help="also worlds weighed by the others' moves, where an engine can")
    parser.add_argument("--bins", action="store_true", help="every bin: pairs, told, true")
    parser.add_argument("--speed", action="store_true", help="what a map costs, and nothing else")
    options = parser.parse_args(arguments)
    is_within = True
    for name in options.games:
        game = load(name)
        if options.speed:
            print(json.dumps(speed(game, options.seed)), flush=True)
            continue
        for play in plays_of(game):
            for inference in [False, True] if options.inference and game.has("likelihood") else [False]:
                report = gaps(game, play, options.positions, options.seed, inference=inference)
                is_within &= report.is_within
                print(told(report), flush=True)
                for pairs, mean, true in report.bins if options.bins else ():
                    print(f"    {pairs:9,}  told {mean:.3f}  true {true:.3f}")
    return 0 if is_within else 1


if __name__ == "__main__":
    sys.exit(main())
