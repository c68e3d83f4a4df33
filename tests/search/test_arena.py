"""The arena of nodes: what it holds while it grows, and what it gives up once it is full."""

import os
import statistics
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from machiavel.engines import View
from machiavel.search import SearchParameters
from machiavel.search._search import Search, root_moves
from tests.engines.games import GAMES
from tests.search.positions import MEGABYTE, SHIPPED, VARIANTS, asked, open_view, search_of, states

PAGE = os.sysconf("SC_PAGE_SIZE")
INDEX_SHARE = 4  # of an arena that its index may have, at most


def resident() -> int:
    """Bytes of memory that this process holds."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * PAGE


def run_until(search: Search, happened: Callable[[dict[str, float]], bool], step: int = 5000, most: int = 20_000_000) -> None:
    while not happened(search.statistics()):
        assert search.iterations < most, f"it never happened: {search.statistics()}"
        search.run(search.iterations + step, None)


LARGE = [game for game in SHIPPED if game != "kuhn"]  # a match of kuhn fits into any arena
LEAST = {"liars_dice": 60}  # moves, early in a match, when the tree is large


def is_full(result: dict[str, float]) -> bool:
    return result["given_up"] > 0


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("game", LARGE)
def test_how_large_an_arena_is_makes_no_difference_until_it_is_full(game: str, variant: str) -> None:
    view = open_view(game, 3, least=LEAST.get(game, 3))
    small, large = search_of(view, MEGABYTE, variant=variant), search_of(view, 32 * MEGABYTE, variant=variant)
    grown = 0
    for iterations in range(500, 40_001, 500):
        small.run(iterations, None)
        large.run(iterations, None)
        if small.statistics()["given_up"] or small.statistics()["refused"]:
            break
        assert small.look(1, 8) == large.look(1, 8)
        assert small.statistics() == large.statistics()
        grown += 1
    # From the first 256 slots on the index of each has doubled a few times by then, and nodes have more than their first edges.
    assert grown and large.statistics()["nodes"] > 2000
    assert large.statistics()["refused"] == 0


@pytest.mark.parametrize("game", SHIPPED)
def test_nodes_have_as_many_edges_as_moves_were_tried(game: str) -> None:
    view = open_view(game, 3)
    search = search_of(view, 32 * MEGABYTE)
    for iterations in (1, 10, 100, 1000, 30_000):
        search.run(iterations, None)
        figures = search.statistics()
        # Each iteration makes one edge, and a node for it where there was none, unless the game ends on the way.
        assert 1 <= figures["nodes"] <= figures["edges"] <= iterations
    wide = search.statistics()
    assert wide["edges"] > 1.3 * wide["nodes"]
    assert len(search.look()) == len(view.legal_moves())
    assert all(visits for visits, *_ in search.look())


@pytest.mark.parametrize("game", LARGE)
def test_a_full_arena_keeps_the_root_and_what_is_met(game: str) -> None:
    search = search_of(open_view(game, 4))
    run_until(search, is_full)
    full = search.statistics()
    total = search.iterations
    search.run(4 * total, None)
    later = search.statistics()
    assert later["given_up"] > full["nodes"]
    assert later["nodes"] > full["nodes"] / 2
    assert sum(visits for visits, *_ in search.look()) == search.iterations == 4 * total
    # What is refused is the price of a round of the clock's hand, not the rule.
    assert later["refused"] - full["refused"] < total
    assert search.look(8, 4)[best(search)][4], "the line after the best move is there"


def best(search: Search) -> int:
    looks = search.look()
    return max(range(len(looks)), key=lambda at: looks[at][0])


@pytest.mark.parametrize("variant", VARIANTS)
def test_memory_does_not_grow_in_a_full_arena(variant: str) -> None:
    search = search_of(open_view("agency", 5), 2 * MEGABYTE, variant=variant)
    run_until(search, is_full)
    before = resident()
    search.run(search.iterations * 4, None)
    assert resident() - before <= 2 * MEGABYTE // INDEX_SHARE + MEGABYTE // 4


@pytest.mark.parametrize("game", ["agency", pytest.param("bond", marks=pytest.mark.slow)])
def test_a_full_arena_goes_on_holding_as_much_and_seldom_has_no_room(game: str) -> None:
    """Widened nodes leave small blocks behind; those that lie side by side must become large ones again."""
    for state in islice(states(game, 9, least=4), 4):
        search = search_of(asked(state))
        search.run(150_000, None)
        early = search.statistics()
        assert early["given_up"] > 0
        search.run(300_000, None)
        later = search.statistics()
        assert later["edges"] > 0.6 * early["edges"]
        assert later["refused"] - early["refused"] < 0.1 * 150_000


# ---- Ten million iterations ----


def worth(view: View, move: int) -> float:
    """What a root move brings in a large search of it alone: in one of all moves the mean of a move grows with its visits."""
    search = Search(view, [move], SearchParameters(policy="uniform", seed=99).for_game(view.game), 512 * MEGABYTE)
    search.run(3_000_000, None)
    ((visits, total, *_),) = search.look()
    return total / visits


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(("megabytes", "positions"), [(16, 5), (256, 1)])
@pytest.mark.parametrize("game", GAMES)
def test_ten_million_iterations_play_no_weaker_than_when_the_arena_filled(game: str, megabytes: int, positions: int) -> None:
    gains = []
    for state in islice(states(game, 9, least=4), positions):
        view = asked(state)
        moves = root_moves(view)
        search = search_of(view, megabytes * MEGABYTE)
        run_until(search, is_full, 50_000, 12_000_000)
        then, iterations, before = moves[best(search)], search.iterations, resident()
        search.run(10_000_000, None)
        grown, now = resident() - before, moves[best(search)]
        gains.append(0.0 if now == then else worth(view, now) - worth(view, then))
        print(game, megabytes, "MB, full at", iterations, "grown by", grown, "gains", gains[-1], search.statistics())
        assert grown <= megabytes * MEGABYTE // INDEX_SHARE + MEGABYTE
        assert sum(visits for visits, *_ in search.look()) == 10_000_000
    assert statistics.fmean(gains) >= -0.002, gains
