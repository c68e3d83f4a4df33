"""Where the cards are that a seat does not see: how often each lies in each hidden place, in worlds drawn from its view alone."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from machiavel.engines import LANGUAGES, BadOption, View, WorldSampler, state_size
from machiavel.engines.hidden_places import Counts, HiddenCells
from machiavel.search.limits import is_whole

__all__ = ["HiddenPlace", "MapRun", "UnseenMap", "UnseenThing", "unseen_map"]

LEAST_WORLDS, MOST_WORLDS = 1000, 8000
BYTES = 300_000  # of all worlds together: a small game has more of them
MOST_ASKED = 1_000_000
SEEDS = 1 << 64
DIGITS = 4
PlaceName = tuple[str, int | None, int | None]  # field, seat, index


@dataclass(frozen=True)
class HiddenPlace:
    """A place that holds something the seat does not see: whose it is, and which of several, as far as there are such.

    `size` is how many of the map's things lie there, on average over the worlds.
    """

    field: str
    seat: int | None
    index: int | None
    label: Mapping[str, str]  # by language
    size: float


@dataclass(frozen=True)
class UnseenThing:
    """A card, or another thing, that the seat does not see; equal cards are one thing.

    `expected` is how many of it are in each place on average, `chance` how likely it is that at least one is: the same where
    there is one of it. `count` is how many there are in all.
    """

    name: str
    kind: str
    count: float
    expected: tuple[float, ...]
    chance: tuple[float, ...]


@dataclass(frozen=True)
class UnseenMap:
    """All hidden places, and the things in them.

    `effective_worlds` are the equally likely ones that the worlds are worth; `standard_error` is the largest of all numbers here.
    `weighed_by` is what makes some worlds count more than others: `habits`, what players of the game are wont to keep, and
    `inference`, how plausible the others' moves are; nothing: all count the same.
    """

    places: tuple[HiddenPlace, ...]
    things: tuple[UnseenThing, ...]
    worlds: int
    effective_worlds: float
    standard_error: float
    weighed_by: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """As an object that `json` can write."""
        return {
            "places": [asdict(one) for one in self.places],
            "things": [asdict(one) | {"expected": list(one.expected), "chance": list(one.chance)} for one in self.things],
            "worlds": self.worlds,
            "effective_worlds": self.effective_worlds,
            "standard_error": self.standard_error,
            "weighed_by": list(self.weighed_by),
        }


class MapRun:
    """A map being made, bit by bit; run in one thread at a time."""

    def __init__(self, view: View, seed: int = 0, *, inference: bool = False, worlds: int | None = None) -> None:
        self.view = view
        self.inference = inference and view.game.has("likelihood")
        self.sampler = WorldSampler(view, usual_worlds(view) if worlds is None else worlds, seed, inference)
        self.map: UnseenMap | None = None

    def work(self, seconds: float | None = None) -> bool:
        """Go on for about so long; whether the map is there. Raises GameFault where the game's own code went wrong."""
        if self.map is None and self.sampler.go_on(seconds):
            self.map = map_of(self.view, self.sampler, inference=self.inference)
        return self.map is not None


def usual_worlds(view: View) -> int:
    """How many are drawn: more where they are small."""
    return min(max(BYTES // state_size(view), LEAST_WORLDS), MOST_WORLDS)


def unseen_map(view: View, seed: int = 0, *, inference: bool = False, worlds: int | None = None) -> UnseenMap:
    """Where unseen cards are, from the view alone: the same view, seed and number of worlds give the same map.

    With `inference` worlds count the more, the better they explain the others' moves, where the engine can tell. Without
    `worlds` there are 1,000, and up to 8,000 in games whose states are small.

    Raises BadOption for a seed or a number that cannot be.
    """
    if not is_whole(seed) or not 0 <= seed < SEEDS:
        raise BadOption("seed", seed, "a whole number from 0 to 2^64 - 1")
    if worlds is not None and (not is_whole(worlds) or not 1 <= worlds <= MOST_ASKED):
        raise BadOption("worlds", worlds, f"a whole number from 1 to {MOST_ASKED}")
    run = MapRun(view, seed, inference=inference, worlds=worlds)
    run.work()
    if run.map is None:
        raise RuntimeError("the worlds were not all drawn")
    return run.map


class PlaceMeans(NamedTuple):
    """Of what lies in one place, by thing."""

    expected: NDArray[np.float64]
    chance: NDArray[np.float64]
    variance: float  # the largest, of one world


def map_of(view: View, sampler: WorldSampler, *, inference: bool) -> UnseenMap:
    weights, habits = sampler.weights, sampler.habits()
    weighed_by = ["inference"] if inference else []
    if habits is not None:
        weights, weighed_by = weights * habits, ["habits", *weighed_by]
    total = float(weights.sum())
    effective = total * total / float((weights * weights).sum())
    cells = [one for one in sampler.cells() if one.counts.any()]
    means = [means_of(one.counts, weights / total, is_even=bool((weights == weights[0]).all())) for one in cells]
    names = list(dict.fromkeys(map(place_name, cells)))
    sizes = dict.fromkeys(names, 0.0)
    for one, mean in zip(cells, means, strict=True):
        sizes[place_name(one)] += float(mean.expected.sum())
    things: list[UnseenThing] = []
    for kind in dict.fromkeys(one.kind for one in cells):
        things += things_of(
            kind, [(names.index(place_name(one)), one, mean) for one, mean in zip(cells, means, strict=True)], len(names)
        )
    error = math.sqrt(max((mean.variance for mean in means), default=0.0) / effective)
    places = places_of(view, {place_name(one): one for one in reversed(cells)}, sizes)
    return UnseenMap(places, tuple(things), len(weights), round(effective, 1), round(error, DIGITS), tuple(weighed_by))


def place_name(cells: HiddenCells) -> PlaceName:
    return cells.field, cells.seat, cells.index


def things_of(kind: str, found: Sequence[tuple[int, HiddenCells, PlaceMeans]], places: int) -> list[UnseenThing]:
    """The rows of the things of a kind, in their order."""
    found = [one for one in found if one[1].kind == kind]
    rows = {name: row for row, name in enumerate(dict.fromkeys(name for _, one, _ in found for name in one.names))}
    expected, chance = np.zeros((len(rows), places)), np.zeros((len(rows), places))
    for at, one, mean in found:
        where = [rows[name] for name in one.names]
        expected[where, at] += mean.expected
        chance[where, at] = np.maximum(chance[where, at], mean.chance)
    counts = expected.sum(axis=1).round(DIGITS).tolist()
    told = zip(rows, counts, expected.round(DIGITS).tolist(), chance.round(DIGITS).tolist(), strict=True)
    return [UnseenThing(name, kind, count, tuple(one), tuple(two)) for name, count, one, two in told if any(two)]


def means_of(counts: Counts, shares: NDArray[np.float64], *, is_even: bool) -> PlaceMeans:
    """The mean of one place's counts over the worlds; for worlds that count the same, in whole numbers, which is quicker."""
    most = int(counts.max())
    if is_even:
        worlds = len(counts)
        expected = counts.sum(axis=0, dtype=np.uint32) / worlds
        chance = expected if most <= 1 else (counts > 0).sum(axis=0, dtype=np.uint32) / worlds
        squares = expected if most <= 1 else np.square(counts, dtype=np.uint32).sum(axis=0) / worlds
    else:
        expected = shares @ counts
        chance = expected if most <= 1 else shares @ (counts > 0)
        squares = expected if most <= 1 else shares @ np.square(counts, dtype=np.uint32)
    variance = float((squares - expected * expected).max())
    return PlaceMeans(expected, chance, max(variance, float((chance - chance * chance).max())))


def places_of(view: View, cells: Mapping[PlaceName, HiddenCells], sizes: Mapping[PlaceName, float]) -> tuple[HiddenPlace, ...]:
    plugin, seen = view.game.plugin, view.to_json()["view"]
    return tuple(
        HiddenPlace(
            *name,
            {language: plugin.place_label(view.rules, seen, cells[name], language) for language in LANGUAGES},
            round(size, DIGITS),
        )
        for name, size in sizes.items()
    )
