"""What win chances are worth: `python -m bench.calibration --output FOLDER` plays, fits, tests and draws, for all games or some.

Of every match of self-play one decision is searched with 2,000 iterations (`bench.decisions`). Half of the matches fit the
curves of each game's search.toml; the other half tell how good they are: the expected calibration error over ten bins of equal
count, with an interval by bootstrap over matches, and by how much the Brier score is better than that of the base rate. What was
played is kept in the folder, and an ended run goes on where it was. `--write` puts the curves into the games' files and, if all
games were played, plot and table into docs/.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.decisions import SampledDecision, decisions
from bench.plot import Panel, reliability
from bench.search_files import write_tables
from machiavel.engines import games, load
from machiavel.search.calibration import Curve

Floats = NDArray[np.float64]

ROOT = Path(__file__).parents[1]
BINS, RESAMPLES = 10, 2000
LEAST = 400  # matches, for ten bins of some each
EDGE = 1e-3  # utilities nearer to 0 or 1 count as this in the fit
RIDGE = 10  # towards what a game has with any number of players


@dataclass(frozen=True)
class CalibrationResult:
    """How good the chances of a game are, on matches they were not fitted to."""

    game: str
    fitted: int
    tested: int
    error: tuple[float, float, float]  # the expected calibration error, and its interval
    error_of_utility: float
    brier: float
    base: float
    gain: tuple[float, float, float]  # the part of the base rate's Brier score that is saved
    panel: Panel


def logit(utilities: Floats) -> Floats:
    clipped = np.clip(utilities, EDGE, 1 - EDGE)
    return np.asarray(np.log(clipped / (1 - clipped)))


def fitted_line(columns: Floats, won: Floats, towards: Floats, ridge: float) -> Floats:
    """Logistic regression by Newton's steps, drawn towards some coefficients."""
    fitted = towards.copy()
    for _ in range(50):
        chances = 1 / (1 + np.exp(-columns @ fitted))
        slope = columns.T @ (won - chances) - ridge * (fitted - towards)
        curvature = (columns.T * (chances * (1 - chances))) @ columns + ridge * np.eye(len(fitted))
        step = np.linalg.solve(curvature, slope)
        fitted = fitted + step
        if np.abs(step).max() < 1e-10:
            break
    return fitted


def fitted(some: Sequence[SampledDecision]) -> dict[int, Curve]:
    """A curve for each number of players: its own line, drawn a little towards that of all."""
    columns, won, players = table_of(some)
    together = fitted_line(columns, won, np.array([0.0, 1.0]), 1e-6)
    result = {}
    for number in sorted(set(players.tolist())):
        mine = players == number
        bias, slope = fitted_line(columns[mine], won[mine], together, RIDGE)
        if slope <= 0:
            raise ValueError(f"with {number} players a higher utility is no better; too few matches?")
        result[number] = Curve(round(float(bias), 3), round(float(slope), 3))
    return result


def table_of(some: Sequence[SampledDecision]) -> tuple[Floats, Floats, NDArray[np.int64]]:
    utilities = np.array([one.utility for one in some])
    columns = np.stack([np.ones(len(some)), logit(utilities)], axis=1)
    return columns, np.array([one.won for one in some]), np.array([one.players for one in some])


def binned(chances: Floats, won: Floats) -> list[tuple[float, float, int]]:
    """Ten bins of equal count: mean chance, mean outcome, matches."""
    order = np.argsort(chances, kind="stable")
    return [(float(chances[part].mean()), float(won[part].mean()), len(part)) for part in np.array_split(order, BINS)]


def calibration_error(chances: Floats, won: Floats) -> float:
    return sum(abs(told - came) * count for told, came, count in binned(chances, won)) / len(chances)


def saved(chances: Floats, won: Floats, base: Floats) -> float:
    """The part of the base rate's Brier score."""
    return float(1 - ((chances - won) ** 2).mean() / ((base - won) ** 2).mean())


def tested(
    game: str, fit: Sequence[SampledDecision], test: Sequence[SampledDecision], curves: dict[int, Curve]
) -> CalibrationResult:
    chances = np.array([curves[one.players].chance(one.utility) for one in test])
    _, won, players = table_of(test)
    rates = {number: np.mean([one.won for one in fit if one.players == number]) for number in curves}
    base = np.array([rates[number] for number in players.tolist()])
    rng = np.random.default_rng(0)
    errors, gains = [], []
    for _ in range(RESAMPLES):
        drawn = rng.integers(0, len(test), len(test))
        errors.append(calibration_error(chances[drawn], won[drawn]))
        gains.append(saved(chances[drawn], won[drawn], base[drawn]))
    error, gain = calibration_error(chances, won), saved(chances, won, base)
    return CalibrationResult(
        game,
        len(fit),
        len(test),
        (error, *bounds(errors)),
        calibration_error(np.array([one.utility for one in test]), won),
        float(((chances - won) ** 2).mean()),
        float(((base - won) ** 2).mean()),
        (gain, *bounds(gains)),
        Panel(game, binned(chances, won)),
    )


def bounds(values: Sequence[float]) -> tuple[float, float]:
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def halves(some: Sequence[SampledDecision], players: int) -> tuple[list[SampledDecision], list[SampledDecision]]:
    """To fit and to test, with all numbers of players in both alike."""
    fit = [one for one in some if one.match // players % 2 == 0]
    return fit, [one for one in some if one.match // players % 2]


def row(result: CalibrationResult) -> str:
    error, gain = result.error, result.gain
    return (
        f"| {result.game} | {result.fitted:,} + {result.tested:,} | {result.error_of_utility:.3f} |"
        f" {error[0]:.3f} [{error[1]:.3f}, {error[2]:.3f}] | {result.brier:.4f} | {result.base:.4f} |"
        f" {gain[0]:.1%} [{gain[1]:.1%}, {gain[2]:.1%}] |"
    )


HEAD = (
    "| game | matches, fitted + tested | error of the bare utility | error of the win chance |"
    " Brier score | of the base rate | better by |\n"
    "|---|--:|--:|--:|--:|--:|--:|"
)


def tables(curves: dict[int, Curve]) -> list[str]:
    return [f"[calibration.{number}]\nbias = {one.bias}\nslope = {one.slope}" for number, one in curves.items()]


def write_page(results: Sequence[CalibrationResult]) -> None:
    """The plot, and the table between its marks."""
    (ROOT / "docs/calibration.svg").write_text(reliability([one.panel for one in results]), encoding="utf-8")
    page = ROOT / "docs/calibration.md"
    before, mark, rest = page.read_text(encoding="utf-8").partition("<!-- table -->\n")
    _, end, after = rest.partition("<!-- end -->\n")
    page.write_text(before + mark + "\n".join([HEAD, *map(row, results)]) + "\n" + end + after, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="which games (all)")
    parser.add_argument("--output", type=Path, required=True, help="the folder that keeps what was played")
    parser.add_argument("--matches", type=int, default=7000, help="of each game, half to fit and half to test (7000)")
    parser.add_argument("--iterations", type=int, default=100, help="a move of those that play (100)")
    parser.add_argument("--write", action="store_true", help="ship the curves; of all games, remake docs/calibration.md, too")
    arguments = parser.parse_args()
    if arguments.matches < LEAST:
        parser.error(f"--matches is {arguments.matches}; expected at least {LEAST}")
    results, curves = [], {}
    for name in arguments.games or games():
        game = load(name)
        some = decisions(game, list(game.players), arguments.matches, arguments.iterations, arguments.output / f"{name}.jsonl")
        fit, test = halves(some, len(game.players))
        curves[name] = fitted(fit)
        results.append(tested(name, fit, test, curves[name]))
        print("\n".join([f"# {name}", *tables(curves[name])]), file=sys.stderr)
    print("\n".join([HEAD, *map(row, results)]))
    if arguments.write:
        for name, result in curves.items():
            write_tables(name, tables(result))
        if not arguments.games:
            write_page(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
