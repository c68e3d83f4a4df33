"""Processes of a tournament that is suspended."""

import os

from machiavel.server.tournaments.processes import Processes

__all__ = ["suspended_pool"]


def suspended_pool() -> Processes:
    """A worker that has begun, and stands still."""
    pool = Processes(1)
    pool.submit(os.getpid).result(60)
    pool.suspend()
    return pool
