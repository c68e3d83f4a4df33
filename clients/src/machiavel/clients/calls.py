"""One call: its errors as ours, and the same call again while the server is away."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

import grpc

from machiavel.clients.errors import ServiceError, from_call

__all__ = ["QUICK", "call", "call_async", "insist", "insist_async", "pauses", "will_pass"]

Answer = TypeVar("Answer")
QUICK = 10.0  # seconds that a call without a search may take
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0


def call(ask: Callable[[], Answer]) -> Answer:
    """The answer, or the error as one of ours."""
    try:
        return ask()
    except grpc.RpcError as error:
        raise from_call(error) from None


async def call_async(answer: Awaitable[Answer]) -> Answer:
    """The answer, or the error as one of ours."""
    try:
        return await answer
    except grpc.RpcError as error:
        raise from_call(error) from None


def insist(ask: Callable[[float], Answer], timeout: float) -> Answer:
    """The answer to a request that may be repeated, asked again while the server is away; when the time is up, the last error.

    `ask` is given the seconds that are left.
    """
    ends = time.monotonic() + timeout
    for pause in pauses():
        try:
            return ask(max(ends - time.monotonic(), 0.0))
        except grpc.RpcError as error:
            time.sleep(wait_after(from_call(error), pause, ends))
    raise AssertionError


async def insist_async(ask: Callable[[float], Awaitable[Answer]], timeout: float) -> Answer:
    """The answer to a request that may be repeated, asked again while the server is away; when the time is up, the last error.

    `ask` is given the seconds that are left.
    """
    ends = time.monotonic() + timeout
    for pause in pauses():
        try:
            return await ask(max(ends - time.monotonic(), 0.0))
        except grpc.RpcError as error:
            await asyncio.sleep(wait_after(from_call(error), pause, ends))
    raise AssertionError


def wait_after(error: ServiceError, pause: float, ends: float) -> float:
    """How long to wait before the next try; raises the error where there is none."""
    pause = max(pause, error.retry_after or 0.0)
    if not will_pass(error) or time.monotonic() + pause >= ends:
        raise error from None
    return pause


def will_pass(error: ServiceError) -> bool:
    """Whether the server was away, or could not read or write what it keeps: nothing is wrong with the request."""
    return error.code == grpc.StatusCode.UNAVAILABLE


def pauses() -> Iterator[float]:
    """How long to wait after one failure after another, in seconds."""
    pause = FIRST_PAUSE
    while True:
        yield pause
        pause = min(2 * pause, LONGEST_PAUSE)
