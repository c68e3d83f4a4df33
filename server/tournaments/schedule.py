"""Who sits where: every deal of a tournament is played in the same list of seatings, or in lists that even out over deals."""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

from machiavel.engines import BadOption

__all__ = ["ALL_UP_TO", "FORMATS", "SEATINGS", "Schedule", "cyclic_orders", "is_balanced", "lineups_of"]

FORMATS = ("round-robin", "gauntlet", "teams", "tables")
SEATINGS = ("all", "balanced", "rotations", "given")
ALL_UP_TO = 4  # players whose seatings are all played unless somebody says otherwise
MOST_GAMES = 20_000  # a deal
MOST_LINEUPS = 100_000  # of which some may be drawn for each deal

Seating = tuple[int, ...]  # the number of the bot in each seat


def lineups_of(form: str, bots: int, players: int, *, is_cooperative: bool) -> list[Seating]:
    """Who plays together, in any order, as the numbers of the bots; raises BadOption.

    `round-robin`: every bot with all others. Where there are more seats than bots all sit equally often, as far as that goes, and
    who sits once more takes turns. Where all win together: every bot as a whole team, and every two in teams as even as can be.
    `gauntlet`: the first bot at one seat, and each other bot at all the rest. `teams`: every bot at all seats.
    """
    everybody = range(bots)
    teams = [(bot,) * players for bot in everybody]
    if form == "teams":
        return teams
    if form == "gauntlet":
        if bots < 2 or players < 2:
            raise BadOption("format", form, "a gauntlet for two bots or more, at two seats or more")
        return [(0, *[other] * (players - 1)) for other in everybody[1:]]
    if form != "round-robin":
        raise BadOption("format", form, ", ".join(FORMATS))
    if is_cooperative:
        few, many = players // 2, players - players // 2
        mixed = {(*[one] * few, *[other] * many) for one, other in permutations(everybody, 2)} if few else set()
        return teams + sorted({tuple(sorted(team)) for team in mixed})
    each, left = divmod(players, bots)
    if (count := comb(bots, left)) > MOST_LINEUPS:
        raise BadOption("bots", bots, f"fewer: at tables of {players} they make {count:,} line-ups, more than {MOST_LINEUPS:,}")
    return [tuple(sorted([*everybody] * each + list(more))) for more in combinations(everybody, left)]


def cyclic_orders(players: int) -> list[Seating]:
    """Ways round a table in which everybody sits equally often on the left of everybody else.

    A zigzag (Walecki's, of 1892) through all but one player, turned on by one from order to order, and all of it in both
    directions; where the number of players is even, turned twice as often.
    """
    if players < 4:
        return [(0, *order) for order in permutations(range(1, players))]
    ring = players - 1
    zigzag = [(step + 1) // 2 * (1 if step % 2 else -1) % ring for step in range(ring)]
    turns = ring if players % 2 == 0 else ring // 2
    result = [(ring, *((place + turn) % ring for place in zigzag)) for turn in range(turns)]
    return result + [(order[0], *order[:0:-1]) for order in result]


def rotations(order: Seating) -> list[Seating]:
    return [order[turn:] + order[:turn] for turn in range(len(order))]


def seated(lineup: Seating, order: Seating) -> Seating:
    return tuple(lineup[place] for place in order)


def is_balanced(seatings: Sequence[Seating]) -> bool:
    """Whether each bot sits equally often in every seat, and next to each other as often as its share of the seats asks."""
    players = len(seatings[0])
    lineup = Counter(seatings[0])
    places = Counter((seat, bot) for seating in seatings for seat, bot in enumerate(seating))
    neighbours = Counter((seating[seat - 1], bot) for seating in seatings for seat, bot in enumerate(seating))
    pairs = players * (players - 1)
    fair = all(places[seat, bot] * players == len(seatings) * lineup[bot] for seat in range(players) for bot in lineup)
    return fair and all(
        neighbours[one, other] * pairs == len(seatings) * players * lineup[one] * (lineup[other] - (one == other))
        for one in lineup
        for other in lineup
        if players > 1
    )


def count_of(lineup: Seating) -> int:
    """How many ways there are to seat it."""
    return factorial(len(lineup)) // prod(factorial(count) for count in Counter(lineup).values())


def every_seating(lineup: Seating) -> list[Seating]:
    return sorted(set(permutations(lineup)))


def balanced_seatings(lineup: Seating) -> list[Seating]:
    """Few seatings that are balanced."""
    rows = [seated(lineup, turned) for order in cyclic_orders(len(lineup)) for turned in rotations(order)]
    result = sorted(set(rows))
    return result if is_balanced(result) else every_seating(lineup)


@dataclass(frozen=True)
class Schedule:
    """The seatings of every deal. Those of a deal depend on its number alone, not on how many deals there are."""

    players: int
    bots: int
    lineups: tuple[Seating, ...]
    seatings: str = "all"  # of SEATINGS
    sample: int = 0  # lineups a deal plays, in turn; 0: all
    seed: int = 0  # of the sample

    def __post_init__(self) -> None:
        if self.seatings not in SEATINGS:
            raise BadOption("seatings", self.seatings, ", ".join(SEATINGS))
        if self.sample and (self.sample > len(self.lineups) or len({count_of(lineup) for lineup in self.lineups}) > 1):
            most = f"at most {len(self.lineups)}, the lineups there are"
            raise BadOption(
                "sample", self.sample, most if self.sample > len(self.lineups) else "none where lineups differ in kind"
            )
        if self.games_a_deal > MOST_GAMES:
            expected = (
                f"at most {MOST_GAMES} games a deal, not {self.games_a_deal}; draw lineups with --sample, or take --seatings"
            )
            raise BadOption("seatings", self.seatings, f"{expected} rotations")

    @property
    def games_a_deal(self) -> int:
        lineups = self.lineups[: self.sample or None]
        if self.seatings == "given":
            return len(lineups)
        if self.seatings == "rotations":
            return len(lineups) * self.players
        if self.seatings == "all":
            return sum(map(count_of, lineups))
        return sum(len(balanced_seatings(lineup)) for lineup in lineups)

    def of(self, deal: int) -> NDArray[np.int64]:
        """The seatings of a deal: [seating, seat] → number of the bot. Not to be written to."""
        if not self.sample and self.seatings != "rotations":
            return self.fixed
        lineups = self.sampled(deal) if self.sample else self.lineups
        return as_array([row for lineup in lineups for row in self.rows(lineup, deal)])

    def seats(self, deals: NDArray[np.int64], seatings: NDArray[np.int64]) -> NDArray[np.int64]:
        """Of games by deal, ascending, and number of the seating."""
        if not self.sample and self.seatings != "rotations":
            return self.fixed[seatings]
        result = np.zeros((len(deals), self.players), np.int64)
        for deal in np.unique(deals).tolist():
            result[deals == deal] = self.of(deal)[seatings[deals == deal]]
        return result

    @cached_property
    def fixed(self) -> NDArray[np.int64]:
        return as_array([row for lineup in self.lineups for row in self.rows(lineup, 0)])

    def rows(self, lineup: Seating, deal: int) -> list[Seating]:
        if self.seatings == "given":
            return [lineup]
        if self.seatings == "all":
            return every_seating(lineup)
        if self.seatings == "balanced":
            return balanced_seatings(lineup)
        orders = cyclic_orders(self.players)
        return rotations(seated(lineup, orders[deal % len(orders)]))

    def sampled(self, deal: int) -> list[Seating]:
        """Lineups by windows on a ring of bots that is shuffled again after each time round: so all sit equally often."""
        if len({len(set(lineup)) for lineup in self.lineups}) > 1 or len(self.lineups[0]) != len(set(self.lineups[0])):
            return [self.shuffled(at // len(self.lineups))[at % len(self.lineups)] for at in self.turns(deal)]
        result = []
        for at in self.turns(deal):
            time_round, start = divmod(at, self.bots)
            ring = self.ring(time_round)
            result.append(tuple(sorted(ring[(start + step) % self.bots] for step in range(self.players))))
        return result

    def turns(self, deal: int) -> range:
        return range(deal * self.sample, (deal + 1) * self.sample)

    def ring(self, time_round: int) -> list[int]:
        ring = [*range(self.bots)]
        random.Random(f"{self.seed}/{time_round}").shuffle(ring)
        return ring

    def shuffled(self, time_round: int) -> list[Seating]:
        lineups = [*self.lineups]
        random.Random(f"{self.seed}/{time_round}").shuffle(lineups)
        return lineups


def as_array(rows: Iterable[Seating]) -> NDArray[np.int64]:
    return np.array(list(rows), np.int64)
