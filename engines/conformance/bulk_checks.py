"""Games in bulk: the same as one by one, whatever the number, the loop and the threads."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from machiavel.engines import BadOption
from machiavel.engines._bulk import playouts
from machiavel.engines.conformance.checks import Chapter
from machiavel.engines.conformance.engine_struct import COOPERATIVE
from machiavel.engines.conformance.trial import Finding, Trial
from machiavel.engines.playouts import Playouts

__all__ = ["CHAPTER"]

CHAPTER = Chapter("bulk")
UNTIL = ("end", "horizon")
CLOSE = 1e-5


def bulk(
    trial: Trial,
    count: int,
    seed: int = 0,
    *,
    until: str = "end",
    policies: Sequence[str] | None = None,
    plain: bool = False,
) -> Playouts:
    trial.note(f"{count} games in bulk from seed {seed} until the {until}, {policies or 'random'}")
    trial.counts["games"] += count
    return Playouts(*playouts(trial.game, trial.case.rules, count, seed, policies, until, plain))


def difference(one: Playouts, other: Playouts) -> str:
    """The first array in which they differ; empty where they are the same."""
    same = {name: np.array_equal(getattr(one, name), getattr(other, name)) for name in ("utilities", "metrics", "plies")}
    names = [name for name, is_same in same.items() if not is_same]
    return names[0] if names else "" if one.metric_names == other.metric_names else "metric_names"


def policies_of(trial: Trial) -> list[list[str] | None]:
    players = trial.case.players
    if not trial.case.contract.weights:
        return [None]
    return [None, ["greedy"] + ["random"] * (players - 1), ["greedy"] * players]


@CHAPTER.check()
def bulk_ends(trial: Trial) -> Iterator[Finding]:
    """In bulk, too, every game ends within `max_plies`, at its end or its horizon, and shares 1."""
    case, contract = trial.case, trial.case.contract
    most = contract.max_plies(case.pointer)
    count = trial.scaled(500)
    for until in UNTIL:
        for policies in policies_of(trial):
            games = bulk(trial, count, trial.seeds(1)[0], until=until, policies=policies)
            how = f"played {' '.join(policies or ['random'])} until the {until}"
            yield from trial.equal(games.utilities.shape, (count, case.players), f"utilities, {how}")
            yield from trial.equal(games.metric_names, tuple(trial.game.plugin.metrics(case.rules)), f"metrics, {how}")
            yield from trial.expect(np.isfinite(games.metrics).all(), f"finite metrics, {how}")
            inside = (games.utilities >= 0).all() and (games.utilities <= 1).all()
            yield from trial.expect(
                inside, f"utilities from 0 to 1, {how}", f"{games.utilities.min()} to {games.utilities.max()}"
            )
            plies = (games.plies >= 1).all() and (games.plies <= most).all()
            yield from trial.expect(plies, f"1 to {most} moves, {how}", f"{games.plies.min()} to {games.plies.max()}")
            if contract.flags & COOPERATIVE:
                yield from trial.expect((games.utilities == games.utilities[:, :1]).all(), f"the same utility for all, {how}")
            else:
                sums = games.utilities.sum(axis=1)
                is_one = np.allclose(sums, 1, rtol=1e-7, atol=CLOSE)
                yield from trial.expect(is_one, f"utilities that sum up to 1, {how}", f"{sums.min()} to {sums.max()}")


@CHAPTER.check()
def own_loop(trial: Trial) -> Iterator[Finding]:
    """The engine's own `playout` plays as the plain loop does, draw by draw."""
    count, first = trial.scaled(300), trial.seeds(1)[0]
    for until in UNTIL:
        for seed in (first, first | 1 << 127):
            ours, plain = (bulk(trial, count, seed, until=until, plain=is_plain) for is_plain in (False, True))
            differs = difference(ours, plain)
            yield from trial.expect(not differs, f"the same {differs} in both loops, until the {until}, seed {seed}")


@CHAPTER.check()
def bulk_count(trial: Trial) -> Iterator[Finding]:
    """A game does not depend on how many are asked for."""
    many, few = (bulk(trial, count, 4 + trial.seeds(1)[0]) for count in (50, 20))
    differs = difference(few, Playouts(many.utilities[:20], many.metrics[:20], many.plies[:20], many.metric_names))
    yield from trial.expect(not differs, f"the same {differs} of the first 20 games of 50")


@CHAPTER.check()
def horizon(trial: Trial) -> Iterator[Finding]:
    """A horizon is never later than the end."""
    seed = trial.seeds(1)[0]
    sooner, later = (bulk(trial, 200, seed, until=until).plies for until in ("horizon", "end"))
    yield from trial.expect(
        (sooner <= later).all(), "a horizon before the end", f"{(sooner > later).sum()} of 200 games after it"
    )


@CHAPTER.check()
def bulk_seeds(trial: Trial) -> Iterator[Finding]:
    """Other seeds bring other games."""
    first = trial.seeds(1)[0]
    games = [bulk(trial, 50, seed) for seed in range(first, first + 5)]
    different = {(run.utilities.tobytes(), run.plies.tobytes()) for run in games}
    yield from trial.expect(len(different) > 1, "different games of five seeds", "all the same")


@CHAPTER.check()
def bulk_refusals(trial: Trial) -> Iterator[Finding]:
    """What cannot be played in bulk is refused."""
    case = trial.case
    wrong: list[dict[str, Any]] = [
        {"count": -1},
        {"count": True},
        {"count": 1.5},
        {"seed": -1},
        {"seed": 1 << 128},
        {"until": "later"},
        {"policies": ["random"] * (case.players + 1)},
        {"policies": ["clever"] * case.players},
        {"players": 0},
    ]
    for arguments in wrong:
        call = partial(trial.game.playouts, **({"count": 1, "players": case.players} | dict(case.options) | arguments))
        yield from trial.refused(BadOption, f"{arguments}", call)


@CHAPTER.check()
def threads(trial: Trial) -> Iterator[Finding]:
    """Threads do not meet: games and worlds are the same in one thread and in two at once."""
    first = trial.seeds(1)[0]
    seeds = range(first, first + 4)
    sample = trial.sample(6)

    def work(seed: int) -> tuple[Playouts, list[bytes]]:
        worlds = [state.view(seat).determinize(seed) for state in sample for seat in trial.case.observers]
        return bulk(trial, trial.scaled(400), seed), [world.to_bytes() for world in worlds]

    alone = [work(seed) for seed in seeds]
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(work, seeds))
    for seed, (games, worlds), (same_games, same_worlds) in zip(seeds, alone, together, strict=True):
        yield from trial.expect(not difference(games, same_games), f"the same games of seed {seed} in two threads")
        yield from trial.expect(worlds == same_worlds, f"the same worlds of seed {seed} in two threads")
