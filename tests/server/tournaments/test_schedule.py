"""Seatings: everybody sits equally often everywhere, and next to everybody else."""

from collections import Counter
from itertools import permutations

import pytest

from machiavel.engines import BadOption
from machiavel.server.tournaments.schedule import Schedule, cyclic_orders, is_balanced, lineups_of


def schedule(players: int, bots: int, form: str = "round-robin", **more: object) -> Schedule:
    return Schedule(players, bots, tuple(lineups_of(form, bots, players, is_cooperative=False)), **more)  # type: ignore[arg-type]


def rows(of: Schedule, deal: int = 0) -> list[tuple[int, ...]]:
    return [tuple(row) for row in of.of(deal).tolist()]


@pytest.mark.parametrize("players", range(2, 9))
def test_balanced_seatings_are_balanced_and_few(players: int) -> None:
    games = rows(schedule(players, players, seatings="balanced"))
    assert is_balanced(games)
    assert len(games) == len(set(games)) == players * len(cyclic_orders(players))
    assert len(games) <= 2 * players * (players - 1)


def test_what_is_not_balanced_is_told_from_what_is() -> None:
    everything = list(permutations(range(4)))
    assert is_balanced(everything)
    assert not is_balanced(everything[1:])
    # Every bot once in every seat, but always behind the same one.
    assert not is_balanced([(0, 1, 2), (1, 2, 0), (2, 0, 1)])
    assert not is_balanced([(0, 1, 2), (0, 2, 1)])


@pytest.mark.parametrize("lineup", [(0, 0, 1, 1), (0, 0, 1, 2), (0, 0, 0, 1, 1, 1), (0, 0, 1, 2, 3, 4), (0, 1, 1, 1, 1)])
def test_bots_that_sit_twice_are_balanced_too(lineup: tuple[int, ...]) -> None:
    games = rows(Schedule(len(lineup), max(lineup) + 1, (lineup,), "balanced"))
    assert is_balanced(games)
    assert {tuple(sorted(row)) for row in games} == {lineup}


def test_a_round_robin_seats_all_equally_often_in_every_seat() -> None:
    for players in range(2, 7):
        for bots in range(2, 7):
            counts = Counter((seat, bot) for row in rows(schedule(players, bots)) for seat, bot in enumerate(row))
            assert len(set(counts.values())) == 1, (players, bots)
            assert len(counts) == players * bots


def test_every_seating_is_played_once_a_deal() -> None:
    games = rows(schedule(4, 3))
    assert len(games) == len(set(games)) == 36
    assert schedule(4, 3).games_a_deal == 36
    assert rows(schedule(3, 2, "gauntlet")) == [(0, 1, 1), (1, 0, 1), (1, 1, 0)]
    assert rows(schedule(3, 2, "teams")) == [(0, 0, 0), (1, 1, 1)]


def test_where_all_win_together_bots_play_as_teams_and_mixed() -> None:
    result = lineups_of("round-robin", 2, 3, is_cooperative=True)
    assert result == [(0, 0, 0), (1, 1, 1), (0, 0, 1), (0, 1, 1)]
    assert lineups_of("round-robin", 2, 4, is_cooperative=True) == [(0,) * 4, (1,) * 4, (0, 0, 1, 1)]
    assert lineups_of("round-robin", 2, 1, is_cooperative=True) == [(0,), (1,)]


def test_rotations_give_each_deal_one_order_and_all_orders_over_deals() -> None:
    lineups = schedule(5, 5, seatings="rotations")
    orders = len(cyclic_orders(5))
    assert [len(rows(lineups, deal)) for deal in range(orders)] == [5] * orders
    assert is_balanced([row for deal in range(orders) for row in rows(lineups, deal)])
    assert rows(lineups, 1) != rows(lineups, 0) == rows(lineups, orders)


def test_sampled_lineups_even_out_over_deals_and_depend_on_the_deal_alone() -> None:
    lineups = schedule(3, 7, sample=2)
    counts = Counter(bot for deal in range(7) for row in rows(lineups, deal) for bot in row)
    assert len(set(counts.values())) == 1
    assert len(counts) == 7
    assert {len(rows(lineups, deal)) for deal in range(20)} == {lineups.games_a_deal} == {12}
    assert rows(lineups, 5) == rows(schedule(3, 7, sample=2), 5)
    assert rows(lineups, 5) != rows(schedule(3, 7, sample=2, seed=1), 5)


@pytest.mark.parametrize(
    ("form", "bots", "players", "more"),
    [
        ("knockout", 2, 2, {}),
        ("gauntlet", 1, 3, {}),
        ("round-robin", 3, 3, {"seatings": "some"}),
        ("round-robin", 5, 3, {"sample": 11}),
        ("round-robin", 40, 4, {"seatings": "rotations"}),
        ("round-robin", 64, 7, {"sample": 1}),
    ],
)
def test_what_cannot_be_scheduled_is_refused(form: str, bots: int, players: int, more: dict[str, object]) -> None:
    with pytest.raises(BadOption):
        schedule(players, bots, form, **more)
