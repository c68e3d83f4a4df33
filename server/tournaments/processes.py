"""Worker processes, each at the end of a pipe of its own.

The standard pool's workers share a pipe: where one is killed in the middle of an answer, the pool waits for the rest for ever.
"""

import contextlib
import ctypes
import multiprocessing
import multiprocessing.connection
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar

__all__ = ["Processes", "RemoteTraceback"]

P = ParamSpec("P")
T = TypeVar("T")
Given = tuple["Future[Any]", tuple[Callable[..., Any], Any, Any]]

LOST = "a worker process was lost"
PARENT_DEATH = 1  # of prctl: the signal for a process whose parent ends


class RemoteTraceback(Exception):
    """Where an error came from, as it would have been shown in the worker."""


class Processes(Executor):
    """So many workers, which give way to others on this machine by so much as `nice` says. The loss of one breaks all of it."""

    def __init__(self, count: int, nice: int = 0) -> None:
        # Spawned, never forked: whoever calls may have threads, of gRPC among them, that a fork would lose in mid-air.
        context = multiprocessing.get_context("spawn")
        self._given: queue.SimpleQueue[Given | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._is_broken = self._is_shut = False
        self.workers = []
        self._threads = []
        for _ in range(count):
            ours, theirs = context.Pipe()
            worker = context.Process(target=work, args=(theirs, nice), daemon=True)
            worker.start()
            theirs.close()  # so that ours tells of its end
            thread = threading.Thread(target=self._serve, args=(worker, ours), daemon=True)
            thread.start()
            self.workers.append(worker)
            self._threads.append(thread)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        future: Future[T] = Future()
        with self._lock:
            if self._is_broken:
                raise BrokenExecutor(LOST)
            if self._is_shut:
                raise RuntimeError("the workers were told to end")
            self._given.put((future, (fn, args, kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        with self._lock:
            if cancel_futures:
                for future in self._taken_back():
                    future.cancel()
                    future.set_running_or_notify_cancel()
            self._is_shut = True
            self._end()
        if wait:
            for thread in self._threads:
                thread.join()

    def kill(self) -> None:
        """Ends the workers at once, suspended or not; what they have under way is lost."""
        for worker in self.workers:
            worker.kill()

    def suspend(self) -> None:
        """Stops the workers where they are, so that they use no time; what they have under way is kept."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Lets suspended workers go on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        for worker in self.workers:
            if worker.is_alive() and worker.pid is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(worker.pid, number)

    def _serve(self, worker: Any, pipe: Connection) -> None:
        """Gives one worker task after task."""
        with pipe:
            while (given := self._given.get()) is not None:
                future, task = given
                if not future.set_running_or_notify_cancel():
                    continue
                try:
                    pipe.send(task)
                    error, shown, answer = pipe.recv()
                except (EOFError, OSError):
                    self._break()
                    future.set_exception(BrokenExecutor(LOST))
                    break
                except Exception as unsent:  # noqa: BLE001 - what cannot be pickled
                    future.set_exception(unsent)
                    continue
                if error is None:
                    future.set_result(answer)
                else:
                    error.__cause__ = RemoteTraceback(f"\n{shown}")
                    future.set_exception(error)
        worker.join()

    def _break(self) -> None:
        with self._lock:
            self._is_broken = True
            for future in self._taken_back():
                if future.set_running_or_notify_cancel():
                    future.set_exception(BrokenExecutor(LOST))
            self._end()

    def _taken_back(self) -> "list[Future[Any]]":
        """What no worker has begun."""
        result = []
        while not self._given.empty():
            given = self._given.get()
            if given is not None:
                result.append(given[0])
        return result

    def _end(self) -> None:
        for _ in self._threads:
            self._given.put(None)


# ---- In the worker ----


def work(pipe: Connection, nice: int) -> None:
    begin(nice)
    answer: tuple[BaseException | None, str, Any]
    while True:
        try:
            function, args, kwargs = pipe.recv()
            answer = (None, "", function(*args, **kwargs))
        except EOFError:  # there is nothing more to do
            return
        except BaseException as error:  # noqa: BLE001 - told in the parent
            answer = (error, traceback.format_exc(), None)
        try:
            pipe.send(answer)
        except OSError:
            return
        except Exception as error:  # noqa: BLE001 - what cannot be pickled
            pipe.send((RuntimeError(f"an answer cannot be sent: {error}"), traceback.format_exc(), None))


def begin(nice: int) -> None:
    """Ctrl-C is for the parent to answer; without a parent there is nothing to do."""
    os.nice(nice)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        end_with_parent()
        threading.Thread(target=end_with, args=(parent.sentinel,), daemon=True).start()


def end_with_parent() -> None:
    """A thread of a suspended process sees nothing, but the system kills it all the same where it can be told to."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PARENT_DEATH, signal.SIGKILL)


def end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)
