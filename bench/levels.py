"""The ladder of levels: `python -m bench.levels --output FOLDER` plays every level against its neighbours, for all games or some.

Over duplicate deals: two neighbours share the seats evenly, and then change places; of games in which all win together, every
level plays the same deals as a team. Level 5 plays the greedy bot as well, which stands at 0. A pair plays until its difference
is known to `--error`, or `--deals` are played. Prints a table for each number of players, and tells whether the ladder is what it
should be. What was played is kept in the folder, by seed and by the levels' parameters, and an ended run goes on where it was: so
a small `--error` may come after a large one. `--write` puts the ratings into the games' files and, if all games were played,
the tables into docs/levels.md.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.ladder import LadderCase, Pairing, PlayedDeals
from bench.search_files import write_tables
from machiavel.engines import games, load
from machiavel.search.levels import LEVELS, Level, level_of, ratings_in

Floats = NDArray[np.float64]

ROOT = Path(__file__).parents[1]
# The numbers of players for which a game's search.toml holds ratings; a new game names them with --players.
CASES: Mapping[str, Sequence[int]] = {game: tuple(ratings_in(game)) for game in games() if ratings_in(game)}
USUAL_ERROR = 10.0  # in Elo; a game with large steps may say more, as `error` of its ratings
RESAMPLES = 2000
ANCHOR = 5  # plays the greedy bot
TOP = LEVELS[-1]
LEAST_STEP = 25


@dataclass(frozen=True)
class Effort:
    """How much is played of a pair: deals at most, less if the standard error of its difference gets as small as that, in Elo."""

    deals: int
    top_deals: int  # of levels 9 and 10
    error: float = 0.0


@dataclass(frozen=True)
class Rung:
    """A level in a case: its rating over the greedy bot, and what it is above the level below, in Elo, with 95 % intervals."""

    level: int
    elo: tuple[float, float, float]
    step: tuple[float, float, float] | None
    deals: int  # that it and the level below have played; the lowest: level 5 and the greedy bot


def spec(level: Level) -> str:
    """The level as a bot whose results stay what they are when the level changes."""
    values = {"iterations": level.iterations, "sharpness": level.sharpness, "slack": level.slack, **level.search}
    return f"ismcts:{','.join(f'{name}={value}' for name, value in values.items())}"


def pairings(case: LadderCase, deals: PlayedDeals, effort: Effort) -> Iterator[Pairing]:
    """Level 5 over the greedy bot, then each level over the one below."""
    bots = [spec(level_of(number, case.game.name, case.players)) for number in LEVELS]
    yield deals.pairing(case, ["greedy", bots[ANCHOR - 1]], effort.deals, effort.error)
    for number in LEVELS[1:]:
        most = effort.top_deals if number == TOP else effort.deals
        yield deals.pairing(case, bots[number - 2 : number], most, effort.error)


def rungs(case: LadderCase, deals: PlayedDeals, effort: Effort) -> list[Rung]:
    result = list(pairings(case, deals, effort))
    steps = np.array([one.elo() for one in result])
    drawn = np.stack([one.resampled(RESAMPLES, number) for number, one in enumerate(result)])
    ratings = [placed(number, steps) for number in LEVELS]
    spread = [placed(number, drawn) for number in LEVELS]
    return [
        Rung(
            number,
            with_bounds(ratings[number - 1], spread[number - 1]),
            None if number == LEVELS[0] else with_bounds(steps[number - 1], drawn[number - 1]),
            len(result[number - 1].won),
        )
        for number in LEVELS
    ]


def placed(level: int, steps: Floats) -> Floats:
    """A level's rating from the anchor's, in the first place, and the steps from level 2 on."""
    above, below = steps[ANCHOR:level].sum(axis=0), steps[level:ANCHOR].sum(axis=0)
    return np.asarray(steps[0] + above - below)


def with_bounds(value: Floats, drawn: Floats) -> tuple[float, float, float]:
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(value), float(low), float(high)


def faults(case: LadderCase, ladder: Sequence[Rung]) -> list[str]:
    """What is not as it should be."""
    result = []
    for rung in ladder[1:]:
        step, low, high = rung.step or (0.0, 0.0, 0.0)
        if rung.level == TOP:
            if high < 0:
                result.append(f"{case.name}: level {TOP} is below level {TOP - 1}")
        elif low <= 0 or step < LEAST_STEP:
            result.append(f"{case.name}: level {rung.level} is {shown(rung.step)} above level {rung.level - 1}")
    if ladder[ANCHOR - 1].elo[1] <= 0:
        result.append(f"{case.name}: level {ANCHOR} is {shown(ladder[ANCHOR - 1].elo)} above greedy")
    return result


def shown(numbers: tuple[float, float, float] | None) -> str:
    return "" if numbers is None else f"{numbers[0]:+.0f} [{numbers[1]:+.0f}, {numbers[2]:+.0f}]"


COLUMNS = ("iterations", "sharpness", "slack", "Elo over greedy", "over the level below", "deals")


def table(case: LadderCase, ladder: Sequence[Rung]) -> str:
    lines = [f"| {' | '.join((f'{case.game.name}, {case.players} players', *COLUMNS))} |", "|--:" * (len(COLUMNS) + 1) + "|"]
    for rung in ladder:
        level = level_of(rung.level, case.game.name, case.players)
        told = ["all the time" if level.uses_time else f"{level.iterations:,}", str(level.sharpness), f"{level.slack:g}"]
        if level.sharpness == 0:
            told[1:] = ["best move", "–"]
        told += [shown(rung.elo), shown(rung.step), f"{rung.deals:,}" if rung.step else ""]
        lines.append(f"| {rung.level} | {' | '.join(told)} |")
    return "\n".join([*lines, "", f"Level {ANCHOR} and `greedy`: {ladder[0].deals:,} deals."])


def ratings_table(case: LadderCase, ladder: Sequence[Rung]) -> str:
    rows = [f"    [{', '.join(f'{number:.0f}' for number in rung.elo)}]," for rung in ladder]
    return "\n".join([f"[ratings.{case.players}]", "elo_low_high = [", *rows, "]"])


def write_page(ladders: Mapping[str, tuple[LadderCase, Sequence[Rung]]]) -> None:
    """The tables between their marks."""
    page = ROOT / "docs/levels.md"
    before, mark, rest = page.read_text(encoding="utf-8").partition("<!-- ladder -->\n")
    _, end, after = rest.partition("<!-- end of ladder -->\n")
    tables = "\n\n".join(table(case, ladder) for case, ladder in ladders.values())
    page.write_text(f"{before}{mark}{tables}\n{end}{after}", encoding="utf-8")


def usual_error(game: str) -> float:
    return float(load(game).plugin.search_data().get("ratings", {}).get("error", USUAL_ERROR))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"which games ({' '.join(CASES)})")
    parser.add_argument(
        "--players", nargs="+", type=int, metavar="N", help="of one game: how many play (those it has ratings for)"
    )
    parser.add_argument("--output", type=Path, required=True, help="the folder that keeps what was played")
    parser.add_argument("--seed", type=int, default=0, help="of the deals (0)")
    parser.add_argument("--error", type=float, help="standard error, in Elo, at which a pair has played enough (by game)")
    parser.add_argument("--deals", type=int, default=3000, help="the most of each pair of neighbours (3000)")
    parser.add_argument("--top-deals", type=int, default=40, help="the most of levels 9 and 10 (40)")
    parser.add_argument("--write", action="store_true", help="ship the ratings; of all games, remake docs/levels.md, too")
    arguments = parser.parse_args()
    unknown = set() if arguments.players else set(arguments.games) - set(CASES)
    if unknown:
        kept = ", ".join(CASES)
        parser.error(f"no ladder is kept of {', '.join(sorted(unknown))}; known: {kept}. For others name --players")
    if arguments.players and len(arguments.games) != 1:
        parser.error("--players needs one game")
    for players in arguments.players or ():
        if players not in load(arguments.games[0]).players:
            parser.error(
                f"--players {players}: {arguments.games[0]} is for {', '.join(map(str, load(arguments.games[0]).players))}"
            )
    if min(arguments.deals, arguments.top_deals) < 2:
        parser.error("--deals and --top-deals are at least 2")
    ladders, wrong = {}, []
    for name in arguments.games or CASES:
        deals = PlayedDeals(arguments.output / f"{name}.jsonl", arguments.seed)
        for players in arguments.players or CASES[name]:
            case = LadderCase(load(name), players)
            error = usual_error(name) if arguments.error is None else arguments.error
            ladder = rungs(case, deals, Effort(arguments.deals, arguments.top_deals, error))
            ladders[case.name] = case, ladder
            wrong += faults(case, ladder)
            print(f"{table(case, ladder)}\n", flush=True)
    print("\n".join(wrong), file=sys.stderr)
    if arguments.write:
        for case, ladder in ladders.values():
            write_tables(case.game.name, [ratings_table(case, ladder)])
        if not arguments.games:
            write_page(ladders)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
