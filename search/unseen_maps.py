"""Where the cards are that a seat does not see: how often each lies in each hidden place, in worlds drawn from its view alone."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from machiavel.engines import LANGUAGES, BadOption, Engine, View, WorldSampler, state_size
from machiavel.engines.hidden_places import HiddenCells
from machiavel.search.limits import is_whole

__all__ = ["HiddenPlace", "MapRun", "UnseenMap", "UnseenThing", "unseen_map"]

FEW_WORLDS, LEAST_WORLDS, MOST_WORLDS = 500, 1000, 8000
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
    """How many are drawn: more where they are small, fewer where each is told as JSON before anything can be counted."""
    many, is_told = BYTES // state_size(view), type(view.game.plugin).hidden_cells is Engine.hidden_cells
    return min(max(many, LEAST_WORLDS), MOST_WORLDS) if not is_told or many >= MOST_WORLDS else FEW_WORLDS


def unseen_map(view: View, seed: int = 0, *, inference: bool = False, worlds: int | None = None) -> UnseenMap:
    """Where unseen cards are, from the view alone: the same view, seed and number of worlds give the same map.

    With `inference` worlds count the more, the better they explain the others' moves, where the engine can tell. Without
    `worlds` there are 500 at least, and 1,000 to 8,000 in a game that declares what is hidden.

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
    shares = None if bool((weights == weights[0]).all()) else weights / total
    found = [(one, means_of(one, shares)) for one in sampler.cells()]
    found = [(one, mean) for one, mean in found if mean.chance.any()]
    cells = [one for one, _ in found]
    names = list(dict.fromkeys(map(place_name, cells)))
    sizes = dict.fromkeys(names, 0.0)
    for one, mean in found:
        sizes[place_name(one)] += float(mean.expected.sum())
    things: list[UnseenThing] = []
    for kind in dict.fromkeys(one.kind for one in cells):
        things += things_of(
            kind, [(names.index(place_name(one)), one, mean) for one, mean in found if one.kind == kind], len(names)
        )
    error = math.sqrt(max((mean.variance for _, mean in found), default=0.0) / effective)
    places = places_of(view, {place_name(one): one for one in reversed(cells)}, sizes)
    return UnseenMap(places, tuple(things), len(weights), round(effective, 1), round(error, DIGITS), tuple(weighed_by))


def place_name(cells: HiddenCells) -> PlaceName:
    return cells.field, cells.seat, cells.index


def things_of(kind: str, found: Sequence[tuple[int, HiddenCells, PlaceMeans]], places: int) -> list[UnseenThing]:
    """The rows of the things of a kind, in their order."""
    rows = {name: row for row, name in enumerate(dict.fromkeys(name for _, one, _ in found for name in one.names))}
    expected, chance = np.zeros((len(rows), places)), np.zeros((len(rows), places))
    for at, one, mean in found:
        where = [rows[name] for name in one.names]
        expected[where, at] += mean.expected
        chance[where, at] = np.maximum(chance[where, at], mean.chance)
    counts = expected.sum(axis=1).round(DIGITS).tolist()
    told = zip(rows, counts, expected.round(DIGITS).tolist(), chance.round(DIGITS).tolist(), strict=True)
    return [UnseenThing(name, kind, count, tuple(one), tuple(two)) for name, count, one, two in told if any(two)]


def means_of(cells: HiddenCells, shares: NDArray[np.float64] | None) -> PlaceMeans:
    """The mean of one place's counts over the worlds; where they all count the same, without shares, in whole numbers."""
    counts = cells.counts

    def mean(values: NDArray[Any]) -> NDArray[np.float64]:
        return total_of(values) / len(values) if shares is None else np.asarray(shares @ values)

    expected = mean(counts)
    if cells.is_single or not counts.max(initial=0) > 1:
        return PlaceMeans(expected, expected, float((expected - expected * expected).max(initial=0.0)))
    chance, squares = mean((counts > 0).view(np.uint8)), mean(np.square(counts, dtype=np.uint16))
    variance = max(float((squares - expected * expected).max()), float((chance - chance * chance).max()))
    return PlaceMeans(expected, chance, variance)


def total_of(values: NDArray[Any]) -> NDArray[np.int64]:
    """The sum of all rows; of bytes by blocks whose sums fit into a byte, which is several times as quick."""
    if values.dtype != np.uint8:
        return np.asarray(values.sum(axis=0, dtype=np.int64))
    rows = 255 // max(1, int(values.max(initial=0)))
    total = np.zeros(values.shape[1], np.int64)
    for first in range(0, len(values), rows):
        total += np.add.reduce(values[first : first + rows], axis=0, dtype=np.uint8)
    return total


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
