"""What a call of GameService costs: `python -m bench.handlers` prints Markdown tables.

First the CPU of the handlers alone, in process, from a request to a message; then calls a second over loopback beside those of
an empty call. `--against PYTHON` names the interpreter of another build: both are measured by this script, in turns, and the best
of each counts.
"""

import argparse
import asyncio
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from machiavel import engines, v1
from machiavel.server.service import wire
from machiavel.server.service.app import Server
from machiavel.server.service.config import load_config

try:
    from machiavel.server.service.game_service import GameService
except ModuleNotFoundError:  # in 0.1.0, which this script measures as well
    from machiavel.server.service.games import GameService  # type: ignore[import-untyped,no-redef]
from machiavel.v1.game_service_pb2_grpc import GameServiceStub

METHODS = ("GetState", "GetView", "ApplyMove")
PLAYERS, SEED = 3, 7
GAMES = tuple(game for game in engines.games() if PLAYERS in engines.load(game).players)
PLIES = (0, 30)
ROUNDS, CALLS = 7, 300
IN_FLIGHT = 32

Case = tuple[str, int, str]  # game, plies, method


def requests(game: str, plies: int) -> dict[str, Any]:
    """Of a match of three players after so many random moves: its state, its mover's view, its mover's first move."""
    draw = random.Random(1)
    state = engines.load(game).new(PLAYERS, seed=SEED)
    while len(state.moves) < plies:
        state.play(draw.choice(state.legal_moves()))
    record, seat = wire.state_message(state).record, state.seat_to_move
    return {
        "GetState": v1.GetStateRequest(record=record),
        "GetView": v1.GetViewRequest(record=record, seat=seat),
        "ApplyMove": v1.ApplyMoveRequest(record=record, move=state.legal_moves()[0]),
    }


# ---- The handler alone ----


def finish(call: Coroutine[Any, Any, Any]) -> None:
    """A handler that waits for nothing is done after one step."""
    try:
        call.send(None)
    except StopIteration:
        return
    raise RuntimeError("the handler waits for something")


def handler_cost(handle: Callable[[Any, Any], Coroutine[Any, Any, Any]], request: Any) -> float:
    """Seconds of CPU a call, after a first one."""
    finish(handle(request, None))
    began = time.process_time()
    for _ in range(CALLS):
        finish(handle(request, None))
    return (time.process_time() - began) / CALLS


def handler_costs() -> dict[str, float]:
    service = GameService()
    return {
        key((game, plies, method)): handler_cost(getattr(service, method), request)
        for game in GAMES
        for plies in PLIES
        for method, request in requests(game, plies).items()
    }


def key(case: Case) -> str:
    return " ".join(map(str, case))


# ---- Over loopback ----


async def rates(seconds: float) -> dict[str, float]:
    """Calls a second with a server in a process of its own, so many in flight; `empty` is Check of Health."""
    process = await asyncio.create_subprocess_exec(sys.executable, __file__, "--serve", stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None  # noqa: S101 - for mypy
        address = (await process.stdout.readline()).decode().strip()
        async with grpc.aio.insecure_channel(address) as channel:
            stub, health = GameServiceStub(channel), health_pb2_grpc.HealthStub(channel)
            result = {"empty": await rate(health.Check, health_pb2.HealthCheckRequest(), seconds)}
            for game in GAMES:
                for method, request in requests(game, PLIES[-1]).items():
                    result[key((game, PLIES[-1], method))] = await rate(getattr(stub, method), request, seconds)
            return result
    finally:
        process.terminate()
        await process.wait()


async def rate(call: Any, request: Any, seconds: float) -> float:
    done, until = 0, time.monotonic() + seconds

    async def ask() -> None:
        nonlocal done
        while time.monotonic() < until:
            await call(request)
            done += 1

    began = time.monotonic()
    await asyncio.gather(*(ask() for _ in range(IN_FLIGHT)))
    return done / (time.monotonic() - began)


async def serve() -> None:
    settings = {"listen": "127.0.0.1:0", "storage": "memory:", "log_level": "error", "workers": 1}
    async with Server(load_config(settings, {})) as server:
        print(server.address, flush=True)
        await asyncio.Event().wait()


# ---- Both ----


def measured(python: str, *arguments: str) -> dict[str, float]:
    """What another interpreter measures with this script."""
    ran = subprocess.run([python, __file__, *arguments], check=True, stdout=subprocess.PIPE, text=True)
    data: dict[str, float] = json.loads(ran.stdout)
    return data


def best(pythons: list[str], rounds: int, choose: Callable[..., float], *arguments: str) -> list[dict[str, float]]:
    """Of each interpreter, in turns."""
    result: list[list[dict[str, float]]] = [[] for _ in pythons]
    for _ in range(rounds):
        for at, python in enumerate(pythons):
            result[at].append(measured(python, *arguments))
    return [{name: choose(one[name] for one in each) for name in each[0]} for each in result]


def report(pythons: list[str], rounds: int, seconds: float) -> None:
    """The tables: of each case one figure, or those of the other build, of this one, and how much is left."""
    compared = len(pythons) > 1
    heads, rule = ("before | now | ratio", "--:|--:|--:") if compared else ("CPU", "--:")
    print(f"| µs of CPU a call | plies | {heads} |\n|---|--:|{rule}|")
    costs = best(pythons, rounds, min, "--costs")
    for game in GAMES:
        for plies in PLIES:
            for method in METHODS:
                figures = [1e6 * cost[key((game, plies, method))] for cost in costs]
                print(f"| {game} {method} | {plies} | {row(figures, '.0f')} |", flush=True)
    print(f"\n| calls a second, {IN_FLIGHT} in flight | plies | {heads.replace('CPU', 'rate')} |\n|---|--:|{rule}|")
    speeds = best(pythons, min(rounds, 3), max, "--rates", str(seconds))
    for name in speeds[0]:
        game, _, rest = name.partition(" ")
        plies_text, _, method = rest.partition(" ")
        label = f"{game} {method}" if method else "empty (Check of Health)"
        print(f"| {label} | {plies_text} | {row([speed[name] for speed in speeds], ',.0f')} |", flush=True)


def row(figures: list[float], form: str) -> str:
    cells = [format(figure, form) for figure in figures]
    return " | ".join([*cells, f"{figures[1] / figures[0]:.2f}"] if len(figures) > 1 else cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", metavar="PYTHON", help="the interpreter of another build, to compare with")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"of which the best counts ({ROUNDS})")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each rate (2)")
    parser.add_argument("--costs", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--rates", type=float, help=argparse.SUPPRESS)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        asyncio.run(serve())
    elif arguments.costs:
        print(json.dumps(handler_costs()))
    elif arguments.rates:
        print(json.dumps(asyncio.run(rates(arguments.rates))))
    else:
        others = [str(Path(arguments.against).absolute())] if arguments.against else []
        report([*others, sys.executable], arguments.rounds, arguments.seconds)


if __name__ == "__main__":
    main()
