"""Decisions out of self-play: what a search said of each, and how its match ended; a line of JSON each, in a file that grows.

Seats play the game's default search with few iterations, so that matches are cheap; one decision of each match, every one that
left a choice as likely as any other, is searched as usual.
"""

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from bench.measurements import rows_at
from machiavel.engines import Game
from machiavel.search import Limits, SearchParameters, recommend
from machiavel.search.match_runner import Runner, contestant
from machiavel.server.journal import JournalKind

__all__ = ["SampledDecision", "decisions"]

SEARCHED = 2000  # iterations of the search that is judged
BITS = 63


@dataclass(frozen=True)
class SampledDecision:
    """What the seat was told of its best move, and what the match brought it."""

    match: int
    players: int
    seat: int
    ply: int
    plies: int  # of the whole match
    utility: float
    error: float
    won: float  # its share of the win


KIND = JournalKind("decisions", key=lambda row: row["match"], is_headed=False)


def decisions(game: Game, players: Sequence[int], matches: int, iterations: int, output: Path) -> list[SampledDecision]:
    """Those of so many matches; the ones in the file are not played again. Raises BadJournal where it has others' decisions."""
    header = {"decisions": {"game": game.name, "players": list(players), "iterations": iterations}}
    kept = rows_at(output, KIND, header)
    result = [SampledDecision(**row) for row in kept.values]
    tables = {number: SelfPlay(game, number, iterations) for number in players}
    begun = result[-1].match + 1 if result else 0
    for match in range(begun, matches):
        decision = tables[players[match % len(players)]].decision(match)
        if decision is not None:
            result.append(decision)
            kept.add(asdict(decision))
        if match % 50 == 0:
            print(f"\r{game.name}: {match}/{matches} matches", end="", file=sys.stderr, flush=True)
    print(f"\r{game.name}: {matches}/{matches} matches", file=sys.stderr)
    return [one for one in result if one.match < matches]


class SelfPlay:
    """Where so many seats play."""

    def __init__(self, game: Game, players: int, iterations: int) -> None:
        self.game = game
        self.rules = game.make_rules(players)
        self.runner = Runner(game, self.rules, [contestant(game, f"ismcts:iterations={iterations}", 0)])
        self.seating = np.zeros(players, np.int64)
        self.head = game.deal(self.rules, seed=0).view(None).to_bytes()

    def decision(self, match: int) -> SampledDecision | None:
        """One of a match; None where nobody ever had a choice."""
        played = self.runner.sample(0, match, self.seating)
        if played is None:
            return None
        body, seat, ply, plies, shares = played
        view = self.game.view_from_bytes(self.rules, self.head[: len(self.head) - len(body)] + body)
        best = recommend(view, Limits(iterations=SEARCHED), SearchParameters(seed=match % (1 << BITS))).candidates[0]
        return SampledDecision(match, self.rules.players, seat, ply, plies, best.utility, best.standard_error, shares[seat])
