"""Who runs the batches: processes or threads here, Dask's workers, or any executor that a function makes."""

import contextlib
import importlib
import inspect
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

from machiavel.engines import BadOption
from machiavel.server.tournaments.batches import Batch, BatchSetup, Block, play_batch, stop_all
from machiavel.server.tournaments.processes import Processes

__all__ = ["EXAMPLES", "RETRIES", "Pool", "check_executor", "open_pool", "pool_of_processes"]

EXAMPLES = "processes, processes:4, threads:2, dask://HOST:PORT, or MODULE:FUNCTION that makes an executor"
DASK = "dask://"
RETRIES = 3  # of a batch whose worker was lost


class Pool:
    """An executor that is made again when its workers are lost."""

    def __init__(self, make: Callable[[], Executor], workers: int, *, ends: Callable[[Any], None] | None = None) -> None:
        self._make = make
        self._ends = ends
        self._executor = make()
        self.workers = workers

    def suspend(self) -> None:
        """Stops the workers in the middle of what they do, where they are processes of this machine."""
        if isinstance(self._executor, Processes):
            self._executor.suspend()

    def resume(self) -> None:
        """Lets suspended workers go on."""
        if isinstance(self._executor, Processes):
            self._executor.resume()

    def submit(self, setup: BatchSetup, batch: Batch) -> "Future[Block]":
        return self._executor.submit(play_batch, setup, batch)

    def renew(self) -> None:
        """New workers, after a BrokenExecutor."""
        if self._ends is not None:
            self._ends(self._executor)
        shut(self._executor, wait=False)
        self._executor = self._make()

    def close(self, *, now: bool) -> None:
        """Ends the workers; `now` does not wait for what they are playing."""
        if now and self._ends is not None:
            self._ends(self._executor)
        shut(self._executor, wait=not now or self._ends is not None)


def shut(executor: Executor, *, wait: bool) -> None:
    """Dask's, and perhaps others, cannot be told to cancel: they do so when nobody waits."""
    cancels = "cancel_futures" in inspect.signature(executor.shutdown).parameters
    executor.shutdown(wait=wait, **({"cancel_futures": True} if cancels else {}))


def check_executor(text: str) -> None:
    """Raises BadOption for what is no executor, as far as can be told before it is made."""
    if not text.startswith(DASK) and text.partition(":")[0] in {"processes", "threads"}:
        count_of(text)
    elif text.startswith(DASK):
        host, _, port = text.removeprefix(DASK).rpartition(":")
        if not host or not port.isdigit():
            raise BadOption("executor", text, EXAMPLES)
    elif not all(part.replace(".", "").isidentifier() for part in text.split(":")) or text.count(":") != 1:
        raise BadOption("executor", text, EXAMPLES)


def count_of(text: str) -> int:
    _, colon, count = text.partition(":")
    if not colon:
        return os.cpu_count() or 1
    if not count.isdigit() or not 1 <= int(count) <= 1024:
        raise BadOption("executor", text, "a number of workers from 1 to 1024 after the colon")
    return int(count)


def pool_of_processes(count: int, nice: int = 0) -> Pool:
    """To be closed by whoever asked for it, from the same thread: its processes end with that one."""
    return Pool(lambda: Processes(count, nice), count, ends=Processes.kill)


@contextlib.contextmanager
def open_pool(text: str, *, nice: int = 0) -> Iterator[Pool]:
    """The executor that a text means; raises BadOption. Leaving by an error does not wait for the workers.

    Processes give way to others on this machine by so much as `nice` says.
    """
    check_executor(text)
    kind = text.partition(":")[0]
    if text.startswith(DASK):
        opened: contextlib.AbstractContextManager[Pool] = dask_pool(text)
    elif kind == "processes":
        opened = contextlib.nullcontext(pool_of_processes(count_of(text), nice))
    elif kind == "threads":
        opened = contextlib.nullcontext(
            Pool(lambda: ThreadPoolExecutor(count_of(text)), count_of(text), ends=lambda _: stop_all())
        )
    else:
        opened = made_by_a_function(text)
    with opened as pool:
        try:
            yield pool
        except BaseException:
            pool.close(now=True)
            raise
        pool.close(now=False)


@contextlib.contextmanager
def dask_pool(text: str) -> Iterator[Pool]:
    try:
        distributed = importlib.import_module("distributed")  # an extra
    except ImportError as error:
        raise BadOption("executor", text, f"dask, which is not installed ({error}): pip install 'machiavel[dask]'") from None
    try:
        client = distributed.Client(text.removeprefix(DASK), timeout=10, set_as_default=False)
    except OSError as error:
        raise BadOption("executor", text, f"the address of a Dask scheduler; there is none: {error}") from None
    with client:
        workers = sum(client.nthreads().values())
        if not workers:
            raise BadOption("executor", text, "a Dask scheduler with at least one worker")
        yield Pool(lambda: client.get_executor(pure=False, retries=RETRIES), workers)


@contextlib.contextmanager
def made_by_a_function(text: str) -> Iterator[Pool]:
    module, _, name = text.partition(":")
    try:
        make = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise BadOption("executor", text, f"{EXAMPLES}; {error}") from None
    executor = make()
    if not isinstance(executor, Executor):
        raise BadOption("executor", text, f"a function that makes a concurrent.futures.Executor, not a {type(executor).__name__}")
    first = [executor]
    workers = getattr(executor, "_max_workers", None) or os.cpu_count() or 1
    yield Pool(lambda: first.pop() if first else make(), workers)
