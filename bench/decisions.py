"""Decisions out of self-play: what a search said of each, and how its match ended; a line of JSON each, in a file that grows.

Seats play the game's default search with few iterations, so that matches are cheap; one decision of each match, every one that
left a choice as likely as any other, is searched as usual.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from machiavel.engines import Game
from machiavel.search import Limits, SearchParameters, recommend
from machiavel.search._runner import Runner
from machiavel.search.match_runner import contestant

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


def decisions(game: Game, players: Sequence[int], matches: int, iterations: int, output: Path) -> list[SampledDecision]:
    """Those of so many matches; the ones in the file are not played again."""
    found = list(read(output))
    output.parent.mkdir(parents=True, exist_ok=True)
    tables = {number: SelfPlay(game, number, iterations) for number in players}
    begun = found[-1].match + 1 if found else 0
    with output.open("a", encoding="utf-8") as file:
        for match in range(begun, matches):
            decision = tables[players[match % len(players)]].decision(match)
            if decision is not None:
                found.append(decision)
                file.write(json.dumps(asdict(decision)) + "\n")
                file.flush()
            if match % 50 == 0:
                print(f"\r{game.name}: {match}/{matches} matches", end="", file=sys.stderr, flush=True)
    print(f"\r{game.name}: {matches}/{matches} matches", file=sys.stderr)
    return [one for one in found if one.match < matches]


def read(output: Path) -> Iterator[SampledDecision]:
    """The decisions in a file; a line cut short by an end that came too soon is dropped, from the file as well."""
    if not output.exists():
        return
    text = output.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        output.write_text(whole, encoding="utf-8")
    for line in whole.splitlines():
        yield SampledDecision(**json.loads(line))


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
