"""How soon a search obeys: `python -m bench.stopping agency` prints a Markdown table, a row for each size of arena.

From the stop, in another thread, to the end of the run and to the answer of a job, over many stops while the tree grows. On a
machine that has other work the clock tells little; so also what the searching thread itself still did after the stop, and the
longest single iteration, since a stop waits for the end of one: that in which the index of nodes doubles.
"""

import argparse
import random
import statistics
import sys
import threading
import time
from collections.abc import Sequence

from machiavel.engines import View, load
from machiavel.search import UNTIL_STOPPED, Memory, Scheduler, SearchParameters
from machiavel.search.search_run import Search, root_moves

MEGABYTE = 1 << 20
NEAR = 30  # nodes before the index doubles
SHARE = 0.75  # of the index that may be in use


def run_times(search: Search, view: View, stops: int, rng: random.Random) -> tuple[list[float], list[float]]:
    """Seconds from a stop to the end of the run, by the clock and of the thread's own time."""
    waited, worked = [], []
    moves = root_moves(view)
    for number in range(stops):
        search.go_on(view, moves, number)
        ended: list[float] = []

        def run(ended: list[float] = ended) -> None:
            search.run(None, None)
            ended += [time.monotonic(), time.thread_time()]

        thread = threading.Thread(target=run)
        thread.start()
        time.sleep(rng.uniform(0.002, 0.02))
        began = time.monotonic(), time.clock_gettime(time.pthread_getcpuclockid(thread.ident or 0))
        search.stop()
        thread.join()
        waited.append(ended[0] - began[0])
        worked.append(ended[1] - began[1])
    return waited, worked


def job_times(view: View, megabytes: int, stops: int, rng: random.Random) -> list[float]:
    """Seconds from the stop of a job to its answer."""
    result = []
    memory = Memory()
    with Scheduler(1) as scheduler:
        for _ in range(stops):
            job = scheduler.submit(view, UNTIL_STOPPED, SearchParameters(megabytes=megabytes), memory=memory)
            time.sleep(rng.uniform(0.002, 0.02))
            began = time.monotonic()
            job.stop()
            job.result()
            result.append(time.monotonic() - began)
    return result


def longest_iteration(search: Search, most_nodes: int) -> tuple[float, int]:
    """The longest of those in which the index doubles, up to so many nodes or a full arena: seconds, and nodes by then."""
    longest, at, slots = 0.0, 0, 256
    while SHARE * slots < most_nodes and not search.statistics()["given_up"]:
        missing = int(SHARE * slots - search.statistics()["nodes"])
        if missing > NEAR:
            search.run(search.iterations + missing, None)
            continue
        if missing < 0:
            slots *= 2
            continue
        began = time.thread_time()
        search.run(search.iterations + 1, None)
        took = time.thread_time() - began
        if took > longest:
            longest, at = took, int(search.statistics()["nodes"])
    return longest, at


def shown(seconds: Sequence[float]) -> str:
    result = statistics.median(seconds), statistics.quantiles(seconds, n=100)[-1], max(seconds)
    return " / ".join(f"{1000 * one:.2f}" for one in result)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--megabytes", nargs="+", type=int, default=[16, 256])
    parser.add_argument("--stops", type=int, default=300)
    parser.add_argument("--nodes", type=int, default=4_000_000, help="how far the tree is grown (4000000)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    state = load(arguments.game).new(arguments.players, seed=arguments.seed)
    view = state.view(state.seat_to_move)
    parameters = SearchParameters(seed=arguments.seed).for_game(view.game)
    print(
        f"| {arguments.game}, ms: median / 99 % / worst | Search.stop | of its thread | Job.stop | longest iteration | at nodes |"
    )
    print("|---|--:|--:|--:|--:|--:|")
    for megabytes in arguments.megabytes:
        growing = Search(view, root_moves(view), parameters, megabytes * MEGABYTE)
        longest, nodes = longest_iteration(growing, arguments.nodes)
        waited, worked = run_times(growing, view, arguments.stops, rng)
        answered = shown(job_times(view, megabytes, arguments.stops, rng))
        cells = [f"{megabytes} MB", shown(waited), shown(worked), answered, f"{1000 * longest:.2f}", str(nodes)]
        print(f"| {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
