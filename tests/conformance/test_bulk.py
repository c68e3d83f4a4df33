"""Games in bulk: the same as one by one, whatever the number, the loop and the threads."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from machiavel.engines import BadOption
from machiavel.engines._bulk import playouts
from machiavel.engines.playouts import Playouts
from tests.conformance.cases import Case, positions, scaled
from tests.conformance.contract import COOPERATIVE, RULES_CAPSULE, contract_of, pointer_of


def bulk(
    case: Case,
    count: int,
    seed: int = 0,
    *,
    until: str = "end",
    policies: Sequence[str] | None = None,
    plain: bool = False,
) -> Playouts:
    return Playouts(*playouts(case.game, case.rules, count, seed, policies, until, plain))


def assert_equal(one: Playouts, other: Playouts) -> None:
    for name in ("utilities", "metrics", "plies"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert one.metric_names == other.metric_names


def policies_of(case: Case) -> list[list[str] | None]:
    if not contract_of(case.game.plugin).weights:
        return [None]
    return [None, ["greedy"] + ["random"] * (case.players - 1), ["greedy"] * case.players]


@pytest.mark.parametrize("until", ["end", "horizon"])
def test_every_game_ends_in_time_and_shares_one(case: Case, until: str) -> None:
    contract = contract_of(case.game.plugin)
    most = contract.max_plies(pointer_of(case.rules.capsule, RULES_CAPSULE))
    for policies in policies_of(case):
        games = bulk(case, scaled(500), until=until, policies=policies)
        assert games.utilities.shape == (scaled(500), case.players)
        assert games.metric_names == tuple(case.game.plugin.metrics(case.rules))
        assert np.isfinite(games.metrics).all()
        assert (games.utilities >= 0).all() and (games.utilities <= 1).all()
        assert (games.plies >= 1).all() and (games.plies <= most).all()
        if contract.flags & COOPERATIVE:
            assert (games.utilities == games.utilities[:, :1]).all()
        else:
            np.testing.assert_allclose(games.utilities.sum(axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("until", ["end", "horizon"])
def test_the_engines_own_loop_plays_as_the_plain_one(case: Case, until: str) -> None:
    for seed in (0, 1 << 127):
        assert_equal(bulk(case, scaled(300), seed, until=until), bulk(case, scaled(300), seed, until=until, plain=True))


def test_a_game_does_not_depend_on_how_many_are_asked_for(case: Case) -> None:
    many = bulk(case, 50, 4)
    few = bulk(case, 20, 4)

    assert_equal(few, Playouts(many.utilities[:20], many.metrics[:20], many.plies[:20], many.metric_names))


def test_a_horizon_is_never_later_than_the_end(case: Case) -> None:
    assert (bulk(case, 200, until="horizon").plies <= bulk(case, 200).plies).all()


def test_other_seeds_bring_other_games(case: Case) -> None:
    games = [bulk(case, 50, seed) for seed in range(5)]

    assert len({(run.utilities.tobytes(), run.plies.tobytes()) for run in games}) > 1


def test_what_cannot_be_played_in_bulk_is_refused(case: Case) -> None:
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
        with pytest.raises(BadOption):
            case.game.playouts(**({"count": 1, "players": case.players} | dict(case.options) | arguments))


def test_threads_do_not_meet(case: Case) -> None:
    seeds = range(4)
    sample = positions(case, scaled(6))

    def work(seed: int) -> tuple[Playouts, list[bytes]]:
        worlds = [state.view(seat).determinize(seed) for state in sample for seat in (*range(case.players), None)]
        return bulk(case, scaled(400), seed), [world.to_bytes() for world in worlds]

    alone = [work(seed) for seed in seeds]
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(work, seeds))
    for (games, worlds), (same_games, same_worlds) in zip(alone, together, strict=True):
        assert_equal(games, same_games)
        assert worlds == same_worlds
