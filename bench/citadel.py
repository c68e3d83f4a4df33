"""How often a team of equal bots wins citadel, what its characters and cards are worth, and how early a search sees clearly.

`python -m bench.citadel table` plays every setting with every number of players and every bot, on the same deals, and prints
a Markdown table with 95 % intervals; `python -m bench.citadel cards` plays each character alone, with its own cards and with six
of one of them; `python -m bench.citadel late` asks for a second's advice five turns before the end of matches. With
`--output FILE` every finished cell is kept there as a line of JSON, and a second run goes on where the first one stopped.
"""

import argparse
import copy
import json
import sys
import time
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.measurements import rows_at
from machiavel.engines import View, load
from machiavel.search import Limits, make_bot, recommend
from machiavel.search.bots import SearchBot
from machiavel.search.match_runner import bootstrap, play_matches
from machiavel.server.journal import JournalKind

SETTINGS = ("without_55", "all", "without_30_and_55", "without_30")
SEARCH = "ismcts:iterations=2000,policy=weighted,prior=0.2,exploration=0.4,cutoff=8"
POWERS = ("bonus", "ability")
# Half the clock, which nobody would give away: a card that is never of use.
BLANK = ({"do": "time_on", "minutes": 30},)

GAME = load("citadel")


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927), which is sound at 0 and 1 too."""
    share, z = wins / games, 1.96
    centre = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * (share * (1 - share) / games + z * z / (4 * games * games)) ** 0.5 / (1 + z * z / games)
    return centre - half, centre + half


def shown(wins: float, games: int) -> str:
    low, high = wilson(wins, games)
    return f"{100 * wins / games:.1f} [{100 * low:.1f}, {100 * high:.1f}]"


KIND = JournalKind("cells", key=lambda cell: cell["key"], is_headed=False)


class Cells:
    """Finished cells by what was played, on disk if wanted."""

    def __init__(self, path: Path | None) -> None:
        self.kept = rows_at(path, KIND)

    def play(self, bot: str, players: int, games: int, seed: int, **options: Any) -> dict[str, Any]:
        """Wins and mean metrics of that many deals with that bot in every seat."""
        key = json.dumps([GAME.rules_version, bot, players, games, seed, GAME.make_rules(players, **options).digest])
        if self.kept.get(key) is None:
            begun = time.monotonic()
            results = play_matches(GAME, [bot], players, games, seed, seatings=[[0] * players], **options)
            wins: NDArray[np.float32] = results.utilities[:, 0, 0]
            means = {name: float(results.metrics[:, 0, place].mean()) for place, name in enumerate(results.metric_names)}
            self.kept.add({"key": key, "wins": [int(win) for win in wins], "means": means})
            print(f"{key} {wins.mean():.3f} {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
        cell: dict[str, Any] = self.kept.get(key)
        return cell


def row(name: str, cells: Sequence[str]) -> None:
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


def print_table(finished: Cells, arguments: argparse.Namespace) -> None:
    row("team, setting, % won", [*(f"{players} players" for players in arguments.players), "all"])
    row("---", ["--:"] * (len(arguments.players) + 1))
    for bot in arguments.bots:
        for setting in arguments.settings:
            cells, total = [], 0
            for players in arguments.players:
                wins = sum(cell_of(finished, arguments, bot, setting, players)["wins"])
                cells.append(shown(wins, arguments.games))
                total += wins
            row(f"{bot}, {setting}", [*cells, shown(total, arguments.games * len(arguments.players))])
    print()
    print_rungs(finished, arguments)
    print()
    print_shares(finished, arguments)


def print_rungs(finished: Cells, arguments: argparse.Namespace) -> None:
    """How much harder each setting is than the one before, over all numbers of players."""
    row("% won less", arguments.bots)
    row("---", ["--:"] * len(arguments.bots))
    for easier, harder in pairwise(arguments.settings):
        row(
            f"{harder} than {easier}",
            [
                difference(pooled_wins(finished, arguments, bot, easier), pooled_wins(finished, arguments, bot, harder))
                for bot in arguments.bots
            ],
        )


def cell_of(finished: Cells, arguments: argparse.Namespace, bot: str, setting: str, players: int) -> dict[str, Any]:
    return finished.play(bot, players, arguments.games, arguments.seed, setting=setting, **deck_of(arguments))


def pooled_wins(finished: Cells, arguments: argparse.Namespace, bot: str, setting: str) -> list[int]:
    return [win for players in arguments.players for win in cell_of(finished, arguments, bot, setting, players)["wins"]]


def print_shares(finished: Cells, arguments: argparse.Namespace) -> None:
    """How often each card is played when drawn, over all cells; characters are random, so each has a fifth of the turns."""
    house = tables(arguments)
    row("played when drawn, %", arguments.bots)
    row("---", ["--:"] * len(arguments.bots))
    means = {bot: pooled(finished, arguments, bot) for bot in arguments.bots}
    for character in house["characters"]:
        for card in character["cards"]:
            row(card["id"], [f"{1500 * result['played_' + card['id']] / result['turns']:.0f}" for result in means.values()])
        for power in POWERS:
            name = f"{power}_{character['id']}"
            row(
                f"{power} of {character['id']}, a turn",
                [f"{5 * result[name] / result['turns']:.2f}" for result in means.values()],
            )


def pooled(finished: Cells, arguments: argparse.Namespace, bot: str) -> dict[str, float]:
    """The metrics of all cells of a bot, added up."""
    total: dict[str, float] = {}
    for setting in arguments.settings:
        for players in arguments.players:
            for name, mean in cell_of(finished, arguments, bot, setting, players)["means"].items():
                total[name] = total.get(name, 0) + mean
    return total


def deck_of(arguments: argparse.Namespace) -> dict[str, Any]:
    return {"deck": tables(arguments)} if arguments.deck else {}


def tables(arguments: argparse.Namespace) -> dict[str, Any]:
    shipped = files("machiavel.engines.citadel") / "decks" / "house.toml"
    return tomllib.loads(Path(arguments.deck).read_text("utf-8") if arguments.deck else shipped.read_text("utf-8"))


def print_cards(finished: Cells, arguments: argparse.Namespace) -> None:
    """Every character alone: with its own six cards, with six blank ones, with six of each."""
    house = tables(arguments)
    row("character, its six cards", [f"% won alone, {bot}" for bot in arguments.bots])
    row("---", ["--:"] * len(arguments.bots))
    for number, character in enumerate(house["characters"]):
        decks = {"its own": house, "blank": six_of(house, number, BLANK)}
        decks |= {f"`{card['id']}`": six_of(house, number, card["effects"]) for card in character["cards"]}
        for name, deck in decks.items():
            wins = [
                finished.play(bot, 1, arguments.games, arguments.seed, deck=deck, characters=[character["id"]])["wins"]
                for bot in arguments.bots
            ]
            row(f"{character['id']}, {name}", [shown(sum(one), arguments.games) for one in wins])


def print_late(arguments: argparse.Namespace) -> None:
    """Five turns before the end of matches of greedy teams: how far a second's search sets the best move apart from the worst."""
    row("bot", ["positions", "best move less worst, % won", "told apart by four standard errors"])
    row("---", ["--:"] * 3)
    for spec in arguments.bots:
        bot = make_bot(spec)
        if not isinstance(bot, SearchBot):
            raise SystemExit(f"{spec} does not search; expected ismcts or pimc")
        gaps, told = [], 0
        for seed in range(arguments.seed, arguments.seed + arguments.games):
            view = late_view(1 + seed % 4, seed)
            candidates = recommend(view, Limits(seconds=1), bot.parameters).candidates
            best, worst = candidates[0], min(candidates, key=lambda candidate: candidate.win_chance)
            gap = best.win_chance - worst.win_chance
            gaps.append(100 * gap)
            told += gap > 4 * (best.standard_error**2 + worst.standard_error**2) ** 0.5
        row(spec, [str(arguments.games), f"{np.mean(gaps):.1f}", shown(told, arguments.games)])


def late_view(players: int, seed: int) -> View:
    """The first choice five turns before the end of a match of greedy players."""
    state = GAME.new(players, seed=seed)
    stood = [state.copy()]
    while not state.is_over:
        weights = state.weights()
        state.play(max(weights, key=weights.__getitem__))
        stood.append(state.copy())
    turns = [one.view().to_json()["view"]["turn"] for one in stood]
    late = next(one for one, turn in zip(stood, turns, strict=True) if turn >= turns[-1] - 4 and len(one.legal_moves()) > 2)
    return late.view(late.seat_to_move)


def six_of(house: Mapping[str, Any], number: int, effects: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The house with the same effects on all cards of a character."""
    result = copy.deepcopy(dict(house))
    for card in result["characters"][number]["cards"]:
        card["effects"] = list(effects)
    return result


def difference(wins: Sequence[int], without: Sequence[int]) -> str:
    interval = bootstrap(100 * (np.array(wins, float) - np.array(without, float)), 0)
    return f"{interval.mean:+.1f} [{interval.low:+.1f}, {interval.high:+.1f}]"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("table", "cards", "late"))
    parser.add_argument("--bots", nargs="+", default=None, help=f"random, greedy and {SEARCH}; for cards the last of them")
    parser.add_argument("--settings", nargs="+", default=SETTINGS)
    parser.add_argument("--players", nargs="+", type=int, default=[1, 2, 3, 4])
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deck", help="a house to try out, as a TOML file")
    parser.add_argument("--output", type=Path, help="where finished cells are kept")
    arguments = parser.parse_args()
    finished = Cells(arguments.output)
    if arguments.bots is None:
        arguments.bots = ["random", "greedy", SEARCH] if arguments.what == "table" else [SEARCH]
    if arguments.what == "late":
        print_late(arguments)
    else:
        (print_table if arguments.what == "table" else print_cards)(finished, arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
