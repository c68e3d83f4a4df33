"""Whatever comes through the door, the answer is honest: `python -m bench.web_fuzz` sends 100,000 requests with something wrong.

Each is a good request of one of all calls, in JSON or binary, of Connect or gRPC-Web, changed by `bench.web_mutations`. The
server is one of its own. It must never answer 500, nor with a status that tells of a fault, nor write of one; it must answer
all the time; and its memory must not grow.
"""

import argparse
import asyncio
import base64
import contextlib
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from bench.service import listening
from bench.web_mutations import FORMS, WebRequest, mutated, request
from bench.web_requests import Good, good_requests
from machiavel.engines import games
from machiavel.server.web.json_messages import write_json

__all__ = ["Trouble", "fuzz"]

SERVE = (
    "--seconds",
    "0.05",
    "--seconds-most",
    "0.2",
    "--matches",
    "100",
    "--tournament-workers",
    "1",
    "--tournament-games",
    "50",
)
WAIT = 20.0  # seconds for an answer
PATIENCE = 0.5  # seconds for streams, which may have lost their deadline
# Refusals, and what the transport says of what is no HTTP; a call may be unknown, the time up, a server busy.
HONEST = {200, 204, 400, 401, 403, 404, 405, 408, 409, 413, 415, 417, 429, 431, 499, 501, 503, 504}
FAULTS = {"internal", "unknown", "data_loss", "2", "13", "15"}
PLACES = 8  # requests at a time
WARM = 0.2  # the share of requests before memory is looked at
GROWTH = 24  # MiB that the rest may cost


class Trouble(Exception):
    """An answer that should not be."""


# ---- The answers ----


class WebAnswer(NamedTuple):
    """What came back; `is_over` where the server closes the connection."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    is_over: bool


class DoorConnection:
    """One connection, made anew when the server has closed it."""

    def __init__(self, web: str) -> None:
        self.host, _, port = web.removeprefix("http://").rpartition(":")
        self.port = int(port)
        self.ends: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, one: WebRequest, *, is_endless: bool) -> WebAnswer | None:
        """None where the server hung up without a word, as it may on what is no HTTP, or where an endless stream was left."""
        head = {"host": f"{self.host}:{self.port}", "content-length": str(len(one.body)), **one.headers}
        lines = [f"{one.method} {one.path} HTTP/1.1", *(f"{name}: {value}" for name, value in head.items()), "", ""]
        if self.ends is None:
            self.ends = await asyncio.open_connection(self.host, self.port, limit=1 << 22)
        reader, writer = self.ends
        try:
            async with asyncio.timeout(PATIENCE if is_endless else WAIT):
                with contextlib.suppress(ConnectionError):  # it may have answered before it took all
                    writer.write("\r\n".join(lines).encode("utf-8", "surrogatepass") + one.body)
                    await writer.drain()
                answer = await read_answer(reader, one.method)
        except TimeoutError:
            await self.close()
            if is_endless:
                return None
            raise Trouble(f"no answer after {WAIT:g} s") from None
        except (ConnectionError, asyncio.IncompleteReadError):
            answer = None
        if answer is None or answer.is_over:
            await self.close()
        return answer

    async def close(self) -> None:
        if self.ends is not None:
            writer, self.ends = self.ends[1], None
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()


async def read_answer(reader: asyncio.StreamReader, method: str) -> WebAnswer:
    first = await reader.readuntil(b"\r\n")
    status = int(first.split()[1])
    headers: dict[str, str] = {}
    while (line := await reader.readuntil(b"\r\n")) != b"\r\n":
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.strip().lower()] = value.strip()
    if status == 100:
        return await read_answer(reader, method)
    if method == "HEAD" or status in {204, 304}:
        body = b""
    elif headers.get("transfer-encoding") == "chunked":
        body = b"".join([chunk async for chunk in chunks(reader)])
    elif "content-length" in headers:
        body = await reader.readexactly(int(headers["content-length"]))
    else:
        body = await reader.read()
    is_over = headers.get("connection", "").lower() == "close"
    return WebAnswer(status, headers, body, is_over)


async def chunks(reader: asyncio.StreamReader) -> Any:
    while size := int(await reader.readuntil(b"\r\n"), 16):
        yield await reader.readexactly(size)
        await reader.readexactly(2)
    await reader.readexactly(2)


def check(answer: WebAnswer) -> str:
    """The code that came back, or the status of HTTP; raises Trouble."""
    if answer.status not in HONEST:
        raise Trouble(f"answered {answer.status}: {answer.body[:300]!r}")
    kind = answer.headers.get("content-type", "")
    codes = list(codes_of(answer, kind)) or [str(answer.status)]
    if FAULTS & set(codes) or b'"FAULT"' in answer.body:
        raise Trouble(f"answered {codes}: {answer.body[:300]!r}")
    return codes[-1]


def codes_of(answer: WebAnswer, kind: str) -> Iterator[str]:
    if "grpc-status" in answer.headers:
        yield answer.headers["grpc-status"]
    if answer.headers.get("content-encoding") == "gzip" or not answer.body:
        return
    if kind == "application/json" and answer.status >= 400:
        yield json.loads(answer.body)["code"]
    elif kind.startswith("application/connect+") and answer.status == 200:
        flags, last = list(envelopes(answer.body))[-1]
        if flags & 2 == 0:
            raise Trouble("a stream has no end")
        yield "ok" if flags & 1 else json.loads(last).get("error", {}).get("code", "ok")
    elif kind.startswith("application/grpc-web"):
        body = base64.b64decode(answer.body) if "text" in kind else answer.body
        for flags, data in envelopes(body):
            if flags == 128:
                lines = dict(line.partition(": ")[::2] for line in data.decode().lower().replace(":", ": ").splitlines())
                yield lines["grpc-status"].strip()


def envelopes(body: bytes) -> Iterator[tuple[int, bytes]]:
    while body:
        size = int.from_bytes(body[1:5], "big")
        if len(body) < 5 + size:
            raise Trouble(f"an envelope is cut: {body[:100]!r}")
        yield body[0], body[5 : 5 + size]
        body = body[5 + size :]


# ---- The run ----


async def fuzz(web: str, good: list[Good], count: int, seed: int) -> Counter[str]:
    """How often each code came back; raises Trouble with the request that made it."""
    draw = random.Random(seed)
    counts: Counter[str] = Counter()
    # Drawn in one order, whoever sends them.
    left = iter(range(count))

    async def send() -> None:
        caller = DoorConnection(web)
        try:
            await send_all(caller)
        finally:
            await caller.close()

    async def send_all(caller: DoorConnection) -> None:
        for number in left:
            asked = draw.choice(good)
            form = draw.choice(FORMS[asked.streams])
            if number % 20 == 0:
                one = request(asked.path, asked.message, form, write_json)
            else:
                one = mutated(asked.path, asked.message, form, write_json, draw)
            try:
                answer = await caller.ask(one, is_endless=asked.streams)
                counts["hung up" if answer is None else check(answer)] += 1
            except (Trouble, ValueError, LookupError) as trouble:
                sent = f"{one.method} {one.path} {one.headers} {one.body[:2000]!r}"
                raise Trouble(f"{trouble!r}\nnumber {number} of seed {seed}: {sent}") from None

    async with asyncio.TaskGroup() as group:
        for _ in range(PLACES):
            group.create_task(send())
    return counts


def megabytes(process: int) -> float:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) / 256


async def run(arguments: argparse.Namespace) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        places = ("--storage", f"sqlite:///{folder}/matches.db", "--tournaments", folder)
        async with listening("--web", "127.0.0.1:0", *SERVE, *places) as told:
            good = await good_requests(told["address"], arguments.games or list(games()))
            counts: Counter[str] = Counter()
            part = max(1, arguments.count // 20)
            before, began = 0.0, time.monotonic()
            for number in range(20):
                counts += await fuzz(told["web"], good, part, arguments.seed + number)
                if number == int(20 * WARM) - 1:
                    before = megabytes(told["pid"])
                print(f"{(number + 1) * part:,}: {megabytes(told['pid']):.1f} MiB", file=sys.stderr, flush=True)
            after = megabytes(told["pid"])
    print(f"{counts.total():,} requests in {time.monotonic() - began:.0f} s: {dict(counts.most_common())}")
    print(f"memory after {WARM:.0%} of them {before:.1f} MiB, after all {after:.1f} MiB")
    return after - before <= GROWTH


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="all unless given")
    parser.add_argument("--count", type=int, default=100_000, help="requests (100000)")
    parser.add_argument("--seed", type=int, default=1)
    try:
        is_flat = asyncio.run(run(parser.parse_args()))
    except* Trouble as troubles:
        raise SystemExit(str(troubles.exceptions[0])) from None
    if not is_flat:
        raise SystemExit(f"memory has grown by more than {GROWTH} MiB")


if __name__ == "__main__":
    main()
