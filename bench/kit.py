"""What a game of the kit costs beside compiled engines: `python -m bench.kit [PART …]` prints Markdown tables.

Parts: `whist` (the kit's whist against the Cython engine: search and playouts, two and four players), `hearts` (against
OpenSpiel's ISMCTSBot on its C++ Hearts, where `pip install open_spiel` was run: the same deal, the first decision with a choice),
`interpreted` (hearts without a compiler), `startup` (`machiavel hint` on a file, with an empty and a full cache, beside whist).
Sides are measured in turns in one run, one thread, by CPU time; told are medians over the turns, and the median of the turns'
ratios.
"""

import argparse
import importlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from machiavel.engines import Game, View, load
from machiavel.engines.kit.loading import load_file
from machiavel.search import SearchParameters
from machiavel.search.search_run import Search, root_moves

ROOT = Path(__file__).resolve().parents[1]
KIT_WHIST = ROOT / "tests" / "engines" / "kit" / "whist.py"
HEARTS = ROOT / "engines" / "kit" / "games" / "hearts.py"
SEED = 7
MEGABYTES = 128
ITERATIONS = 100_000  # of a search, from an empty tree
SUITS, RANKS = "CDHS", "23456789TJQKA"

Work = Callable[[], float]  # does some work, and tells how much a second of CPU


@dataclass(frozen=True)
class Row:
    """A line of the table: what, how much a second for the kit and for the other side, and what was asked for."""

    what: str
    players: int | None
    kit: float
    other: float | None
    ratio: float | None
    target: str
    is_met: bool


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"which of {', '.join(PARTS)} (all)")
    parser.add_argument("--turns", type=int, default=9, help="how often each side is measured (9)")
    parser.add_argument("--iterations", type=int, default=ITERATIONS, help=f"of a search, from an empty tree ({ITERATIONS:,})")
    parser.add_argument("--json", action="store_true", help="an object a line")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; expected {', '.join(PARTS)}")
    if not asked.json:
        print("| what | players | kit | other | ratio | asked for | |\n|---|--:|--:|--:|--:|---|---|")
    rows = []
    for part in asked.parts or PARTS:
        for row in PARTS[part](asked):
            rows.append(row)
            print(json.dumps(asdict(row)) if asked.json else table_line(row), flush=True)
    return 0 if all(row.is_met for row in rows) else 1


def table_line(row: Row) -> str:
    def figure(value: float | None) -> str:
        if value is None:
            return ""
        return f"{value:,.0f}" if value >= 100 else f"{value:.3f}"

    ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
    cells = [row.what, str(row.players or ""), figure(row.kit), figure(row.other), ratio, row.target]
    return f"| {' | '.join([*cells, 'met' if row.is_met else 'not met'])} |"


def in_turns(works: Mapping[str, Work], turns: int) -> dict[str, list[float]]:
    """What each side did a second, turn by turn, after one that does not count."""
    for work in works.values():
        work()
    figures: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(turns):
        for name, work in works.items():
            figures[name].append(work())
    return figures


def compared(what: str, players: int, works: Mapping[str, Work], turns: int, least: float) -> Row:
    """The kit's side, named `kit`, against the other."""
    figures = in_turns(works, turns)
    ratio = statistics.median(ours / theirs for ours, theirs in zip(figures["kit"], figures["other"], strict=True))
    kit, other = (statistics.median(figures[name]) for name in ("kit", "other"))
    return Row(
        what, players, round(kit, 1), round(other, 1), round(ratio, 3), f"≥ {least:g}" if least else "told", ratio >= least
    )


# ---- Work ----


def plain_search(view: View) -> Search:
    plain = SearchParameters("single", exploration=0.7, policy="uniform", prior=0.0, cutoff=0, inference=False, seed=SEED)
    return Search(view, root_moves(view), plain.for_game(view.game), MEGABYTES << 20)


def searching(view: View, iterations: int) -> Work:
    """Iterations a second from an empty tree."""

    def work() -> float:
        search = plain_search(view)
        began = time.process_time()
        search.run(iterations, None)
        return iterations / (time.process_time() - began)

    return work


def playing(view: View, playouts: int) -> Work:
    """Worlds, each played to its end at random, a second."""
    search = plain_search(view)

    def work() -> float:
        began = time.process_time()
        search.play_worlds(playouts)
        return playouts / (time.process_time() - began)

    return work


def first_choice(game: Game, players: int, **rules: Any) -> View:
    """What the mover sees at the first decision of a deal that leaves a choice."""
    state = game.new(players, **rules)
    while len(state.legal_moves()) == 1:
        state.play(state.legal_moves()[0])
    return state.view(min(state.seats_to_move))


# ---- Parts ----


def whist(asked: argparse.Namespace) -> Iterator[Row]:
    kit, compiled = load_file(KIT_WHIST), load("whist")
    for players, least in ((2, 0.5), (4, 0.45)):
        views = {"kit": first_choice(kit, players, seed=SEED), "other": first_choice(compiled, players, seed=SEED)}
        searches = {name: searching(view, asked.iterations) for name, view in views.items()}
        yield compared("search, iterations/s: whist's Cython engine", players, searches, asked.turns, least)
        playouts = {name: playing(view, asked.iterations) for name, view in views.items()}
        yield compared("playouts/s: whist's Cython engine", players, playouts, asked.turns, 0.4)


def hearts(asked: argparse.Namespace) -> Iterator[Row]:
    """Against OpenSpiel, without passing and with it; the second has no target."""
    try:
        spiel = importlib.import_module("pyspiel")
    except ModuleNotFoundError:
        print("hearts is left out: pip install open_spiel", file=sys.stderr)
        return
    game = load_file(HEARTS)
    for passing, least in ((False, 10.0), (True, 0.0)):
        view, theirs = same_position(game, spiel, passing=passing)
        iterations = asked.iterations // 20
        works = {"kit": searching(view, asked.iterations), "other": spiel_searching(spiel, theirs, iterations)}
        what = f"search, iterations/s, passing {'on' if passing else 'off'}: OpenSpiel's ISMCTSBot"
        yield compared(what, 4, works, asked.turns, least)


def same_position(game: Game, spiel: Any, *, passing: bool) -> tuple[View, Any]:
    """One deal for both, and the moves that must be played before somebody has a choice."""
    state = game.new(4, seed=SEED, passing=passing)
    hands = state.truth()["hands"]
    theirs = spiel.load_game("hearts", {"pass_cards": passing}).new_initial_state()
    theirs.apply_action(1 if passing else 0)  # where cards are passed to: the next seat, or nobody
    for at in range(52):
        theirs.apply_action(spiel_card(hands[at % 4][at // 4]))
    while len(state.legal_moves()) == 1:
        move = state.legal_moves()[0]
        state.play(move)
        theirs.apply_action(spiel_card(move))
    seat = min(state.seats_to_move)
    if theirs.current_player() != seat or len(theirs.legal_actions()) != len(state.legal_moves()):
        raise RuntimeError("the position is another one in OpenSpiel")
    return state.view(seat), theirs


def spiel_card(text: str) -> int:
    """OpenSpiel counts cards rank by rank."""
    return RANKS.index(text[-1]) * 4 + SUITS.index(text[-2])


def spiel_searching(spiel: Any, state: Any, iterations: int) -> Work:
    evaluator = spiel.RandomRolloutEvaluator(1, SEED)
    final = spiel.ISMCTSFinalPolicyType.NORMALIZED_VISIT_COUNT

    def work() -> float:
        bot = spiel.ISMCTSBot(SEED, evaluator, 2.0, iterations, -1, final, False, False)
        began = time.process_time()
        bot.get_policy(state)
        return iterations / (time.process_time() - began)

    return work


def interpreted(asked: argparse.Namespace) -> Iterator[Row]:
    with environment(MACHIAVEL_KIT="interpreted"):
        view = first_choice(load_file(HEARTS), 4, seed=SEED, passing=False)
        figures = in_turns({"kit": searching(view, asked.iterations // 50)}, asked.turns)
    rate = statistics.median(figures["kit"])
    yield Row("hearts interpreted, iterations/s", 4, round(rate, 1), None, None, "≥ 5,000", rate >= 5_000)


@contextmanager
def environment(**values: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def startup(asked: argparse.Namespace) -> Iterator[Row]:
    """Seconds of CPU of the whole command, which has one thread: what the clock tells where nothing else runs."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        views = {"hearts": first_choice(load_file(HEARTS), 4, seed=SEED), "whist": first_choice(load("whist"), 2, seed=SEED)}
        for game, view in views.items():
            (folder / f"{game}.json").write_text(json.dumps(view.to_json()), encoding="utf-8")
        file = folder / "my_hearts.py"
        file.write_text(HEARTS.read_text(encoding="utf-8"), encoding="utf-8")
        figures: dict[str, list[float]] = {"empty": [], "full": [], "whist": []}
        for turn in range(asked.turns):
            cache = folder / f"cache{turn}"
            figures["empty"].append(hint(file, folder / "hearts.json", cache))
            figures["full"].append(hint(file, folder / "hearts.json", cache))
            figures["whist"].append(hint("whist", folder / "whist.json", cache))
    empty, full, other = (statistics.median(figures[name]) for name in ("empty", "full", "whist"))
    yield Row("hint, empty cache, s", 4, round(empty, 3), round(other, 3), None, "≤ 2 s", empty <= 2)
    yield Row("hint, full cache, s", 4, round(full, 3), round(other, 3), None, "≤ whist + 0.3 s", full <= other + 0.3)


def hint(game: str | Path, view: Path, cache: Path) -> float:
    command = [str(Path(sys.executable).with_name("machiavel")), "hint", str(game), str(view), "--iterations", "1"]
    before = os.times()
    told = os.environ | {"MACHIAVEL_KIT_CACHE": str(cache), "OPENBLAS_NUM_THREADS": "1"}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=told)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


PARTS: Mapping[str, Callable[[argparse.Namespace], Iterator[Row]]] = {
    "whist": whist,
    "hearts": hearts,
    "interpreted": interpreted,
    "startup": startup,
}

if __name__ == "__main__":
    sys.exit(main())
