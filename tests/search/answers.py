"""`python -m tests.search.answers` prints seeded recommendations for a spread of games, positions and ways to search.

With an argument it has searched otherwise before, and cuts its searches into slices of so few iterations.
"""

import json
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

from machiavel.engines import View, load
from machiavel.search import Limits, SearchParameters, recommend
from machiavel.search.search_run import SearchRun
from tests.search.positions import SHIPPED, asked, states

ITERATIONS = 400
WAYS: dict[str, dict[str, Any]] = {
    "single": {"variant": "single"},
    "multi": {"variant": "multi"},
    "pimc": {"variant": "pimc", "worlds": 7},
    "weighted": {"variant": "single", "policy": "weighted"},
    "own": {"variant": "single", "policy": "own"},
    "prior": {"variant": "multi", "prior": 0.4},
    "threads": {"variant": "single", "policy": "weighted", "prior": 0.2, "threads": 2},
}


def views(way: str) -> Iterator[View]:
    """Of every game that can be searched so."""
    for game in SHIPPED:
        if load(game).has("weights") or not {"policy", "prior"} & WAYS[way].keys():
            yield from map(asked, islice(states(game, 21), 4))


def whole(view: View, parameters: SearchParameters) -> Any:
    return recommend(view, Limits(iterations=ITERATIONS), parameters, explain=True).to_json()


def sliced(view: View, parameters: SearchParameters, iterations: int) -> Any:
    """The same, but never so many iterations at a stretch, and looked at in between."""
    search_run = SearchRun(view, Limits(iterations=ITERATIONS), parameters, explain=True)
    for search, share in zip(search_run.searches, search_run.shares, strict=True):
        for until in range(iterations, (share or 0) + 1, iterations):
            search.run(until, None)
            search.look(1, 8)
            search_run.answer("running")
    stopped = [search_run.work(tree) for tree in range(len(search_run.searches))]
    return search_run.answer(str(stopped[0])).to_json()


def all_answers(iterations: int = 0) -> list[Any]:
    result = []
    for name, way in WAYS.items():
        parameters = SearchParameters(seed=11, **way)
        for view in views(name):
            if iterations:
                recommend(view, Limits(iterations=33), SearchParameters(seed=5, **way))
                result.append(sliced(view, parameters, iterations))
            else:
                result.append(whole(view, parameters))
    return result


if __name__ == "__main__":
    json.dump(all_answers(*map(int, sys.argv[1:])), sys.stdout)
