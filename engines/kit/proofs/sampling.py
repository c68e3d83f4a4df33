"""Whether two ways to draw worlds draw alike, by χ²; and worlds of an earlier view, carried on by the moves that were seen."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from scipy.stats import chi2_contingency

from machiavel.engines import IllegalMove, MatchOver, NotToMove, State
from machiavel.engines.conformance import Trial
from machiavel.engines.kit.proofs.world_facts import MANY

__all__ = ["Difference", "PlayedMatch", "difference"]

LEAST_EXPECTED = 10  # worlds of an outcome; what is rarer counts together
LEAST_P = 1e-6  # times the number of facts: below it, the two do not draw alike

Facts = Callable[[bytes], Iterable[tuple[str, str]]]


@dataclass(frozen=True)
class Difference:
    """Something that is so in `first` of `firsts` worlds, and in `second` of `seconds` worlds drawn in another way."""

    fact: str
    first: int
    firsts: int
    second: int
    seconds: int

    @property
    def is_known(self) -> bool:
        """Whether it is certain, or impossible, in the first ones."""
        return self.first in {0, self.firsts}

    def __str__(self) -> str:
        return f"{self.fact} in {self.second:,} of {self.seconds:,} of them, and in {self.first:,} of {self.firsts:,}"


def difference(facts: Facts, first: Iterable[bytes], second: Iterable[bytes]) -> Difference | None:
    """What differs most between worlds drawn in two ways; None where chance may have done it."""
    counts: dict[str, tuple[Counter[str], Counter[str]]] = {}
    totals = [0, 0]
    for side, worlds in enumerate((first, second)):
        for world in worlds:
            totals[side] += 1
            for name, value in facts(world):
                counts.setdefault(name, (Counter(), Counter()))[side][value] += 1
    chances = {name: p_of(*pair) for name, pair in counts.items()}
    unlikely = [name for name, chance in chances.items() if chance * len(chances) < LEAST_P]
    if not unlikely:
        return None
    name = min(unlikely, key=lambda name: (name.startswith(MANY), chances[name], name))  # what is said in few words, first
    one, other = counts[name]
    value = max(sorted({*one, *other}), key=lambda value: abs(one[value] / totals[0] - other[value] / totals[1]))
    return Difference(f"{name} {value}", one[value], totals[0], other[value], totals[1])


def p_of(first: Counter[str], second: Counter[str]) -> float:
    """χ² of two samples; what is too rare for it counts together."""
    rows: list[tuple[int, int]] = []
    rare = (0, 0)
    for outcome in {*first, *second}:
        row = (first[outcome], second[outcome])
        if sum(row) < 2 * LEAST_EXPECTED:
            rare = (rare[0] + row[0], rare[1] + row[1])
        else:
            rows.append(row)
    if sum(rare) >= 2 * LEAST_EXPECTED:
        rows.append(rare)
    return 1.0 if len(rows) < 2 else float(chi2_contingency(rows).pvalue)


class PlayedMatch:
    """A match at random, every position kept."""

    def __init__(self, trial: Trial, seed: int) -> None:
        self.trial = trial
        self.states: list[State] = [state.copy() for state, _ in trial.walk(seed)]

    def carried_on(self, seat: int | None, first: int, last: int, draw: random.Random) -> Iterator[State | None]:
        """Worlds of the view at `first`, played on as it was seen; None for each that shows the seat something else on its way.

        Of a hidden move it saw no more than that text: one of the moves that look so is drawn.
        """
        view = self.states[first].view(seat)
        seen = [state.seen_by(seat) for state in self.states]
        texts = self.states[-1].observed_moves(seat)
        while True:
            world = view.determinize(draw.getrandbits(64))
            for ply in range(first, last):
                try:
                    world.play(self._meant(world, texts[ply], self.states[-1].moves[ply], draw))
                except (IllegalMove, MatchOver, NotToMove):
                    break
                if world.seen_by(seat) != seen[ply + 1]:
                    break
            else:
                yield world
                continue
            yield None

    def _meant(self, world: State, seen: str, played: str, draw: random.Random) -> str:
        if seen == played or world.seat_to_move is None:
            return played
        plugin, rules = world.game.plugin, world.rules
        alike = [move for move in world.moves_of(world.seat_to_move) if plugin.public_text(rules, move) == seen]
        return plugin.move_text(rules, draw.choice(alike)) if alike else played

    def earliest(
        self, seat: int | None, firsts: Sequence[int], last: int, wanted: int, draw: random.Random
    ) -> tuple[int, list[State]]:
        """Worlds at `last` out of the first of these views from which enough come through, and after how many moves that was."""
        most = (5 if len(firsts) > 1 else 10) * wanted
        for first in dict.fromkeys(firsts):
            tries = self.carried_on(seat, first, last, draw)
            probe = [world for world in islice(tries, most // 10) if world is not None]
            if len(probe) * 50 < wanted:  # at the end there would be too few of them
                continue
            found = probe + [world for world in islice(tries, most) if world is not None]
            return first, found[:wanted]
        return last, []
