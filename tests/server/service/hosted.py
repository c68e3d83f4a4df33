"""A server in a thread of its own, on a free port of this machine."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar
from unittest.mock import DEFAULT, patch

from machiavel.clients import NoTime
from machiavel.server.service.app import Server
from machiavel.server.service.config import Config, load_config
from machiavel.server.service.fair_loop import new_loop
from tests.engines.games import GAMES

__all__ = ["GAMES", "Hosted", "config", "hosted", "in_time", "until"]

Result = TypeVar("Result")

WAIT = 300  # seconds, where something is wrong


def config(**settings: Any) -> Config:
    """Settings for a test: a free port, a log without calls, nothing from the environment."""
    return load_config(
        {"listen": "127.0.0.1:0", "storage": "memory:", "log_level": "error", "workers": 2, "drain": 2} | settings, {}
    )


def in_time(ask: Callable[[], Result]) -> Result:
    """What a call with a short deadline gives; asked again where a machine that has other work was late."""
    for _ in range(30):
        try:
            return ask()
        except NoTime:
            continue
    raise AssertionError("it is never in time")


async def until(is_so: Callable[[], bool], *changes: tuple[object, str]) -> None:
    """Waits in a server's loop until it is so, which only calls of these methods change, each an owner and a name."""
    changed = asyncio.Event()

    def note(*_: object) -> Any:
        changed.set()
        return DEFAULT  # what the method itself returns

    with ExitStack() as patches:
        for owner, name in changes:
            patches.enter_context(patch.object(owner, name, wraps=getattr(owner, name), side_effect=note))
        await asyncio.sleep(0)  # for calls that the loop was to make before
        async with asyncio.timeout(WAIT):
            while not is_so():
                changed.clear()
                await changed.wait()


class Hosted:
    """A running server; `run` does something in its event loop."""

    def __init__(self, settings: Config) -> None:
        self.settings = settings
        self.started = threading.Event()
        self.failure: BaseException | None = None
        self.thread = threading.Thread(target=self.main)
        self.thread.start()
        assert self.started.wait(WAIT)
        if self.failure is not None:
            self.thread.join()
            raise self.failure

    def main(self) -> None:
        try:
            with asyncio.Runner(loop_factory=new_loop) as runner:
                runner.run(self.serve())
        except BaseException as error:  # noqa: BLE001
            self.failure = error
            self.started.set()

    async def serve(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.ended = asyncio.Event()
        async with Server(self.settings) as self.server:
            self.address = self.server.address
            self.started.set()
            await self.ended.wait()

    def run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(WAIT)

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self.ended.set)
        self.thread.join(WAIT)
        assert not self.thread.is_alive()
        if self.failure is not None:
            raise self.failure


@contextmanager
def hosted(**settings: Any) -> Iterator[Hosted]:
    server = Hosted(config(**settings))
    try:
        yield server
    finally:
        server.stop()
