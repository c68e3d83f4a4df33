"""Streams through the web door: `python -m bench.web_streams` prints what idle ones cost, and how soon searches end with theirs.

A server runs in a process of its own, on loopback, and this one speaks to it over plain sockets. Of every game in turn: `idle`
opens WatchMatch streams, 15 a match, in matches that wait for a person; how far the server's resident memory grows stands in
/proc. `closed` opens an AnalyzeMoves stream, reads two answers and closes the connection. The server has a single place for
searches, so the next question has its answer when that search has ended: the time to it is a bound from above.
"""

import argparse
import json
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.service import SERVE, percentile
from machiavel.engines import games, load

WATCHERS = 15  # streams a match; who holds one token may watch 16 times
SETTLING = 2.0  # seconds
PATIENCE = 60.0
HEADERS = "POST /machiavel.v1.{} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/{}\r\nContent-Length: {}\r\n\r\n"


@dataclass
class ServerProcess:
    """A server in a process of its own."""

    pid: int
    place: tuple[str, int]

    def resident(self) -> int:
        """Bytes."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        return 1024 * int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


@contextmanager
def serving(*arguments: str) -> Iterator[ServerProcess]:
    command = [*SERVE, "--web", "127.0.0.1:0", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            url = urlsplit(json.loads(process.stdout.readline() if process.stdout else "")["web"])
            yield ServerProcess(process.pid, (url.hostname or "", url.port or 0))
        finally:
            process.terminate()


def opened(place: tuple[str, int], method: str, message: Any, kind: str = "json") -> socket.socket:
    """A connection that has sent a request."""
    body = json.dumps(message).encode()
    if kind != "json":
        body = struct.pack(">BI", 0, len(body)) + body
    connection = socket.create_connection(place, timeout=PATIENCE)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.sendall(HEADERS.format(method, kind, len(body)).encode() + body)
    return connection


def answer_to(place: tuple[str, int], method: str, message: Any) -> Any:
    """Of a call with one answer; raises RuntimeError with what else came."""
    with opened(place, method, message) as connection, connection.makefile("rb") as file:
        status = file.readline()
        size = 0
        while (line := file.readline()) not in {b"\r\n", b""}:
            name, _, value = line.decode().partition(":")
            size = int(value) if name == "content-length" else size
        content = json.loads(file.read(size))
    if b" 200 " not in status:
        raise RuntimeError(content)
    return content


def idle(streams: int, game: str) -> float:
    """KiB a stream, of what the server grew by with them."""
    with ExitStack() as stack:
        server = stack.enter_context(serving("--calls", str(2 * streams)))
        place = server.place
        new = {"game": game, "seats": [{"kind": "SEAT_KIND_PERSON"}] * min(load(game).players)}
        matches = [answer_to(place, "MatchService/CreateMatch", new) for _ in range(streams // WATCHERS + 1)]
        first = stack.enter_context(watching(place, matches[-1]))  # what is only made once
        first.recv(1)
        time.sleep(SETTLING)
        before = server.resident()
        held = [stack.enter_context(watching(place, matches[number // WATCHERS])) for number in range(streams)]
        for one in held:
            read_snapshot(one)
        time.sleep(SETTLING)
        return (server.resident() - before) / 1024 / streams


def watching(place: tuple[str, int], match: Any) -> socket.socket:
    token = match["hostToken"]
    return opened(place, "MatchService/WatchMatch", {"match": match["match"]["match"], "token": token}, "connect+json")


def read_snapshot(connection: socket.socket) -> None:
    seen = b""
    while not seen.endswith(b"}\r\n"):
        seen += connection.recv(1 << 16)


def closed(times: int, game: str) -> list[float]:
    """Seconds from the end of a stream's connection until a place for a search is free."""
    result = []
    with serving("--searches", "1", "--queue", "1") as server:
        place = server.place
        record = position(place, game)
        question = {"record": record, "interval": "0.02s", "limits": {"time": "30s"}}
        for _ in range(times):
            stream = opened(place, "BotService/AnalyzeMoves", question, "connect+json")
            stream.recv(1 << 16)
            stream.recv(1 << 16)
            began = time.perf_counter()
            stream.close()
            answer_to(place, "BotService/RecommendMove", {"record": record, "limits": {"iterations": 1}})
            result.append(time.perf_counter() - began)
    return result


def position(place: tuple[str, int], game: str) -> Any:
    """A record at whose end there is a choice."""
    state = answer_to(place, "GameService/NewState", {"game": game, "options": {"players": max(load(game).players)}, "seed": "7"})
    while True:
        record = state["state"]["record"]
        asked = {"record": record, "seat": state["state"]["seatToMove"]}
        moves = answer_to(place, "GameService/LegalMoves", asked)["seats"][0]["moves"]
        if len(moves) >= 2:
            return record
        state = answer_to(place, "GameService/ApplyMove", {"record": record, "move": moves[0]["text"]})


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.web_streams", description=__doc__)
    parser.add_argument("--streams", type=int, default=1000)
    parser.add_argument("--times", type=int, default=200, help="streams that are closed, one after another")
    parser.add_argument("--game", choices=games(), action="append", dest="games")
    arguments = parser.parse_args(argv)
    print("| game | KiB an idle stream | closed, ms: median | p95 | most |\n|---|--:|--:|--:|--:|")
    for game in arguments.games or games():
        size = idle(arguments.streams, game)
        ended = [1000 * seconds for seconds in closed(arguments.times, game)]
        row = " | ".join(f"{percentile(ended, share):.1f}" for share in (0.5, 0.95, 1))
        print(f"| {game} | {size:.1f} | {row} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
