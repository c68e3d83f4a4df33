"""A client in a process of its own, which a test can stop: it watches a match, its health, and an analysis."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from machiavel import v1
from machiavel.v1.bot_service_pb2_grpc import BotServiceStub
from machiavel.v1.match_service_pb2_grpc import MatchServiceStub

__all__ = ["STREAMS", "watching"]

STREAMS = 3


@contextmanager
def watching(address: str, match: str, token: str, record: v1.Record) -> Iterator[subprocess.Popen[str]]:
    """The process, once each of its streams has been answered."""
    command = [sys.executable, str(Path(__file__)), address, match, token]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(record.SerializeToString().hex() + "\n")
            process.stdin.flush()
            for _ in range(STREAMS):
                assert process.stdout.readline() == "answered\n"
            yield process
        finally:
            process.kill()


def follow(stream: Any) -> None:
    next(stream)
    print("answered", flush=True)
    for _ in stream:
        pass


def main(address: str, match: str, token: str) -> None:
    record = v1.Record.FromString(bytes.fromhex(sys.stdin.readline()))
    analysis = v1.AnalyzeMovesRequest(record=record, limits=v1.Limits())
    analysis.limits.time.FromSeconds(3000)
    analysis.interval.FromMilliseconds(20)
    with grpc.insecure_channel(address) as channel:
        streams = [
            MatchServiceStub(channel).WatchMatch(v1.WatchMatchRequest(match=match, token=token)),
            BotServiceStub(channel).AnalyzeMoves(analysis),
            health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest()),
        ]
        threads = [threading.Thread(target=follow, args=(stream,)) for stream in streams]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
