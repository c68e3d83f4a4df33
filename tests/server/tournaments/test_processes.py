"""Worker processes: what they answer, and that the loss of one is always noticed."""

import gc
import os
import struct
import time
from concurrent.futures import BrokenExecutor, wait
from multiprocessing.connection import Connection
from typing import Any

import pytest

from machiavel.engines import BadOption
from machiavel.server.tournaments.processes import Processes, RemoteTraceback

PATIENCE = 60.0


def twice(number: int, *, more: int = 0) -> tuple[int, int]:
    return 2 * number + more, os.getpid()


def fail(error: BaseException) -> None:
    raise error


def end() -> None:
    os._exit(1)


def end_in_the_middle_of_an_answer() -> None:
    (pipe,) = (result for result in gc.get_objects() if isinstance(result, Connection))
    os.write(pipe.fileno(), struct.pack("!i", 1000) + b"the rest never comes")
    os._exit(1)


def unsendable() -> Any:
    return lambda: None


def test_tasks_are_done_elsewhere_by_as_many_as_there_are() -> None:
    with Processes(2) as pool:
        answers = [pool.submit(twice, number, more=1).result(PATIENCE) for number in range(20)]
        assert [answer for answer, _ in answers] == [2 * number + 1 for number in range(20)]
        assert {pid for _, pid in answers} <= {worker.pid for worker in pool.workers}
    assert not any(worker.is_alive() for worker in pool.workers)
    with pytest.raises(RuntimeError, match="told to end"):
        pool.submit(twice, 1)


def test_errors_come_back_as_they_are_with_where_they_came_from() -> None:
    with Processes(1) as pool:
        result = pool.submit(fail, BadOption("deals", 0, "at least 1")).exception(PATIENCE)
        assert isinstance(result, BadOption) and str(result) == str(BadOption("deals", 0, "at least 1"))
        assert isinstance(result.__cause__, RemoteTraceback) and "in fail" in str(result.__cause__)
        assert isinstance(pool.submit(fail, KeyboardInterrupt()).exception(PATIENCE), KeyboardInterrupt)
        assert "cannot be sent" in str(pool.submit(unsendable).exception(PATIENCE))
        assert pool.submit(unsendable()).exception(PATIENCE) is not None  # nor given
        assert pool.submit(twice, 4).result(PATIENCE)[0] == 8


@pytest.mark.parametrize("ends", [end, end_in_the_middle_of_an_answer])
def test_the_loss_of_a_worker_breaks_all_that_waits(ends: Any) -> None:
    pool = Processes(1)
    futures = [pool.submit(ends), *(pool.submit(twice, number) for number in range(3))]
    done, late = wait(futures, PATIENCE)
    assert not late
    assert all(isinstance(future.exception(), BrokenExecutor) for future in done)
    with pytest.raises(BrokenExecutor):
        pool.submit(twice, 1)
    pool.shutdown()


def test_killed_workers_and_cancelled_tasks_hold_nothing_up() -> None:
    pool = Processes(2)
    futures = [pool.submit(time.sleep, 3600) for _ in range(4)]
    while not all(future.running() for future in futures[:2]):
        time.sleep(0.01)
    pool.shutdown(wait=False, cancel_futures=True)
    assert all(future.cancelled() for future in futures[2:])
    pool.kill()
    assert all(isinstance(future.exception(PATIENCE), BrokenExecutor) for future in futures[:2])
    pool.shutdown()
    assert not any(worker.is_alive() for worker in pool.workers)
